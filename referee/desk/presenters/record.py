"""The record of a hand at the desk: the text or what was wrong with it, and the entry beside what the cards come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.adjudicator import played_hand
from referee.adjudicator.card_text import typed
from referee.adjudicator.cases import Case
from referee.adjudicator.judging import judge
from referee.adjudicator.questions import RETURN, TRICKS
from referee.desk.presenters.sitting_words import players_at
from referee.hands.words import DESK, field_word
from referee.parts.recorded import steps_address
from referee.parts.rulings import case_address
from scoring.hands import fields
from tournaments.acts.access import Act
from tournaments.boards.reads import kept_back
from tournaments.signals.returns import asked_of
from tournaments.sittings.records import records

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
        "players": players_at(sitting.match, sitting.state),
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
            "steps": _public_steps(sitting, entry),
        }
        | _return_owed(desk, sitting, seen)
    )


def _public_steps(sitting: Sitting, entry: LedgerEntry) -> str:
    """Where everybody steps through the hand; empty while its board is kept back, and where the hand counts no more."""
    if sitting.pk in kept_back(sitting.round.stage).sittings:
        return ""
    counting = (hand.entry.pk for hand in records([sitting])[0].hands)
    return steps_address(sitting, entry.hand_no) if entry.pk in counting else ""


def _return_owed(desk: Desk, sitting: Sitting, seen: Replayed) -> dict[str, Any]:
    """Whether a lead had to be returned in this hand, by the terms of the event; nothing where it asks for none."""
    asked = asked_of(seen, sitting)
    if asked is None:
        return {}
    tricks = dict(zip(TRICKS, asked.tricks, strict=False))
    params = {
        "level": asked.level,
        "trump": asked.trump,
        "dealer": asked.dealer.value,
        "ranks": " ".join(asked.ranks or ()),
        "reading": "strict" if asked.strict else "normal",
        "fine": str(asked.fine),
        "hand": typed(asked.hand or ()),
        **{name: typed(cards) for name, (_leader, cards) in tricks.items()},
        **{f"{name}_by": leader.value for name, (leader, _cards) in tricks.items()},
    }
    case = Case.of(RETURN, desk.tournament.profile, params)
    at = f"{sitting.round.number}.{sitting.table.number}"
    ruled = {"at": at, "hand": seen.entry.hand_no, "case": RETURN, "query": case.query, "side": asked.dealer.side.value}
    return {
        "verdict": judge(case),
        "profile": desk.tournament.profile,
        "no_card": asked.ranks is None,
        "cut_short": len(asked.tricks) > len(TRICKS),
        "position": case_address(desk.tournament, RETURN, case.query),
        "to_ruling": f"{reverse('desk:ruling_new', kwargs={'event': desk.tournament.slug})}?{urlencode(ruled)}",
        "may_rule": desk.may(Act.PROPOSE_RULING, sitting),
    }


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
