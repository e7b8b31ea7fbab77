"""Matches of the timed Swiss of tests/cases through the pages: phones, paper slips, a correction at the desk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.case_match import compare, expected_match
from tests.browser.pages import Desk, Phone, phone_context, play_hand, shown_match
from tests.events.replay import PASSWORD, case, open_round, set_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer
    from tests.events.replay import Played

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(720)]


def one_match(round_: int, table: int) -> tuple[Played, dict[str, Any], dict[str, Any], dict[str, str]]:
    """An event with only this match: as set up, the match, what it must come to, the codes of its table."""
    event, expected = case("f1")
    match = next(one for one in event["rounds"][round_ - 1]["matches"] if one["table"] == table)
    entrants = [one for one in event["entrants"] if one["id"] in (match["home"], match["away"])]
    alone = {"number": 1, "matches": [match]}
    played = set_up({**event, "entrants": entrants, "rounds": [alone]}, f"f1-table-{table}")
    return played, match, expected_match(expected, round_, table), open_round(played, alone)[table]


def test_digs_a_throw_fine_and_a_redeal_on_two_phones(
    live_server: LiveServer,
    celery_worker: None,
    browser: Browser,
    page: Page,
    screenshot: Callable[..., Path],
) -> None:
    played, match, due, codes = one_match(3, 5)
    context = phone_context(browser, language="en")
    phones = {side: Phone(context, live_server, code) for side, code in codes.items()}
    for hand_no, (line, after) in enumerate(zip(match["ledger"], due["entries"], strict=True), 1):
        play_hand(phones, line, hand_no)
        for phone in phones.values():
            phone.turns_to("enter", hand_no + 1)
            phone.shows_levels(after["levels"])
    referee = Desk(browser, live_server, played.slug, "referee", PASSWORD)
    referee.end_at_time(1, 5)
    for phone in phones.values():
        phone.turns_to("finished")
    compare(shown_match(page, live_server, played.slug, 1, 5, "en"), due, match, "en")
    screenshot(page, "case-f1-match-en", full_page=True)
    assert phones["NS"].errors == phones["EW"].errors == referee.errors == []


def test_slips_with_figures_and_with_totals_only(
    live_server: LiveServer,
    celery_worker: None,
    browser: Browser,
    page: Page,
    screenshot: Callable[..., Path],
) -> None:
    played, match, due, _codes = one_match(3, 6)
    referee = Desk(browser, live_server, played.slug, "referee", PASSWORD)
    for line in match["ledger"]:
        referee.enter_slip(1, 6, line)
    marked = referee.page.locator("ol.hands > li").filter(has_text="total from a slip")
    assert marked.locator(".no").all_inner_texts() == ["2", "5"]
    referee.end_at_time(1, 6)
    screenshot(referee.page, "case-f1-slips", full_page=True)
    compare(shown_match(page, live_server, played.slug, 1, 6, "zh"), due, match, "zh")
    assert referee.errors == []


def test_a_correction_is_seen_then_recomputed(
    live_server: LiveServer,
    celery_worker: None,
    browser: Browser,
    page: Page,
    screenshot: Callable[..., Path],
) -> None:
    """One of its hands is dug under the throw of a tractor and a single."""
    played, match, due, codes = one_match(3, 1)
    _, expected = case("f1")
    was = next(one for one in expected["before_corrections"] if (one["round"], one["table"]) == (3, 1))

    context = phone_context(browser, language="en")
    phones = {side: Phone(context, live_server, code) for side, code in codes.items()}
    for hand_no, line in enumerate(match["ledger"], 1):
        play_hand(phones, line, hand_no)
    phones["NS"].turns_to("enter", len(match["ledger"]) + 1)
    referee = Desk(browser, live_server, played.slug, "referee", PASSWORD)
    referee.end_at_time(1, 1)
    compare(shown_match(page, live_server, played.slug, 1, 1, "en"), was, match, "en")

    (correction,) = match["corrections"]
    ways = referee.correct(1, 1, correction)
    screenshot(referee.page, "case-f1-what-changes", full_page=True)
    recompute = ways.filter(has=referee.page.locator(f"#way-{correction['treatment']}"))
    levels = recompute.locator(".level.big").all_inner_texts()
    assert levels == [due["home_level"], due["away_level"]]
    referee.apply(correction["treatment"], correction["reason"])
    referee.shows_version(2)
    screenshot(referee.page, "case-f1-applied", full_page=True)

    shown = shown_match(page, live_server, played.slug, 1, 1, "en")
    screenshot(page, "case-f1-corrected-en", full_page=True)
    compare(shown, due, match, "en")
    (note,) = shown["hands"][correction["hand_no"] - 1]["notes"]
    assert correction["reason"] in note
    assert re.search(r"115\s*→\s*120", note)
    history = referee.open("history/").locator("main")
    expect(history).to_contain_text(correction["reason"])
    assert phones["NS"].errors == phones["EW"].errors == referee.errors == []
