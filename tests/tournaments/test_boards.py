"""Teams of four on boards: two rooms, board against board, adjusted scores, forfeits; and hands of fixed levels."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from scoring.standings.chains import title_of
from scoring.standings.tables import answer_standings
from scoring.standings.victory_points import victory_points
from scoring.values import exact
from tests.tournaments.playing import Event, event
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.boards.reads import rooms_of
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import decide_by_lot, end_sitting, forfeit, reopen_sitting
from tournaments.models import Board, BoardResult, HistoryEntry, Match, Round, Sitting, SittingPhase, Tournament
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import boards, closing
from tournaments.rulings import adjusted_boards, given_penalties
from tournaments.rulings.log import decide, propose
from tournaments.rulings.reads import times_before
from tournaments.sittings.ledgers import open_ledger
from tournaments.sittings.results import board_match
from tournaments.standings.penalised import penalised
from tournaments.standings.rankings import basis_of
from tournaments.standings.runs import publish
from tournaments.standings.tables import rows_of_question

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

CLAUSE = "penalty.misboard.board"
TEAMS = {
    "format": "dup_teams",
    "match_score": "mp_210",
    "tie_rule": "draw",
    "minutes": None,
    "rounds_planned": 3,
    "chain": ["points", "opponents", "head_to_head", "board_points", "lots"],
    "plan": {"boards": 2},
}


def teams(count: int = 4, plan: dict[str, Any] | None = None, **stage: Any) -> Event:
    return event(count, stage={**TEAMS, **stage, "plan": {**TEAMS["plan"], **(plan or {})}})


def rooms(round_: Round, match: int = 1) -> tuple[Sitting, Sitting]:
    found = Sitting.objects.filter(round=round_, match__number=match, active=True)
    return found.get(room="open"), found.get(room="closed")


def enter(made: Event, sitting: Sitting, captured: int, **more: Any) -> Any:
    """One hand by an official; the boards of a room come in its own order."""
    sitting.refresh_from_db()
    facts = {"kind": "hand", "trump": "H", "captured_in_tricks": captured, "last_trick_winner": "dealer", **more}
    return scorekeeping.record_hand(
        sitting_id=sitting.pk, actor=made.actor, at=made.tick(), facts=facts, hand_no=sitting.hand_no, basis="watched"
    )


def play(made: Event, round_: Round, match: int, opened: dict[int, int], closed: dict[int, int]) -> Match:
    """A match by attackers' points of each board in each room."""
    for sitting, totals in zip(rooms(round_, match), (opened, closed), strict=True):
        for number in sitting.boards:
            enter(made, sitting, totals[number])
    return Match.objects.get(round=round_, number=match, superseded_in=None)


def adjust(
    made: Event, sitting: Sitting, number: int, ns: Any, ew: Any = None, **more: Any
) -> adjusted_boards.Adjusted:
    sitting.refresh_from_db()
    return adjusted_boards.adjust_board(
        **{
            "sitting_id": sitting.pk,
            "number": number,
            "actor": made.actor,
            "at": made.tick(),
            "expected_revision": sitting.revision,
            "ns": ns,
            "ew": ns if ew is None else ew,
            "reason": "cards returned to the wrong pocket",
            "clause": CLAUSE,
            **more,
        }
    )


def lines(match: Match) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    ledger = open_ledger(match.sittings.filter(active=True).earliest("pk").pk, lock=False)
    return {one.number: (one.home, one.away) for one in board_match(ledger, ledger.fold()).lines}


def result(match: Match) -> tuple[str, str, Any, Any, Any, Any]:
    match.refresh_from_db()
    return match.outcome, match.winner_side, match.home_score, match.away_score, match.net, match.away_net


def test_a_match_has_two_rooms_with_the_same_boards() -> None:
    made = teams()
    first = made.running((1, 2), (3, 4))
    places = [(one.table.number, one.room, one.home_side, one.boards) for one in first.sittings.order_by("pk")]
    assert places == [
        (1, "open", "NS", [1, 2]),
        (2, "closed", "EW", [2, 1]),
        (3, "open", "NS", [1, 2]),
        (4, "closed", "EW", [2, 1]),
    ]
    opened, closed = rooms(first)
    assert (opened.state["levels"]["NS"], opened.state["next_dealer"], opened.state["fixed_hands"]) == ("2", "N", 2)
    assert (closed.state["levels"]["NS"], closed.state["next_dealer"]) == ("3", "W")
    assert [(one.number, one.dealer, one.level) for one in Board.objects.all()] == [(1, "N", "2"), (2, "W", "3")]


