"""Phones that are woken: who is, with what, by which services only, and when an address is forgotten."""

from __future__ import annotations

import base64
import json
import logging
import socket
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import override_settings
from django.utils import timezone

from tests.push_service import Browser, push_service
from tests.referee.public.events import publish
from tests.tournaments import factories, playing
from tests.tournaments.factories import sheet
from tournaments.acts import waking
from tournaments.acts.errors import Refusal
from tournaments.ledger import calls, scorekeeping
from tournaments.ledger.codes import entrant_code_text
from tournaments.models import LedgerEntry, Player, WakeAddress
from tournaments.people import attendance, erasure
from tournaments.waking import acts, sealing, sending, services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.fixtures import SettingsWrapper

    from tests.push_service import PushService
    from tests.tournaments.factories import Hall
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: SettingsWrapper) -> Iterator[PushService]:
    with push_service() as made:
        settings.PUSH_SERVICES = (made.url,)
        yield made


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> Callable[..., list[list[Any]]]:
    """Does something, and works off the tasks that it asked for: what they were about."""
    asked: list[list[Any]] = []

    def send(name: str, *, args: list[Any], **more: Any) -> None:
        if name == waking.WAKE_TASK:
            assert more["expires"] == waking.FRESH_SECONDS[args[0]]
            asked.append(json.loads(json.dumps(args)))

    monkeypatch.setattr(waking.current_app, "send_task", send)

    def does(what: Callable[[], Any]) -> list[list[Any]]:
        asked.clear()
        with django_capture_on_commit_callbacks(execute=True):
            what()
        for why, about in asked:
            sending.wake(why=why, about=about, at=timezone.now())
        return list(asked)

    return does


def codes_of(event: Any) -> dict[int, str]:
    tournament, actor = (event.tournament, event.actor) if hasattr(event, "tournament") else (event.event, event.chief)
    made = attendance.issue_entrant_codes(tournament_id=tournament.pk, actor=actor, at=timezone.now())
    return {one.entrant.number: entrant_code_text(one) for one in made}


def wakes(code: str, browser: Browser, language: str = "en", at: Any = None) -> None:
    acts.ask(code_text=code, at=at or timezone.now(), language=language, **browser.asked)


@pytest.fixture
def here(service: PushService) -> Hall:
    return factories.hall(profile="scn2-2013")


def enters(here: Hall) -> None:
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=timezone.now(), facts=sheet(35), hand_no=1)


# Who is told what


def test_the_pairing(service: PushService, done: Any) -> None:
    event: Event = playing.event(5, stage={"rounds_planned": 2})
    codes = codes_of(event)
    first, third, bye = (service.browser(name) for name in ("first", "third", "bye"))
    wakes(codes[1], first)
    wakes(codes[3], third, "zh-hans")
    wakes(codes[5], bye)
    assert done(lambda: event.published((1, 2), (3, 4), (5, None)))[0][0] == "drawn"
    (told,), (chinese,), (sits_out,) = (service.read(one) for one in (first, third, bye))
    assert (told["title"], told["body"], told["lang"]) == ("Round 1: table 1", "The pairing is published.", "en")
    assert (chinese["title"], chinese["body"], chinese["lang"]) == ("第 1 轮：2 桌", "编排已公布。", "zh-hans")
    assert sits_out["title"] == "Round 1: you have a bye"
    assert len({len(one.body) for one in service.got}) == 1, "their length tells nobody which is which"
    assert not [one for one in service.got if b"Round" in one.body]


def test_a_hand_that_waits_wakes_the_other_side(service: PushService, here: Hall, done: Any) -> None:
    codes = codes_of(here)
    ours, theirs = service.browser("ours"), service.browser("theirs")
    wakes(codes[1], ours)
    wakes(codes[2], theirs)
    assert [one[0] for one in done(lambda: enters(here))] == ["entered"]
    both = [service.read(ours), service.read(theirs)]
    assert sorted(map(len, both)) == [0, 1]
    (told,) = both[1] or both[0]
    assert (told["title"], told["body"]) == ("Table 1", "The other side has entered a hand. Please check it.")
    assert set(told) == {"title", "body", "tag", "lang"}, "no name, no figure"
    assert "35" not in json.dumps(told)


def test_a_task_that_is_late_wakes_nobody(service: PushService, here: Hall, done: Any) -> None:
    codes = codes_of(here)
    for number in (1, 2):
        wakes(codes[number], service.browser(f"b{number}"))
    enters(here)
    entry = LedgerEntry.objects.get()
    scorekeeping.take_back(sitting_id=here.sitting.pk, actor=here.ns, at=timezone.now(), entry_id=entry.pk)
    sending.wake(why="entered", about=here.sitting.pk, at=timezone.now())
    assert service.got == []


