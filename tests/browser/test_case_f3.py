"""The timed knockout of tests/cases played through the pages: two phones, the desk, the public pages, a real worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.case_match import as_shown, compare, expected_match
from tests.browser.pages import Desk, Phone, phone_context, play_hand, shown_match, shown_standings
from tests.events.replay import PASSWORD, case, close_round, correct, open_round, play_match, play_round, set_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(720)]


def test_a_match_with_a_rebellion_and_a_penalty_ended_at_time(
    live_server: LiveServer,
    celery_worker: None,
    browser: Browser,
    page: Page,
    screenshot: Callable[..., Path],
) -> None:
    event, expected = case("f3")
    played = set_up(event, "f3-first")
    codes = open_round(played, event["rounds"][0])
    match, due = event["rounds"][0]["matches"][3], expected_match(expected, 1, 4)
    context = phone_context(browser, language="zh")
    phones = {side: Phone(context, live_server, codes[4][side], "zh") for side in ("NS", "EW")}
    chief = Desk(browser, live_server, played.slug, "chief", PASSWORD)

    hand_no = 0
    for line, after in zip(match["ledger"], due["entries"], strict=True):
        if line["kind"] == "level_penalty":
            chief.take_levels(1, 4, line)
        else:
            hand_no += 1
            play_hand(phones, line, hand_no)
        for phone in phones.values():
            phone.turns_to("enter", hand_no + 1)
            phone.shows_levels(after["levels"])
    referee = Desk(browser, live_server, played.slug, "referee", PASSWORD)
    referee.end_at_time(1, 4)
    for phone in phones.values():
        phone.turns_to("finished")
    screenshot(phones["EW"].page, "case-f3-finished", full_page=True)

    shown = shown_match(page, live_server, played.slug, 1, 4, "zh")
    screenshot(page, "case-f3-match-zh", full_page=True)
    compare(shown, due, match, "zh")
    assert phones["NS"].errors == phones["EW"].errors == chief.errors == referee.errors == []


def test_the_final_decided_by_a_hook_and_the_published_table(
    live_server: LiveServer,
    celery_worker: None,
    until: Callable[..., None],
    browser: Browser,
    page: Page,
    screenshot: Callable[..., Path],
) -> None:
    event, expected = case("f3")
    played = set_up(event, "f3-final")
    play_round(played, event["rounds"][0])
    close_round(played, 1)
    final, third = event["rounds"][1]["matches"]
    codes = open_round(played, event["rounds"][1])
    play_match(played, 2, third, codes[2])
    correct(played, 2, third)

    context = phone_context(browser, language="zh")
    phones = {side: Phone(context, live_server, codes[1][side], "zh") for side in ("NS", "EW")}
    due = expected_match(expected, 2, 1)
    for hand_no, (line, after) in enumerate(zip(final["ledger"], due["entries"], strict=True), 1):
        play_hand(phones, line, hand_no)
        for phone in phones.values():
            phone.turns_to("enter" if hand_no < len(due["entries"]) else "finished")
            phone.shows_levels(after["levels"])
    compare(shown_match(page, live_server, played.slug, 2, 1, "en"), due, final, "en")
    screenshot(page, "case-f3-final-en", full_page=True)

    organiser = Desk(browser, live_server, played.slug, "organiser", PASSWORD)
    organiser.close_round(2)
    page.goto(f"{live_server}/zh/e/{played.slug}/standings/?cols=all")
    table = rows(event, expected["standings"], "name")
    until(lambda: shown_standings(page) == table)
    organiser.publish(2)
    screenshot(organiser.page, "case-f3-published", full_page=True)
    page.goto(f"{live_server}/en/e/{played.slug}/standings/1/?cols=all")
    assert shown_standings(page) == rows(event, expected["standings"], "name_latin")
    screenshot(page, "case-f3-standings-en", full_page=True)
    assert phones["NS"].errors == phones["EW"].errors == organiser.errors == []


def rows(event: dict[str, Any], standings: list[dict[str, Any]], name: str) -> list[list[str]]:
    names = {one["id"]: one[name] for one in event["entrants"]}
    return as_shown(standings, names, event["stage"]["chain"])
