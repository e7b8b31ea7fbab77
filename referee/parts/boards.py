"""A match on boards as pages show it: both rooms side by side, what each board gave, and the sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.parts.formats import exact, signed
from referee.parts.words import SIDES_SHORT
from scoring.board_scores import AVERAGES
from scoring.values import Side
from tournaments.boards import BoardMatch, Marks, Played, Room, compare
from tournaments.models import Sitting
from tournaments.plans import BoardMeasure
from tournaments.queries.boards import rooms_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.states import FixedHand
    from tournaments.models import Match


@dataclass(frozen=True, slots=True)
class Cell:
    """A board in one room: what was played, and the adjusted score in its place."""

    sitting: Sitting
    played: str
    adjusted: str
    playing: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One board of a match; `home` and `away` are its scores, "" where a room has none yet."""

    number: int
    deal: FixedHand
    rooms: tuple[Cell, ...]
    home: str
    away: str
    waits: bool


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a match with the sums of both teams; `rooms` are its sittings, the open room first."""

    match: Match
    rooms: tuple[Sitting, ...]
    lines: tuple[Line, ...]
    home: str
    away: str
    measure: str
    finished: bool
    split: bool


def boards_of(match: Match) -> Boards | None:
    """Both rooms of a match; None where it is not played on boards."""
    sittings = tuple(
        Sitting.objects.filter(match=match, boards__isnull=False, match__superseded_in=None)
        .select_related("table", "round__stage", "round__tournament", "match__home", "match__away")
        .order_by("-room")
    )
    if len(sittings) < 2:
        return None
    stage = sittings[0].round.stage
    plan, rooms = stage.directing, rooms_of(match)
    compared = compare(rooms, plan, sittings[0].round.tournament.profile, stage.deals)
    return Boards(
        match=match,
        rooms=sittings,
        lines=tuple(_lines(compared, rooms, sittings, stage.deals, plan.measure)),
        home=signed(compared.home),
        away=signed(compared.away),
        measure=_("attackers' points") if plan.measure is BoardMeasure.ATTACKERS_POINTS else _("hand points"),
        finished=compared.complete,
        split=compared.home != -compared.away,
    )


def _lines(
    compared: BoardMatch,
    rooms: Sequence[Room],
    sittings: Sequence[Sitting],
    deals: Mapping[int, FixedHand],
    measure: BoardMeasure,
) -> list[Line]:
    lines = []
    for one in compared.lines:
        cells = tuple(
            Cell(
                sitting=sitting,
                played=_played(room.played.get(one.number), measure),
                adjusted=_adjusted(room.marks.get(one.number)),
                playing=not room.has(one.number) and board_due(sitting) == one.number,
            )
            for room, sitting in zip(rooms, sittings, strict=True)
        )
        home, away = ("" if got is None else signed(got) for got in (one.home, one.away))
        lines.append(Line(one.number, deals[one.number], cells, home, away, one.number in compared.waiting))
    return lines


def board_due(sitting: Sitting) -> int | None:
    """The board that a room plays now; None where it plays none."""
    if sitting.boards is None:
        return None
    played = sitting.state.get("hands_played", 0)
    return None if sitting.state.get("finished") or played >= len(sitting.boards) else sitting.boards[played]


def _played(got: Played | None, measure: BoardMeasure) -> str:
    """``85: E–W +1``: the attackers' points, and which side gained how much."""
    if got is None:
        return ""
    if measure is BoardMeasure.ATTACKERS_POINTS:
        return exact(got.attackers_points)
    side = Side.NS if got.hand_points > 0 else Side.EW
    if got.hand_points == 0:
        return f"{exact(got.attackers_points)}: 0"
    return f"{exact(got.attackers_points)}: {SIDES_SHORT[str(side)]} {signed(abs(got.hand_points))}"


def _adjusted(marks: Marks | None) -> str:
    """An official's score in words: one for both sides, or a split one."""
    if marks is None:
        return ""
    ns, ew = mark_words(marks.ns), mark_words(marks.ew)
    if marks.ns == marks.ew and "artificial" not in marks.ns:
        return ns
    return f"{SIDES_SHORT['NS']} {ns} · {SIDES_SHORT['EW']} {ew}"


def mark_words(mark: Mapping[str, Any]) -> str:
    """A mark of the protocol in a few words."""
    if "artificial" in mark:
        value = mark["artificial"]
        return f"{exact(AVERAGES.get(value, value))} %"
    if "weighted" in mark:
        parts = [f"{row['weight']} % {exact(row['attackers_total'])}" for row in mark["weighted"]]
        return " + ".join(parts)
    return exact(mark["attackers_total"])


def standing(state: Mapping[str, Any]) -> dict[str, str]:
    """What stands beside each side of a cached state: its level, ``passed``; where hands are fixed its hand points."""
    if "hand_points" in state:
        points = state["hand_points"]
        return {"NS": signed(points), "EW": signed(-points)}
    return {side: state["levels"][side] or "passed" for side in ("NS", "EW") if side in state["levels"]}
