"""Matches of several games: the table goes on by itself, the match is who wins most, corrections reach later games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.factories import AT, Hall, hall, sheet
from tests.worlds import kept
from tournaments.acts.errors import Refusal
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import decide_by_lot, end_sitting, forfeit, reopen_sitting
from tournaments.models import Device, LedgerEntry, Match, MatchOutcome, Sitting, SittingPhase, Stage
from tournaments.rounds import closing, steps

pytestmark = pytest.mark.django_db

KNOCKOUT = {
    "format": "ko_timed",
    "match_score": "mp_210",
    "tie_rule": "lots",
    "chain": ["points"],
    "plan": {"best_of": 3},
}


@kept
def match_hall(**more: Any) -> Hall:
    return hall(stage_={**KNOCKOUT, **more})


def current(here: Hall) -> Sitting:
    """The sitting that stands at the table."""
    return Sitting.objects.get(round=here.round, table=here.sitting.table, active=True)


def result(here: Hall) -> Match:
    return Match.objects.get(pk=here.sitting.match_id)


def hand(here: Hall, captured: int, **more: Any) -> LedgerEntry:
    at = current(here)
    return scorekeeping.record_hand(
        sitting_id=at.pk,
        actor=here.referee,
        at=AT,
        facts=sheet(captured, **more),
        hand_no=at.hand_no,
        basis="watched",
    ).entry


def end(here: Hall, reason: str = "time", **more: Any) -> None:
    at = current(here)
    actor = here.chief if reason == "forfeit" else here.referee
    end_sitting(sitting_id=at.pk, actor=actor, at=AT, expected_revision=at.revision, reason=reason, **more)


def game(here: Hall, won_by: str) -> LedgerEntry:
    """One game of one hand: South deals; 0 points let North-South climb, 120 let East-West go up on the deal."""
    made = hand(here, 0 if won_by == "NS" else 120)
    end(here)
    return made


@pytest.mark.parametrize(
    ("games", "winner", "numbers"),
    [
        (["NS", "NS"], "NS", [1, 2]),
        (["NS", "EW", "EW"], "EW", [1, 2, 3]),
        (["EW", "NS", "EW"], "EW", [1, 2, 3]),
    ],
)
def test_the_table_goes_on_until_most_games_are_won(games: list[str], winner: str, numbers: list[int]) -> None:
    here = match_hall()
    for number, won_by in enumerate(games, start=1):
        at = current(here)
        assert (at.game, at.hand_no, at.table_id) == (number, 1, here.sitting.table_id)
        assert result(here).outcome == MatchOutcome.PENDING
        assert steps.tables_without_result(here.round) == [1]
        game(here, won_by)
    ended = result(here)
    assert (ended.outcome, ended.winner_side, ended.decided_by) == ("played", winner, "games")
    assert (ended.home_hundredths, ended.away_hundredths) == ((200, 0) if winner == "NS" else (0, 200))
    assert list(Sitting.objects.filter(match=ended).order_by("game").values_list("game", flat=True)) == numbers
    assert current(here).game == numbers[-1]
    assert current(here).phase == SittingPhase.FINISHED
    assert steps.tables_without_result(here.round) == []
    closing.close_round(round_id=here.round.pk, actor=here.organiser, at=AT)


def test_phones_go_along_and_may_no_longer_write_to_the_game_before() -> None:
    here = match_hall()
    first = here.sitting
    game(here, "NS")
    second = current(here)
    assert second.game == 2
    assert set(Device.objects.filter(sitting=second, released_at=None).values_list("side", flat=True)) == {"NS", "EW"}
    for actor in (here.ns, here.ew):
        assert actor.device is not None
        actor.device.refresh_from_db()
    entered = scorekeeping.record_hand(sitting_id=second.pk, actor=here.ns, at=AT, facts=sheet(40), hand_no=1)
    counted = scorekeeping.confirm_hand(sitting_id=second.pk, actor=here.ew, at=AT, entry_id=entered.entry.pk)
    assert counted.answer == "confirmed"
    with pytest.raises(Refusal) as refused:
        scorekeeping.record_hand(
            sitting_id=first.pk, actor=here.referee, at=AT, facts=sheet(40), hand_no=2, basis="watched"
        )
    assert refused.value.code == "another_game"


def test_a_game_that_ends_level_waits_for_its_lot_and_then_the_next_begins() -> None:
    here = match_hall()
    end(here)
    assert current(here).game == 1
    assert result(here).outcome == MatchOutcome.PENDING
    decide_by_lot(match_id=result(here).pk, actor=here.chief, at=AT, reason="drawn", winner_side="EW")
    assert current(here).game == 2
    assert Sitting.objects.get(pk=here.sitting.pk).decided_side == "EW"
    game(here, "EW")
    assert (result(here).winner_side, result(here).away_hundredths) == ("EW", 200)


def test_a_game_or_the_whole_match_can_be_given_up() -> None:
    here = match_hall()
    end(here, "forfeit", by="NS")
    assert (current(here).game, result(here).outcome) == (2, MatchOutcome.PENDING)
    game(here, "NS")
    end(here, "forfeit", by="NS")
    lost = result(here)
    assert (lost.outcome, lost.winner_side, lost.decided_by) == ("home_forfeit", "EW", "games")

    other = match_hall()
    game(other, "NS")
    forfeit(match_id=result(other).pk, actor=other.chief, at=AT, outcome="home_forfeit", reason="left")
    lost = result(other)
    assert (lost.outcome, lost.winner_side, lost.decided_by) == ("home_forfeit", "EW", "forfeit")
    assert current(other).game == 2
    at = current(other)
    reopen_sitting(sitting_id=at.pk, actor=other.chief, at=AT, expected_revision=at.revision, reason="they came back")
    assert result(other).outcome == MatchOutcome.PENDING
    assert current(other).phase == SittingPhase.PLAYING
    game(other, "NS")
    assert result(other).winner_side == "NS"


def corrected(here: Hall, entry: LedgerEntry, captured: int) -> Any:
    facts = {**entry.facts, "captured_in_tricks": captured}
    seen = corrections.correction_preview(entry_id=entry.pk, actor=here.chief, facts=facts)
    corrections.correct(
        entry_id=entry.pk,
        actor=here.chief,
        at=AT,
        expected_revision=seen.sitting_revision,
        facts=facts,
        reason="misread",
        treatment=next(iter(seen.effects)),
    )
    return next(iter(seen.effects.values())).games


def test_a_correction_makes_a_later_game_needless_and_needed_again() -> None:
    here = match_hall()
    first = game(here, "EW")
    game(here, "NS")
    played = hand(here, 120)
    end(here)
    assert (result(here).winner_side, current(here).game) == ("EW", 3)

    said = corrected(here, first, 0)
    assert "2:0" in said["en"]
    assert "Game 3 no longer counts" in said["en"]
    assert "第 3 局不再计入" in said["zh"]
    assert (result(here).winner_side, current(here).game) == ("NS", 2)
    assert LedgerEntry.objects.filter(pk=played.pk, status="effective").exists(), "what was played stays"

    again = LedgerEntry.objects.get(sitting=first.sitting, hand_no=1, status="effective")
    said = corrected(here, again, 120)
    assert "1:2" in said["en"]
    assert (result(here).winner_side, current(here).game) == ("EW", 3)


def test_a_correction_calls_for_a_game_that_was_not_played() -> None:
    here = match_hall()
    first = game(here, "NS")
    game(here, "NS")
    assert result(here).winner_side == "NS"
    said = corrected(here, first, 120)
    assert said["en"] == "Games 1:1. Game 3 has to be played."
    assert result(here).outcome == MatchOutcome.PENDING
    assert (current(here).game, current(here).hand_no) == (3, 1)
    assert corrected(here, hand(here, 40), 35) is None, "nothing changes for the games"


def test_an_end_is_taken_back_while_nothing_is_recorded_in_the_next_game() -> None:
    here = match_hall()
    game(here, "NS")
    assert current(here).game == 2

    def reopen() -> None:
        first = Sitting.objects.get(pk=here.sitting.pk)
        reopen_sitting(
            sitting_id=first.pk, actor=here.chief, at=AT, expected_revision=first.revision, reason="too early"
        )

    reopen()
    assert (current(here).game, current(here).phase) == (1, SittingPhase.PLAYING)
    end(here)
    hand(here, 35)
    with pytest.raises(Refusal) as refused:
        reopen()
    assert refused.value.code == "later_game_begun"


def test_every_game_has_its_own_time() -> None:
    here = match_hall(minutes=40)
    here.round.ends_at = AT + timedelta(minutes=40)
    here.round.save()
    hand(here, 0)
    at = current(here)
    late = AT + timedelta(minutes=25, seconds=10)
    end_sitting(sitting_id=at.pk, actor=here.referee, at=late, expected_revision=at.revision, reason="time")
    assert current(here).extra_minutes == 26, "it ends 40 minutes after it began, whole minutes up"


def test_one_game_is_one_sitting_as_before() -> None:
    here = match_hall(plan={})
    game(here, "NS")
    assert result(here).decided_by == "levels"
    assert Sitting.objects.count() == 1
    assert Stage.objects.get().directing.best_of == 1
