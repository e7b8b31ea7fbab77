"""The clock of the hall and of tables, check-in by officials and by an entrant's own code, and lateness."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.tournaments.factories import device
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tests.tournaments.test_boards import rooms, teams
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.ledger.codes import entrant_code_text
from tournaments.ledger.officials_entries import forfeit
from tournaments.models import CheckIn, HistoryEntry, Office, Round, Ruling, Stage
from tournaments.people import attendance, roll_call
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import pairing
from tournaments.rounds.acts import add_time, go_on, start_round, stop_clock
from tournaments.rulings.log import decide
from tournaments.sittings.clock import Phase, round_clock, table_clock, time_over

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def started(made: Event, *, warning: int | None = None, late: int | None = None) -> Round:
    plan = {name: value for name, value in (("warning", warning), ("late", late)) if value is not None}
    Stage.objects.filter(tournament=made.tournament).update(plan=plan)
    return made.running((1, 2), (3, 4))


def fresh(round_: Round) -> Round:
    return Round.objects.select_related("stage", "tournament").get(pk=round_.pk)


# The clock


@pytest.mark.parametrize(
    ("minutes", "phase", "left"),
    [(0, Phase.RUNNING, 40), (34, Phase.RUNNING, 6), (35, Phase.WARNING, 5), (40, Phase.OVER, 0), (99, Phase.OVER, 0)],
)
def test_the_clock_warns_and_then_is_over(minutes: int, phase: Phase, left: int) -> None:
    made = event(4)
    round_ = fresh(started(made, warning=5))
    clock = round_clock(round_)
    now = round_.started_at + minutes * MINUTE
    assert (clock.phase(now), clock.left(now)) == (phase, left * MINUTE)


def test_a_stopped_clock_keeps_what_is_left_and_moves_the_end() -> None:
    made = event(4)
    round_ = started(made)
    ends_at, stop = round_.ends_at, round_.started_at + 10 * MINUTE
    who = {"round_id": round_.pk, "actor": made.actor}
    stop_clock(**who, at=stop, reason="fire alarm")
    again = stop_clock(**who, at=stop + MINUTE, reason="twice")
    assert again.stopped_at == stop
    clock = round_clock(fresh(round_))
    assert (clock.phase(stop + 99 * MINUTE), clock.left(stop + 99 * MINUTE)) == (Phase.STOPPED, 30 * MINUTE)
    go_on(**who, at=stop + 7 * MINUTE)
    assert (fresh(round_).ends_at, fresh(round_).stopped_at) == (ends_at + 7 * MINUTE, None)
    with pytest.raises(Refusal, match="clock_runs"):
        go_on(**who, at=stop + 8 * MINUTE)
    noted = HistoryEntry.objects.filter(act="set_clock").order_by("pk")
    assert [row.reason for row in noted] == ["fire alarm", ""]


def test_a_clock_that_has_run_out_is_not_stopped() -> None:
    made = event(4)
    round_ = started(made)
    with pytest.raises(Refusal, match="time_is_over"):
        stop_clock(round_id=round_.pk, actor=made.actor, at=round_.ends_at, reason="late")
    with pytest.raises(Refusal, match="reason_missing"):
        stop_clock(round_id=round_.pk, actor=made.actor, at=made.tick(), reason=" ")


def test_a_table_has_its_own_extra_time() -> None:
    made = event(4)
    round_ = started(made)
    first, second = sittings_of(round_)
    of = {"sitting_id": first.pk, "actor": made.actor, "at": made.tick()}
    add_time(**of, minutes=5, reason="long ruling")
    add_time(**of, minutes=-2, reason="less")
    first.refresh_from_db()
    assert first.extra_minutes == 3
    assert time_over(first) == round_.ends_at + 3 * MINUTE
    assert table_clock(second).ends_at == round_.ends_at
    for minutes, reason, code in [(0, "x", "bad_minutes"), (121, "x", "bad_minutes"), (5, "", "reason_missing")]:
        with pytest.raises(Refusal, match=code):
            add_time(**of, minutes=minutes, reason=reason)
    made.end(first)
    first.refresh_from_db()
    assert table_clock(first) is None
    with pytest.raises(Refusal, match="match_over"):
        add_time(**of, minutes=5, reason="x")


def test_an_untimed_round_has_no_clock() -> None:
    made = event(4)
    Stage.objects.filter(tournament=made.tournament).update(minutes=None)
    round_ = started(made)
    assert round_clock(fresh(round_)) is None
    with pytest.raises(Refusal, match="round_not_running"):
        stop_clock(round_id=round_.pk, actor=made.actor, at=made.tick(), reason="x")


# Check-in


def test_roll_call_counts_once_and_can_be_undone() -> None:
    made = event(4)
    of = {"entrant_id": made.ids[2], "actor": made.actor}
    first = attendance.check_in(**of, at=made.tick())
    assert attendance.check_in(**of, at=made.tick()) == first
    assert [row.there for row in roll_call.roll(made.tournament, None)] == [False, True, False, False]
    attendance.undo_check_in(**of, at=made.tick())
    assert attendance.undo_check_in(**of, at=made.tick()) is None
    assert not any(row.there for row in roll_call.roll(made.tournament, None))
    attendance.check_in(**of, at=made.tick())
    assert CheckIn.objects.count() == 2
    assert HistoryEntry.objects.filter(act="check_in").count() == 3


def test_the_roll_call_of_a_round_names_the_tables_of_who_is_missing() -> None:
    made = event(5)
    round_ = made.published((1, 2), (3, 4), (5, None))
    of = {"actor": made.actor, "round_id": round_.pk}
    for number in (1, 2, 4):
        attendance.check_in(entrant_id=made.ids[number], at=made.tick(), **of)
    rows = roll_call.roll(made.tournament, round_)
    assert [(row.entrant.number, row.table, row.side, row.bye) for row in rows] == [
        (1, 1, "NS", False),
        (2, 1, "EW", False),
        (3, 2, "NS", False),
        (4, 2, "EW", False),
        (5, None, "", True),
    ]
    missing = [(table, [row.entrant.number for row in at]) for table, at in roll_call.missing_by_table(rows)]
    assert missing == [(2, [3])]


def test_a_team_is_called_in_the_open_room_and_is_there_by_a_phone_of_either_room() -> None:
    made = teams(2)
    round_ = made.published((1, 2))
    device(rooms(round_)[1], "NS")
    rows = roll_call.roll(made.tournament, round_)
    assert [(row.table, row.side, row.there) for row in rows] == [(1, "NS", False), (1, "EW", True)]


@pytest.mark.parametrize("status", ["draft", "closed"])
def test_only_a_round_that_is_up_takes_check_ins(status: str) -> None:
    made = event(4)
    round_ = made.paired((1, 2), (3, 4))
    if status == "closed":
        pairing.publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
        start_round(round_id=round_.pk, actor=made.actor, at=made.tick())
        made.play(round_, [35], [35])
    with pytest.raises(Refusal, match="round_not_up"):
        attendance.check_in(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), round_id=round_.pk)


def test_who_left_or_plays_elsewhere_is_not_checked_in() -> None:
    made, other = event(4), event(2)
    elsewhere = other.published((1, 2))
    of = {"entrant_id": made.ids[1], "at": made.tick()}
    with pytest.raises(NotFound):
        attendance.check_in(**of, actor=made.actor, round_id=elsewhere.pk)
    with pytest.raises(Forbidden):
        attendance.check_in(**of, actor=other.actor)
    withdraw_entrant(**of, actor=made.actor, reason="ill")
    with pytest.raises(Refusal, match="entrant_withdrawn"):
        attendance.check_in(**of, actor=made.actor)


# Own codes


def codes_of(made: Event) -> dict[int, str]:
    codes = attendance.issue_entrant_codes(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    return {code.entrant.number: entrant_code_text(code) for code in codes}


def test_an_own_code_checks_in_for_the_event_and_the_round_that_is_up() -> None:
    made = event(4)
    codes = codes_of(made)
    assert len(set(codes.values())) == 4
    assert codes_of(made) == codes
    attendance.check_in_by_code(code_text=codes[1].lower(), at=made.tick())
    round_ = made.published((1, 2), (3, 4))
    attendance.check_in_by_code(code_text=codes[2], at=made.tick())
    assert [row.there for row in roll_call.roll(made.tournament, None)] == [True, True, False, False]
    assert [row.there for row in roll_call.roll(made.tournament, round_)] == [False, True, False, False]
    assert set(CheckIn.objects.values_list("noted_by", flat=True)) == {None}


def test_a_reissued_code_replaces_the_old_one() -> None:
    made = event(2)
    old = codes_of(made)[1]
    new = attendance.reissue_entrant_code(entrant_id=made.ids[1], actor=made.actor, at=made.tick())
    for text in (old, "nothing"):
        with pytest.raises(Refusal, match="unknown_code") as refused:
            attendance.check_in_by_code(code_text=text, at=made.tick())
        assert "strip with your name" in refused.value.message["en"]
    assert attendance.entrant_of_code(entrant_code_text(new)).pk == made.ids[1]
    referee = colleague(made, Office.REFEREE)
    with pytest.raises(Forbidden):
        attendance.reissue_entrant_code(entrant_id=made.ids[1], actor=referee, at=made.tick())


# Lateness


def late_at(made: Event, round_: Round, now: datetime) -> dict[int, list[tuple[str, int, bool]]]:
    late = roll_call.late_tables(fresh(round_), now)
    assert roll_call.incomplete_tables(fresh(round_), now) == sum(table.incomplete for table in late)
    return {
        table.sitting.table.number: [(party.side, party.minutes, party.missing) for party in table.parties]
        for table in late
    }


def test_who_is_late_stands_on_the_list_until_a_hand_is_played() -> None:
    made = event(4)
    round_ = started(made)
    first = sittings_of(round_)[0]
    start = round_.started_at
    for number, minutes in ((1, 0), (3, 0), (4, 7)):
        attendance.check_in(
            entrant_id=made.ids[number], actor=made.actor, at=start + minutes * MINUTE, round_id=round_.pk
        )
    assert late_at(made, round_, start + 8 * MINUTE) == {1: [("EW", 8, True)], 2: [("EW", 7, False)]}
    made.hand(first, 35)
    assert late_at(made, round_, start + 8 * MINUTE) == {2: [("EW", 7, False)]}


@pytest.mark.parametrize(
    ("minutes", "late", "unit", "level"),
    [
        (3, None, "warning", "2"),
        (7, None, "levels", "3"),
        (9, None, "levels", "3"),
        (10, None, "forfeit", "2"),
        (5, 5, "forfeit", "2"),
        (12, 20, "levels", "4"),
    ],
)
def test_lateness_proposes_what_the_schedule_says(minutes: int, late: int | None, unit: str, level: str) -> None:
    made = event(4)
    round_ = started(made, late=late)
    now = round_.started_at + minutes * MINUTE
    for number in (1, 3, 4):
        attendance.check_in(entrant_id=made.ids[number], actor=made.actor, at=round_.started_at, round_id=round_.pk)
    sitting = sittings_of(round_)[0]
    of = {"sitting_id": sitting.pk, "actor": made.actor, "at": now}
    done = attendance.propose_lateness(**of, side="EW")
    assert done.ruling.proposal["unit"] == unit
    with pytest.raises(Refusal, match="lateness_ruled"):
        attendance.propose_lateness(**of, side="EW")
    with pytest.raises(Refusal, match="nobody_late"):
        attendance.propose_lateness(**of, side="NS")
    decide(ruling_id=done.ruling.pk, actor=made.actor, at=now, expected_revision=done.revision)
    sitting.refresh_from_db()
    sitting.match.refresh_from_db()
    assert sitting.match.outcome == ("away_forfeit" if unit == "forfeit" else "pending")
    assert sitting.state["levels"]["NS"] == level


def test_nobody_at_a_table_both_forfeit() -> None:
    made = event(4)
    round_ = started(made)
    sitting = sittings_of(round_)[0]
    now = round_.started_at + 20 * MINUTE
    with pytest.raises(Refusal, match="both_missing"):
        attendance.propose_lateness(sitting_id=sitting.pk, side="NS", actor=made.actor, at=now)
    assert not Ruling.objects.exists()
    forfeit(match_id=sitting.match_id, actor=made.actor, at=now, outcome="double_forfeit", reason="nobody came")
    assert 1 not in late_at(made, round_, now)
