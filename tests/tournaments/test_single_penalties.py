"""Whole evenings of single players in which one is penalised, forfeits or never comes: the others keep theirs.

Each goes from seats to a published table; the audit works everything out again, and so does a certificate.
"""

from __future__ import annotations

from typing import Any

import pytest

from scoring.individual.entries import IndividualEnd
from tests.tournaments.individual import Evening, allied, alone, evening, everyone, sittings_of
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit, certify
from tournaments.audit.record import event_document
from tournaments.events.setup import update_tournament
from tournaments.ledger.officials_entries import end_sitting
from tournaments.models import LedgerEntry, Match, MatchOutcome, MatchPlace, Ruling, Sitting
from tournaments.rulings import given_penalties, log
from tournaments.rulings.appeals import decide_appeal, lodge_appeal
from tournaments.rulings.log import cancel
from tournaments.stages.misfits import BadSetting
from tournaments.standings.runs import live_rows, publish, recalculate, verify

pytestmark = pytest.mark.django_db


def rule(here: Evening, sitting: Sitting, irregularity: str, place: str, **facts: Any) -> Ruling:
    """A ruling by the schedule, decided at once."""
    hand_no = facts.pop("hand_no", None)
    done = log.propose(
        sitting_id=sitting.pk,
        actor=here.actor,
        at=here.tick(),
        facts={"irregularity": irregularity, **facts},
        side=place,
        hand_no=hand_no,
        at_once=True,
    )
    sitting.refresh_from_db()
    ruling: Ruling = done.ruling
    return ruling