# attackers' points by board in the open and in the closed room -> board scores of home, match points, net
MATCHES = [
    # N deals 1: open 35 (+2 home), closed 85 (home attacks: +1); W deals 2: alike in both rooms
    ({1: 35, 2: 60}, {1: 85, 2: 60}, {1: 3, 2: 0}, (2, 0), 3),
    # open 90 (home deals: -1), closed 120 (home attacks: +2): +1 — practice's second example
    ({1: 90, 2: 60}, {1: 120, 2: 60}, {1: 1, 2: 0}, (2, 0), 1),
    ({1: 60, 2: 60}, {1: 60, 2: 60}, {1: 0, 2: 0}, (1, 1), 0),
    ({1: 35, 2: 35}, {1: 85, 2: 85}, {1: 3, 2: -3}, (1, 1), 0),
    ({1: 60, 2: 0}, {1: 60, 2: 60}, {1: 0, 2: -2}, (0, 2), -2),
]


@pytest.mark.parametrize(("opened", "closed", "scores", "points", "net"), MATCHES)
def test_boards_are_compared_and_summed(opened, closed, scores, points, net) -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, opened, closed)
    assert lines(match) == {number: (score, -score) for number, score in scores.items()}
    winner = "NS" if net > 0 else "EW" if net < 0 else ""
    assert result(match) == ("played", winner, *points, net, -net)
    assert (match.home_level, match.decided_by) == ("", "boards" if net else "tie_rule")


@pytest.mark.parametrize(
    ("plan", "expected", "net"),
    [
        ({"measure": "attackers_points"}, {1: 50, 2: -25}, 25),
        ({"board_scale": "wins"}, {1: 1, 2: -1}, 0),
        ({"measure": "attackers_points", "board_scale": "imp"}, {1: 2, 2: -1}, 1),
    ],
)
def test_another_measure_and_scale(plan, expected, net) -> None:
    made = teams(2, plan)
    match = play(made, made.running((1, 2)), 1, {1: 35, 2: 35}, {1: 85, 2: 60})
    assert {number: home for number, (home, _) in lines(match).items()} == expected
    assert result(match)[4] == net


def test_a_match_is_over_when_both_rooms_are() -> None:
    made = teams(2)
    first = made.running((1, 2))
    opened, closed = rooms(first)
    enter(made, opened, 35)
    enter(made, opened, 60)
    opened.refresh_from_db()
    assert (opened.phase, opened.match.outcome) == (SittingPhase.FINISHED, "pending")
    enter(made, closed, 60)
    enter(made, closed, 85)
    assert result(opened.match)[:2] == ("played", "NS")
    kept = BoardResult.objects.filter(sitting=closed).order_by("board__number")
    assert [(row.board.number, row.dealer_side, row.hand_points, row.attackers_points) for row in kept] == [
        (1, "NS", 1 * -1, 85),
        (2, "EW", -1, 60),
    ]


def test_a_correction_in_one_room_moves_the_match() -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, {1: 60, 2: 60}, {1: 60, 2: 60})
    closed = match.sittings.get(room="closed")
    entry = closed.entries.get(hand_no=2)
    right = {"kind": "hand", "trump": "H", "captured_in_tricks": 120, "last_trick_winner": "dealer"}
    known = {"entry_id": entry.pk, "actor": made.actor, "facts": right}
    (effect,) = {one.state.hand_points for one in corrections.correction_preview(**known).effects.values()}
    assert effect == closed.state["hand_points"] - 3
    closed.refresh_from_db()
    corrections.correct(**known, at=made.tick(), reason="misread", expected_revision=closed.revision)
    assert result(match) == ("played", "NS", 2, 0, 3, -3)


def test_boards_left_unplayed_in_one_room_wait_for_an_official() -> None:
    made = teams(2)
    first = made.running((1, 2))
    opened, closed = rooms(first)
    enter(made, opened, 35)
    enter(made, opened, 60)
    enter(made, closed, 60)
    closed.refresh_from_db()
    end_sitting(
        sitting_id=closed.pk, actor=made.actor, at=made.tick(), expected_revision=closed.revision, reason="time"
    )
    assert result(opened.match)[0] == "pending"
    adjust(made, closed, 1, {"artificial": "average"})
    assert result(opened.match) == ("played", "", 1, 1, 0, 0)


@pytest.mark.long
def test_boards_that_neither_room_played_do_not_count() -> None:
    made = teams(2, {"boards": 3})
    first = made.running((1, 2))
    opened, closed = rooms(first)
    assert closed.boards == [2, 3, 1]
    for sitting, totals in ((opened, (35, 60)), (closed, (60, 60))):
        for total in totals:
            enter(made, sitting, total)
        sitting.refresh_from_db()
        end_sitting(
            sitting_id=sitting.pk, actor=made.actor, at=made.tick(), expected_revision=sitting.revision, reason="time"
        )
    # 1 only in the open room, 3 only in the closed one
    assert result(opened.match)[0] == "pending"
    for sitting, number in ((closed, 1), (opened, 3)):
        adjust(made, sitting, number, {"artificial": "average_plus"}, {"artificial": "average_minus"})
    # home is E–W in the closed room: minus there, plus in the open one
    assert lines(opened.match) == {1: (-1, 1), 2: (0, 0), 3: (1, -1)}


