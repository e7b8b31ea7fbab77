"""The public pages in a real browser: they follow the event by themselves, on phones, projectors and without script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.referee.public.events import played
from tests.tournaments import factories
from tests.tournaments.factories import sheet
from tournaments.ledger import scorekeeping
from tournaments.rounds.acts import start_round

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall

PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 900}
PATHS = (
    "",
    "?q=lee",
    "rounds/",
    "rounds/4/",
    "rounds/4/tables/1/",
    "standings/",
    "standings/?cols=all",
    "standings/3/",
    "entrants/",
    "entrants/1/",
    "follow/?n=1,3",
    "screen/",
    "check/",
)

#: The page of the projector that is shown.
SHOWN = "[data-slide]:not([hidden])"
#: No page stands longer, and a second of patience.
LONGEST_SECONDS = 26
#: Milliseconds: patience for a busy machine, no measure of speed.


def enter(hall: Hall, captured: int = 35) -> int:
    """North-South send a hand; gives its entry."""
    recorded = scorekeeping.record_hand(
        sitting_id=hall.sitting.pk, actor=hall.ns, at=factories.AT, facts=sheet(captured), hand_no=1
    )
    return recorded.entry.pk


def confirm(hall: Hall, entry: int) -> None:
    scorekeeping.confirm_hand(sitting_id=hall.sitting.pk, actor=hall.ew, at=factories.AT, entry_id=entry, version=1)


def open_live(page: Page, address: str) -> None:
    """A page whose stream is open."""
    with page.expect_response("**/live/**"):
        page.goto(address)


@pytest.mark.usefixtures("celery_worker")
def test_open_standings_change_with_a_confirm(live_server: LiveServer, page: Page) -> None:
    """One hand decides the match (two levels ahead win): the open page shows the result, and was never reloaded."""
    hall = factories.hall(stage_={"lead_levels": 2})
    open_live(page, f"{live_server}/en/e/{hall.event.slug}/standings/")
    expect(page.locator(".empty")).to_have_text("No results yet.")
    page.evaluate("window.stays = true")
    entry = enter(hall)
    page.wait_for_timeout(700)
    expect(page.locator(".empty")).to_have_text("No results yet.")
    confirm(hall, entry)
    row = page.locator("#table tbody tr").first
    expect(row).to_contain_text("Pair 1")
    expect(row.locator(".met")).to_have_text(re.compile("4:2"))
    assert page.evaluate("window.stays")


def test_a_match_shows_a_hand_only_once_it_is_confirmed(live_server: LiveServer, page: Page) -> None:
    hall = factories.hall()
    open_live(page, f"{live_server}/zh/e/{hall.event.slug}/rounds/1/tables/1/")
    expect(page.locator(".empty")).to_be_visible()
    entry = enter(hall)
    # strangers are not told at once that a hand waits: the page asks for that once a minute
    page.reload()
    expect(page.locator("#waiting")).to_contain_text("待确认")
    assert "闲家 35" not in page.content()
    confirm(hall, entry)
    expect(page.locator("#entry-1")).to_contain_text("闲家 35 → 庄家方升 2 级（小光）")
    expect(page.locator("#waiting")).to_have_count(0)
    expect(page.locator("#levels-chart")).to_be_visible()


def test_rounds_follow_the_event(live_server: LiveServer, page: Page) -> None:
    hall = factories.hall(status="published")
    open_live(page, f"{live_server}/en/e/{hall.event.slug}/rounds/1/")
    expect(page.locator("#round-state")).to_contain_text("Not started")
    start_round(round_id=hall.round.pk, actor=hall.organiser, at=factories.AT)
    expect(page.locator("#round-state")).to_contain_text("Playing")


def turns_to(page: Page, board: str) -> None:
    """Let the projector's time go on until it turns, which it does to this page."""
    shown = page.locator(SHOWN)
    before = shown.get_attribute("id")
    for _ in range(LONGEST_SECONDS):
        page.clock.run_for(1_000)
        if shown.get_attribute("id") != before:
            break
    expect(shown).to_have_attribute("id", board)  # the next reel is asked for first


