"""An entrant's own page through the day: where to go, what waits, what comes after, what was played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from django.test import Client
from django.utils import timezone

from tests.markup import flat
from tests.push_service import Browser
from tests.referee.public.events import publish, waiting_hand
from tests.referee.public.test_boards_kept_back import half_of_teams, teams
from tests.tournaments import playing
from tests.tournaments.factories import sheet
from tests.tournaments.individual import alone, evening, sittings_of
from tournaments.acts.admission import Actor
from tournaments.hall.acts import arrange_in_rows
from tournaments.ledger import calls, devices, scorekeeping
from tournaments.ledger.codes import entrant_code_text, party_code_text
from tournaments.models import Device, LedgerEntry, Sitting, WakeAddress
from tournaments.people import attendance
from tournaments.signals.acts import set_terms

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return playing.event(4, stage={"rounds_planned": 2})


def phone_of(event: Event, number: int, language: str = "en") -> Client:
    """The phone of an entrant that has scanned its own code."""
    codes = attendance.issue_entrant_codes(tournament_id=event.tournament.pk, actor=event.actor, at=event.tick())
    code = next(entrant_code_text(one) for one in codes if one.entrant.number == number)
    phone = Client(headers={"accept-language": language})
    assert phone.get(f"/me/{code}/").status_code == 302
    return phone


def said(phone: Client, part: str = "") -> str:
    answer = phone.get(f"/me/{part}")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", flat(answer.content.decode())))


def join(event: Event, phone: Client, sitting: Sitting, side: str) -> None:
    """The phone scans the card of its side of the table."""
    codes = devices.issue_codes(tournament_id=event.tournament.pk, actor=event.actor, at=timezone.now())
    code = next(one for one in codes if one.side == side and one.table_id == sitting.table_id)
    assert phone.post(f"/t/{party_code_text(code)}/").status_code == 303


def test_before_the_first_round(event: Event) -> None:
    phone = phone_of(event, 1)
    assert "The first round is not paired yet." in said(phone)
    assert "We are here" in said(phone)
    assert phone.post("/me/").status_code == 303
    assert "You are checked in" in said(phone)


def test_the_next_table_with_the_opponents_and_how_they_fared(event: Event) -> None:
    event.play(event.running((1, 2), (3, 4)), [35, 35], [80])
    event.published((1, 3), (2, 4))
    page = said(phone_of(event, 1))
    for words in ("Round 2, table 1", "North–South", "against Pair 3", "We are here", "The round has not started."):
        assert words in page, words
    assert re.search(r"against Pair 3 1 (win|draw|loss)", page)
    assert "Our results" in page


def test_a_hand_waits_for_the_other_side_only(event: Event) -> None:
    running = event.running((1, 2), (3, 4))
    table = playing.sittings_of(running)[0]
    ours, theirs = phone_of(event, 1), phone_of(event, 2)
    waiting_hand(event, table)
    assert "Hand 1 is sent." in said(ours)
    assert "Hand 1 waits for you" in said(theirs)
    assert "195" not in said(theirs), "what was entered is told at the table"
    join(event, theirs, table, "EW")
    page = theirs.get("/me/").content.decode()
    assert "Open table 1" in page
    assert re.search(r'data-live-url="/live/sitting/\d+/\?pass=', page), "who holds the place hears at once"
    assert re.search(r"<title>\s*Table 1 · hand 1 waits for you ·", page)


def test_the_place_at_the_end(event: Event) -> None:
    event.play(event.running((1, 2), (3, 4)), [0, 0], [35])
    last = event.running((1, 3), (2, 4))
    event.play(last, [0, 0], [35])
    phone = phone_of(event, 1)
    assert "All rounds are played" in said(phone)
    assert phone.get("/me/award.pdf").status_code == 302, "nothing is final yet"
    publish(event, last)
    page = said(phone)
    for words in ("The event is over", "Champion You finished in place 1 of 4. 2 matches: 2 won", "Award as PDF"):
        assert words in page, words
    assert "2 wins · place 1" in page
    assert "Our signal card" not in page
    paper = phone.get("/me/award.pdf")
    assert (paper["Content-Type"], paper.content[:5]) == ("application/pdf", b"%PDF-")
    assert len(pypdfium2.PdfDocument(paper.content)) == 1, "its own sheet alone"
    fourth = phone_of(event, 4)
    assert "place 4" in said(fourth)
    assert "Award as PDF" not in said(fourth)
    assert fourth.get("/me/award.pdf").status_code == 302


def test_where_the_table_stands_until_the_phone_is_there(event: Event) -> None:
    running = event.running((1, 2), (3, 4))
    phone = phone_of(event, 3)
    page = phone.get("/me/").content.decode()
    assert ("from the left" in page, "hall-frame" in page) == (False, False), "nobody has said where tables stand"
    arrange_in_rows(tournament_id=event.tournament.pk, actor=event.actor, at=event.tick(), width=1)
    page = phone.get("/me/").content.decode()
    assert "row 2, table 1 from the left" in page
    assert re.findall(r'class="spot ([a-z ]*)"\s+data-key="spot-(\d+)"', page) == [("", "1"), (" marked", "2")]
    join(event, phone, playing.sittings_of(running)[1], "NS")
    page = phone.get("/me/").content.decode()
    assert "hall-frame" not in page, "who sits there needs no map"


def test_the_levels_at_the_table(event: Event) -> None:
    running = event.running((1, 2), (3, 4))
    ours, theirs = phone_of(event, 1), phone_of(event, 2)
    assert 'id="levels"' not in ours.get("/me/").content.decode(), "before the first hand there is nothing to tell"
    table = playing.sittings_of(running)[0].pk
    seen = {"hand_no": 1, "facts": sheet(0) | {"dealer": "N"}, "basis": "watched"}
    scorekeeping.record_hand(sitting_id=table, actor=event.actor, at=event.tick(), **seen)
    own, others = (re.search(r"Levels you (\S+) them (\S+)", said(one)) for one in (ours, theirs))
    assert own is not None
    assert others is not None
    assert own.groups() == tuple(reversed(others.groups()))
    assert len(set(own.groups())) == 2


def test_who_sits_the_other_way_round_is_asked_too(event: Event) -> None:
    """The home side may sit East-West: it is asked about the hands of the others, not about its own."""
    running = event.running((1, 2), (3, 4))
    table = playing.sittings_of(running)[0]
    Sitting.objects.filter(pk=table.pk).update(home_side="EW")
    table.refresh_from_db()
    ours, theirs = phone_of(event, 1), phone_of(event, 2)
    waiting_hand(event, table)
    entered = LedgerEntry.objects.get(sitting=table)
    asked, sent = (ours, theirs) if entered.entered_side == "NS" else (theirs, ours)
    assert "Hand 1 waits for you" in said(asked)
    assert "Hand 1 is sent." in said(sent)


def test_a_signal_card_that_is_asked_for(event: Event) -> None:
    phone = phone_of(event, 1)
    assert "still missing" not in said(phone)
    set_terms(tournament_id=event.tournament.pk, actor=event.actor, at=event.tick(), card="card_required", reason="x")
    assert "Your signal card is still missing" in said(phone)
    event.running((1, 2), (3, 4))
    assert "still missing" not in said(phone), "now it is the referee's matter"


def test_a_referee_who_is_on_the_way(event: Event) -> None:
    running = event.running((1, 2), (3, 4))
    table, phone = playing.sittings_of(running)[0], phone_of(event, 1)
    join(event, phone, table, "NS")
    held = Device.objects.get(sitting=table)
    call = calls.call_referee(sitting_id=table.pk, actor=Actor(device=held), at=timezone.now())
    assert "A referee is coming." not in said(phone)
    calls.take_call(call_id=call.pk, actor=event.actor, at=timezone.now())
    assert "A referee is coming." in said(phone)
    assert "Table 1 · a referee is coming" in said(phone)
    calls.close_call(call_id=call.pk, actor=event.actor, at=timezone.now())
    assert "A referee is coming." not in said(phone)


def test_from_a_message_to_the_table(event: Event) -> None:
    running = event.running((1, 2), (3, 4))
    table, phone = playing.sittings_of(running)[0], phone_of(event, 1)
    assert Client().get("/me/table/")["Location"] == "/me/"
    assert phone.get("/me/table/")["Location"] == "/me/", "it holds no place yet"
    join(event, phone, table, "NS")
    assert phone.get("/me/table/")["Location"] == f"/table/{Device.objects.get(sitting=table).public_id}/"


def test_the_address_of_a_phone_is_taken_and_ended(event: Event, settings: SettingsWrapper) -> None:
    phone, mine = phone_of(event, 1, "zh-hans"), Browser("https://fcm.googleapis.com/fcm/send/abc")
    assert phone.post("/me/wake/", mine.asked).status_code == 409
    settings.PUSH_SERVICES = ("fcm.googleapis.com",)
    assert Client().post("/me/wake/", mine.asked).status_code == 302
    refused = phone.post("/me/wake/", mine.asked | {"address": "https://example.org/"})
    assert (refused.status_code, "推送服务" in refused.json()["refused"]) == (400, True)
    assert phone.post("/me/wake/", mine.asked).json() == {"woken": True}
    (kept,) = WakeAddress.objects.all()
    assert (kept.language, kept.code.entrant.number) == ("zh-hans", 1)
    page = phone.get("/me/").content.decode()
    assert f'data-known="{kept.digest}"' in page
    assert mine.address not in page
    assert phone.post("/me/wake/", {"address": mine.address, "off": "1"}).json() == {"woken": False}
    assert not WakeAddress.objects.exists()


def test_what_is_kept_back_is_not_told() -> None:
    made = teams()
    round_ = made.running((1, 2), (3, 4), (5, 6))
    half_of_teams(made, round_, (35, 75))
    page = said(phone_of(made, 1))
    assert "won" not in page.split("Our results")[1]
    assert "win" not in page


def test_single_players_see_whom_they_sit_with() -> None:
    made = evening("I1", 4, stage={"hands": 2, "rounds_planned": 1})
    round_ = made.round()
    made.enter(sittings_of(round_)[0], alone("1", 80, 60))
    codes = attendance.issue_entrant_codes(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    phone = Client(headers={"accept-language": "zh-hans"})
    phone.get(f"/me/{entrant_code_text(codes[0])}/")
    page = said(phone)
    assert page.count("同桌") >= 3 or page.count("选手") >= 4


def test_the_changing_part_alone(event: Event) -> None:
    event.published((1, 2), (3, 4))
    phone = phone_of(event, 1, "zh-hans")
    part = phone.get("/me/?part=live").content.decode()
    assert "<html" not in part
    assert "第 1 轮" in part


def test_an_entrant_that_sits_out(event: Event) -> None:
    made = playing.event(3)
    made.published((1, 2), (3, None))
    assert "You have a bye in this round." in said(phone_of(made, 3))


def test_a_round_closed_and_the_next_one_drawn(event: Event) -> None:
    first = event.running((1, 2), (3, 4))
    event.play(first, [35, 35], [35])
    assert "The organiser is drawing round 2" in said(phone_of(event, 1))
