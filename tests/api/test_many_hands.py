"""Hands of many tables in one request: each its own act, with its own key, answer and refusal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api import many_hands
from api.many_hands import MOST
from tests.api.client import Answer, Api
from tests.api.hall import desk
from tests.tournaments.factories import AT, sheet
from tests.tournaments.playing import SEED, Event, event, sittings_of
from tests.tournaments.test_races import at_once
from tournaments.acts.admission import Actor
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.events import setup
from tournaments.ledger import devices, scorekeeping
from tournaments.ledger.codes import party_code_text
from tournaments.ledger.entry_read import read_entries
from tournaments.log.checking import check
from tournaments.models import HistoryEntry, LedgerEntry, LogLeaf, SavedAnswer, Sitting
from tournaments.people import entrants

pytestmark = pytest.mark.django_db


class Desk:
    """An official of an event with two tables."""

    def __init__(self, made: Event) -> None:
        self.tables: list[Sitting] = sittings_of(made.running((1, 2), (3, 4)))
        self.api: Api = desk(made.actor)

    def hand(self, table: int = 0, number: int = 1, captured: int = 35, **more: Any) -> dict[str, Any]:
        pk = self.tables[table].pk
        given = {"key": f"{pk}-{number}", "sitting": pk, "hand_no": number, "basis": "signed_sheet"}
        facts = sheet(captured, dealer="N") if number == 1 else sheet(captured)
        return given | {"facts": facts} | more

    def send(self, *hands: Any) -> Answer:
        return self.api.post("hands/", {"hands": list(hands)})

    def statuses(self, *hands: Any) -> list[int]:
        answer = self.send(*hands)
        assert answer.status == 200, answer.raw
        return [one["status"] for one in answer.json["results"]]


@pytest.fixture
def here() -> Desk:
    return Desk(event(4))


@pytest.mark.both_databases
def test_each_hand_is_answered_in_its_place(here: Desk) -> None:
    answer = here.send(here.hand(1), here.hand(0), here.hand(0, 2))
    assert answer.status == 200
    found = answer.json["results"]
    assert [one["key"] for one in found] == [here.hand(1)["key"], here.hand(0)["key"], here.hand(0, 2)["key"]]
    assert found[0]["status"] == 201, found
    assert [(one["status"], one["recorded"]["status"], one["error"]) for one in found] == [(201, "effective", None)] * 3
    assert [one["recorded"]["hand_no"] for one in found] == [1, 1, 2]
    assert [table.entries.count() for table in here.tables] == [2, 1]


BAD: dict[str, tuple[int, str, Callable[[Desk], Any]]] = {
    "points no hand has": (400, "not_a_multiple_of_5", lambda here: here.hand(captured=37)),
    "a table that is not there": (404, "not_found", lambda here: here.hand(sitting=10**9)),
    "a number far ahead": (409, "hand_skipped", lambda here: here.hand(number=9)),
    "no key": (400, "required", lambda here: {n: v for n, v in here.hand().items() if n != "key"}),
    "an empty key": (400, "blank", lambda here: here.hand(key="")),
    "a key that cannot be printed": (400, "key_not_allowed", lambda here: here.hand(key="a\n")),
    "a key with a blank that a header would lose": (
        400,
        "key_not_allowed",
        lambda here: here.hand(key=" a"),
    ),
    "a key that a header carries otherwise": (400, "key_not_allowed", lambda here: here.hand(key="clé")),
    "an unknown field": (400, "unknown_field", lambda here: here.hand(colour="red")),
    "no hand at all": (400, "not_a_dict", lambda here: 7),
}


@pytest.mark.both_databases
@pytest.mark.parametrize("bad", BAD)
def test_one_bad_hand_refuses_itself_only(here: Desk, bad: str) -> None:
    status, code, made = BAD[bad]
    wrong = made(here)
    answer = here.send(wrong, here.hand(1))
    assert answer.status == 200, answer.raw
    first, second = answer.json["results"]
    assert (first["status"], first["error"]["code"], first["recorded"]) == (status, code, None)
    assert set(first["error"]["message"]) == {"en", "zh"}
    assert second["status"] == 201
    assert LedgerEntry.objects.get().sitting_id == here.tables[1].pk
    assert SavedAnswer.objects.count() == 1, "what was refused frees its key"


@pytest.mark.both_databases
def test_sent_again_it_counts_once_and_gets_the_same_answer_in_its_place(here: Desk) -> None:
    sent = [here.hand(0), here.hand(0, 2, captured=37), here.hand(1)]
    first, again = (here.send(*sent).json["results"] for _ in range(2))
    assert LedgerEntry.objects.count() == 2
    assert [one["status"] for one in again] == [201, 400, 201]
    assert [one["recorded"] and one["recorded"].pop("replayed") for one in first] == [False, None, False]
    assert [one["recorded"] and one["recorded"].pop("replayed") for one in again] == [True, None, True]
    assert again == first


def test_another_hand_under_a_key_is_refused(here: Desk) -> None:
    assert here.statuses(here.hand(0), here.hand(1, key=here.hand(0)["key"])) == [201, 422]
    assert here.statuses(here.hand(0, captured=40), here.hand(1)) == [422, 201]


@pytest.mark.both_databases
def test_a_hand_sent_alone_and_among_others_is_one_hand(here: Desk) -> None:
    def alone(hand: dict[str, Any]) -> Answer:
        body = {name: value for name, value in hand.items() if name not in ("key", "sitting")}
        return here.api.call("POST", f"sittings/{hand['sitting']}/hands/", body, Idempotency_Key=hand["key"])

    one, other = here.hand(0, key="from this ~phone, 1"), here.hand(1)
    entry = alone(one).json["entry"]
    found = here.send(one, other).json["results"]
    assert (found[0]["recorded"]["entry"], found[0]["recorded"]["replayed"]) == (entry, True)
    again = alone(other)
    assert (again.status, again.json["entry"]) == (201, found[1]["recorded"]["entry"])
    assert LedgerEntry.objects.count() == 2


def test_no_more_than_fifty(here: Desk) -> None:
    most = [here.hand(key=str(number)) for number in range(MOST + 1)]
    answer = here.send(*most)
    assert (answer.status, answer.error["code"], answer.error["field"]) == (413, "too_many_at_once", "hands")
    assert not LedgerEntry.objects.exists()
    assert here.statuses(*most[1:]) == [201] + [409] * (MOST - 1)


@pytest.mark.parametrize("body", [{}, {"hands": []}, {"hands": 7}, {"hands": [], "more": 1}])
def test_a_request_without_hands_is_refused(here: Desk, body: Any) -> None:
    assert here.api.post("hands/", body).status == 400


def test_who_may_enter_none_of_them_is_refused_whole(here: Desk) -> None:
    stranger = desk(event(2).actor)
    sent = {"hands": [here.hand(0), here.hand(1)]}
    assert (Api().post("hands/", sent).status, stranger.post("hands/", sent).status) == (403, 404)
    assert not LedgerEntry.objects.exists()


def test_a_hand_at_a_foreign_table_is_refused_alone(here: Desk) -> None:
    foreign = sittings_of(event(2).running((1, 2)))[0]
    assert here.statuses(here.hand(0), here.hand(1, sitting=foreign.pk)) == [201, 404]
    assert not foreign.entries.exists()


TEN = [35, 60, 80, 120, 0, 45, 75, 40, 100, 20]


def ten(here: Desk, table: int = 0) -> list[dict[str, Any]]:
    return [here.hand(table, number, captured) for number, captured in enumerate(TEN, 1)]


def what_stands(table: Sitting) -> Any:
    """The record of a table without what is numbered or drawn."""
    now = Sitting.objects.get(pk=table.pk)
    entries = [
        (one.position, one.version, one.hand_no, one.facts, one.status) for one in now.entries.order_by("position")
    ]
    return now.revision, now.hand_no, now.state, now.phase, entries


@pytest.mark.both_databases
def test_hands_of_one_table_stand_as_if_each_was_sent_alone(here: Desk) -> None:
    found = here.send(*ten(here)).json["results"]
    for hand in ten(here, 1):
        assert here.statuses(hand) == [201]
    assert [one["status"] for one in found] == [201] * 10
    assert [one["recorded"]["revision"] for one in found] == list(range(1, 11))
    together, alone = map(what_stands, here.tables)
    assert together == alone
    lines = HistoryEntry.objects.filter(sitting=here.tables[0]).order_by("pk")
    assert [line.subject for line in lines] == [f"entry:{one['recorded']['entry']}" for one in found]
    assert SavedAnswer.objects.count() == 20
    event = here.tables[0].round.tournament
    assert audit(event_document(event)) == []
    assert check(event) == []
    assert LogLeaf.objects.filter(sitting_id=here.tables[0].pk).count() == 1


def test_hands_of_one_table_are_one_read_and_one_write(here: Desk) -> None:
    hands = ten(here)
    with CaptureQueriesContext(connection) as few:
        assert here.statuses(*hands[:2]) == [201] * 2
    with CaptureQueriesContext(connection) as many:
        assert here.statuses(*hands[2:]) == [201] * 8
    words = [query["sql"].split()[0] for query in many]
    assert len(many) == len(few)
    assert words[-2:] == ["SELECT", "WITH"]
    assert words.count("WITH") == 1


def test_hands_of_many_tables_are_one_read_and_one_write(here: Desk) -> None:
    two = [here.hand(0), here.hand(1)]
    with CaptureQueriesContext(connection) as few:
        assert here.statuses(*two) == [201] * 2
    mixed = [here.hand(number % 2, 2 + number // 2, TEN[number]) for number in range(10)]
    with CaptureQueriesContext(connection) as many:
        assert here.statuses(*mixed) == [201] * 10
    words = [query["sql"].split()[0] for query in many]
    assert len(many) == len(few)
    assert (words[-2:], words.count("WITH")) == (["SELECT", "WITH"], 1)
    for table in here.tables:
        assert LogLeaf.objects.filter(sitting_id=table.pk).count() == 2, "a leaf of its own for each table"
    event = here.tables[0].round.tournament
    assert (audit(event_document(event)), check(event)) == ([], [])


class World:
    """Two events of one official, each of two tables; at one of them a phone's hand waits."""

    def __init__(self) -> None:
        first = event(4)
        self.api = desk(first.actor)
        made = [first, _another(first)]
        self.events = [one.tournament for one in made]
        self.tables = [table for one in made for table in sittings_of(one.running((1, 2), (3, 4)))]
        given = {"tournament_id": first.tournament.pk, "actor": first.actor, "at": AT}
        code = next(one for one in devices.issue_codes(**given) if one.table_id == self.tables[1].table_id)
        phone = devices.claim(
            code_text=party_code_text(code),
            at=AT,
            token=str(first.tournament.pk) * 32,
            public_id=first.tournament.slug[:12],
        )
        waits = {"facts": sheet(35, dealer="N"), "hand_no": 1}
        scorekeeping.record_hand(sitting_id=self.tables[1].pk, actor=Actor(device=phone), at=AT, **waits)

    def hand(self, table: int, number: int, captured: int, key: Any, more: dict[str, Any]) -> dict[str, Any]:
        facts = sheet(captured, dealer="N") if number == 1 else sheet(captured)
        given = {"key": key, "sitting": self.tables[table].pk, "hand_no": number, "basis": "signed_sheet"}
        return given | {"facts": facts} | more

    def stands(self) -> Any:
        return [
            (what_stands(table), [line.act for line in HistoryEntry.objects.filter(sitting=table).order_by("pk")])
            for table in self.tables
        ]

    def answered(self, results: list[dict[str, Any]]) -> list[Any]:
        """Without ids of rows, which differ from world to world."""
        names = {table.pk: place for place, table in enumerate(self.tables)}
        said = json.loads(json.dumps(results))
        for one in said:
            if one["recorded"]:
                entry_id = one["recorded"].pop("entry")
                # a table has one leaf in a request, so the promise differs; it is of a leaf of that table's event
                promise = one["recorded"].pop("promise")
                leaf = LogLeaf.objects.get(digest=promise["digest"])
                assert LedgerEntry.objects.get(pk=entry_id).sitting.round.tournament_id == leaf.tournament_id
            current = (one["error"] or {}).get("current") or {}
            for name in ("entry", "pending"):
                current.pop(name, None)
            if "sitting" in current:
                current["sitting"] = names[current["sitting"]]
        return list(said)


