"""A player's own page wakes up when the opponents have entered a hand; sharing, where the browser can."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from referee.table.places import PREFIX
from tests.browser.pages import phone_context
from tests.referee.public.events import publish
from tests.referee.table.places import hall, token_of
from tests.tournaments import playing
from tests.tournaments.factories import sheet
from tournaments.hall.acts import arrange_in_rows
from tournaments.ledger import scorekeeping
from tournaments.ledger.codes import entrant_code_text
from tournaments.people import attendance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext

    from tests.conftest import LiveServer

pytestmark = pytest.mark.long


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    made = phone_context(browser, language="zh")
    yield made
    made.close()


def test_the_page_wakes_up_when_a_hand_waits(
    live_server: LiveServer, phone: BrowserContext, screenshot: Callable[..., Path]
) -> None:
    here = hall()
    device = here.ew.device
    phone.add_cookies([{"name": PREFIX + device.public_id, "value": token_of(device), "url": str(live_server)}])
    codes = attendance.issue_entrant_codes(tournament_id=here.event.pk, actor=here.chief, at=timezone.now())
    own = phone.new_page()
    errors: list[str] = []
    own.on("pageerror", lambda error: errors.append(str(error)))
    own.add_init_script("window.buzzes = 0; navigator.vibrate = () => { window.buzzes += 1; return true; };")
    own.goto(f"{live_server}/me/{entrant_code_text(codes[1])}/")
    expect(own.locator("#here")).to_contain_text("第 1 轮 1 桌")
    # read at arm's length
    assert own.locator("#here .table-number").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 48
    own.get_by_role("button", name="到时叫我").tap()
    assert own.evaluate("window.buzzes") == 1, "so that one knows how it feels"
    scorekeeping.record_hand(
        sitting_id=here.sitting.pk,
        actor=here.ns,
        at=timezone.now(),
        facts=sheet(35),
        hand_no=1,
    )
    expect(own.locator("#here")).to_contain_text("第 1 副等你们确认")
    expect(own).to_have_title(re.compile("^1 桌 · 第 1 副等你们确认"))
    assert own.evaluate("window.buzzes") == 2
    screenshot(own, "my-table-zh")
    own.get_by_role("link", name="打开 1 桌").tap()
    expect(own.locator("#view")).to_have_attribute("data-kind", "confirm")
    # from there on every public page leads back to the own one
    own.goto(f"{live_server}/zh/rules/")
    own.get_by_role("navigation", name="Referee").get_by_role("link", name="我的桌").tap()
    expect(own.locator("#here")).to_contain_text("第 1 副等你们确认")
    assert errors == []


def test_public_pages_lead_to_the_table_of_this_phone_alone(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    device = here.ew.device
    page = phone.new_page()
    page.goto(f"{live_server}/zh/")
    bar = page.get_by_role("navigation", name="Referee")
    expect(bar.get_by_role("link")).to_have_text(["赛事", "规则", "裁定器"])
    phone.add_cookies([{"name": PREFIX + device.public_id, "value": token_of(device), "url": str(live_server)}])
    page.goto(f"{live_server}/table/{device.public_id}/")
    expect(page.locator("#view")).to_be_visible()
    page.goto(f"{live_server}/zh/e/{here.event.slug}/")
    expect(bar.get_by_role("link")).to_have_text(["赛事", "裁定器", "我的桌"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    bar.get_by_role("link", name="我的桌").tap()
    expect(page.locator("main")).to_contain_text("1 桌")


def test_a_link_is_copied_and_sent(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    page = phone.new_page()
    page.add_init_script(
        "navigator.share = (what) => { window.sent = what; return Promise.resolve(); };"
        "const clipboard = { writeText: async (text) => { window.copied = text; } };"
        "Object.defineProperty(navigator, 'clipboard', { value: clipboard });"
    )
    path = f"/zh/e/{here.event.slug}/rounds/1/tables/1/"
    page.goto(f"{live_server}{path}")
    page.get_by_role("link", name="分享").tap()
    expect(page.locator("img.shared").first).to_be_visible()
    expect(page.locator("img.shared").first).to_have_js_property("naturalWidth", 1200)
    page.get_by_role("button", name="发给朋友").tap()
    page.get_by_role("button", name="复制链接").tap()
    expect(page.get_by_role("button", name="已复制")).to_be_visible()
    assert page.evaluate("window.copied").endswith(path)
    assert page.evaluate("window.sent.url").endswith(path)


@pytest.mark.parametrize(("language", "theme"), [("zh", "light"), ("zh", "dark"), ("en", "light"), ("en", "dark")])
def test_looks_through_the_day(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path], language: str, theme: Any
) -> None:
    """The map before the match, a referee on the way, the award: nothing wider than the phone."""
    event = playing.event(12, stage={"rounds_planned": 1})
    round_ = event.running((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12))
    arrange_in_rows(tournament_id=event.tournament.pk, actor=event.actor, at=event.tick(), width=6)
    codes = attendance.issue_entrant_codes(tournament_id=event.tournament.pk, actor=event.actor, at=timezone.now())
    context = phone_context(browser, language=language, theme=theme)
    page = context.new_page()

    def look(name: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        screenshot(page, f"my-table-{name}-{language}-{theme}")

    page.goto(f"{live_server}/me/{entrant_code_text(codes[8])}/")
    expect(page.locator(".spot.marked")).to_be_visible()
    # both at one moment: the open page may exchange the map between two looks
    inside, whole = page.evaluate("""() => [".spot.marked", ".hall-frame"].map(one => {
        const { left, right } = document.querySelector(one).getBoundingClientRect();
        return [left, right];
    })""")
    assert whole[0] <= inside[0]
    assert inside[1] <= whole[1], "brought into the frame"
    look("map")
    event.play(round_, [0, 0], [35], [40], [35], [35], [35])
    publish(event, round_)
    page.reload()
    expect(page.locator("#award")).to_be_visible()
    look("award")
    page.goto(f"{live_server}/me/{entrant_code_text(codes[0])}/")
    expect(page.locator("#award")).to_be_visible()
    look("award-first")
    context.close()
