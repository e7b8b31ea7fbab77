"""Real regulations from the file of entrants to the certificate, every hand typed by one side and confirmed by the
other: each run meets a tie decided by that regulation's own rule, a forfeit, a ruling and a correction.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.events.regulations import HallClock, Running, hall_clock, shown
from tournaments.models import LedgerEntry, Match, MatchOutcome, Round, Sitting
from tournaments.queries.publications import final_placing

__all__ = ["hall_clock"]

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def byes(round_: Round) -> list[int]:
    return list(round_.matches.filter(outcome=MatchOutcome.BYE).values_list("home__number", flat=True))


def result(sitting: Sitting) -> Match:
    return Match.objects.get(pk=sitting.match_id)


def test_f1_timed_swiss(hall_clock: HallClock, tmp_path: Path) -> None:
    """Seven pairs, four rounds: a bye in each, equal levels are a draw, ties go to the opponents' points."""
    made = Running.of("F1", 7, hall_clock, seed=11)
    stage = made.begin(1)
    rested = []
    for number in range(1, 5):
        late = [(3, "EW")] if number == 2 else []
        round_ = made.round(*late)
        rested += byes(round_)
        first, second, third = made.sittings(round_)
        made.cards(first)
        made.cards(first)
        made.win(second, "NS", captured=made.chance.choice((0, 35)))
        if number == 1:
            made.level(third)
            made.correct(second, 1, captured_in_tricks=20)
        elif number == 2:
            hall_clock.minutes(8)
            made.arrive(third, "EW")
            assert made.late(third, "EW").penalty["entry"]["levels"] == 1
            made.win(third, "EW")
        elif number == 3:
            made.forfeit(third, "EW")
        else:
            made.win(third, "EW")
        made.over(round_)
        made.close(round_)
        if number == 1:
            assert (result(third).outcome, result(third).winner_side, result(third).home_hundredths) == (
                MatchOutcome.PLAYED,
                "",
                100,
            )
        assert made.publish(stage)["final"] == (number == 4)
    made.correct(second, 1, closed=True, captured_in_tricks=20)
    assert made.publish(stage)["final"]
    assert len(set(rested)) == 4
    assert "opponents" in made.split_by(stage)
    finish(made, tmp_path, 7)


def test_f2_groups_then_a_crossed_knockout(hall_clock: HallClock, tmp_path: Path) -> None:
    """Eight groups, one of them of three who beat each other in a circle: one extra match decides, then the bracket."""
    made = Running.of("F2", 17, hall_clock, seed=2)
    stage = made.begin(1)
    groups = Counter(stage.field.values_list("group", flat=True))
    (odd,) = (group for group, size in groups.items() if size == 3)
    circle = sorted(stage.field.filter(group=odd).values_list("entrant__number", flat=True))
    hands_of_two = []
    for number in range(1, 4):
        round_ = made.round()
        assert len(byes(round_)) == 1
        sittings = made.sittings(round_)
        for sitting in sittings:
            met = [circle.index(one.number) for one in (sitting.match.home, sitting.match.away) if one.number in circle]
            if met:
                made.win(sitting, "NS" if (met[1] - met[0]) % 3 == 1 else "EW")
            elif sitting != sittings[-1]:
                made.win(sitting, "EW")
                hands_of_two.append((sitting, LedgerEntry.objects.get(sitting=sitting).facts["captured_in_tricks"]))
        if number == 1:
            made.forfeit(sittings[-1], "NS")
        made.over(round_)
        made.close(round_)
    swung, written = hands_of_two[0]
    assert result(swung).winner_side == "EW"
    made.correct(swung, 1, closed=True, captured_in_tricks=160 - written)
    assert result(swung).winner_side == "NS"
    assert not made.publish(stage)["final"]
    assert "出线名额未定" in shown(made.organiser, f"{made.desk}stages/2/begin/")
    extra = 0
    while made.waits(stage):
        extra += 1
        round_ = made.round(extra=True)
        for sitting in made.sittings(round_):
            made.win(sitting, "NS" if sitting.match.home.number < sitting.match.away.number else "EW")
        made.over(round_)
        made.close(round_)
    assert extra == 3
    assert made.publish(stage)["final"]
    assert "extra_match" in made.split_by(stage)
    last = made.begin(2)
    assert last.field.count() == 16
    for number in range(4):
        round_ = made.round()
        sittings = made.sittings(round_)
        assert len(sittings) == 8 >> number
        made.level(sittings[0])
        for sitting in sittings[1:]:
            made.win(sitting, "NS")
        if number == 1:
            ruling = made.rule(sittings[1], "NS", "slow_play")
            assert ruling.penalty == {"unit": "warning"}
        made.over(round_)
        assert result(sittings[0]).decided_by == "tie_rule"
        made.close(round_)
        made.publish(last)
    finish(made, tmp_path, 17)