def _another(first: Event) -> Event:
    """One more event of the same official."""
    facts = {"name": "Another", "slug": f"{first.tournament.slug}-2", "lot_seed": SEED, "preset": "F1"}
    made = setup.create_tournament(actor=first.actor, at=AT, language="en", single_official=True, **facts)
    given = {"tournament_id": made.pk, "actor": first.actor, "at": AT}
    return Event(made, first.actor, {n: entrants.add_entrant(**given, name=f"Pair {n}").pk for n in range(1, 5)})


def _asked(chance: Random) -> list[tuple[Any, ...]]:
    """Hands of four tables in any order, some of them wrong in one way or another, some under a key that is taken."""
    asked, numbers, keys = list[tuple[Any, ...]](), Counter[int](), list[str]()
    for turn in range(chance.randint(4, 14)):
        table = chance.randrange(4)
        numbers[table] += 1
        captured = chance.choice([0, 0, 0, 35, 80, 120, 200])
        key, more = f"k{turn}", dict[str, Any]()
        match chance.randrange(9):
            case 0:
                captured, numbers[table] = 37, numbers[table] - 1
            case 1:
                more = {"hand_no": 9}
                numbers[table] -= 1
            case 2:
                more = {"colour": "red"}
                numbers[table] -= 1
            case 3 if keys:
                key = chance.choice(keys)
                numbers[table] -= 1
            case 4:
                more = {"basis": ""}
                numbers[table] -= 1
        keys.append(key)
        asked.append((table, max(numbers[table], 1), captured, key, more))
        if chance.random() < 0.1:
            asked.append(asked[-1])
    return asked


