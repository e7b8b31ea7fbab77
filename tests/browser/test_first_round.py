"""From the list that people have to a first round that is played: at most eight clicks and three fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.tournaments import factories
from tournaments.models import Entrant, Player, Round, RoundStatus

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser]

#: As it comes out of a spreadsheet: a title, a blank column, numbers with signs, telephones, a line of the total.
LIST = """2026 城湖杯 双升 报名表\t
序号\t队名\t选手一\t选手二\t单位\t电话
1、\t高峰/罗兰\t高峰\t罗兰\t东区\t13800000001
2、\t\t林晓\t周航\t西区\t
3\t春风队\t何川\t宋雨\t东区\t
4\t\t陈默\t王芳\t南区\t
5\t\tLi Na\tWang Wei\t北区\t

6\t\t马骁\t沈青\t东区\t
合计\t6对\t\t\t\t
"""
CLICKS, FIELDS = 8, 3


def test_a_pasted_list_comes_to_a_running_round_in_eight_clicks(
    live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    page = enter(factories.Actor(user=factories.user("organiser")))
    page.goto(live_server + "/desk/")
    fields, clicks = list[str](), list[str]()

    def fill(label: str, text: str) -> None:
        fields.append(label)
        page.get_by_label(label, exact=True).fill(text)

    def click(kind: str, name: str) -> None:
        clicks.append(name)
        page.get_by_role(kind, name=name).first.click()  # type: ignore[arg-type]  # a role

    click("link", "New event")
    fill("Name", "城湖杯")
    click("button", "Create the event")
    fill("Paste the list here", LIST)
    screenshot(page, "desk-list-pasted", full_page=True)
    clicks.append("Read the list")
    page.locator("form:has(textarea)").get_by_role("button", name="Read the list").click()
    expect(page.get_by_text("6 new · 0 changed · 0 the same")).to_be_visible()
    click("button", "Import 6 entrants")
    click("button", "Pair round 1")
    click("button", "Draw round 1")
    click("button", "Publish the pairing")
    click("button", "Start the round")
    expect(page.get_by_text("3 tables: 3 playing")).to_be_visible()

    assert "/desk/cheng-hu-bei/" in page.url
    assert Round.objects.get().status == RoundStatus.RUNNING
    assert Entrant.objects.get(number=1).name == "高峰/罗兰"
    assert Player.objects.count() == 12
    assert len(clicks) <= CLICKS
    assert len(fields) <= FIELDS
