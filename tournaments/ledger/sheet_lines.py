"""A row of a signed score sheet, typed in one line: ``2-7-3K H 85 pair 20`` (round, table, row and its sign, figures).

The sign is printed in every row. It is a check: one figure of round, table or row that was typed wrong, or two that
changed places, never give the same sign, and a sheet of another event rarely does. Dealer and level are those due.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..acts.errors import Refusal

#: As many as a prime, and none that is written like another sign.
SIGNS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ"
_WEIGHTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)
_PLACE: Final = re.compile(r"(\d{1,2})-(\d{1,4})-(\d{1,3})\s*([A-Z])(?:\s+(.*))?", re.DOTALL)
_TRUMPS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("S", "♠", "黑桃", "黑"), "S"),
    **dict.fromkeys(("H", "♥", "红桃", "红"), "H"),
    **dict.fromkeys(("C", "♣", "梅花", "梅"), "C"),
    **dict.fromkeys(("D", "♦", "方块", "方"), "D"),
    **dict.fromkeys(("NT", "无主", "无"), "NT"),
}
_SHAPES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("SINGLE", "1", "单张", "单"), "single"),
    **dict.fromkeys(("PAIR", "2", "对子", "对"), "pair"),
    **dict.fromkeys(("TRIPLE", "3", "三张"), "triple"),
}
_TRACTOR: Final = re.compile(r"([2-4])[X×](\d{1,2})")


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A row of a sheet: where it stands, and what was typed of it as facts of a hand."""

    round: int
    table: int
    hand: int
    facts: Mapping[str, Any]


def sign_of(slug: str, *, round_number: int, table: int, hand: int) -> str:
    """The sign of a row on the sheet of a table in a round of the event."""
    figures = f"{round_number:02d}{table:04d}{hand:03d}"
    event = int.from_bytes(hashlib.sha256(slug.encode()).digest()[:4], "big")
    weighed = sum(weight * int(figure) for weight, figure in zip(_WEIGHTS, figures, strict=True))
    return SIGNS[(event + weighed) % len(SIGNS)]


def read_line(text: str, slug: str) -> SheetLine:
    """The row that a line names. Refused: `sheet_line_unreadable`, `sheet_sign_wrong`."""
    found = _PLACE.fullmatch(text.strip().upper().replace("－", "-").replace("—", "-"))
    if found is None:
        raise Refusal("sheet_line_unreadable", field="line", status=422)
    number, table, hand = (int(found[place]) for place in (1, 2, 3))
    if found[4] != sign_of(slug, round_number=number, table=table, hand=hand):
        raise Refusal("sheet_sign_wrong", field="line", status=422)
    return SheetLine(number, table, hand, _facts((found[5] or "").split()))


def _facts(words: list[str]) -> Mapping[str, Any]:
    """Trump, points, and after a dig the shape led and the kitty; what is not there is left to the form."""
    facts: dict[str, Any] = {"kind": "hand"}
    if words and words[0] in _TRUMPS:
        facts["trump"] = _TRUMPS[words.pop(0)]
    if words:
        facts["captured_in_tricks"] = _whole(words.pop(0))
        facts["last_trick_winner"] = "attackers" if words else "dealer"
    if words:
        facts["led"] = [_shape(words.pop(0))]
    if words:
        facts["kitty_points"] = _whole(words.pop(0))
    if words:
        raise Refusal("sheet_line_unreadable", field="line", status=422)
    return facts


def _whole(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 5):
        raise Refusal("sheet_line_unreadable", field="line", status=422)
    return int(word)


def _shape(word: str) -> Mapping[str, Any]:
    if word in _SHAPES:
        return {"type": _SHAPES[word]}
    if tractor := _TRACTOR.fullmatch(word):
        return {"type": "tractor", "width": int(tractor[1]), "length": int(tractor[2])}
    raise Refusal("sheet_line_unreadable", field="line", status=422)
