"""The projector: steered from the desk, read from across the hall, its clock always at one place."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.pages import faults
from tests.referee.public.events import knockout
from tests.referee.table.places import hall
from tests.tournaments.factories import AT, sheet
from tests.tournaments.photos import photo
from tests.tournaments.playing import event
from tournaments.ledger import scorekeeping
from tournaments.logos import acts as logos
from tournaments.models import Round
from tournaments.projector import acts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from playwright.sync_api import Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall

WIDE = {"width": 1920, "height": 1080}
#: What cannot be read from ten metres.
SMALL = (
    "all => all.filter(one => one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < 36).map(String)"
)


def by(here: Hall) -> dict[str, Any]:
    return {"tournament_id": here.event.pk, "actor": here.chief, "at": AT}


def test_the_desk_steers_an_open_screen(
    live_server: LiveServer, page: Page, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    here = hall(tables=12)
    acts.choose(**by(here), boards=["pairings", "map"])
    page.set_viewport_size(WIDE)
    page.goto(f"{live_server}/en/e/{here.event.slug}/screen/")
    pairings, map_ = (page.locator(f'[data-slide][id="{one}-1"]') for one in ("pairings", "map"))
    expect(pairings).to_be_visible()
    expect(map_).to_be_hidden()
    clock = page.locator(".rail-clock").bounding_box()
    desk = enter(here.chief, into=page.context.browser.new_context() if page.context.browser else None)
    desk.goto(f"{live_server}/desk/{here.event.slug}/projector/")
    desk.get_by_role("button", name="Map of the hall", exact=True).click()
    expect(desk.locator("#shown-now")).to_contain_text("Map of the hall alone")
    expect(map_).to_be_visible()
    expect(pairings).to_have_count(0)
    assert page.locator(".rail-clock").bounding_box() == clock
    desk.get_by_role("button", name="Pause").click()
    expect(page.locator("#steered")).to_have_text("Paused at the desk.")
    desk.get_by_role("button", name="All in turn").click()
    expect(pairings).to_be_visible()
    desk.get_by_role("button", name="Next page").click()
    expect(pairings.locator("tbody tr").first).to_be_hidden()
    screenshot(page, "projector-next")
    assert faults(page) == []
    desk.context.close()


def test_a_page_has_the_rows_that_fit(live_server: LiveServer, page: Page) -> None:
    here = hall(tables=12)
    acts.show(**by(here), board="pairings")
    page.set_viewport_size({"width": 1920, "height": 700})
    page.goto(f"{live_server}/en/e/{here.event.slug}/screen/")
    rows = page.locator("#pairings-1 tbody tr:visible")
    expect(rows.first).to_contain_text("Pair 1")
    first = rows.count()
    assert 3 <= first < 10
    last = rows.last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= 700
    acts.turn(**by(here))
    expect(rows.first).to_contain_text(f"Pair {2 * first + 1}")
    assert rows.first.evaluate("row => parseFloat(getComputedStyle(row).fontSize)") >= 36


#: Where what the board shows ends and the latest hands begin, at one moment: the page is live.
EDGES = """((box) => [
    Math.max(
        ...Array.from(document.querySelectorAll("[data-slide] :is(tr, img, svg, .meeting)"), (one) => box(one).bottom),
    ),
    box(document.querySelector("#ticker:not([hidden])") ?? document.body).top || innerHeight,
])((one) => one.getBoundingClientRect())"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("done", "language", "theme", "width", "height"),
    [
        (0, "en", "light", 1920, 1080),
        (1, "zh", "dark", 1920, 1080),
        (3, "en", "dark", 1280, 720),
        (4, "zh", "light", 1920, 1080),
        (1, "en", "light", 390, 844),
    ],
)
def test_a_bracket_of_sixteen_is_read_part_by_part(
    live_server: LiveServer,
    page: Page,
    screenshot: Callable[..., Path],
    done: int,
    language: str,
    theme: str,
    width: int,
    height: int,
) -> None:
    made = knockout(done, 16)
    made.tournament.entrants.filter(number=1).update(name="Christopher Montgomery / Alexandra Featherstone")
    acts.show(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), board="bracket")
    page.context.add_cookies([{"name": "theme", "value": theme, "url": str(live_server)}])
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server}/{language}/e/{made.tournament.slug}/screen/")
    parts = page.locator('[data-slide][id^="bracket-"]').count()
    assert parts == (3 if done < 3 else 1)
    for part in range(1, parts + 1):
        shown = page.locator(f"#bracket-{part}")
        expect(shown).to_be_visible()
        screenshot(page, f"projector-bracket-{done}-{part}-{language}-{width}")
        assert faults(page) == []
        if width > 390:
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            lowest, ticker = page.evaluate(EDGES)
            assert lowest <= ticker + 1
            assert shown.locator(".rounds-of").evaluate("one => one.scrollWidth <= one.clientWidth")
        if width == WIDE["width"]:
            small = (
                "all => all.filter(one => one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < 36)"
            )
            assert (
                shown.locator(".round-of *:visible:not(.hidden-text)").evaluate_all(
                    f"{small}.map(one => one.outerHTML)"
                )
                == []
            )
        acts.turn(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
        if part < parts:
            expect(shown).to_be_hidden()


def test_a_page_stands_as_long_as_there_is_to_read(live_server: LiveServer, page: Page) -> None:
    here = hall(tables=12)
    acts.choose(**by(here), boards=["pairings", "map"])
    page.set_viewport_size(WIDE)
    page.clock.install()
    page.goto(f"{live_server}/en/e/{here.event.slug}/screen/")
    pairings = page.locator('[data-slide][id="pairings-1"]')
    expect(pairings).to_be_visible()
    page.clock.run_for(9_000)  # ten pairings are not read in the time that a map stands
    expect(pairings.locator("tbody tr").first).to_be_visible()
    page.clock.run_for(16_000)
    expect(pairings.locator("tbody tr").first).to_be_hidden()
    page.clock.run_for(25_000)
    expect(pairings).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "theme", "width", "height"),
    [("zh", "dark", 1920, 1080), ("en", "light", 1920, 1080), ("zh", "light", 390, 844), ("en", "dark", 390, 844)],
)
def test_every_board_keeps_the_house_rules(
    live_server: LiveServer,
    page: Page,
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
    width: int,
    height: int,
) -> None:
    here = hall(tables=12)
    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=AT, facts=sheet(95), hand_no=1)
    Round.objects.filter(pk=here.sitting.round_id).update(ends_at=timezone.now() + timedelta(minutes=52))
    page.context.add_cookies([{"name": "theme", "value": theme, "url": str(live_server)}])
    page.set_viewport_size({"width": width, "height": height})
    for board in ("pairings", "standings", "map", "clock"):
        acts.show(**by(here), board=board)
        page.goto(f"{live_server}/{language}/e/{here.event.slug}/screen/")
        screenshot(page, f"projector-{board}-{language}-{theme}-{width}")
        assert faults(page) == []
        assert width < 1920 or page.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.parametrize(
    ("language", "theme", "width", "height"),
    [("en", "light", 1920, 1080), ("zh", "dark", 1920, 1080), ("zh", "light", 390, 844), ("en", "dark", 390, 844)],
)
def test_a_draw_is_shown_ball_by_ball(
    live_server: LiveServer,
    page: Page,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
    width: int,
    height: int,
) -> None:
    made = event(16)
    made.drawn()
    page.context.add_cookies([{"name": "theme", "value": theme, "url": str(live_server)}])
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server}/{language}/e/{made.tournament.slug}/screen/")
    browser = page.context.browser
    assert browser is not None
    desk = enter(made.actor, into=browser.new_context())
    desk.goto(f"{live_server}/desk/{made.tournament.slug}/projector/")
    desk.get_by_role("button", name="Begin the ceremony").click()
    expect(page.locator(".digest-large")).to_be_visible()
    shot = f"ceremony-{language}-{theme}-{width}"
    screenshot(page, f"{shot}-00")
    assert faults(page) == []
    for number in range(1, 17):
        expect(desk.get_by_role("button", name="Next ball")).to_be_focused()
        desk.keyboard.press("Space")
        expect(desk.locator("#balls")).to_have_text(f"Ball {number} of 16")
        expect(page.locator(".ceremony .spread .soft")).to_have_text(f"{number} / 16")
        if number in (1, 2, 9, 16):
            screenshot(page, f"{shot}-{number:02}")
    assert faults(page) == []
    assert width < 1920 or page.evaluate("document.documentElement.scrollHeight") <= height
    screenshot(desk, "ceremony-desk")
    desk.context.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "theme", "width", "height"),
    [("en", "light", 1920, 1080), ("zh", "dark", 1920, 1080), ("zh", "light", 1280, 720), ("en", "dark", 390, 844)],
)
def test_logos_and_hands_below_the_boards(
    live_server: LiveServer,
    page: Page,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
    width: int,
    height: int,
) -> None:
    here = hall(tables=12)
    entry = scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=AT, facts=sheet(95), hand_no=1)
    scorekeeping.confirm_hand(sitting_id=here.sitting.pk, entry_id=entry.entry.pk, actor=here.ew, at=AT)
    for number in range(7):
        size, colour = (300, 80 + 40 * number), (30 * number, 90, 120)
        kind = "sponsor" if number else "association"
        logos.add(**by(here), kind=kind, name=f"Sponsor {number}", file=photo(size=size, colour=colour))
    acts.choose(**by(here), boards=["pairings", "sponsors", "map"], ticker=True)
    page.context.add_cookies([{"name": "theme", "value": theme, "url": str(live_server)}])
    page.set_viewport_size({"width": width, "height": height})
    shot = f"logos-{language}-{theme}-{width}"
    page.goto(f"{live_server}/{language}/e/{here.event.slug}/screen/")
    for board in ("pairings", "sponsors", "map"):
        acts.show(**by(here), board=board)
        expect(page.locator(f'[data-slide][id="{board}-1"]')).to_be_visible()
        expect(page.locator("[data-slide]:visible")).to_have_count(1)
        screenshot(page, f"{shot}-{board}")
        assert faults(page) == []
        if width > 390:
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            expect(page.locator("#ticker")).to_be_visible(visible=board != "map")
            lowest, ticker = page.evaluate(EDGES)
            assert 0 < lowest <= ticker + 1
    page.goto(f"{live_server}/{language}/e/{here.event.slug}/")
    assert page.locator(".logos img").evaluate_all("all => all.every(one => one.complete && one.naturalWidth > 0)")
    screenshot(page, f"{shot}-event", full_page=True)
    assert faults(page) == []
    desk = enter(here.chief, language="zh-hans" if language == "zh" else "en", theme=theme)
    desk.set_viewport_size({"width": width, "height": height})
    desk.goto(f"{live_server}/desk/{here.event.slug}/logos/")
    screenshot(desk, f"{shot}-desk", full_page=True)
    assert faults(desk) == []


@pytest.mark.parametrize(("language", "theme", "width"), [("zh-hans", "dark", 390), ("en", "light", 1280)])
def test_the_page_that_steers_keeps_the_house_rules(
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
    width: int,
) -> None:
    here = hall()
    acts.show(**by(here), board="map")
    acts.pause(**by(here), paused=True)
    page = enter(here.chief, language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{live_server}/desk/{here.event.slug}/projector/")
    screenshot(page, f"projector-desk-{language}-{width}", full_page=True)
    assert faults(page) == []
