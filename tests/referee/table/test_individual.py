"""The phone of a single player: who plays alone, the ally, the points of each; another player confirms."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.table.places import post, read
from tests.tournaments.individual import evening, sittings_of
from tournaments.acts.admission import Actor
from tournaments.ledger.codes import party_code_text
from tournaments.models import EntryStatus, LedgerEntry, PartyCode, Sitting

pytestmark = pytest.mark.django_db

ALONE = {
    "kind": "hand",
    "hand_no": "1",
    "dealer": "2",
    "bid": "95",
    "trump": "S",
    "captured_in_tricks": "100",
    "last_trick_winner": "dealer",
}
ALLIED = ALONE | {"dealer": "1", "ally": "4", "captured_in_tricks": "55"}
EVERYONE = {
    "kind": "hand",
    "hand_no": "1",
    "points_1": "80",
    "points_2": "60",
    "points_3": "50",
    "points_4": "40",
    "last_trick_place": "2",
    "kitty_points": "10",
}


def table(preset: str, players: int) -> tuple[Sitting, dict[str, Actor]]:
    """One running table with a phone at every place."""
    here = evening(preset, players)
    (sitting,) = sittings_of(here.round())
    return sitting, {place.place: here.phone(sitting, place.place) for place in sitting.match.places.all()}


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "players", "form", "facts", "sentence", "agree"),
    [
        (
            "I1",
            4,
            ALONE,
            {"dealer": "2", "bid": 95, "captured_in_tricks": 100},
            "叫 95，三家得 100",
            "确认 100：三家胜",
        ),
        ("I3", 5, ALLIED, {"dealer": "1", "ally": "4", "level": "2"}, "闲家 55", "确认 55：选手1、选手4胜"),
        ("I2", 4, EVERYONE, {"points": {"1": 80, "2": 60, "3": 50, "4": 40}}, "底牌 10 归", "确认：选手1得分最高"),
    ],
)
def test_entered_on_one_phone_and_confirmed_on_another(
    preset: str, players: int, form: dict[str, str], facts: dict[str, Any], sentence: str, agree: str
) -> None:
    sitting, phones = table(preset, players)
    assert "选手4" in read(phones["1"], language="zh")
    assert post(phones["1"], "enter", form).status_code == 303
    entry = LedgerEntry.objects.get()
    assert facts.items() <= entry.facts.items()
    assert (entry.status, entry.entered_side) == (EntryStatus.WAITING, "1")
    assert "/take-back/" in read(phones["1"], language="zh")
    page = read(phones["3"], language="zh")
    assert sentence in page
    assert agree in page
    assert "选手1" in page
    assert post(phones["3"], "confirm", {"entry": entry.pk, "version": 1}).status_code == 303
    sitting.refresh_from_db()
    assert sitting.state["hands_played"] == 1
    assert f"选手{players}" in read(phones["2"], "record", language="zh")


def test_what_is_missing_or_wrong_is_said_by_its_field() -> None:
    _, phones = table("I2", 4)
    form = {name: value for name, value in EVERYONE.items() if name != "points_3"} | {"kitty_points": "15"}
    refused = post(phones["1"], "enter", form, script=True)
    assert refused.status_code == 400
    assert {one["field"] for one in refused.json()["findings"]} == {"points_3"}
    refused = post(phones["1"], "enter", EVERYONE | {"points_3": "45"}, script=True).json()
    assert refused["code"] == "points_not_conserved"
    page = post(phones["1"], "enter", EVERYONE | {"points_3": "45"}).content.decode()
    assert 'value="45"' in page


def test_a_bid_that_is_none_and_a_trump_left_out() -> None:
    _, phones = table("I1", 4)
    found = post(phones["1"], "enter", ALONE | {"bid": "97", "trump": ""}, script=True).json()["findings"]
    assert {one["field"] for one in found} == {"bid", "trump"}
    seen = post(phones["1"], "preview", ALONE, script=True).json()
    assert "the three" in seen["spoken"]


def test_nobody_bids_and_the_hand_is_dealt_again() -> None:
    sitting, phones = table("I1", 4)
    void = {"kind": "annulled", "hand_no": "1", "annulled_reason": "all_passed"}
    assert post(phones["4"], "enter", void).status_code == 303
    entry = LedgerEntry.objects.get()
    assert post(phones["1"], "confirm", {"entry": entry.pk, "version": 1}).status_code == 303
    sitting.refresh_from_db()
    assert (sitting.hand_no, sitting.state["hands_played"]) == (2, 0)


@pytest.mark.long
def test_sent_back_with_a_word_then_two_entries_that_differ() -> None:
    _, phones = table("I1", 4)
    post(phones["1"], "enter", ALONE)
    first = LedgerEntry.objects.get()
    post(phones["2"], "send_back".replace("_", "-"), {"entry": first.pk, "what": "bid"})
    first.refresh_from_db()
    assert (first.status, first.sent_back_what) == (EntryStatus.RETURNED, "bid")
    page = read(phones["1"])
    assert "The bid" in page
    assert 'value="95"' in page
    post(phones["1"], "enter", ALONE)
    post(phones["3"], "enter", ALONE | {"bid": "90"})
    page = read(phones["4"])
    assert "The two entries differ" in page
    assert ">95<" in page
    assert ">90<" in page


def test_the_card_asks_whether_this_is_you(client) -> None:
    sitting, _ = table("I3", 5)
    code = PartyCode.objects.get(table=sitting.table_id, side="3", revoked_at=None)
    page = client.get(f"/t/{party_code_text(code)}/", headers={"Accept-Language": "en"}).content.decode()
    name = sitting.match.places.get(place="3").entrant.name
    assert name in page
    assert "Yes, that is me" in page
    assert "seat 3" in page
