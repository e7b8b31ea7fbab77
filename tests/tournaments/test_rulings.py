"""Rulings: proposed with their clause, decided with an effect on the record, cancelled, appealed against."""

from __future__ import annotations

import json
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import AT, Hall, hall, official, sheet
from tests.tournaments.playing import colleague, event, sittings_of
from tests.tournaments.test_change import read
from tests.tournaments.test_corrections import assert_folds, levels, revision
from tests.tournaments.test_scorekeeping import LATER, enter, now, play, refused
from tournaments.acts.access import Act
from tournaments.acts.admission import Admitted
from tournaments.acts.change import Add, Move
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.events import setup
from tournaments.ledger import corrections, officials_entries
from tournaments.models import (
    Correction,
    HistoryEntry,
    LedgerEntry,
    Office,
    Official,
    Player,
    Round,
    Ruling,
    RulingStep,
    Stage,
    Tournament,
    User,
)
from tournaments.rounds import board, closing, pairing
from tournaments.rulings import appeals, given_penalties, log, reads
from tournaments.rulings.acts import Done, as_decided, stepped
from tournaments.rulings.effects import Landed, land
from tournaments.standings import penalised, results
from tournaments.standings.runs import publish, verify

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TAKE_BACK = {"irregularity": "take_back"}
CASE = {"case": {"kind": "follow", "query": "profile=cn-national-2d&level=2&trump=H"}}
SAID = {"en": "The pair was owed.", "zh": "应跟对子。"}


def propose(here: Hall, facts: dict[str, Any] | None = None, **more: Any) -> Ruling:
    given = {"actor": here.referee, "side": "NS", "sitting_id": here.sitting.pk, **more}
    return log.propose(at=AT, facts=facts or TAKE_BACK, **given).ruling


def decide(here: Hall, ruling: Ruling, **more: Any) -> Done:
    given = {"actor": here.chief, "expected_revision": revision(here), "at": LATER, **more}
    return log.decide(ruling_id=ruling.pk, **given)


def cancel(here: Hall, ruling: Ruling, **more: Any) -> Done:
    given = {"actor": here.chief, "expected_revision": revision(here), "reason": "Misheard", **more}
    return log.cancel(ruling_id=ruling.pk, at=LATER, **given)


def appeal(here: Hall, ruling: Ruling, **more: Any) -> Done:
    return appeals.lodge_appeal(
        ruling_id=ruling.pk, **{"actor": here.ns, "at": LATER, "reason": "We never took it back", **more}
    )


def answer(here: Hall, ruling: Ruling, *, upheld: bool = True, **more: Any) -> Done:
    given = {"actor": here.chief, "expected_revision": revision(here), "reason": "The card lay open", **more}
    return appeals.decide_appeal(ruling_id=ruling.pk, at=LATER, upheld=upheld, **given)


def fresh(ruling: Ruling) -> Ruling:
    return Ruling.objects.get(pk=ruling.pk)


def steps(ruling: Ruling) -> list[str]:
    return list(ruling.acts.values_list("step", flat=True))


def test_a_decision_with_its_effect_is_decided_before_anything_is_written(django_assert_num_queries: Any) -> None:
    here = hall()
    ledger = read(here)
    clause = next(iter(ledger.profile.clauses))
    ruling = Ruling(number=7, sitting=ledger.sitting, clause=clause, verdict=SAID)
    admitted = Admitted(here.chief, Act.DECIDE_RULING, here.event, here.sitting)
    penalty = {"unit": "levels", "entry": {"kind": "level_penalty", "side": "NS", "levels": -1}}
    with django_assert_num_queries(0):
        effect = land(ledger, admitted, AT, ruling, penalty, "")
        to = as_decided(ledger, here.chief, AT, penalty)
        change = stepped(ledger, admitted, AT, ruling, RulingStep.DECIDE, to=to, effect=effect)
        nothing = land(ledger, admitted, AT, ruling, {"unit": "warning"}, "")
    assert (nothing.writes, nothing.lines, nothing.answer) == ((), (), Landed())
    entry = effect.answer.entry
    assert entry is not None
    assert (entry.facts["levels"], entry.reason) == (-1, SAID["en"])
    assert effect.writes[0] == Add(entry)
    assert Move(ruling, to) in change.writes[len(effect.writes) :]
    assert [str(line.act) for line in change.lines] == ["penalise", "decide_ruling"]
    assert change.lines[1].new == {
        "ruling": 7, "clause": clause, "status": "decided", "appeal": "none", "penalty": "levels",
    }  # fmt: skip
    assert (change.stale, change.answer.revision, ledger.sitting.revision, ruling.status) == (True, 1, 0, "proposed")
    assert LedgerEntry.objects.count() == HistoryEntry.objects.count() == 0


def test_an_irregularity_becomes_a_ruling_a_penalty_and_an_entry_of_the_record() -> None:
    here = hall()
    play(here, sheet(35))
    assert levels(here) == ("4", "2")
    ruling = propose(here, {**TAKE_BACK, "told": "South took back the queen"}, hand_no=1)
    assert (ruling.number, ruling.status, ruling.clause, ruling.entry_id) == (
        1,
        "proposed",
        "penalty.take_back.play",
        LedgerEntry.objects.get(sitting=here.sitting).pk,
    )
    assert ruling.proposal["unit"] == "levels"
    assert ruling.proposal["entry"]["levels"] == -1
    assert levels(here) == ("4", "2"), "a proposal does nothing"
    done = decide(here, ruling)
    assert levels(here) == ("3", "2")
    assert done.entry is not None
    assert (done.entry.kind, done.entry.basis, done.entry.facts["levels"]) == ("level_penalty", "ruling", -1)
    assert done.entry.facts["why"] == {"en": "takes back a play", "zh": "悔牌"}
    assert done.revision == revision(here)
    assert steps(ruling) == ["propose", "decide"]
    assert reads.rests_on([done.entry.pk]) == {done.entry.pk: ruling}
    assert fresh(ruling).appeal_until == LATER + timedelta(minutes=30)
    assert_folds(here)


