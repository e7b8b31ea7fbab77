"""Reads for pages: what they hold, and that their number does not grow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import AT, device, sheet
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts.admission import Actor
from tournaments.acts.doorbell import mark_stale
from tournaments.ledger import calls, corrections, scorekeeping
from tournaments.models import Correction, Entrant, LedgerEntry, Round, RoundStatus, Stage
from tournaments.people import entrant_page
from tournaments.rounds import board, public
from tournaments.sittings import records
from tournaments.sittings.ledgers import open_ledger
from tournaments.standings import shown
from tournaments.standings.runs import publish, recalculate

pytestmark = pytest.mark.django_db


def enter(made: Event, sitting: Any, side: str, captured: int, **more: Any) -> None:
    phone = sitting.devices.filter(side=side, released_at=None).first() or device(sitting, side)
    sitting.refresh_from_db()
    scorekeeping.record_hand(
        sitting_id=sitting.pk,
        actor=Actor(device=phone),
        at=made.tick(),
        facts=sheet(captured, dealer="N", **more),
        hand_no=sitting.hand_no,
    )


def test_a_record_holds_reasons_and_versions_and_keeps_what_waits_apart() -> None:
    made = event(4)
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    made.hand(sitting, 35)
    made.hand(sitting, 60)
    first = LedgerEntry.objects.get(sitting=sitting, hand_no=1)
    sitting.refresh_from_db()
    corrections.correct(
        entry_id=first.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=sitting.revision,
        facts={**first.facts, "captured_in_tricks": 30},
        treatment="recompute",
        reason="misread",
    )
    enter(made, sitting, "NS", 20)
    (record,) = records.match_records(sitting.match)
    assert [hand.entry.hand_no for hand in record.hands] == [1, 2]
    assert [hand.corrected for hand in record.hands] == [True, False]
    assert [row.version for row in record.hands[0].earlier] == [1]
    sentence = record.hands[0].result.sentence
    assert sentence is not None
    assert sentence["en"] == "Attackers 30 → dealer side keep the deal, +2 (small win)"
    assert record.waiting is not None
    assert record.waiting.hand_no == 3
    tile = board.tiles_of(made.tournament.rounds.get())[0]
    assert open_ledger(tile.sitting.pk, lock=False).fold().hands_played == 2


def test_the_board_shows_every_table_with_what_waits() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first, second = sittings_of(round_)
    enter(made, first, "NS", 35)
    enter(made, first, "EW", 40)
    made.hand(second, 35)
    tiles = board.tiles_of(round_)
    assert [tile.table for tile in tiles] == [1, 2]
    assert (tiles[0].phase, tiles[0].differing) == ("disputed", ("captured_in_tricks",))
    assert tiles[0].waiting is not None
    assert tiles[0].contesting is not None
    assert [call.kind for call in tiles[0].calls] == ["dispute"]
    assert set(tiles[0].devices) == {"NS", "EW"}
    assert tiles[1].last is not None
    assert tiles[1].last.hand_no == 1
    assert tiles[1].home.number == 3


@pytest.mark.parametrize(("other", "matters"), [(40, True), (30, False)])
def test_the_queue_puts_disputes_first_and_says_whether_they_matter(other: int, matters: bool) -> None:
    made = event(6)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    first, second, third = sittings_of(round_)
    calls.call_referee(sitting_id=second.pk, actor=Actor(device=device(second, "NS")), at=made.tick(), note="please")
    enter(made, first, "NS", 35)
    enter(made, first, "EW", other)
    made.hand(third, 35)
    waiting = board.queue(made.tournament, made.now + timedelta(minutes=1))
    assert [(item.kind, item.table) for item in waiting] == [("dispute", 1), ("call", 2)]
    assert waiting[0].matters is matters
    later = board.queue(made.tournament, made.now + timedelta(hours=1))
    assert [(item.kind, item.table) for item in later] == [("dispute", 1), ("call", 2), ("slow", 3)]


def test_a_correction_that_waits_is_in_the_queue() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    sitting = sittings_of(round_)[0]
    made.hand(sitting, 35)
    Correction.objects.create(
        entry=LedgerEntry.objects.get(),
        sitting_revision=1,
        facts={},
        reason="x",
        proposed_by=made.actor.user,
        proposed_at=made.now,
    )
    assert [item.kind for item in board.queue(made.tournament, made.now)] == ["second_official"]


def test_events_are_now_soon_and_past() -> None:
    running = event(2, starts_on="2020-01-01")
    running.running((1, 2))
    today = event(0, starts_on="2026-05-01")
    soon = event(0, starts_on="2026-06-01")
    open_ended = event(0)
    past = event(0, starts_on="2026-04-01")
    found = public.events(AT)
    assert set(found.now) == {running.tournament, today.tournament}
    assert set(found.soon) == {soon.tournament, open_ended.tournament}
    assert found.past == (past.tournament,)


def test_an_event_is_on_between_two_days_and_over_two_days_after_its_last_round() -> None:
    """Whether or not it has a day: nobody looks for it among those that are still to come."""
    made, dated = event(2), event(2, starts_on="2026-01-01")
    rounds = [one.running((1, 2)) for one in (made, dated)]
    for one, round_ in zip((made, dated), rounds, strict=True):
        one.play(round_, [35])
    closed = max(Round.objects.values_list("closed_at", flat=True))
    found = public.events(closed + timedelta(hours=14))
    assert set(found.now) == {made.tournament, dated.tournament}
    found = public.events(closed + timedelta(days=3))
    assert (found.now, found.soon) == ((), ())
    assert set(found.past) == {made.tournament, dated.tournament}


def test_the_day_of_an_event_is_the_day_at_its_place() -> None:
    late = AT.replace(hour=20)
    here, there = event(0, starts_on="2026-05-02"), event(0, starts_on="2026-05-02", timezone="America/New_York")
    found = public.events(late)
    assert (found.now, found.soon) == ((here.tournament,), (there.tournament,))


def test_the_current_round_is_never_a_draft() -> None:
    made = event(4)
    draft = made.paired((1, 2), (3, 4))
    assert public.current_round(made.tournament) is None
    assert public.public_rounds(made.tournament) == []
    Round.objects.filter(pk=draft.pk).update(status=RoundStatus.PUBLISHED)
    assert public.current_round(made.tournament) == draft


def test_live_standings_know_whether_they_are_fresh() -> None:
    made = event(4)
    stage = made.tournament.stages.get()
    assert shown.live_standings(stage).run is None
    made.play(made.running((1, 2), (3, 4)), [35], [85])
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    table = shown.live_standings(stage)
    assert (table.fresh, table.provisional, len(table.rows)) == (True, False, 4)
    assert table.rows[0].entrant.name == "Pair 1"
    for _ in range(2):
        mark_stale(made.tournament.pk)
    assert (shown.live_standings(stage).fresh, shown.live_standings(stage).waiting) == (False, 2)


@pytest.mark.long
def test_an_entrant_sees_its_way() -> None:
    made = event(4)
    stage = made.tournament.stages.get()
    first = made.running((1, 2), (3, 4))
    made.play(first, [35, 40], [85])
    publish(stage_id=stage.pk, round_id=first.pk, actor=made.actor, at=made.tick())
    second = made.running((4, 1), (2, 3))
    sitting = sittings_of(second)[0]
    enter(made, sitting, "EW", 35)
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    page = entrant_page.entrant_page(Entrant.objects.get(pk=made.ids[1]))
    assert [(one.round.number, one.side, one.opponent.number, one.table) for one in page.matches] == [
        (1, "NS", 2, 1),
        (2, "EW", 4, 1),
    ]
    assert [one.won for one in page.matches] == [True, None]
    assert page.matches[0].own_level == "5"
    assert [len(one.record.hands) for one in page.matches] == [2 + 1, 0]
    assert page.next == page.matches[1]
    assert page.place is not None
    assert page.place.rank == 1
    assert page.places == ((1, 1, False),)


def test_publications_that_hold_a_hand() -> None:
    made = event(4)
    stage = made.tournament.stages.get()
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [35])
    first = publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())
    entry = LedgerEntry.objects.filter(kind="hand").first()
    assert board.publications_with(entry) == [first]
    second = publish(
        stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick(), supersedes=first.pk, reason="x"
    )
    assert board.publications_with(entry) == [second]
    assert [one for one, _state in shown.publication_list(made.tournament, made.now)] == [second, first]
    assert [row.entrant.pk for row in shown.publication_rows(first)] == [
        row.entrant.pk for row in shown.publication_rows(second)
    ]


def test_the_history_pages_backwards() -> None:
    made = event(4)
    made.running((1, 2), (3, 4))
    rows = board.history(made.tournament)
    assert [row.pk for row in rows] == sorted((row.pk for row in rows), reverse=True)
    page = board.history(made.tournament, limit=2)
    assert board.history(made.tournament, after=page[-1].pk) == rows[2:]
    assert board.events_of(made.actor.user)[0].tournament == made.tournament
    assert board.officials_of(made.tournament)[0].user == made.actor.user


def big(pairs: int, count: int, hands: int) -> Event:
    made = event(pairs)
    stage = made.tournament.stages.get()
    for number in range(count):
        round_ = made.running(*((home, home + 1) for home in range(1, pairs, 2)))
        if number < count - 1:
            made.play(round_, *[[35] * hands] * (pairs // 2))
            publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())
    for sitting in sittings_of(round_):
        enter(made, sitting, "NS", 35)
        enter(made, sitting, "EW", 40)
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    return made


READS: dict[str, Callable[[Event, Stage, Round], object]] = {
    "board": lambda made, stage, round_: board.tiles_of(round_),
    "queue": lambda made, stage, round_: board.queue(made.tournament, made.now + timedelta(hours=1)),
    "round_matches": lambda made, stage, round_: [
        (match.home.name, [seat.table.number for seat in match.sittings.all()])
        for match in public.round_matches(round_)
    ],
    "live_standings": lambda made, stage, round_: shown.live_standings(stage),
    "entrant_page": lambda made, stage, round_: entrant_page.entrant_page(Entrant.objects.get(pk=made.ids[1])),
    "history": lambda made, stage, round_: [str(row.user) for row in board.history(made.tournament)],
    "publications": lambda made, stage, round_: [
        str(row.published_by) for row, _state in shown.publication_list(made.tournament, made.now)
    ],
    "publication_rows": lambda made, stage, round_: shown.publication_rows(made.tournament.publications.first()),
    "events": lambda made, stage, round_: public.events(made.now),
    "entrants": lambda made, stage, round_: [list(one.players.all()) for one in board.entrants_of(made.tournament)],
}


@pytest.mark.long
def test_reads_take_as_many_queries_for_much_as_for_little() -> None:
    costs = []
    for pairs, count, hands in ((2, 2, 1), (8, 3, 3)):
        made = big(pairs, count, hands)
        stage, round_ = made.tournament.stages.get(), made.tournament.rounds.select_related("stage").last()
        cost = {}
        for name, read in READS.items():
            with CaptureQueriesContext(connection) as counted:
                read(made, stage, round_)
            cost[name] = len(counted)
        costs.append(cost)
    # a table after the last planned round is looked into for whether it is final: one query, however many there are
    assert {**costs[0], "publications": costs[0]["publications"] + 1} == costs[1]
    assert max(costs[1].values()) <= 11
