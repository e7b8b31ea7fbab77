"""The record of a hand at the desk: the text or what was wrong with it, and the entry beside what the cards come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from referee.adjudicator import played_hand
from referee.hands.words import DESK, field_word
from scoring.hands import fields
from tournaments.acts.access import Act

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.desk.guard import Desk
    from tournaments.acts.errors import Refusal
    from tournaments.ledger.hands_on_record import Replayed
    from tournaments.models import LedgerEntry, Sitting

#: Fields of a sheet that no card tells: they stay as an official entered them.
NOT_IN_CARDS: Final = ("declared_by", "dark_bids", "adjustments")


@dataclass(frozen=True, slots=True)
class Beside:
    """One field: as entered, as the cards have it."""

    field: str
    entered: str
    played: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the text, with the line it stands in."""

    message: Any
    line: str
    clause: str | None


def page(desk: Desk, sitting: Sitting, entry: LedgerEntry, seen: Replayed | None) -> dict[str, Any]:
    """The record that stands, if there is one."""
    shown: dict[str, Any] = {
        "sitting": sitting,
        "round": sitting.round,
        "home": sitting.match.home,
        "away": sitting.match.away,
        "entry": entry,
        "may_attach": desk.may(Act.ATTACH_RECORD, sitting),
    }
    if seen is None:
        return shown
    may_correct = desk.may(Act.CORRECT, sitting) and entry.kind == "hand"
    return (
        shown
        | played_hand.shown(seen)
        | {
            "recorded": seen.recorded,
            "lines": seen.recorded.text.splitlines(),
            "beside": list(_beside(seen)),
            "faults": seen.replay.findings,
            "may_fill": may_correct and seen.replay.complete and bool(seen.disagreements),
        }
    )


def _beside(seen: Replayed) -> Iterator[Beside]:
    """Every field that the entry or the cards state; then the total."""
    entered, played = seen.entry.facts, seen.replay.sheet.to_json()
    differing = {one.field for one in seen.disagreements}
    for name in fields.BY_NAME:
        if name in ("kind", *NOT_IN_CARDS) or (name not in entered and name not in played):
            continue
        yield Beside(
            field_word(name),
            DESK.says(name, entered.get(name)),
            DESK.says(name, played.get(name)),
            name in differing,
        )
    total = next((one for one in seen.disagreements if one.field == "total"), None)
    if seen.replay.total is not None and entered.get("kind", "hand") == "hand":
        by_cards = str(seen.replay.total.raw)
        said = by_cards if total is None else str(total.params["entered"]["en"])
        yield Beside(_("Total"), said.strip(), by_cards, total is not None)


def facts_by_cards(seen: Replayed) -> dict[str, Any]:
    """The facts of the entry as the cards have them; what no card tells stays as entered."""
    kept = {name: seen.entry.facts[name] for name in NOT_IN_CARDS if name in seen.entry.facts}
    return seen.replay.sheet.to_json() | kept


def problems(refusal: Refusal, text: str) -> list[Problem]:
    """What is wrong with a text, each with its own line of it."""
    lines = text.splitlines()
    found = []
    for one in refusal.findings:
        number = one.params.get("line", 0)
        line = lines[number - 1] if 0 < number <= len(lines) else ""
        found.append(Problem(one.message, line[:120], one.clause))
    return found or [Problem(refusal.message, "", None)]
