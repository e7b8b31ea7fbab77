"""Standings: marked stale, recalculated once, published frozen and numbered."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from datetime import timedelta

import pytest
from django.db import DatabaseError, connections, transaction
from django.db.models import F

from scoring.standings.going_on import GoingOn
from tests.soak.schedules import Schedule
from tests.tournaments.factories import device, sheet
from tests.tournaments.playing import SEED, Event, colleague, event, sittings_of
from tournaments.acts import doorbell
from tournaments.acts.admission import Actor
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Forbidden, NotFound, Refusal, Stale
from tournaments.acts.text import canonical_json
from tournaments.ledger import corrections, scorekeeping
from tournaments.models import Office, Publication, Recalculation, Sitting, Stage, StandingsRun, Tournament
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.questions import answer
from tournaments.rounds.acts import start_round
from tournaments.standings import remembered, runs
from tournaments.standings.rankings import live_table
from tournaments.standings.tables import Basis
from tournaments.standings.worked_out import worked_out

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


SAME_BYTES = "ed59d7e7599d3c22ccafe17430c4ec3af245b2bd541d95b32280cf56782f8a39"


def stage(made: Event) -> Stage:
    return made.tournament.stages.get()


def rows(made: Event) -> list[dict]:
    return StandingsRun.objects.get(stage=stage(made)).rows


def recalculate(made: Event) -> bool:
    return runs.recalculate(tournament_id=made.tournament.pk, at=made.tick())


def publish(made: Event, round_: object, **more: object) -> Publication:
    return runs.publish(stage_id=stage(made).pk, round_id=round_.pk, actor=made.actor, at=made.tick(), **more)


def question(publication: Publication) -> dict:
    (table,) = json.loads(publication.document)["tables"]
    return table["question"]


def test_the_table_follows_the_results() -> None:
    made = event(4)
    made.play(made.running((1, 2), (3, 4)), [35], [85, 35])
    assert recalculate(made)
    by_number = {pk: number for number, pk in made.ids.items()}
    table = [(by_number[row["entrant"]], row["rank"], row["values"]["points"]) for row in rows(made)]
    # 1 won 4:2; at table 2 the attackers (4, E-W) took the deal and then gained two levels
    assert [entry[2] for entry in table] == ["2", "2", "0", "0"]
    assert {table[0][0], table[1][0]} == {1, 4}
    made.tournament.refresh_from_db()
    assert Recalculation.objects.get(tournament=made.tournament).covered_number == stale_number(made.tournament.pk)


def test_running_it_again_changes_nothing() -> None:
    made = event(4)
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    assert recalculate(made)
    before = StandingsRun.objects.values().get()
    assert not recalculate(made)
    assert StandingsRun.objects.values().get() == before


def test_rows_are_written_only_when_they_change() -> None:
    made = event(4)
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    recalculate(made)
    StandingsRun.objects.update(rows=[{"marked": True}])
    Tournament.objects.update(stale_number=F("stale_number") + 1)
    recalculate(made)
    run = StandingsRun.objects.get()
    assert run.rows == [{"marked": True}]
    assert run.covers == stale_number(Tournament.objects.get().pk)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_what_is_remembered_never_shows(seed: int) -> None:
    """After every act of a random history the stored table is the one that is worked out from nothing."""
    schedule = Schedule(seed, tables=2)
    acts = (schedule.enter_as_official, schedule.correct, schedule.end, schedule.reopen, schedule.penalise)
    here, shown = Stage.objects.get(tournament=schedule.event), set[str]()
    for _ in range(40):
        schedule.now += timedelta(minutes=1)
        schedule.chance.choice(acts)(Sitting.objects.get(pk=schedule.chance.choice(schedule.sittings)))
        runs.recalculate(tournament_id=schedule.event.pk, at=schedule.now)
        table = live_table(here)
        run = StandingsRun.objects.filter(stage=here).values("rows", "digest", "provisional").first()
        assert run in (None, table)
        shown.add(table["digest"])
    assert len(shown) > 2


def test_nothing_is_ranked_again_unless_something_counts_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process ranks everything once and goes on then; a hand that ends no match ranks nothing."""
    ranked, went_on = list[Basis](), list[int]()
    tables, after = Basis.tables, GoingOn.after
    monkeypatch.setattr(Basis, "tables", lambda basis, *more: ranked.append(basis) or tables(basis, *more))
    monkeypatch.setattr(GoingOn, "after", lambda going, moved: went_on.append(len(moved)) or after(going, moved))
    made = event(6)
    first, second, third = sittings_of(made.running((1, 2), (3, 4), (5, 6)))
    made.hand(first, 35)
    made.end(first)
    assert recalculate(made)
    for captured in (35, 85):
        made.hand(second, captured)
        assert not recalculate(made)
    assert (len(ranked), went_on) == (1, [])
    made.end(second)
    assert recalculate(made)
    made.hand(third, 35)
    made.end(third)
    assert recalculate(made)
    assert (len(ranked), went_on) == (1, [1, 1])
    # another process stored another table meanwhile
    StandingsRun.objects.update(rows=[], digest="0" * 64)
    Tournament.objects.update(stale_number=F("stale_number") + 1)
    assert recalculate(made)
    assert (len(ranked), went_on) == (1, [1, 1])
    assert StandingsRun.objects.get().rows == runs.live_rows(stage(made))


