"""The phone's own arithmetic is the server's: the same hands, total for total and level for level."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from django.templatetags.static import static

from scoring.profiles import load, profile_ids
from scoring.sittings import step_table
from tests.browser.arithmetic import COMPARE, told

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import LiveServer


def compared(page: Page, server: LiveServer, seed: int, hands: int) -> dict[str, Any]:
    page.goto(f"{server}/offline/")
    return page.evaluate(COMPARE, [static("referee/js/table-arithmetic.js"), told(seed, hands)])


def test_a_slice(page: Page, live_server: LiveServer) -> None:
    hands = 40
    seen = compared(page, live_server, 1, hands)
    assert seen["wrong"] == []
    assert seen["silent"] < hands * len(profile_ids()) / 6


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_a_hundred_thousand_hands(page: Page, live_server: LiveServer) -> None:
    """REFEREE_HANDS of them (100,000) over every profile of two sides, in parts; what is left to the server beside."""
    wanted, done, silent, part = int(os.environ.get("REFEREE_HANDS", "100000")), 0, 0, 0
    while done < wanted:
        part += 1
        seen = compared(page, live_server, 100 + part, 300)
        assert seen["wrong"] == []
        done += 300 * len(profile_ids()) - seen["silent"]
        silent += seen["silent"]
    print(f"{done} hands of {len(profile_ids())} profiles are equal, {silent} are left to the server")


@pytest.mark.parametrize("name", profile_ids())
def test_the_table_says_the_same_every_time_and_is_small(name: str) -> None:
    profile = load(name)
    assert len(step_table.digest(profile)) == 16
    assert len(step_table.written(profile)) < 30_000