def test_every_step_is_in_the_history_without_names() -> None:
    here = hall()
    ruling = propose(here)
    decide(here, ruling)
    appeal(here, ruling)
    answer(here, ruling, upheld=False)
    acts = [row.act for row in HistoryEntry.objects.filter(subject=f"ruling:{ruling.pk}").order_by("pk")]
    assert acts == ["propose_ruling", "decide_ruling", "lodge_appeal", "decide_appeal"]
    assert HistoryEntry.objects.get(act="lodge_appeal").side == "NS"


@pytest.mark.long
def test_the_second_time_is_counted_by_side_and_stage_over_rounds() -> None:
    made = event(4, profile="scn2-2013")
    first = made.running((1, 2), (3, 4))
    here, other = sittings_of(first)

    def ruled(sitting: Any, side: str) -> Ruling:
        sitting.refresh_from_db()
        ruling = log.propose(sitting_id=sitting.pk, actor=made.actor, at=made.tick(), facts=TAKE_BACK, side=side).ruling
        log.decide(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=sitting.revision)
        return ruling

    def count(sitting: Any, side: str) -> int:
        seen = log.foresee(sitting_id=sitting.pk, actor=made.actor, facts=TAKE_BACK, side=side)
        assert seen.proposal is not None
        return int(seen.proposal["count"])

    once = ruled(here, "NS")
    assert (count(here, "NS"), count(here, "EW"), count(other, "NS")) == (2, 1, 1)
    made.end(here)
    made.end(other)
    closing.close_round(round_id=first.pk, actor=made.actor, at=made.tick())
    later = sittings_of(made.running((3, 1), (2, 4)))[0]
    assert (count(later, "EW"), count(later, "NS")) == (2, 1), "pair 1 sits East-West now"
    twice = ruled(later, "EW")
    assert twice.proposal["count"] == 2
    third = log.foresee(sitting_id=later.pk, actor=made.actor, facts=TAKE_BACK, side="EW").proposal
    assert third is not None
    assert third["entry"] == {"kind": "end", "reason": "forfeit", "by": "EW", "why": third["entry"]["why"]}
    Ruling.objects.filter(pk=once.pk).update(status="cancelled")
    assert count(later, "EW") == 2, "what was cancelled does not count"


TEMPO = {"irregularity": "illegal_information", "channel": "tempo", "reported": "South", "seen": "Twice a long pause."}


def test_illegal_information_is_counted_through_the_event_whatever_the_way() -> None:
    made = event(4, profile="scn2-2013")
    here, other = sittings_of(made.running((1, 2), (3, 4)))

    def ruled(sitting: Any, side: str, facts: dict[str, Any]) -> Ruling:
        sitting.refresh_from_db()
        ruling = log.propose(
            sitting_id=sitting.pk, actor=made.actor, at=made.tick(), facts=facts, side=side, hand_no=1
        ).ruling
        log.decide(
            ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=sitting.revision, penalty=None
        )
        return Ruling.objects.get(pk=ruling.pk)

    first = ruled(here, "NS", TEMPO)
    assert (first.proposal["count"], first.proposal["unit"], first.penalty) == (1, "warning", None)
    assert first.clause == "penalty.illegal_information.tempo"
    assert first.facts == TEMPO
    second = ruled(here, "NS", TEMPO | {"channel": "gesture", "dealer": "S", "used": "The partner led the suit."})
    assert (second.proposal["count"], second.proposal["unit"]) == (2, "result")
    assert second.clause == "penalty.illegal_information.manner"
    assert ruled(other, "EW", TEMPO).proposal["count"] == 1, "every entrant has its own"
    assert [one.number for one in reads.had_before(here, "illegal_information", "NS")] == [1, 2]
    assert reads.had_before(here, "take_back", "NS") == []
    # another stage of the event remembers, unless the event says otherwise
    other_stage = Stage.objects.get(pk=here.round.stage_id)
    other_stage.pk, other_stage.number, other_stage._state.adding = None, 9, True
    other_stage.save()
    assert reads.times_before(here, other_stage, "illegal_information", "NS") == 2
    other_stage.tournament.penalties = {"base": "standard", "memory": {"illegal_information": "stage"}}
    assert reads.times_before(here, other_stage, "illegal_information", "NS") == 0
    other_stage.delete()
    document = event_document(here.round.tournament, official=True)
    assert audit(document) == []
    bent = json.loads(json.dumps(document))
    bent["rulings"][1]["proposal"]["count"] = 1
    bent["rulings"][2]["facts"]["seen"] = ""
    found = [(one.where, one.what) for one in audit(bent) if one.where != "export"]
    assert found == [("ruling 2", "count"), ("ruling 3", "seen")]


@pytest.mark.parametrize(("left_out", "field"), [("channel", "channel"), ("reported", "reported"), ("seen", "seen")])
def test_illegal_information_is_not_ruled_on_without_evidence(left_out: str, field: str) -> None:
    here = hall()
    facts = {name: value for name, value in TEMPO.items() if name != left_out}
    found = refused(lambda: propose(here, facts))
    assert (found.code, found.field) == ("evidence_missing", field)
    assert not Ruling.objects.exists()


