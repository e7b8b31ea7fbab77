"""What is typed makes facts; what is refused keeps what was typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.referee.table.places import DIG, FORM, address, browser_of, enter, hall, post, read
from tournaments.models import EntryStatus, LedgerEntry

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.django_db


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
