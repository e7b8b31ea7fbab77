"""Individual games by the acts: seats, hands, results, standings, corrections, and what is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from tests.tournaments.individual import Evening, allied, alone, evening, everyone, sittings_of
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import end_sitting, forfeit, reopen_sitting
from tournaments.models import EntryStatus, LedgerEntry, Match, MatchOutcome, MatchPlace, Sitting
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import closing, drawing, seating
from tournaments.rounds.acts import create_round
from tournaments.rulings import given_penalties
from tournaments.standings.runs import live_rows, publish, recalculate, verify

pytestmark = pytest.mark.django_db


def results(sitting: Sitting) -> dict[str, tuple[int | None, str, int | None]]:
    rows = MatchPlace.objects.filter(match=sitting.match_id)
    return {row.place: (row.hundredths, row.level, row.hands_won) for row in rows}


def live(of: Evening) -> list[tuple[int, int, str]]:
    """Player number, rank and points of the live table."""
    numbers = {pk: number for number, pk in of.ids.items()}
    rows = live_rows(of.tournament.stages.get())
    return [(numbers[row["entrant"]], row["rank"], row["values"]["points"]) for row in rows]


@pytest.mark.long
def test_an_evening_of_one_against_three():
    """Eight players, two tables, three rounds of two hands; every result follows from bids and points by hand."""
    here = evening("I1", 8, stage={"hands": 2, "rounds_planned": 3})
    points: Counter[int] = Counter()
    numbers = {pk: number for number, pk in here.ids.items()}
    met: Counter[frozenset[int]] = Counter()
    for _ in range(1, 4):
        round_ = here.round()
        for sitting in sittings_of(round_):
            places = {place.place: numbers[place.entrant_id] for place in sitting.match.places.all()}
            met.update(frozenset((a, b)) for a in places.values() for b in places.values() if a < b)
            # the first hand: place 1 bids 95, the three take 95 and win; the second: place 2 bids 80, they take 75
            here.enter(sitting, alone("1", 95, 95))
            here.enter(sitting, alone("2", 80, 75))
            for place, player in places.items():
                points[player] += {"1": -3 - 1, "2": 1 + 3}.get(place, 1 - 1)
            sitting.refresh_from_db()
            assert sitting.phase == "finished"
            assert results(sitting) == {
                "1": (-400, "", 0),
                "2": (400, "", 2),
                "3": (0, "", 1),
                "4": (0, "", 1),
            }
        here.close(round_)
    assert max(met.values()) == 2
    table = live(here)
    assert {player: int(score) for player, _, score in table} == {player: points[player] for player in here.ids}
    assert sum(points.values()) == 0
    assert [score for *_, score in table] == sorted((score for *_, score in table), key=int, reverse=True)

    stage, last = here.tournament.stages.get(), here.tournament.rounds.get(number=3)
    made = publish(stage_id=stage.pk, round_id=last.pk, actor=here.actor, at=here.tick())
    assert verify(made) == {"digest": True, "rows": True}
    recalculate(tournament_id=here.tournament.pk, at=here.tick())
    here.tournament.refresh_from_db()
    assert audit(event_document(here.tournament, official=True)) == []


def test_an_audit_finds_a_forged_place():
    here = evening("I1", 4, stage={"hands": 1, "rounds_planned": 1})
    round_ = here.round()
    here.enter(sittings_of(round_)[0], alone("3", 120, 120))
    here.close(round_)
    document = event_document(here.tournament, official=True)
    document["places"][0]["hundredths"] += 100
    assert ("round 1 table 1 place 1", "hundredths") in [(one.where, one.what) for one in audit(document)]


def test_two_hundred_and_forty_is_conserved():
    here = evening("I2", 4, stage={"hands": 2, "rounds_planned": 1})
    (sitting,) = sittings_of(here.round())
    with pytest.raises(Refusal) as refused:
        here.enter(sitting, everyone([60, 60, 60, 40], "2", 10))
    assert refused.value.code == "points_not_conserved"
    here.enter(sitting, everyone([60, 60, 60, 40], "2", 20))
    here.enter(sitting, everyone([0, 100, 100, 40], "4", 0))
    assert {place: row[0] for place, row in results(sitting).items()} == {"1": 6000, "2": 18000, "3": 16000, "4": 8000}
    assert [row[2] for row in results(sitting).values()] == [0, 2, 1, 0]


@pytest.mark.long
def test_an_evening_of_find_a_friend_by_phones():
    """Ten players, two tables; entered on one phone, confirmed on another; levels by the table of 120 and 60."""
    here = evening("I3", 10)
    round_ = here.round()
    first, second = sittings_of(round_)
    phones = {place: here.phone(first, place) for place in "12345"}

    def hand(enters: str, confirms: str, facts: dict) -> None:
        first.refresh_from_db()
        sent = scorekeeping.record_hand(
            sitting_id=first.pk, actor=phones[enters], at=here.tick(), facts=facts, hand_no=first.hand_no
        )
        assert sent.answer == "waiting"
        done = scorekeeping.confirm_hand(
            sitting_id=first.pk, actor=phones[confirms], at=here.tick(), entry_id=sent.entry.pk
        )
        assert done.answer == "confirmed"

    hand("1", "4", allied("1", "3", 55))  # short of 60: two levels for 1 and 3
    hand("5", "2", allied("3", "3", 60))  # the dealer alone, 60 to 115 is one level
    hand("2", "5", allied("2", "1", 120))  # the line: attackers win, no level
    hand("3", "1", allied("4", "2", 180))  # one level for 1, 3 and 5
    first.refresh_from_db()
    assert first.state["levels"] == {"1": "5", "2": "2", "3": "6", "4": "2", "5": "3"}
    here.end(first)
    here.end(second)
    assert results(first) == {
        "1": (300, "5", 2),
        "2": (0, "2", 0),
        "3": (400, "6", 4),
        "4": (0, "2", 1),
        "5": (100, "3", 2),
    }
    winners = MatchPlace.objects.filter(match=first.match_id, winner=True)
    assert [row.place for row in winners] == ["3"]
    assert live(here)[0][1:] == (1, "4")


@pytest.mark.long
def test_nobody_confirms_his_own_hand_and_any_other_player_may():
    here = evening("I1", 4)
    (sitting,) = sittings_of(here.round())
    one, two, three = (here.phone(sitting, place) for place in "123")
    sent = scorekeeping.record_hand(
        sitting_id=sitting.pk, actor=one, at=here.tick(), facts=alone("2", 90, 85), hand_no=1
    )
    with pytest.raises(Refusal) as own:
        scorekeeping.confirm_hand(sitting_id=sitting.pk, actor=one, at=here.tick(), entry_id=sent.entry.pk)
    assert own.value.code == "own_entry"
    differs = scorekeeping.record_hand(
        sitting_id=sitting.pk, actor=two, at=here.tick(), facts=alone("2", 90, 90), hand_no=1
    )
    assert (differs.answer, differs.differing) == ("disputed", ("captured_in_tricks",))
    with pytest.raises(Refusal) as waits:
        scorekeeping.record_hand(
            sitting_id=sitting.pk, actor=three, at=here.tick(), facts=alone("2", 90, 90), hand_no=1
        )
    assert waits.value.code == "disputed"
    settled = scorekeeping.settle(
        sitting_id=sitting.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=2,
        facts=alone("2", 90, 90),
        reason="counted",
        hand_no=1,
    )
    assert settled.answer == "confirmed"
    sitting.refresh_from_db()
    assert sitting.state["scores"] == {"1": 1, "2": -3, "3": 1, "4": 1}
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.filter(pk=sent.entry.pk).update(status=EntryStatus.EFFECTIVE)


def test_a_shared_phone_takes_the_pin_of_any_other_place():
    from tournaments.ledger.codes import pin_text
    from tournaments.models import PartyCode

    here = evening("I1", 4)
    (sitting,) = sittings_of(here.round())
    one = here.phone(sitting, "1")
    sent = scorekeeping.record_hand(
        sitting_id=sitting.pk, actor=one, at=here.tick(), facts=alone("2", 90, 85), hand_no=1
    )
    pins = {code.side: pin_text(code) for code in PartyCode.objects.filter(table=sitting.table_id)}
    with pytest.raises(Refusal) as wrong:
        scorekeeping.confirm_hand(
            sitting_id=sitting.pk, actor=one, at=here.tick(), entry_id=sent.entry.pk, pin=pins["1"]
        )
    assert wrong.value.code == "wrong_pin"
    done = scorekeeping.confirm_hand(
        sitting_id=sitting.pk, actor=one, at=here.tick(), entry_id=sent.entry.pk, pin=pins["4"]
    )
    assert (done.entry.entered_side, done.entry.confirmed_side) == ("1", "4")


def test_take_back_send_back_and_what_only_officials_enter():
    here = evening("I1", 4)
    (sitting,) = sittings_of(here.round())
    one, two = (here.phone(sitting, place) for place in "12")
    for more in ({"total_only": 90, "captured_in_tricks": None}, {"adjustments": [{"points": 5, "why": "x"}]}):
        facts = {name: value for name, value in (alone("2", 90, 85) | more).items() if value is not None}
        if "total_only" in more:
            facts.pop("last_trick_winner")
        with pytest.raises(Refusal) as refused:
            scorekeeping.record_hand(sitting_id=sitting.pk, actor=one, at=here.tick(), facts=facts, hand_no=1)
        assert refused.value.code == "officials_only"
    for act in (scorekeeping.take_back, scorekeeping.send_back):
        sent = scorekeeping.record_hand(
            sitting_id=sitting.pk, actor=one, at=here.tick(), facts=alone("2", 90, 85), hand_no=1
        )
        who = one if act is scorekeeping.take_back else two
        more = {} if act is scorekeeping.take_back else {"what": "points"}
        act(sitting_id=sitting.pk, actor=who, at=here.tick(), entry_id=sent.entry.pk, **more)
    statuses = LedgerEntry.objects.filter(sitting=sitting).order_by("version").values_list("status", flat=True)
    assert list(statuses) == ["withdrawn", "returned"]


@pytest.mark.long
def test_who_walks_away_keeps_what_was_played_and_sits_no_more():
    here = evening("I1", 5)
    round_ = here.round()
    (sitting,) = sittings_of(round_)
    here.enter(sitting, alone("1", 100, 60))
    sitting.refresh_from_db()
    end_sitting(
        sitting_id=sitting.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=sitting.revision,
        reason="left",
        by="1",
    )
    rows = {place.place: place for place in sitting.match.places.select_related("entrant")}
    assert {place: (row.hundredths, row.winner) for place, row in rows.items()} == {
        "1": (300, False),
        "2": (-100, True),
        "3": (-100, True),
        "4": (-100, True),
    }
    end = LedgerEntry.objects.get(sitting=sitting, kind="end")
    assert end.facts == {"kind": "end", "reason": "left", "by": "1"}
    gone = rows["1"].entrant
    withdraw_entrant(entrant_id=gone.pk, actor=here.actor, at=here.tick(), reason="went home")
    closing.close_round(round_id=round_.pk, actor=here.actor, at=here.tick())
    (later,) = sittings_of(here.round())
    assert gone.pk not in {place.entrant_id for place in later.match.places.all()}


@pytest.mark.long
def test_repeats_are_counted_by_player_wherever_he_sits():
    here = evening("I1", 4)
    said, who = [], None
    for _round in range(2):
        round_ = here.round()
        (sitting,) = sittings_of(round_)
        here.enter(sitting, alone("1", 100, 60))
        places = {row.entrant_id: row.place for row in sitting.match.places.all()}
        who = who or next(entrant for entrant, place in places.items() if place == "2")
        other = next(place for entrant, place in sorted(places.items()) if entrant != who)
        for place in (places[who], other):
            sitting.refresh_from_db()
            done = given_penalties.penalise_player(
                sitting_id=sitting.pk,
                actor=here.actor,
                at=here.tick(),
                expected_revision=sitting.revision,
                place=place,
                amount=-2,
                reason="a queen",
                clause="penalty.take_back.play",
            )
            said.append(done.ruling.verdict["en"])
        here.end(sitting)
        closing.close_round(round_id=round_.pk, actor=here.actor, at=here.tick())
    assert [one.partition(": ")[2] for one in said] == [
        "takes back a play: points −2.",
        "takes back a play: points −2.",
        "takes back a play: points −2 (time 2).",
        "takes back a play: points −2 (time 2).",
    ]


def test_all_pass_a_penalty_and_the_end():
    here = evening("I1", 4)
    (sitting,) = sittings_of(here.round())
    here.enter(sitting, {"kind": "annulled", "reason": "all_passed"})
    here.enter(sitting, alone("1", 100, 60))
    sitting.refresh_from_db()
    given_penalties.penalise_player(
        sitting_id=sitting.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=sitting.revision,
        place="1",
        amount=-2,
        reason="late",
        clause="individual.penalty",
    )
    here.end(sitting)
    rows = {place.place: place for place in sitting.match.places.all()}
    assert {place: row.hundredths for place, row in rows.items()} == {"1": 100, "2": -100, "3": -100, "4": -100}
    assert [rows[place].penalties for place in "1234"] == [1, 0, 0, 0]
    assert Match.objects.get(pk=sitting.match_id).decided_by == "time"


def test_a_correction_shows_scores_and_places_and_moves_them():
    here = evening("I1", 4, stage={"hands": 2})
    round_ = here.round()
    (sitting,) = sittings_of(round_)
    wrong = here.enter(sitting, alone("1", 95, 90))
    here.enter(sitting, alone("2", 80, 80))
    seen = corrections.correction_preview(entry_id=wrong.entry.pk, actor=here.actor, facts=alone("1", 95, 100))
    assert seen.folds_into_one
    effect = seen.effects["recompute"]
    assert {place: row["hundredths"] for place, row in effect.match["places"].items()} == {
        "1": -200,
        "2": -200,
        "3": 200,
        "4": 200,
    }
    player = {place.place: place.entrant_id for place in sitting.match.places.all()}
    assert effect.places[player["1"]] == (1, 3)
    sitting.refresh_from_db()
    corrections.correct(
        entry_id=wrong.entry.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=sitting.revision,
        facts=alone("1", 95, 100),
        reason="counted again",
    )
    assert {place: row[0] for place, row in results(sitting).items()} == {"1": -200, "2": -200, "3": 200, "4": 200}


def test_a_corrected_level_may_stand():
    here = evening("I3", 5)
    (sitting,) = sittings_of(here.round())
    wrong = here.enter(sitting, allied("1", "2", 60))  # one level each: 3
    here.enter(sitting, allied("1", "3", 60))  # played at 3: 1 goes to 4
    seen = corrections.correction_preview(entry_id=wrong.entry.pk, actor=here.actor, facts=allied("1", "2", 0))
    levels = {name: str(effect.state.levels["1"]) for name, effect in seen.effects.items()}
    assert levels == {"recompute": "6", "let_stand": "4"}


def test_an_end_that_was_none_is_taken_back():
    here = evening("I1", 4)
    (sitting,) = sittings_of(here.round())
    here.enter(sitting, alone("1", 95, 95))
    here.end(sitting)
    sitting.refresh_from_db()
    reopen_sitting(
        sitting_id=sitting.pk, actor=here.actor, at=here.tick(), expected_revision=sitting.revision, reason="too early"
    )
    assert Match.objects.get(pk=sitting.match_id).outcome == MatchOutcome.PENDING
    assert {row[0] for row in results(sitting).values()} == {None}


@pytest.mark.long
def test_who_does_not_divide_sits_out_and_scores_nothing():
    here = evening("I1", 9, stage={"hands": 1, "rounds_planned": 3})
    out = []
    for _ in range(2):
        round_ = here.round()
        (bye,) = Match.objects.filter(round=round_, outcome=MatchOutcome.BYE)
        assert bye.home_hundredths == 0
        out.append(bye.home_id)
        for sitting in sittings_of(round_):
            here.enter(sitting, alone("1", 80, 80))
        here.close(round_)
    assert out == [here.ids[9], here.ids[8]]


@pytest.mark.parametrize(
    ("tables", "code"),
    [
        ([{"players": [1, 2, 3]}], "wrong_table_size"),
        ([{"players": [1, 2, 3, 3]}], "entrant_twice"),
        ([{"players": [1, 2, 3, 4], "table": 1}, {"players": [5, 6, 7, 8], "table": 1}], "table_twice"),
        ([{"players": [1, 2, 3, 99]}], "not_an_entrant"),
        ([{"players": [1, 2, 3, 4], "table": 0}], "bad_table"),
        ([{"seats": [1, 2, 3, 4]}], "unknown_field"),
        ([], "no_pairs"),
        ("1 2 3 4", "not_a_list"),
    ],
)
def test_seats_that_cannot_stand(tables, code):
    here = evening("I1", 8)
    round_ = create_round(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick())
    if isinstance(tables, list):
        tables = [
            {
                name: [here.ids.get(one, 10**9) for one in value] if name == "players" else value
                for name, value in table.items()
            }
            for table in tables
        ]
    with pytest.raises(Refusal) as refused:
        seating.seat_by_hand(round_id=round_.pk, actor=here.actor, at=here.tick(), tables=tables)
    assert refused.value.code == code
    assert not Match.objects.exists()


def test_sides_and_single_players_are_kept_apart():
    from tests.tournaments.playing import event

    here, pairs = evening("I1", 4), event(2)
    draft = create_round(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick())
    with pytest.raises(Refusal) as refused:
        drawing.draw_round(round_id=draft.pk, actor=here.actor, at=here.tick())
    assert refused.value.code == "single_players"
    other = create_round(tournament_id=pairs.tournament.pk, actor=pairs.actor, at=pairs.tick())
    with pytest.raises(Refusal) as refused:
        seating.seat_players(round_id=other.pk, actor=pairs.actor, at=pairs.tick())
    assert refused.value.code == "not_single_players"


@pytest.mark.parametrize(
    "more",
    [
        {"preset": "F1", "profile": "sandayi"},
        {"preset": "I1", "profile": "scn2-2013"},
        {"preset": "I1", "stage": {"match_score": "mp_210"}},
        {"preset": "I1", "stage": {"chain": ["points", "opponents"]}},
    ],
)
def test_an_evening_is_of_one_kind(more):
    with pytest.raises(Refusal):
        evening(players=0, **more)


@pytest.mark.long
def test_seats_are_replaced_under_a_new_number():
    here = evening("I1", 9)
    round_ = here.seated((1, 2, 3, 4), (5, 6, 7, 8))
    tables = [{"table": 2, "players": [here.ids[n] for n in (5, 6, 7, 9)]}]
    seating.reseat(round_id=round_.pk, actor=here.actor, at=here.tick(), tables=tables, reason="8 is ill")
    standing = Match.objects.filter(round=round_, superseded_in=None).order_by("number")
    assert [match.home_id for match in standing if not match.individual] == [here.ids[8]]
    (first, second) = sittings_of(round_)
    assert [place.entrant_id for place in second.match.places.all()] == [here.ids[n] for n in (5, 6, 7, 9)]
    here.enter(first, alone("1", 95, 95))
    with pytest.raises(Refusal) as refused:
        seating.reseat(
            round_id=round_.pk,
            actor=here.actor,
            at=here.tick(),
            tables=[{"table": 1, "players": [here.ids[n] for n in (1, 2, 3, 8)]}],
            reason="too late",
        )
    assert refused.value.code == "match_has_entries"


@pytest.mark.long
def test_who_withdraws_is_seated_no_more_and_his_table_is_ended_by_an_official():
    here = evening("I1", 9, stage={"rounds_planned": 2})
    round_ = here.round()
    withdraw_entrant(entrant_id=here.ids[1], actor=here.actor, at=here.tick(), reason="ill")
    assert Match.objects.filter(round=round_, outcome=MatchOutcome.PENDING).count() == 2
    with pytest.raises(Refusal) as refused:
        forfeit(
            match_id=sittings_of(round_)[0].match_id,
            actor=here.actor,
            at=here.tick(),
            outcome="home_forfeit",
            reason="left",
        )
    assert refused.value.code == "single_players"
    for sitting in sittings_of(round_):
        here.end(sitting)
    here.close(round_)
    seated = MatchPlace.objects.filter(round=here.round(), active=True).values_list("entrant_id", flat=True)
    assert here.ids[1] not in seated
    assert len(seated) == 8


def test_the_database_holds_the_seats():
    here, other = evening("I1", 9), evening("I1", 4)
    round_ = here.seated((1, 2, 3, 4), (5, 6, 7, 8))
    first, second = (sitting.match for sitting in sittings_of(round_))
    MatchPlace.objects.filter(match=second, place="4").update(active=False)
    free = {"match": second, "round": round_, "place": "5"}
    for wrong in (
        {"entrant_id": here.ids[1]},  # plays at the other table
        {"entrant_id": here.ids[9]},  # sits out
        {"entrant_id": other.ids[1]},  # another event
        {"entrant_id": here.ids[8], "place": "1"},  # the place is taken
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            MatchPlace.objects.create(**{**free, **wrong})
    for change in ({"entrant_id": here.ids[8]}, {"place": "5"}, {"hundredths": 100}, {"level": "A"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            MatchPlace.objects.filter(match=first, place="1").update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=first.pk).update(outcome=MatchOutcome.PLAYED)
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.create(round=round_, number=90, home_id=here.ids[1])
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.create(round=round_, number=91, away_id=here.ids[9])
    with pytest.raises((IntegrityError, ProtectedError)), transaction.atomic():
        first.delete()
