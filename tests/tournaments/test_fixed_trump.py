"""An event of fixed trump without levels (固定主) from its set-up to standings and audit: hands, table, page, paper."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from scoring.cards.records import write
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat, Trump
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger import scorekeeping
from tournaments.ledger.hands_on_record import replayed
from tournaments.ledger.recorded_hands import attach
from tournaments.models import Match, Round
from tournaments.rounds import closing
from tournaments.rulings import log
from tournaments.rulings.given_penalties import penalise_level
from tournaments.stages.acts import begin_stage
from tournaments.standings import runs
from tournaments.standings.publications import rows_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

EIGHT = (35, 85, 0, 120, 60, 95, 40, 80)


def counted(scoring: str, match_score: str = "hand_points") -> Event:
    """An event of eight hands with spades as trump, in which this is counted."""
    hands = [{"level": "2", "dealer": "N", "trump": "S"}, *[{"level": "2", "trump": "S"}] * 7]
    chain = ["points", "opponents", "lots"] if match_score == "hand_points" else ["points", "wins", "lots"]
    plan = {"fixed": hands, "scoring": scoring}
    stage = {"format": "swiss_timed", "match_score": match_score, "tie_rule": "draw", "hands": 8, "minutes": 60}
    return event(4, stage=stage | {"rounds_planned": 3, "chain": chain, "plan": plan})


def play(made: Event, totals: dict[int, tuple[int, ...]]) -> Round:
    """The next round as drawn, with these totals at each table; closed and published."""
    round_ = made.begun(made.drawn())
    for sitting in sittings_of(round_):
        for captured in totals[sitting.table.number]:
            made.hand(sitting, captured, trump="S")
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    round_.refresh_from_db()
    return round_


# what is counted -> what N–S are ahead after the eight hands: N deals, then the seats counter-clockwise
AHEAD = {
    "points": (85 + 120 + 95 + 80) - (35 + 0 + 60 + 40),
    "wins": 8,
}


@pytest.mark.long
@pytest.mark.parametrize("scoring", ["points", "wins"])
def test_three_rounds_to_the_standings_and_the_audit(scoring: str) -> None:
    made = counted(scoring)
    stage = made.tournament.stages.get()
    begin_stage(stage_id=stage.pk, actor=made.actor, at=made.tick())
    expected = dict.fromkeys(made.ids.values(), 0)
    for _number in range(3):
        round_ = play(made, {1: EIGHT, 2: tuple(reversed(EIGHT))})
        for match in Match.objects.filter(round=round_):
            first = match.sittings.get()
            first.refresh_from_db()
            assert (first.phase, first.state["scoring"], match.decided_by) in {
                ("finished", scoring, scoring),
                ("finished", scoring, ""),
            }
            margin = first.state["hand_points"]
            assert match.home_score == margin
            assert match.home_level == ""
            expected[match.home_id] += margin
            expected[match.away_id] -= margin
        assert abs(Match.objects.filter(round=round_, sittings__table__number=1).get().home_score) == AHEAD[scoring]
        publication = runs.publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())
        assert runs.verify(publication) == {"digest": True, "rows": True}
    document = json.loads(publication.document)
    assert document["final"]
    assert {row["entrant"]: int(row["values"]["points"]) for row in rows_in(document)} == expected
    assert audit(event_document(made.tournament, official=True)) == []


@pytest.mark.parametrize("scoring", ["points", "wins"])
def test_no_level_is_taken_where_none_counts(scoring: str) -> None:
    made = counted(scoring)
    (sitting, _other) = sittings_of(made.running((1, 2), (3, 4)))
    made.hand(sitting, 35, trump="S")
    sitting.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        penalise_level(
            sitting_id=sitting.pk,
            actor=made.actor,
            at=made.tick(),
            expected_revision=sitting.revision,
            side="NS",
            levels=-1,
            reason="Took back a card",
            clause="referee.level_penalty",
        )
    assert "levels_not_counted" in {refused.value.code, *(one.code for one in refused.value.findings)}


def test_a_penalty_in_hand_points_is_given_back_whole() -> None:
    made = counted("hand_points")
    (sitting, _other) = sittings_of(made.running((1, 2), (3, 4)))
    made.hand(sitting, 35, trump="S")
    sitting.refresh_from_db()
    ruling = penalise_level(
        sitting_id=sitting.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=sitting.revision,
        side="NS",
        levels=-3,
        reason="Took back a card",
        clause="referee.level_penalty",
    ).ruling
    sitting.refresh_from_db()
    assert sitting.state["hand_points"] == 2 - 3
    log.cancel(
        ruling_id=ruling.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=sitting.revision,
        reason="It was not so",
    )
    sitting.refresh_from_db()
    assert sitting.state["hand_points"] == 2


def test_an_adjusted_hand_needs_its_points() -> None:
    made = counted("points")
    (sitting, _other) = sittings_of(made.running((1, 2), (3, 4)))
    facts = {"kind": "adjusted", "levels": 0, "deal_changes_hands": True, "dealer": "N", "side": "EW"}
    with pytest.raises(Refusal) as refused:
        scorekeeping.record_hand(
            sitting_id=sitting.pk, actor=made.actor, at=made.tick(), facts=facts, hand_no=1, basis="ruling"
        )
    assert "adjusted_without_points" in {refused.value.code, *(one.code for one in refused.value.findings)}


def test_a_record_is_judged_by_the_trumps_that_are_set_whatever_it_says_of_declaring() -> None:
    made = counted("points")
    (sitting, _other) = sittings_of(made.running((1, 2), (3, 4)))
    rules = made.tournament.profile
    made.hand(sitting, 35, trump="S")
    record = simulate(rules, Random(1), level=Level("2"), dealer=Seat.N)
    quiet = replace(record, acts=tuple(one for one in record.acts if one.act in ("take_kitty", "bury")), tricks=())
    for told, tags, codes in (
        (quiet, {"trump": "S"}, []),
        (quiet, {"fixed_trump": "H"}, []),
        (quiet, {"trump": "H"}, ["trump_differs"]),
        (record, {}, ["nothing_to_decide"]),
    ):
        kept = {name: tag for name, tag in record.tags.items() if name != "trump"} | tags
        text = write(replace(told, tags=kept))
        seen = attach(sitting_id=sitting.pk, actor=made.actor, at=made.tick(), hand_no=1, text=text)
        assert '[fixed_trump "S"]' in seen.recorded.text
        assert seen.replay.trump is Trump.S
        assert [one.code for one in seen.replay.findings][:1] == codes
        again = replayed(sitting, 1)
        assert again is not None
        assert again.replay.trump is Trump.S
