"""A recorded hand in steps: by keys, by swipes, by links, by its address, and without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, faults, phone_context
from tests.tournaments.test_recorded_hands import REPLAY, played, put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

TRICKS = len(REPLAY.tricks)
SWIPE = """([from, to]) => {
    const root = document.querySelector("[data-steps]");
    const touch = (x) => new Touch({ identifier: 1, target: root, clientX: x, clientY: 400 });
    root.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], changedTouches: [touch(from)] }));
    root.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)] }));
}"""


def hands(live_server: LiveServer, language: str = "en") -> str:
    here = played()
    put(here)
    return f"{live_server}/{language}/e/{here.event.slug}/rounds/1/tables/1/hands/1/tricks/"


def stands_at(page: Page, name: str, address: str) -> None:
    expect(page.locator("#step")).to_contain_text(name)
    expect(page).to_have_url(re.compile(rf"\?trick={address}$"))
    expect(page).to_have_title(re.compile(rf"^{name} ·"))


def test_keys_links_and_the_address_lead_to_the_same_steps(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path]
) -> None:
    context = browser.new_context(viewport=DESK, locale="en")
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(hands(live_server))
    expect(page.locator("#step")).to_have_text("The deal")
    assert faults(page) == []
    screenshot(page, "steps-deal", full_page=True)
    page.keyboard.press("ArrowRight")
    stands_at(page, "Trick 1", "1")
    expect(page.locator("#live-say")).to_contain_text("wins the trick")
    # keys that come faster than the answers count one by one
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    stands_at(page, "Trick 4", "4")
    assert faults(page) == []
    screenshot(page, "steps-trick", full_page=True)
    page.keyboard.press("ArrowLeft")
    stands_at(page, "Trick 3", "3")
    page.locator("#step-next").click()
    stands_at(page, "Trick 4", "4")
    expect(page.locator("#step-next")).to_be_focused()
    page.reload()
    stands_at(page, "Trick 4", "4")
    page.keyboard.press("End")
    stands_at(page, "The result", "end")
    assert faults(page) == []
    screenshot(page, "steps-end", full_page=True)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    stands_at(page, "The deal", "0")
    page.locator(".step-row").get_by_role("link", name=re.compile(rf"^Trick\s*{TRICKS}\b")).click()
    stands_at(page, f"Trick {TRICKS}", str(TRICKS))
    page.get_by_role("link", name="简体中文").click()
    expect(page.locator("#step")).to_contain_text(f"第 {TRICKS} 圈")
    assert said == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_swipes_from_trick_to_trick(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path], theme: str
) -> None:
    page = phone_context(browser, language="zh", theme=theme).new_page()  # type: ignore[arg-type]
    page.goto(hands(live_server, "zh") + "?trick=7")
    stands_at(page, "第 7 圈", "7")
    assert faults(page) == []
    screenshot(page, f"steps-phone-{theme}", full_page=True)
    page.evaluate(SWIPE, [300, 100])
    stands_at(page, "第 8 圈", "8")
    page.evaluate(SWIPE, [100, 300])
    stands_at(page, "第 7 圈", "7")
    page.evaluate(SWIPE, [200, 210])
    page.locator("#step-next").tap()
    stands_at(page, "第 8 圈", "8")
    for name in ("first", "last"):
        page.locator(f"#step-{name}").tap()
        expect(page.locator(f"#step-{name}")).to_have_count(0)
        assert faults(page) == []
        screenshot(page, f"steps-phone-{theme}-{name}", full_page=True)


def test_every_step_is_a_page_without_scripts(live_server: LiveServer, browser: Browser) -> None:
    page = browser.new_context(viewport=DESK, locale="en", java_script_enabled=False).new_page()
    page.goto(hands(live_server))
    for number in range(1, TRICKS + 1):
        page.locator("#step-next").click()
        expect(page.locator("#step")).to_contain_text(f"Trick {number}")
    page.locator("#step-next").click()
    expect(page.locator("#step")).to_have_text("The result")
    assert page.locator("#step-next").count() == 0
    page.locator("#step-first").click()
    expect(page.locator("#step")).to_have_text("The deal")
