"""Rulings as pages and services read them: the log, the digest by clause, and what rests on which ruling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from scoring.penalties import Offence
from scoring.results import score_of
from scoring.values import Text

from ..models import (
    AppealState,
    MatchPlace,
    Ruling,
    RulingAct,
    RulingStatus,
    SideChoice,
    Sitting,
    Stage,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class ByClause:
    """All decided rulings on one clause, in order."""

    clause: str
    text: Text
    rulings: tuple[Ruling, ...]

    @property
    def standing(self) -> int:
        return sum(ruling.stands for ruling in self.rulings)


def clause_texts(tournament: Tournament) -> dict[str, Text]:
    """Every clause a ruling may cite: those of the event's rules, then those of its penalty schedule."""
    texts: dict[str, Text] = {clause.id: dict(clause.text) for clause in tournament.profile.clauses.values()}
    for offence in tournament.penalty_schedule.offences.values():
        texts |= {case.clause: dict(case.whole_text()) for case in offence.cases}
    return texts


def offences_by_clause(tournament: Tournament) -> dict[str, Offence]:
    """Clause of the event's penalty schedule → the offence it is about."""
    offences = tournament.penalty_schedule.offences.values()
    return {case.clause: offence for offence in offences for case in offence.cases}


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
    """How often that side was ruled to have done this in the stage, penalties given at the table among them; what was
    cancelled or overturned does not count.

    For both sides at once: the more often of the two. A single player is counted at every table he sat at.
    """
    if sitting.match.individual:
        return _times_of_player(sitting, stage, irregularity, side)
    sides = [side] if side else ["NS", "EW"]
    return max(_times(seated_at(sitting)[one], stage, irregularity) for one in sides)


def seated_at(sitting: Sitting) -> dict[str, int | None]:
    """Ids of who sits on each side of a table."""
    return seated(sitting.home_side, sitting.match.home_id, sitting.match.away_id)


def seated(home_side: str, home: int | None, away: int | None) -> dict[str, int | None]:
    """Ids of home and away by the side they sit on."""
    return {"NS": home, "EW": away} if home_side == SideChoice.NS else {"NS": away, "EW": home}


def _times(entrant: int | None, stage: Stage, irregularity: str) -> int:
    as_home = Q(side=F("sitting__home_side"), sitting__match__home=entrant)
    as_away = Q(sitting__match__away=entrant) & ~Q(side="") & ~Q(side=F("sitting__home_side"))
    by_it = as_home | as_away
    at_its_table = Q(sitting__match__home=entrant) | Q(sitting__match__away=entrant)
    rows = _standing(stage).filter(by_it | Q(side="") & at_its_table)
    return sum(facts.get("irregularity") == irregularity for facts in rows.values_list("facts", flat=True))


def _times_of_player(sitting: Sitting, stage: Stage, irregularity: str, place: str) -> int:
    entrant = MatchPlace.objects.filter(match=sitting.match, place=place).values_list("entrant", flat=True).first()
    own = dict(MatchPlace.objects.filter(round__stage=stage, entrant=entrant).values_list("match_id", "place"))
    rows = _standing(stage).filter(sitting__match__in=own).values_list("sitting__match_id", "side", "facts")
    return sum(own[match] == side and facts.get("irregularity") == irregularity for match, side, facts in rows)


def _standing(stage: Stage) -> QuerySet[Ruling]:
    """The rulings of a stage that stand."""
    rows = Ruling.objects.filter(sitting__round__stage=stage, status=RulingStatus.DECIDED)
    return rows.exclude(appeal=AppealState.UPHELD)


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


class Penalised(NamedTuple):
    """A ruling that stands and has a penalty: in which stage and round, whom it hits (entrants), its unit and entry,
    and the match scores it sets, by entrant."""

    stage: int
    round: int
    guilty: tuple[int, ...]
    unit: str
    entry: Mapping[str, Any]
    scores: Mapping[int, Fraction]


def penalised(tournament: Tournament) -> list[Penalised]:
    """The penalties of all rulings of an event that stand, in order of the rulings.

    Whom a penalty of the standings hits says its entry; else it is the side whose act it was, or both.
    """
    rows = Ruling.objects.filter(tournament=tournament, status=RulingStatus.DECIDED, penalty__isnull=False)
    columns = (
        "sitting__round__stage_id",
        "sitting__round__number",
        "sitting__match__home_id",
        "sitting__match__away_id",
        "sitting__home_side",
        "side",
        "penalty",
    )
    ruled = list(rows.exclude(appeal=AppealState.UPHELD).order_by("number").values_list("sitting__match_id", *columns))
    places: dict[int, dict[str, int]] = defaultdict(dict)
    if tournament.individual and ruled:
        seats = MatchPlace.objects.filter(match__in={row[0] for row in ruled})
        for match, place, entrant in seats.values_list("match_id", "place", "entrant_id"):
            places[match][place] = entrant
    found = []
    for match, stage, number, home, away, home_side, side, penalty in ruled:
        sat: Mapping[str, int | None] = places[match] if home is None else seated(home_side, home, away)
        found.append(as_penalised(stage, number, sat, side, penalty))
    return found


def as_penalised(
    stage: int, number: int, seated: Mapping[str, int | None], side: str, penalty: Mapping[str, Any]
) -> Penalised:
    """A standing ruling as a penalty; `seated` is who sat at its table, by party."""
    entry = penalty.get("entry") or {}
    parties = entry.get("sides") or ([side] if side else list(seated))
    guilty = tuple(entrant for party in parties if (entrant := seated.get(party)) is not None)
    alike = dict.fromkeys(parties, entry["match_points"]) if entry.get("mode") == "set" else {}
    texts = entry.get("scores") or alike
    scores = {entrant: score_of(text) for party, text in texts.items() if (entrant := seated.get(party)) is not None}
    return Penalised(stage, number, guilty, penalty["unit"], entry, scores)


def open_appeals(stage: Stage, *, up_to_round: int | None = None) -> list[dict[str, Any]]:
    """Tables with an appeal that is not decided, as `open_tables` names what keeps a table provisional."""
    rows = Ruling.objects.filter(sitting__round__stage=stage, appeal=AppealState.LODGED)
    if up_to_round is not None:
        rows = rows.filter(sitting__round__number__lte=up_to_round)
    found = rows.order_by("sitting__round__number", "sitting__table__number", "number")
    columns = found.values_list("sitting__round__number", "sitting__table__number", "sitting_id")
    return [
        {"round": number, "table": table, "phase": "appeal", "sitting": sitting}
        for number, table, sitting in dict.fromkeys(columns)
    ]
