"""An event moves to another installation and goes on: what is written, what is refused, what stays true."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client, override_settings

from tests.tournaments.factories import tournament
from tests.tournaments.playing import Event, event, sittings_of
from tests.tournaments.signing import Signing
from tournaments.acts.admission import SYSTEM, Actor
from tournaments.acts.errors import EventElsewhere, Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.following import feed, moving
from tournaments.ledger import devices
from tournaments.ledger.codes import party_code_text
from tournaments.log import numbering, verify
from tournaments.log.checking import check
from tournaments.log.reads import log_document, receipts_of
from tournaments.models import Elsewhere, PartyCode, Sitting, Term, Tournament, User
from tournaments.people.entrants import add_entrant, change_entrant

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
THERE = "https://cup.example.org"


@pytest.fixture(autouse=True)
def _folder_of_this_test(tmp_path: Path, settings: Any):
    settings.HEADS, settings.DATA_DIR = tmp_path / "heads", tmp_path
    cache.clear()


@pytest.fixture
def another(tmp_path: Path) -> Callable[[], AbstractContextManager[None]]:
    """The database is empty, and the installation is one with a key and heads of its own."""

    def empty() -> AbstractContextManager[None]:
        # ids go on: what is prepared once for many tests must not have numbers that others are given later
        call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
        cache.clear()
        return override_settings(SECRET_KEY="the key of a federation 0123456789 0123456789", HEADS=tmp_path / "there")

    return empty


def played() -> tuple[Event, Sitting]:
    made = event(4)
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    made.hand(sitting, 35)
    devices.issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    code = party_code_text(PartyCode.objects.get(table=sitting.table, side="NS"))
    Signing(Actor(device=devices.claim(code_text=code, at=AT, token="s" * 64, public_id="sat there")))
    return made, sitting


def out(made: Event, file: Path) -> int:
    return moving.move_out(made.tournament.slug, THERE, file, at=AT, grace=0)


def taken_in(file: Path, slug: str = "") -> tuple[Term, Mapping[str, str]]:
    return moving.move_in(file.read_bytes(), actor=SYSTEM, at=AT, chance=Random(1), slug=slug)


def test_it_goes_on_elsewhere_and_everything_said_before_stays_true(tmp_path: Path, another: Any) -> None:
    made, sitting = played()
    codes = [party_code_text(one) for one in PartyCode.objects.filter(table__tournament=made.tournament)]
    receipts = [{"body": one.body, "signature": one.signature} for one in receipts_of(sitting.pk)]
    before = event_document(made.tournament)
    acts = out(made, tmp_path / "cup.move")
    assert (tmp_path / "cup.move").stat().st_mode & 0o077 == 0
    made.tournament.refresh_from_db()
    assert check(made.tournament) == []
    assert len(log_document(made.tournament)["leaves"]) == acts
    password = User.objects.get(pk=made.actor.user.pk).password
    with another():
        term, renamed = taken_in(tmp_path / "cup.move")
        assert renamed == {}
        assert (term.number, term.head_size) == (2, acts)
        there = Tournament.objects.get()
        assert (there.elsewhere, there.moved_to) == ("", "")
        after = event_document(there)
        # the history says that a term began, and standings are worked out anew; nothing else is different
        before["tournament"]["stale_number"] = after["tournament"]["stale_number"]
        assert {name for name in before if before[name] != after[name]} <= {"history", "digest", "file_digest"}
        assert [check(there), audit(event_document(there, official=True))] == [[], []]
        user = User.objects.get(pk=made.actor.user.pk)
        assert (user.password, user.is_superuser) == (password, False)
        # the round is played to its end, by rows with new ids
        made.tournament, made.actor = there, Actor(user=user)
        for one in Sitting.objects.filter(round__tournament=there):
            made.hand(one, 120)
        entrant = add_entrant(tournament_id=there.pk, actor=made.actor, at=made.tick(), name="Late pair")
        assert entrant.pk > max(row["id"] for row in before["entrants"])
        numbering.number_all(at=AT)
        assert [check(there), audit(event_document(there, official=True))] == [[], []]
        log = log_document(there)
        assert verify.problems(log) == []
        assert [verify.missing(log, one) for one in receipts] == [""] * len(receipts)
        # cards that were printed before let a phone in
        assert codes
        assert devices.claim(code_text=codes[0], at=AT, token="t" * 64, public_id="phone", take_over=True).side in (
            "NS",
            "EW",
        )


def test_the_first_place_leads_to_the_other_and_writes_no_more(tmp_path: Path) -> None:
    made, sitting = played()
    untouched = event(2)
    out(made, tmp_path / "cup.move")
    with pytest.raises(EventElsewhere) as refused:
        made.hand(sitting, 40)
    assert refused.value.code == "event_moved"
    assert THERE in refused.value.message["en"]
    assert THERE in refused.value.message["zh"]
    page = Client().get(f"/en/e/{made.tournament.slug}/").content.decode()
    assert f'<a href="{THERE}">{THERE}</a>' in page
    assert THERE not in Client().get(f"/en/e/{untouched.tournament.slug}/").content.decode()
    untouched.hand(sittings_of(untouched.running((1, 2)))[0], 40)


def test_nothing_is_lost_where_the_file_is(tmp_path: Path) -> None:
    """It is written again, and as long as it was taken in nowhere, the event can stay."""
    made, sitting = played()
    first = out(made, tmp_path / "lost.move")
    assert out(made, tmp_path / "again.move") == first
    moving.stay(made.tournament.slug, actor=SYSTEM, at=AT)
    made.hand(sitting, 40)
    with pytest.raises(Refusal) as refused:
        moving.stay(made.tournament.slug, actor=SYSTEM, at=AT)
    assert refused.value.code == "event_not_moved"


def rewritten(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    said = json.loads(gzip.decompress(file.read_bytes()))
    change(said)
    file.write_bytes(gzip.compress(json.dumps(said).encode()))


def _column(said: dict[str, Any], table: str, name: str, value: object) -> None:
    told = said["event"]["rows"][table]
    told["rows"][0][told["columns"].index(name)] = value


def _version(told: dict[str, Any]) -> None:
    told["rows"][0][told["columns"].index("id")] = 1


BENT: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "a value": ("feed_bent", lambda said: _column(said, "ledgerentry", "hand_no", 7)),
    "a name": ("feed_bent", lambda said: _column(said, "entrant", "name", "Somebody else")),
    "a row left out": ("feed_bent", lambda said: said["event"]["rows"]["ledgerentry"]["rows"].pop()),
    "the last act left out": ("feed_bent", lambda said: said["event"]["leaves"].pop()),
    "another program": ("follow_other_version", lambda said: said.update(version="9.9.9")),
    "what no program wrote": ("not_a_move", lambda said: said["event"].pop("rows")),
    "bytes of another photo": (
        "feed_bent",
        lambda said: said["contents"]["photo"]["rows"].append([1] * len(said["contents"]["photo"]["columns"])),
    ),
    "names of another event": (
        "feed_bent",
        lambda said: _version(said["versions"]["entrant"]),
    ),
    "no move": ("not_a_move", lambda said: said.update(format="referee/export/1")),
}


@pytest.mark.parametrize("how", BENT)
def test_a_file_that_was_changed_is_not_taken_in(how: str, tmp_path: Path, another: Any) -> None:
    made, _ = played()
    file = tmp_path / "cup.move"
    out(made, file)
    code, change = BENT[how]
    rewritten(file, change)
    with another():
        with pytest.raises(Refusal) as refused:
            taken_in(file)
        assert refused.value.code == code
        assert not Tournament.objects.exists()


def test_it_comes_back_with_the_earlier_names_that_were_numbered_there(tmp_path: Path) -> None:
    """Earlier names of entrants stand in no log: each installation numbers them by itself."""
    other = event(2, slug="other")
    made, _ = played()
    entrant = made.ids[1]
    change_entrant(entrant_id=entrant, actor=made.actor, at=made.tick(), changes={"name": "Once more named"})
    file, versions = tmp_path / "cup.move", feed.VERSIONS["entrant"]._default_manager
    names = versions.filter(id=entrant).order_by("history_id").values_list("name", flat=True)
    before, apart = list(names), list(versions.filter(tournament_id=other.tournament.pk).values())
    assert len(before) == 2
    taken = [one["history_id"] for one in apart]
    out(made, file)

    def numbered_elsewhere(said: dict[str, Any]) -> None:
        told = said["versions"]["entrant"]
        place = told["columns"].index("history_id")
        told["rows"].sort(key=lambda row: row[place])
        for number, row in enumerate(told["rows"]):
            row[place] = taken[0] + number
        told["rows"].reverse()

    rewritten(file, numbered_elsewhere)
    taken_in(file)
    assert list(names) == before
    assert list(versions.filter(tournament_id=other.tournament.pk).values()) == apart


def test_earlier_names_that_come_back_keep_their_numbers_and_new_ones_follow(tmp_path: Path) -> None:
    """Who follows here knows them by these numbers, and is told what is above the last that he has."""
    made, _ = played()
    first, second, *_ = made.ids.values()
    for which in (first, second):
        change_entrant(entrant_id=which, actor=made.actor, at=made.tick(), changes={"name": f"Now {which}"})
    file, versions = tmp_path / "cup.move", feed.VERSIONS["entrant"]._default_manager
    before = dict(versions.values_list("history_id", "name"))
    mine = list(versions.filter(id=first).order_by("history_id").values_list("history_id", flat=True))
    out(made, file)

    def erased_and_renamed(said: dict[str, Any]) -> None:
        told = said["versions"]["entrant"]
        number, who, name = (told["columns"].index(one) for one in ("history_id", "id", "name"))
        last = max(row[number] for row in told["rows"])
        for row in told["rows"]:
            row[number] += 7_000_000_000_000
            row[name] = "—" if row[who] == first else row[name]
        newest = max((row for row in told["rows"] if row[who] == second), key=lambda row: row[number])
        more = list(newest)
        more[number], more[name] = last + 8_000_000_000_000, "Named there"
        told["rows"].append(more)

    rewritten(file, erased_and_renamed)
    taken_in(file)
    after = dict(versions.values_list("history_id", "name"))
    assert {number: after[number] for number in before} == before | dict.fromkeys(mine, "—")
    ((number, name),) = (one for one in after.items() if one[0] not in before)
    assert (number > max(before), name) == (True, "Named there")


def test_an_event_is_not_taken_in_twice_nor_over_another(tmp_path: Path, another: Any) -> None:
    made, _ = played()
    out(made, tmp_path / "cup.move")
    with another():
        taken_in(tmp_path / "cup.move")
        with pytest.raises(Refusal) as twice:
            taken_in(tmp_path / "cup.move")
        assert twice.value.code == "event_is_here"
        call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
        other = tournament(pk=made.tournament.pk)
        with pytest.raises(Refusal) as taken:
            taken_in(tmp_path / "cup.move")
        assert taken.value.code == "move_ids_taken"
        assert list(Tournament.objects.values_list("pk", flat=True)) == [other.pk]


def test_an_account_whose_name_is_taken_comes_with_another(tmp_path: Path, another: Any) -> None:
    made, _ = played()
    name, slug = made.actor.user.username, made.tournament.slug
    out(made, tmp_path / "cup.move")
    with another():
        others = [User.objects.create_user(one) for one in (name, f"{name}.{slug}")]
        _, renamed = taken_in(tmp_path / "cup.move")
        assert renamed == {name: f"{name}.{slug}.2"}
        assert User.objects.get(pk=made.actor.user.pk).username == f"{name}.{slug}.2"
        assert [User.objects.get(pk=one.pk).username for one in others] == [name, f"{name}.{slug}"]
        there = Tournament.objects.get()
        assert [check(there), audit(event_document(there, official=True))] == [[], []]


def test_an_event_whose_address_is_taken_comes_in_under_another(tmp_path: Path, another: Any) -> None:
    made, _ = played()
    slug = made.tournament.slug
    out(made, tmp_path / "cup.move")
    with another():
        other = tournament()
        Tournament.objects.filter(pk=other.pk).update(slug=slug)
        with pytest.raises(Refusal) as refused:
            taken_in(tmp_path / "cup.move")
        assert refused.value.code == "move_slug_taken"
        with pytest.raises(Refusal) as none:
            taken_in(tmp_path / "cup.move", "no address")
        assert none.value.field == "slug"
        for wrong in (slug, "New"):
            with pytest.raises(Refusal):
                taken_in(tmp_path / "cup.move", wrong)
        taken_in(tmp_path / "cup.move", f"{slug}-2")
        there = Tournament.objects.get(pk=made.tournament.pk)
        assert there.slug == f"{slug}-2"
        other.refresh_from_db()
        assert other.slug == slug
        assert [check(there), audit(event_document(there, official=True))] == [[], []]
        # and from there back to where its first address is free
        made.tournament = there
        out(made, tmp_path / "back.move")
    with another():
        taken_in(tmp_path / "back.move", slug)
        assert Tournament.objects.get().slug == slug


def test_an_account_with_the_number_of_another_person_is_refused(tmp_path: Path, another: Any) -> None:
    made, _ = played()
    out(made, tmp_path / "cup.move")
    with another():
        User.objects.create_user(made.actor.user.username, pk=made.actor.user.pk)
        with pytest.raises(Refusal) as taken:
            taken_in(tmp_path / "cup.move")
        assert taken.value.code == "move_ids_taken"


def test_what_is_followed_or_only_kept_does_not_move(tmp_path: Path) -> None:
    made, _ = played()
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    with pytest.raises(EventElsewhere) as followed:
        out(made, tmp_path / "cup.move")
    assert followed.value.code == "event_followed"
    Tournament.objects.update(elsewhere="")
    with pytest.raises(Refusal) as address:
        moving.move_out(made.tournament.slug, "cup.example.org", tmp_path / "cup.move", at=AT, grace=0)
    assert address.value.code == "move_address"
    Tournament.objects.update(imported_at=AT)
    with pytest.raises(Refusal) as record:
        out(made, tmp_path / "cup.move")
    assert record.value.code == "event_is_a_record"
    assert not (tmp_path / "cup.move").exists()
