"""Draws on the desk's pages: every format by its button, with reasons; exchanged, drawn again, published and read."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, event
from tournaments.models import CheckIn, Draw, Round
from tournaments.plans.presets import PRESETS

pytestmark = pytest.mark.django_db

HOW = {
    "F1": "瑞士移位编排",
    "F2": "循环赛轮次表",
    "F3": "淘汰赛对阵表",
    "F5": "淘汰赛，按签号顺序",
    "F7": "循环赛轮次表",
    "F17": "循环赛轮次表",
    "F18": "瑞士移位编排",
    "F19": "瑞士移位编排",
    "F20": "瑞士移位编排",
}


def desk_of(made: Event) -> Client:
    return signed_in(made.actor, "zh-hans")


def shown(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("preset", sorted(one.id for one in PRESETS.values() if not one.id.startswith("I")))
def test_the_first_round_of_every_preset_is_drawn_by_its_button(preset: str) -> None:
    made = event(16, preset=preset)
    client, here = desk_of(made), f"/desk/{made.tournament.slug}/rounds/"
    client.post(f"{here}new/")
    assert "编排第 1 轮" in shown(client, f"{here}1/pair/")
    assert client.post(f"{here}1/draw/", {"first_table": "3"}).status_code == 303
    page = shown(client, f"{here}1/pair/")
    assert HOW[preset] in page
    kept = Draw.objects.get()
    assert client.get(f"{here}1/draws/1.json").content.decode() == kept.document
    tables = [one["table"] for one in json.loads(kept.document)["meetings"] if one["table"]]
    assert tables[0] == 3
    client.post(f"{here}1/publish/")
    public = f"/zh/e/{made.tournament.slug}/rounds/1/"
    page = shown(client, public)
    assert HOW[preset] in page
    assert "独立检查：没有问题" in page
    assert client.get(f"{public}draw.json").content.decode() == kept.document
    assert json.loads(client.get(f"{public}pairing.json").content)["draw"]["digest"] == kept.digest


def test_a_draft_has_no_public_documents() -> None:
    made = event(4)
    client = desk_of(made)
    client.post(f"/desk/{made.tournament.slug}/rounds/new/")
    client.post(f"/desk/{made.tournament.slug}/rounds/1/draw/")
    for name in ("draw", "pairing"):
        assert Client().get(f"/zh/e/{made.tournament.slug}/rounds/1/{name}.json").status_code == 404


@pytest.mark.long
def test_a_change_keeps_its_reason_and_what_is_found_is_accepted_first() -> None:
    made = event(4, units={1: "东区", 3: "东区"})
    client, here = desk_of(made), f"/desk/{made.tournament.slug}/rounds/"
    client.post(f"{here}new/")
    client.post(f"{here}1/draw/")
    home, away = Round.objects.get().matches.filter(home__number=1).values_list("home__number", "away__number").get()
    assert (home, away) == (1, 4)
    page = client.post(f"{here}1/exchange/", {"entrant": ["4", "3"], "reason": ""}, follow=True).content.decode()
    assert "要写明原因" in page
    nobody = client.post(f"{here}1/exchange/", {"entrant": ["4", "77"], "reason": "转播"}, follow=True).content.decode()
    assert "请选本轮的两个参赛方" in nobody
    page = client.post(f"{here}1/exchange/", {"entrant": ["4", "3"], "reason": "转播"}, follow=True).content.decode()
    assert "同一单位" in page
    assert "转播" in page
    page = client.post(f"{here}1/publish/", follow=True).content.decode()
    assert "请确认接受" in page
    client.post(f"{here}1/publish/", {"accept": "on"})
    assert Round.objects.get().status == "published"


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", ["one=1&other=2", "one=1&other=bye", "one=9&other=1", "one=x&other=1", "one=1&other="]
)
def test_whatever_is_asked_the_page_answers(asked: str) -> None:
    made = event(5)
    client, here = desk_of(made), f"/desk/{made.tournament.slug}/rounds/"
    client.post(f"{here}new/")
    client.post(f"{here}1/draw/")
    page = shown(client, f"{here}1/pair/?{asked}")
    sensible = all(part.isdecimal() or part == "bye" for part in (pair.split("=")[1] for pair in asked.split("&")))
    assert ("why-not-answer" in page) == sensible


@pytest.mark.long
def test_who_is_not_checked_in_is_named_before_the_draw() -> None:
    made = event(4)
    client, here = desk_of(made), f"/desk/{made.tournament.slug}/rounds/"
    client.post(f"{here}new/")
    assert "尚未签到" not in shown(client, f"{here}1/pair/")
    for number in (1, 2, 4):
        CheckIn.objects.create(entrant_id=made.ids[number], arrived_at=made.now)
    page = shown(client, f"{here}1/pair/")
    assert "1 方尚未签到" in page
    assert "3 Pair 3" in page.split("尚未签到")[1][:80]
