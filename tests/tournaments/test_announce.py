"""Announcements: after commit, to the right listeners, through Redis or inside the process; what strangers hear."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings as live_settings
from django.db import transaction
from django.test import Client

from tests.tournaments import factories, test_boards
from tests.tournaments.factories import sheet
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts import announce
from tournaments.acts.admission import Actor
from tournaments.acts.doorbell import mark_stale
from tournaments.acts.hub import HELLO, WAITING_MOST, Hub, Listener, encoded, encoded_for_all, version_in
from tournaments.events import officials, setup
from tournaments.ledger import calls, devices, scorekeeping
from tournaments.ledger.codes import party_code_text
from tournaments.models import Device, Office, Official, PartyCode, Player, Sitting, User
from tournaments.people import accounts, attendance, entrants, erasure, withdrawals
from tournaments.rounds import boards, closing, drawing, pairing
from tournaments.rounds.acts import create_round, start_round, swap_tables
from tournaments.signals import acts as signals
from tournaments.signals.acts import Agreement
from tournaments.stages.acts import change_stage
from tournaments.standings.runs import publish, recalculate

both_ways = pytest.mark.parametrize("redis_url", ["", "redis"], ids=["in-process", "redis"])
BOARD = {"what": "board", "id": 1, "number": 2}


@pytest.fixture
def way(redis_url: str, settings: Any) -> Iterator[None]:
    if redis_url:
        if not live_settings.REDIS_URL:
            pytest.skip("no Redis here")
        yield
        return
    settings.REDIS_URL = ""
    yield


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A hub of this test's own loop, in place of the service's."""
    own = Hub()
    monkeypatch.setattr(announce, "hub", own)
    return own


def listening(
    hub: Hub, topics: list[str], act: Callable[[], None], *, trusted: bool = True, since: float | None = None
) -> list[list[bytes]]:
    """What listeners to these topics are sent while `act` is done on another thread, as a page's request is."""

    async def main() -> list[list[bytes]]:
        sent: list[list[bytes]] = [[] for _ in topics]
        listeners = [
            Listener(topic, _into(place), holder="u1" if trusted else "")
            for topic, place in zip(topics, sent, strict=True)
        ]
        for listener in listeners:
            await hub.join(listener, since)
        worker = threading.Thread(target=act)
        worker.start()
        await asyncio.sleep(0.4)
        worker.join()
        for listener in listeners:
            hub.leave(listener)
        hub.stop()
        return sent

    return asyncio.run(main())


def _into(place: list[bytes]) -> Any:
    async def send(chunk: bytes) -> None:
        place.append(chunk)

    return send


@both_ways
def test_a_message_reaches_its_topic_only(way: None, hub: Hub) -> None:
    heard = listening(hub, ["event:a", "event:b"], lambda: announce.publish("event:a", BOARD, public=False))
    assert heard == [[HELLO, encoded(BOARD)], [HELLO]]
    assert hub.size == 0


@both_ways
def test_many_listeners_share_one_encoded_message(way: None, hub: Hub) -> None:
    topics = [f"event:{n % 2}" for n in range(50)]
    heard = listening(hub, topics, lambda: announce.publish("event:1", BOARD, public=False))
    assert [len(chunks) for chunks in heard] == [1, 2] * 25
    assert len({id(chunks[1]) for chunks in heard[1::2]}) <= 25


@both_ways
@pytest.mark.parametrize("public", [True, False])
def test_a_stranger_hears_what_is_public_and_no_numbers(way: None, hub: Hub, public: bool) -> None:
    """But for a version, the same in every process, by which he asks for what is new."""
    (heard,) = listening(hub, ["event:a"], lambda: announce.publish("event:a", BOARD, public=public), trusted=False)
    version, told = hub.version("event:a")
    assert heard == ([HELLO, encoded({"what": "board", "v": version})] if public else [HELLO])
    assert (len(version), told > 0) == ((16, True) if public else (0, False))
    assert hub.version("event:b") == ("", 0.0)


