"""A match on boards as pages show it: both rooms side by side, what each board gave, and the sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.parts.formats import exact, signed
from referee.parts.words import SIDES_SHORT, mark, reached
from scoring.boards.scores import AVERAGES
from scoring.values import Side
from tournaments.boards.reads import pair_tables, rooms_of, shown_later
from tournaments.models import Sitting, StageFormat
from tournaments.plans.boards import BoardLine, Marks, Played, Room, compare, in_field, in_imps
from tournaments.plans.plan import BoardMeasure, BoardWorth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.profiles import Profile
    from scoring.sittings.states import FixedHand
    from scoring.values import Text
    from tournaments.boards.reads import KeptBack
    from tournaments.models import Match, Stage
    from tournaments.plans.boards import Both
    from tournaments.plans.plan import Plan


@dataclass(frozen=True, slots=True)
class Cell:
    """A board in one room: what was played, and the adjusted score in its place; neither where it is `kept_back`."""

    sitting: Sitting
    played: str
    adjusted: str
    playing: bool
    kept_back: bool = False


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """One board of a match; `home` and `away` are its scores, "" where a room has none yet. `sheet` is the address of
    its results at all tables, "" where it is not to be seen."""

    number: int
    deal: FixedHand
    rooms: tuple[Cell, ...]
    home: str
    away: str
    waits: bool
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a match with the sums of both teams; `rooms` are its sittings, the open room first.

    `field`: pairs, each board compared over all tables; `averaged`: the scores are per cent, and so is their average.
    `later` says when the boards are shown that are kept back.
    """

    match: Match
    rooms: tuple[Sitting, ...]
    lines: tuple[ShownBoard, ...]
    home: str
    away: str
    measure: str
    finished: bool
    split: bool
    field: bool = False
    averaged: bool = False
    later: Text | None = None


def boards_of(match: Match) -> Boards | None:
    """The rooms of a match side by side; None where it is not played on boards."""
    sittings = tuple(
        Sitting.objects.filter(match=match, boards__isnull=False, match__superseded_in=None)
        .select_related("table", "round__stage", "round__tournament", "match__home", "match__away")
        .order_by("-room")
    )
    if not sittings:
        return None
    stage = sittings[0].round.stage
    plan, rooms = stage.directing, rooms_of(match)
    if stage.format == StageFormat.DUPLICATE_PAIRS:
        return _in_field(match, sittings, rooms)
    compared = compare(rooms, plan, sittings[0].round.tournament.profile, stage.deals)
    return Boards(
        match=match,
        rooms=sittings,
        lines=tuple(_lines(compared.lines, rooms, sittings, stage, compared.waiting)),
        home=signed(compared.home),
        away=signed(compared.away),
        measure=measure_words(plan),
        finished=compared.complete,
        split=compared.home != -compared.away,
    )


def linked(boards: Boards | None, sheets: Mapping[int, str]) -> Boards | None:
    """The boards of a match with the addresses of their results at all tables, by number."""
    if boards is None:
        return None
    return replace(boards, lines=tuple(replace(one, sheet=sheets.get(one.number, "")) for one in boards.lines))


def told_of(boards: Boards | None, kept: KeptBack) -> Boards | None:
    """The boards of a match as the public is told of them: that one is played, and no more while it is kept back."""
    if boards is None or kept.sittings.isdisjoint(room.pk for room in boards.rooms):
        return boards
    round_ = boards.rooms[0].round
    waiting = {one.number for one in boards.lines} - kept.boards
    return replace(
        boards,
        lines=tuple(one if one.number in kept.boards else _kept_back(one) for one in boards.lines),
        home="",
        away="",
        split=boards.field,
        later=shown_later(waiting, round_.stage, live=round_.tournament.live_public),
    )


def _kept_back(line: ShownBoard) -> ShownBoard:
    rooms = (replace(cell, played="", adjusted="", kept_back=bool(cell.played)) for cell in line.rooms)
    return replace(line, rooms=tuple(rooms), home="", away="")