def test_points_go_on_the_sheet_of_the_hand() -> None:
    here = hall()
    ruling = propose(here, {"irregularity": "kitty_count", "agreed": True}, hand_no=1)
    assert refused(decide, here, ruling).code == "hand_not_recorded"
    play(here, sheet(35))
    done = decide(here, ruling, treatment="recompute")
    assert done.entry is not None
    (adjustment,) = done.entry.facts["adjustments"]
    assert (adjustment["points"], adjustment["clause"]) == (20, "penalty.kitty_count.corrected")
    assert levels(here) == ("3", "2"), "35 and 20 are 55: one level less"
    appeal(here, ruling)
    undone = answer(here, ruling, treatment="recompute")
    assert undone.entry is not None
    assert undone.entry.version == 3
    assert "adjustments" not in undone.entry.facts
    assert levels(here) == ("4", "2")
    assert_folds(here)


def test_points_come_off_a_sheet_that_was_corrected_since() -> None:
    here = hall()
    ruling = propose(here, {"irregularity": "kitty_count", "agreed": True}, hand_no=1)
    play(here, sheet(35))
    (adjustment,) = decide(here, ruling, treatment="recompute").entry.facts["adjustments"]  # type: ignore[union-attr]
    corrections.correct(
        entry_id=LedgerEntry.objects.get(sitting=here.sitting, status="effective").pk, actor=here.chief, at=LATER,
        expected_revision=revision(here), facts=sheet(30, dealer="S", adjustments=[adjustment]), reason="misread",
        treatment="recompute",
    )  # fmt: skip
    appeal(here, ruling)
    entry = answer(here, ruling, treatment="recompute").entry
    assert entry is not None
    assert (entry.version, entry.facts["captured_in_tricks"], "adjustments" in entry.facts) == (4, 30, False)


def test_a_failed_throw_that_stands_on_the_sheet_is_neither_doubled_nor_taken_off() -> None:
    here = hall()
    play(here, sheet(35, throw_failures=[{"side": "attackers", "cards": 3}]))
    ruling = propose(here, {"irregularity": "throw_fail", "cards": 3}, side="EW", hand_no=1)
    assert decide(here, ruling).entry is None
    appeal(here, ruling)
    assert answer(here, ruling).entry is None
    assert LedgerEntry.objects.filter(sitting=here.sitting).count() == 1


def test_the_result_of_a_revoke_takes_the_place_of_the_hand_played_or_not() -> None:
    here = hall()
    facts = {"irregularity": "revoke", "found": "later"}
    unplayed = propose(here, facts, side="EW", hand_no=1)
    done = decide(here, unplayed)
    assert done.entry is not None
    assert (done.entry.kind, done.entry.hand_no, levels(here)) == ("adjusted", 1, ("3", "2"))
    appeal(here, unplayed, actor=here.ew)
    assert refused(answer, here, unplayed).code == "restore_by_hand"
    corrections.correct(
        entry_id=done.entry.pk, actor=here.chief, at=LATER, expected_revision=revision(here),
        facts=sheet(120, dealer="S"), reason="as played", treatment="recompute",
    )  # fmt: skip
    assert answer(here, unplayed).entry is None, "the hand was put right by hand"

    enter(here, here.ns, sheet(60), 2)
    waiting = propose(here, facts, side="EW", hand_no=2)
    settled = decide(here, waiting)
    assert settled.entry is not None
    assert (settled.entry.kind, settled.entry.version) == ("adjusted", 2)
    assert_folds(here)


def test_an_annulled_hand_comes_back_on_appeal() -> None:
    here = hall()
    play(here, sheet(35), sheet(60))
    ruling = propose(here, {"irregularity": "off_time"}, side="", hand_no=2)
    decide(here, ruling, treatment="recompute")
    assert levels(here) == ("4", "2")
    appeal(here, ruling, actor=here.ew)
    answer(here, ruling, treatment="recompute")
    assert levels(here) == ("5", "2")
    assert_folds(here)


def test_a_forfeit_ends_the_match_and_an_appeal_lets_it_go_on() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = propose(here, {"irregularity": "absent"}, side="EW")
    decide(here, ruling)
    assert (now(here).phase, now(here).match.outcome) == ("finished", "away_forfeit")
    appeal(here, ruling, actor=here.ew)
    answer(here, ruling)
    assert (now(here).phase, now(here).match.outcome) == ("playing", "pending")
    assert_folds(here)


def test_a_match_that_a_later_pairing_replaced_takes_no_forfeit() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    old = round_.matches.get(home__number=1)
    pairs = [{"home": made.ids[home], "away": made.ids[away]} for home, away in ((1, 3), (2, 4))]
    pairing.supersede_pairing(round_id=round_.pk, actor=made.actor, at=made.tick(), pairs=pairs, reason="wrong list")
    ruled = {"match_id": old.pk, "outcome": "home_forfeit", "reason": "absent"}
    with pytest.raises(Refusal, match="sitting_replaced"):
        officials_entries.forfeit(actor=made.actor, at=made.tick(), **ruled)


def test_a_warning_and_no_penalty_write_nothing() -> None:
    here = hall()
    warned = propose(here, {"irregularity": "slow_play"})
    assert decide(here, warned).entry is None
    assert fresh(warned).penalty == {"unit": "warning"}
    spared = propose(here)
    assert decide(here, spared, penalty=None, reason="The card was not seen").entry is None
    assert fresh(spared).penalty is None
    assert not LedgerEntry.objects.exists()
    assert Ruling.objects.get(pk=spared.pk).acts.get(step="decide").reason == "The card was not seen"


