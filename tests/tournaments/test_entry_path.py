"""A hand in two statements: every fact it rests on is changed between the two, and then nothing is written on it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from time import sleep
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from tests.tournaments.factories import AT, Hall, hall, official, sheet
from tournaments.acts.access import Actor
from tournaments.acts.errors import KeyReused, Refusal
from tournaments.acts.keys import Keyed, Repeat
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.events import officials
from tournaments.ledger import devices, scorekeeping
from tournaments.ledger.entry_path import Asked, carry_out_at_once
from tournaments.ledger.entry_read import Credential, EntryRead, read_entry
from tournaments.ledger.officials_entries import end_sitting, forfeit
from tournaments.ledger.recorded import Recorded
from tournaments.models import HistoryEntry, LedgerEntry, Office, Official, Round, SavedAnswer, Sitting, Table
from tournaments.rounds import acts as rounds

LATER = AT + timedelta(minutes=3)


class Door:
    """A request on its way: what was read is kept until it is sent on."""

    def __init__(self, here: Hall, actor: Actor, key: str = "", asked: Asked | None = None) -> None:
        shown = shown_by(actor)
        self.sitting = here.sitting.pk
        self.keyed = Keyed.of(actor.scope, key, [b"hand 1"]) if key else None
        basis = {} if actor.device else {"basis": "watched"}
        self.asked = asked or scorekeeping.hand_to_enter(facts=sheet(35), hand_no=1, **basis)
        self.read: Callable[[], EntryRead] = lambda: read_entry(self.sitting, shown, key)
        self.first = self.read()

    def send(self) -> Recorded | Repeat:
        return carry_out_at_once(self.sitting, self.asked, self.read, self.first, LATER, self.keyed, kept)


def shown_by(actor: Actor) -> Credential:
    """The phone's place, or a token of the official."""
    if actor.device is not None:
        return Credential(public_id=actor.device.public_id)
    return Credential(str(AuthToken.objects.create(user=actor.user)[0].digest))


def kept(recorded: Recorded) -> Mapping[str, Any]:
    return {"entry": recorded.entry.pk, "revision": recorded.revision}


def change_hand(here: Hall, actor: Actor) -> None:
    scorekeeping.record_hand(
        sitting_id=here.sitting.pk, actor=here.chief, at=AT, facts=sheet(80), hand_no=1, basis="watched"
    )


def release_phone(here: Hall, actor: Actor) -> None:
    assert actor.device is not None
    devices.release(device_id=actor.device.pk, actor=here.chief, at=AT)


def revoke_office(here: Hall, actor: Actor) -> None:
    row = Official.objects.get(tournament=here.event, user=actor.user)
    officials.revoke(official_id=row.pk, actor=here.organiser, at=AT)


def take_table(here: Hall, actor: Actor) -> None:
    assert actor.user is not None
    Table.objects.get_or_create(tournament=here.event, number=7)
    given = {"username": actor.user.username, "office": Office.REFEREE, "tables": [7]}
    officials.appoint(tournament_id=here.event.pk, actor=here.organiser, at=AT, **given)


def move_away(here: Hall, actor: Actor) -> None:
    rounds.move_sitting(sitting_id=here.sitting.pk, actor=here.chief, at=AT, table=8)


def let_a_referee_score(here: Hall, actor: Actor) -> None:
    rounds.set_scored_by(sitting_id=here.sitting.pk, actor=here.chief, at=AT, scored_by="referee")


def forfeit_match(here: Hall, actor: Actor) -> None:
    forfeit(match_id=here.sitting.match_id, actor=here.chief, at=AT, outcome="home_forfeit", reason="Left")


def end_match(here: Hall, actor: Actor) -> None:
    end_sitting(sitting_id=here.sitting.pk, actor=here.chief, at=AT, expected_revision=0, reason="time")


def close_round(here: Hall, actor: Actor) -> None:
    """As closing leaves it; closing itself waits for a result, which is a fact of its own."""
    Round.objects.filter(pk=here.round.pk).update(status="closed", closed_at=AT)


def replace_pairing(here: Hall, actor: Actor) -> None:
    """As a later pairing leaves the sitting."""
    Sitting.objects.filter(pk=here.sitting.pk).update(active=False)


#: What may change under an entry, who enters, and how the entry is answered.
FACTS: list[tuple[Callable[[Hall, Actor], None], str, str]] = [
    (change_hand, "referee", "already_recorded"),
    (change_hand, "ns", "already_recorded"),
    (release_phone, "ns", "forbidden"),
    (revoke_office, "referee", "not_found"),
    (take_table, "of_table", "forbidden"),
    (move_away, "of_table", "forbidden"),
    (let_a_referee_score, "ns", "scored_by_referee"),
    (forfeit_match, "ns", "match_over"),
    (end_match, "referee", "match_over"),
    (close_round, "ns", "round_closed"),
    (close_round, "referee", "round_closed"),
    (replace_pairing, "ns", "sitting_replaced"),
]
NAMES = [f"{change.__name__}-{who}" for change, who, _ in FACTS]


