"""A match of several games on two phones: the next game comes by itself, and its changes arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.test_table import context, phones, plain  # noqa: F401 - fixtures
from tests.tournaments import test_games

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.browser.test_table import Phone
    from tests.tournaments.factories import Hall


def test_both_phones_go_on_to_the_second_game(
    phones: Callable[..., tuple[Phone, Phone, Hall]],  # noqa: F811 - the fixture
    screenshot: Callable[..., Path],
) -> None:
    ns, ew, here = phones(stage_=test_games.KNOCKOUT, profile="cn-national-2d")
    ns.sees("Game 1, best of 3")
    test_games.game(here, "EW")
    for phone in (ns, ew):
        phone.sees("Game 2, best of 3")
        expect(phone.page.locator("#games")).to_contain_text("0 : 1")
    screenshot(ns.page, "games-phone")
    plain(ns)
    ns.send()
    # the change comes over the stream of the new game
    ew.sees("Your turn to confirm")
    ew.page.wait_for_timeout(800)
    ew.tap(ew.button("Confirm 35"))
    ns.sees("Hand 1 counts.")
    assert test_games.current(here).hand_no == 2
    assert ns.errors == ew.errors == []