def test_only_so_many_results_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MOST", 4)
    remembered.forget()
    made = event(4)
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    kept = worked_out(stage(made), doorbell.counted(made.tournament), 0)
    assert kept.weight == 2
    for number in (1, 2, 1, 3):
        remembered.keep(number, kept)
    assert [number for number in (1, 2, 3, stage(made).pk + 3) if remembered.take(number)] == [1, 3]
    remembered.forget()


def test_an_older_number_never_overwrites_a_newer_one() -> None:
    made = event(4)
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    recalculate(made)
    StandingsRun.objects.update(covers=10**9, digest="newer")
    Tournament.objects.update(stale_number=F("stale_number") + 1)
    recalculate(made)
    assert StandingsRun.objects.get().digest == "newer"


@pytest.mark.long
def test_the_number_of_queries_does_not_grow(django_assert_max_num_queries: object) -> None:
    def cost(pairs: int, count: int) -> int:
        made = event(pairs)
        for _ in range(count):
            made.play(made.running(*((number, number + 1) for number in range(1, pairs, 2))), *[[35]] * (pairs // 2))
        with django_assert_max_num_queries(40) as counted:
            recalculate(made)
        return len(counted)

    assert cost(2, 1) == cost(8, 3)


def test_the_live_table_is_provisional_while_something_is_open() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first, second = sittings_of(round_)
    made.hand(first, 35)
    made.end(first)
    recalculate(made)
    assert StandingsRun.objects.get().provisional
    made.end(second)
    recalculate(made)
    assert not StandingsRun.objects.get().provisional


def test_who_withdrew_without_a_result_is_not_ranked() -> None:
    made = event(5)
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    for number in (1, 5):
        withdraw_entrant(entrant_id=made.ids[number], actor=made.actor, at=made.tick(), reason="left")
    recalculate(made)
    assert {row["entrant"] for row in rows(made)} == {made.ids[number] for number in (1, 2, 3, 4)}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_one_recalculation_at_a_time_and_nothing_is_missed() -> None:
    made = event(4)
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    done: list[bool] = []

    def run() -> None:
        done.append(recalculate(made))
        connections.close_all()

    with transaction.atomic():
        Recalculation.objects.select_for_update().get(tournament=made.tournament)
        other = threading.Thread(target=run)
        other.start()
        other.join(60)
        assert done == [False]
    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    made.tournament.refresh_from_db()
    assert Recalculation.objects.get().covered_number == stale_number(made.tournament.pk)
    assert done.count(True) == 1


def test_a_burst_of_acts_is_a_few_tasks_and_a_large_field_rests_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[float | None] = []
    monkeypatch.setattr(doorbell.current_app, "send_task", lambda *_, countdown, **__: sent.append(countdown))
    event_id = 4_711_000 + secrets.randbelow(1_000_000)
    for _ in range(5):
        assert doorbell.ring(event_id)
    assert sent == [None], "the first is never kept waiting, the others are in it"
    doorbell.answer(event_id)
    doorbell.ring(event_id)
    assert 0 < (sent[1] or 0) <= doorbell.PACE
    doorbell.answer(event_id)
    doorbell.rest(event_id, 0.5)
    doorbell.ring(event_id)
    assert doorbell.PACE < (sent[2] or 0) <= 0.5 * doorbell.RESTS
    doorbell.ring(event_id, insist=True)
    assert sent[3:] == [None], "the sweep does not wait"


def test_a_short_recalculation_does_not_take_back_the_rest_that_was_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[float | None] = []
    monkeypatch.setattr(doorbell.current_app, "send_task", lambda *_, countdown, **__: sent.append(countdown))
    event_id = 4_711_000 + secrets.randbelow(1_000_000)
    doorbell.ring(event_id)
    doorbell.answer(event_id)
    # an act while the first one runs: its task is sent for later, and the first one ends soon
    doorbell.ring(event_id)
    doorbell.rest(event_id, 0.001)
    # the second one begins; what is asked for from now on comes a whole pace after it
    doorbell.answer(event_id)
    doorbell.ring(event_id)
    assert (sent[2] or 0) > (sent[1] or 0) + doorbell.PACE / 2


def test_the_sweep_finds_what_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    made, fresh = event(2), event(2)
    recalculate(fresh)
    asked: list[int] = []
    monkeypatch.setattr(doorbell, "ring", lambda pk, *, insist: asked.append(pk) or insist)
    assert runs.sweep(at=made.now) == asked == [made.tournament.pk]


def test_a_publication_is_frozen_numbered_and_checkable() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [85])
    publication = publish(made, round_)
    document = json.loads(publication.document)
    assert (publication.number, publication.provisional, document["final"]) == (1, False, False)
    assert publication.digest == hashlib.sha256(publication.document.encode()).hexdigest()
    assert canonical_json(document) == publication.document
    assert runs.verify(publication) == {"digest": True, "rows": True}
    (table,) = document["tables"]
    assert answer({"input": table["question"]})["answer"]["rows"] == table["rows"]
    names = [entrant.name for entrant in made.tournament.entrants.all()]
    assert not [name for name in names if name in publication.document]
    with pytest.raises(DatabaseError), transaction.atomic():
        Publication.objects.filter(pk=publication.pk).update(document="{}")
    with pytest.raises(DatabaseError), transaction.atomic():
        publication.delete()


def test_a_publication_names_what_was_corrected_not_what_was_sent_back() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    mended, corrected = sittings_of(round_)
    ns, ew = (Actor(device=device(mended, side)) for side in ("NS", "EW"))
    here = {"sitting_id": mended.pk, "at": made.tick()}
    first = scorekeeping.record_hand(actor=ns, facts=sheet(90, dealer="N"), hand_no=1, **here)
    scorekeeping.send_back(actor=ew, entry_id=first.entry.pk, what="points", **here)
    again = scorekeeping.record_hand(actor=ns, facts=sheet(95, dealer="N"), hand_no=1, **here)
    scorekeeping.confirm_hand(actor=ew, entry_id=again.entry.pk, **here)
    made.hand(corrected, 35)
    corrected.refresh_from_db()
    entry = corrected.entries.get()
    corrections.correct(
        entry_id=entry.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=corrected.revision,
        facts={**entry.facts, "captured_in_tricks": 60},
        reason="Slip misread",
    )
    document = json.loads(publish(made, round_).document)
    assert [(one["table"], one["hand_no"], one["version"]) for one in document["corrections"]] == [(2, 1, 2)]


def test_a_round_is_published_again_only_by_superseding() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [85])
    first = publish(made, round_)
    with pytest.raises(Refusal, match="already_published"):
        publish(made, round_)
    with pytest.raises(Refusal, match="reason_required"):
        publish(made, round_, supersedes=first.pk, reason="  ")
    with pytest.raises(NotFound):
        publish(made, round_, supersedes=10**9, reason="x")
    second = publish(made, round_, supersedes=first.pk, reason="table 2 corrected")
    assert (second.number, second.supersedes_id) == (2, first.pk)
    with pytest.raises(Stale):
        publish(made, round_, supersedes=first.pk, reason="again")
    first.refresh_from_db()
    assert runs.verify(first) == {"digest": True, "rows": True}


