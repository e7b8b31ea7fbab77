"""Those who watch, in a real browser: a knockout on a phone round by round, following without an
account, and the latest hands on the projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from referee.public.presenters.screen import HANDS
from tests.browser.pages import DESK, PHONE, faults
from tests.browser.test_public import open_live
from tests.referee.public.events import knockout, played
from tests.tournaments.playing import sittings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = pytest.mark.long


def standings(server: LiveServer, slug: str, language: str = "en") -> str:
    return f"{server}/{language}/e/{slug}/standings/"


@pytest.mark.usefixtures("celery_worker")
def test_a_knockout_opens_on_the_round_in_play_and_stays_where_one_has_gone(
    live_server: LiveServer, page: Page
) -> None:
    event = knockout()
    page.set_viewport_size(PHONE)
    open_live(page, standings(live_server, event.tournament.slug))
    rounds = page.locator("[data-bracket]")
    first, final = rounds.locator("h3", has_text="Quarter-finals"), rounds.locator("h3", has_text="Final").last
    expect(final).to_be_in_viewport()
    expect(first).not_to_be_in_viewport()
    page.get_by_role("link", name="Quarter-finals").click()
    expect(first).to_be_in_viewport()
    page.wait_for_function("document.querySelector('[data-bracket]').scrollLeft < 5")
    # a hand at the other table: the final's levels are put in anew, and the reader stays at the quarter-finals
    table = sittings_of(event.tournament.rounds.get(number=3))[1]
    event.hand(table, 35)
    expect(rounds.locator(".meeting.live").last).to_contain_text("hand 3")
    assert rounds.evaluate("part => part.scrollLeft") < 5


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("zh", "dark")])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_knockout_with_a_way_marked_has_no_fault(
    live_server: LiveServer,
    browser: Browser,
    screenshot: Callable[..., Path],
    size: dict[str, int],
    language: str,
    theme: str,
) -> None:
    event = knockout()
    context = browser.new_context(viewport=size, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(standings(live_server, event.tournament.slug, language) + "?follow=2,4")
    expect(page.locator(".way-of")).to_have_count(2)
    assert faults(page) == []
    page.locator(".bracket").scroll_into_view_if_needed()
    screenshot(page, f"bracket-{size['width']}-{language}")
    # the whole of a match leads to its page
    page.locator(".meeting.live").first.click(position={"x": 40, "y": 20})
    page.wait_for_url("**/rounds/3/tables/1/")
    context.close()


def test_a_star_follows_and_this_browser_keeps_it(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path]
) -> None:
    event = knockout()
    base = f"{live_server}/en/e/{event.tournament.slug}/"
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.set_viewport_size(PHONE)
    page.goto(base + "entrants/")
    expect(page.locator("[data-follow-page]")).to_be_hidden()
    page.get_by_role("button", name="Follow Pair 4").click()
    page.get_by_role("button", name="Follow Pair 2").click()
    expect(page.get_by_role("button", name="Follow Pair 4")).to_have_attribute("aria-pressed", "true")
    screenshot(page, "follow-entrants-390")
    # on its own page, and wherever it is named
    page.goto(base + "entrants/4/")
    expect(page.get_by_role("button", name="Follow Pair 4")).to_have_attribute("aria-pressed", "true")
    page.goto(base + "standings/")
    expect(page.locator("#table .star-mark:visible")).to_have_count(2)
    expect(page.locator(".meeting.on")).to_have_count(6)
    expect(page.locator(".cell.through")).to_have_count(3)
    page.goto(base)
    page.get_by_role("link", name="Followed 2").click()
    page.wait_for_url("**/follow/?n=4,2")
    expect(page.locator("h2")).to_have_text(["4 Pair 4", "2 Pair 2"])
    assert faults(page) == []
    screenshot(page, "follow-390")
    # its own list stays in the address; without numbers the address finds it again
    page.get_by_role("button", name="Follow Pair 4").click()
    page.wait_for_url("**/follow/?n=2")
    page.goto(base + "follow/")
    page.wait_for_url("**/follow/?n=2")
    # a link of somebody else changes nothing here
    page.goto(base + "follow/?n=7")
    expect(page.get_by_role("button", name="Follow Pair 7")).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.locator("h2")).to_have_text(["7 Pair 7"])
    assert page.evaluate("localStorage.length") == 1
    assert said == []


def test_the_front_page_has_stars_and_leads_to_the_followed(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path]
) -> None:
    slug = knockout().tournament.slug
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server}/en/")
    follows = page.get_by_role("link", name="Followed 1")
    expect(follows).to_be_hidden()
    star = page.locator(".live-tile").get_by_role("button", name="Follow Pair 2")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    assert faults(page) == []
    screenshot(page, "front-starred-390")
    # beside the star, the whole of a tile leads to its table
    page.locator(".live-tile").first.click(position={"x": 40, "y": 100})
    page.wait_for_url(f"**/{slug}/rounds/3/tables/*/")
    page.go_back()
    follows.click()
    page.wait_for_url(f"**/en/e/{slug}/follow/?n=2")


def test_without_scripts_there_is_no_star_and_the_link_works(live_server: LiveServer, browser: Browser) -> None:
    event = knockout()
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    for path in ("entrants/", "entrants/4/", "standings/", "follow/"):
        page.goto(f"{live_server}/zh/e/{event.tournament.slug}/{path}")
        expect(page.locator(".star:visible, .star-mark:visible, [data-follow-page]:visible")).to_have_count(0)
    page.goto(f"{live_server}/zh/e/{event.tournament.slug}/follow/?n=4,2")
    expect(page.locator("#followed-4")).to_contain_text("第 3 轮 2 桌")
    context.close()


@pytest.mark.usefixtures("celery_worker")
def test_the_page_of_the_followed_goes_on_by_itself(live_server: LiveServer, page: Page) -> None:
    event = knockout()
    open_live(page, f"{live_server}/en/e/{event.tournament.slug}/follow/?n=4,2")
    expect(page.locator("#followed-4")).to_contain_text("hand 2")
    event.hand(sittings_of(event.tournament.rounds.get(number=3))[1], 35)
    expect(page.locator("#followed-4")).to_contain_text("hand 3")
    expect(page.locator("#followed-4 .star")).to_be_visible()


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("zh", "dark")])
def test_the_latest_hands_are_read_from_across_the_hall(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path], language: str, theme: str
) -> None:
    """Five hands with their names on one page of 1080 lines, the sentence in letters of 36 pixels or more."""
    event = played(2)
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{live_server}/{language}/e/{event.tournament.slug}/screen/?show=hands")
    expect(page.locator(".latest tbody tr")).to_have_count(HANDS)
    # its h1 is for readers who hear
    assert [one for one in faults(page) if not one.startswith(("not one h1", "h2 after h0"))] == []
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080
    size = "parseFloat(getComputedStyle(document.querySelector('.latest tbody th')).fontSize)"
    assert page.evaluate(size) >= 36
    screenshot(page, f"screen-hands-{language}")
    context.close()
