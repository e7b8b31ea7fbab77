"""Draws in a real browser, in Chinese: draw, ask why not, let two change places, draw again, publish."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.tournaments.playing import event, sittings_of
from tournaments.models import Draw, Pairing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_swiss_round_is_drawn_questioned_changed_and_published(
    live_server: LiveServer, enter: Callable[..., Page], theme: str, screenshot: Callable[..., Path]
) -> None:
    made = event(9, language="zh-hans", units={1: "东区", 2: "东区"}, slug=f"swiss-{theme}")
    first = made.begun(made.drawn())
    made.play(first, *[[35]] * len(sittings_of(first)))
    page = enter(made.actor, language="zh-hans", theme=theme)
    refused: list[str] = []
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    page.goto(f"{live_server}/desk/{made.tournament.slug}/rounds/")
    page.get_by_role("button", name="编排第 2 轮").click()
    page.wait_for_url("**/rounds/2/pair/")
    page.get_by_role("button", name="自动编排第 2 轮").click()

    # the pairs, each with its reason
    drawn = page.locator("#drawn")
    expect(drawn.get_by_role("heading", name="瑞士移位编排")).to_be_visible()
    expect(drawn.locator("tbody tr")).to_have_count(5)
    expect(drawn.locator("tbody tr").first).to_contain_text("同为 2 分")
    expect(drawn.locator("tbody tr").last).to_contain_text("轮空")
    drawn.get_by_text("每一对的编排检查").click()
    screenshot(page, f"draw-swiss-{theme}", full_page=True)

    # two who have met cannot meet again, and the page says what it would cost
    match = first.matches.order_by("number").first()
    numbers = {pk: number for number, pk in made.ids.items()}
    page.locator("#why-one").select_option(str(numbers[match.home_id]))
    page.locator("#why-other").select_option(str(numbers[match.away_id]))
    page.get_by_role("button", name="询问").click()
    expect(page.locator("#why-not-answer")).to_contain_text("双方已经相遇")

    # two change places: a reason is kept, the check is made again, the best draw is named beside it
    rows = page.locator("#drawn tbody tr")
    one, other = (re.match(r"\d+", rows.nth(row).locator("td").nth(2).inner_text())[0] for row in (0, 1))
    page.locator("#exchange-one").select_option(one)
    page.locator("#exchange-other").select_option(other)
    page.locator("#exchange-reason").fill("转播需要")
    page.get_by_role("button", name="对调并检查").click()
    expect(page.locator("#drawn .notice")).to_contain_text("最优编排")
    screenshot(page, f"draw-changed-{theme}", full_page=True)

    # drawn again, with a reason, it is the first draw once more
    page.locator("#draw summary").click()
    page.locator("#draw-reason").fill("不再转播")
    page.get_by_role("button", name="重新编排第 2 轮").click()
    expect(page.locator("#drawn")).to_contain_text("不再转播")
    draws = list(Draw.objects.filter(round__number=2))
    assert [draw.method for draw in draws] == ["swiss", "hand", "swiss"]
    assert draws[0].document == draws[2].document

    page.get_by_role("button", name="公布编排").click()
    expect(page.get_by_text("编排已公布。")).to_be_visible()
    assert Pairing.objects.get(round__number=2).draw == draws[2]

    # everybody sees how it was drawn, and can take the documents
    page.set_viewport_size({"width": 320, "height": 720})
    page.goto(f"{live_server}/zh/e/{made.tournament.slug}/rounds/2/")
    expect(page.get_by_text("瑞士移位编排")).to_be_visible()
    expect(page.get_by_text("独立检查：没有问题")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    screenshot(page, f"draw-public-{theme}", full_page=True)
    address = page.get_by_role("link", name="编排过程").get_attribute("href")
    taken = page.request.get(f"{live_server}{address}")
    assert json.loads(taken.text()) == json.loads(draws[2].document)
    page.goto(f"{live_server}/desk/{made.tournament.slug}/rounds/2/pair/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert refused == []


def test_a_phone_draws_a_knockout(
    live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    made = event(6, language="zh-hans", preset="F3")
    page = enter(made.actor, language="zh-hans")
    page.set_viewport_size({"width": 320, "height": 720})
    page.goto(f"{live_server}/desk/{made.tournament.slug}/rounds/")
    page.get_by_role("button", name="编排第 1 轮").click()
    page.get_by_role("button", name="编排第 1 轮").click()
    expect(page.locator("#drawn tbody tr")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    screenshot(page, "draw-knockout-phone", full_page=True)
