"""The hall: tables arranged with mouse and keys, and the map of the board that follows the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import faults
from tests.referee.table.places import hall
from tests.tournaments.factories import AT, sheet
from tournaments.hall.acts import arrange_in_rows
from tournaments.ledger import scorekeeping
from tournaments.models import HallFixture, TablePlace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall


def places(here: Hall) -> dict[int, tuple[int, int]]:
    rows = TablePlace.objects.filter(tournament=here.event).values_list("table__number", "row", "column")
    return {number: (row, column) for number, row, column in rows}


def test_tables_are_dragged_moved_with_keys_and_taken_back(
    live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    here = hall(tables=8)
    page = enter(here.chief)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_server}/desk/{here.event.slug}/hall/")
    spot = page.locator('[data-table="8"]')
    start, there = (page.locator(f'[data-table="{n}"] .top').bounding_box() for n in (8, 7))
    assert start is not None
    assert there is not None
    width = start["x"] - there["x"]
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + start["width"] / 2 + width, start["y"] + start["height"] / 2 + width + 5, steps=4)
    screenshot(page, "hall-dragging")
    page.mouse.up()
    expect(page.locator('[name="row-8"]')).to_have_value("3")
    expect(page.locator('[name="column-8"]')).to_have_value("5")
    expect(spot).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#live-say")).to_have_text("Table 8: row 2, place 5")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # changes places with table 7
    expect(page.locator('[name="column-7"]')).to_have_value("4")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('[name="column-7"]')).to_have_value("3")
    page.get_by_role("button", name="Pillar").click()
    expect(page.locator('[data-table="pillar-1"]')).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#live-say")).to_have_text("Pillar: row 4, place 1")
    page.get_by_role("button", name="Door").click()
    expect(page.locator('[name="row-door-1"]')).to_have_value("4")
    page.keyboard.press("Delete")
    expect(page.locator("#live-say")).to_have_text("Door: not in the hall")
    expect(page.locator('[name="row-door-1"]')).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('[name="row-door-1"]')).to_have_value("4")
    page.locator('[name="row-1"]').fill("6")
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_text("The plan of the hall is saved.")).to_be_visible()
    assert places(here) == {
        1: (6, 1), 2: (1, 2), 3: (1, 3), 4: (1, 4), 5: (2, 1), 6: (2, 2), 7: (2, 3), 8: (2, 4)
    }  # fmt: skip
    assert [*HallFixture.objects.values_list("kind", "row", "column")] == [("pillar", 4, 1), ("door", 4, 2)]
    assert faults(page) == []


def test_the_map_of_the_board_follows_the_round(
    live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    here = hall(tables=8)
    page = enter(here.chief)
    page.goto(f"{live_server}/desk/{here.event.slug}/?view=map")
    spot = page.locator('[data-key="spot-1"]')
    expect(spot).to_have_attribute("aria-label", "Table 1: hand 1")
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=AT, facts=sheet(95), hand_no=1)
    expect(spot).to_have_attribute("aria-label", "Table 1: Waiting")
    arrange_in_rows(tournament_id=here.event.pk, actor=here.chief, at=AT, width=8)
    expect(page.locator("svg.hall[width='640']")).to_be_visible()
    spot.click()
    expect(page).to_have_url(f"{live_server}/desk/{here.event.slug}/rounds/1/tables/1/")


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "dark", 390), ("en", "light", 1280)])
def test_a_seat_is_found_on_the_map(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path], language: str, theme: str, width: int
) -> None:
    here = hall(tables=12)
    arrange_in_rows(tournament_id=here.event.pk, actor=here.chief, at=AT, width=4)
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=AT, facts=sheet(95), hand_no=1)
    page.context.add_cookies([{"name": "theme", "value": theme, "url": str(live_server)}])
    page.set_viewport_size({"width": width, "height": 900})
    for name, part in (
        ("finder", "?q=13"),
        ("round", "rounds/1/?view=map"),
        ("round-found", "rounds/1/?q=13"),
    ):
        page.goto(f"{live_server}/{language}/e/{here.event.slug}/{part}")
        screenshot(page, f"hall-{name}-{language}-{width}", full_page=True)
        assert faults(page) == []
        if "q=" in part:
            expect(page.locator(".spot.marked")).to_have_attribute("data-key", "spot-7")


@pytest.mark.parametrize(("language", "theme", "width"), [("zh-hans", "dark", 390), ("en", "light", 1280)])
def test_the_pages_of_the_hall_keep_the_house_rules(
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
    width: int,
) -> None:
    here = hall(tables=12)
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=AT, facts=sheet(95), hand_no=1)
    page = enter(here.chief, language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    for name, part in (("board", "?view=map"), ("arrange", "hall/")):
        page.goto(f"{live_server}/desk/{here.event.slug}/{part}")
        screenshot(page, f"hall-{name}-{language}-{theme}-{width}")
        assert faults(page) == []
        if name == "board":
            map_, queue = (page.locator(part).bounding_box() for part in (".hall-frame", "#queue"))
            assert map_ is not None
            assert queue is not None
            assert width > 390 or map_["y"] < queue["y"], "who asks for the map sees the map"


def test_the_projector_shows_the_hall_large(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path]
) -> None:
    here = hall(tables=12)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{live_server}/en/e/{here.event.slug}/screen/?show=map")
    screenshot(page, "hall-screen")
    number = page.locator('[data-key="spot-12"] .number').bounding_box()
    assert number is not None
    assert number["height"] >= 36
    assert number["y"] + number["height"] < 1080
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=AT, facts=sheet(95), hand_no=1)
    page.reload()
    expect(page.locator('[data-key="spot-1"]')).to_have_attribute("aria-label", "Table 1: Waiting")
