"""The table page as plain forms: every state, every act, what is shown and what never."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from referee.table.places import PREFIX
from tests.referee.table.places import DIG, FORM, address, browser_of, hall
from tests.tournaments.factories import sheet
from tournaments.models import Call, CallKind, Device, EntryStatus, LedgerEntry, SittingPhase
from tournaments.services import devices, scorekeeping

if TYPE_CHECKING:
    from tests.tournaments.factories import Hall
    from tournaments.access import Actor

pytestmark = pytest.mark.django_db


def read(actor: Actor, act: str = "", language: str = "en") -> str:
    answer = browser_of(actor, language=language).get(address(actor, act))
    assert answer.status_code == 200
    return answer.content.decode()


def post(actor: Actor, act: str, data: dict[str, Any], *, script: bool = False) -> Any:
    headers = {"Accept": "application/json"} if script else {}
    return browser_of(actor).post(address(actor, act), data, headers=headers)


def enter(actor: Actor, form: dict[str, Any]) -> LedgerEntry:
    answer = post(actor, "enter", form)
    assert answer.status_code == 303, answer.content.decode()
    return LedgerEntry.objects.order_by("-pk")[0]


def by_referee(place: Hall, number: int, facts: dict[str, Any]) -> LedgerEntry:
    return scorekeeping.record_hand(
        sitting_id=place.sitting.pk,
        actor=place.referee,
        at=timezone.now(),
        facts=facts,
        hand_no=number,
        basis="watched",
    ).entry


# A hand from one side to the other


def test_enter_then_confirm() -> None:
    place = hall()
    assert "Send to E–W" in read(place.ns)
    entry = enter(place.ns, DIG)
    assert entry.status == EntryStatus.WAITING
    assert "Take back the entry" in read(place.ns)
    assert "Confirm 165: E–W take the deal, +2" in read(place.ew)
    assert post(place.ew, "confirm", {"entry": entry.pk, "version": 1}).status_code == 303
    entry.refresh_from_db()
    assert entry.status == EntryStatus.EFFECTIVE
    assert "Hand 1 counts." in read(place.ns)


def test_the_side_that_entered_is_never_shown_confirm() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    page = read(place.ns)
    assert "Confirm 165" not in page
    assert re.search(r'action="[^"]*/confirm/"[^§]*?name="pin"', page)
    answer = post(place.ns, "confirm", {"entry": entry.pk, "version": 1}, script=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "own_entry")


def test_the_other_side_confirms_on_a_shared_phone_with_its_pin() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    pin = devices.pin_text(place.ew.device.code)
    wrong = "0000" if pin != "0000" else "1111"
    assert post(place.ns, "confirm", {"entry": entry.pk, "pin": wrong}, script=True).json()["code"] == "wrong_pin"
    assert post(place.ns, "confirm", {"entry": entry.pk, "version": "1", "pin": pin}).status_code == 303
    entry.refresh_from_db()
    assert (entry.status, entry.confirmed_side) == (EntryStatus.EFFECTIVE, "EW")


def test_take_back_keeps_the_figures() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    assert post(place.ns, "take-back", {"entry": entry.pk}).status_code == 303
    page = read(place.ns)
    assert 'value="85"' in page
    assert 'name="led" value="pair" checked' in page
    assert 'value="85"' not in read(place.ew)


def test_send_back_with_a_word_and_mend() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    assert post(place.ew, "send-back", {"entry": entry.pk, "what": "kitty"}).status_code == 303
    assert "E–W say: Kitty. Count together, then send again." in read(place.ns)
    assert "东西说“底牌分”不对。请一起数，再发一次。" in read(place.ns, language="zh-CN")
    assert "You sent it back: Kitty." in read(place.ew)
    again = enter(place.ns, DIG | {"kitty_points": "15"})
    assert post(place.ew, "send-back", {"entry": again.pk, "what": "kitty"}).status_code == 303
    for side in (place.ns, place.ew):
        assert "No agreement twice. A referee is called." in read(side)
    assert Call.objects.get().kind == CallKind.DISPUTE


def test_equal_figures_confirm() -> None:
    place = hall()
    enter(place.ns, DIG)
    assert "E–W, " not in read(place.ew)
    page = browser_of(place.ew).get(address(place.ew) + "?own=1").content.decode()
    assert "equal ones confirm it" in page
    assert 'value="85"' not in page  # the other side's figures are not preset
    answer = post(place.ew, "enter", DIG, script=True)
    assert answer.json()["message"] == "Both sides entered the same: the hand counts."
    assert LedgerEntry.objects.get().status == EntryStatus.EFFECTIVE


def test_different_figures_name_the_field_and_call() -> None:
    place = hall()
    enter(place.ns, FORM)
    post(place.ew, "enter", FORM | {"captured_in_tricks": "40"})
    for side, ours, theirs in ((place.ns, 35, 40), (place.ew, 40, 35)):
        page = read(side)
        rows = re.findall(
            r'<th scope="row">(.*?)</th><td class="num"><b>(.*?)</b></td><td class="num"><b>(.*?)</b>', page
        )
        assert rows == [("Points in tricks", str(ours), str(theirs))]
    # a side may still agree to the other's figures
    theirs_entry = LedgerEntry.objects.get(entered_side="EW")
    assert post(place.ns, "confirm", {"entry": theirs_entry.pk, "version": theirs_entry.version}).status_code == 303
    theirs_entry.refresh_from_db()
    assert theirs_entry.status == EntryStatus.EFFECTIVE


def test_both_phones_show_the_same_code() -> None:
    place = hall()
    enter(place.ns, DIG)
    codes = {re.search(r'<b class="check-code">(.+?)</b>', read(side))[1] for side in (place.ns, place.ew)}
    assert len(codes) == 1
    assert re.fullmatch(r"[A-Z]\d-\d\d", codes.pop())


# What is typed


@pytest.mark.parametrize(
    ("change", "facts"),
    [
        ({}, {"led": [{"type": "pair"}], "kitty_points": 20}),
        ({"led": "2x2"}, {"led": [{"type": "tractor", "width": 2, "length": 2}]}),
        ({"led": "more", "led_1": "2x4"}, {"led": [{"type": "tractor", "width": 2, "length": 4}]}),
        ({"led": "more", "led_1": "pair", "led_2": "single"}, {"led": [{"type": "pair"}, {"type": "single"}]}),
        ({"throw_side_1": "dealer", "throw_cards_1": "3"}, {"throw_failures": [{"side": "dealer", "cards": 3}]}),
        ({"throw_side_1": "", "throw_cards_1": "2"}, {"throw_failures": None}),
        ({"dealer": "N", "why": "mistake"}, {"dealer": "N"}),
        ({"level": "5"}, {"level": "5"}),
        ({"last_trick_winner": "dealer"}, {"led": None, "kitty_points": None}),
    ],
)
def test_forms_make_facts(change: dict[str, str], facts: dict[str, Any]) -> None:
    place = hall()
    entry = enter(place.ns, DIG | change)
    assert {name: entry.facts.get(name) for name in facts} == facts


def test_another_dealer_is_seen_by_both_sides_with_its_reason() -> None:
    place = hall()
    entry = enter(place.ns, FORM | {"dealer": "N", "why": "mistake"})
    assert entry.reason == "Played so by mistake"
    page = read(place.ew)
    assert "The record says South deals, playing 2; you chose North." in page
    assert "Played so by mistake" in page


def test_the_reason_is_kept_in_the_language_of_the_event() -> None:
    place = hall()
    place.event.language = "zh-hans"
    place.event.save()
    assert enter(place.ns, FORM | {"dealer": "N", "why": "mistake"}).reason == "误打成这样"


def test_first_hand_asks_who_deals() -> None:
    place = hall(first_dealer=None)
    assert "The deal is contested: who deals?" in read(place.ns)
    refused = post(place.ns, "enter", FORM)
    assert "The deal is contested: say who deals." in refused.content.decode()
    assert enter(place.ns, FORM | {"dealer": "E"}).facts["dealer"] == "E"


@pytest.mark.parametrize("reason", ["rebellion", "misdeal", "redeal"])
def test_annulled(reason: str) -> None:
    place = hall()
    entry = enter(place.ns, {"kind": "annulled", "hand_no": "1", "annulled_reason": reason})
    assert (entry.kind, entry.facts["reason"]) == ("annulled", reason)
    assert "Confirm: this hand is void" in read(place.ew)


def test_annulled_needs_its_reason() -> None:
    place = hall()
    answer = post(place.ns, "enter", {"kind": "annulled", "hand_no": "1"})
    assert answer.status_code in (400, 422)
    assert not LedgerEntry.objects.exists()


# Refused


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"captured_in_tricks": "83"}, "Points must be a multiple of 5; you wrote 83."),
        ({"captured_in_tricks": "205"}, "Two decks hold 200 points"),
        ({"captured_in_tricks": "eighty"}, "must be a whole number; you wrote &quot;eighty&quot;."),
        ({"captured_in_tricks": ""}, "Points in tricks is missing."),
        ({"captured_in_tricks": "９０"}, "must be a whole number"),
        ({"captured_in_tricks": "9" * 30}, "whole number"),
        ({"kitty_points": "85"}, "Eight kitty cards hold at most 80; you wrote 85."),
        ({"captured_in_tricks": "160", "kitty_points": "60"}, "160 and a kitty of 60 are 20 too many."),
        ({"led": ""}, "Attackers dug: choose the shape led to the last trick."),
        ({"led": "more", "led_1": "2x13"}, "A hand of 25 cards cannot lead a 13-pair tractor."),
        ({"led": "nonsense"}, "A shape is a single"),
        ({"last_trick_winner": ""}, "Say which side won the last trick."),
        ({"trump": ""}, "Choose the trump suit, or no-trump."),
        ({"trump": "X"}, "you wrote &quot;X&quot;"),
        ({"hand_no": "2"}, "Hand 1 comes next; you entered hand 2."),
        ({"hand_no": "x"}, "A hand number is a whole number from 1."),
    ],
)
def test_refused_keeps_what_was_typed(change: dict[str, str], sentence: str) -> None:
    place = hall()
    answer = post(place.ns, "enter", DIG | change)
    page = answer.content.decode()
    assert 400 <= answer.status_code < 500
    assert sentence in page
    assert "<title>Refused:" in page
    assert not LedgerEntry.objects.exists()
    for name in ("captured_in_tricks", "kitty_points"):
        value = (DIG | change)[name][:40]
        assert re.search(rf'<input id="{name}"[^>]*value="{value}"', page), name


def test_every_finding_at_once_in_both_languages() -> None:
    place = hall()
    form = DIG | {"captured_in_tricks": "83", "kitty_points": "85", "led": ""}
    for language, title in (("en", "<title>Refused"), ("zh-CN", "<title>没有收下")):
        client = browser_of(place.ns, language=language)
        page = client.post(address(place.ns, "enter"), form).content.decode()
        assert title in page
        assert page.count('class="field-error"') == 3


def test_findings_as_json_name_the_fields_of_the_form() -> None:
    place = hall()
    form = DIG | {"captured_in_tricks": "83", "throw_side_2": "dealer", "throw_cards_2": "40"}
    answer = post(place.ns, "enter", form, script=True)
    fields = {one["field"]: one["clause"] for one in answer.json()["findings"] if one["blocking"]}
    assert set(fields) == {"captured_in_tricks", "throw_cards_1"}


def test_preview_says_what_it_would_do_and_writes_nothing() -> None:
    place = hall()
    seen = post(place.ns, "preview", DIG, script=True).json()
    assert seen["total"] == 165
    assert "Attackers 85 + kitty 20×4 = 165" in seen["html"]
    assert "take the deal, +2" in seen["html"]
    assert not LedgerEntry.objects.exists()
    zh = browser_of(place.ns, language="zh-CN").post(address(place.ns, "preview"), DIG).json()
    assert "闲家 85 + 底牌 20×4 = 165" in zh["html"]


def test_the_same_form_twice_is_one_entry() -> None:
    place = hall()
    form = DIG | {"key": "tapped-once"}
    for _ in range(3):
        assert post(place.ns, "enter", form, script=True).status_code == 200
    assert LedgerEntry.objects.count() == 1
    other = post(place.ns, "enter", form | {"kitty_points": "15"}, script=True)
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_a_hand_the_other_side_has_entered_is_an_answer_not_a_second_one() -> None:
    place = hall()
    enter(place.ns, DIG)
    mine = post(place.ns, "enter", DIG, script=True)
    assert (mine.status_code, mine.json()["code"]) == (409, "already_recorded")


def test_confirming_something_else_than_what_was_seen_is_refused() -> None:
    place = hall()
    first = enter(place.ns, DIG)
    post(place.ns, "take-back", {"entry": first.pk})
    enter(place.ns, DIG | {"captured_in_tricks": "90"})
    answer = post(place.ew, "confirm", {"entry": first.pk, "version": 1}, script=True)
    assert answer.json()["code"] == "stale"
    assert not LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).exists()


# Calls, referees, ends


def test_call_a_referee() -> None:
    place = hall(tables=2)
    assert post(place.ns, "call", {"what": "revoke"}).status_code == 303
    assert Call.objects.get().note == "Revoke or wrong card"
    post(place.ns, "call", {"what": "come"})
    assert Call.objects.count() == 1
    pulse = read(place.ew, "now")
    assert "A referee is called." in pulse
    scorekeeping.take_call(call_id=Call.objects.get().pk, actor=place.referee, at=timezone.now())
    assert "referee is on the way." in read(place.ew, "now")


def test_the_queue_is_told() -> None:
    place = hall(tables=2)
    Call.objects.create(
        sitting=place.sittings[1], kind=CallKind.CALL, side="NS", called_at=timezone.now() - timedelta(minutes=3)
    )
    post(place.ns, "call", {"what": "come"})
    assert "One table before you." in read(place.ns, "now")


def test_a_table_scored_by_a_referee_is_read_only_with_an_objection() -> None:
    place = hall()
    place.sitting.scored_by = "referee"
    place.sitting.save()
    assert "No hand yet." in read(place.ns)
    entry = by_referee(place, 1, sheet(35))
    page = read(place.ns)
    assert "Attackers 35" in page
    assert "/enter/" not in page
    refused = post(place.ns, "enter", FORM | {"hand_no": "2"}, script=True)
    assert (refused.status_code, refused.json()["code"]) == (403, "scored_by_referee")
    assert post(place.ns, "object", {"entry": entry.pk, "what": "points"}).status_code == 303
    assert (Call.objects.get().kind, Call.objects.get().note) == (CallKind.OBJECTION, "Points")


def test_a_finished_match_says_who_won() -> None:
    place = hall()
    by_referee(place, 1, sheet(35))
    place.sitting.refresh_from_db()
    scorekeeping.end_sitting(
        sitting_id=place.sitting.pk,
        actor=place.referee,
        at=timezone.now(),
        expected_revision=place.sitting.revision,
        reason="time",
    )
    assert "4\u00a0:\u00a02: N–S win." in read(place.ns)
    assert "2\u00a0:\u00a04: N–S win." in read(place.ew)
    assert "南北胜" in read(place.ew, language="zh-TW")
    late = post(place.ns, "enter", FORM | {"hand_no": "2"}, script=True)
    assert (late.status_code, late.json()["code"]) == (409, "match_over")


def test_before_the_round_and_after_it() -> None:
    place = hall(status="published")
    assert "Round 1 has not started yet." in read(place.ns)
    assert post(place.ns, "enter", FORM, script=True).json()["code"] == "round_not_started"
    closed = hall(status="closed")
    assert "Round 1 is closed." in read(closed.ns)
    assert post(closed.ns, "enter", FORM, script=True).json()["code"] == "round_closed"


def test_a_replaced_pairing_sends_to_the_new_table() -> None:
    place = hall()
    place.sitting.active = False
    place.sitting.save()
    assert "The pairing has changed." in read(place.ns)


def test_the_record_has_every_hand_with_its_reasons() -> None:
    place = hall()
    by_referee(place, 1, sheet(35))
    page = read(place.ns, "record")
    assert "Attackers 35 → dealer side keep the deal, +2 (small win)" in page
    assert 'class="clause"' in page


def test_standings_are_never_shown_at_the_table() -> None:
    place = hall()
    assert "standings" not in read(place.ns).lower()


# Places


def card(place: Hall, side: str = "NS") -> str:
    Device.objects.update(released_at=timezone.now(), released_why="desk")
    codes = devices.issue_codes(tournament_id=place.event.pk, actor=place.organiser, at=timezone.now())
    return next(devices.party_code_text(code) for code in codes if code.side == side)


def test_a_card_opens_a_place_with_one_tap() -> None:
    place = hall()
    code = card(place)
    phone = Client()
    page = phone.get(f"/t/{code.lower()}/").content.decode()
    assert "Table 1, North–South" in page
    assert "Pair 1" in page
    answer = phone.post(f"/t/{code}/")
    assert answer.status_code == 303
    assert code not in answer["Location"]
    assert answer["Referrer-Policy"] == "same-origin"
    cookie = next(phone.cookies[name] for name in phone.cookies if name.startswith(PREFIX))
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie.value not in answer["Location"]
    assert phone.get(answer["Location"]).status_code == 200
    # the same phone that scans again goes to its place
    assert phone.get(f"/t/{code}/")["Location"] == answer["Location"]


def test_a_second_phone_is_offered_the_place_and_the_first_is_told() -> None:
    place = hall()
    code = card(place)
    first, second = Client(), Client()
    home = first.post(f"/t/{code}/")["Location"]
    assert "This side already has a phone." in second.get(f"/t/{code}/").content.decode()
    assert second.post(f"/t/{code}/").status_code == 409
    assert second.post(f"/t/{code}/", {"take_over": "yes"}).status_code == 303
    gone = first.get(home)
    assert gone.status_code == 404
    assert "Another phone has taken over your side." in gone.content.decode()
    script = first.post(home + "enter/", FORM, headers={"Accept": "application/json"})
    assert (script.status_code, script.json()["code"]) == (404, "place_lost")


def test_an_unknown_code_says_so_and_keeps_it() -> None:
    answer = Client().get("/t/NOSUCHCODE/")
    assert answer.status_code == 404
    assert "No such code." in answer.content.decode()
    assert 'value="NOSUCHCODE"' in answer.content.decode()


def test_a_code_can_be_typed() -> None:
    place = hall()
    code = card(place)
    answer = Client().post("/table/", {"code": f"{code[:5]}-{code[5:]}".lower()})
    assert answer["Location"] == f"/t/{code}/"


def test_places_of_one_browser_stand_side_by_side() -> None:
    place = hall()
    browser = browser_of(place.ns, place.ew)
    assert browser.get("/table/").content.decode().count('class="panel spread"') == 2
    for side in (place.ns, place.ew):
        assert browser.get(address(side)).status_code == 200


ACTS = ["", "now", "record", "preview", "enter", "confirm", "take-back", "send-back", "call", "object"]


@pytest.mark.parametrize("act", ACTS)
def test_strangers_find_nothing(act: str) -> None:
    place, elsewhere = hall(), hall()
    for client in (Client(), browser_of(elsewhere.ns)):
        answer = (client.get if act in ("", "now", "record") else client.post)(address(place.ns, act))
        assert answer.status_code == 404
    stolen = Client()
    stolen.cookies[PREFIX + place.ns.device.public_id] = "guess"
    assert stolen.get(address(place.ns)).status_code == 404
    assert not LedgerEntry.objects.exists()


def test_entries_of_another_table_cannot_be_touched() -> None:
    place, elsewhere = hall(), hall()
    entry = enter(elsewhere.ns, DIG)
    for act in ("confirm", "take-back", "send-back", "object"):
        answer = post(place.ew, act, {"entry": entry.pk, "version": 1, "what": "points"}, script=True)
        assert answer.status_code == 404, act
    entry.refresh_from_db()
    assert entry.status == EntryStatus.WAITING


def test_acts_need_the_token_of_the_form() -> None:
    place = hall()
    client = Client(enforce_csrf_checks=True)
    client.cookies = browser_of(place.ns).cookies
    assert client.post(address(place.ns, "enter"), FORM).status_code == 403
    page = client.get(address(place.ns)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(.+?)"', page)[1]
    assert client.post(address(place.ns, "enter"), FORM | {"csrfmiddlewaretoken": token}).status_code == 303


def test_pages_are_private_and_speak_the_language_of_reader_or_event() -> None:
    place = hall()
    place.event.language = "zh-hans"
    place.event.save()
    answer = browser_of(place.ns).get(address(place.ns))
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "same-origin"
    assert 'lang="en"' in answer.content.decode()
    assert 'lang="zh-Hans"' in read(place.ns, language="zh-HK")
    assert 'lang="zh-Hans"' in read(place.ns, language="fr")


@pytest.mark.parametrize("act", ["", "now", "record"])
def test_questions_to_the_database_do_not_grow_with_hands(act: str, django_assert_max_num_queries: Any) -> None:
    place = hall()
    with django_assert_max_num_queries(12) as few:
        read(place.ns, act)
    first = len(few)
    for number in range(1, 5):
        by_referee(place, number, sheet(90))
    with django_assert_max_num_queries(first):
        read(place.ns, act)


def test_a_disputed_sitting_takes_no_entry() -> None:
    place = hall()
    enter(place.ns, FORM)
    post(place.ew, "enter", FORM | {"captured_in_tricks": "40"})
    place.sitting.refresh_from_db()
    assert place.sitting.phase == SittingPhase.DISPUTED
    answer = post(place.ns, "enter", FORM, script=True)
    assert answer.status_code == 409