ARTIFICIAL = [
    # ns, ew of the open room's board 1 -> what the board gives both
    ({"attackers_total": 35}, None, (2, -2)),
    ({"artificial": "60"}, {"artificial": "40"}, (1, -1)),
    ({"artificial": "average_plus"}, {"artificial": "average_plus"}, (1, 1)),
    ({"artificial": "average_minus"}, {"artificial": "average_minus"}, (-1, -1)),
    ({"weighted": [{"attackers_total": 35, "weight": "75"}, {"attackers_total": 85, "weight": "25"}]}, None,
     (Fraction(5, 4), -Fraction(5, 4))),
    ({"attackers_total": 35}, {"attackers_total": 85}, (2, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("ns", "ew", "expected"), ARTIFICIAL)
def test_an_adjusted_score_stands_in_place_of_the_hand(ns, ew, expected) -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, {1: 60, 2: 60}, {1: 60, 2: 60})
    opened = match.sittings.get(room="open")
    before = opened.entries.count()
    adjust(made, opened, 1, ns, ew)
    home, away = lines(match)[1]
    # the closed room gave home's opponents one level as dealers
    played = 1 if "artificial" not in ns else 0
    assert (home, away) == (expected[0] - played, expected[1] + played)
    assert result(match)[4:] == (home, away)
    assert opened.entries.count() == before
    row = HistoryEntry.objects.get(act="adjust_board")
    assert (row.subject, row.reason) == ("board:1", "cards returned to the wrong pocket")
    assert row.new == {"ns": ns, "ew": ns if ew is None else ew, "clause": CLAUSE}


def test_split_scores_give_each_team_its_own_points() -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, {1: 60, 2: 60}, {1: 60, 2: 60})
    adjust(made, match.sittings.get(room="open"), 1, {"artificial": "60"}, {"artificial": "60"})
    assert result(match) == ("played", "", 2, 2, 1, 1)


def test_an_adjusted_score_is_taken_back() -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, {1: 35, 2: 60}, {1: 60, 2: 60})
    opened = match.sittings.get(room="open")
    adjust(made, opened, 1, {"artificial": "50"})
    assert result(match)[4] == 0
    opened.refresh_from_db()
    adjusted_boards.take_back_adjustment(
        sitting_id=opened.pk, number=1, actor=made.actor, at=made.tick(), expected_revision=opened.revision,
        reason="the board was right after all",
    )  # fmt: skip
    assert result(match)[4] == 1
    assert not BoardResult.objects.filter(ns_mark__isnull=False).exists()


REFUSED = [
    ({"ns": {"artificial": "120"}}, "not_a_percentage"),
    ({"ns": {"attackers_total": 33}}, "not_a_multiple_of_5"),
    ({"ns": {}}, "one_of"),
    ({"ns": {"weighted": [{"attackers_total": 35, "weight": "50"}]}}, "weights_not_100"),
    ({"number": 9}, "board_not_here"),
    ({"reason": " "}, "reason_missing"),
    ({"clause": ""}, "clause_required"),
    ({"clause": "penalty.nothing"}, "clause_required"),
    ({"expected_revision": 77}, "stale"),
]


@pytest.mark.parametrize(("more", "code"), REFUSED)
def test_what_cannot_be_adjusted_is_refused(more, code) -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, {1: 60, 2: 60}, {1: 60, 2: 60})
    known = {"number": 1, "ns": {"artificial": "50"}, **more}
    with pytest.raises(Refusal) as refused:
        adjust(made, match.sittings.get(room="open"), **known)
    assert refused.value.code == code


def test_a_forfeit_is_of_both_rooms_and_can_be_taken_back() -> None:
    made = teams(2)
    first = made.running((1, 2))
    opened, closed = rooms(first)
    enter(made, closed, 60)
    forfeit(match_id=opened.match_id, actor=made.actor, at=made.tick(), outcome="home_forfeit", reason="nobody came")
    assert result(opened.match) == ("home_forfeit", "EW", 0, 2, None, None)
    assert {one.phase for one in Sitting.objects.filter(match=opened.match)} == {SittingPhase.FINISHED}
    closed.refresh_from_db()
    reopen_sitting(
        sitting_id=closed.pk, actor=made.actor, at=made.tick(), expected_revision=closed.revision, reason="they came"
    )
    assert result(opened.match)[0] == "pending"
    assert {one.phase for one in Sitting.objects.filter(match=opened.match)} == {SittingPhase.PLAYING}
    enter(made, closed, 60)
    enter(made, opened, 35)
    enter(made, opened, 60)
    assert result(opened.match)[:2] == ("played", "NS")


