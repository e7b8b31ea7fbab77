"""Standings at the desk: the live table, and what is open before a table is published."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.http import Http404

from referee.parts.formats import in_ranges
from referee.parts.names import shown_name
from referee.parts.stage_words import order_words
from referee.parts.words import in_language
from referee.pictures.knockouts import bracket_page
from scoring.standings.chains import figure, title_of
from scoring.standings.tiebreaks import TIEBREAKS, TieBreak
from tournaments.acts.access import Act
from tournaments.acts.doorbell import stale_number
from tournaments.acts.text import plain_number
from tournaments.models import Publication, RoundStatus, StageFormat
from tournaments.rounds.board import queue
from tournaments.standings import results
from tournaments.standings.shown import live_standings
from tournaments.standings.stage_order import current_stage
from tournaments.standings.waiting import waiting_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.desk.guard import Desk
    from scoring.values import Text
    from tournaments.models import Entrant, Stage
    from tournaments.standings.shown import StandingRow


def stage_of(desk: Desk, number: str | None = None) -> Stage:
    """The stage of that number as an address writes it; without one the stage that is being directed."""
    if number:
        found = desk.tournament.stages.filter(number=plain_number(number) or 0).first()
    else:
        found = current_stage(desk.tournament)
    if found is None:
        raise Http404
    return found


@dataclass(frozen=True, slots=True)
class OpenTables:
    """Tables of one round that keep a table of standings open for the same reason; `tables` names them: 1–7, 9."""

    round: int
    tables: str
    count: int
    appeal: bool


def _open(items: Iterable[Mapping[str, Any]]) -> list[OpenTables]:
    found = results.open_by_round(items)
    return [OpenTables(one.round, in_ranges(one.tables), len(one.tables), one.appeal) for one in found]


def columns(chain: Sequence[str], points_are: str | None = None) -> list[tuple[str, str]]:
    """The tie-breaks that are figures of a row; those that compare tied entrants only stand in the why-line."""
    return [(code, in_language(title_of(code, points_are))) for code in chain if _is_measured(code)]


def _is_measured(code: str) -> bool:
    tiebreak = TIEBREAKS[code]
    return isinstance(tiebreak, TieBreak) and not tiebreak.last_resort


def cells(rows: Iterable[StandingRow], chain: Sequence[str]) -> list[dict[str, Any]]:
    """Rows with their figures, and the why-line only where no figure on the page shows what split a tie."""
    shown = [code for code, _word in columns(chain)]
    return [
        {
            "row": row,
            "group": row.group,
            "values": [figure(code, row.values.get(code, "")) for code in shown],
            "why": row.why if row.split_by not in shown else None,
        }
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Tie:
    """Entrants that share places where the order matters and nothing has decided it yet."""

    sentence: Text
    group: int | None
    entrants: tuple[Entrant, ...]

    @property
    def id(self) -> str:
        return str(self.entrants[0].pk)

    @property
    def lots(self) -> list[tuple[str, str]]:
        """The fields for lots drawn by hand: name and label."""
        return [(f"order-{one.pk}", f"{one.number} {shown_name(one)}") for one in self.entrants]


def ties(rows: Iterable[StandingRow]) -> list[Tie]:
    """The ties that wait for an extra match or for lots, in the order of the table."""
    found = []
    waiting = (row for row in rows if row.undecided is not None)
    for (group, _rank), tied in groupby(waiting, key=lambda row: (row.group, row.rank)):
        together = tuple(tied)
        assert together[0].undecided is not None
        found.append(Tie(together[0].undecided, group, tuple(row.entrant for row in together)))
    return found


def live(desk: Desk, number: str | None = None) -> dict[str, Any]:
    """The live table of a stage with the ties that wait."""
    stage = stage_of(desk, number)
    found = live_standings(stage)
    chain = () if stage.format == StageFormat.KO_TIMED else stage.chain
    drawn = stage.rounds.exclude(status=RoundStatus.DRAFT).filter(extra=False)
    return {
        "stage": stage,
        "stages": list(desk.tournament.stages.order_by("number")),
        "standings": found,
        "still_open": _open(found.open),
        "columns": columns(chain, stage.points_are),
        "rows": cells(found.rows, chain),
        # before a round is over everybody is level: nothing to decide yet
        "ties": ties(found.rows) if stage.rounds.filter(status=RoundStatus.CLOSED).exists() else [],
        "order": order_words(stage),
        **bracket_page(stage, list(drawn)),
        "may_publish": desk.may(Act.PUBLISH),
        "may_create": desk.may(Act.CREATE_ROUND),
        "plays_extra": "extra_match" in chain,
        "publishing": waiting_in(desk.tournament),
        "now": desk.now,
    }


def open_questions(desk: Desk, number: str | None = None) -> dict[str, Any]:
    """What the organiser reads before publishing: the round, open tables, corrections that wait, what it replaces."""
    stage = stage_of(desk, number)
    started = stage.rounds.filter(status__in=(RoundStatus.RUNNING, RoundStatus.CLOSED)).order_by("-number").first()
    if started is None:
        return {"stage": stage, "round": None}
    current = Publication.objects.filter(tournament=desk.tournament, round=started, superseded_by=None).first()
    waiting = [item for item in queue(desk.tournament, desk.now) if item.kind == "second_official"]
    return {
        "stage": stage,
        "round": started,
        "open": _open(results.open_tables(stage, up_to_round=started.number)),
        "waiting_corrections": waiting,
        "supersedes": current,
        "number": stale_number(desk.tournament.pk),
    } | live(desk, str(stage.number))