def scores(sitting: Sitting) -> dict[str, int | None]:
    rows = MatchPlace.objects.filter(match=sitting.match_id)
    return {row.place: None if row.hundredths is None else row.hundredths // 100 for row in rows}


def points(here: Evening) -> dict[int, str]:
    numbers = {pk: number for number, pk in here.ids.items()}
    return {numbers[row["entrant"]]: row["values"]["points"] for row in live_rows(here.tournament.stages.get())}


def sound(here: Evening, last: Any) -> None:
    """The table is published and verified; audit and certificate find nothing."""
    stage = here.tournament.stages.get()
    made = publish(stage_id=stage.pk, round_id=last.pk, actor=here.actor, at=here.tick())
    assert verify(made) == {"digest": True, "rows": True}
    recalculate(tournament_id=here.tournament.pk, at=here.tick())
    here.tournament.refresh_from_db()
    document = event_document(here.tournament, official=True)
    assert audit(document) == []
    assert certify(document).clean


@pytest.mark.long
def test_an_evening_in_which_one_never_comes():
    """Two tables; at the second one player is absent: that table is over, the first is played, and the round closes."""
    here = evening("I1", 8, stage={"hands": 2, "rounds_planned": 2})
    round_ = here.seated((1, 2, 3, 4), (5, 6, 7, 8))
    first, second = sittings_of(round_)
    ruling = rule(here, second, "absent", "3")
    assert ruling.penalty["entry"] == {
        "kind": "end",
        "reason": "forfeit",
        "by": "3",
        "why": {"en": "does not appear", "zh": "缺席"},
    }
    assert second.phase == "finished"
    match = Match.objects.get(pk=second.match_id)
    assert (match.outcome, match.decided_by) == (MatchOutcome.PLAYED, "forfeit")
    assert scores(second) == {"1": 0, "2": 0, "3": 0, "4": 0}
    assert not MatchPlace.objects.filter(match=match, winner=True).exists()
    here.enter(first, alone("1", 95, 60))
    here.enter(first, alone("2", 95, 60))
    here.close(round_)
    assert points(here) == {1: "2", 2: "2", 3: "-2", 4: "-2", **dict.fromkeys((5, 6, 7, 8), "0")}
    # the second time, in the same stage: excluded, and the table that had begun keeps what the others have
    again = here.seated((5, 6, 7, 8), (1, 2, 3, 4))
    third, fourth = sittings_of(again)
    here.enter(third, alone("1", 95, 60))
    out = rule(here, third, "absent", "3")
    assert out.penalty["unit"] == "exclusion"
    assert scores(third) == {"1": 3, "2": -1, "3": -1, "4": -1}
    here.enter(fourth, alone("1", 95, 60))
    here.enter(fourth, alone("1", 95, 100))
    here.close(again)
    rows = live_rows(here.tournament.stages.get())
    excluded = [row["entrant"] for row in rows if row["rank"] is None]
    assert excluded == [here.ids[7]]
    sound(here, again)


@pytest.mark.long
def test_who_forfeits_loses_the_table_alone_and_gets_it_back_on_appeal():
    here = evening("I2", 4, stage={"hands": 3, "rounds_planned": 1})
    round_ = here.round()
    (sitting,) = sittings_of(round_)
    here.enter(sitting, everyone([100, 60, 40, 40], "1", 0))
    for _ in range(2):
        rule(here, sitting, "take_back", "1")
    assert LedgerEntry.objects.filter(kind="penalty").count() == 2
    ruling = rule(here, sitting, "take_back", "1")
    assert ruling.penalty["unit"] == "forfeit"
    assert scores(sitting) == {"1": 0, "2": 60, "3": 40, "4": 40}
    assert [row.place for row in MatchPlace.objects.filter(winner=True)] == ["2"]
    lodge_appeal(ruling_id=ruling.pk, actor=here.actor, at=here.tick(), side="1", reason="it was seat 2")
    decide_appeal(
        ruling_id=ruling.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=sitting.revision,
        upheld=True,
        reason="heard",
    )
    sitting.refresh_from_db()
    assert sitting.phase == "playing"
    here.enter(sitting, everyone([60, 60, 60, 60], "1", 0))
    here.enter(sitting, everyone([60, 60, 60, 60], "1", 0))
    assert scores(sitting) == {"1": 200, "2": 180, "3": 160, "4": 160}
    here.close(round_)
    sound(here, round_)


@pytest.mark.long
def test_a_hand_of_friends_is_ruled_against_the_player_at_fault():
    """Dealer and ally are taken from the hand on record; another fault takes a level; the offended get theirs."""
    here = evening("I3", 5, stage={"rounds_planned": 1})
    round_ = here.round()
    (sitting,) = sittings_of(round_)
    here.enter(sitting, allied("1", "2", 125))
    ruling = rule(here, sitting, "revoke", "4", found="later", hand_no=1)
    assert ruling.penalty["entry"]["gains"] == {"1": 1, "2": 1, "3": 0, "4": 0, "5": 0}
    sitting.refresh_from_db()
    assert sitting.state["levels"] == {"1": "3", "2": "3", "3": "2", "4": "2", "5": "2"}
    rule(here, sitting, "take_back", "2")
    sitting.refresh_from_db()
    assert sitting.state["levels"]["2"] == "2"
    here.end(sitting)
    here.close(round_)
    assert MatchPlace.objects.get(place="2").penalties == 1
    sound(here, round_)


@pytest.mark.long
def test_points_on_the_sheet_and_a_fine_count_for_the_hand():
    fined = {"base": "sandayi", "set": {"throw_fine": 10}}
    here = evening("I1", 4, stage={"hands": 2, "rounds_planned": 1}, profile=fined)
    round_ = here.round()
    (sitting,) = sittings_of(round_)
    here.enter(sitting, alone("1", 95, 80))
    rule(here, sitting, "kitty_count", "1", agreed=True, hand_no=1)
    row = LedgerEntry.objects.get(status="effective", kind="hand")
    assert [one["points"] for one in row.facts["adjustments"]] == [20]
    sitting.refresh_from_db()
    assert sitting.state["scores"]["1"] == -3
    cancel(
        ruling_id=Ruling.objects.get().pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=sitting.revision,
        reason="they did not agree",
    )
    sitting.refresh_from_db()
    assert sitting.state["scores"]["1"] == 3
    rule(here, sitting, "throw_fail", "1", cards=2, hand_no=1)
    sitting.refresh_from_db()
    assert sitting.state["scores"]["1"] == -3
    here.enter(sitting, alone("2", 95, 0))
    here.close(round_)
    sound(here, round_)


@pytest.mark.long
def test_a_penalty_given_at_the_table_stands_beside_what_the_schedule_says():
    here = evening("I2", 4, stage={"rounds_planned": 1})
    (sitting,) = sittings_of(here.round())
    done = given_penalties.penalise_player(
        sitting_id=sitting.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=sitting.revision,
        place="2",
        amount=-10,
        reason="took a card back",
        clause="penalty.take_back.play",
    )
    assert done.ruling.proposal["entry"]["points"] == -10
    assert done.ruling.verdict["zh"].startswith("2 号位")


def end(here: Evening, sitting: Sitting, **facts: Any) -> None:
    sitting.refresh_from_db()
    end_sitting(sitting_id=sitting.pk, actor=here.actor, at=here.tick(), expected_revision=sitting.revision, **facts)


@pytest.mark.long
def test_an_official_awards_the_others_a_score():
    here = evening("I1", 4, stage={"hands": 2, "rounds_planned": 1})
    round_ = here.round()
    (sitting,) = sittings_of(round_)
    here.enter(sitting, alone("1", 95, 100))
    end(here, sitting, reason="forfeit", by="4", award=2, why="went home")
    assert scores(sitting) == {"1": -1, "2": 3, "3": 3, "4": 0}
    entry = LedgerEntry.objects.get(kind="end")
    assert entry.facts == IndividualEnd("forfeit", "went home", by="4", award=2).to_json()
    here.close(round_)
    sound(here, round_)


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"reason": "forfeit"}, "missing"),
        ({"reason": "forfeit", "by": "5"}, "unknown_value"),
        ({"reason": "time", "award": 2}, "unknown_field"),
    ],
)
def test_an_end_that_makes_no_sense_is_refused(facts: dict[str, Any], code: str):
    here = evening("I1", 4)
    (sitting,) = sittings_of(here.round())
    with pytest.raises(Refusal) as refused:
        end(here, sitting, **facts)
    assert code in str(refused.value.__dict__)


def test_an_evening_of_single_players_takes_no_schedule_for_two_sides():
    here = evening("I1", 4, stage={"hands": 2, "rounds_planned": 2})
    with pytest.raises(BadSetting) as refused:
        update_tournament(
            tournament_id=here.tournament.pk, actor=here.actor, at=here.tick(), changes={"penalties": "strict"}
        )
    assert refused.value.field == "penalties"
    assert "two sides" in refused.value.message["en"]
    changes = {"penalties": {"base": "singles", "memory": {"absent": "event"}}}
    changed = update_tournament(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick(), changes=changes)
    assert changed.penalty_schedule.individual
