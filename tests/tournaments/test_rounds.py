"""Rounds: pairing, checking, publishing, superseding, starting, closing, moving tables."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.acts.rows import new_ids
from tournaments.models import Match, Office, Pairing, RoundStatus, Sitting
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import closing, drawing
from tournaments.rounds.acts import create_round, extend_round, move_sitting, set_scored_by, start_round, swap_tables
from tournaments.rounds.pairing import check_pairing, publish_pairing, supersede_pairing

pytestmark = pytest.mark.django_db


def numbers(made: Event, round_: object) -> list[tuple[int, int | None]]:
    by_id = {pk: number for number, pk in made.ids.items()}
    matches = Match.objects.filter(round=round_, superseded_in=None).order_by("number")
    return [(by_id[match.home_id], by_id.get(match.away_id)) for match in matches]


def test_a_round_runs_from_draft_to_closed() -> None:
    made = event(4)
    round_ = made.paired((1, 2), (3, 4))
    assert (round_.number, round_.status) == (1, RoundStatus.DRAFT)
    pairing = publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert pairing.number == 1
    started = start_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert started.ends_at - started.started_at == timedelta(minutes=40)
    made.play(round_, [35], [85, 35])
    round_.refresh_from_db()
    assert round_.status == RoundStatus.CLOSED
    assert {match.outcome for match in round_.matches.all()} == {"played"}


@pytest.mark.long
def test_a_round_robin_meets_everybody_once() -> None:
    made = event(5, stage={"format": "rr", "rounds_planned": 5})
    met: list[frozenset[int]] = []
    byes: list[int] = []
    for _ in range(5):
        round_ = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick())
        publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
        for home, away in numbers(made, round_):
            (met.append(frozenset((home, away))) if away else byes.append(home))
        assert [s.table.number for s in sittings_of(round_)] == [1, 2]
    assert len(met) == len(set(met)) == 10
    assert sorted(byes) == [1, 2, 3, 4, 5]
    with pytest.raises(Refusal, match="all_rounds_there"):
        create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())


def test_a_draft_may_be_paired_again_a_published_one_not() -> None:
    made = event(4)
    round_ = made.paired((1, 2), (3, 4))
    again = [{"home": made.ids[1], "away": made.ids[3], "table": 7}, {"home": made.ids[2], "away": made.ids[4]}]
    drawing.pair_by_hand(round_id=round_.pk, actor=made.actor, at=made.tick(), pairs=again)
    assert numbers(made, round_) == [(1, 3), (2, 4)]
    assert [s.table.number for s in sittings_of(round_)] == [1, 7]
    publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
    with pytest.raises(Refusal, match="pairing_published"):
        drawing.pair_by_hand(round_id=round_.pk, actor=made.actor, at=made.tick(), pairs=again)
    with pytest.raises(Refusal, match="pairing_published"):
        publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        ([], "no_pairs"),
        ("ab", "not_a_list"),
        ([{"home": "1", "away": None}], "not_an_entrant"),
        ([{"home": True, "away": None}], "not_an_entrant"),
        ([{"home": 10**9, "away": None}], "not_an_entrant"),
        ([{"home": 2**70, "away": -1}], "not_an_entrant"),
        ([{"home": "first", "away": 2, "rank": 1}], "unknown_field"),
        ([{"home": 1, "away": 1}], "entrant_twice"),
        ([{"home": 1, "away": 2}, {"home": 3, "away": 2}], "entrant_twice"),
        ([{"home": 1, "away": 2, "table": 0}], "bad_table"),
        ([{"home": 1, "away": 2, "table": "1"}], "bad_table"),
        ([{"home": 1, "away": 2, "table": 5}, {"home": 3, "away": 4, "table": 5}], "table_twice"),
        ([{"home": 1, "away": 2, "first_dealer": "X"}], "bad_seat"),
    ],
)
def test_a_pairing_that_cannot_stand_is_refused(pairs: object, code: str) -> None:
    made = event(4)
    round_ = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    if isinstance(pairs, list):
        pairs = [
            {name: made.ids.get(v, v) if name != "table" and type(v) is int else v for name, v in pair.items()}
            for pair in pairs
        ]
    with pytest.raises(Refusal) as refused:
        drawing.pair_by_hand(round_id=round_.pk, actor=made.actor, at=made.tick(), pairs=pairs)
    assert refused.value.code == code
    assert not Match.objects.filter(round=round_).exists()


def test_an_entrant_of_another_event_is_unknown() -> None:
    made, other = event(2), event(2)
    round_ = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    with pytest.raises(Refusal, match="not_an_entrant"):
        drawing.pair_by_hand(
            round_id=round_.pk, actor=made.actor, at=made.tick(), pairs=[{"home": made.ids[1], "away": other.ids[2]}]
        )


@pytest.mark.long
def test_the_check_names_rematches_byes_units_and_who_is_left_out() -> None:
    made = event(6, units={3: "Harbour", 4: "Harbour"})
    made.play(made.running((1, 2), (3, 5), (4, None)), [35], [35])
    round_ = made.paired((1, 2), (3, 4), (5, None))
    found = {(one.code, one.message["en"]) for one in check_pairing(round_)}
    assert {code for code, _ in found} == {"rematch", "same_unit", "not_paired", "needless_bye"}
    again = [(4, None), (1, 3), (2, 5)]
    drawing.pair_by_hand(
        round_id=round_.pk,
        actor=made.actor,
        at=made.tick(),
        pairs=[{"home": made.ids[home], "away": made.ids.get(away)} for home, away in again],
    )
    assert {one.code for one in check_pairing(round_)} == {"second_bye", "not_paired", "needless_bye"}


def test_a_swiss_round_waits_for_the_one_before() -> None:
    made = event(4)
    first = made.running((1, 2), (3, 4))
    second = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    pairs = [{"home": made.ids[1], "away": made.ids[3]}]
    with pytest.raises(Refusal) as refused:
        drawing.pair_by_hand(round_id=second.pk, actor=made.actor, at=made.tick(), pairs=pairs)
    assert refused.value.code == "pairing_blocked"
    assert refused.value.message["en"] == "Tables 1 and 2 have no result; round 2 cannot be paired."
    assert refused.value.message["zh"] == "1、2 桌还没有结果，不能编排第 2 轮。"
    made.play(first, [35], [35])
    drawing.pair_by_hand(round_id=second.pk, actor=made.actor, at=made.tick(), pairs=pairs)


def test_one_round_runs_at_a_time() -> None:
    made = event(4, stage={"format": "rr", "rounds_planned": 3})
    made.running((1, 2), (3, 4))
    second = made.published((1, 3), (2, 4))
    with pytest.raises(Refusal, match="another_round_runs"):
        start_round(round_id=second.pk, actor=made.actor, at=made.tick())
    with pytest.raises(IntegrityError, match=r"one_round_runs|tournament_id"), transaction.atomic():
        type(second).objects.filter(pk=second.pk).update(status="running", started_at=made.now)


def test_a_round_with_open_tables_does_not_close() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first, _ = sittings_of(round_)
    made.hand(first, 35)
    made.end(first)
    with pytest.raises(Refusal) as refused:
        closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert refused.value.code == "round_open"
    assert refused.value.params["tables"] == [2]


def test_byes_score_when_the_round_starts() -> None:
    made = event(3)
    round_ = made.published((1, 2), (3, None))
    bye = round_.matches.get(away=None)
    assert bye.outcome == "pending"
    start_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    bye.refresh_from_db()
    assert (bye.outcome, bye.home_hundredths) == ("bye", 200)


def test_superseding_replaces_matches_without_entries_only() -> None:
    made = event(6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    first, second, third = sittings_of(round_)
    made.hand(first, 35)
    new = [{"home": made.ids[3], "away": made.ids[5]}, {"home": made.ids[6], "away": made.ids[4]}]
    act = {"round_id": round_.pk, "actor": made.actor, "at": made.tick()}
    with pytest.raises(Refusal, match="reason_required"):
        supersede_pairing(**act, pairs=new, reason=" ")
    begun = [{"home": made.ids[1], "away": made.ids[3]}, {"home": made.ids[2], "away": made.ids[4]}]
    with pytest.raises(Refusal, match="match_has_entries"):
        supersede_pairing(**act, pairs=begun, reason="x")
    with pytest.raises(Refusal, match="pairing_incomplete"):
        supersede_pairing(**act, pairs=new[:1], reason="x")
    pairing = supersede_pairing(**act, pairs=new, reason="same club")
    assert (pairing.number, pairing.reason) == (2, "same club")
    assert sorted(numbers(made, round_)) == [(1, 2), (3, 5), (6, 4)]
    assert [s.table.number for s in sittings_of(round_)] == [1, 2, 3]
    assert not Sitting.objects.filter(pk__in=[second.pk, third.pk], active=True).exists()
    assert set(Match.objects.filter(superseded_in=pairing).values_list("pk", flat=True)) == {
        second.match_id,
        third.match_id,
    }


def test_a_pairing_is_written_once_with_its_document() -> None:
    """Neither publishing nor replacing writes anything to see how it would look and takes it back."""
    made = event(4)
    round_ = made.paired((1, 2), (3, 4))
    act = {"round_id": round_.pk, "actor": made.actor, "at": made.tick()}
    swapped = [{"home": made.ids[1], "away": made.ids[3]}, {"home": made.ids[2], "away": made.ids[4]}]
    with CaptureQueriesContext(connection) as asked:
        first = publish_pairing(**act)
        second = supersede_pairing(**act, pairs=swapped, reason="same club")
    said = [one["sql"] for one in asked.captured_queries]
    assert sum('INSERT INTO "tournaments_pairing"' in one for one in said) == 2
    assert not any("ROLLBACK" in one for one in said)
    assert [one["home"] for one in json.loads(second.document)["matches"]] == [made.ids[1], made.ids[2]]
    assert first.pk < second.pk < new_ids(Pairing, 1)[0]


def test_superseding_may_give_a_bye() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    supersede_pairing(
        round_id=round_.pk,
        actor=made.actor,
        at=made.tick(),
        pairs=[{"home": made.ids[3], "away": None}, {"home": made.ids[4], "away": None}],
        reason="table flooded",
    )
    assert set(round_.matches.filter(away=None).values_list("outcome", flat=True)) == {"bye"}


def test_tables_swap_with_their_entries() -> None:
    made = event(6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    first, second, _ = sittings_of(round_)
    made.hand(first, 35)
    swap_tables(round_id=round_.pk, actor=made.actor, at=made.tick(), sitting_ids=[first.pk, second.pk])
    assert [s.pk for s in sittings_of(round_)][:2] == [second.pk, first.pk]
    moved = move_sitting(sitting_id=first.pk, actor=made.actor, at=made.tick(), table=9)
    assert moved.table.number == 9
    assert moved.entries.count() == 1
    with pytest.raises(Refusal, match="table_twice"):
        move_sitting(sitting_id=first.pk, actor=made.actor, at=made.tick(), table=1)
    with pytest.raises(Refusal, match="two_sittings"):
        swap_tables(round_id=round_.pk, actor=made.actor, at=made.tick(), sitting_ids=[first.pk])


def test_a_referee_may_score_a_table() -> None:
    made = event(2)
    sitting = sittings_of(made.running((1, 2)))[0]
    changed = set_scored_by(sitting_id=sitting.pk, actor=made.actor, at=made.tick(), scored_by="referee")
    assert changed.scored_by == "referee"


def test_extra_time_moves_the_end() -> None:
    made = event(2)
    round_ = made.running((1, 2))
    end = round_.ends_at
    moved = extend_round(round_id=round_.pk, actor=made.actor, at=made.tick(), minutes=5)
    assert moved.ends_at - end == timedelta(minutes=5)
    for minutes in (0, 500, True, "5"):
        with pytest.raises(Refusal, match="bad_minutes"):
            extend_round(round_id=round_.pk, actor=made.actor, at=made.tick(), minutes=minutes)


def test_a_withdrawn_entrant_keeps_its_pairing_as_a_forfeit() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first = sittings_of(round_)[0]
    made.hand(first, 35)
    withdraw_entrant(entrant_id=made.ids[2], actor=made.actor, at=made.tick(), reason="illness")
    match = Match.objects.get(pk=first.match_id)
    assert (match.outcome, match.winner_side, match.home_hundredths, match.away_hundredths) == (
        "away_forfeit",
        "NS",
        200,
        0,
    )
    first.refresh_from_db()
    assert first.phase == "finished"
    second = sittings_of(round_)[1]
    made.hand(second, 35)
    made.end(second)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    with pytest.raises(Refusal, match="entrant_withdrawn"):
        made.paired((1, 2), (3, 4))


def test_only_the_direction_pairs() -> None:
    made = event(4)
    round_ = made.paired((1, 2), (3, 4))
    referee = colleague(made, Office.REFEREE)
    for act in (publish_pairing, start_round, closing.close_round, drawing.draw_round):
        with pytest.raises(Forbidden):
            act(round_id=round_.pk, actor=referee, at=made.now)
        with pytest.raises(NotFound):
            act(round_id=10**9, actor=made.actor, at=made.now)
