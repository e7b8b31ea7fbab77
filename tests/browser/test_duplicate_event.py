"""A regulation in a real browser, in Chinese: teams of four in two rooms, from the preset to the certificate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, Phone, phone_context, play_hand
from tests.events.regulations import HallClock, Running, hall_clock
from tournaments.exchange.codes import party_code_text
from tournaments.models import PartyCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.conftest import LiveServer
    from tournaments.models import Sitting

__all__ = ["hall_clock"]

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(300)]


def test_duplicate_teams_from_the_preset_to_the_certificate(
    hall_clock: HallClock,
    transactional_db: None,
    live_server: LiveServer,
    browser: Browser,
    screenshot: Callable[..., Path],
    tmp_path: Path,
) -> None:
    made = Running.of("F7", 4, hall_clock, seed=77, players=4)
    desk = desk_context(browser, live_server, made).new_page()

    def look(address: str, name: str, page: Page = desk) -> Page:
        page.goto(f"{live_server}{address}")
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide), address
        screenshot(page, f"f7-{name}", full_page=True)
        return page

    look(f"{made.desk}stages/1/begin/", "begin")
    desk.get_by_role("button", name="开始本阶段").click()
    expect(desk.get_by_text("第 1 阶段已开始。")).to_be_visible()
    stage = made.stage(1)
    context = phone_context(browser, language="zh")
    for number in (1, 2, 3):
        round_ = made.draw()
        if number > 1:
            made.start(round_)
            for sitting in made.sittings(round_):
                made.hand(sitting, made.total(made.chance.choice((35, 60, 85))))
                made.cards(sitting)
        else:
            made.organiser.post(f"{made.desk}rounds/1/start/")
            for sitting in made.sittings(round_):
                in_the_browser(made, context, live_server, sitting, screenshot)
        made.close(round_)
        look(f"{made.public}rounds/{number}/", f"public-round-{number}", context.new_page())
        look(f"{made.desk}standings/publish/?stage=1", f"publish-{number}")
        made.publish(stage)
    look(f"{made.desk}rounds/1/tables/1/boards/", "boards")
    look(f"{made.desk}standings/", "desk-standings")
    phone = context.new_page()
    look(f"{made.public}standings/3/", "public-publication", phone)
    # nobody keeps levels: the grid tells match points, and how settled the table is stands there once
    for met in phone.locator(".cross .met").all_inner_texts():
        assert re.search(r"(2:0|1:1|0:2)$", met), met
    expect(phone.locator("#settled")).to_contain_text("暂定 · 更正、申诉截止")
    expect(phone.get_by_text("最终", exact=True)).to_have_count(0)
    look(f"{made.public}rounds/1/tables/1/", "public-match", phone)
    inside = "(table) => table.scrollWidth <= table.parentElement.clientWidth"
    assert phone.locator("table.boards").evaluate(inside)
    for address in ("", "standings/", "entrants/1/", "certificate/"):
        look(f"{made.public}{address}", f"public-{address.strip('/').replace('/', '-') or 'event'}", phone)
    expect(phone.get_by_text("重算一致").first).to_be_visible()
    made.certify(tmp_path)


def desk_context(browser: Browser, server: LiveServer, made: Running) -> BrowserContext:
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(10_000)
    cookies: Any = [
        {"name": name, "value": one.value, "url": str(server)} for name, one in made.organiser.cookies.items()
    ]
    context.add_cookies(cookies)
    return context


def in_the_browser(
    made: Running, context: BrowserContext, server: LiveServer, sitting: Sitting, screenshot: Callable[..., Path]
) -> None:
    """One room of a match on two phones: each hand typed on one and confirmed on the other."""
    codes = PartyCode.objects.filter(table=sitting.table, revoked_at=None).select_related("table")
    phones = {code.side: Phone(context, server, party_code_text(code), "zh") for code in codes}
    for number in (1, 2):
        phones["NS"].turns_to("enter", number)
        dealer, _level = made.due(sitting)
        side = "NS" if dealer in "NS" else "EW"
        if sitting.table.number == 1:
            screenshot(phones[side].page, f"f7-phone-{number}", full_page=True)
        line = made.total(made.chance.choice((35, 60, 85)))
        play_hand(phones, {**line, "entered_by": side, "dealer": dealer}, number)
    for phone in phones.values():
        phone.turns_to("finished")
        assert phone.errors == []
    if sitting.table.number in (1, 2):
        screenshot(phones["NS"].page, f"f7-phone-finished-{sitting.table.number}", full_page=True)
    for phone in phones.values():
        phone.page.close()
