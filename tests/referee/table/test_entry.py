"""What is typed makes facts; what is refused keeps what was typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from referee.hands.forms import PhoneForm
from tests.markup import flat
from tests.referee.table.places import DIG, FORM, address, browser_of, enter, hall, post, read
from tournaments.models import EntryStatus, LedgerEntry, ScoredBy, Sitting, SittingPhase

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tournaments.factories import Hall

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


@pytest.mark.long
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
        ({"trump": ""}, "Choose the trump."),
        ({"trump": "X"}, "you wrote &quot;X&quot;"),
        ({"hand_no": "2"}, "Hand 1 comes next; you entered hand 2."),
        ({"hand_no": "x"}, "A hand number is a whole number from 1."),
    ],
)
def test_refused_keeps_what_was_typed(change: dict[str, str], sentence: str) -> None:
    place = hall()
    answer = post(place.ns, "enter", DIG | change)
    page = flat(answer.content.decode())
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
        page = flat(client.post(address(place.ns, "enter"), form).content.decode())
        assert title in page
        assert page.count('class="field-error"') == 3


REFUSED_ALERT = re.compile(
    r'<div id="refused"([^>]*)>.*?<span class="head">(.*?)</span>.*?<ul class="small">(.*?)</ul></div>'
)


def _sent(place: Hall) -> None:
    enter(place.ns, FORM)


def _to_confirm(place: Hall) -> None:
    enter(place.ew, FORM)


def _disputed(place: Hall) -> None:
    Sitting.objects.filter(pk=place.sitting.pk).update(phase=SittingPhase.DISPUTED)


def _finished(place: Hall) -> None:
    Sitting.objects.filter(pk=place.sitting.pk).update(phase=SittingPhase.FINISHED)


def _watched(place: Hall) -> None:
    Sitting.objects.filter(pk=place.sitting.pk).update(scored_by=ScoredBy.REFEREE)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("before", [None, _sent, _to_confirm, _disputed, _finished, _watched])
def test_the_alert_says_what_is_refused_whatever_the_page_is_by_then(
    before: Callable[[Hall], None] | None, language: str
) -> None:
    place = hall()
    if before is not None:
        before(place)
    form = FORM | {"captured_in_tricks": "83"}
    answer = browser_of(place.ns, language=language).post(address(place.ns, "enter"), form)
    assert 400 <= answer.status_code < 500
    found = REFUSED_ALERT.search(flat(answer.content.decode()))
    assert found is not None
    attributes, head, sentences = found.groups()
    assert "hidden" not in attributes
    assert bool(head) != bool(re.search("<li>.+</li>", sentences)), (head, sentences)


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
    page = post(place.ns, "enter", form | {"kitty_points": "15"}).content.decode()
    assert f'href="{address(place.ns)}"' in page, "the way back is to the table"


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


FLAG = {"kind": "hand", "hand_no": "1", "captured_in_tricks": "95"}
LAST = FORM | {"led": "quad", "last_trick_points": "30"}
JOKER = {"base": "scn2-2013", "set": {"joker_declare": "any"}}
AFTER_A = {"base": "scn2-2013", "set": {"after_A": ["no_trump"]}}
# rules, levels, the form, what the facts then hold
REGIONAL: list[tuple[Any, tuple[str, str], dict[str, str], dict[str, Any]]] = [
    (
        "chaodipi",
        ("5", "6"),
        FORM | {"red_fives_declared": "attackers"},
        {"specials": [{"event": "red_fives_declared", "by": "attackers"}]},
    ),
    (
        "chaodipi",
        ("5", "6"),
        DIG | {"led": "dug_510K"},
        {"specials": [{"event": "dug_510K", "by": "attackers"}], "led": [{"type": "single"}] * 3},
    ),
    (
        "chaodipi",
        ("5", "6"),
        DIG | {"led": "red_fives_dug"},
        {"specials": [{"event": "red_fives_dug", "by": "attackers"}], "led": [{"type": "pair"}]},
    ),
    ("chaodipi", ("5", "6"), DIG | {"led": "dug_510K", "last_trick_winner": "dealer"}, {"specials": None, "led": None}),
    (
        "chaodipi",
        ("5", "6"),
        FORM | {"dark_bids_dealer": "2", "dark_bids_attackers": "0"},
        {"dark_bids": [{"side": "dealer", "times": 2}]},
    ),
    # at the flag nobody is asked for a suit, a last trick or a kitty, and what a draft still holds is left out
    ("chaodipi", ("flag", "6"), FLAG, {"trump": "NT", "level": "flag", "last_trick_winner": None}),
    (
        "chaodipi",
        ("flag", "6"),
        DIG | FLAG | {"red_fives_declared": "dealer", "dark_bids_dealer": "1"},
        {"trump": "NT", "kitty_points": None, "led": None, "specials": None, "dark_bids": None},
    ),
    # a last trick that counts by its cards is asked for whoever won it
    ("nanning-4d", ("5", "6"), LAST, {"led": [{"type": "quad"}], "last_trick_points": 30, "kitty_points": None}),
    # an attacker who declared deals, at the level of his own side
    (JOKER, ("5", "6"), FORM | {"declared_by": "E"}, {"declared_by": "E", "dealer": "E", "level": "6"}),
    (JOKER, ("5", "6"), FORM | {"declared_by": "N"}, {"declared_by": "N", "dealer": "S", "level": "5"}),
    (AFTER_A, ("no_trump", "6"), FORM, {"trump": "NT", "level": "no_trump"}),
]


@pytest.mark.parametrize(("rules", "levels", "form", "facts"), REGIONAL)
def test_forms_of_regional_games(
    rules: Any, levels: tuple[str, str], form: dict[str, str], facts: dict[str, Any]
) -> None:
    place = hall(profile=rules, levels=levels)
    entry = enter(place.ns, form)
    assert {name: entry.facts.get(name) for name in facts} == facts
    # sent back, the form holds what was typed, and sent again it is the same hand
    assert post(place.ew, "send-back", {"entry": str(entry.pk), "what": "points"}).status_code == 303
    again = PhoneForm.of_facts(entry.facts, place.event.profile)
    again.level = str(entry.facts["level"])
    written = again.facts()
    assert written == entry.facts


def test_the_form_asks_only_for_what_the_rules_have() -> None:
    plain, chaodipi, nanning = (read(hall(profile=rules).ns) for rules in ("scn2-2013", "chaodipi", "nanning-4d"))
    asked = ("red_fives_declared", "dug_510K", "dark_bids_dealer", "last_trick_points", "kitty_points", "throw_side_1")
    pages = {"plain": plain, "chaodipi": chaodipi, "nanning": nanning}
    named = {
        name: [one for one in asked if f'name="{one}"' in page or f'value="{one}"' in page]
        for name, page in pages.items()
    }
    assert named == {
        "plain": ["kitty_points", "throw_side_1"],
        "chaodipi": ["red_fives_declared", "dug_510K", "dark_bids_dealer", "kitty_points", "throw_side_1"],
        "nanning": ["last_trick_points"],
    }


def test_at_the_flag_the_page_says_what_is_needed() -> None:
    place = hall(profile="chaodipi", levels=("flag", "6"))
    assert "the attackers need 100. Failed running: 0 of 3." in read(place.ns)
    assert "at the flag" in read(place.ns)
    zh = read(place.ew, language="zh-CN")
    assert "南坐庄，扛旗" in zh
    assert "闲家得 100 分上台" in zh


def test_confirming_a_jump_says_where_it_leads() -> None:
    place = hall(profile="chaodipi", levels=("5", "6"))
    enter(place.ns, FORM | {"red_fives_declared": "attackers"})
    assert "Confirm 35: N–S playing A, E–W playing 2" in read(place.ew)
