"""A hand in two statements: every fact it rests on is changed between the two, and then nothing is written on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from threading import Event
from time import sleep
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from tests.tournaments.entry_facts import FACTS, Fact
from tests.tournaments.factories import AT, Hall, hall, official, sheet
from tests.tournaments.test_idempotency import sent
from tests.tournaments.test_scorekeeping import enter
from tests.worlds import from_the_start
from tournaments.acts.admission import Actor
from tournaments.acts.errors import KeyReused, Refusal
from tournaments.acts.keys import Keyed, Repeat
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger import scorekeeping
from tournaments.ledger.entry_path import Asked, carry_out_at_once
from tournaments.ledger.entry_read import Credential, EntryRead, read_entry
from tournaments.ledger.recorded import Recorded
from tournaments.models import HistoryEntry, LedgerEntry, SavedAnswer, Sitting

LATER = AT + timedelta(minutes=3)
#: Races of each fact in `make test`; `make soak` runs a thousand. Every tenth is audited.
ROUNDS, AUDITED = 5, 10


class Door:
    """A request on its way: what was read is kept until it is sent on."""

    def __init__(
        self, here: Hall, actor: Actor, key: str = "", asked: Asked | None = None, shown: Credential | None = None
    ) -> None:
        shown = shown or shown_by(actor)
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


def outcome(act: Callable[[], Any]) -> str:
    try:
        done = act()
    except Refusal as refused:
        return refused.code
    return str(getattr(done, "answer", "done"))


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_nothing_is_written_on_what_is_no_longer_so(fact: Fact) -> None:
    here, actor = fact.hall()
    door = Door(here, actor, "k", fact.asks(here))
    fact.change(here, actor)
    before = (LedgerEntry.objects.count(), HistoryEntry.objects.count())
    assert outcome(door.send) == fact.code
    if not fact.refuses:
        assert SavedAnswer.objects.exists()
        assert audit(event_document(here.event)) == []
        return
    assert (LedgerEntry.objects.count(), HistoryEntry.objects.count()) == before
    assert not SavedAnswer.objects.exists(), "a refusal frees its key"


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize("who", ["ns", "referee", "of_table"])
def test_an_entry_is_two_statements_on_postgresql(who: str) -> None:
    here = hall()
    actor = official(here.event, tables=(here.sitting.table,)) if who == "of_table" else getattr(here, who)
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


@dataclass(frozen=True)
class Raced:
    """How the entry was answered, and whether it stands; whether the fact changed."""

    answer: str
    stands: bool
    changed: bool


def races(fact: Fact, seeds: Iterable[int]) -> Iterator[Raced]:
    """The fact changes while an entry is on its way, at another moment for each seed."""

    def begin() -> tuple[Hall, Actor, Credential]:
        here, actor = fact.hall()
        return here, actor, shown_by(actor)

    begun = from_the_start(begin)
    for seed in seeds:
        yield race(fact, seed, *begun())


def race(fact: Fact, seed: int, here: Hall, actor: Actor, shown: Credential) -> Raced:
    """Either the entry was committed first, or it is refused."""
    chance = Random(f"{fact} {seed}")
    door = Door(here, actor, "k", fact.asks(here), shown)
    waits = chance.random() * 0.004, chance.random() * 0.02

    def act() -> str | None:
        """The transaction in which the fact changed."""
        try:
            sleep(waits[0])
            with transaction.atomic(), connection.cursor() as cursor:
                fact.change(here, actor)
                cursor.execute("SELECT pg_current_xact_id()::text")
                return str(cursor.fetchone()[0])
        except Refusal:  # the entry was first, and the table is no longer as the act wants it
            return None
        finally:
            connections.close_all()

    def enter() -> str:
        try:
            sleep(waits[1])
            return outcome(door.send)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        acting, said = pool.submit(act), pool.submit(enter)
        changed, answer = acting.result(60), said.result(60)
    kept = SavedAnswer.objects.filter(scope=actor.scope)
    assert answer in (fact.code, "confirmed", "waiting"), (seed, answer)
    assert changed is not None or answer != fact.code or not fact.refuses, (seed, "refused for what did not change")
    stands = answer in ("confirmed", "waiting")
    if not (fact.removes and changed):
        assert kept.count() == stands, seed
    if stands and fact.refuses and changed is not None and not fact.removes:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_xact_commit_timestamp(xmin) < pg_xact_commit_timestamp(%s::xid)"
                " FROM tournaments_savedanswer WHERE scope = %s",
                [changed, actor.scope],
            )
            assert cursor.fetchone()[0], (seed, "written on what was no longer so")
    if seed % AUDITED == 0 and not (fact.removes and changed):
        assert audit(event_document(here.event)) == [], seed
    return Raced(answer, stands, changed is not None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_a_fact_that_changes_at_the_same_moment(fact: Fact) -> None:
    assert len(list(races(fact, range(ROUNDS)))) == ROUNDS


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pause", [0.2, 1.5])
def test_one_key_on_both_ways_is_one_act_whichever_postgresql_ends(pause: float) -> None:
    """One transaction has the key and waits for the sitting, one statement has the sitting and waits for the key. After
    a second PostgreSQL ends the one that has waited so long: the statement, or after the longer pause the other."""
    here = hall()
    door, taken = Door(here, here.ns, "k"), Event()

    def locking() -> Any:
        def act() -> Recorded:
            taken.set()
            sleep(pause)
            return enter(here, here.ns)

        return on_its_own(lambda: sent(here.ns, "k", "hand 1", act))

    def at_once() -> Any:
        taken.wait(10)
        return on_its_own(door.send)

    with ThreadPoolExecutor(2) as pool:
        answers = [one.result() for one in [pool.submit(locking), pool.submit(at_once)]]
    (entry,) = LedgerEntry.objects.values_list("pk", flat=True)
    assert {one.answer["entry"] if isinstance(one, Repeat) else one.entry.pk for one in answers} == {entry}
    assert sorted(type(one).__name__ for one in answers) == ["Recorded", "Repeat"]


def on_its_own(act: Callable[[], Any]) -> Any:
    """The act on a connection of this thread, which is closed."""
    try:
        return act()
    finally:
        connections.close_all()
