"""What rulings mean for standings: fines, set match scores, exclusions, and appeals that may still move a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet

from scoring.standings.results import score_of

from ..models import AppealState, MatchPlace, Ruling, RulingStatus, SideChoice, Stage, Tournament

#: Units of rulings that cost nothing.
FREE = frozenset({"none", "warning"})


def seated(home_side: str, home: int | None, away: int | None) -> dict[str, int | None]:
    """Ids of home and away by the side they sit on."""
    return {"NS": home, "EW": away} if home_side == SideChoice.NS else {"NS": away, "EW": home}


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


def appeals_of(stage: Stage | OuterRef) -> QuerySet[Ruling]:
    """The rulings of a stage whose appeal is not decided."""
    return Ruling.objects.filter(sitting__round__stage=stage, appeal=AppealState.LODGED)


def open_appeals(stage: Stage, *, up_to_round: int | None = None) -> list[dict[str, Any]]:
    """Tables with an appeal that is not decided, as `open_tables` names what keeps a table provisional."""
    rows = appeals_of(stage)
    if up_to_round is not None:
        rows = rows.filter(sitting__round__number__lte=up_to_round)
    found = rows.order_by("sitting__round__number", "sitting__table__number", "number")
    columns = found.values_list("sitting__round__number", "sitting__table__number", "sitting_id")
    return [
        {"round": number, "table": table, "phase": "appeal", "sitting": sitting}
        for number, table, sitting in dict.fromkeys(columns)
    ]
