"""A publication that waits its minute, in a browser: the clock goes on, and the page turns by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.pages import DESK, PHONE
from tests.tournaments.test_waiting import later, played
from tournaments.acts import jobs
from tournaments.transfer.job_kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser]


def test_the_page_turns_by_itself_when_a_worker_has_published(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    made, round_ = played()
    job = later(made, round_)
    assert job.due_at is not None
    page = enter(made.actor)
    page.goto(f"{live_server}/desk/{made.tournament.slug}/standings/publish/{job.pk}/")
    left = page.locator("[data-clock-left]")
    first = left.inner_text()
    expect(left).not_to_have_text(first)
    jobs.run(job_id=job.pk, kinds=KINDS, at=job.due_at)
    expect(page.locator("#main").get_by_text("Published as no. 1.")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    page.get_by_role("link", name="See what is published").click()
    expect(page.get_by_role("heading", name="Publication 1")).to_be_visible()


def test_a_page_that_is_opened_late_says_that_it_is_being_published(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    made, round_ = played()
    made.now = timezone.now() - timedelta(minutes=2)
    job = later(made, round_)
    page = enter(made.actor)
    page.goto(f"{live_server}/desk/{made.tournament.slug}/standings/publish/{job.pk}/")
    expect(page.get_by_text("Being published…")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "theme"), [("en", "light"), ("en", "dark"), ("zh-hans", "light"), ("zh-hans", "dark")]
)
def test_its_look(
    transactional_db: None,
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
) -> None:
    made, round_ = played()
    job = later(made, round_)
    page = enter(made.actor, language=language, theme=theme)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        for at in (f"publish/{job.pk}/", ""):
            page.goto(f"{live_server}/desk/{made.tournament.slug}/standings/{at}")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            screenshot(
                page, f"publishing-{'wait' if at else 'notice'}-{language}-{theme}-{size['width']}", full_page=True
            )