@pytest.mark.long
def test_a_publication_counts_its_rounds_only() -> None:
    made = event(4)
    first = made.running((1, 2), (3, 4))
    made.play(first, [35], [35])
    second = made.running((1, 3), (2, 4))
    made.play(second, [35], [35])
    counted = question(publish(made, first))["results"]
    assert {result["round"] for result in counted} == {1}
    assert len(question(publish(made, second))["results"]) == 4


def test_open_tables_make_it_provisional_and_are_named() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.end(sittings_of(round_)[0])
    publication = publish(made, round_)
    assert publication.provisional
    assert json.loads(publication.document)["open"] == [{"round": 1, "table": 2, "phase": "playing"}]


def test_what_the_organiser_saw_must_still_hold() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [35])
    seen = stale_number(Tournament.objects.get().pk)
    doorbell.mark_stale(made.tournament.pk)
    with pytest.raises(Stale):
        publish(made, round_, expected_number=seen)
    assert publish(made, round_, expected_number=seen + 1).number == 1


@pytest.mark.long
def test_lots_are_drawn_at_the_end_only_and_their_seed_is_shown_then() -> None:
    made = event(4, stage={"rounds_planned": 2, "chain": ["points", "lots"]})
    first = made.running((1, 2), (3, 4))
    made.play(first, [35], [35])
    recalculate(made)
    assert {row["shared"] for row in rows(made)} == {True}
    assert "seed" not in question(publish(made, first))
    second = made.running((1, 3), (2, 4))
    made.play(second, [35], [35])
    final = json.loads(publish(made, second).document)
    (table,) = final["tables"]
    assert final["final"]
    assert table["question"]["seed"] == SEED
    assert hashlib.sha256(SEED.encode()).hexdigest() == final["lots"]["commitment"]
    assert [row["rank"] for row in table["rows"]] == [1, 2, 3, 4]
    assert any(row["why"] and "lots" in row["why"]["en"] for row in table["rows"])