FINE = {"sides": ["NS"], "match_points": "-0.5", "mode": "add"}
SPLIT = {"sides": ["NS"], "match_points": "0", "mode": "set", "scores": {"NS": "0", "EW": "1.5"}}
OUT = {"sides": ["EW"], "excluded": True}


@pytest.mark.parametrize(
    ("unit", "entry", "scores", "guilty"),
    [
        ("match_points", FINE, {}, ["NS"]),
        ("match_points", {**FINE, "sides": ["EW", "NS"], "match_points": "-100"}, {}, ["EW", "NS"]),
        ("match_points", SPLIT, {"NS": 0, "EW": Fraction(3, 2)}, ["NS"]),
        ("match_points", {**FINE, "mode": "set", "match_points": "1"}, {"NS": 1}, ["NS"]),
        ("exclusion", OUT, {}, ["EW"]),
    ],
)
def test_the_chief_may_decide_what_acts_on_the_standings(
    unit: str, entry: dict[str, Any], scores: dict[str, Any], guilty: list[str]
) -> None:
    here = hall()
    ruling = propose(here)
    decide(here, ruling, penalty={"unit": unit, "entry": entry})
    (one,) = penalised.penalised(here.event)
    entrants = {"NS": here.sitting.match.home_id, "EW": here.sitting.match.away_id}
    assert one.guilty == tuple(entrants[side] for side in guilty)
    assert one.scores == {entrants[side]: score for side, score in scores.items()}
    appeal(here, ruling)
    answer(here, ruling)
    assert penalised.penalised(here.event) == []


@pytest.mark.parametrize(
    ("unit", "change"),
    [
        ("match_points", {"match_points": "0.25"}),
        ("match_points", {"match_points": "1"}),
        ("match_points", {"match_points": -1}),
        ("match_points", {"match_points": "-101"}),
        ("match_points", {"match_points": "١"}),
        ("match_points", {"sides": []}),
        ("match_points", {"sides": ["NS", "NS"]}),
        ("match_points", {"sides": ["1"]}),
        ("match_points", {"sides": "NS"}),
        ("match_points", {"mode": "halve"}),
        ("match_points", {"scores": {"NS": "0"}}),
        ("match_points", {"mode": "set", "scores": {"N": "0"}}),
        ("match_points", {"mode": "set", "scores": {"EW": "x"}}),
        ("exclusion", {}),
        ("exclusion", {"excluded": True, "sides": ["NS", "EW"]}),
    ],
)
def test_what_cannot_act_on_the_standings(unit: str, change: dict[str, Any]) -> None:
    here = hall()
    ruling = propose(here)
    refusal = refused(decide, here, ruling, penalty={"unit": unit, "entry": {**FINE, **change}})
    assert (refusal.code, fresh(ruling).status) == ("bad_penalty", "proposed")


@pytest.mark.parametrize(
    ("facts", "side", "times", "outcome"),
    [
        ({"irregularity": "absent", "both": True}, "", 1, "double_forfeit"),
        ({"irregularity": "absent"}, "EW", 2, "away_forfeit"),
        ({"irregularity": "misconduct"}, "NS", 2, "pending"),
    ],
)
def test_who_is_out_of_the_event_does_not_play_on(facts: dict[str, Any], side: str, times: int, outcome: str) -> None:
    here = hall()
    play(here, sheet(35))
    for _ in range(times - 1):
        decide(here, propose(here, facts, side=side), penalty={"unit": "warning"})
    ruling = propose(here, facts, side=side)
    decide(here, ruling)
    assert now(here).match.outcome == outcome
    appeal(here, ruling)
    answer(here, ruling)
    assert (now(here).match.outcome, now(here).phase) == ("pending", "playing")
    assert_folds(here)


def test_an_appeal_against_exclusion_leaves_a_match_that_was_over_before_as_it_was() -> None:
    here = hall()
    play(here, sheet(35))
    decide(here, propose(here, {"irregularity": "absent"}, side="EW"))
    assert now(here).match.outcome == "away_forfeit"
    ruling = propose(here, {"irregularity": "absent"}, side="EW")
    assert ruling.proposal["unit"] == "exclusion"
    decide(here, ruling, at=LATER + timedelta(minutes=1))
    appeal(here, ruling, actor=here.ew, at=LATER + timedelta(minutes=2))
    answer(here, ruling)
    assert now(here).match.outcome == "away_forfeit"


def test_a_case_cites_a_clause_and_may_end_with_a_penalty_of_the_chief() -> None:
    here = hall()
    play(here, sheet(35))
    refusal = refused(propose, here, CASE, verdict=SAID)
    assert (refusal.code, refusal.field, refusal.status) == ("clause_required", "clause", 400)
    clause = next(iter(here.event.profile.clauses))
    ruling = propose(here, CASE, clause=clause, verdict=SAID, side="EW")
    assert (ruling.verdict, ruling.proposal, ruling.clause) == (SAID, None, clause)
    assert ruling.profile_digest == here.event.profile_digest
    done = decide(
        here, ruling, penalty={"unit": "levels", "entry": {"kind": "level_penalty", "side": "NS", "levels": -1}}
    )
    assert done.entry is not None
    assert levels(here) == ("3", "2")
    assert [one.pk for one in reads.same_clause(propose(here, CASE, clause=clause, verdict=SAID))] == [ruling.pk]


