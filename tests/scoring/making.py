"""Short ways to make entries and openings for the kernel's tests."""

from __future__ import annotations

from typing import Any

from scoring.hands.entries import Entry
from scoring.hands.findings import Finding
from scoring.hands.sheets import read_entry
from scoring.profiles import Profile
from scoring.sittings.checks import check_next
from scoring.sittings.fold import fold
from scoring.sittings.states import UNTIMED, Conditions, EntryResult, Opening, SittingState
from scoring.values import Level as Rung
from scoring.values import Seat, Shape, Side

SINGLE, PAIR = {"type": "single"}, {"type": "pair"}


def tractor(pairs: int, width: int = 2) -> dict[str, Any]:
    return {"type": "tractor", "width": width, "length": pairs}


def shapes(*rows: dict[str, Any]) -> tuple[Shape, ...]:
    return tuple(Shape.from_json(row) for row in rows)


def hand(captured: int, **fields: Any) -> dict[str, Any]:
    """A hand without a dig unless told otherwise."""
    return {"kind": "hand", "captured_in_tricks": captured, "last_trick_winner": "dealer", **fields}


def dig(captured: int, kitty: int, *led: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A hand whose kitty the attackers dug."""
    return hand(captured, kitty_points=kitty, last_trick_winner="attackers", led=list(led), **fields)


def opening(ns: str = "2", ew: str = "2", dealer: str | None = "S") -> Opening:
    return Opening({Side.NS: Rung(ns), Side.EW: Rung(ew)}, None if dealer is None else Seat(dealer))


def entries(profile: Profile, *rows: dict[str, Any]) -> list[Entry]:
    return [read_entry(profile, row) for row in rows]


def check(
    profile: Profile, start: Opening, before: list[Entry], entry: Entry, conditions: Conditions = UNTIMED
) -> tuple[Finding, ...]:
    """Every finding on a new entry after the ledger before it."""
    return check_next(profile, fold(profile, start, before, conditions), entry, conditions)


def play(profile: Profile, start: Opening, *rows: dict[str, Any], **conditions: Any) -> SittingState:
    return fold(profile, start, entries(profile, *rows), Conditions(**conditions), reasons=True)


def only(state: SittingState) -> EntryResult:
    """The single result of a ledger of one entry."""
    (result,) = state.entries
    return result


def standing(state: SittingState) -> str:
    """Levels and next dealer in one word: `NS:EW dealer`."""
    ns, ew = (str(state.position.levels[side] or "past") for side in (Side.NS, Side.EW))
    return f"{ns}:{ew} {state.next_dealer or '-'}"
