"""Who really sat there: two entrants sat at each other's places, at two tables or at their own with the sides reversed,
and what was played stands for who played it.

A published pairing is not edited: the next number, with the reason, says who met whom. The records stay at the tables
where they were written; the match that each belongs to now names who sat there.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Add, Change, MoveAll, Told, Write, carry_out, write
from ..acts.errors import WrongStep, clean_text
from ..acts.rows import locked_round
from ..models import Entrant, Match, Pairing, Publication, Round, RoundStatus, Sitting
from ..sittings.results import OPEN_RESULT
from .pairing import check_pairing
from .pairing_documents import numbered_pairing
from .pairs import free_numbers
from .steps import REASON_LIMIT, BadPairing, line_on

#: What a match came to; it goes along with the table where it was played.
_RESULT = (*OPEN_RESULT, "finished_at")
#: What a match keeps of its pairing.
_PLACE = ("group", "slot", "for_place")


def reseat_match(*, round_id: int, actor: Actor, at: datetime, entrants: Sequence[int], reason: str) -> Pairing:
    """Two entrants of a round change places in the pairing, as they sat; entries and results stay with the tables.

    Two who meet each other sat the other way round: home becomes away, of teams in both rooms. Until the standings of
    the round are published (`standings_published`). Refused for entrants who have a bye or do not play in the round.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    def decide() -> Change[Pairing]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.RESEAT, tournament=round_.tournament)
        _refuse_unless_open(round_)
        matches = _matches_of(round_, entrants)
        sittings = Sitting.objects.filter(match__in=[match.pk for match in matches])
        tables = tuple(sitting.pk for sitting in sittings.select_for_update(no_key=True).order_by("pk"))
        first, second = entrants

        def sit(pairing: Pairing) -> None:
            retired = MoveAll(Match, {"pk__in": [match.pk for match in matches]}, {"superseded_in": pairing})
            write((retired,), at, round_.tournament)
            numbers = free_numbers(round_, len(matches))
            for match, number in zip(matches, numbers, strict=True):
                write(_put(match, pairing, number, {first: second, second: first}), at, round_.tournament)

        pairing = numbered_pairing(round_, actor, at, check_pairing, reason=reason, make=sit)
        new = {"entrants": [first, second], "pairing": pairing.number}
        line = line_on(round_, Act.RESEAT, reason=reason, new=new)
        told = Told("round", round_.pk, round_.number, public=True)
        return Change(admitted, pairing, (Add(pairing),), (line,), (told,), stale=True, tables=tables)

    return carry_out(decide, actor, at)


def _refuse_unless_open(round_: Round) -> None:
    if round_.tournament.individual:
        raise WrongStep(
            "single_players",
            "Single players are seated again, with a reason.",
            "个人赛请写明原因，重新安排座位。",
        )
    if round_.status not in (RoundStatus.RUNNING, RoundStatus.CLOSED):
        raise WrongStep("nothing_played")
    published = Publication.objects.filter(stage=round_.stage_id, round__number__gte=round_.number, superseded_by=None)
    if published.exists():
        raise WrongStep("standings_published")


def _matches_of(round_: Round, entrants: Sequence[int]) -> list[Match]:
    """The matches of the two entrants; one where they meet each other."""
    if len(entrants) != 2 or len(set(entrants)) != 2:
        raise BadPairing("two_entrants", "Name two entrants.", "请写两个参赛方。", "entrants")
    found = []
    for entrant in entrants:
        seated = Q(home=entrant) | Q(away=entrant)
        match = round_.matches.filter(seated, superseded_in=None, away__isnull=False).first()
        if match is None:
            raise _no_match(round_, entrant)
        found.append(match)
    return found[:1] if found[0].pk == found[1].pk else found


def _no_match(round_: Round, entrant: int) -> BadPairing:
    known = Entrant.objects.filter(tournament=round_.tournament_id, pk=entrant).first()
    if known is None:
        return BadPairing("not_an_entrant", field="entrants")
    en = f"Entrant {known.number} has no match in round {round_.number}."
    return BadPairing("no_match", en, f"{known.number} 号在第 {round_.number} 轮没有对局。", "entrants")


def _put(old: Match, pairing: Pairing, number: int, places: dict[int | None, int]) -> tuple[Write, ...]:
    """The match as it was really played, with the tables and the result of the old one."""
    kept: dict[str, Any] = {name: getattr(old, name) for name in (*_RESULT, *_PLACE)}
    made = Match(
        round_id=old.round_id,
        number=number,
        home_id=places.get(old.home_id, old.home_id),
        away_id=places.get(old.away_id, old.away_id),
        published_in=pairing,
        **kept,
    )
    return (
        Add(made),
        MoveAll(Sitting, {"match": old}, {"match": made}),
        MoveAll(Match, {"pk": old.pk}, {**OPEN_RESULT, "finished_at": None}),
    )