@pytest.mark.parametrize(
    ("facts", "more", "code", "field"),
    [
        ({}, {}, "facts_missing", "facts"),
        ({**CASE, **TAKE_BACK}, {}, "facts_missing", "facts"),
        ({"irregularity": "none such"}, {}, "unknown_value", "irregularity"),
        ({**TAKE_BACK, "earlier": 2}, {}, "unknown_field", "facts"),
        ({**CASE, "cards": 3}, {}, "unknown_field", "facts"),
        ({"irregularity": ["x"]}, {}, "unknown_value", "irregularity"),
        ({"irregularity": "late"}, {}, "missing", "minutes"),
        ({"irregularity": "late", "minutes": "ten"}, {}, "not_a_whole_number", "minutes"),
        (TAKE_BACK, {"side": ""}, "missing", "by"),
        (TAKE_BACK, {"side": "N"}, "unknown_side", "side"),
        (TAKE_BACK, {"hand_no": 2}, "unknown_hand", "hand_no"),
        (TAKE_BACK, {"hand_no": 0}, "unknown_hand", "hand_no"),
        ({**TAKE_BACK, "told": "x" * 1001}, {}, "text_too_long", "told"),
        ({"case": {"kind": "follow"}}, {"clause": "penalty.late.levels"}, "bad_case", "facts"),
        ({"case": "follow"}, {"clause": "penalty.late.levels"}, "bad_case", "facts"),
        (CASE, {"clause": "penalty.late.levels"}, "verdict_missing", "verdict"),
        (CASE, {"clause": "penalty.late.levels", "verdict": {"en": "x", "zh": " "}}, "verdict_missing", "verdict"),
    ],
)  # fmt: skip
def test_facts_that_cannot_be_judged(facts: dict[str, Any], more: dict[str, Any], code: str, field: str) -> None:
    here = hall()
    refusal = refused(log.propose, sitting_id=here.sitting.pk, actor=here.referee, at=AT, facts=facts,
                      **{"side": "NS", **more})  # fmt: skip
    assert (refusal.code, refusal.field, refusal.status) == (code, field, 400)
    assert not Ruling.objects.exists()


@pytest.mark.parametrize(
    "penalty",
    [
        {},
        {"unit": "levels"},
        {"unit": "warning", "entry": {}},
        {"unit": "levels", "entry": {"kind": "hand"}},
        {"unit": "points", "entry": {"facts": [1]}},
        {"unit": "points", "entry": {"adjustments": []}},
        {"unit": "forfeit", "entry": {"kind": "end", "reason": "time"}},
        {"unit": "points", "entry": {"adjustments": [{"points": 5}]}},
        {"unit": "levels", "entry": {"kind": "level_penalty", "side": "NS", "levels": "many"}},
        "another",
    ],
)
def test_a_penalty_that_cannot_be_read_writes_nothing(penalty: Any) -> None:
    here = hall()
    play(here, sheet(35))
    ruling = propose(here, hand_no=1)
    before = LedgerEntry.objects.count()
    assert refused(decide, here, ruling, penalty=penalty).status in (400, 409)
    assert (fresh(ruling).status, LedgerEntry.objects.count()) == ("proposed", before)


def test_each_step_once_and_in_its_order() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = propose(here)
    assert refused(appeal, here, ruling).code == "ruling_open"
    assert refused(answer, here, ruling).code == "no_appeal"
    decide(here, ruling)
    assert refused(decide, here, ruling).code == "ruling_decided"
    appeal(here, ruling)
    assert refused(appeal, here, ruling, actor=here.ew).code == "appeal_open"
    assert refused(cancel, here, ruling).code == "appeal_open"
    answer(here, ruling, upheld=False)
    assert refused(answer, here, ruling).code == "appeal_decided"
    assert levels(here) == ("3", "2"), "a rejected appeal changes nothing"
    cancel(here, ruling)
    assert levels(here) == ("4", "2")
    assert refused(cancel, here, ruling).code == "ruling_cancelled"
    assert steps(ruling) == ["propose", "decide", "lodge", "reject", "cancel"]
    assert [row.facts["levels"] for row in LedgerEntry.objects.filter(kind="level_penalty")] == [-1, 1]


def test_an_upheld_appeal_gives_back_what_was_really_taken() -> None:
    here = hall()
    ruling = propose(here)
    decide(here, ruling)
    assert levels(here) == ("2", "2"), "nothing is below the first level"
    play(here, sheet(35, dealer="N"))
    appeal(here, ruling)
    done = answer(here, ruling)
    assert done.entry is None
    assert levels(here) == ("4", "2"), "and nothing is given back that was not taken"
    assert fresh(ruling).appeal == "upheld"
    assert not fresh(ruling).stands


def test_levels_come_back_before_an_end_that_was_entered() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = propose(here)
    decide(here, ruling)
    officials_entries.end_sitting(
        sitting_id=here.sitting.pk, actor=here.referee, at=LATER, expected_revision=revision(here), reason="time"
    )
    assert now(here).match.home_level == "3"
    appeal(here, ruling)
    done = answer(here, ruling)
    assert done.entry is not None
    assert (now(here).phase, now(here).match.home_level, levels(here)) == ("finished", "4", ("4", "2"))
    kinds = LedgerEntry.objects.filter(sitting=here.sitting, status="effective").order_by("position")
    assert list(kinds.values_list("kind", flat=True)) == ["hand", "level_penalty", "level_penalty", "end"]
    assert_folds(here)