def test_no_version_comes_twice_nor_reaches_who_has_a_pass() -> None:
    said = [encoded_for_all(BOARD, public=True).split(b"\n\n") for _ in range(3)]
    assert {one[0] + b"\n\n" for one in said} == {encoded(BOARD)}
    assert len({version_in(one[1]) for one in said}) == 3
    both = [encoded_for_all({**BOARD, "v": "00ff"}, public=True).split(b"\n\n") for _ in range(2)]
    assert {version_in(one[1]) for one in both} == {"00ff"}
    assert {one[0] + b"\n\n" for one in both} == {encoded(BOARD)}


@both_ways
def test_what_is_said_together_is_sent_in_its_order_whatever_happens(way: None, hub: Hub) -> None:
    """Each of it was committed: a request that fails later must not keep it from the pages."""
    during: list[int] = []

    def act() -> None:
        with suppress(ZeroDivisionError), announce.together():
            for number in (1, 2):
                announce.publish("event:a", BOARD | {"number": number}, public=False)
            time.sleep(0.1)
            during.append(len(hub._moved))
            raise ZeroDivisionError

    heard = listening(hub, ["event:a"], act)
    assert during == [0]
    assert b"".join(heard[0]) == HELLO + b"".join(encoded(BOARD | {"number": number}) for number in (1, 2))


@pytest.mark.parametrize("redis_url", ["redis"])
def test_another_service_on_the_same_redis_is_not_heard(way: None, hub: Hub, settings: Any) -> None:
    own = settings.REDIS_URL
    address = urlsplit(own)
    other = f"unix://{address.path}?db=15" if address.scheme == "unix" else urlunsplit(address._replace(path="/15"))

    def elsewhere_and_here() -> None:
        for url, number in ((other, 1), (own, 2)):
            settings.REDIS_URL = url
            announce._redis.cache_clear()
            announce.publish("event:a", {"what": "board", "number": number}, public=False)

    try:
        (heard,) = listening(hub, ["event:a"], elsewhere_and_here)
    finally:
        announce._redis.cache_clear()
    assert heard == [HELLO, encoded({"what": "board", "number": 2})]


@pytest.mark.parametrize("more", [0, 1, 3], ids=["as many as are kept", "one more", "some more"])
def test_a_slow_reader_is_told_to_ask_anew(hub: Hub, more: int) -> None:
    """What was dropped may be the one kind of change that his page shows, so he is not sent the newest."""

    async def main() -> bytes:
        taken, free = bytearray(), asyncio.Event()

        async def send(chunk: bytes) -> None:
            await free.wait()
            taken.extend(chunk)

        listener = Listener("event:slow", send)
        listener.put(b"on its way;")
        for number in range(WAITING_MOST + more):
            listener.put(b"%d;" % number)
        await asyncio.sleep(0)
        free.set()
        await asyncio.sleep(0.01)
        return bytes(taken)

    said = [b"%d;" % number for number in range(WAITING_MOST + more)]
    kept = [HELLO, *said[WAITING_MOST + 1 :]] if more else said
    assert asyncio.run(main()) == b"".join([b"on its way;", *kept])


