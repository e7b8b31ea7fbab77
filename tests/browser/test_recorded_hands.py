"""A hand written down card by card: attached at the desk, held against its entry, read by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from scoring.cards.records import write
from tests.browser.pages import phone_context
from tests.tournaments.test_recorded_hands import RECORD, REPLAY, played, put
from tournaments.models import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

TRUE = int(REPLAY.sheet.captured_in_tricks or 0)


def test_a_record_puts_a_miscounted_hand_right(
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
) -> None:
    here = played(captured_in_tricks=TRUE + 10)
    page = enter(here.referee)
    page.goto(f"{live_server}/desk/{here.event.slug}/rounds/1/tables/1/")
    page.get_by_role("link", name="Attach a record").click()
    notation = page.get_by_label("Paste the hand in the hand notation")
    notation.fill(write(RECORD).replace("S:", "S:H1", 1))
    page.get_by_role("button", name="Attach").click()
    expect(page.get_by_role("alert")).to_contain_text("Line ")
    screenshot(page, "record-refused", full_page=True)
    notation.fill(write(RECORD))
    page.get_by_role("button", name="Attach").click()
    expect(page.get_by_text("The entry and the cards differ")).to_be_visible()
    expect(page.locator(".tricks > li")).to_have_count(len(REPLAY.tricks))
    screenshot(page, "record-at-the-desk", full_page=True)
    page.get_by_role("link", name="Correct the hand to what the cards say").click()
    page.get_by_role("button", name="See what changes").first.click()
    page.get_by_label("Reason, shown in the history").fill("The record of the cards")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Corrected. The first version stays in the record.")).to_be_visible()
    assert LedgerEntry.objects.get(sitting=here.sitting, status="effective").facts["captured_in_tricks"] == TRUE
    page.get_by_role("link", name="Card by card").click()
    expect(page.get_by_text("The entry agrees with the cards.")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_reads_the_hand_in_chinese(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path], theme: str
) -> None:
    here = played()
    put(here)
    page = phone_context(browser, language="zh", theme=theme).new_page()  # type: ignore[arg-type]
    page.goto(f"{live_server}/zh/e/{here.event.slug}/rounds/1/tables/1/")
    page.get_by_role("link", name="逐张牌谱").tap()
    expect(page.get_by_role("heading", name="逐圈出牌")).to_be_visible()
    expect(page.locator(".tricks > li")).to_have_count(len(REPLAY.tricks))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the phone"
    screenshot(page, f"hand-in-public-{theme}", full_page=True)
