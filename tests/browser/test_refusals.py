"""A refused form opens at its first wrong field, in sight below the bar at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.tournaments import factories
from tests.tournaments.factories import Actor

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page, Route

    from tests.conftest import LiveServer

SIZES = [{"width": 360, "height": 740}, {"width": 1280, "height": 800}]


def in_sight(page: Page, field: Locator) -> None:
    """The field and its label stand between the bar and the foot of the window."""
    expect(field).to_be_focused()
    box, bar = field.bounding_box(), page.locator(".topbar").bounding_box()
    assert box is not None
    assert bar is not None
    assert page.evaluate("scrollY") > 100
    assert box["y"] - 20 >= bar["y"] + bar["height"]
    assert box["y"] + box["height"] <= page.evaluate("innerHeight")


@pytest.mark.parametrize("size", SIZES)
def test_at_the_desk(live_server: LiveServer, enter: Callable[..., Page], size: dict[str, int]) -> None:
    page = enter(Actor(user=factories.user("organiser")), language="zh-hans")
    page.set_viewport_size(size)
    page.goto(live_server + "/desk/new/")
    page.locator("[name=name]").fill("Cup")
    page.locator("[name=slug]").fill("new")
    page.locator("[name=starts_on]").fill("2026-05-16")
    page.locator(".btn.go").click()
    expect(page.locator(".field-error")).to_be_visible()
    in_sight(page, page.locator("[name=slug]"))


def test_the_short_name_follows_the_name_until_it_is_written(
    live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    page = enter(Actor(user=factories.user("organiser")), language="zh-hans")
    page.goto(live_server + "/desk/new/")
    page.locator("[name=name]").fill("澄湖杯")
    page.locator("[name=starts_on]").focus()
    expect(page.locator("[name=slug]")).to_have_value("cheng-hu-bei")
    page.locator("[name=slug]").fill("lake")
    page.locator("[name=name]").fill("西湖杯")
    page.locator("[name=starts_on]").focus()
    page.wait_for_timeout(300)
    expect(page.locator("[name=slug]")).to_have_value("lake")


def test_a_late_suggestion_is_replaced_by_what_is_typed(live_server: LiveServer, enter: Callable[..., Page]) -> None:
    """It comes while somebody is in the field already, and an answer to an older name comes after the newer."""
    page = enter(Actor(user=factories.user("organiser")), language="zh-hans")
    held: list[Route] = []
    page.route("**/new/short-name/**", lambda route: held.append(route))
    page.goto(live_server + "/desk/new/")
    for name in ("澄湖杯", "西湖杯"):
        page.locator("[name=name]").fill(name)
        page.locator("[name=slug]").focus()
    for _ in range(100):
        if len(held) == 2:
            break
        page.wait_for_timeout(20)
    held[1].fulfill(body="xi-hu-bei")
    expect(page.locator("[name=slug]")).to_have_value("xi-hu-bei")
    with page.expect_response("**/new/short-name/**"):
        held[0].fulfill(body="cheng-hu-bei")
    page.keyboard.type("lake")
    expect(page.locator("[name=slug]")).to_have_value("lake")