def test_a_team_that_withdraws_forfeits_both_rooms() -> None:
    made = teams(4)
    first = made.running((1, 2), (3, 4))
    withdraw_entrant(entrant_id=made.ids[2], actor=made.actor, at=made.tick(), reason="ill")
    opened, closed = rooms(first)
    assert (opened.match.outcome, opened.phase, closed.phase) == ("away_forfeit", "finished", "finished")


OF_LEVELS = [
    (
        given_penalties.penalise_level,
        {"expected_revision": 0, "side": "NS", "levels": -1, "clause": "penalty.late.levels"},
        "no_levels_on_boards",
    ),
    (end_sitting, {"expected_revision": 0, "reason": "forfeit", "by": "NS"}, "forfeit_of_rooms"),
    (
        scorekeeping.record_hand,
        {"facts": {"kind": "adjusted", "levels": 0, "deal_changes_hands": True}, "hand_no": 1, "basis": "ruling"},
        "adjust_the_board",
    ),
]


@pytest.mark.parametrize(("act", "facts", "code"), OF_LEVELS)
def test_what_belongs_to_levels_is_refused_on_boards(act, facts, code) -> None:
    made = teams(2)
    opened, _ = rooms(made.running((1, 2)))
    known = {"sitting_id": opened.pk, "actor": made.actor, "at": made.tick(), "reason": "ruled", **facts}
    with pytest.raises(Refusal) as refused:
        act(**known)
    assert refused.value.code == code


@pytest.mark.long
def test_level_boards_of_a_knockout_go_to_lots() -> None:
    made = teams(2, tie_rule="lots")
    match = play(made, made.running((1, 2)), 1, {1: 60, 2: 60}, {1: 60, 2: 60})
    assert result(match)[0] == "pending"
    decide_by_lot(match_id=match.pk, actor=made.actor, at=made.tick(), winner_side="EW", reason="cut cards")
    assert result(match) == ("played", "EW", 0, 2, 0, 0)
    # a lot drawn for a level match stays, whatever is corrected to the same sum
    adjust(made, match.sittings.get(room="open"), 1, {"attackers_total": 60})
    assert result(match)[:2] == ("played", "EW")


def test_boards_are_set_until_they_are_played() -> None:
    made = teams(2)
    first = made.running((1, 2))
    opened, closed = rooms(first)
    stage = made.tournament.stages.get()

    def set_board(**more: Any) -> Board:
        facts = {"number": 2, "dealer": "S", "level": "9", "trump": "S", **more}
        (board,) = boards.set_boards(stage_id=stage.pk, actor=made.actor, at=made.tick(), changes=[facts])
        return board

    set_board()
    closed.refresh_from_db()
    assert (closed.state["next_level"], closed.state["next_dealer"]) == ("9", "S")
    enter(made, closed, 60)
    for more, code in (({}, "board_begun"), ({"level": "1"}, "unknown_value"), ({"number": 0}, "bad_board_number")):
        with pytest.raises(Refusal) as refused:
            set_board(**more)
        assert refused.value.code == code
    found = enter(made, opened, 60, dealer="W", level="5").findings
    assert [one.code for one in found] == ["fixed_dealer_unexpected", "fixed_level_unexpected"]
    assert rooms_of(opened.match)[0].played[1].dealer_side == "EW"


@pytest.mark.long
def test_three_rounds_of_four_teams() -> None:
    """Two boards a round, numbered through the stage; points, opponents, boards."""
    made = teams()
    plays = {
        1: (((1, 3), (2, 4)), [({1: 35, 2: 60}, {1: 60, 2: 60}), ({1: 60, 2: 60}, {1: 60, 2: 60})]),
        2: (((1, 2), (3, 4)), [({3: 60, 4: 60}, {3: 60, 4: 0}), ({3: 0, 4: 60}, {3: 60, 4: 60})]),
        3: (((1, 4), (2, 3)), [({5: 60, 6: 60}, {5: 85, 6: 60}), ({5: 60, 6: 60}, {5: 60, 6: 60})]),
    }
    for number, (pairs, totals) in plays.items():
        round_ = made.running(*pairs)
        assert sorted(rooms(round_)[0].boards) == [2 * number - 1, 2 * number]
        for match, (opened, closed) in enumerate(totals, start=1):
            play(made, round_, match, opened, closed)
        closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    (table,) = basis_of(made.tournament.stages.get()).tables()
    number = {pk: number for number, pk in made.ids.items()}
    assert [(number[int(row.entrant)], row.values["points"], row.values["board_points"]) for row in table.rows()] == [
        (1, 6, 5),
        (3, 3, 1),
        (2, 2, -2),
        (4, 1, -4),
    ]


