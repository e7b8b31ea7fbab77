"""Chinese names as they are typed in Latin letters: 高峰 is ``gaofeng``, ``gf`` or the beginning of either.

Every character has all its readings, since which one a family uses stands nowhere (单 is dan, chan or shan): a search
may find one too many, and never misses. What a name can be typed as is worked out once and kept.
"""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HAN: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_TYPED: Final = re.compile("[a-z0-9]+")
#: Names whose readings are kept, those used last; some hundred bytes each.
KEPT: Final = 2**16
#: Ways to read a name that a page carries to be searched in, at most.
MOST_READINGS: Final = 12
#: Initials of two letters, either of which may be typed: 周 as z or zh.
_OF_TWO: Final = ("zh", "ch", "sh")

Sounds = tuple[tuple[str, ...], ...]


def is_spoken(typed: str, name: str) -> bool:
    """Whether `typed` (letters a to z and digits, without blanks) is the sound of consecutive characters of `name`: of
    each the whole syllable or its initial, of the last one also the beginning."""
    if not _TYPED.fullmatch(typed):
        return False
    sounds = sounds_of(name)
    return any(_reaches_end(typed, sounds[start:]) for start in range(len(sounds)))


@lru_cache(maxsize=KEPT)
def sounds_of(name: str) -> Sounds:
    """What each character of a name can be typed as; what is no letter or digit is left out. Nothing for a name without
    Chinese characters, which is typed as it is written."""
    if not _HAN.search(name):
        return ()
    letters = (letter for letter in name.casefold() if letter.isalnum())
    return tuple(_readings(letter) if _HAN.match(letter) else (letter,) for letter in letters)


@lru_cache(maxsize=KEPT)
def typed_as(name: str) -> str:
    """Everything a Chinese name is typed as, whole and by initials, for a list that is searched in the page:
    ``gaofeng gf``. Of many readings the first `MOST_READINGS`."""
    ways = islice(product(*sounds_of(name)), MOST_READINGS)
    whole = [(" ".join(("".join(way), "".join(one[0] for one in way)))) for way in ways if way]
    return " ".join(dict.fromkeys(" ".join(whole).split()))


def _reaches_end(typed: str, sounds: Sounds) -> bool:
    """Every place in `typed` that can be reached is known at once, so that no name takes longer than its length."""
    reached = {0}
    for readings in sounds:
        reached = {end for start in reached for end in _ends(typed, start, readings)}
        if len(typed) in reached:
            return True
        if not reached:
            return False
    return False


def _ends(typed: str, start: int, readings: tuple[str, ...]) -> Iterator[int]:
    """Where one character that begins at `start` may end."""
    for one in readings:
        if typed[start] != one[0]:
            continue
        yield start + 1
        if one.startswith(_OF_TWO) and typed.startswith(one[:2], start):
            yield start + 2
        if typed.startswith(one, start):
            yield start + len(one)
        elif one.startswith(typed[start:]):
            yield len(typed)


@lru_cache(maxsize=2**13)
def _readings(character: str) -> tuple[str, ...]:
    """The syllables of a character without tones; ü as v, u or yu, the way it is typed."""
    found: dict[str, None] = {}
    for one in _spell()(character):
        for written in (one, one.replace("v", "u"), one.replace("v", "yu")) if "v" in one else (one,):
            found.setdefault(written)
    return tuple(found) or (character,)


@cache
def _spell() -> Callable[[str], list[str]]:
    """The dictionary of characters, read when somebody searches first: without its phrases, which take four times the
    memory and tell nothing of names."""
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "true")
    from pypinyin import Style, pinyin

    def spell(character: str) -> list[str]:
        (readings,) = pinyin(character, style=Style.NORMAL, heteronym=True)
        return [one for one in readings if one.isascii()]

    return spell