def test_a_referee_who_comes(service: PushService, here: Hall, done: Any) -> None:
    codes = codes_of(here)
    browsers = {number: service.browser(f"b{number}") for number in codes}
    for number, code in codes.items():
        wakes(code, browsers[number])
    call = calls.call_referee(sitting_id=here.sitting.pk, actor=here.ns, at=timezone.now())
    asked = done(lambda: calls.take_call(call_id=call.pk, actor=here.referee, at=timezone.now()))
    assert asked == [["coming", call.pk]]
    told = [one for browser in browsers.values() for one in service.read(browser)]
    assert [(one["title"], one["body"]) for one in told] == [("Table 1", "A referee is coming.")], "who called, alone"
    assert not done(lambda: calls.take_call(call_id=call.pk, actor=here.referee, at=timezone.now())), "tapped twice"


def test_without_services_nothing_is_asked_of_a_worker(settings: SettingsWrapper, here: Hall, done: Any) -> None:
    settings.PUSH_SERVICES = ()
    assert done(lambda: enters(here)) == []
    with pytest.raises(Refusal, match="push_off"):
        wakes(codes_of(here)[1], push_browser())


def push_browser(address: str = "https://fcm.googleapis.com/fcm/send/x") -> Browser:
    return Browser(address)


# The request


def test_the_request(service: PushService, here: Hall, settings: SettingsWrapper, done: Any) -> None:
    settings.PUSH_CONTACT = "mailto:desk@example.org"
    for number, code in codes_of(here).items():
        wakes(code, service.browser(f"b{number}"))
    done(lambda: enters(here))
    (one,) = service.got
    said = {"content-encoding": "aes128gcm", "ttl": "600", "urgency": "high"}
    assert {name: one.headers[name] for name in said} == said
    assert len(one.headers["topic"]) <= 32
    kind, _, rest = one.headers["authorization"].partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (kind, fields["k"]) == ("vapid", sealing.own_key())
    signed, _, signature = fields["t"].rpartition(".")
    claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == (service.url, "mailto:desk@example.org")
    assert 0 < claims["exp"] - timezone.now().timestamp() <= 24 * 3600
    raw = base64.urlsafe_b64decode(signature + "==")
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    sealing.point_of(fields["k"]).verify(pair, signed.encode(), ec.ECDSA(SHA256()))