def test_appeals_have_a_time_and_a_side() -> None:
    here = hall()
    Tournament.objects.filter(pk=here.event.pk).update(appeal_minutes=10)
    ruling = propose(here)
    decide(here, ruling)
    until = LATER + timedelta(minutes=10)
    assert refused(appeal, here, ruling, at=until + timedelta(seconds=1)).code == "appeal_late"
    assert refused(appeal, here, ruling, actor=here.referee).code == "unknown_side"
    appeal(here, ruling, actor=here.referee, side="NS", at=until)
    act = ruling.acts.get(step="lodge")
    assert (act.side, act.user) == ("NS", here.referee.user)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["one", "two"], "committee_even"),
        (["one", "two", "nobody"], "committee_unknown"),
        (["one", "one", "two"], "committee_unknown"),
        (["chief", "one", "two"], "committee_ruled"),
        (["one", "two", "player"], "committee_concerned"),
        (["one", "two", "in_latin"], "committee_concerned"),
        (["one", "two", "gone"], "committee_unknown"),
    ],
)
def test_who_may_sit_on_a_committee(names: list[str], code: str) -> None:
    here, known = with_committee()
    ruling = propose(here)
    decide(here, ruling)
    appeal(here, ruling)
    committee = [known.get(name, name) for name in names]
    refusal = refused(answer, here, ruling, committee=committee)
    assert (refusal.code, refusal.field) == (code, "committee")
    assert fresh(ruling).appeal == "lodged"
    done = answer(here, ruling, committee=[known[name] for name in ("one", "two", "three")])
    act = done.ruling.acts.get(step="uphold")
    assert [member.user.username for member in act.committee.all()] == [known[name] for name in ("one", "two", "three")]


def with_committee() -> tuple[Hall, dict[str, str]]:
    """A table, and the names with which officials sign in: one has been dismissed, two are called like who plays
    at that table."""
    here = hall()
    known = {"chief": here.chief.user.username}
    for name in ("one", "two", "three", "player", "in_latin", "gone"):
        known[name] = official(here.event).user.username
    Official.objects.filter(user__username=known["gone"]).update(revoked_at=AT)
    plays = Player.objects.filter(entrant=here.sitting.match.away).first() or Player.objects.create(
        entrant=here.sitting.match.away, order=1, name="周倩"
    )
    User.objects.filter(username=known["player"]).update(display_name=plays.name)
    Player.objects.filter(pk=plays.pk).update(name_latin="Zhou Qian")
    User.objects.filter(username=known["in_latin"]).update(display_name="ZHOU Qian")
    return here, known


def test_a_committee_overturns_in_a_closed_round_what_the_chief_who_writes_it_down_ruled() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    here = sittings_of(round_)[0]
    ruling = log.propose(sitting_id=here.pk, actor=made.actor, at=made.tick(), facts=TAKE_BACK, side="NS").ruling
    log.decide(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=here.revision)
    for sitting in sittings_of(round_):
        made.end(sitting)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    other = colleague(made, Office.CHIEF_REFEREE)
    Official.objects.create(
        tournament=made.tournament, user=made.actor.user, office=Office.CHIEF_REFEREE, appointed_at=AT
    )
    appeals.lodge_appeal(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), side="NS", reason="Not so")
    here.refresh_from_db()
    stated = {"expected_revision": here.revision, "upheld": True, "reason": "x", "ruling_id": ruling.pk}
    assert refused(appeals.decide_appeal, actor=made.actor, at=made.tick(), **stated).code == "second_official_same"
    done = appeals.decide_appeal(actor=made.actor, at=made.tick(), committee=[other.user.username], **stated)
    assert done.ruling.appeal == "upheld"


def test_an_open_appeal_keeps_the_standings_provisional_and_nothing_published_changes() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    here = sittings_of(round_)[0]
    made.hand(here, 35)
    here.refresh_from_db()
    ruling = log.propose(sitting_id=here.pk, actor=made.actor, at=made.tick(), facts=TAKE_BACK, side="NS").ruling
    log.decide(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=here.revision)
    for sitting in sittings_of(round_):
        made.end(sitting)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    appeals.lodge_appeal(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), side="NS", reason="Not so")
    first = publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    assert first.provisional
    document = first.document
    assert results.open_tables(round_.stage)[0]["phase"] == "appeal"
    here.refresh_from_db()
    appeals.decide_appeal(
        ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=here.revision, upheld=True,
        reason="It lay open",
    )  # fmt: skip
    first.refresh_from_db()
    assert first.document == document
    assert verify(first) == {"digest": True, "rows": True}
    assert results.open_tables(round_.stage) == []
    here.refresh_from_db()
    assert here.match.__class__.objects.get(pk=here.match_id).home_level == "4"


def test_in_a_closed_round_another_official_overturns_and_a_hand_waits_for_a_second() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    here = sittings_of(round_)[0]
    made.hand(here, 35)
    here.refresh_from_db()
    at_hand = {"sitting_id": here.pk, "side": "NS", "hand_no": 1}
    facts = {"irregularity": "kitty_count", "agreed": True}
    ruling = log.propose(actor=made.actor, at=made.tick(), facts=facts, **at_hand).ruling
    log.decide(
        ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=here.revision, treatment="recompute"
    )
    for sitting in sittings_of(round_):
        made.end(sitting)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    other = colleague(made, Office.CHIEF_REFEREE)
    chief = made.actor
    Official.objects.create(tournament=made.tournament, user=chief.user, office=Office.CHIEF_REFEREE, appointed_at=AT)
    appeals.lodge_appeal(ruling_id=ruling.pk, actor=chief, at=made.tick(), side="NS", reason="Not so")
    here.refresh_from_db()
    stated = {
        "ruling_id": ruling.pk, "at": made.tick(), "expected_revision": here.revision, "upheld": True,
        "reason": "x", "treatment": "recompute",
    }  # fmt: skip
    assert refused(appeals.decide_appeal, actor=chief, **stated).code == "second_official_same"
    done = appeals.decide_appeal(actor=other, **stated)
    assert done.entry is None
    assert done.correction is not None
    assert done.correction.status == Correction.Status.PROPOSED
    assert Round.objects.get(pk=round_.pk).status == "closed"