def _in_field(match: Match, sittings: tuple[Sitting, ...], rooms: Sequence[Room]) -> Boards:
    """The boards of a match of pairs: what each is worth over all tables of the stage."""
    stage = sittings[0].round.stage
    plan, profile = stage.directing, sittings[0].round.tournament.profile
    got = in_field(pair_tables(stage), plan, profile, stage.deals).get(match.pk)
    crossed = plan.board_scale is BoardWorth.CROSS_IMP
    scores = {} if got is None else {number: both_words(both, crossed) for number, both in got.boards.items()}
    lines = []
    for line in _lines([BoardLine(one) for one in sorted(rooms[0].numbers)], rooms, sittings, stage, ()):
        home, away = scores.get(line.number, ("", ""))
        lines.append(replace(line, home=home, away=away))
    home, away = ("", "") if got is None else both_words(got.whole, crossed)
    return Boards(
        match=match,
        rooms=sittings,
        lines=tuple(lines),
        home=home,
        away=away,
        measure=field_words(plan),
        finished=rooms[0].finished,
        split=True,
        field=True,
        averaged=not crossed,
    )


def measure_words(plan: Plan) -> str:
    """What results are compared by."""
    return _("points of the attackers") if plan.measure is BoardMeasure.ATTACKERS_POINTS else _("hand points")


def field_words(plan: Plan) -> str:
    """What the boards of pairs are scored in."""
    if plan.board_scale is not BoardWorth.CROSS_IMP:
        return _("per cent of the matchpoints")
    return _("cross-IMPs") if in_imps(plan) else _("levels over the average of the others")


def both_words(got: Both, signs: bool) -> tuple[str, str]:
    """What both have, to the nearest hundredth; gains and losses with their sign."""
    home, away = (Fraction(round(value * 100), 100) for value in got)
    return (signed(home), signed(away)) if signs else (exact(home), exact(away))


def _lines(
    compared: Sequence[BoardLine],
    rooms: Sequence[Room],
    sittings: Sequence[Sitting],
    stage: Stage,
    waiting: Sequence[int],
) -> list[ShownBoard]:
    lines, measure = [], stage.directing.measure
    for one in compared:
        cells = tuple(
            Cell(
                sitting=sitting,
                played=played_words(room.played.get(one.number), measure),
                adjusted=adjusted_words(room.marks.get(one.number)),
                playing=not room.has(one.number) and board_due(sitting) == one.number,
            )
            for room, sitting in zip(rooms, sittings, strict=True)
        )
        home, away = ("" if got is None else signed(got) for got in (one.home, one.away))
        lines.append(ShownBoard(one.number, stage.deals[one.number], cells, home, away, one.number in waiting))
    return lines


def board_due(sitting: Sitting) -> int | None:
    """The board that a room plays now; None where it plays none."""
    if sitting.boards is None:
        return None
    played = sitting.state.get("hands_played", 0)
    return None if sitting.state.get("finished") or played >= len(sitting.boards) else sitting.boards[played]


def played_words(got: Played | None, measure: BoardMeasure) -> str:
    """``85: E–W +1``: the attackers' points, and which side gained how much."""
    if got is None:
        return ""
    if measure is BoardMeasure.ATTACKERS_POINTS:
        return exact(got.attackers_points)
    side = Side.NS if got.hand_points > 0 else Side.EW
    if got.hand_points == 0:
        return f"{exact(got.attackers_points)}{mark(':')}0"
    return f"{exact(got.attackers_points)}{mark(':')}{SIDES_SHORT[str(side)]} {signed(abs(got.hand_points))}"


def adjusted_words(marks: Marks | None) -> str:
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


def standing(state: Mapping[str, Any], profile: Profile) -> dict[str, str]:
    """What stands beside each side of a cached state: its level, or that the last one is passed; where hands are fixed
    its hand points."""
    if "hand_points" in state:
        points = state["hand_points"]
        return {"NS": signed(points), "EW": signed(-points)}
    return {side: reached(state["levels"][side], profile) for side in ("NS", "EW") if side in state["levels"]}
