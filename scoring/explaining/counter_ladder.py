"""What counters what (反主的大小), as a ladder a page can draw, read off a profile's options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.profiles import Profile
from scoring.profiles.option_words import NAMES
from scoring.values import SUITS, Text
from scoring.wording import both


@dataclass(frozen=True, slots=True)
class Rung:
    """Something that may be shown for trumps: `marks` are suits (`S`), jokers (`JS`) or cards (`H5`), `count` cards.

    `reinforced_blocks` says that a reinforced declaration keeps it out whatever the suit; `final` that nothing follows.
    """

    id: str
    marks: tuple[str, ...]
    count: int
    words: Text
    reinforced_blocks: bool = False
    final: bool = False


def counter_ladder(profile: Profile) -> tuple[Rung, ...]:
    """What may be shown, from a single level card up; each counters everything below it. Empty where nobody counters.

    Level cards are one rung where suits have no order. Jokers mean no-trump and are left out where it is not played.
    """
    if not profile.counter_ranks or profile.bidding is not None:
        return ()
    single = Rung("level1", SUITS, 1, both("one level card", "一张级牌"))
    return (single, *(rung for name in profile.counter_ranks for rung in _rungs(profile, name)))


#: What jokers and red fives are shown with; jokers of any kind count together in `jokers`.
_MARKS = {"small": ("JS",), "big": ("JB",), "jokers": ("JS", "JB"), "red_fives": ("H5",)}


def _rungs(profile: Profile, name: str) -> Iterator[Rung]:
    what, count = name[:-1], int(name[-1])
    if what == "level":
        blocks = profile.reinforced_blocks == "level_pairs" and count == 2
        if not profile.counter_suit_order:
            yield Rung(name, SUITS, count, NAMES[name], blocks)
        for suit in profile.counter_suit_order:
            words = {language: f"{NAMES[name][language]} · {NAMES[suit][language]}" for language in ("en", "zh")}
            yield Rung(f"{name}-{suit}", (suit,), count, words, blocks)
    elif what == "red_fives":
        yield Rung(name, _MARKS[what], count, NAMES[name])
    elif profile.no_trump_allowed:
        yield Rung(name, _MARKS[what], count, NAMES[name], final=profile.joker_counter_final)
