"""Records of hands at tables of single players: attached, held against the entry, shown, exported and audited."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord, write
from scoring.individual.replay import SingleReplay, replay_single
from scoring.profiles import load
from scoring.simulation.single import simulate_single
from scoring.values import Place
from tests.api.hall import desk as api_desk
from tests.api.hall import phone
from tests.markup import flat
from tests.tournaments.factories import AT, signed_in
from tests.tournaments.individual import Evening, evening, sittings_of
from tests.tournaments.test_scorekeeping import refused
from tests.worlds import kept
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger.hands_on_record import Replayed, hands_with_records, replayed
from tournaments.ledger.recorded_hands import attach
from tournaments.models import LedgerEntry, RecordedHand, Sitting

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

#: The games: the preset of an evening, its rules, how many play.
GAMES = {"sandayi": ("I1", 4), "ersibai": ("I2", 4), "zhaopengyou": ("I3", 5)}


@cache
def hand_of(name: str) -> tuple[HandRecord, SingleReplay]:
    """A hand in which the attackers dug, where there are attackers, and what its cards come to."""
    profile = load(name, individual=True)
    for seed in range(100):
        levels = dict.fromkeys(Place, profile.ladder.first) if profile.ladder else None
        record = simulate_single(profile, Random(f"{name}/{seed}"), levels=levels)
        again = replay_single(profile, record)
        if again.complete and again.sheet.kitty_points is not None and again.ally is not again.dealer:
            return record, again
    raise AssertionError("no hand was dug")


@kept
def played(name: str, changes: dict[str, Any] | None = None) -> tuple[Evening, Sitting]:
    """A table whose first hand is the one recorded, with the sheet its cards give unless `changes` say otherwise."""
    preset, players = GAMES[name]
    made = evening(preset, players)
    (table,) = sittings_of(made.seated(tuple(range(1, players + 1))))
    made.enter(table, hand_of(name)[1].sheet.to_json() | (changes or {}))
    return made, table


def put(at: tuple[Evening, Sitting], name: str, record: HandRecord | None = None) -> Replayed:
    text = write(hand_of(name)[0] if record is None else record)
    return attach(sitting_id=at[1].pk, actor=at[0].actor, at=AT, hand_no=1, text=text)


def address(at: tuple[Evening, Sitting]) -> str:
    return f"/desk/{at[0].tournament.slug}/rounds/1/tables/1/hands/1/record/"


def public(at: tuple[Evening, Sitting], language: str = "en") -> str:
    return f"/{language}/e/{at[0].tournament.slug}/rounds/1/tables/1/"


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_record_stands_beside_its_entry_and_agrees_with_it(name: str) -> None:
    here = played(name)
    done = put(here, name)
    assert done.disagreements == ()
    assert done.replay.findings == ()
    assert done.replay.complete
    assert hands_with_records(here[1]) == {1}
    again = replayed(here[1], 1)
    assert again is not None
    assert again.replay == done.replay


def other(place: str, *, than: str = "") -> str:
    """Another place than these."""
    return next(one for one in "1234" if one not in (place, than))


def moved_points(sheet: dict[str, Any]) -> dict[str, Any]:
    """Ten points of one player written down for the next."""
    points = dict(sheet["points"])
    most = max(points, key=lambda place: points[place])
    points[most] -= 10
    points[other(most)] += 10
    return {"points": points}


WRONG: list[tuple[str, Callable[[dict[str, Any]], dict[str, Any]], set[str]]] = [
    ("sandayi", lambda sheet: {"captured_in_tricks": sheet["captured_in_tricks"] - 5}, {"captured_in_tricks", "total"}),
    ("sandayi", lambda sheet: {"bid": 85 if sheet["bid"] == 80 else 80}, {"bid"}),
    ("ersibai", moved_points, {"points"}),
    ("ersibai", lambda sheet: {"last_trick_place": other(sheet["last_trick_place"])}, {"last_trick_place"}),
    ("zhaopengyou", lambda sheet: {"ally": other(sheet["ally"], than=sheet["dealer"])}, {"ally"}),
    ("zhaopengyou", lambda sheet: {"kitty_points": sheet.get("kitty_points", 0) + 5}, {"kitty_points", "total"}),
    ("zhaopengyou", lambda sheet: {"call": {"card": "D3", "ordinal": 3}}, {"call"}),
    ("zhaopengyou", lambda sheet: {"throw_failures": [{"place": "5", "cards": 4}]}, {"throw_failures"}),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "change", "fields"), WRONG)
def test_what_the_cards_do_not_give_is_told(
    name: str, change: Callable[[dict[str, Any]], dict[str, Any]], fields: set[str]
) -> None:
    here = played(name, change(hand_of(name)[1].sheet.to_json()))
    found = put(here, name).disagreements
    assert {one.field for one in found} == fields
    assert all(one.message["en"].startswith("Entered for ") and "录入为" in one.message["zh"] for one in found)


@pytest.mark.parametrize("name", ["sandayi", "zhaopengyou"])
def test_a_total_from_a_slip_is_held_against_the_cards(name: str) -> None:
    total = hand_of(name)[1].total
    assert total is not None
    assert not put(total_slip(name, total.raw), name).disagreements
    (found,) = put(total_slip(name, total.raw - 5), name).disagreements
    assert found.field == "total"


def total_slip(name: str, total: int) -> tuple[Evening, Sitting]:
    """A table that wrote down no more than who dealt with whom and the total."""
    preset, players = GAMES[name]
    made = evening(preset, players)
    (table,) = sittings_of(made.seated(tuple(range(1, players + 1))))
    sheet = hand_of(name)[1].sheet.to_json()
    kept_fields = {field: sheet[field] for field in ("kind", "dealer", "bid", "ally") if field in sheet}
    made.enter(table, kept_fields | {"total_only": total})
    return made, table


@pytest.mark.parametrize("name", GAMES)
def test_what_the_record_leaves_out_comes_from_the_entry(name: str) -> None:
    here = played(name)
    done = put(here, name, HandRecord(tricks=hand_of(name)[0].tricks))
    (record,) = parse(done.recorded.text, here[0].tournament.profile)
    sheet = hand_of(name)[1].sheet
    assert record.tags["dealer"] == sheet.dealer
    assert record.tags["trump"] == sheet.trump
    assert ("levels" in record.tags) is (name == "zhaopengyou")
    assert record.result.get("bid") == sheet.lowest_bid
    assert record.result.get("ally") == sheet.ally
    assert done.disagreements == ()


def test_names_are_not_kept() -> None:
    here, record = played("sandayi"), hand_of("sandayi")[0]
    tags = {**record.tags, "player_1": "Wang Fang", "event": "Spring Cup", "date": "2026-05-01"}
    kept_text = put(here, "sandayi", replace(record, tags=tags)).recorded.text
    assert not any(word in kept_text for word in ("Wang", "Spring", "2026"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("play\n1. S:H3\n", "play_unreadable"),
        ('[level "2"]\nplay\n1. 1:H3\n', "no_levels"),
        ("play\n1. 5:H3\n", "play_unreadable"),
        ("", "text_missing"),
    ],
)
def test_what_is_no_record_of_such_a_table_is_refused(text: str, code: str) -> None:
    made, table = played("sandayi")
    caught = refused(attach, sitting_id=table.pk, actor=made.actor, at=AT, hand_no=1, text=text)
    assert caught.code == code
    assert not RecordedHand.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_desk_shows_it_card_by_card(name: str) -> None:
    here = played(name)
    official = signed_in(here[0].actor)
    table = f"/desk/{here[0].tournament.slug}/rounds/1/tables/1/"
    assert address(here) in official.get(table).content.decode()
    assert official.get(address(here)).status_code == 200
    record, again = hand_of(name)
    page = official.post(address(here), {"text": write(record)}, follow=True)
    html = page.content.decode()
    seen = flat(html)
    assert "The entry agrees with the cards." in seen
    assert html.count('id="trick-') == len(again.tricks)
    assert "选手1" in seen
    if name == "zhaopengyou":
        assert ("The called card fell" in seen) is (again.found_in is not None)
    totals = [trick.captured for trick in page.context["tricks"]]
    assert (None in totals) is (name == "ersibai")
    if name != "ersibai":
        assert totals[-1] == again.sheet.captured_in_tricks
    assert "Card by card" in official.get(table).content.decode()
    chinese = official.get(address(here), headers={"accept-language": "zh-hans"})
    assert chinese.status_code == 200


@pytest.mark.long
def test_a_difference_fills_the_correction() -> None:
    here = played("sandayi", {"captured_in_tricks": 0})
    put(here, "sandayi")
    entry = LedgerEntry.objects.get(sitting=here[1])
    official = signed_in(here[0].actor)
    fill = f"/desk/{here[0].tournament.slug}/hands/{entry.pk}/correct/?record=1"
    page = official.get(address(here)).content.decode()
    assert "The entry and the cards differ" in page
    assert fill in page
    form = official.get(fill).context["form"].facts()
    assert form["captured_in_tricks"] == hand_of("sandayi")[1].sheet.captured_in_tricks


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_public_reads_the_tricks(name: str) -> None:
    here = played(name)
    link = public(here) + "hands/1/"
    assert Client().get(link).status_code == 404
    put(here, name)
    assert link in Client().get(public(here)).content.decode()
    for language, word in (("en", "Trick by trick"), ("zh", "逐圈出牌")):
        page = Client().get(public(here, language) + "hands/1/")
        assert page.status_code == 200
        seen = flat(page.content.decode())
        assert word in seen
        assert "选手1" in seen
        assert page.content.decode().count('id="trick-') == len(hand_of(name)[1].tricks)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", GAMES)
def test_everybody_steps_through_it(name: str, language: str) -> None:
    here, again = played(name), hand_of(name)[1]
    put(here, name)
    link = public(here, language) + "hands/1/tricks/"
    assert link in Client().get(public(here, language)).content.decode()
    found = []
    for step in ["0", *(str(trick.number) for trick in again.tricks), "end"]:
        page = Client().get(link, {"trick": step})
        assert page.status_code == 200, step
        seen = flat(page.content.decode())
        assert "选手1" in seen
        if page.context["kind"] == "trick":
            trick = again.tricks[int(step) - 1]
            shown = page.context["trick"]
            assert shown.verdict.winner is trick.winner
            assert shown.verdict.is_judged
            assert [pocket.name for pocket in shown.pockets] == [place.value for place in again.profile.seats]
            assert page.context["position"]
            assert Client().get(page.context["position"]).context["verdict"].winner is trick.winner
            found += [step] if shown.shown.ally else []
    assert found == ([] if again.found_in is None else [str(again.found_in)])
    last = Client().get(link, {"trick": "end"}).context
    assert (last["total"] is None) is (name == "ersibai")
    if last["total"] is not None:
        assert sum(one.points for one, _address in last["gains"]) == last["total"].captured


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_record_over_the_api(name: str) -> None:
    here = played(name)
    path = f"sittings/{here[1].pk}/hands/1/record/"
    made = api_desk(here[0].actor).post(path, {"text": write(hand_of(name)[0])}, Idempotency_Key="a")
    assert made.status == 201
    told = made.json["replay"]
    assert told["sheet"] == hand_of(name)[1].sheet.to_json()
    assert told["dealer"] == hand_of(name)[1].dealer
    shown = phone(here[0].phone(here[1], "1")).get(path).json["replay"]
    assert "findings" not in shown


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_export_holds_records_and_the_audit_reads_them_again(name: str) -> None:
    here = played(name)
    put(here, name)
    document = event_document(here[0].tournament, official=True)
    assert not [one for one in audit(document) if "record" in one.where]
    document["recorded_hands"][0]["text"] = '[level "2"]\nplay\n1. S:H3\n'
    assert [one.what for one in audit(document) if "record" in one.where]