@pytest.mark.parametrize("hands", [[35], []])
def test_a_forfeit_overturned_in_a_closed_round_leaves_a_match_that_the_chief_ends(hands: list[int]) -> None:
    """What was published stays; the table waits for an end, and the next round can be played meanwhile."""
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    here = sittings_of(round_)[0]
    for total in hands:
        made.hand(here, total)
    here.refresh_from_db()
    ruling = log.propose(sitting_id=here.pk, actor=made.actor, at=made.tick(), facts=TAKE_BACK, side="NS").ruling
    forfeit = {"unit": "forfeit", "entry": {"kind": "end", "reason": "forfeit", "by": "NS"}}
    log.decide(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=here.revision, penalty=forfeit)
    made.end(sittings_of(round_)[1])
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    appeals.lodge_appeal(ruling_id=ruling.pk, actor=made.actor, at=made.tick(), side="NS", reason="Not so")
    first = publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    document = first.document
    here.refresh_from_db()
    appeals.decide_appeal(
        ruling_id=ruling.pk, actor=made.actor, at=made.tick(), expected_revision=here.revision, upheld=True, reason="x"
    )
    here.refresh_from_db()
    assert (here.phase, here.match.outcome) == ("playing", "pending")
    assert [row["phase"] for row in results.open_tables(round_.stage)] == ["playing"]
    assert [(one.kind, one.table) for one in board.queue(made.tournament, made.now)] == [("unfinished", 1)]
    made.end(here)
    here.match.refresh_from_db()
    assert (here.match.outcome, here.match.home_level) == ("played", "4" if hands else "2")
    assert board.queue(made.tournament, made.now) == []
    first.refresh_from_db()
    assert first.document == document
    assert verify(first) == {"digest": True, "rows": True}


@pytest.mark.parametrize("act", [decide, cancel, answer])
def test_what_may_move_the_record_states_what_it_saw(act: Any) -> None:
    here = hall()
    play(here, sheet(35))
    ruling = propose(here)
    if act is not decide:
        decide(here, ruling)
        if act is answer:
            appeal(here, ruling)
    assert refused(act, here, ruling, expected_revision=None).status == 428
    assert refused(act, here, ruling, expected_revision=revision(here) - 1).status == 412
    assert act(here, ruling).ruling.pk == ruling.pk


def test_who_may() -> None:
    here = hall()
    far = hall()
    ruling = propose(here)
    for actor, code in ((here.referee, "forbidden"), (here.organiser, "forbidden"), (here.ns, "forbidden"),
                        (far.chief, "not_found"), (far.ns, "not_found")):  # fmt: skip
        assert refused(decide, here, ruling, actor=actor).code == code
    for actor in (here.organiser, here.ns):
        assert refused(propose, here, actor=actor).code == "forbidden"
    withdrawn = propose(here)
    cancel(here, withdrawn, actor=here.referee)
    decide(here, ruling)
    assert refused(cancel, here, ruling, actor=here.referee).code == "forbidden"
    assert refused(appeal, here, ruling, actor=far.ns).code == "not_found"
    appeal(here, ruling, actor=here.ew)
    assert ruling.acts.get(step="lodge").side == "EW"
    assert refused(answer, here, ruling, actor=here.organiser).code == "forbidden"
    assert refused(log.cancel, ruling_id=10**9, actor=here.chief, at=AT, expected_revision=0,
                   reason="x").code == "not_found"  # fmt: skip


def test_a_referee_of_other_tables_does_not_rule_here() -> None:
    here = hall(tables=2)
    elsewhere = official(here.event, tables=(here.sittings[1].table,))
    assert refused(propose, here, actor=elsewhere).code == "forbidden"


def test_the_log_puts_open_appeals_first_and_is_searched_by_clause_table_and_entrant() -> None:
    here = hall(tables=2)
    appealed = propose(here)
    decide(here, appealed)
    appeal(here, appealed)
    decide(here, decided := propose(here, {"irregularity": "slow_play"}))
    waiting = propose(here, sitting_id=here.sittings[1].pk)

    def found(**search: Any) -> list[Ruling]:
        return list(reads.log(here.event, **search))

    assert found() == [appealed, waiting, decided]
    assert found(clause="penalty.slow") == [decided]
    assert found(clause="penalty.take_back.play") == [appealed, waiting]
    assert found(table=2) == [waiting]
    assert found(entrant=2) == [appealed, decided]
    assert found(entrant=3) == [waiting]
    assert found(table=9) == []


def test_the_digest_holds_decided_rulings_by_clause() -> None:
    here = hall()
    play(here, sheet(35))
    decide(here, first := propose(here))
    propose(here)
    cancel(here, propose(here))
    decide(here, second := propose(here))
    appeal(here, second)
    answer(here, second)
    (clause,) = reads.digest(here.event)
    assert (clause.clause, clause.rulings, clause.standing) == ("penalty.take_back.play", (first, second), 1)
    assert clause.text["zh"]


