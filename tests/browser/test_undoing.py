"""A mis-tap undone on a phone: one line says what was done, with a large button and the seconds left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, PHONE
from tests.tournaments.playing import event
from tournaments.models import Entrant

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser]

#: Pixels of what a thumb hits at once.
THUMB = 44


def test_a_withdrawal_by_mistake_is_undone_with_one_tap(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    made = event(4)
    page = enter(made.actor)
    page.set_viewport_size(PHONE)
    page.clock.install()
    page.goto(f"{live_server}/desk/{made.tournament.slug}/entrants/2/")
    page.get_by_text("Withdraw", exact=True).first.click()
    page.get_by_label("Reason").last.fill("left")
    page.get_by_role("button", name="Withdraw").click()
    line = page.locator(".notice.ok")
    expect(line).to_contain_text("Withdrawn.")
    button = line.get_by_role("button", name="Undo")
    expect(line).to_contain_text("60 s)")
    page.wait_for_load_state()
    page.clock.run_for(6000)
    expect(line).to_contain_text("54 s)")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= THUMB
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    button.click()
    expect(page.get_by_text("Undone: withdrew an entrant.")).to_be_visible()
    assert Entrant.objects.get(pk=made.ids[2]).withdrawn_at is None
    expect(page).to_have_url(f"{live_server}/desk/{made.tournament.slug}/entrants/")
    page.goto(f"{live_server}/desk/{made.tournament.slug}/history/")
    expect(page.get_by_text("let an entrant back in")).to_be_visible()
    expect(page.get_by_text("undid an act")).to_be_visible()


def test_the_offer_goes_when_the_minute_is_over(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    made = event(4)
    page = enter(made.actor)
    page.clock.install()
    page.goto(f"{live_server}/desk/{made.tournament.slug}/projector/")
    page.locator("button[name=paused]").click()
    offer = page.locator("form[data-undo]")
    expect(offer).to_have_count(1)
    page.wait_for_load_state()
    page.clock.run_for(61_000)
    expect(offer).to_have_count(0)


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
    made = event(4)
    page = enter(made.actor, language=language, theme=theme)
    for name, size in {"phone": PHONE, "desktop": DESK}.items():
        page.set_viewport_size(size)
        page.goto(f"{live_server}/desk/{made.tournament.slug}/entrants/new/")
        page.locator("input[name=name]").fill(f"误录的一对 Mis-typed pair {name}")
        page.locator("form button.btn.go, form button.go").first.click()
        expect(page.locator("form[data-undo]")).to_have_count(1)
        screenshot(page, f"undo-{name}-{language}-{theme}")
        page.goto(f"{live_server}/desk/{made.tournament.slug}/history/")
        screenshot(page, f"undo-history-{name}-{language}-{theme}")