@pytest.mark.both_databases
@pytest.mark.parametrize("seed", range(6))
def test_many_are_answered_and_stand_as_one_after_the_other(seed: int) -> None:
    chance, worlds = Random(seed), (World(), World())
    for _ in range(4):
        asked = _asked(chance)
        together = worlds[0].api.post("hands/", {"hands": [worlds[0].hand(*one) for one in asked]}).json["results"]
        # those of a table in their order, the tables as they come up first
        tables = list(dict.fromkeys(table for table, *_ in asked))
        order = sorted(range(len(asked)), key=lambda place: tables.index(asked[place][0]))
        alone: dict[int, Any] = {}
        for place in order:
            (alone[place],) = worlds[1].api.post("hands/", {"hands": [worlds[1].hand(*asked[place])]}).json["results"]
        assert worlds[0].answered(together) == worlds[1].answered([alone[place] for place in range(len(asked))]), asked
        assert worlds[0].stands() == worlds[1].stands(), asked
    for one in worlds[0].events:
        assert (audit(event_document(one)), check(one)) == ([], [])


@pytest.mark.both_databases
@pytest.mark.parametrize("lost", [0, 1])
def test_a_race_lost_at_one_table_costs_the_other_nothing(here: Desk, lost: int, monkeypatch: Any) -> None:
    """Between the read and the write somebody else enters the first hand of one table."""
    official, reads = here.tables[0].round.tournament.officials.all()[0].user, list[Any]()

    def read(keys: Any, credential: Any) -> Any:
        found = read_entries(keys, credential)
        reads.append(sorted(keys))
        if len(reads) == 1:
            scorekeeping.record_hand(
                sitting_id=here.tables[lost].pk, actor=Actor(user=official), at=AT, hand_no=1, basis="watched",
                facts=sheet(80, dealer="N"),
            )  # fmt: skip
        return found

    monkeypatch.setattr(many_hands, "read_entries", read)
    found = here.send(here.hand(0), here.hand(1), here.hand(0, 2), here.hand(1, 2)).json["results"]
    statuses = [one["status"] for one in found]
    assert statuses == [409 if place == lost else 201 for place in (0, 1)] + [201, 201]
    assert found[lost]["error"]["code"] == "already_recorded"
    assert [one.entries.count() for one in here.tables] == [2, 2]
    assert reads == [sorted(one.pk for one in here.tables)], "nothing but the one table was read again"
    event = here.tables[0].round.tournament
    assert (audit(event_document(event)), check(event)) == ([], [])


