"""Corrections with their effects and treatments, second officials, level penalties, ends and forfeits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.factories import Hall, dig, entrant, hall, official, sheet
from tests.tournaments.test_scorekeeping import AT, LATER, enter, now, play, refused
from tournaments.acts.doorbell import stale_number
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import decide_by_lot, end_sitting, forfeit, lot_of, reopen_sitting
from tournaments.models import (
    Call,
    Correction,
    HistoryEntry,
    LedgerEntry,
    Match,
    Office,
    Official,
    Round,
    Sitting,
)
from tournaments.rulings import given_penalties
from tournaments.rulings.acts import Done
from tournaments.sittings import ledgers
from tournaments.sittings.ledgers import cached_state, open_ledger

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def revision(here: Hall) -> int:
    return now(here).revision


def correct(
    here: Hall, entry: LedgerEntry, facts: dict[str, Any], actor: Any = None, **more: Any
) -> corrections.Corrected:
    given = {"expected_revision": revision(here), "reason": "Counted again", "treatment": "recompute", **more}
    return corrections.correct(entry_id=entry.pk, actor=actor or here.referee, at=LATER, facts=facts, **given)


def end(here: Hall, reason: str = "time", actor: Any = None, **more: Any) -> scorekeeping.Ruled:
    return end_sitting(
        sitting_id=here.sitting.pk,
        actor=actor or here.referee,
        at=LATER,
        expected_revision=revision(here),
        reason=reason,
        **more,
    )


def penalise(here: Hall, levels: int = -1, side: str = "NS", **more: Any) -> Done:
    given = {"expected_revision": revision(here), "actor": here.chief, "reason": "Took back a card", **more}
    given.setdefault("clause", "referee.level_penalty")
    return given_penalties.penalise_level(sitting_id=here.sitting.pk, at=LATER, side=side, levels=levels, **given)


def levels(here: Hall) -> tuple[str, str]:
    state = now(here).state
    return state["levels"]["NS"], state["levels"]["EW"]


def assert_folds(here: Hall) -> None:
    """The cache is the fold of the ledger as it stands."""
    row = Sitting.objects.select_related("round__tournament", "round__stage").get(pk=here.sitting.pk)
    assert row.state == cached_state(open_ledger(row.pk, lock=False).fold())


def test_a_correction_is_a_new_version() -> None:
    here = hall()
    first, second = play(here, sheet(35), sheet(60))
    done = correct(here, second, sheet(65))
    assert done.entry is not None
    assert (done.entry.position, done.entry.version, done.entry.status, done.entry.basis) == (
        2,
        2,
        "effective",
        "ruling",
    )
    assert LedgerEntry.objects.get(pk=second.pk).status == "superseded"
    assert (done.correction.status, done.entry.reason, done.entry.entered_by) == (
        "applied",
        "Counted again",
        here.referee.user,
    )
    row = HistoryEntry.objects.get(act="correct")
    assert (row.old["captured_in_tricks"], row.new["captured_in_tricks"], row.reason) == (60, 65, "Counted again")
    assert LedgerEntry.objects.get(pk=first.pk).status == "effective"
    assert_folds(here)


def test_a_correction_states_the_revision_it_saw() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    assert refused(correct, here, entry, sheet(45), expected_revision=None).status == 428
    stale = refused(correct, here, entry, sheet(45), expected_revision=1)
    assert (stale.status, stale.current["revision"]) == (412, 2)
    correct(here, entry, sheet(45))
    assert refused(correct, here, entry, sheet(50)).status == 412


@pytest.mark.parametrize(
    ("facts", "more", "code"),
    [
        (sheet(35), {}, "nothing_changed"),
        (sheet(83), {}, "not_a_multiple_of_5"),
        ({"kind": "level_penalty", "side": "NS", "levels": -1}, {}, "kind_not_here"),
        (sheet(40), {"reason": " "}, "reason_missing"),
        (sheet(40), {"treatment": "adjust"}, "treatment_not_here"),
    ],
)
def test_a_correction_that_is_refused(facts: dict[str, Any], more: dict[str, Any], code: str) -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    refusal = refused(correct, here, entry, facts, **more)
    assert (refusal.code, refusal.status) == (code, 400)
    assert LedgerEntry.objects.count() == 1


def three_hands(here: Hall) -> list[LedgerEntry]:
    """N–S go from 2 to 4 (35 points), to 6 (35), and lose the deal (85): E–W deal at 2."""
    entries = play(here, sheet(35), sheet(35), sheet(85))
    assert levels(here) == ("6", "2")
    return entries


def test_the_preview_shows_each_treatment_with_its_effect() -> None:
    here = hall()
    first, second, _ = three_hands(here)
    seen = corrections.correction_preview(entry_id=first.pk, actor=here.referee, facts=sheet(45))
    assert seen.changes == {"captured_in_tricks": (35, 45)}
    assert (seen.folds_into_one, seen.needs_second_official, seen.sitting_revision) == (False, False, 6)
    # 45 points: one level; recomputed, hand 2 adds two levels to the due 3
    assert {name: effect.state.to_json()["levels"] for name, effect in seen.effects.items()} == {
        "recompute": {"NS": "5", "EW": "2"},
        "let_stand": {"NS": "6", "EW": "2"},
    }
    hand_two = seen.effects["recompute"].hands[1]
    assert (hand_two.hand_no, hand_two.recorded.before.to_json()["levels"]["NS"]) == (2, "4")
    assert hand_two.judged is not None
    assert hand_two.judged.before.to_json()["levels"]["NS"] == "3"
    assert [one.code for one in hand_two.judged.discrepancies] == ["level_unexpected"]
    assert seen.before.to_json()["levels"] == {"NS": "6", "EW": "2"}
    assert LedgerEntry.objects.get(pk=second.pk).status == "effective"


def test_the_treatment_has_to_be_chosen_when_they_differ() -> None:
    here = hall()
    first, *_ = three_hands(here)
    refusal = refused(correct, here, first, sheet(45), treatment="")
    assert (refusal.code, refusal.params["treatments"]) == ("treatment_missing", ["recompute", "let_stand"])


def test_recompute_keeps_the_later_sheets() -> None:
    here = hall()
    first, second, third = three_hands(here)
    correct(here, first, sheet(45))
    assert levels(here) == ("5", "2")
    assert set(LedgerEntry.objects.filter(status="effective").values_list("pk", flat=True)) >= {second.pk, third.pk}
    assert_folds(here)


def test_let_stand_gives_the_later_hand_a_version_that_says_so() -> None:
    here = hall()
    first, second, third = three_hands(here)
    correct(here, first, sheet(45), treatment="let_stand")
    assert levels(here) == ("6", "2")
    stood = LedgerEntry.objects.get(position=2, status="effective")
    assert (stood.version, stood.facts["treatment"], stood.facts["level"]) == (2, "let_stand", "4")
    assert LedgerEntry.objects.get(pk=second.pk).status == "superseded"
    assert LedgerEntry.objects.get(pk=third.pk).status == "effective"
    assert_folds(here)


def test_an_adjusted_result_replaces_the_hand() -> None:
    here = hall()
    first, *_ = three_hands(here)
    facts = {"kind": "adjusted", "side": "EW", "levels": 1, "deal_changes_hands": False}
    seen = corrections.correction_preview(entry_id=first.pk, actor=here.referee, facts=facts)
    assert list(seen.effects) == ["adjust"]
    done = correct(here, first, facts, treatment="adjust")
    assert done.entry is not None
    assert (done.entry.kind, done.entry.hand_no) == ("adjusted", 1)
    assert levels(here) == ("4", "3")
    assert_folds(here)


def test_treatments_fold_into_one_when_nothing_later_changes() -> None:
    here = hall()
    first, *_ = three_hands(here)
    assert corrections.correction_preview(entry_id=first.pk, actor=here.referee, facts=sheet(30)).folds_into_one
    assert correct(here, first, sheet(30), treatment="").correction.treatment == "recompute"
    assert levels(here) == ("6", "2")


def test_the_last_hand_needs_no_treatment() -> None:
    here = hall()
    *_, third = three_hands(here)
    assert correct(here, third, sheet(35), treatment="").entry is not None
    assert levels(here) == ("8", "2")


def test_a_correction_may_end_the_match_earlier() -> None:
    here = hall(levels=("A", "2"))
    first, second = play(here, sheet(85), sheet(60))
    end(here)
    assert (now(here).match.home_level, now(here).match.away_level) == ("A", "3")
    seen = corrections.correction_preview(entry_id=first.pk, actor=here.referee, facts=sheet(35))
    # what was played after the match was over cannot stand
    assert list(seen.effects) == ["recompute"]
    assert [one.judged is None for one in seen.effects["recompute"].hands] == [False, True, True]
    correct(here, first, sheet(35))
    after = now(here)
    assert (after.match.home_level, after.match.away_level, after.match.decided_by) == ("passed", "2", "passed")
    assert (after.phase, LedgerEntry.objects.get(kind="end").status) == ("finished", "superseded")
    assert LedgerEntry.objects.get(pk=second.pk).status == "superseded"
    assert_folds(here)


def test_a_correction_reopens_a_match_that_was_not_over() -> None:
    here = hall(levels=("A", "2"))
    (entry,) = play(here, sheet(35))
    assert (now(here).phase, now(here).match.outcome) == ("finished", "played")
    correct(here, entry, sheet(80), treatment="")
    after = now(here)
    assert (after.phase, after.match.outcome, after.match.home_hundredths, after.match.finished_at) == (
        "playing",
        "pending",
        None,
        None,
    )
    assert enter(here, here.ns, sheet(), 2).answer == "waiting"


def test_a_waiting_hand_is_overruled_when_a_correction_ends_the_match() -> None:
    here = hall(levels=("A", "2"))
    (entry,) = play(here, sheet(80))
    waiting = enter(here, here.ew, sheet(40), 2).entry
    correct(here, entry, sheet(40), treatment="")
    assert LedgerEntry.objects.get(pk=waiting.pk).status == "overruled"
    assert now(here).phase == "finished"


def test_a_waiting_hand_stays_while_an_earlier_one_is_corrected() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    waiting = enter(here, here.ns, sheet(40), 2).entry
    correct(here, entry, sheet(45), treatment="")
    assert now(here).phase == "waiting"
    done = scorekeeping.confirm_hand(sitting_id=here.sitting.pk, actor=here.ew, at=LATER, entry_id=waiting.pk)
    assert done.answer == "confirmed"
    assert levels(here) == ("4", "2")
    assert_folds(here)


def closed(here: Hall) -> None:
    Round.objects.filter(pk=here.round.pk).update(status="closed", closed_at=AT)


def test_in_a_closed_round_a_second_official_approves() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    end(here)
    closed(here)
    assert refused(correct, here, entry, sheet(45)).status == 403
    proposed = correct(here, entry, sheet(45), here.chief)
    assert (proposed.entry, proposed.correction.status, levels(here)) == (None, "proposed", ("4", "2"))
    same = refused(corrections.approve_correction, correction_id=proposed.correction.pk, actor=here.chief, at=LATER)
    assert (same.code, same.status) == ("second_official_same", 403)
    done = corrections.approve_correction(correction_id=proposed.correction.pk, actor=here.referee, at=LATER)
    assert done.entry is not None
    assert (levels(here), now(here).match.home_level) == (("3", "2"), "3")
    row = Correction.objects.get()
    assert (row.status, row.proposed_by, row.decided_by) == ("applied", here.chief.user, here.referee.user)
    again = refused(corrections.approve_correction, correction_id=row.pk, actor=here.referee, at=LATER)
    assert (again.code, again.status) == ("correction_decided", 409)
    assert_folds(here)


def test_a_single_official_needs_no_second() -> None:
    here = hall(event={"single_official": True})
    (entry,) = play(here, sheet(35))
    end(here)
    closed(here)
    assert correct(here, entry, sheet(45), here.organiser).entry is not None


def test_a_proposal_is_overtaken_by_a_newer_one_or_a_newer_version() -> None:
    here = hall()
    one, two = play(here, sheet(35), sheet(85))
    end(here)
    closed(here)
    first = correct(here, one, sheet(45), here.chief, treatment="let_stand").correction
    second = correct(here, one, sheet(50), here.chief, treatment="let_stand").correction
    assert refused(corrections.approve_correction, correction_id=first.pk, actor=here.referee, at=LATER).status == 409
    other = correct(here, two, sheet(90), here.chief).correction
    assert corrections.approve_correction(correction_id=other.pk, actor=here.referee, at=LATER).entry is not None
    stale = refused(corrections.approve_correction, correction_id=second.pk, actor=here.referee, at=LATER)
    assert stale.status == 412
    assert set(Correction.objects.values_list("pk", "status")) == {
        (first.pk, "overtaken"),
        (second.pk, "overtaken"),
        (other.pk, "applied"),
    }


def test_a_proposal_is_refused_and_nothing_changes() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    end(here)
    closed(here)
    proposed = correct(here, entry, sheet(45), here.chief).correction
    corrections.refuse_correction(correction_id=proposed.pk, actor=here.referee, at=LATER, reason="No evidence")
    assert (Correction.objects.get().status, levels(here)) == ("refused", ("4", "2"))


def test_places_of_the_preview_are_those_after_it_is_applied() -> None:
    here = hall(tables=2)
    entries = play(here, sheet(35), sheet(85))
    end(here)
    seen = corrections.correction_preview(entry_id=entries[0].pk, actor=here.referee, facts=sheet(80))
    places = seen.effects["recompute"].places
    home, away = here.sitting.match.home_id, here.sitting.match.away_id
    assert places[home][0] < places[away][0]
    assert places[home][1] >= places[away][1]
    assert {home, away} <= set(places)
    assert Match.objects.get(pk=here.sitting.match_id).home_hundredths == 200


@pytest.mark.parametrize("clause", ["", "penalty.no.such", "cn.no_such"])
def test_a_penalty_cites_a_clause_of_the_event(clause: str) -> None:
    here = hall()
    refusal = refused(penalise, here, clause=clause)
    assert (refusal.code, refusal.field) == ("clause_required", "clause")
    assert not LedgerEntry.objects.exists()


def test_a_clause_of_the_schedule_gives_the_reason_in_both_languages() -> None:
    here = hall()
    penalise(here, clause="penalty.take_back.play")
    penalise(here, clause="referee.level_penalty")
    said = [row.facts["why"] for row in LedgerEntry.objects.order_by("position")]
    assert said == [{"en": "takes back a play", "zh": "悔牌"}, "Took back a card"]


def test_a_level_penalty_follows_the_hand() -> None:
    here = hall()
    play(here, sheet(35))
    assert refused(penalise, here, actor=here.referee).status == 403
    assert refused(penalise, here, expected_revision=None).status == 428
    assert refused(penalise, here, levels=0).code == "penalty_zero"
    assert refused(penalise, here, side="XX").status == 400
    done = penalise(here, -3)
    assert done.entry is not None
    assert (done.entry.kind, done.entry.position, done.entry.hand_no, done.entry.basis) == (
        "level_penalty",
        2,
        None,
        "ruling",
    )
    assert levels(here) == ("2", "2")
    assert now(here).hand_no == 2
    assert_folds(here)


def test_a_penalty_while_a_hand_waits_comes_after_it() -> None:
    here = hall()
    waiting = enter(here, here.ns, sheet(35)).entry
    penalise(here)
    assert now(here).phase == "waiting"
    scorekeeping.confirm_hand(sitting_id=here.sitting.pk, actor=here.ew, at=LATER, entry_id=waiting.pk)
    assert levels(here) == ("3", "2")
    assert_folds(here)


def test_the_end_at_time_decides_by_levels_or_is_drawn() -> None:
    here = hall()
    assert refused(end, here, actor=here.ns).status == 403
    play(here, sheet(35))
    end(here)
    match = now(here).match
    assert (match.outcome, match.home_level, match.away_level, match.winner_side, match.home_hundredths) == (
        "played",
        "4",
        "2",
        "NS",
        200,
    )
    drawn = hall()
    end(drawn)
    match = now(drawn).match
    assert (match.winner_side, match.home_hundredths, match.away_hundredths, match.decided_by) == (
        "",
        100,
        100,
        "tie_rule",
    )
    assert refused(end, drawn).code == "match_over"
    assert refused(penalise, drawn).code == "match_over"


def test_the_side_on_stage_wins_a_timed_tie() -> None:
    here = hall(stage_={"tie_rule": "on_stage"})
    play(here, sheet(80))
    end(here)
    match = now(here).match
    assert (match.winner_side, match.decided_by, match.home_level, match.away_hundredths) == (
        "EW",
        "tie_rule",
        "2",
        200,
    )


def test_no_end_while_a_hand_waits() -> None:
    here = hall()
    enter(here, here.ns)
    assert refused(end, here).code == "entry_waits"


def test_an_end_is_taken_back() -> None:
    here = hall()
    play(here, sheet(35))
    end(here)
    given = {"sitting_id": here.sitting.pk, "at": LATER, "expected_revision": revision(here), "reason": "Wrong table"}
    assert refused(reopen_sitting, actor=here.referee, **given).status == 403
    reopen_sitting(actor=here.chief, **given)
    after = now(here)
    assert (after.phase, after.match.outcome, after.hand_no) == ("playing", "pending", 2)
    assert enter(here, here.ns, sheet(), 2).answer == "waiting"
    assert_folds(here)


@pytest.mark.parametrize(
    ("outcome", "winner", "scores"),
    [("home_forfeit", "EW", (0, 200)), ("away_forfeit", "NS", (200, 0)), ("double_forfeit", "", (0, 0))],
)
@pytest.mark.parametrize("begun", [False, True])
def test_forfeits(outcome: str, winner: str, scores: tuple[int, int], begun: bool) -> None:
    here = hall()
    if begun:
        play(here, sheet(35))
        enter(here, here.ns, sheet(), 2)
    given = {"match_id": here.sitting.match_id, "at": LATER, "outcome": outcome, "reason": "Did not come"}
    assert refused(forfeit, actor=here.referee, **given).status == 403
    forfeit(actor=here.chief, **given)
    after = now(here)
    match = after.match
    assert (match.outcome, match.winner_side, (match.home_hundredths, match.away_hundredths)) == (
        outcome,
        winner,
        scores,
    )
    assert (match.decided_by, match.home_level, after.phase) == ("forfeit", "", "finished")
    assert refused(enter, here, here.ns, sheet(), after.hand_no).code == "match_over"
    assert not LedgerEntry.objects.filter(status="waiting").exists()
    assert_folds(here)


def test_a_forfeit_by_ending_the_sitting_is_the_chief_referees() -> None:
    here = hall()
    assert refused(end, here, "forfeit", by="NS").status == 403
    end(here, "forfeit", here.chief, by="NS")
    assert now(here).match.outcome == "home_forfeit"


def test_a_forfeit_ruled_on_the_match_outlives_a_correction() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    forfeit(match_id=here.sitting.match_id, actor=here.chief, at=LATER, outcome="double_forfeit", reason="Fight")
    correct(here, entry, sheet(45), treatment="")
    assert (now(here).match.outcome, now(here).phase) == ("double_forfeit", "finished")


def test_forfeits_of_other_events_and_unknown_outcomes() -> None:
    here, there = hall(), hall()
    given = {"match_id": here.sitting.match_id, "at": LATER, "reason": "x"}
    assert refused(forfeit, actor=there.chief, outcome="home_forfeit", **given).status == 404
    assert refused(forfeit, actor=here.chief, outcome="played", **given).code == "unknown_outcome"


def test_other_events_officials_find_nothing() -> None:
    here, there = hall(), hall()
    (entry,) = play(here, sheet(35))
    stranger = official(there.event, Office.CHIEF_REFEREE)
    assert refused(correct, here, entry, sheet(45), stranger).status == 404
    assert refused(corrections.correction_preview, entry_id=entry.pk, actor=stranger, facts=sheet(45)).status == 404
    assert refused(corrections.correction_preview, entry_id=10**30, actor=here.referee, facts=sheet(45)).status == 404
    assert refused(correct, here, entry, sheet(45), here.ns).status == 403


def test_an_entry_that_does_not_count_is_not_corrected() -> None:
    here = hall()
    waiting = enter(here, here.ns).entry
    assert refused(correct, here, waiting, sheet(45)).code == "not_counting"


def test_a_penalty_is_corrected_by_a_penalty() -> None:
    here = hall(levels=("9", "2"))
    entry = penalise(here, -1).entry
    assert entry is not None
    correct(here, entry, {"kind": "level_penalty", "side": "NS", "levels": -2, "why": "x"}, treatment="")
    assert levels(here) == ("7", "2")


def test_every_ruling_moves_the_stale_number() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    before = stale_number(here.event.pk)
    correct(here, entry, sheet(45), treatment="")
    penalise(here)
    end(here)
    assert stale_number(here.event.pk) == before + 3


def test_hand_points_are_counted_for_the_home_side() -> None:
    here = hall(stage_={"match_score": "hand_points"})
    # hand 1: N–S keep the deal and gain 2; hand 2: E–W take it (1) with 2 levels (2); hand 3: E–W keep it and gain 1
    play(here, sheet(35), dig(100, 15), sheet(60))
    end(here)
    match = now(here).match
    assert (match.home_hundredths, match.away_hundredths, match.outcome) == (
        100 * (2 - 3 - 1),
        -100 * (2 - 3 - 1),
        "played",
    )
    assert Call.objects.count() == 0


def test_entrants_of_other_tables_keep_their_places_out_of_the_preview() -> None:
    here = hall(tables=3)
    bystander = entrant(here.event, 99)
    (entry,) = play(here, sheet(35))
    seen = corrections.correction_preview(entry_id=entry.pk, actor=here.referee, facts=sheet(30))
    assert bystander.pk not in seen.effects["recompute"].places


def decide(here: Hall, **more: Any) -> scorekeeping.Ruled:
    given = {"actor": here.chief, "reason": "Lots", **more}
    return decide_by_lot(match_id=here.sitting.match_id, at=LATER, **given)


def test_lots_decide_what_the_tie_rule_leaves_open() -> None:
    here = hall(stage_={"tie_rule": "lots"})
    (entry,) = play(here, sheet(80))
    assert refused(decide, here).code == "nothing_left_open"
    end(here)
    assert (now(here).match.outcome, now(here).phase) == ("pending", "finished")
    assert refused(decide, here, actor=here.referee).status == 403
    assert refused(decide, here, winner_side="XX").status == 400
    decide(here)
    first = now(here).match
    assert (first.outcome, first.decided_by, first.home_level) == ("played", "lots", "2")
    # the same seed, round and match draw the same side
    assert first.winner_side == lot_of(ledgers.open_ledger(here.sitting.pk, lock=False))
    assert refused(decide, here).code == "nothing_left_open"
    # levels stay equal: the lot stays; they no longer are: it counts for nothing
    correct(here, entry, sheet(85), treatment="")
    assert (now(here).match.winner_side, now(here).match.decided_by) == (first.winner_side, "lots")
    correct(here, LedgerEntry.objects.get(position=1, status="effective"), sheet(35), treatment="")
    assert (now(here).match.winner_side, now(here).match.decided_by) == ("NS", "levels")


@pytest.mark.parametrize("side", ["NS", "EW"])
def test_a_draw_made_by_hand_is_recorded(side: str) -> None:
    here = hall(stage_={"tie_rule": "lots"})
    end(here)
    decide(here, winner_side=side, reason="Drawn from a hat")
    match = now(here).match
    assert (match.winner_side, match.home_hundredths) == (side, 200 if side == "NS" else 0)
    row = HistoryEntry.objects.get(act="decide_by_lot")
    assert (row.new, row.reason) == ({"winner_side": side, "drawn": "by_hand"}, "Drawn from a hat")


def test_one_more_hand_is_played_where_the_tie_rule_says_so() -> None:
    here = hall(stage_={"tie_rule": "extra_hand"})
    play(here, sheet(80))
    assert refused(end, here).code == "extra_hand_due"
    assert now(here).phase == "playing"
    play(here, sheet(60))
    end(here)
    assert (now(here).match.winner_side, now(here).match.decided_by) == ("EW", "levels")


def test_who_may_approve_sees_what_a_proposal_would_change() -> None:
    here = hall()
    (entry,) = play(here, sheet(35))
    end(here)
    closed(here)
    seen = corrections.correction_preview(entry_id=entry.pk, actor=here.referee, facts=sheet(45))
    assert seen.needs_second_official


@pytest.mark.parametrize("text", ["\x00", "\ud800", "a\x1bb"])
def test_text_inside_facts_can_be_stored(text: str) -> None:
    here = hall()
    facts = sheet(adjustments=[{"points": -10, "why": text}])
    refusal = refused(enter, here, here.referee, facts, basis="ruling")
    assert (refusal.code, refusal.status, refusal.field) == ("text_not_allowed", 400, "adjustments.why")
    assert refused(penalise, here, reason=text).status == 400


@pytest.mark.parametrize("outcome", ["home_forfeit", "double_forfeit"])
def test_a_forfeit_ruled_by_mistake_is_taken_back(outcome: str) -> None:
    here = hall()
    play(here, sheet(35))
    forfeit(match_id=here.sitting.match_id, actor=here.chief, at=LATER, outcome=outcome, reason="Did not come")
    reopen_sitting(
        sitting_id=here.sitting.pk, actor=here.chief, at=LATER, expected_revision=revision(here), reason="They came"
    )
    match = now(here).match
    assert (match.outcome, match.home_hundredths, match.finished_at, now(here).phase) == (
        "pending",
        None,
        None,
        "playing",
    )
    assert enter(here, here.ns, sheet(), 2).answer == "waiting"
    assert_folds(here)


def test_no_second_official_is_waited_for_where_the_event_has_none() -> None:
    """Of the organiser and the only judge nobody else may approve; a referee of other tables may not here either."""
    here = hall(tables=2)
    (entry,) = play(here, sheet(35))
    end(here)
    closed(here)
    referee = Official.objects.get(tournament=here.event, user=here.referee.user)
    referee.tables.set([here.sittings[1].table])
    assert not corrections.correction_preview(
        entry_id=entry.pk, actor=here.chief, facts=sheet(45)
    ).needs_second_official
    done = correct(here, entry, sheet(45), actor=here.chief, treatment="recompute")
    assert (done.entry is not None, done.correction.status) == (True, "applied")
    referee.tables.set([])
    assert corrections.correction_preview(
        entry_id=done.entry.pk, actor=here.chief, facts=sheet(40)
    ).needs_second_official
