"""Rulings as pages and other rooms read them: the log, the digest by clause, and what rests on which ruling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from scoring.values import Text

from ..models import (
    AppealState,
    MatchPlace,
    Ruling,
    RulingAct,
    RulingStatus,
    Sitting,
    Stage,
    Tournament,
)
from ..standings.penalised import seated


@dataclass(frozen=True, slots=True)
class ByClause:
    """All decided rulings on one clause, in order."""

    clause: str
    text: Text
    rulings: tuple[Ruling, ...]

    @property
    def standing(self) -> int:
        return sum(ruling.stands for ruling in self.rulings)


def clause_names(tournament: Tournament) -> dict[str, Text]:
    """What a clause of the event's penalty schedule is called where its id would stand: its offence, with the number of
    the case where there are several."""
    names: dict[str, Text] = {}
    for offence in tournament.penalty_schedule.offences.values():
        for number, case in enumerate(offence.cases, start=1):
            which = f" {number}" if len(offence.cases) > 1 else ""
            titles = {language: f"{title}{which}" for language, title in offence.title.items()}
            names[case.clause] = dict(case.name or titles)
    return names


def log(
    tournament: Tournament, *, clause: str = "", table: int | None = None, entrant: int | None = None
) -> QuerySet[Ruling]:
    """Rulings of an event: open appeals first, then what waits for a decision, then the newest.

    `clause` is the beginning of an id, `table` and `entrant` are numbers on paper.
    """
    rows = _rows(tournament)
    if clause:
        rows = rows.filter(clause__startswith=clause)
    if table is not None:
        rows = rows.filter(sitting__table__number=table)
    if entrant is not None:
        rows = rows.filter(
            Q(sitting__match__home__number=entrant)
            | Q(sitting__match__away__number=entrant)
            | Q(sitting__match__places__entrant__number=entrant)
        ).distinct()
    urgency = Case(
        When(appeal=AppealState.LODGED, then=Value(0)),
        When(status=RulingStatus.PROPOSED, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return rows.annotate(urgency=urgency).order_by("urgency", "-number")


def _rows(tournament: Tournament) -> QuerySet[Ruling]:
    return Ruling.objects.filter(tournament=tournament).select_related(
        "sitting__round", "sitting__table", "sitting__match__home", "sitting__match__away", "proposed_by", "decided_by"
    )


def same_clause(ruling: Ruling) -> list[Ruling]:
    """How the same clause was ruled in this event, this one left out, newest first."""
    return list(_rows(ruling.tournament).filter(clause=ruling.clause).exclude(pk=ruling.pk).order_by("-number"))


def on_clause(tournament: Tournament, clause: str) -> list[Ruling]:
    """Decided rulings on a clause, newest first."""
    rows = _rows(tournament).filter(clause=clause).exclude(decided_at=None)
    return list(rows.order_by("-number"))


def times_before(sitting: Sitting, stage: Stage, irregularity: str, side: str) -> int:
    """How often that side was ruled to have done this where the event counts it, in the stage or in the whole event,
    penalties given at the table among them; what was cancelled or overturned does not count.

    For both sides at once: the more often of the two. A single player is counted at every table he sat at.
    """
    offence = stage.penalty_schedule.offences.get(irregularity)
    within = None if offence is not None and offence.memory == "event" else stage
    return len(had_before(sitting, irregularity, side, within))


def had_before(sitting: Sitting, irregularity: str, side: str, within: Stage | None = None) -> list[Ruling]:
    """The rulings that stand on that side, or on the player of that place, for this, in the order made: in one stage,
    else in the whole event. For both sides at once those of the side with more."""
    if sitting.match.individual:
        return _of_player(sitting, irregularity, side, within)
    sides = [side] if side else ["NS", "EW"]
    found = [_of_entrant(seated_at(sitting)[one], sitting, irregularity, within) for one in sides]
    return max(found, key=len)


def seated_at(sitting: Sitting) -> dict[str, int | None]:
    """Ids of who sits on each side of a table."""
    return seated(sitting.home_side, sitting.match.home_id, sitting.match.away_id)


def _of_entrant(entrant: int | None, sitting: Sitting, irregularity: str, within: Stage | None) -> list[Ruling]:
    as_home = Q(side=F("sitting__home_side"), sitting__match__home=entrant)
    as_away = Q(sitting__match__away=entrant) & ~Q(side="") & ~Q(side=F("sitting__home_side"))
    by_it = as_home | as_away
    at_its_table = Q(sitting__match__home=entrant) | Q(sitting__match__away=entrant)
    rows = _standing(sitting, within).filter(by_it | Q(side="") & at_its_table)
    return [one for one in rows if one.facts.get("irregularity") == irregularity]


def _of_player(sitting: Sitting, irregularity: str, place: str, within: Stage | None) -> list[Ruling]:
    entrant = MatchPlace.objects.filter(match=sitting.match, place=place).values_list("entrant", flat=True).first()
    own = dict(MatchPlace.objects.filter(entrant=entrant).values_list("match_id", "place"))
    rows = _standing(sitting, within).filter(sitting__match__in=own)
    return [
        one for one in rows if own[one.sitting.match_id] == one.side and one.facts.get("irregularity") == irregularity
    ]


def _standing(sitting: Sitting, within: Stage | None) -> QuerySet[Ruling]:
    """The rulings of a stage, else of the event, that stand."""
    rows = Ruling.objects.filter(tournament=sitting.round.tournament_id, status=RulingStatus.DECIDED)
    if within is not None:
        rows = rows.filter(sitting__round__stage=within)
    seen = ("tournament", "proposed_by", "sitting__round", "sitting__table")
    return rows.exclude(appeal=AppealState.UPHELD).select_related(*seen).order_by("number")


def digest(tournament: Tournament) -> list[ByClause]:
    """The decided rulings of an event by clause, as the public reads them: nothing that is only proposed."""
    found: dict[str, list[Ruling]] = defaultdict(list)
    for ruling in _rows(tournament).exclude(decided_at=None).order_by("clause", "number"):
        found[ruling.clause].append(ruling)
    return [ByClause(clause, rulings[-1].clause_text, tuple(rulings)) for clause, rulings in found.items()]


def undecided(tournament: Tournament) -> list[Ruling]:
    """What waits for the chief referee: proposed rulings and open appeals, with their acts."""
    rows = _rows(tournament).filter(Q(status=RulingStatus.PROPOSED) | Q(appeal=AppealState.LODGED))
    return list(rows.prefetch_related("acts").order_by("number"))


def rulings_at(sitting_id: int) -> list[Ruling]:
    """All rulings at a table, newest first."""
    rows = Ruling.objects.filter(sitting=sitting_id).select_related(
        "tournament", "sitting__round", "sitting__table", "proposed_by"
    )
    return list(rows.order_by("-number"))


def rests_on(entries: Collection[int]) -> Mapping[int, Ruling]:
    """Entry id → the ruling whose act wrote it. One query, none for no entries."""
    if not entries:
        return {}
    acts = RulingAct.objects.filter(entry__in=entries).select_related("ruling").order_by("pk")
    return {act.entry_id: act.ruling for act in acts if act.entry_id is not None}
