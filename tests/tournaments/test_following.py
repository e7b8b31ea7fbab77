"""Following by parts: the channel, what is sent, what is refused when it is bent, terms that are believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client, override_settings
from django.urls import reverse

from tests.tournaments import playing
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts import signing
from tournaments.acts.admission import SYSTEM, Actor
from tournaments.acts.errors import EventElsewhere
from tournaments.acts.leaves import added, leaf
from tournaments.following import applying, feed, kept, pairing, terms
from tournaments.following.channel import Channel, NotOurs, Side, new_code, plain
from tournaments.following.errors import FollowFailed
from tournaments.following.taking_over import take_over
from tournaments.ledger import corrections
from tournaments.log import numbering, verify
from tournaments.log.checking import check
from tournaments.log.reads import log_document
from tournaments.models import Elsewhere, LedgerEntry, LogLeaf, Player, Term, Tournament
from tournaments.people.entrants import add_entrant
from tournaments.people.erasure import erase_person

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _folder_of_this_test(tmp_path: Path, settings: Any):
    settings.HEADS, settings.DATA_DIR = tmp_path / "heads", tmp_path
    cache.clear()


def channels(first: str, second: str) -> tuple[Channel, Channel]:
    writes, follows = Side.new(), Side.new()
    return writes.agree(follows.public, first, writes=True), follows.agree(writes.public, second, writes=False)


def test_the_channel_is_read_by_who_has_the_code_and_by_nobody_else() -> None:
    code = new_code()
    writes, follows = channels(code, code.lower().replace("-", " "))
    assert follows.open_json(writes.close_json({"a": AT}, "once"), "once") == {"a": AT.isoformat()}
    assert writes.open(follows.close(b"up", "x"), "x") == b"up"
    frame = writes.close(b"down", "one")
    for reader, bent, about in (
        (follows, frame, "another"),  # an answer to another request
        (writes, frame, "one"),  # sent back to who made it
        (follows, frame[:-1] + bytes([frame[-1] ^ 1]), "one"),
        (channels(code, new_code())[1], frame, "one"),
        (follows, b"", "one"),
    ):
        with pytest.raises(NotOurs):
            reader.open(bent, about)
    stranger, other = channels(code, new_code())
    with pytest.raises(NotOurs):
        other.open(stranger.close(b"x", "y"), "y")


@pytest.mark.parametrize("typed", ["", "ABCD", "ABCD-EFGH-JKLM-NPQ0", "I" * 16])
def test_what_is_no_code(typed: str) -> None:
    assert plain(typed) == ""


def chief(made: Event) -> Actor:
    return made.actor


def paired(made: Event) -> tuple[str, Channel]:
    Tournament.objects.filter(pk=made.tournament.pk).update(single_official=True)
    code = pairing.make_code(tournament_id=made.tournament.pk, actor=chief(made), at=AT)
    side = Side.new()
    answer = pairing.agree(side.public, AT)
    return answer["name"], side.agree(answer["public"], code, writes=False)


def asked(name: str, channel: Channel, said: dict[str, Any], at: datetime = AT) -> Any:
    got = pairing.opened(name, "once", channel.close_json(said, f"{name} once"), at)
    return channel.open_json(pairing.answered(got, at), f"{name} once answer")


def test_a_code_lets_one_laptop_in_once_and_for_a_quarter_of_an_hour() -> None:
    made = event(4)
    name, channel = paired(made)
    assert asked(name, channel, {"ask": "since"})["events"] != []
    assert pairing.code_now(AT) == ""  # used up
    with pytest.raises(FollowFailed, match="no_follow_code"):
        pairing.agree(Side.new().public, AT)
    later = AT + timedelta(days=1)
    assert asked(name, channel, {"ask": "since"}, later)["at"] == later.isoformat()
    with pytest.raises(FollowFailed, match="follower_not_known"):
        pairing.opened("another", "once", channel.close_json({}, "another once"), AT)
    pairing.make_code(tournament_id=made.tournament.pk, actor=chief(made), at=AT)
    with pytest.raises(FollowFailed, match="no_follow_code"):
        pairing.agree(Side.new().public, AT + timedelta(minutes=16))
    pairing.forget(tournament_id=made.tournament.pk, name=name, actor=chief(made), at=AT)
    with pytest.raises(FollowFailed, match="follower_not_known"):
        asked(name, channel, {"ask": "since"}, later + timedelta(days=1))


def test_wrong_frames_use_the_code_up() -> None:
    made = event(4)
    name, _ = paired(made)
    wrong = channels(new_code(), new_code())[1]
    for _ in range(pairing.MOST_TRIES):
        with pytest.raises(FollowFailed, match="follower_not_known"):
            pairing.opened(name, "once", wrong.close(b"{}", f"{name} once"), AT)
    assert pairing.code_now(AT) == ""


def sent(made: Event) -> dict[str, Any]:
    """Everything of the installation, as it goes over the network."""
    numbering.number_all(at=AT)
    return dict(json.loads(feed.in_json(feed.since({}, AT))))


def keys() -> list[Ed25519PublicKey]:
    return [Ed25519PublicKey.from_public_bytes(bytes.fromhex(signing.public_key()))]


def received(made: Event, acts: Callable[[], object]) -> list[int]:
    """Follow what these acts do: they are done, sent, and taken back, so that the event is as it was at a follower."""
    if connection.vendor != "sqlite":
        pytest.skip("a follower is a laptop")
    numbering.number_all(at=AT)
    asked_for = applying.have()
    try:
        with transaction.atomic():
            acts()
            told = json.loads(feed.in_json(feed.since(asked_for, AT)))
            raise Undone()
    except Undone:
        pass
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    moved = applying.apply(told, keys())
    assert check(made.tournament) == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
        assert cursor.fetchone()[0] > 40  # the guards stand again
    return moved


class Undone(Exception):
    """Nothing of it is kept."""


def test_what_is_not_numbered_yet_comes_at_once() -> None:
    made = event(4)
    sitting = playing.sittings_of(made.running((1, 2), (3, 4)))[0]
    assert received(made, lambda: made.hand(sitting, 35)) == [made.tournament.pk]
    assert LedgerEntry.objects.filter(sitting=sitting, status="effective").count() == 1
    assert LogLeaf.objects.filter(number=None).exists()


def test_many_acts_on_one_row_come_as_what_they_made_of_it() -> None:
    """A hand waits, counts and is corrected: at once that is no lawful way from one state to the other."""
    made = event(4)
    sitting = playing.sittings_of(made.running((1, 2), (3, 4)))[0]

    def acts() -> None:
        made.hand(sitting, 35)
        sitting.refresh_from_db()
        first = LedgerEntry.objects.get(sitting=sitting, status="effective")
        corrections.correct(
            entry_id=first.pk, actor=made.actor, at=made.tick(), expected_revision=sitting.revision,
            facts={**first.facts, "captured_in_tricks": 45}, reason="misread", treatment="recompute",
        )  # fmt: skip

    received(made, acts)
    assert set(LedgerEntry.objects.filter(sitting=sitting).values_list("status", flat=True)) == {
        "superseded",
        "effective",
    }


def test_an_erased_name_is_erased_at_the_second_laptop_too() -> None:
    made = event(4)
    player = Player.objects.filter(entrant__tournament=made.tournament).first()
    assert player is not None
    place, name = f'"player.{player.pk}"', player.name
    assert LogLeaf.objects.filter(salts__contains=place).exists()
    received(made, lambda: erase_person(player_id=player.pk, actor=made.actor, at=AT))
    player.refresh_from_db()
    assert player.name == "—"
    assert not player.history.filter(name=name).exists()
    said = [
        leaf
        for leaf in LogLeaf.objects.filter(salts__contains=place)
        if "+" in leaf.body and '"player","+"' in leaf.body
    ]
    assert said == []


def bend(told: dict[str, Any], how: str) -> None:
    one = told["events"][0]
    entries = one["rows"]["entrant"]
    place = entries["columns"].index("seed")
    if how == "value":
        entries["rows"][0][place] = 77
    elif how == "row gone":
        entries["rows"].pop()
    elif how == "row added":
        entries["rows"].append([*entries["rows"][0]])
        entries["rows"][-1][0] += 1000
    elif how == "leaf":
        one["leaves"][0][3] = one["leaves"][0][3].replace('"event"', '"event" ')
    elif how == "order":
        one["leaves"][0][1], one["leaves"][1][1] = one["leaves"][1][1], one["leaves"][0][1]
    elif how == "cut":
        one["leaves"].pop()
    elif how == "head":
        one["heads"][-1][3] = "0" * 128
    elif how == "name":
        entries["rows"][0][entries["columns"].index("name")] = "Somebody"
    elif how == "table":
        entries["columns"][place] = "seed; --"


BENDS = ("value", "row gone", "row added", "leaf", "order", "cut", "head", "name", "table")


@pytest.mark.parametrize("how", BENDS)
def test_what_is_bent_on_its_way_is_not_kept(how: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a follower is a laptop")
    made = event(4)
    told = sent(made)
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    forgotten(made)
    bend(told, how)
    with pytest.raises(FollowFailed, match="feed_bent"), transaction.atomic():
        applying.apply(told, keys())
    assert not LogLeaf.objects.filter(tournament=made.tournament).exists()


def forgotten(made: Event) -> None:
    """As if nothing but the event itself had come yet."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA defer_foreign_keys = ON")
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _ in cursor.fetchall():
            cursor.execute(f'DROP TRIGGER "{name}"')
        for table in ("logleaf", "loghead", "player", "entrant", "historyentry", "official", "stage", "table"):
            cursor.execute(f"DELETE FROM tournaments_{table}")