def test_the_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    number = int.from_bytes(base64.urlsafe_b64decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw="), "big")
    body = sealing.sealed(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        own=ec.derive_private_key(number, ec.SECP256R1()),
        salt=base64.urlsafe_b64decode("DGv6ra1nlYgDCS1FRnbzlw=="),
    )
    assert sealing.in_base64(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_key_is_that_of_the_secret(settings: SettingsWrapper) -> None:
    first = sealing.own_key()
    settings.SECRET_KEY += "x"
    assert len(first) == 87
    assert sealing.own_key() != first


# Which services


@pytest.mark.parametrize(
    ("address", "listed"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc:def", True),
        ("https://fcm.googleapis.com:443/fcm/send/abc", True),
        ("https://wns2-par02p.notify.windows.com/w/?token=a%2b", True),
        ("https://a.b.notify.windows.com/w/", True),
        ("https://notify.windows.com/w/", False),
        ("https://evilnotify.windows.com/w/", False),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://fcm.googleapis.com:8443/fcm/send/abc", False),
        ("https://fcm.googleapis.com.example.org/x", False),
        ("https://fcm.googleapis.com@example.org/x", False),
        ("https://example.org\\@fcm.googleapis.com/x", False),
        ("https://user:word@fcm.googleapis.com/x", False),
        ("https://example.org/?fcm.googleapis.com", False),
        ("https://127.0.0.1/x", False),
        ("http://127.0.0.1:9000/push/x", True),
        ("http://127.0.0.1:9001/push/x", False),
        ("https://127.0.0.1:9000/push/x", False),
        ("https://fcm.googleapis.com/x\r\nX-More: 1", False),
        ("https://fcm.googleapis.com/" + "x" * 1000, False),
        ("https://[::1/x", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_only_listed_services(settings: SettingsWrapper, address: str, *, listed: bool) -> None:
    settings.PUSH_SERVICES = ("fcm.googleapis.com", "*.notify.windows.com", "http://127.0.0.1:9000")
    assert services.is_listed(address) is listed


def test_what_is_refused_when_asked_and_left_when_sent(service: PushService, here: Hall, done: Any) -> None:
    codes = codes_of(here)
    with pytest.raises(Refusal, match="push_service_unlisted"):
        wakes(codes[1], push_browser("https://example.org/push"))
    with pytest.raises(Refusal, match="unknown_code"):
        wakes("ABCDEFGH23", service.browser("x"))
    good = service.browser("x").asked
    for wrong in ({"public_key": "abc"}, {"secret": "é"}, {"secret": "AAAA"}, {"public_key": "A" * 87}):
        with pytest.raises(Refusal, match="bad_push_keys"):
            acts.ask(code_text=codes[1], at=timezone.now(), language="en", **{**good, **wrong})
    assert not WakeAddress.objects.exists()
    for code in codes.values():
        wakes(code, service.browser(code))
    WakeAddress.objects.update(public_key=WakeAddress.objects.first().public_key)
    # listed when it was made, and no more: nothing goes there
    with override_settings(PUSH_SERVICES=("fcm.googleapis.com",)):
        done(lambda: enters(here))
    assert service.got == []


# How an address ends


@pytest.mark.parametrize(("status", "left"), [(201, 2), (404, 1), (410, 1), (429, 2), (500, 2), (307, 2)])
def test_what_the_service_answers(service: PushService, here: Hall, done: Any, status: int, left: int) -> None:
    for number, code in codes_of(here).items():
        wakes(code, service.browser(f"b{number}"))
        service.answers[f"/push/b{number}"] = status
    done(lambda: enters(here))
    assert WakeAddress.objects.count() == left
    assert [one.path[:6] for one in service.got] == ["/push/"], "no redirect is followed, nothing sent twice"


def test_a_service_that_does_not_answer(
    service: PushService, here: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, done: Any
) -> None:
    codes = codes_of(here)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        monkeypatch.setattr(sending, "PATIENCE", 0.2)
        with override_settings(PUSH_SERVICES=(url,)), caplog.at_level(logging.WARNING):
            for number, code in codes.items():
                wakes(code, push_browser(f"{url}/secret-{number}"))
            done(lambda: enters(here))
    assert WakeAddress.objects.count() == 2
    assert "TimeoutError" in caplog.text
    assert "secret-" not in caplog.text, "an address is a secret"


def test_one_phone_is_woken_for_the_entrant_that_asked_last(service: PushService) -> None:
    event = playing.event(4)
    codes, phone = codes_of(event), service.browser("phone")
    wakes(codes[1], phone)
    wakes(codes[2], phone)
    assert [one.code.entrant.number for one in WakeAddress.objects.all()] == [2]
    acts.end(code_text=codes[1], at=timezone.now(), address=phone.address)
    assert WakeAddress.objects.count() == 1, "another entrant ends nothing"
    acts.end(code_text=codes[2], at=timezone.now(), address=phone.address)
    assert not WakeAddress.objects.exists()


def test_an_entrant_has_so_many_phones(service: PushService) -> None:
    event = playing.event(4)
    code = codes_of(event)[1]
    for number in range(acts.MOST + 3):
        wakes(code, service.browser(f"b{number}"), at=timezone.now() + timedelta(seconds=number))
    names = [one.address.rpartition("/")[2] for one in WakeAddress.objects.all()]
    assert names == [f"b{number}" for number in range(3, acts.MOST + 3)]


@pytest.mark.parametrize("how", ["term", "new code", "erased"])
def test_it_is_forgotten(service: PushService, how: str) -> None:
    event = playing.event(4)
    codes = codes_of(event)
    wakes(codes[1], service.browser("gone"))
    wakes(codes[2], service.browser("stays"), at=timezone.now() + timedelta(days=1))
    entrant = event.tournament.entrants.get(number=1)
    if how == "term":
        acts.forget(at=timezone.now() + acts.TERM + timedelta(minutes=1))
    elif how == "new code":
        attendance.reissue_entrant_code(entrant_id=entrant.pk, actor=event.actor, at=timezone.now())
    else:
        erasure.erase_person(
            player_id=Player.objects.filter(entrant=entrant).first().pk, actor=event.actor, at=timezone.now()
        )
    assert [one.code.entrant.number for one in WakeAddress.objects.all()] == [2]


def test_it_is_forgotten_with_the_last_table(service: PushService) -> None:
    event = playing.event(4, stage={"rounds_planned": 2})
    wakes(codes_of(event)[1], service.browser("one"))
    first = event.running((1, 2), (3, 4))
    event.play(first, [35, 35], [35])
    publish(event, first)
    assert WakeAddress.objects.exists()
    last = event.running((1, 3), (2, 4))
    event.play(last, [35, 35], [35])
    publish(event, last)
    assert not WakeAddress.objects.exists()


def test_many_are_sent_side_by_side_and_the_run_ends(service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    event = playing.event(4)
    codes = codes_of(event)
    for number, code in codes.items():
        wakes(code, service.browser(f"b{number}"))
    round_ = event.published((1, 2), (3, 4))
    before = threading.active_count()
    sending.wake(why="drawn", about=round_.pk, at=timezone.now())
    assert len(service.got) == 4
    assert threading.active_count() <= before + 1
    monkeypatch.setattr(sending, "ENOUGH", -1.0)
    sending.wake(why="drawn", about=round_.pk, at=timezone.now())
    assert len(service.got) == 4, "after its time nothing more is begun"