def test_a_reader_who_fails_or_leaves_keeps_nobody_waiting(hub: Hub, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> tuple[list[bytes], bool]:
        taken, cut, never = list[bytes](), asyncio.Event(), asyncio.Event()

        async def fails(chunk: bytes) -> None:
            raise RuntimeError("closed already")

        async def waits(chunk: bytes) -> None:
            try:
                await never.wait()
            finally:
                cut.set()

        async def takes(chunk: bytes) -> None:
            taken.append(chunk)

        listeners = [Listener("event:a", one) for one in (fails, waits, takes)]
        for listener in listeners:
            await hub.join(listener)
        before = len(taken)
        hub.deliver("event:a", {"what": "board"}, public=True)
        await asyncio.sleep(0.01)
        for listener in listeners:
            hub.leave(listener)
        await asyncio.sleep(0.01)
        hub.stop()
        return taken[before:], cut.is_set()

    said, was_cut = asyncio.run(main())
    assert [json.loads(one.removeprefix(b"data: "))["what"] for one in said] == ["board"]
    assert was_cut
    assert "a live stream failed" in caplog.text


@pytest.mark.parametrize(
    ("drawn", "greeted"), [(-10, True), (10, True), (30, False)], ids=["before us", "before the message", "after it"]
)
def test_only_who_may_have_missed_something_is_greeted(hub: Hub, settings: Any, drawn: float, greeted: bool) -> None:
    """The hub listens since 0, a message came at 20: who drew his page after that has nothing to look for."""
    settings.REDIS_URL = ""
    sent: list[bytes] = []

    async def main() -> None:
        hub._start()
        hub._hears_since = 0.0
        hub._deliver("sitting:1", encoded_for_all(BOARD, public=False), 20.0)
        await hub.join(Listener("sitting:1", _into(sent), holder="u1"), float(drawn))
        await asyncio.sleep(0)
        hub.stop()

    asyncio.run(main())
    assert sent == [HELLO] * greeted


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("commits", [True, False])
def test_nothing_is_told_before_the_commit(commits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made = event(0)
    told: list[tuple[str, object]] = []
    monkeypatch.setattr(announce, "publish", lambda topic, message, public: told.append((topic, message["number"])))

    def act() -> None:
        with transaction.atomic():
            announce.announce(made.tournament.pk, "sitting", 5, 7)
            assert told == []
            if not commits:
                raise ZeroDivisionError

    if commits:
        act()
        assert told == [("sitting:5", 7), (f"event:{made.tournament.slug}", 7)]
    else:
        with pytest.raises(ZeroDivisionError):
            act()
        assert told == []


@pytest.mark.django_db(transaction=True)
def test_a_dead_redis_refuses_no_act(settings: Any) -> None:
    made = event(0)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    announce._redis.cache_clear()
    try:
        announce.announce(made.tournament.pk, "standings", None, 1)
    finally:
        announce._redis.cache_clear()


# Whose streams end


@both_ways
def test_what_ends_the_streams_of_a_holder_reaches_every_process(way: None, hub: Hub) -> None:
    ended: list[str] = []

    async def main() -> None:
        for holder in ("u1", "u1", "d1"):
            await hub.join(
                Listener(f"event:{len(ended)}", _into([]), holder=holder, end=lambda h=holder: ended.append(h))
            )
        worker = threading.Thread(target=announce._announce_over, args=(["u1"],))
        worker.start()
        await asyncio.sleep(0.4)
        worker.join()
        hub.stop()

    asyncio.run(main())
    assert ended == ["u1", "u1"]
    assert [hub.is_over(holder, time.time()) for holder in ("u1", "d1")] == [True, False]
    assert not hub.is_over("u1", time.time() + 2)


def test_whose_pass_is_over_is_known_before_anybody_listens(settings: Any) -> None:
    settings.REDIS_URL = ""
    alone = Hub()
    alone.deliver("holder:u1", {"what": "over"}, public=False)
    assert alone.is_over("u1", time.time())


@pytest.fixture
def over(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> Callable[[Any], set[str]]:
    """``over(act)``: whose streams the act ends."""

    def of(act: Callable[[], object]) -> set[str]:
        heard: list[str] = []
        monkeypatch.setattr(announce, "publish", lambda topic, message, public: heard.append(topic))
        with django_capture_on_commit_callbacks(execute=True):
            act()
        return {topic.removeprefix("holder:") for topic in heard if topic.startswith("holder:")}

    return of


@pytest.mark.django_db
def test_a_phone_that_loses_its_place_hears_no_more(over: Any) -> None:
    made = event(4)
    first = sittings_of(made.running((1, 2), (3, 4)))[0]
    given: dict[str, Any] = {"actor": made.actor, "at": made.tick()}
    codes = devices.issue_codes(tournament_id=made.tournament.pk, **given)

    def claim(code: PartyCode) -> Device:
        text = party_code_text(code)
        more = {"token": secrets.token_hex(8), "public_id": secrets.token_hex(6)}
        return devices.claim(code_text=text, at=made.tick(), take_over=True, **more)

    phone = claim(codes[0])
    assert over(lambda: claim(codes[0])) == {f"d{phone.pk}"}
    phone = Device.objects.get(released_at=None)
    assert over(lambda: devices.release(device_id=phone.pk, **given)) == {f"d{phone.pk}"}
    phone = claim(codes[0])
    again = {"table_id": codes[0].table_id, "side": codes[0].side}
    assert over(lambda: devices.reissue(**again, **given)) == {f"d{phone.pk}"}
    phone = claim(codes[-1])
    other = {
        "round_id": first.round_id,
        "pairs": [{"home": made.ids[1], "away": made.ids[3]}, {"home": made.ids[2], "away": made.ids[4]}],
    }
    assert over(lambda: pairing.supersede_pairing(**other, reason="x", accept=True, **given)) == {f"d{phone.pk}"}


@pytest.mark.django_db
def test_a_phone_of_a_closed_round_still_hears_what_comes(over: Any) -> None:
    made = event(2)
    (sitting,) = sittings_of(made.running((1, 2)))
    factories.device(sitting, "NS")
    made.end(sitting)
    assert over(lambda: closing.close_round(round_id=sitting.round_id, actor=made.actor, at=made.tick())) == set()


@pytest.mark.django_db
def test_who_loses_an_office_or_a_session_hears_no_more(over: Any) -> None:
    made = event(0)
    given: dict[str, Any] = {"actor": made.actor, "at": made.tick()}
    person = User.objects.create_user(username="ann", password="right-horse-battery")
    office = Official.objects.create(
        tournament=made.tournament, user=person, office=Office.REFEREE, appointed_at=made.tick()
    )
    own = {f"u{person.pk}"}
    assert over(lambda: officials.revoke(official_id=office.pk, **given)) == own
    change = {"current": "right-horse-battery", "new": "left-horse-battery", "address": "192.0.2.1"}
    assert over(lambda: accounts.change_password(person=person, **change)) == own
    again = {"display_name": "Ann", "username": "ann", "password": "right-horse-battery"}
    assert over(lambda: accounts.introduce(user_id=person.pk, **again)) == own
    browser = Client()
    browser.force_login(User.objects.get(pk=person.pk))
    assert over(lambda: browser.post("/desk/sign-out/")) == own
    assert not person.sessions.exists()


# What strangers hear


@pytest.fixture
def told(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> Callable[[Callable[[], object]], tuple[set[str], set[str]]]:
    """``told(act)``: the kinds of changes that officials heard of, and those that strangers heard of."""

    def of(act: Callable[[], object]) -> tuple[set[str], set[str]]:
        heard: list[tuple[str, bool]] = []
        monkeypatch.setattr(announce, "publish", lambda topic, message, public: heard.append((message["what"], public)))
        with django_capture_on_commit_callbacks(execute=True):
            act()
        return {what for what, _ in heard}, {what for what, public in heard if public}

    return of


def phones(sitting: Sitting) -> list[Actor]:
    return [Actor(device=factories.device(sitting, side)) for side in ("NS", "EW")]


def enters(made: Event, sitting: Sitting, phone: Actor, captured: int = 35) -> Any:
    sitting.refresh_from_db()
    facts = sheet(captured, dealer="N")
    return scorekeeping.record_hand(
        sitting_id=sitting.pk, actor=phone, at=made.tick(), facts=facts, hand_no=sitting.hand_no
    )


@pytest.mark.django_db
def test_strangers_hear_of_a_hand_when_it_counts(told: Any) -> None:
    made = event(4)
    first, second = sittings_of(made.running((1, 2), (3, 4)))
    north, east = phones(first)
    assert told(lambda: enters(made, first, north)) == ({"sitting"}, set())
    entry = first.entries.get()
    given = {"sitting_id": first.pk, "at": made.tick()}
    assert told(lambda: calls.call_referee(actor=east, **given)) == ({"sitting"}, set())
    assert told(lambda: scorekeeping.send_back(actor=east, entry_id=entry.pk, what="points", **given))[1] == set()
    enters(made, first, north, 40)
    entry = first.entries.order_by("pk").last()
    assert entry is not None
    assert "sitting" in told(lambda: scorekeeping.confirm_hand(actor=east, entry_id=entry.pk, **given))[1]
    # two independent entries that differ: a dispute is an affair of the table and the officials
    north, east = phones(second)
    enters(made, second, north, 35)
    assert told(lambda: enters(made, second, east, 40)) == ({"sitting"}, set())


@pytest.mark.django_db
def test_strangers_hear_nothing_of_drafts_devices_and_preparations(told: Any) -> None:
    made = event(4)
    entrant = made.ids[1]
    given: dict[str, Any] = {"actor": made.actor, "at": made.tick()}
    round_ = create_round(tournament_id=made.tournament.pk, **given)
    assert told(lambda: drawing.draw_round(round_id=round_.pk, **given)) == ({"round"}, set())
    first, second = sittings_of(round_)
    swapped = [first.pk, second.pk]
    assert told(lambda: swap_tables(round_id=round_.pk, sitting_ids=swapped, **given)) == ({"sitting"}, set())
    assert told(lambda: pairing.publish_pairing(round_id=round_.pk, accept=True, **given)) == ({"round"}, {"round"})
    # what is due moves on from the cards
    assert told(lambda: devices.issue_codes(tournament_id=made.tournament.pk, **given)) == ({"board"}, set())
    (code, *_) = devices.issue_codes(tournament_id=made.tournament.pk, **given)
    assert told(lambda: attendance.check_in(entrant_id=entrant, **given)) == ({"attendance"}, set())
    start_round(round_id=round_.pk, **given)
    text = party_code_text(code)
    claim = {"code_text": text, "at": made.tick(), "token": "t" * 64, "public_id": "abcdefabcdef"}
    assert told(lambda: devices.claim(**claim)) == ({"sitting"}, set())


@pytest.mark.django_db
def test_strangers_hear_that_names_and_what_is_shown_changed(told: Any) -> None:
    """A part that was fetched under the version before may have been kept for good."""
    made = event(4)
    given: dict[str, Any] = {"actor": made.actor, "at": made.tick()}
    here = {"tournament_id": made.tournament.pk, **given}
    assert "board" in told(lambda: setup.update_tournament(changes={"live_public": False}, **here))[1]
    # nor are they woken by what only officials see, or a form that changes nothing
    same = {"name": made.tournament.name, "live_public": False, "single_official": False}
    assert told(lambda: setup.update_tournament(changes=same, **here))[1] == set()
    stage = {"stage": {"name": "Morning"}}
    assert "board" in told(lambda: setup.update_tournament(changes=stage, **here))[1]
    (first,) = made.tournament.stages.all()
    assert "board" in told(lambda: change_stage(stage_id=first.pk, changes={"minutes": 55}, **given))[1]
    agreed = {"entrant_id": made.ids[1], "agreement": Agreement(direct=("8",)), **given}
    assert "board" in told(lambda: signals.file_card(**agreed))[1]
    assert (
        "board" in told(lambda: entrants.change_entrant(entrant_id=made.ids[1], changes={"name": "Zhao"}, **given))[1]
    )
    assert "board" in told(lambda: withdrawals.withdraw_entrant(entrant_id=made.ids[2], reason="ill", **given))[1]
    player = Player.objects.filter(entrant=made.ids[3]).first()
    assert player is not None
    assert "board" in told(lambda: erasure.erase_person(player_id=player.pk, **given))[1]


@pytest.mark.django_db
def test_strangers_hear_nothing_of_boards_that_others_play(told: Any) -> None:
    made = test_boards.teams()
    round_ = made.drawn()
    given: dict[str, Any] = {"actor": made.actor, "at": made.tick()}
    facts = {"number": 1, "dealer": "N", "level": "5", "trump": "H"}
    set_boards = {"stage_id": round_.stage_id, "changes": [facts], **given}
    assert told(lambda: boards.set_boards(**set_boards)) == ({"board"}, set())
    made.begun(round_)
    here, _ = test_boards.rooms(round_)
    assert told(lambda: test_boards.enter(made, here, 35)) == ({"sitting"}, set())


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("live", [True, False])
def test_strangers_hear_of_a_table_that_moved_where_it_is_shown(told: Any, live: bool) -> None:
    made = event(4)
    made.tournament.live_public = live
    made.tournament.save()
    round_ = made.running((1, 2), (3, 4))
    again = {"tournament_id": made.tournament.pk, "at": made.tick()}
    recalculate(**again)
    first, second = sittings_of(round_)
    made.hand(first, 35)
    # the table is as it was: a match counts when it is over
    assert told(lambda: recalculate(**again)) == (set(), set())
    mark_stale(made.tournament.pk, first.pk)
    assert told(lambda: recalculate(**again)) == ({"standings"}, set())
    made.end(first)
    assert told(lambda: recalculate(**again)) == ({"standings"}, {"standings"} if live else set())
    made.hand(second, 35)
    made.end(second)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    out = {"stage_id": round_.stage_id, "round_id": round_.pk, "actor": made.actor, "at": made.tick()}
    assert told(lambda: publish(**out)) == ({"standings"}, {"standings"})
