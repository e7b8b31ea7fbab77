"""The calls of one referee, on his own phone: what he is on the way to first, then the nearest table in the hall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.urls import reverse

from referee.adjudicator.questions import THROW, TRICK, kinds_of, level_fields
from referee.desk.presenters.board import Item, waiting_for, worded
from referee.desk.presenters.settling import settling
from referee.parts.kept import CALLS, SETTLED, kept
from referee.parts.words import page_language
from referee.pictures.hall import place_words
from tournaments.acts.access import Act
from tournaments.acts.text import plain_number
from tournaments.hall.reads import plan_of, served_last
from tournaments.models import RoundStatus
from tournaments.rounds.board import rounds_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.desk.guard import Desk
    from tournaments.hall.layout import Plan
    from tournaments.rounds.board import Waiting

#: What a table waits for a referee with; rulings and corrections are desk work.
KINDS: Final = frozenset({"dispute", "objection", "call"})
#: The question of the adjudicator that goes with what a side called for.
_QUESTIONS: Final[Mapping[str, str]] = {"revoke": TRICK, "throw": THROW}


@dataclass(frozen=True, slots=True)
class Stop:
    """A table that waits. `where`: how to walk there from the front; `adjudicator` and `ruling`: addresses with what is
    known of the hand filled in."""

    item: Item
    where: str
    adjudicator: str
    ruling: str


def calls(desk: Desk, asked: str = "") -> dict[str, Any]:
    """The calls at the tables that the reader serves. `asked`: the number of the table where he says he is; else he is
    where he took or dealt with a call last."""
    rounds = rounds_of(desk.tournament)
    waiting = [
        one
        for one in waiting_for(desk, rounds)
        if one.kind in KINDS and one.call is not None and desk.may(Act.TAKE_CALL, one.sitting)
    ]
    plan = plan_of(desk.tournament)
    here = _standing_at(desk, plan, asked) if waiting else plain_number(asked)
    waiting.sort(key=lambda one: _order(desk, one, plan, here))
    items = worded(desk, waiting)
    return {
        "stops": [_stop(desk, one, item, plan) for one, item in zip(waiting, items, strict=True)],
        "round": next((one for one in rounds if one.status == RoundStatus.RUNNING), None),
        "tables": sorted(plan.places),
        "at": here,
        "now": desk.now,
        "may_take": desk.may(Act.TAKE_CALL),
        "may_settle": desk.may(Act.SETTLE),
        "may_add_photo": desk.may(Act.ATTACH_PHOTO),
        "settle_reasons": SETTLED,
        "photo_to": "calls",
        **settling(desk),
    }


def _standing_at(desk: Desk, plan: Plan, asked: str) -> int | None:
    """The number of the table where the reader is."""
    number = plain_number(asked)
    if number in plan.places:
        return number
    last = served_last(desk.tournament, desk.actor.user)
    return last if last in plan.places else None


def _order(desk: Desk, one: Waiting, plan: Plan, here: int | None) -> tuple[Any, ...]:
    """His own first and those of colleagues last; the nearest, and of equally near ones who waits longest."""
    taken = None if one.call is None else one.call.taken_by
    place = 0 if taken is not None and taken == desk.actor.user else 1 if taken is None else 2
    return place, _steps(plan, here, one.table), one.since, one.table


def _steps(plan: Plan, here: int | None, there: int) -> int:
    """How many places one walks along rows and aisles; 0 where nobody knows where from."""
    if here is None or there not in plan.places:
        return 0
    a, b = plan.places[here], plan.places[there]
    return abs(a.row - b.row) + abs(a.column - b.column)


def _stop(desk: Desk, waiting: Waiting, item: Item, plan: Plan) -> Stop:
    at = {"at": f"{item.round}.{item.table}"} | ({"hand": str(item.hand_no)} if item.hand_no else {})
    ruling = reverse("desk:ruling_new", kwargs={"event": desk.tournament.slug})
    return Stop(
        item=item,
        where=place_words(plan, item.table) if item.table in plan.places else "",
        adjudicator=_adjudicator(desk, waiting, ".".join(at.values())),
        ruling=f"{ruling}?{urlencode(at)}" if desk.may(Act.PROPOSE_RULING, waiting.sitting) else "",
    )


def _adjudicator(desk: Desk, waiting: Waiting, at: str) -> str:
    """The adjudicator by the rules of the event, at the level and with the dealer of the hand in question, its trumps
    where an account says them; on the question itself where the call says which."""
    event, note = desk.tournament, "" if waiting.call is None else waiting.call.note
    asked = next((kind for code, kind in _QUESTIONS.items() if note and note == kept(CALLS[code], event.language)), "")
    known = {"event": event.slug, "at": at} | facts_of(waiting)
    if asked in kinds_of(event.profile):
        known["kind"] = asked
    return f"{reverse('public:adjudicator', kwargs={'language': page_language()})}?{urlencode(known)}"


def facts_of(waiting: Waiting) -> dict[str, str]:
    """What is known of the hand in question, as fields of the adjudicator: in which the accounts agree, else as due."""
    profile, state = waiting.sitting.round.tournament.profile, waiting.sitting.state
    said: dict[str, Any] = {"dealer": state.get("next_dealer"), "level": state.get("next_level")}
    facts: Sequence[Mapping[str, Any]] = [claim.entry.facts for claim in waiting.claims]
    for name in ("dealer", "level", "trump"):
        values = {str(one[name]) for one in facts if one.get(name)}
        if len(values) == 1:
            said[name] = values.pop()
        elif values:
            said.pop(name, None)
    levels = level_fields(profile)
    if levels != ("level",):  # every player has a level of his own
        said.pop("level", None)
        held = (state.get("position") or {}).get("levels") or {}
        said |= {f"level{player}": level for player, level in held.items()}
    return {name: str(value) for name, value in said.items() if value}