def test_f3_timed_knockout(hall_clock: HallClock, tmp_path: Path) -> None:
    """Six pairs: five levels ahead win at once, equal levels go to the side on stage, A must really be played."""
    made = Running.of("F3", 6, hall_clock, seed=3)
    stage = made.begin(1)
    round_ = made.round()
    assert len(byes(round_)) == 2
    first, second = made.sittings(round_)
    made.win_at_once(first, "EW")
    assert (result(first).winner_side, result(first).decided_by) == ("EW", "lead")
    made.level(second)
    stage_side = second.state["on_stage"]
    made.over(round_)
    assert (result(second).winner_side, result(second).decided_by) == (stage_side, "tie_rule")
    made.close(round_)

    round_ = made.round()
    first, second = made.sittings(round_)
    made.win(first, "NS")
    written = LedgerEntry.objects.get(sitting=first, hand_no=1).facts["captured_in_tricks"]
    made.cards(first)
    made.forfeit(second, "EW")
    made.over(round_)
    made.close(round_)
    made.correct(first, 1, closed=True, captured_in_tricks=written + 5)
    assert not made.publish(stage)["final"]

    round_ = made.round()
    (final,) = made.sittings(round_)
    made.win(final, "NS")
    before = final.state["levels"]["NS"]
    made.rule(final, "NS", "take_back", hand="1")
    final.refresh_from_db()
    assert final.state["levels"]["NS"] != before
    assert made.climb(final) > 10
    assert result(final).decided_by == "passed"
    made.close(round_)
    assert made.publish(stage)["final"]
    finish(made, tmp_path, 6)


def test_f5_knockout_by_draw_number(hall_clock: HallClock, tmp_path: Path) -> None:
    """Five pairs: paired from the lowest draw number, nobody rests twice, late is lost, equal levels go to lots."""
    made = Running.of("F5", 5, hall_clock, seed=5)
    stage = made.begin(1)
    drawn = [row.entrant.number for row in stage.field.select_related("entrant").order_by("order")]
    round_ = made.round((1, "NS"))
    assert byes(round_) == [drawn[4]]
    first, second = made.sittings(round_)
    hall_clock.minutes(1)
    assert made.late(first, "NS").penalty["unit"] == "forfeit"
    assert result(first).outcome == MatchOutcome.HOME_FORFEIT
    made.level(second)
    made.over(round_)
    assert result(second).winner_side == ""
    won = made.lots(second.match)
    assert won in ("NS", "EW")
    made.close(round_)
    made.publish(stage)

    left = [drawn[1], drawn[2] if won == "NS" else drawn[3]]
    round_ = made.round()
    assert byes(round_) == [left[1]]
    (only,) = made.sittings(round_)
    made.cards(only)
    made.cards(only)
    made.over(round_)
    if not result(only).winner_side:
        made.lots(only.match)
    made.close(round_)

    round_ = made.round()
    (final,) = made.sittings(round_)
    made.win(final, "NS")
    made.correct(final, 1, captured_in_tricks=0)
    made.over(round_)
    made.close(round_)
    assert made.publish(stage)["final"]
    finish(made, tmp_path, 5)


def finish(made: Running, folder: Path, count: int) -> None:
    """Everybody has a place, every page opens, and every result is the same worked out anew."""
    assert len(final_placing(made.event).places) == count
    made.read_everything()
    made.certify(folder)