@pytest.mark.both_databases
def test_one_bad_hand_of_a_table_refuses_itself_only(here: Desk) -> None:
    hands = ten(here)
    hands[3:3] = [here.hand(number=4, captured=37, key="bad"), here.hand(number=9, key="far"), {"key": "none"}]
    hands.insert(2, here.hand(1))
    assert here.statuses(*hands) == [201, 201, 201, 201, 400, 409, 400, *[201] * 7]
    assert here.tables[0].entries.count() == 10
    again = here.send(*hands).json["results"]
    assert [one["recorded"] and one["recorded"]["replayed"] for one in again].count(True) == 11
    assert LedgerEntry.objects.count() == 11


@pytest.mark.both_databases
def test_a_key_twice_in_one_request_is_one_hand(here: Desk) -> None:
    hand, other = here.hand(), here.hand(number=2, key=here.hand()["key"])
    assert here.statuses(hand, hand, other, here.hand(number=2)) == [201, 201, 422, 201]
    assert LedgerEntry.objects.count() == 2


@pytest.mark.both_databases
def test_a_match_that_ends_among_them_ends(here: Desk) -> None:
    hands = [here.hand(number=number, captured=0) for number in range(1, 13)]
    statuses = here.statuses(*hands)
    assert statuses.index(409) == statuses.count(201) < 12, statuses
    assert Sitting.objects.get(pk=here.tables[0].pk).phase == "finished"
    assert audit(event_document(here.tables[0].round.tournament)) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
@pytest.mark.long
def test_the_same_hands_sent_by_several_at_the_same_moment_count_once() -> None:
    here = Desk(event(4))
    hands = [ten(here)[turn % 3 :] + ten(here, 1) for turn in range(4)]
    for answers in at_once(*[lambda sent=sent: here.send(*sent) for sent in hands]):
        assert {one["status"] for one in answers.json["results"]} <= {201, 409}
    here.send(*ten(here))
    assert [one.entries.count() for one in here.tables] == [10, 10]
    assert audit(event_document(here.tables[0].round.tournament)) == []