def entering(here: Hall, who: str) -> Actor:
    if who == "of_table":
        return official(here.event, tables=(here.sitting.table,))
    found: Actor = getattr(here, who)
    return found


def outcome(act: Callable[[], Any]) -> str:
    try:
        done = act()
    except Refusal as refused:
        return refused.code
    return str(getattr(done, "answer", "done"))


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize(("change", "who", "code"), FACTS, ids=NAMES)
def test_nothing_is_written_on_what_is_no_longer_so(change: Callable[[Hall, Actor], None], who: str, code: str) -> None:
    here = hall()
    actor = entering(here, who)
    door = Door(here, actor, "k")
    change(here, actor)
    before = (LedgerEntry.objects.count(), HistoryEntry.objects.count())
    assert outcome(door.send) == code
    assert (LedgerEntry.objects.count(), HistoryEntry.objects.count()) == before
    assert not SavedAnswer.objects.exists(), "a refusal frees its key"


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize("who", ["ns", "referee", "of_table"])
def test_an_entry_is_two_statements_on_postgresql(who: str) -> None:
    here = hall()
    actor = entering(here, who)
    door = Door(here, actor, "k")
    with CaptureQueriesContext(connection) as seen:
        door.first = door.read()
        done = door.send()
    if connection.vendor == "postgresql":
        assert [query["sql"].split()[0] for query in seen] == ["SELECT", "WITH"]
    assert isinstance(done, Recorded)
    entry = LedgerEntry.objects.get()
    assert (entry.pk, entry.status) == (done.entry.pk, "waiting" if who == "ns" else "effective")
    assert (Sitting.objects.get(pk=here.sitting.pk).revision, done.revision) == (1, 1)
    assert HistoryEntry.objects.get().subject == f"entry:{entry.pk}"
    assert audit(event_document(here.event)) == []


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_repeat_that_was_read_before_the_first_was_written() -> None:
    here = hall()
    first, second, other = Door(here, here.ns, "k"), Door(here, here.ns, "k"), Door(here, here.ns, "k")
    done = first.send()
    assert isinstance(done, Recorded)
    assert second.send() == Repeat(kept(done))
    other.keyed = Keyed.of(here.ns.scope, "k", [b"another body"])
    with pytest.raises(KeyReused):
        other.send()
    assert LedgerEntry.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_confirmation_goes_the_same_way() -> None:
    here = hall()
    entered = Door(here, here.ns).send()
    assert isinstance(entered, Recorded)
    asked = scorekeeping.hand_to_confirm(entry_id=entered.entry.pk)
    late = Door(here, here.referee, "k", asked)
    done = Door(here, here.ew, "k", asked).send()
    assert isinstance(done, Recorded)
    assert (done.answer, LedgerEntry.objects.get().confirmed_side) == ("confirmed", "EW")
    assert outcome(late.send) == "already_confirmed"
    assert audit(event_document(here.event)) == []


def race(seed: int) -> None:
    """One fact changes while an entry is on its way: an entry that was sent on after the change is refused."""
    chance = Random(seed)
    change, who, code = FACTS[seed % len(FACTS)]
    here = hall(tables=2)
    actor = entering(here, who)
    door, changed, late = Door(here, actor, "k"), threading.Event(), threading.Event()
    waits = [chance.random() * 0.004 for _ in range(2)]

    def act() -> None:
        try:
            sleep(waits[0])
            change(here, actor)
            changed.set()
        except Refusal:  # the entry was first, and the table is no longer as the act wants it
            pass
        finally:
            connections.close_all()

    def enter() -> str:
        try:
            sleep(waits[1])
            if changed.is_set():
                late.set()
            return outcome(door.send)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        acting, said = pool.submit(act), pool.submit(enter)
        acting.result(20)
        answer = said.result(20)
    assert answer in (code, "confirmed", "waiting"), (seed, answer)
    assert not late.is_set() or answer == code, (seed, "written on what was no longer so")
    entered = LedgerEntry.objects.filter(sitting=here.sitting, entered_at=LATER).count()
    assert entered == (answer != code) == SavedAnswer.objects.count(), seed
    assert audit(event_document(here.event)) == [], seed


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
@pytest.mark.long
@pytest.mark.parametrize("seed", range(len(FACTS)))
def test_a_fact_that_changes_at_the_same_moment(seed: int) -> None:
    race(seed)
