"""Those who watch, in a real browser: a knockout on a phone round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, PHONE, faults
from tests.browser.test_public import SOON, open_live
from tests.referee.public.events import knockout
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
    expect(rounds.locator(".meeting.live").last).to_contain_text("hand 3", timeout=SOON)
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
