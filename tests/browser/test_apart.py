"""Two kept apart, clicked through at the desk: chosen, drawn apart, asked why, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, PHONE
from tests.tournaments.playing import event
from tests.tournaments.test_apart import apart
from tournaments.rounds.acts import create_round

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser]


def test_two_are_kept_apart_and_the_draw_says_why(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    made = event(4)
    create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    page = enter(made.actor)
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server}/desk/{made.tournament.slug}/entrants/")
    page.get_by_role("link", name="Kept apart").click()
    page.get_by_label("Entrant", exact=True).select_option("1")
    page.get_by_label("Kept apart from").select_option("3")
    page.get_by_label("Reason").fill("siblings")
    page.get_by_role("button", name="Keep apart").click()
    expect(page.get_by_text("The next draw keeps them apart.")).to_be_visible()
    page.goto(f"{live_server}/desk/{made.tournament.slug}/rounds/1/pair/")
    page.get_by_role("button", name="Draw round 1").click()
    page.goto(f"{page.url}?one=1&other=3")
    expect(page.get_by_text("The rules keep them apart: they must be kept apart.")).to_be_visible()
    page.goto(f"{live_server}/desk/{made.tournament.slug}/apart/")
    page.get_by_text("Let them meet again").click()
    page.get_by_label("Reason").first.fill("settled")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Nobody is kept apart.")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_its_look(
    transactional_db: None,
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
) -> None:
    made = event(6)
    apart(made, 1, 4)
    apart(made, 2, 3, "rather", reason="同一教练" if language == "zh-hans" else "one teacher")
    page = enter(made.actor, language=language, theme=theme)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        page.goto(f"{live_server}/desk/{made.tournament.slug}/apart/")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        screenshot(page, f"apart-{language}-{theme}-{size['width']}", full_page=True)