def test_only_the_organiser_publishes_and_only_what_has_begun() -> None:
    made = event(4)
    round_ = made.published((1, 2), (3, 4))
    with pytest.raises(Refusal, match="round_not_started"):
        publish(made, round_)
    chief = colleague(made, Office.CHIEF_REFEREE)
    start_round(round_id=round_.pk, actor=chief, at=made.tick())
    with pytest.raises(Forbidden):
        runs.publish(stage_id=stage(made).pk, round_id=round_.pk, actor=chief, at=made.now)
    other = event(2)
    with pytest.raises(NotFound):
        runs.publish(stage_id=stage(other).pk, round_id=round_.pk, actor=made.actor, at=made.now)


@pytest.mark.long
def test_the_same_ledger_gives_the_same_bytes() -> None:
    """The digest is written down: PostgreSQL and SQLite must both give it (entrants by number, without sentences)."""
    made = event(6, units={1: "z", 2: "é", 3: "王"})
    made.play(made.running((1, 2), (3, 4), (5, 6)), [35], [85, 20], [0])
    made.play(made.running((1, 5), (4, 2), (3, 6)), [60], [120], [35, 40])
    recalculate(made)
    by_id = {pk: number for number, pk in made.ids.items()}
    table = [{**row, "entrant": by_id[row["entrant"]], "why": None} for row in rows(made)]
    assert hashlib.sha256(canonical_json(table).encode()).hexdigest() == SAME_BYTES
