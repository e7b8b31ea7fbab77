"""Real regulations in Chromium, from the file of entrants to the certificate: the desk clicked, phones tapped, the
public's pages read in both languages. `make test-long` runs one of each kind, `make soak` all eight."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE
from tests.browser.regulation_pages import Clicks
from tests.events.regulations import HallClock, Running, hall_clock
from tests.events.stories import REGULATIONS, Regulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

__all__ = ["hall_clock"]

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(3600)]

LANGUAGES = {"F1": "en", "F2": "zh", "F3": "en", "F5": "zh", "F7": "zh", "F17": "en", "F18": "zh", "F19": "en"}
#: The shortest of pairs and the one on boards; the others take minutes.
ALWAYS = ("F5", "F7")


LISTED = [
    pytest.param(one, id=one.preset, marks=() if one.preset in ALWAYS else pytest.mark.soak) for one in REGULATIONS
]


@pytest.fixture
def patient() -> Iterator[None]:
    """Minutes of clicking meet a busy machine now and then."""
    expect.set_options(timeout=3 * PATIENCE)
    yield
    expect.set_options(timeout=PATIENCE)


@pytest.mark.parametrize("regulation", LISTED)
def test_a_regulation_from_import_to_certificate(
    regulation: Regulation,
    hall_clock: HallClock,
    patient: None,
    celery_worker: None,
    live_server: LiveServer,
    browser: Browser,
    until: Callable[..., None],
    screenshot: Callable[..., Path],
    tmp_path: Path,
) -> None:
    name = f"regulation-{regulation.preset.lower()}"
    language = LANGUAGES[regulation.preset]
    front = Clicks(browser, live_server, language, name=name, until=until, screenshot=screenshot)
    made = Running.of(
        regulation.preset, regulation.entrants, hall_clock, front, seed=regulation.seed, players=regulation.players
    )
    regulation.story(made)
    if regulation.players == 4:
        teams_see_points(front.reader(language).page, f"{live_server}{made.public}")
    made.finish(tmp_path)


def teams_see_points(page: Page, public: str) -> None:
    """Nobody keeps levels on boards: the grid tells match points, and how settled the table is stands there once."""
    page.goto(f"{public}standings/3/")
    for met in page.locator(".cross .met").all_inner_texts():
        assert re.search(r"(2:0|1:1|0:2|弃权)$", met), met
    expect(page.locator("#settled")).to_contain_text("暂定 · 更正、申诉截止")
    expect(page.get_by_text("最终", exact=True)).to_have_count(0)
    page.goto(f"{public}rounds/1/tables/1/")
    inside = "(table) => table.scrollWidth <= table.parentElement.clientWidth"
    assert page.locator("table.boards").evaluate(inside)
