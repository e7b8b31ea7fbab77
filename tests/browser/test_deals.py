"""Deals of a duplicate session clicked through on a phone: promised, the lot, slips printed twice, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.tournaments.playing import event
from tests.tournaments.test_deals import STAGE
from tournaments.models import HistoryEntry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser]

#: A form that answers with a file is held for so long, in milliseconds.
HELD = 5_000


def test_slips_are_printed_as_often_as_they_are_asked_for(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    made = event(4, stage=STAGE)
    page = enter(made.actor)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server}/desk/{made.tournament.slug}/stages/1/boards/")
    page.get_by_role("link", name="Deals").click()
    page.get_by_label("May read the deals").select_option(index=1)
    page.get_by_role("button", name="Publish the promise").click()
    page.get_by_label("Lot drawn in the hall").fill("3 1 6 6 2")
    page.get_by_role("button", name="Write the lot down").click()
    slips = page.get_by_role("button", name="Slips as PDF")
    for _ in range(2):
        with page.expect_download() as download:
            slips.click()
        assert download.value.suggested_filename.endswith("-slips-1-2.pdf")
        page.wait_for_timeout(HELD + 300)
    page.get_by_role("button", name="Compare with the records").click()
    expect(page.get_by_text("No hand of these boards has a record yet.")).to_be_visible()
    screenshot(page, "deals-phone", full_page=True)
    told = HistoryEntry.objects.filter(act="read_deals").order_by("pk")
    assert [one.new["purpose"] for one in told] == ["slips", "slips", "check"]
