"""A drawn round at the desk: who meets whom and why, what it costs, and why others do not meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.desk.presenters.board import name_of
from referee.pictures.knockouts import bracket_page
from tournaments.acts import jobs
from tournaments.acts.errors import Refusal
from tournaments.acts.text import plain_number
from tournaments.draws import sentences
from tournaments.draws.documents import Document
from tournaments.models import CheckIn, RoundStatus
from tournaments.rounds import drawing
from tournaments.rounds.draw_questions import Drawing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict

    from referee.desk.guard import Desk
    from scoring.values import Text
    from tournaments.models import Draw, Round


@dataclass(frozen=True, slots=True)
class Meeting:
    """One meeting. `away` is empty for a bye; `costs` are those that are not nothing, in words."""

    table: int | None
    home: str
    away: str
    group: int | None
    reasons: tuple[Text, ...]
    costs: tuple[tuple[Text, int], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The draw that stands. `judged` compares a pairing by hand with the best draw; `explains`: others can be asked
    about; `by_hand`: it was typed or changed."""

    draw: Draw
    how: Text
    reason: str
    rows: tuple[Meeting, ...]
    total: tuple[tuple[Text, int], ...]
    judged: Text | None
    explains: bool
    by_hand: bool
    entrants: tuple[tuple[int, str], ...]
    odd: bool


def shown(desk: Desk, the_round: Round, asked: QueryDict) -> dict[str, Any]:
    """What the page of a draft adds: the draw, the answer to "why not", who is not checked in, a draw under way."""
    job = next((one for one in jobs.open_jobs(desk.tournament, drawing.DRAW) if one.subject == the_round.pk), None)
    drawn = drawn_of(the_round) if the_round.status == RoundStatus.DRAFT else None
    return {
        "drawn": drawn,
        "draw_job": job,
        "why_not": None if drawn is None else why_not(desk, the_round, drawn, asked),
        "asked_one": asked.get("one", ""),
        "asked_other": asked.get("other", ""),
        "not_there": not_there(the_round),
        **_knockout(the_round),
    }


def _knockout(the_round: Round) -> dict[str, Any]:
    """The bracket with the draft in it, in a knockout."""
    if the_round.extra or not the_round.matches.filter(superseded_in=None).exists():
        return {}
    rounds = the_round.stage.rounds.filter(number__lte=the_round.number, extra=False).order_by("number")
    return bracket_page(the_round.stage, list(rounds))


def drawn_of(the_round: Round) -> Drawn | None:
    """The draw whose draft stands; None when nothing is paired."""
    draw = drawing.latest_draw(the_round.pk)
    if draw is None or not the_round.matches.filter(superseded_in=None).exists():
        return None
    document = drawing.document_of(draw)
    names = names_of(the_round)
    costs = sentences.costs_by_meeting(document)
    rows = tuple(_row(document, one, costs, names) for one in document["meetings"])
    total = (document.get("judged") or document["answer"]).get("total")
    named = {pk for one in document["meetings"] for pk in (one["home"], one["away"]) if pk is not None}
    judged = document.get("judged")
    return Drawn(
        draw=draw,
        how=sentences.how_drawn(document),
        reason=draw.reason,
        rows=rows,
        total=() if total is None else tuple(sentences.costs_of(total)),
        judged=None if judged is None else sentences.judged_text(judged),
        explains=document["question"].get("op") == "swiss_round" and bool(document["answer"].get("feasible")),
        by_hand=document["method"] == "hand",
        entrants=tuple((number, name) for pk, (number, name) in names.items() if pk in named),
        odd=len(named) % 2 == 1,
    )


def names_of(the_round: Round) -> dict[int, tuple[int, str]]:
    """Number and name by id, in order of the numbers."""
    entrants = the_round.tournament.entrants.order_by("number")
    return {one.pk: (one.number, f"{one.number} {name_of(one)}") for one in entrants}


def _row(
    document: Document,
    meeting: Mapping[str, Any],
    costs: Mapping[frozenset[Any], Mapping[str, int]],
    names: Mapping[int, tuple[int, str]],
) -> Meeting:
    own = costs.get(frozenset((meeting["home"], meeting["away"])), {})
    away = meeting["away"]
    return Meeting(
        table=meeting["table"],
        home=names[meeting["home"]][1],
        away="" if away is None else names[away][1],
        group=meeting.get("group"),
        reasons=tuple(sentences.reasons_of(document, meeting, own)),
        costs=tuple(sentences.costs_of(own)) if own else (),
    )


def why_not(desk: Desk, the_round: Round, drawn: Drawn, asked: QueryDict) -> Text | None:
    """The answer to "why do these two not meet?", or why it cannot be answered; None when nobody asked."""
    one, other = asked.get("one", ""), asked.get("other", "")
    number, opponent = plain_number(one), plain_number(other)
    if number is None or not drawn.explains or (opponent is None and other != "bye"):
        return None
    ids = {number: pk for pk, (number, _) in names_of(the_round).items()}
    try:
        said = drawing.why_not(
            round_id=the_round.pk,
            actor=desk.actor,
            one=ids.get(number, 0),
            other=None if opponent is None else ids.get(opponent, 0),
        )
    except Refusal as refusal:
        return refusal.message
    return sentences.why_not_text(said, number, opponent)


def not_there(the_round: Round) -> tuple[str, ...]:
    """Who is not checked in, where the event checks anybody in at all."""
    seen = CheckIn.objects.filter(entrant__tournament=the_round.tournament_id, undone_at=None)
    here = set(seen.filter(round=None).values_list("entrant_id", flat=True))
    here |= set(seen.filter(round=the_round).values_list("entrant_id", flat=True))
    if not here or the_round.tournament.individual:
        return ()
    present = Drawing(the_round).present
    names = names_of(the_round)
    return tuple(names[place.entrant][1] for place in present if place.entrant not in here)