def test_what_was_sent_whole_is_kept_and_sound() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a follower is a laptop")
    made = event(4)
    made.running((1, 2), (3, 4))
    made.hand(sittings_of(made.tournament.rounds.get())[0], 35)
    told = sent(made)
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    forgotten(made)
    assert applying.apply(told, keys()) == [made.tournament.pk]
    again = json.loads(feed.in_json(feed.since(applying.have(), AT)))
    assert applying.apply(again, keys()) == []  # nothing new
    assert applying.have()["have"] == {made.tournament.pk: LogLeaf.objects.count()}
    assert check(made.tournament) == []


def test_an_event_that_is_followed_is_only_looked_at_and_then_taken_over() -> None:
    made = event(4)
    numbering.number_all(at=AT)
    size = LogLeaf.objects.filter(tournament=made.tournament).count()
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    with pytest.raises(EventElsewhere):
        add_entrant(tournament_id=made.tournament.pk, name="Late", actor=made.actor, at=AT)
    with pytest.raises(FollowFailed, match="not_following"):
        take_over(actor=SYSTEM, at=AT, unplugged=True)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    with pytest.raises(FollowFailed, match="unplug_first"):
        take_over(actor=SYSTEM, at=AT, unplugged=False)
    (term,) = take_over(actor=SYSTEM, at=AT, unplugged=True)
    assert (term.number, term.head_size) == (2, size)
    first = LogLeaf.objects.filter(tournament=made.tournament, number=size).get()
    assert f'"{term.head_root}"' in first.body  # the first leaf of the term names the head as it is
    assert check(made.tournament) == []
    assert add_entrant(tournament_id=made.tournament.pk, name="Late", actor=made.actor, at=AT).pk
    assert not kept.is_following()