@pytest.mark.long
def test_the_log_takes_one_query_however_long() -> None:
    here = hall()
    for _ in range(3):
        propose(here)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        rows = list(reads.log(here.event))
        assert [(str(one.proposed_by), one.sitting.table.number, one.sitting.match.home.number) for one in rows]
    assert len(asked) == 1


def test_an_event_chooses_its_schedule_and_its_time_to_appeal() -> None:
    here = hall()

    def change(**changes: Any) -> Tournament:
        return setup.update_tournament(tournament_id=here.event.pk, actor=here.organiser, at=AT, changes=changes)

    assert here.event.penalty_schedule.id == "standard"
    own = {"base": "friendly", "set": {"take_back.play": [{"unit": "forfeit"}]}}
    changed = change(penalties=own, appeal_minutes=5)
    assert (changed.penalty_schedule.spec, changed.appeal_time) == (own, timedelta(minutes=5))
    ruling = propose(here)
    assert ruling.proposal["unit"] == "forfeit"
    assert change(penalties=None, appeal_minutes=None).appeal_time == timedelta(minutes=30)
    for wrong in ({"penalties": "none such"}, {"penalties": {"base": "strict", "set": {"x": []}}},
                  {"penalties": "singles"}, {"penalties": {"base": "singles"}},
                  {"appeal_minutes": -1}, {"appeal_minutes": "5"}, {"appeal_minutes": True}):  # fmt: skip
        assert refused(change, **wrong).status == 400
    assert HistoryEntry.objects.filter(act="set_up").count() == 2


def test_what_waits_for_the_chief_referee_is_in_the_queue() -> None:
    here = hall(tables=2)
    appealed = propose(here)
    decide(here, appealed)
    appeal(here, appealed)
    propose(here, sitting_id=here.sittings[1].pk)
    waits = [(one.kind, one.table, one.since) for one in board.queue(here.event, LATER) if one.ruling]
    assert waits == [("ruling", 2, AT), ("appeal", 1, LATER)]


# A penalty given directly at the table is a ruling like any other


def give(here: Hall, levels: int = -1, side: str = "NS", **more: Any) -> Done:
    """A penalty as the form at the table gives it."""
    given = {"actor": here.chief, "expected_revision": revision(here), "clause": "penalty.take_back.play", **more}
    return given_penalties.penalise_level(
        sitting_id=here.sitting.pk, at=LATER, side=side, levels=levels, reason="South took back the queen", **given
    )


def rule(here: Hall) -> Ruling:
    """The same offence by way of a ruling."""
    ruling = propose(here)
    decide(here, ruling)
    return ruling


@pytest.mark.parametrize("first", [give, rule])
@pytest.mark.parametrize("second", [give, rule])
def test_the_second_time_is_the_second_step_whichever_way_the_first_was_given(first: Any, second: Any) -> None:
    here = hall()
    for captured in (35, 35):
        play(here, sheet(captured))
    first(here)
    second(here)
    counts = [one.proposal["count"] for one in Ruling.objects.order_by("number")]
    assert counts == [1, 2]
    third = propose(here)
    assert (third.proposal["count"], third.proposal["unit"]) == (3, "forfeit")
    assert propose(here, side="EW").proposal["count"] == 1
    assert audit(event_document(here.sitting.round.tournament, official=True)) == []


def test_a_penalty_given_at_the_table_is_a_ruling_decided_at_once() -> None:
    here = hall()
    play(here, sheet(35))
    done = give(here)
    ruling = done.ruling
    assert (ruling.source, ruling.status, ruling.side, ruling.clause) == (
        "official",
        "decided",
        "NS",
        "penalty.take_back.play",
    )
    assert done.entry is not None
    assert ruling.penalty == {"unit": "levels", "entry": done.entry.facts}
    assert ruling.verdict == {"en": "N–S: takes back a play: 1 level down.", "zh": "南北方：悔牌：降 1 级。"}
    assert ruling.facts["told"] == done.entry.reason == "South took back the queen"
    assert (done.entry.facts["why"], levels(here)) == ({"en": "takes back a play", "zh": "悔牌"}, ("3", "2"))
    assert steps(ruling) == ["propose", "decide"]
    assert done.revision == revision(here)
    assert give(here).ruling.verdict["zh"] == "南北方：悔牌：降 1 级（第 2 次）。"


def test_taken_back_or_overturned_it_no_longer_counts() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = give(here).ruling
    appeal(here, ruling)
    answer(here, ruling)
    assert levels(here) == ("4", "2")
    assert propose(here).proposal["count"] == 1
    cancel(here, give(here).ruling)
    assert levels(here) == ("4", "2")
    assert propose(here).proposal["count"] == 1


def test_levels_given_to_a_side_are_for_an_act_of_the_other() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = give(here, 1, "EW", clause="penalty.late.levels").ruling
    assert (ruling.side, levels(here)) == ("NS", ("4", "3"))
    assert ruling.verdict["en"].endswith("1 level up for the opponents.")
    counted = [reads.times_before(here.sitting, here.sitting.round.stage, "late", side) for side in ("NS", "EW")]
    assert counted == [1, 0]


def test_a_clause_of_the_rules_makes_a_ruling_without_an_irregularity() -> None:
    here = hall()
    play(here, sheet(35))
    ruling = give(here, clause="referee.level_penalty").ruling
    assert ("irregularity" in ruling.facts, ruling.proposal) == (False, None)
    assert ruling.verdict["zh"] == "南北方：South took back the queen：降 1 级。"
    assert refused(give, here, clause="nobody.wrote_this").code == "clause_required"
    assert Ruling.objects.count() == 1