IMPS = {"board_scale": "imp", "measure": "attackers_points"}


def best_of_two_boards(plan: dict[str, Any], scale: str) -> tuple[Any, Any]:
    """The first row of a match of two teams: one board decides it, the other is equal."""
    made = teams(2, plan, match_score=scale, rounds_planned=1, chain=["points", "board_points", "lots"])
    round_ = made.running((1, 2))
    play(made, round_, 1, {1: 0, 2: 60}, {1: 80, 2: 60})
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    (table,) = basis_of(made.tournament.stages.get()).tables()
    return made, table.rows()[0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("scale", "points", "named"),
    [("vp20_imp", "11.67", "victory points"), ("hand_points", "2", "IMPs"), ("mp_210", "2", "points")],
)
def test_teams_in_imps_are_told_in_imps(scale: str, points: str, named: str) -> None:
    """The names of columns and sentences say what is counted: IMPs, or what is made of them."""
    made, best = best_of_two_boards(IMPS, scale)
    stage = made.tournament.stages.get()
    assert (exact(best.values["points"]), title_of("points", stage.points_are)["en"]) == (points, named)
    assert title_of("board_points", stage.points_are)["en"] == "net IMPs"
    assert audit(event_document(made.tournament, official=True, names=True)) == []


@pytest.mark.long
def test_teams_by_levels_may_count_victory_points() -> None:
    """Both rooms' levels, board by board; the sum over two boards makes the victory points."""
    made, best = best_of_two_boards({}, "vp20_levels")
    stage = made.tournament.stages.get()
    assert (best.values["board_points"], exact(best.values["points"])) == (4, "18.37")
    assert title_of("points", stage.points_are)["en"] == "victory points"
    assert title_of("board_points", stage.points_are) == title_of("board_points")
    assert audit(event_document(made.tournament, official=True, names=True)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"plan": {"boards": 2, **IMPS}},
        {"plan": {"boards": 2, "board_scale": "wins"}},
        {"plan": {"boards": 2, "measure": "attackers_points"}},
        {"format": "swiss_timed", "plan": {}},
        {"format": "dup_pairs", "plan": {"boards": 2}},
    ],
)
def test_victory_points_of_levels_need_boards_compared_by_levels(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        event(4, stage={**TEAMS, "match_score": "vp20_levels", "chain": ["points"], **wrong})
    assert "scale_counts_levels_of_boards" in {one.code for one in refused.value.findings} | {refused.value.code}


@pytest.mark.parametrize("wrong", [{"plan": {"boards": 2}}, {"format": "swiss_timed", "plan": {}}])
def test_victory_points_of_imps_need_imps(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        event(2, stage={**TEAMS, "match_score": "vp20_imp", "chain": ["points"], **wrong})
    assert "scale_counts_imps" in {one.code for one in refused.value.findings} | {refused.value.code}


@pytest.mark.long
def test_eight_hands_at_fixed_levels_end_a_match() -> None:
    made = event(
        2,
        stage={
            "match_score": "hand_points",
            "tie_rule": "draw",
            "hands": 8,
            "plan": {"fixed": [{"level": level} for level in "23455678"]},
            "chain": ["points", "opponents", "lots"],
        },
    )
    round_ = made.running((1, 2))
    (sitting,) = round_.sittings.all()
    assert sitting.state["next_dealer"] in set("NWSE")
    for total in (35, 85, 0, 60, 90, 125, 75):
        assert enter(made, sitting, total).findings == ()
    sitting.refresh_from_db()
    assert (sitting.state["levels"]["NS"], sitting.phase, sitting.state["hands_played"]) == ("8", "playing", 7)
    enter(made, sitting, 40)
    sitting.refresh_from_db()
    points = sitting.state["hand_points"]
    # NS and EW deal by turns: the first dealer only turns the sign
    assert abs(points) == 6
    assert result(sitting.match) == ("played", "NS" if points > 0 else "EW", points, -points, points, -points)
    assert (sitting.match.home_level, sitting.match.decided_by) == ("", "hand_points")


def test_an_offence_in_the_closed_room_is_that_of_who_sits_there() -> None:
    made = teams(2)
    Tournament.objects.filter(pk=made.tournament.pk).update(penalties="boards")
    opened, closed = rooms(made.running((1, 2)))
    enter(made, closed, 60)
    facts = {"irregularity": "take_back"}
    ruling = propose(sitting_id=closed.pk, actor=made.actor, at=made.tick(), facts=facts, side="NS", hand_no=1).ruling
    closed.refresh_from_db()
    decide(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), reason="seen", expected_revision=closed.revision)
    stage = opened.round.stage
    counted = [times_before(room, stage, "take_back", side) for room in (opened, closed) for side in ("NS", "EW")]
    assert counted == [0, 1, 1, 0]
    assert [one.guilty for one in penalised(made.tournament)] == [(made.ids[2],)]


def test_the_audit_of_an_event_on_boards_finds_nothing_and_what_was_changed() -> None:
    made = teams(2)
    match = play(made, made.running((1, 2)), 1, {1: 35, 2: 60}, {1: 60, 2: 85})
    adjust(made, match.sittings.get(room="closed"), 2, {"artificial": "60"}, {"artificial": "40"})
    document = event_document(made.tournament, official=True)
    assert list(audit(document)) == []
    document["board_results"][0]["hand_points"] += 1
    assert list(audit(document))


PAIRS_STAGE = {"format": "dup_pairs", "match_score": "hand_points", "plan": {"boards": 1, "movement": "mitchell"}}


def pairs(count: int) -> Event:
    return event(count, stage={**TEAMS, "rounds_planned": 3, **PAIRS_STAGE})


@pytest.mark.long
def test_pairs_are_compared_over_all_tables_that_have_the_board() -> None:
    """Board 1 at three tables, N dealing: 35, 60 and 85 are worth 4, 2 and 0 of 4 matchpoints to N–S."""
    made = pairs(6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    tables = list(round_.sittings.order_by("table__number"))
    assert [(one.room, one.boards) for one in tables] == [("open", [1])] * 3

    def nets() -> list[Any]:
        return [one.net for one in round_.matches.order_by("number")]

    enter(made, tables[0], 35)
    # nothing to compare with yet: Neuberg gives the average of the three that are expected
    assert nets() == [0, None, None]
    enter(made, tables[1], 60)
    assert nets() == [Fraction(75, 2), Fraction(-75, 2), None]
    enter(made, tables[2], 85)
    assert nets() == [50, 0, -50]
    assert [result(match)[1:4] for match in round_.matches.order_by("number")] == [
        ("NS", 50, -50),
        ("", 0, 0),
        ("EW", -50, 50),
    ]
    # an adjusted score is a part of the top; the others are compared among themselves
    adjust(made, tables[2], 1, {"artificial": "60"}, {"artificial": "40"})
    assert nets() == [Fraction(75, 2), Fraction(-75, 2), 10]
    document = event_document(made.tournament, official=True)
    assert list(audit(document)) == []


def test_a_pair_that_gives_up_is_compared_with_nobody() -> None:
    made = pairs(6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    tables = list(round_.sittings.order_by("table__number"))
    for sitting, total in zip(tables[:2], (35, 85), strict=True):
        enter(made, sitting, total)
    forfeit(match_id=tables[2].match_id, actor=made.actor, at=made.tick(), outcome="home_forfeit", reason="nobody came")
    assert [match.net for match in round_.matches.order_by("number")] == [50, -50, None]


def test_a_pair_that_leaves_is_compared_with_nobody() -> None:
    made = pairs(6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    for sitting, total in zip(round_.sittings.order_by("table__number")[:2], (35, 85), strict=True):
        enter(made, sitting, total)
    withdraw_entrant(entrant_id=made.ids[5], actor=made.actor, at=made.tick(), reason="ill")
    assert [match.net for match in round_.matches.order_by("number")] == [50, -50, None]
    assert list(audit(event_document(made.tournament, official=True))) == []


POINTS = {"measure": "attackers_points"}
#: Attackers' points of one board that N deals, table by table -> what each match counts for N–S.
CROSSED = [
    # levels over the others: 35 gains two, 60 one, 85 loses the deal, 125 loses it and a level
    ({}, (35, 60, 85, 125), ("8/3", "4/3", "-4/3", "-8/3")),
    # points in IMPs: 25 are 1, 50 are 2, 65 and 90 are 2 and 4
    (POINTS, (35, 60, 85, 125), ("2", "2/3", "-2/3", "-2")),
    # two results have one comparison, and all of it
    (POINTS, (35, 85), ("2", "-2")),
    # nothing to compare with
    (POINTS, (35,), ("0",)),
]


def crossed(count: int, plan: dict[str, Any] | None = None) -> Event:
    """Pairs by cross-IMPs, one board a round."""
    plan = {**PAIRS_STAGE["plan"], "board_scale": "cross_imp", **(plan or {})}
    return event(count, stage={**TEAMS, "rounds_planned": 3, **PAIRS_STAGE, "plan": plan})


def points_of_pairs(made: Event) -> dict[int, Any]:
    """What the table of the stage counts, by number of the pair."""
    (table,) = basis_of(made.tournament.stages.get()).tables()
    numbers = dict(made.tournament.entrants.values_list("pk", "number"))
    return {numbers[int(row.entrant)]: row.values["points"] for row in table.rows()}


@pytest.mark.long
@pytest.mark.parametrize(("plan", "totals", "counted"), CROSSED)
def test_pairs_are_compared_with_every_other_table_exactly(plan, totals, counted) -> None:
    made = crossed(2 * len(totals), plan)
    round_ = made.running(*((2 * n + 1, 2 * n + 2) for n in range(len(totals))))
    for sitting, total in zip(round_.sittings.order_by("table__number"), totals, strict=True):
        enter(made, sitting, total)
    expected = [Fraction(one) for one in counted]
    assert [match.net for match in round_.matches.order_by("number")] == [round(one, 2) for one in expected]
    assert points_of_pairs(made) == {
        number: score for n, one in enumerate(expected) for number, score in ((2 * n + 1, one), (2 * n + 2, -one))
    }
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.long
@pytest.mark.parametrize("boards", [1, 2])
def test_pairs_by_cross_imps_may_count_victory_points(boards: int) -> None:
    """Each pair by the sum of its own boards over their number, to the hundredth; the document says by which scale."""
    plan = {**PAIRS_STAGE["plan"], "board_scale": "cross_imp", **POINTS, "boards": boards}
    asked = {**TEAMS, **PAIRS_STAGE, "rounds_planned": 3, "match_score": "vp20_imp", "chain": ["points", "lots"]}
    made = event(8, stage={**asked, "plan": plan})
    round_ = made.running((1, 2), (3, 4), (5, 6), (7, 8))
    for sitting, total in zip(round_.sittings.order_by("table__number"), (35, 60, 85, 125), strict=True):
        for _ in range(boards):
            enter(made, sitting, total)
    points = points_of_pairs(made)
    # board 2 is dealt by W: what the attackers take there is gained by N–S
    sums = [(2, Fraction(2, 3), Fraction(-2, 3), -2), (0, 0, 0, 0)][boards - 1]
    expected = [victory_points(Fraction(one), boards=boards) for one in sums]
    assert [(points[2 * n + 1], points[2 * n + 2]) for n in range(4)] == expected
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    stage = made.tournament.stages.get()
    assert title_of("points", stage.points_are)["en"] == "victory points"
    publication = publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())
    assert json.loads(publication.document)["stage"]["match_score"] == "vp20_imp"
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.long
def test_pairs_by_levels_over_the_others_may_count_victory_points() -> None:
    plan = {**PAIRS_STAGE["plan"], "board_scale": "cross_imp", "boards": 1, "measure": "hand_points"}
    asked = {**TEAMS, **PAIRS_STAGE, "rounds_planned": 3, "match_score": "vp20_levels", "chain": ["points", "lots"]}
    made = event(8, stage={**asked, "plan": plan})
    round_ = made.running((1, 2), (3, 4), (5, 6), (7, 8))
    for sitting, total in zip(round_.sittings.order_by("table__number"), (35, 60, 85, 125), strict=True):
        enter(made, sitting, total)
    points = points_of_pairs(made)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    nets = {match.number: Fraction(match.net) for match in round_.matches.all()}
    assert sum(nets.values()) == 0
    for match in round_.matches.all():
        high, low = victory_points(nets[match.number], boards=1, factor=Fraction(4))
        assert abs(points[2 * match.number - 1] - high) + abs(points[2 * match.number] - low) < Fraction(1, 10)
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.parametrize("plan", [{}, {"board_scale": "cross_imp"}, {"board_scale": "cross_imp", "measure": None}])
def test_victory_points_of_pairs_need_cross_imps_of_points(plan: dict[str, Any]) -> None:
    whole = {name: value for name, value in {**PAIRS_STAGE["plan"], **plan}.items() if value is not None}
    with pytest.raises(Refusal) as refused:
        event(4, stage={**TEAMS, **PAIRS_STAGE, "match_score": "vp20_imp", "chain": ["points"], "plan": whole})
    assert "scale_counts_imps" in {one.code for one in refused.value.findings} | {refused.value.code}


# marks of the third table, in place of 85 (N–S of the others: 35 and 60) -> what the three N–S and the third E–W count
RULED = [
    # 60 % is worth 3 IMPs, 40 % takes them; the other two compare with each other alone
    (POINTS, {"artificial": "60"}, {"artificial": "40"}, ("1", "-1", "3", "-3")),
    # levels: ten per cent are one level
    ({}, {"artificial": "60"}, {"artificial": "average"}, ("1", "-1", "1", "0")),
    # 75 % of 35 and 25 % of 85, each converted first: 0 and 2 IMPs against 35, 1 and -1 against 60
    (
        POINTS,
        {"weighted": [{"attackers_total": 35, "weight": "75"}, {"attackers_total": 85, "weight": "25"}]},
        None,
        ("0.75", "-0.75", "0", "0"),
    ),
    # split: N–S of all tables compare with 35, E–W with 85
    (POINTS, {"attackers_total": 35}, {"attackers_total": 85}, ("0.5", "-1", "0.5", "1.5")),
]


@pytest.mark.long
@pytest.mark.parametrize(("plan", "ns", "ew", "counted"), RULED)
def test_adjusted_scores_of_pairs_in_cross_imps(plan, ns, ew, counted) -> None:
    made = crossed(6, plan)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    tables = list(round_.sittings.order_by("table__number"))
    for sitting, total in zip(tables, (35, 60, 85), strict=True):
        enter(made, sitting, total)
    adjust(made, tables[2], 1, ns, ew)
    points = points_of_pairs(made)
    assert [points[number] for number in (1, 3, 5, 6)] == [Fraction(one) for one in counted]
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("plan", "named"),
    [
        ({"board_scale": "cross_imp", **POINTS}, "cross-IMPs"),
        ({"board_scale": "cross_imp"}, "levels over the other tables"),
        ({}, "per cent over the average"),
    ],
)
def test_the_table_of_pairs_says_what_it_counts(plan: dict[str, Any], named: str) -> None:
    made = event(8, stage={**TEAMS, "rounds_planned": 3, **PAIRS_STAGE, "plan": {**PAIRS_STAGE["plan"], **plan}})
    round_ = made.running((1, 2), (3, 4), (5, 6), (7, 8))
    for sitting, total in zip(round_.sittings.order_by("table__number"), (35, 35, 90, 125), strict=True):
        enter(made, sitting, total)
    (table,) = basis_of(made.tournament.stages.get()).tables()
    asked = {name: value for name, value in table.question().items() if name != "op"}
    assert answer_standings(asked)["because"][0]["text"]["en"] == named
    assert rows_of_question(table.question(), made.tournament.profile) == [row.to_json() for row in table.rows()]


@pytest.mark.long
def test_the_only_result_of_a_board_and_who_sits_out_have_nothing_more_or_less() -> None:
    """Two tables, two boards; board 2 is played at the first alone: nobody can be compared with it."""
    made = crossed(5, {"boards": 2, **POINTS})
    round_ = made.running((1, 2), (3, 4), (5, None))
    first, second = round_.sittings.order_by("table__number")
    for total in (35, 0):
        enter(made, first, total)
    enter(made, second, 85)
    made.end(second)
    assert points_of_pairs(made) == {1: 2, 2: -2, 3: -2, 4: 2, 5: 0}
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.long
def test_the_preset_of_duplicate_teams_from_the_draw_to_the_table() -> None:
    made = event(4, preset="F7")
    for number in range(3):
        round_ = made.begun(made.drawn())
        for match in round_.matches.order_by("number"):
            boards_here = rooms(round_, match.number)[0].boards
            assert boards_here == [2 * number + 1, 2 * number + 2]
            play(made, round_, match.number, dict.fromkeys(boards_here, 35), dict.fromkeys(boards_here, 60))
        closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    (table,) = basis_of(made.tournament.stages.get()).tables()
    assert sum(row.values["points"] for row in table.rows()) == 12
    assert sum(row.values["board_points"] for row in table.rows()) == 0
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.long
def test_the_preset_of_fixed_levels_from_the_draw_to_the_table() -> None:
    made = event(4, preset="F19")
    round_ = made.begun(made.drawn())
    for sitting in round_.sittings.order_by("table__number"):
        for total in (35, 85, 0, 60, 90, 125, 75, 40):
            enter(made, sitting, total)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    (table,) = basis_of(made.tournament.stages.get()).tables()
    assert sorted(row.values["points"] for row in table.rows()) == [-6, -6, 6, 6]
    assert list(audit(event_document(made.tournament, official=True))) == []


@pytest.mark.long
@pytest.mark.parametrize("plan", [{}, {"board_scale": "cross_imp"}])
def test_a_table_published_before_its_boards_moved_on_still_stands_the_audit(plan: dict[str, Any]) -> None:
    """In a Mitchell movement a later round plays the boards of an earlier one and so moves its results."""
    made = event(6, stage={**TEAMS, "rounds_planned": 3, **PAIRS_STAGE, "plan": {**PAIRS_STAGE["plan"], **plan}})
    for totals in ((35, 60, 85), (120, 0, 90)):
        round_ = made.begun(made.drawn())
        for sitting, total in zip(round_.sittings.order_by("table__number"), totals, strict=True):
            enter(made, sitting, total)
        closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
        publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    before, after = (json.loads(one.document) for one in made.tournament.publications.order_by("number"))
    first, later = (
        [one for one in document["tables"][0]["question"]["results"] if one["round"] == 1]
        for document in (before, after)
    )
    assert first != later
    assert list(audit(event_document(made.tournament, official=True))) == []
