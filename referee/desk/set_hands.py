"""How an organiser writes hands that are set: `5N/S` is level 5, North deals, spades are trump; `8x2/H` eight alike."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from scoring import wording
from scoring.values import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.sittings.states import FixedHand

#: Hands alike in a row are written as one from so many on.
ALIKE: Final = 3
MOST: Final = 1000
_SIGNS: Final = {"♠": "S", "♥": "H", "♣": "C", "♦": "D"}
_NAMES: Final = {words["zh"]: trump.value for trump, words in wording.TRUMPS.items()}
_SEPARATORS: Final = re.compile(r"[\s,，、;；]+")
_TIMES: Final = re.compile(r"(?:([0-9]{1,4})[X×*])?(.*)", re.DOTALL)
_TRUMP: Final = re.compile(rf"([^/／{''.join(_SIGNS)}]*)[/／]?(.*)", re.DOTALL)


def written(hands: Iterable[FixedHand]) -> str:
    """Hands in order, as `read` reads them."""
    parts = []
    for one, alike in groupby(map(_one, hands)):
        times = len(list(alike))
        parts += [f"{times}x{one}"] if times >= ALIKE else [one] * times
    return ", ".join(parts)


def read(text: str) -> list[dict[str, str]]:
    """Hands as a plan writes them; what cannot be read goes on as it is, so that the plan names it."""
    found: list[dict[str, str]] = []
    for part in _SEPARATORS.split(text.strip()):
        matched = _TIMES.fullmatch(part.upper().replace("\ufe0e", "").replace("\ufe0f", ""))
        if not part or matched is None:
            continue
        times = 1 if matched[1] is None else int(matched[1])
        if not 1 <= times <= MOST:
            found.append({"level": part})
            continue
        found += [_hand(matched[2])] * times
    return found


def _one(hand: FixedHand) -> str:
    dealt = f"{hand.level}{hand.dealer or ''}"
    return dealt if hand.trump is None else f"{dealt}/{hand.trump}"


def _hand(text: str) -> dict[str, str]:
    """One hand; a level may itself be a letter (J, Q, K, A)."""
    matched = _TRUMP.fullmatch(text)
    dealt, trump = (text, "") if matched is None else (matched[1], matched[2])
    hand = {"level": dealt}
    if dealt not in LEVELS and dealt[-1:] in ("N", "W", "S", "E"):
        hand = {"level": dealt[:-1], "dealer": dealt[-1]}
    if dealt != text:
        hand["trump"] = _SIGNS.get(trump) or _NAMES.get(trump) or trump
    return hand
