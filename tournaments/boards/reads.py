"""Boards of duplicate as kernel values: what the rooms of a match came to, and what officials put in its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.sittings.states import SittingState
from scoring.values import Side, Text
from scoring.wording import both as in_both

from ..models import (
    BoardResult,
    Match,
    MatchOutcome,
    RoundStatus,
    Sitting,
    SittingPhase,
    Stage,
    StageFormat,
    Tournament,
)
from ..models.events import ON_BOARDS
from ..plans.boards import Both, Marks, PairTable, Played, Room, compare, datum_of, in_field, played_of


def room_of(sitting: Sitting, state: SittingState, marks: Mapping[int, Marks]) -> Room:
    """The room of a sitting on boards, with this fold of its ledger."""
    numbers = tuple(sitting.boards or ())
    return Room(Side(sitting.home_side), numbers, played_of(state, numbers), marks, state.finished)


def marks_of(sitting: Sitting) -> dict[int, Marks]:
    """What officials put in place of results at a sitting, by number of the board."""
    return _marks(BoardResult.objects.filter(sitting=sitting).select_related("board"))


def rooms_of(match: Match, *, without: int | None = None) -> list[Room]:
    """The rooms of a match on boards as they are kept, the open one first."""
    sittings = Sitting.objects.filter(match=match, boards__isnull=False).order_by("-room")
    return [kept_room(one) for one in sittings.prefetch_related("board_results__board") if one.pk != without]


def sittings_with(stage: Stage, number: int) -> list[Sitting]:
    """The sittings of a stage that have a board, by round and table; those of a draft are not there yet."""
    rows = (
        Sitting.objects.filter(round__stage=stage, active=True, boards__isnull=False)
        .exclude(round__status=RoundStatus.DRAFT)
        .select_related("round__stage", "round__tournament", "table", "match__home", "match__away")
        .prefetch_related("board_results__board")
        .order_by("round__number", "table__number")
    )
    return [one for one in rows if number in (one.boards or ())]


#: Matches whose boards are compared: what was forfeited is compared with nothing.
COMPARED = frozenset({MatchOutcome.PENDING, MatchOutcome.PLAYED})


def scores_of(stage: Stage, number: int, sittings: Sequence[Sitting]) -> dict[int, Both]:
    """What a board gives both entrants of each match, home first, by match; `sittings` are those that have it.

    A match is left out that was forfeited or has no score of the board, of teams one in both rooms.
    """
    plan, profile = stage.directing, stage.tournament.profile
    rooms: dict[int, list[Room]] = {}
    for one in sittings:
        if one.match.outcome in COMPARED:
            rooms.setdefault(one.match_id, []).append(kept_room(one))
    if stage.format == StageFormat.DUPLICATE_PAIRS:
        tables = [PairTable(match, room) for match, (room,) in rooms.items()]
        field = in_field(tables, plan, profile, stage.deals)
        return {match: got.boards[number] for match, got in field.items() if number in got.boards}
    found: dict[int, Both] = {}
    for match, both in rooms.items():
        lines = compare(both, plan, profile, stage.deals).lines if len(both) == 2 else ()
        for line in lines:
            if line.number == number and line.home is not None and line.away is not None:
                found[match] = (line.home, line.away)
    return found


def datum_at(stage: Stage, number: int, sittings: Sequence[Sitting]) -> Fraction | None:
    """The average of a board over all tables that have a result and did not forfeit, as North-South see it."""
    rooms = [kept_room(one) for one in sittings if one.match.outcome in COMPARED]
    return datum_of(rooms, number, stage.directing, stage.tournament.profile, stage.deals)


def boards_for_all(stage: Stage) -> list[int]:
    """The boards of which everybody may see what they came to at all tables: nobody has to play them any more.

    Those of closed rounds; of pairs only when all planned rounds are closed, for their boards go from table to table.
    Where the event shows nothing live, when a table was published after the round.
    """
    rounds = stage.rounds.filter(extra=False)
    if stage.format == StageFormat.DUPLICATE_PAIRS and rounds.filter(status=RoundStatus.CLOSED).count() < (
        stage.rounds_planned
    ):
        return []
    newest = stage.publications.order_by("-round__number").values_list("round__number", flat=True).first() or 0
    rows = Sitting.objects.filter(round__stage=stage, active=True, boards__isnull=False)
    seen, hidden = set[int](), set[int]()
    for numbers, round_number, status in rows.values_list("boards", "round__number", "round__status"):
        over = status == RoundStatus.CLOSED and (stage.tournament.live_public or round_number <= newest)
        (seen if over else hidden).update(numbers or ())
    return sorted(seen - hidden)


@dataclass(frozen=True, slots=True)
class KeptBack:
    """What of a stage the public is not told, by id: somebody may still have to play a board of it.

    `boards` are those that everybody may see. Of `sittings` it is told only which boards they have played, of `matches`
    only that they are over; `rounds` have such sittings. `results`: some of the matches count in the live table.
    """

    boards: frozenset[int] = frozenset()
    sittings: frozenset[int] = frozenset()
    matches: frozenset[int] = frozenset()
    rounds: frozenset[int] = frozenset()
    results: bool = False


def kept_back(stage: Stage) -> KeptBack:
    """What of a stage waits for `boards_for_all`; nothing of one without boards. A forfeit tells of no board."""
    if stage.format not in ON_BOARDS:
        return KeptBack()
    shown = frozenset(boards_for_all(stage))
    rows = Sitting.objects.filter(round__stage=stage, boards__isnull=False)
    waiting = [
        one
        for one in rows.values_list("boards", "pk", "match_id", "round_id", "match__outcome")
        if not shown.issuperset(one[0] or ())
    ]
    compared = [(match, outcome) for _, _, match, _, outcome in waiting if outcome in COMPARED]
    return KeptBack(
        boards=shown,
        sittings=frozenset(sitting for _, sitting, _, _, _ in waiting),
        matches=frozenset(match for match, _ in compared),
        rounds=frozenset(round_ for _, _, _, round_, _ in waiting),
        results=any(outcome == MatchOutcome.PLAYED for _, outcome in compared),
    )


def kept_back_at(event: Tournament) -> KeptBack:
    """What of all stages of an event is not told; boards are numbered by stage, so it names none."""
    found = [kept_back(stage) for stage in event.stages.filter(format__in=ON_BOARDS)]
    return KeptBack(
        sittings=frozenset().union(*(one.sittings for one in found)),
        matches=frozenset().union(*(one.matches for one in found)),
        rounds=frozenset().union(*(one.rounds for one in found)),
        results=any(one.results for one in found),
    )


def played_here(sitting: Sitting) -> list[int]:
    """The boards that a table has played, in the order in which it did."""
    return list(sitting.boards or ())[: sitting.state.get("hands_played", 0)]


def shown_later(numbers: Collection[int], stage: Stage, *, live: bool) -> Text:
    """When boards of a stage are shown to everybody; `live`: the event shows results before they are published."""
    said = [str(number) for number in sorted(numbers)]
    if len(said) == 1:
        subject, them = f"Board {said[0]} is", "it"
    else:
        subject, them = f"Boards {', '.join(said[:-1])} and {said[-1]} are", "them"
    when = _when_shown(stage, live, them, "各桌都打完")
    return in_both(f"{subject} shown when {when['en']}.", f"第 {'、'.join(said)} 副牌待{when['zh']}后显示。")


def results_later(stage: Stage, *, live: bool) -> Text:
    """Stands in place of results out of which a board could be worked out."""
    when = _when_shown(stage, live, "the boards", "各桌都打完这些牌副")
    return in_both(f"Results are shown when {when['en']}.", f"成绩待{when['zh']}后显示。")


def _when_shown(stage: Stage, live: bool, them: str, all_played: str) -> Text:
    """What `boards_for_all` waits for. `them` are the boards; `all_played` is Chinese: all tables have played them."""
    if stage.format == StageFormat.DUPLICATE_PAIRS:
        waits = [("all planned rounds are closed", "规定的各轮全部结束")]
    else:
        waits = [(f"every table has played {them}", all_played)]
    if not live:
        waits.append(("the standings are published", "名次公布"))
    elif stage.format != StageFormat.DUPLICATE_PAIRS:
        waits.append(("the round is closed", "本轮结束"))
    return in_both(" and ".join(one for one, _ in waits), "、".join(one for _, one in waits))


def others_play(sitting: Sitting) -> bool:
    """Whether other tables of the stage may still play boards of this sitting of pairs: in a round to come, or now."""
    stage, own = sitting.round.stage, set(sitting.boards or ())
    if stage.rounds.filter(extra=False).exclude(status=RoundStatus.DRAFT).count() < stage.rounds_planned:
        return True
    pending = Sitting.objects.filter(round__stage=stage, active=True, match__outcome=MatchOutcome.PENDING)
    rows = pending.exclude(pk=sitting.pk).values_list("boards", flat=True)
    return any(own.intersection(numbers or ()) for numbers in rows)


def pair_tables(stage: Stage) -> list[PairTable]:
    """The tables of a stage of duplicate pairs as they are kept; what was forfeited is compared with nothing."""
    sittings = Sitting.objects.filter(round__stage=stage, active=True, boards__isnull=False).order_by("pk")
    played = sittings.filter(match__outcome__in=COMPARED)
    return [PairTable(one.match_id, kept_room(one)) for one in played.prefetch_related("board_results__board")]


def kept_room(sitting: Sitting) -> Room:
    """The room of a sitting on boards as it is kept."""
    rows = list(sitting.board_results.all())
    played = {
        row.board.number: Played(Side(row.dealer_side), row.hand_points, row.attackers_points)
        for row in rows
        if row.hand_points is not None and row.attackers_points is not None
    }
    over = sitting.phase == SittingPhase.FINISHED
    return Room(Side(sitting.home_side), tuple(sitting.boards or ()), played, _marks(rows), over)


def _marks(rows: Iterable[BoardResult]) -> dict[int, Marks]:
    return {
        row.board.number: Marks(row.ns_mark, row.ew_mark)
        for row in rows
        if row.ns_mark is not None and row.ew_mark is not None
    }
