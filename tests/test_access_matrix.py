"""Every address x every method x every caller against the typed matrix; an address without a row fails."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from http.cookies import SimpleCookie
from itertools import cycle
from typing import Any
from urllib.parse import quote

import pyotp
import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, get_resolver, resolve
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import DjangoDbBlocker

from referee.sessions import SessionStore
from scoring.sittings import step_table
from tests.access_matrix import API, DESK, EVERYBODY, FORMS, HAND, PUBLIC, SPECIAL, TABLE, Row
from tests.authenticator import Device
from tests.tournaments import factories, photos, playing
from tests.tournaments.factories import sheet
from tests.tournaments.individual import evening
from tests.tournaments.signing import Signing
from tests.tournaments.test_boards import pairs
from tournaments.acts.admission import Actor
from tournaments.audit.record import event_json
from tournaments.deals.acts import commit_deals, draw_lot
from tournaments.events import officials as official_services
from tournaments.events import rule_changes, setup, sign_in_links
from tournaments.evidence import acts as evidence
from tournaments.ledger import calls, corrections, devices, recorded_hands, scorekeeping
from tournaments.ledger.codes import entrant_code_text, party_code_text
from tournaments.logos import acts as logos
from tournaments.models import (
    EventUpload,
    HistoryEntry,
    HookDelivery,
    HookState,
    Job,
    LedgerEntry,
    Office,
    Official,
    Passkey,
    Sitting,
    TokenScope,
    Tournament,
    UnderReview,
    User,
    Webhook,
)
from tournaments.people import accounts, attendance, second_factor, tokens
from tournaments.rulings import adjusted_boards, appeals
from tournaments.rulings.log import decide, propose
from tournaments.stages.acts import add_stage
from tournaments.stages.apart import keep_apart
from tournaments.standings.runs import publish, recalculate
from tournaments.standings.waiting import publish_later
from tournaments.transfer.uploads import CHECK

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROOMS: Mapping[str, Mapping[str, Mapping[str, Row]]] = {"api": API, "desk": DESK, "table": TABLE, "public": PUBLIC}
REFUSED = (401, 403, 404)
ADDRESSES = 24


@dataclass
class Caller:
    """One kind of visitor: its header for the API, its cookies for the pages."""

    header: str = ""
    cookies: Mapping[str, str] | None = None

    def ask(self, client: Client, method: str, row: Row, ids: Mapping[str, Any]) -> HttpResponseBase:
        address = filled(row.address, ids)
        client.cookies = SimpleCookie()
        for name, value in (self.cookies or {}).items():
            client.cookies[name] = value
        headers = {name: filled(value, ids) for name, value in row.headers.items()}
        if self.header and address.startswith("/api/"):
            headers["Authorization"] = self.header
        body = filled(row.body, ids)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        return client.generic(method, address, body or b"", content_type=row.kind, headers=headers)


def filled(value: Any, ids: Mapping[str, Any]) -> Any:
    """`{name}` replaced by the world's id; a text that is nothing but a name takes the id's own type."""
    if isinstance(value, bytes):
        return filled(value.decode(), ids).encode() if b"{" in value else value
    if isinstance(value, str):
        if value.startswith("{") and value.endswith("}") and value[1:-1] in ids:
            return ids[value[1:-1]]
        for name, found in ids.items():
            value = value.replace(f"{{{name}}}", str(found))
        return value
    if isinstance(value, Mapping):
        return {name: filled(inner, ids) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, ids) for inner in value]
    return value


@dataclass
class World:
    event: playing.Event
    ids: dict[str, Any]
    callers: dict[str, Caller]
    phones: dict[tuple[int, str], Actor]
    officials: dict[str, Actor]

    def caller(self, letter: str, table: int) -> Caller:
        """n and e sit at the table of the row, t at another one."""
        if letter in "ne" and table:
            return of_phone(self.phones[table, "NS" if letter == "n" else "EW"])
        if letter == "t" or letter in "ne":
            return of_phone(self.phones[5 if table != 5 else 1, "NS"])
        return self.callers[letter]


def of_phone(actor: Actor) -> Caller:
    device = actor.device
    assert device is not None
    token = "token" + device.public_id.removeprefix("d")
    return Caller(f"Device {device.public_id}:{token}", {f"place_{device.public_id}": token})


def of_person(actor: Actor) -> Caller:
    client = factories.signed_in(actor)
    token = AuthToken.objects.create(user=actor.user)[1]
    return Caller(f"Bearer {token}", {name: one.value for name, one in client.cookies.items()})


def build() -> World:
    """Round 1 closed and published; round 2 running: a hand waits at table 1, one counts at 2, 3 is empty, 4 is over;
    round 3 a draft. Seven more events of the same officials, and one of others."""
    event = playing.event(12, stage={"format": "rr", "rounds_planned": 5})
    now = event.tick
    first = event.running(*((number, number + 1) for number in range(1, 12, 2)))
    event.play(first, [35, 35, 35], *[[35]] * 5)
    publish(stage_id=first.stage_id, round_id=first.pk, actor=event.actor, at=now())
    rule_change = rule_changes.propose(
        tournament_id=event.tournament.pk, actor=event.actor, at=now(), spec="scn2-2013", reason="misprint"
    )
    second = event.running(*((number, 13 - number) for number in range(1, 7)))
    devices.issue_codes(tournament_id=event.tournament.pk, actor=event.actor, at=now())
    tables = {one.table.number: one for one in Sitting.objects.filter(round=second).select_related("table", "match")}
    phones = {
        (number, side): Actor(device=factories.device(sitting, side))
        for number, sitting in tables.items()
        for side in ("NS", "EW")
        if (number, side) != (6, "EW")
    }
    waiting = scorekeeping.record_hand(
        sitting_id=tables[1].pk, actor=phones[1, "NS"], at=now(), facts=sheet(35, dealer="N"), hand_no=1
    )
    call = calls.call_referee(sitting_id=tables[1].pk, actor=phones[1, "EW"], at=now())
    photo = evidence.attach(call_id=call.pk, actor=phones[1, "EW"], at=now(), file=photos.photo())
    logo = logos.add(
        tournament_id=event.tournament.pk,
        actor=event.actor,
        at=now(),
        kind="sponsor",
        name="Tea",
        file=photos.photo("PNG"),
    )
    signs = [Signing(phones[3, side]) for side in ("NS", "EW")]
    signed_code = signs[1].agrees(signs[0].claims(revision=tables[3].revision, dealer="N"))
    event.hand(tables[2], 35)
    event.hand(tables[4], 35)
    recorded_hands.attach(sitting_id=tables[4].pk, actor=event.actor, at=now(), hand_no=1, text=HAND)
    event.end(tables[4])
    ruled_here, proposed_ruling, decided, appealed = (
        propose(
            sitting_id=tables[table].pk, actor=event.actor, at=now(), facts={"irregularity": "slow_play"}, side="NS"
        ).ruling
        for table in (1, 2, 2, 2)
    )
    for ruling in (ruled_here, decided, appealed):
        seen = Sitting.objects.get(pk=ruling.sitting_id).revision
        # the world's clock stands in the past; its time to appeal is not over when the matrix asks
        decide(ruling_id=ruling.pk, actor=event.actor, at=timezone.now(), expected_revision=seen)
    appeals.lodge_appeal(
        ruling_id=appealed.pk, actor=event.actor, at=timezone.now(), side="NS", reason="It was not slow"
    )
    keep_apart(
        tournament_id=event.tournament.pk,
        actor=event.actor,
        at=now(),
        one=event.ids[1],
        other=event.ids[2],
        force="rather",
        reason="one school",
    )
    third = event.paired(*((number, number + 6) for number in range(1, 7)))
    recalculate(tournament_id=event.tournament.pk, at=now())

    officials = {
        "R": appoint(event.tournament, Office.REFEREE),
        "C": appoint(event.tournament, Office.CHIEF_REFEREE),
        "O": appoint(event.tournament, Office.ORGANISER),
    }
    colleague = appoint(event.tournament, Office.CHIEF_REFEREE)
    assert colleague.user is not None
    colleague.user.set_unusable_password()
    colleague.user.save()
    Tournament.objects.filter(pk=event.tournament.pk).update(single_official=False)
    eve, done, boards = playing.event(4), playing.event(4), pairs(4)
    eve.published((1, 2), (3, 4))
    all_played = done.running((1, 2), (3, 4))
    for sitting in playing.sittings_of(all_played):
        done.hand(sitting, 35)
        done.end(sitting)
    waits = publish_later(stage_id=all_played.stage_id, round_id=all_played.pk, actor=done.actor, at=timezone.now())
    played_there, _still_to_play = playing.sittings_of(boards.running((1, 2), (3, 4)))
    boards.hand(played_there, 35)
    played_there.refresh_from_db()
    average = {"artificial": "average"}
    adjusted = adjusted_boards.adjust_board(
        sitting_id=played_there.pk,
        number=1,
        actor=boards.actor,
        at=boards.tick(),
        expected_revision=played_there.revision,
        ns=average,
        ew=average,
        reason="soiled",
        clause="penalty.misboard.board",
    )
    level, fresh = playing.event(4, stage={"tie_rule": "lots"}), playing.event(4)
    shut = playing.event(4)
    # the minute in which its closing can be taken back is not over by the time at which the matrix asks
    shut.now = timezone.now() + timedelta(hours=1)
    shut.play(shut.running((1, 2), (3, 4)), [35], [35])
    attendance.check_in(entrant_id=shut.ids[1], actor=shut.actor, at=shut.tick())
    undoable = HistoryEntry.objects.filter(tournament=shut.tournament).latest("pk")
    # clocks run and people are late by the time at which the matrix asks
    level.now = timezone.now() - timedelta(minutes=20)
    undecided, late = playing.sittings_of(level.running((1, 2), (3, 4)))
    level.hand(undecided, 80)
    level.end(undecided)
    attendance.check_in(entrant_id=level.ids[3], actor=level.actor, at=level.tick(), round_id=late.round_id)
    add_stage(
        tournament_id=fresh.tournament.pk,
        actor=fresh.actor,
        at=fresh.tick(),
        facts={"format": "rr", "rounds_planned": 3},
    )
    between, players = playing.event(4), evening("I3", 5)
    between.play(between.running((1, 2), (3, 4)), [35], [35])
    between_rounds = rule_changes.propose(
        tournament_id=between.tournament.pk, actor=between.actor, at=now(), spec="scn2-2013", reason="misprint"
    )
    (at_table,) = playing.sittings_of(players.round())
    for other in (eve, done, shut, boards, level, fresh, between, players):
        for actor, office in zip(officials.values(), ("referee", "chief_referee", "organiser"), strict=True):
            Official.objects.create(tournament=other.tournament, user=actor.user, office=office, appointed_at=now())
        Tournament.objects.filter(pk=other.tournament.pk).update(single_official=False)
    Tournament.objects.filter(pk=eve.tournament.pk).update(live_public=False)

    # in the closed round one correction waits for a second official, another hand is there to be corrected
    proposed, closed = LedgerEntry.objects.filter(sitting__round=first, hand_no=1).order_by("pk")[:2]
    correction = corrections.correct(
        entry_id=proposed.pk,
        actor=colleague,
        at=now(),
        expected_revision=proposed.sitting.revision,
        facts={**proposed.facts, "captured_in_tricks": 40},
        reason="misread",
        treatment="recompute",
    ).correction
    keeper = factories.user("keeper")
    keeper.set_password("quiet-Harbour-77")
    keeper.save()
    secret = setup.new_secret()
    first, _ = accounts.make_person(username="first")
    sign_in_links.make_for_operator(person=first, at=timezone.now(), secret=secret)
    person = factories.user("person")
    person.set_password("quiet-Harbour-77")
    person.save()
    given = {"tournament_id": event.tournament.pk, "actor": officials["O"], "at": timezone.now(), "office": "referee"}
    newcomer = official_services.appoint(**given, username="newcomer")
    invitation = official_services.appoint(**given, username=person.username)
    code = tables[6].table.codes.get(side="EW", revoked_at=None)
    own_codes = attendance.issue_entrant_codes(tournament_id=event.tournament.pk, actor=event.actor, at=now())
    far = factories.hall()
    job = Job.objects.create(
        tournament=event.tournament,
        kind="score_sheets",
        subject=first.pk,
        asked_at=timezone.now(),
        done_at=timezone.now(),
        result={},
        content=b"%PDF",
    )
    upload = EventUpload.objects.create(sender=person, sent_at=timezone.now(), digest="0" * 64, size=1)
    checked = Job.objects.create(
        kind=CHECK,
        subject=upload.pk,
        asked_by=person,
        asked_at=timezone.now(),
        done_at=timezone.now(),
        result={"slug": "sent", "counts": {}, "certificate": {"verdicts": {}, "counts": {}}},
    )
    root = factories.user("root")
    root.is_superuser = root.is_staff = True
    root.set_password("quiet-Harbour-77")
    root.save()
    recovery = with_factor(root)
    people = {
        **officials,
        "r": far.referee,
        "c": far.chief,
        "o": far.organiser,
        "p": Actor(user=person),
        "u": Actor(user=root),
    }
    callers = {letter: of_person(actor) for letter, actor in people.items()}
    begun_factor(callers["p"])
    callers |= {"a": Caller(), "x": of_phone(far.ns)}
    for sitting in tables.values():
        sitting.refresh_from_db()
    place = phones[1, "NS"].device
    assert place is not None
    _dealt(boards, officials["R"])
    _told(event.tournament)
    ids = {
        "here": event.tournament.slug,
        "eve": eve.tournament.slug,
        "done": done.tournament.slug,
        "shut": shut.tournament.slug,
        "undoable": undoable.pk,
        "boards": boards.tournament.slug,
        "level": level.tournament.slug,
        "fresh": fresh.tournament.slug,
        "on_boards": played_there.pk,
        "on_boards_revision": adjusted.revision,
        "undecided": undecided.match_id,
        "late": late.pk,
        "between_rounds": between_rounds.pk,
        "players": at_table.pk,
        "players_revision": at_table.revision,
        "export": event_json(fresh.tournament, official=True, names=True, at=now()).decode(),
        **{f"here_{number}": event.ids[number] for number in (1, 2)},
        **{f"eve_{number}": pk for number, pk in eve.ids.items()},
        **{f"done_{number}": pk for number, pk in done.ids.items()},
        "review": _under_review(event.tournament).pk,
        "empty": tables[3].pk,
        "signed_code": signed_code,
        "new_key": Signing(phones[1, "NS"], known=False).public,
        "open": tables[1].pk,
        "open_revision": tables[1].revision,
        "free": tables[2].pk,
        "free_revision": tables[2].revision,
        "over": tables[4].pk,
        "over_revision": tables[4].revision,
        "swapped": tables[5].pk,
        "swapping": tables[6].pk,
        "draft": Sitting.objects.filter(round=third).first().pk,  # type: ignore[union-attr]
        "match": tables[3].match_id,
        "waiting": waiting.entry.pk,
        "entry": LedgerEntry.objects.get(sitting=tables[2]).pk,
        "closed_entry": closed.pk,
        "closed_revision": closed.sitting.revision,
        "correction": correction.pk,
        "rule_change": rule_change.pk,
        "call": call.pk,
        "photo": photo.pk,
        "logo": logo.digest,
        "ruling": proposed_ruling.pk,
        "decided": decided.pk,
        "appealed": appealed.pk,
        "here_no": ruled_here.number,
        "ruling_no": proposed_ruling.number,
        "decided_no": decided.number,
        "appealed_no": appealed.number,
        "job": job.pk,
        "waits": waits.pk,
        "checked": checked.pk,
        "place": place.public_id,
        "across": _place(phones[1, "EW"]),
        "free_place": _place(phones[2, "NS"]),
        "empty_place": _place(phones[3, "NS"]),
        "device": place.pk,
        "official": Official.objects.get(tournament=event.tournament, user=colleague.user).pk,
        "newcomer": newcomer.pk,
        "invitation": invitation.pk,
        "token": AuthToken.objects.create(user=officials["R"].user)[0].digest[:16],
        "username": keeper.username,
        "password": "quiet-Harbour-77",
        "secret": secret,
        "code": party_code_text(code),
        "own_code": entrant_code_text(own_codes[0]),
        "steps": step_table.digest(event.tournament.profile),
        "figures": pyotp.TOTP(FACTOR_KEY).now(),
        "recovery": recovery,
        "passkey": has_passkey(root).pk,
        "new_passkey": begun_passkey(callers["p"]),
    }
    return World(event, ids, callers, phones, officials)


FACTOR_KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def with_factor(person: User) -> str:
    """The person has turned on a second factor; one of the recovery codes."""
    by = {"person": person, "password": "quiet-Harbour-77", "at": timezone.now(), "address": "192.0.2.1"}
    return second_factor.turn_on(**by, key=FACTOR_KEY, code=pyotp.TOTP(FACTOR_KEY).now())[0]  # type: ignore[arg-type]


def begun_factor(caller: Caller) -> None:
    """Their browser shows the page with the key."""
    session = SessionStore((caller.cookies or {})["sessionid"])
    session["factor_key"] = second_factor.sealed(FACTOR_KEY)
    session.save()


def has_passkey(person: User) -> Passkey:
    known = {"name": "key", "rp_id": "localhost", "credential": "0000", "public_key": "", "made_at": timezone.now()}
    return Passkey.objects.create(user=person, **known)


def begun_passkey(caller: Caller) -> str:
    """Their browser was asked to make a passkey; its answer, as a form sends it."""
    session = SessionStore((caller.cookies or {})["sessionid"])
    asked = {"challenge": "0" * 43, "host": "localhost", "since": timezone.now().isoformat()}
    session["passkey_asked"] = asked
    session.save()
    return quote(Device().make(asked))


def _dealt(boards: playing.Event, reader: Actor) -> None:
    """Two promises of deals of spare boards: one waits for its lot, the other is sealed and has a reader."""
    of = {"stage_id": boards.tournament.stages.get().pk, "actor": boards.actor}
    commit_deals(**of, first=50, last=51, nonce="0" * 64, at=boards.tick())
    assert reader.user is not None
    sealed = commit_deals(**of, first=52, last=53, nonce="1" * 64, at=boards.tick(), reader_id=reader.user.pk)
    draw_lot(dealing_id=sealed.pk, actor=boards.actor, at=boards.tick(), lot="1 2 3")


def _place(phone: Actor) -> str:
    assert phone.device is not None
    return phone.device.public_id


def appoint(event: Tournament, office: Office) -> Actor:
    return factories.official(event, office)


@pytest.fixture(scope="module")
def built(django_db_setup: None, module_without_loop: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """One world for all tests here, in a transaction around theirs: each of them undoes only what it did itself."""
    with django_db_blocker.unblock(), suppress(Undone), transaction.atomic():
        yield build()
        raise Undone


class Undone(Exception):
    """Leaves a transaction without a trace, whatever became of it meanwhile."""


@pytest.fixture
def world(built: World, db: None) -> Iterator[World]:
    cache.clear()
    logging.disable(logging.WARNING)  # every refusal would be a line
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(second_factor, "DRIFT", 120)  # the figures of the world are good for an hour
        yield built
    logging.disable(logging.NOTSET)


def _told(event: Tournament) -> None:
    """Two addresses that are told what happens: of the first one message is tried again and two were given up."""
    at = timezone.now()
    one, _ = (
        Webhook.objects.create(
            tournament=event, number=number, address="https://club.example/", kinds=["hand"], secret_at=at, made_at=at
        )
        for number in (1, 2)
    )
    for line, state in enumerate((HookState.WAITING, HookState.DEAD, HookState.DEAD)):
        HookDelivery.objects.create(webhook=one, number=line, state=state, tries=1, made_at=at, due_at=at)


def _under_review(event: Tournament) -> UnderReview:
    """An act that the laptop before had, to be looked at."""
    known = {"digest": "0" * 64, "body": "{}", "signature": "", "what": [], "done_at": timezone.now()}
    return UnderReview.objects.create(tournament=event, listed_at=timezone.now(), **known)


def outcome(response: HttpResponseBase) -> str:
    """`may`, `may not` or `405`, and `done` where the act was carried out. A 5xx is neither."""
    status = response.status_code
    if status == 405:
        return "405"
    if status in REFUSED or (status == 302 and response["Location"].startswith("/desk/sign-in/?next=")):
        return "may not"
    if status < 400:
        return "done"
    return "may" if status in (400, 409, 412, 422, 428) else f"broken: {status}"


def tried(world: World, client: Client, method: str, row: Row, letter: str) -> HttpResponseBase:
    """One request; whatever it did is undone."""
    with transaction.atomic():
        response = world.caller(letter, row.table).ask(client, method, row, world.ids)
        transaction.set_rollback(True)
    return response


#: Nothing in this world has left, and no file of it comes: `tests/referee/desk/test_moves.py` gets these done.
DONE_ELSEWHERE = frozenset({"/desk/{here}/move/event.move", "/desk/import/move/"})


def deviations(world: World, client: Client, method: str, row: Row) -> Iterator[str]:
    if "sign-in" in row.address or row.address.endswith("/tokens/"):
        cache.clear()
    anybody = False
    for letter in EVERYBODY:
        response = tried(world, client, method, row, letter)
        found = outcome(response)
        expected = "may" if letter in row.who else "may not"
        anybody = anybody or found == "done"
        if {"done": "may"}.get(found, found) != expected:
            yield f"{method} {row.address} by {letter}: {found} ({response.status_code}), not {expected}"
        elif expected == "may not" and (wrong := badly_refused(row, letter, response)):
            yield f"{method} {row.address} by {letter}: {wrong}"
    if row.who and not anybody and row.address not in DONE_ELSEWHERE:
        yield f"{method} {row.address}: nobody got it done"


def badly_refused(row: Row, letter: str, response: HttpResponseBase) -> str:
    """Pages refuse in their own manner: who is not signed in is sent to sign in, an official of another event finds
    nothing, nor does anybody who asks for what is another person's, an official without the office is told so; the
    phone that does not hold the place is told to scan."""
    status = response.status_code
    if row.address.startswith(("/desk/account/", "/desk/invitations/", "/desk/import/")):
        wanted = 302 if letter in "anetx" else 404
    elif row.address.startswith("/desk/"):
        wanted = 302 if letter in "anetx" else 403 if letter in "RCO" else 404
    elif row.address.startswith("/table/"):
        wanted = 404
    else:
        return ""
    return "" if status == wanted else f"{status}, not {wanted}"


def routes(patterns: Any = None, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for one in patterns if patterns is not None else get_resolver().url_patterns:
        if isinstance(one, URLPattern):
            yield f"{space}{one.name}", one
        else:
            yield from routes(one.url_patterns, f"{space}{one.namespace}:" if one.namespace else space)


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    known = [name for name, _ in routes()]
    assert len(set(known)) == len(known), "two addresses share a name"
    typed = {name for room in ROOMS.values() for name in room}
    assert typed == set(known)


def parts() -> Iterator[Any]:
    """The rooms in parts that take some ten seconds, so that a parallel run spreads them."""
    for room, rows in ROOMS.items():
        names = list(rows)
        for start in range(0, len(names), ADDRESSES):
            marks = pytest.mark.both_databases if room == "table" else ()
            yield pytest.param(room, names[start : start + ADDRESSES], id=f"{room}-{start}", marks=marks)


@pytest.mark.timeout(900)  # five hundred requests in a part
@pytest.mark.parametrize(("room", "names"), list(parts()))
def test_who_may_do_what(world: World, room: str, names: list[str]) -> None:
    client = Client()
    wrong = []
    for name in names:
        methods = ROOMS[room][name]
        for method, row in methods.items():
            found = resolve(filled(row.address, world.ids).partition("?")[0]).view_name
            wrong += [] if found == name else [f"{row.address} is {found}, not {name}"]
            wrong += deviations(world, client, method, row)
        wrong += unknown_methods(world, client, methods)
    assert not wrong, "\n" + "\n".join(wrong)


def unknown_methods(world: World, client: Client, methods: Mapping[str, Row]) -> Iterator[str]:
    """What an address without the method answers other than 405; the methods share out the callers."""
    row = next(iter(methods.values()))
    missing = [method for method in METHODS if method not in methods]
    for method, letter in zip(missing, cycle("Oanu"), strict=False):
        response = tried(world, client, method, row, letter)
        if response.status_code != 405:
            yield f"{method} {row.address} by {letter}: {response.status_code}, not 405"


@pytest.mark.long
def test_what_its_state_decides(world: World) -> None:
    client = Client()
    wrong = []
    for what, row in SPECIAL.items():
        found = deviations(world, client, "GET" if row.body is None else "POST", row)
        wrong += [f"{what}: {one}" for one in found]
    assert not wrong, "\n" + "\n".join(wrong)


#: What a token of the scope `enter` writes, or tries out. One of `read` does neither.
ENTERED = {
    "api:agreed",
    "api:check_in",
    "api:confirm",
    "api:hand_record",
    "api:hands",
    "api:many_hands",
    "api:photos",
    "api:preview",
}
#: What is looked at and needs the whole all the same: codes to play with, names handed out, addresses that
#: may hold a key of theirs, and what an act that needs
#: the whole would do.
WHOLE = {
    "api:cards",
    "api:codes",
    "api:entrant_codes",
    "api:entrant_codes_pdf",
    "api:entrants_csv",
    "api:foresee",
    "api:foresee_rules",
    "api:foresee_ruling",
    "api:invitations",
    "api:webhook",
    "api:webhooks",
}
#: What asks for a password or a code, and not for a token.
DOORS = {("api:devices", "POST"), ("api:own_check_in", "POST"), ("api:tokens", "POST")}


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("scope", [TokenScope.READ, TokenScope.ENTER])
def test_a_token_does_what_its_scope_holds(world: World, scope: TokenScope) -> None:
    """Every address of the API, by somebody who may in person: what writes is refused for the scope and for nothing
    else, what reads is answered as ever. An address that is added is asked too."""
    client, wrong = Client(), []
    for name, methods in API.items():
        for method, row in methods.items():
            letter = next((one for one in "OCR" if one in row.who), None)
            if letter is None or (name, method) in DOORS:
                continue
            found = _is_within(world, client, method, row, letter, scope)
            endpoint: Any = resolve(filled(row.address, world.ids).partition("?")[0]).func
            reads = method == "GET" or hasattr(getattr(endpoint.cls, method.lower()), "asked")
            within = (name in ENTERED and scope == TokenScope.ENTER) or (reads and name not in ENTERED | WHOLE)
            within = within or (method == "GET" and name in ENTERED)
            wrong += [] if found is within else [f"{method} {row.address} ({name}) by {letter}: {found}"]
    assert not wrong, "\n" + "\n".join(wrong)


def _is_within(world: World, client: Client, method: str, row: Row, letter: str, scope: TokenScope) -> bool | str:
    """Whether a token of this scope does it; what else it is refused for, where that is not its scope."""
    actor = world.officials[letter]
    assert actor.user is not None
    with transaction.atomic():
        token = tokens.make(person=actor.user, scope=scope, at=timezone.now())[1]
        response = Caller(f"Bearer {token}").ask(client, method, row, world.ids)
        transaction.set_rollback(True)
    if outcome(response) == "may not":
        code = str(json.loads(getattr(response, "content", b"{}"))["error"]["code"])
        return False if code == "beyond_scope" else code
    return True


#: Where the page of a form is not the nearest one above its address.
STANDS_ON = {
    "desk:sign_out": "/desk/",
    "desk:stage_add": "/desk/{here}/setup/",
    "desk:draw": "/desk/{here}/rounds/3/pair/",
    "desk:exchange": "/desk/{here}/rounds/3/pair/",
    "desk:swap": "/desk/{here}/rounds/2/pair/",
}


@pytest.mark.long
def test_the_address_of_a_form_leads_to_its_page(world: World) -> None:
    """For everybody who may send it; a reload after a refusal is no dead end."""
    client, wrong = Client(), []
    for name, row in FORMS.items():
        look = replace(row, body=None)
        for letter in set("RCO") & set(row.who):
            response = tried(world, client, "GET", look, letter)
            page = response.get("Location", "").partition("?")[0]
            above = filled(row.address, world.ids).startswith(page) and page.endswith("/")
            expected = filled(STANDS_ON[name], world.ids) == page if name in STANDS_ON else above
            opened = tried(world, client, "GET", replace(look, address=response.get("Location", "/nowhere/")), letter)
            # a match that is not on boards has no page of them and leads on to its table
            if response.status_code != 302 or not expected or opened.status_code not in (200, 303):
                wrong.append(f"{row.address} by {letter}: {response.status_code} {page} {opened.status_code}")
    assert not wrong, "\n" + "\n".join(wrong)