def test_the_screen_turns_and_pauses(live_server: LiveServer, browser: Browser) -> None:
    event = played()
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.clock.install()
    page.goto(f"{live_server}/en/e/{event.tournament.slug}/screen/")
    shown = page.locator(SHOWN)
    expect(shown).to_have_attribute("id", "pairings-1")
    turns_to(page, "clock-1")
    page.keyboard.press("Space")
    expect(page.locator("[data-slide-note]")).to_contain_text("Paused")
    page.clock.run_for(30_000)
    expect(shown).to_have_attribute("id", "clock-1")
    page.keyboard.press("Space")
    turns_to(page, "standings-1")
    turns_to(page, "hands-1")
    expect(shown.locator("tbody th")).to_have_count(2)
    assert page.locator("button, nav a").count() == 1  # the bar of a lost connection, hidden
    context.close()


@pytest.mark.long
def test_the_screen_asks_for_its_next_reel(
    live_server: LiveServer, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.public.presenters.screen.ROWS", 1)
    monkeypatch.setattr("referee.public.presenters.screen.REEL", 4)
    event = played()
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.clock.install()
    page.goto(f"{live_server}/en/e/{event.tournament.slug}/screen/?show=pairings,standings")
    kinds = ["pairings-1", "pairings-2", "standings-1", "standings-2", "standings-3", "standings-4"]
    # round and round, over both reels
    expect(page.locator(SHOWN)).to_have_attribute("id", kinds[0])
    for kind in (*kinds[1:], *kinds[:2]):
        turns_to(page, kind)
    expect(page.get_by_role("link", name="Next page")).to_be_hidden()
    context.close()


def test_every_page_fits_and_breaks_no_rule(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., object]
) -> None:
    """No sideways scroll at 320, 390 and 1280, no script error, nothing the content policy refused."""
    event = played(3)
    base = f"e/{event.tournament.slug}/"
    for language, theme, size in (
        ("zh", "light", PHONE),
        ("en", "dark", WIDE),
        ("en", "light", {**PHONE, "width": 320}),
    ):
        context = browser.new_context(viewport=size, color_scheme=theme)
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda line, wrong=wrong: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
        for path in (*(base + path for path in PATHS), "", "rules/", "rules/scn2-2013/"):
            page.goto(f"{live_server}/{language}/{path}")
            over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert over <= 0, (path, size)
            name = re.sub(r"\W+", "-", path.removeprefix(base)).strip("-") or "event"
            screenshot(page, f"public-{name}-{language}-{theme}-{size['width']}", full_page=True)
        assert not wrong
        assert not context.cookies()
        context.close()


def test_without_script(live_server: LiveServer, browser: Browser) -> None:
    """Search, results and every page of the screen are there without any script."""
    event = played()
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    base = f"{live_server}/en/e/{event.tournament.slug}/"
    page.goto(base)
    page.fill("#q", "lee 3")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#found")).to_contain_text("Round 2: table 1")
    page.goto(base + "screen/")
    assert page.locator("[data-slide]").count() == 5
    expect(page.locator("#standings-1")).to_be_visible()
    context.close()


def test_one_page_has_the_look_that_each_reader_has_chosen(live_server: LiveServer, browser: Browser) -> None:
    """Whatever they chose, they are sent the same; the browser sets the look, before the page is painted."""
    event = played()
    address = f"{live_server}/en/e/{event.tournament.slug}/"
    sent = []
    for theme, suits, scripts in (("dark", "four", True), ("light", "two", True), ("dark", "four", False)):
        context = browser.new_context(java_script_enabled=scripts, color_scheme="light")
        page = context.new_page()
        page.goto(address)
        for choice in (theme, f"{suits} colours"):
            with page.expect_navigation():
                page.get_by_role("button", name=choice, exact=True).click()
        with page.expect_response(address) as answer:
            page.reload()
        sent.append(answer.value.body())
        root = page.locator("html")
        expect(root).to_have_attribute("data-theme", theme if scripts else "auto")
        expect(root).to_have_attribute("data-suits", suits if scripts else "two")
        if scripts:
            expect(page.locator("form.theme [aria-pressed=true]")).to_have_text(theme)
            expect(page.locator("form.suits [aria-pressed=true]")).to_have_text(f"{suits} colours")
            assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == theme
        context.close()
    assert len(set(sent)) == 1