def test_only_a_paired_laptop_ends_a_term() -> None:
    made = event(4)
    numbering.number_all(at=AT)
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    take_over(actor=SYSTEM, at=AT, unplugged=True)
    (said,) = terms.ours()
    Term.objects.all().delete()  # as it stood at the laptop before
    assert not terms.heard(json.dumps(said), AT)  # signed by nobody it knows
    kept.write(kept.FOLLOWERS, {"a": {"key": signing.public_key()}})
    for bent in ({**said, "term": 3}, {**said, "event": said["event"] + 1}, {**said, "signature": ""}, [], "x"):
        assert not terms.heard(json.dumps(bent), AT)
    assert terms.heard(json.dumps(said), AT)
    assert Tournament.objects.get(pk=made.tournament.pk).elsewhere == Elsewhere.OVER


def test_phones_carry_the_later_term_to_whoever_has_the_address() -> None:
    made = event(4)
    numbering.number_all(at=AT)
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    take_over(actor=SYSTEM, at=AT, unplugged=True)
    phone = Client()
    phone.get("/table/")
    assert phone.cookies["terms"]["httponly"]
    # the laptop before, plugged in again under the same address
    Term.objects.all().delete()
    kept.write(kept.TERMS, {})
    kept.write(kept.FOLLOWERS, {"a": {"key": signing.public_key()}})
    stranger = Client()
    stranger.cookies["terms"] = "bm9uc2Vuc2U="
    assert stranger.get("/table/").status_code == 200
    assert Tournament.objects.get(pk=made.tournament.pk).elsewhere == ""
    phone.get("/table/")
    assert Tournament.objects.get(pk=made.tournament.pk).elsewhere == Elsewhere.OVER
    with pytest.raises(EventElsewhere):
        add_entrant(tournament_id=made.tournament.pk, name="Late", actor=made.actor, at=AT)


def test_a_receipt_of_the_term_before_is_under_review_and_never_invalid() -> None:
    made = event(4)
    numbering.number_all(at=AT)
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    lost = leaf(made.tournament.pk, added([made.tournament]), AT)
    assert lost is not None
    with override_settings(LOG_KEY="a key of the second laptop's own"):
        take_over(actor=SYSTEM, at=AT, unplugged=True)
        log = json.loads(json.dumps(log_document(made.tournament)))
        assert verify.problems(log) == []
        assert verify.missing(log, {"body": lost.body, "signature": lost.signature}) == verify.UNDER_REVIEW
        forged = leaf(made.tournament.pk, added([made.tournament]), AT)
        assert forged is not None
        assert verify.missing(log, {"body": forged.body, "signature": forged.signature}).startswith(
            "it was promised at"
        )
        assert verify.missing(log, {"body": lost.body, "signature": "00" * 64}) == "no key of the log signed it"
        assert check(made.tournament) == []


@pytest.mark.parametrize("door", ["follow:pair", "follow:ask"])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"--part\r\n\r\n--part--", "multipart/form-data; boundary=part"),
        (b"[" * 100_000, "application/json"),
        (b'{"public":', "application/json"),
        (b"[]", "application/json"),
        (b"\xff", "application/json"),
    ],
)
def test_the_door_of_followers_takes_nothing_but_what_is_said_there(
    client: Client, door: str, body: bytes, kind: str
) -> None:
    assert client.post(reverse(door), body, content_type=kind).status_code == 400
