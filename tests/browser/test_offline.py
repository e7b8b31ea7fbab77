"""Dead Wi-Fi: pages that open without network, what waits in the phone, and what is taken away again."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from referee.table.places import PREFIX
from scoring.sittings import step_table
from tests.browser.pages import GUARD, phone_context
from tests.browser.slow_network import slow_network
from tests.referee.table.places import FORM, by_referee, enter, hall, token_of
from tests.tournaments.factories import sheet
from tournaments.ledger import devices
from tournaments.ledger.codes import entrant_code_text
from tournaments.models import LedgerEntry, Round
from tournaments.people import attendance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page
    from pytest_django.fixtures import SettingsWrapper

    from tests.conftest import LiveServer
    from tournaments.acts.admission import Actor

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("offline_pages")]

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    if (!/^(own|rules) /.test(name)) continue;
    for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
  }
  return found.sort();
}"""

INSTALLED = "async () => (await navigator.serviceWorker.getRegistrations()).length"


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    made = phone_context(browser, language="en")
    yield made
    made.close()


def seat(context: BrowserContext, server: LiveServer | str, actor: Actor) -> Page:
    """The page of a side, once its worker keeps it."""
    name = PREFIX + actor.device.public_id
    context.add_cookies([{"name": name, "value": token_of(actor.device), "url": str(server)}])
    page = context.new_page()
    page.goto(f"{server}/table/{actor.device.public_id}/")
    keeps(page, f"/table/{actor.device.public_id}/")
    return page


def keeps(page: Page, *paths: str) -> None:
    """Waits until the worker answers this page, and keeps these."""
    settled(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    settled(page, lambda: set(paths) <= set(page.evaluate(KEPT)))


def settled(page: Page, true: Callable[[], Any]) -> None:
    for _ in range(200):
        if true():
            return
        page.wait_for_timeout(75)
    raise TimeoutError(page.evaluate(KEPT))


def fill(page: Page, points: int = 35) -> None:
    page.locator("[name=trump][value=H]").tap()
    page.fill("#captured_in_tricks", str(points))
    page.locator("[name=last_trick_winner][value=dealer]").tap()


def test_a_table_opens_without_network_and_sends_once(
    live_server: LiveServer, phone: BrowserContext, screenshot: Callable[..., Path]
) -> None:
    here = hall()
    page = seat(phone, live_server, here.ns)
    phone.set_offline(True)
    page.reload()
    expect(page.locator("#kept")).to_contain_text("No network. This is what this phone saw last")
    expect(page.locator("#view")).to_have_attribute("data-kind", "enter")
    fill(page)
    expect(page.locator("#result")).to_contain_text("Attackers 35")
    expect(page.locator("#result")).to_contain_text("If this is right: N–S 2 → 4; North deals, playing 4")
    page.get_by_role("button", name="Send to").last.tap()
    expect(page.locator("#unsent")).to_contain_text("Unsent 1: hand 1 is still in this phone.")
    screenshot(page, "offline-table-en")
    page.reload()
    expect(page.locator("#unsent")).to_contain_text("Unsent 1: hand 1 is still in this phone.")
    phone.set_offline(False)
    expect(page.locator("#view")).to_have_attribute("data-kind", "sent")
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator("#unsent")).to_be_hidden()
    assert LedgerEntry.objects.count() == 1


def test_several_hands_wait_one_after_another(
    live_server: LiveServer, phone: BrowserContext, browser: Browser, screenshot: Callable[..., Path]
) -> None:
    here = hall()
    page = seat(phone, live_server, here.ns)
    phone.set_offline(True)
    page.reload()
    fill(page, 35)
    page.locator(".dock .btn.go").tap()
    page.get_by_role("button", name="Enter hand 2 meanwhile").tap()
    expect(page.locator(".this-hand b:visible")).to_have_text("North deals, playing 4")
    expect(page.locator(".sides .level")).to_have_text(["4", "2"])
    expect(page.locator("#view input[type=range]")).to_have_value("0")
    page.wait_for_timeout(GUARD)
    fill(page, 100)
    expect(page.locator("#result")).to_contain_text("West deals, playing 2")
    page.locator(".dock .btn.go").tap()
    expect(page.locator("#unsent")).to_contain_text("Unsent 2: hands 1, 2.")
    screenshot(page, "offline-two-hands-en")
    page.reload()
    expect(page.locator("#unsent")).to_contain_text("Unsent 2: hands 1, 2.")
    expect(page.get_by_role("button", name="Enter hand 3 meanwhile")).to_be_visible()
    phone.set_offline(False)
    expect(page.locator("#view")).to_have_attribute("data-kind", "sent")
    expect(page.locator("#unsent")).to_contain_text("once the hand before it is confirmed")
    other = seat(browser_context := phone_context(browser, language="en"), live_server, here.ew)
    for number in (1, 2):
        expect(other.locator("#view")).to_have_attribute("data-hand", str(number))
        expect(other.locator("#view")).to_have_attribute("data-kind", "confirm")
        other.wait_for_timeout(GUARD)
        other.locator(".dock form[action$='/confirm/'] .btn.go").tap()
    expect(page.locator("#view")).to_have_attribute("data-hand", "3")
    expect(page.locator("#unsent")).to_be_hidden()
    facts = [(one.hand_no, one.facts["captured_in_tricks"]) for one in LedgerEntry.objects.order_by("hand_no")]
    assert facts == [(1, 35), (2, 100)]
    browser_context.close()


def test_the_deal_after_a_contested_one_is_known(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall(first_dealer=None)
    page = seat(phone, live_server, here.ns)
    phone.set_offline(True)
    page.reload()
    contested = page.locator("fieldset#f-dealer:not(#unexpected fieldset)")
    contested.locator("[value=N]").tap()
    fill(page, 35)
    page.locator(".dock .btn.go").tap()
    page.get_by_role("button", name="Enter hand 2 meanwhile").tap()
    expect(page.locator(".this-hand b:visible")).to_have_text("South deals, playing 4")
    expect(page.locator("#view h1")).to_have_text("Hand 2")
    expect(contested).to_have_count(0)
    page.wait_for_timeout(GUARD)
    fill(page, 100)
    page.locator(".dock .btn.go").tap()
    expect(page.locator("#unsent")).to_contain_text("Unsent 2: hands 1, 2.")
    page.reload()
    page.get_by_role("button", name="Enter hand 3 meanwhile").tap()
    expect(page.locator(".this-hand b:visible")).to_have_text("East deals, playing 2")


def test_the_clock_of_a_kept_page_has_gone_on(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    now = timezone.now()
    Round.objects.filter(pk=here.round.pk).update(started_at=now, ends_at=now + timedelta(minutes=40))
    page = seat(phone, live_server, here.ns)
    left = page.locator("[data-clock-left]")
    first = left.inner_text()
    page.wait_for_timeout(6000)
    phone.set_offline(True)
    page.reload()
    expect(page.locator("#kept")).to_be_visible()
    minutes, seconds = map(int, first.split(":"))
    went_on = [f"{at // 60}:{at % 60:02}" for at in range(minutes * 60 + seconds - 4)]
    assert left.inner_text() in went_on


def test_a_hand_that_began_otherwise_is_not_sent(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    page = seat(phone, live_server, here.ns)
    phone.set_offline(True)
    page.reload()
    fill(page, 35)
    page.locator(".dock .btn.go").tap()
    page.get_by_role("button", name="Enter hand 2 meanwhile").tap()
    page.wait_for_timeout(GUARD)
    fill(page, 100)
    page.locator(".dock .btn.go").tap()
    expect(page.locator("#unsent")).to_contain_text("Unsent 2")
    # meanwhile a referee has entered the first hand otherwise: attackers take the deal
    by_referee(here, 1, sheet(120))
    phone.set_offline(False)
    expect(page.locator("#newer")).to_contain_text("The record has changed. Your figures are kept; look again.")
    expect(page.locator("#view")).to_have_attribute("data-hand", "2")
    expect(page.locator("#captured_in_tricks")).to_have_value("100")
    expect(page.locator("#unsent")).to_be_hidden()
    assert LedgerEntry.objects.count() == 1


def test_a_hand_that_somebody_else_has_entered_is_named(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    page = seat(phone, live_server, here.ns)
    phone.set_offline(True)
    page.reload()
    fill(page, 35)
    page.locator(".dock .btn.go").tap()
    page.get_by_role("button", name="Enter hand 2 meanwhile").tap()
    page.wait_for_timeout(GUARD)
    fill(page, 100)
    page.locator(".dock .btn.go").tap()
    expect(page.locator("#unsent")).to_contain_text("Unsent 2")
    for number in (1, 2):
        by_referee(here, number, sheet(35))
    phone.set_offline(False)
    expect(page.locator("#newer")).to_contain_text(
        "Hand 2 is already on the record; what this phone held was not sent."
    )
    expect(page.locator("#view")).to_have_attribute("data-hand", "3")
    expect(page.locator("#unsent")).to_be_hidden()
    assert LedgerEntry.objects.count() == 2


def test_a_page_that_is_late_is_shown_as_kept_and_renewed(
    live_server: LiveServer, phone: BrowserContext, screenshot: Callable[..., Path]
) -> None:
    here = hall()
    with slow_network(live_server.url) as network:
        page = seat(phone, network.url, here.ns)
        network.open.clear()
        page.reload(wait_until="commit")
        expect(page.locator("#newer")).to_contain_text("This is what this phone saw last. Looking for news …")
        expect(page.locator("#kept")).to_be_hidden()
        fill(page)
        expect(page.locator("#result")).to_contain_text("If this is right: N–S 2 → 4; North deals, playing 4")
        screenshot(page, "offline-late-en")
        network.open.set()
        expect(page.locator("html:not([data-kept])")).to_have_count(1)
        expect(page.locator("#newer")).to_be_hidden()
        expect(page.locator("#captured_in_tricks")).to_have_value("35")
        # nothing is filled in, and the record has moved: the page turns by itself
        page.evaluate("localStorage.clear()")
        network.open.clear()
        page.reload(wait_until="commit")
        expect(page.locator("#view")).to_have_attribute("data-kind", "enter")
        enter(here.ew, FORM)
        network.open.set()
        expect(page.locator("#view")).to_have_attribute("data-kind", "confirm")
        # the place is gone
        network.open.clear()
        page.reload(wait_until="commit")
        expect(page.locator("#view")).to_be_visible()
        devices.release(device_id=here.ns.device.pk, actor=here.chief, at=timezone.now())
        network.open.set()
        expect(page.locator("body")).to_contain_text("This phone does not hold that place")


def test_a_page_that_follows_an_act_is_waited_for(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    with slow_network(live_server.url) as network:
        page = seat(phone, network.url, here.ns)
        network.latency = 0.8
        page.locator(".language button").tap()
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        assert page.evaluate("performance.getEntriesByType('navigation')[0].responseStart") > 800
        assert not page.evaluate("'kept' in document.documentElement.dataset")


def test_what_is_kept(live_server: LiveServer, phone: BrowserContext, screenshot: Callable[..., Path]) -> None:
    here = hall()
    code = attendance.issue_entrant_codes(tournament_id=here.event.pk, actor=here.chief, at=timezone.now())[0]
    page = seat(phone, live_server, here.ns)
    slug, table = here.event.slug, f"/table/{here.ns.device.public_id}/"
    rules, adjudicator = f"/en/e/{slug}/rules/", "/en/adjudicator/"
    keeps(page, rules, adjudicator)
    page.goto(f"{live_server}/me/{entrant_code_text(code)}/")
    keeps(page, "/me/")
    # what others see, and the desk, pass by
    for path in (f"/en/e/{slug}/", f"/en/e/{slug}/rounds/1/", "/desk/", f"/en/e/{slug}/standings/", f"{table}record/"):
        page.goto(f"{live_server}{path}")
    kept = page.evaluate(KEPT)
    steps = f"{table}steps/{step_table.digest(here.event.profile)}.json"
    assert {path for path in kept if not path.startswith(adjudicator)} == {rules, table, steps, "/me/"}
    phone.set_offline(True)
    for path, words in {
        rules: "2013",
        f"{adjudicator}?event={slug}": "The verdict needs a network.",
        "/me/": "Round 1, table 1",
        table: "Hand 1",
    }.items():
        page.goto(f"{live_server}{path}")
        expect(page.locator("body")).to_contain_text(words)
        expect(page.locator("#kept")).to_contain_text("No network.")
    page.goto(f"{live_server}/en/e/{slug}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("No network")
    expect(page.locator("#kept-pages a")).not_to_have_count(0)
    screenshot(page, "offline-none-en")


def test_it_goes_with_the_place(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    page = seat(phone, live_server, here.ns)
    devices.release(device_id=here.ns.device.pk, actor=here.chief, at=timezone.now())
    expect(page.locator("body")).to_contain_text("This phone does not hold that place")
    assert f"/table/{here.ns.device.public_id}/" not in page.evaluate(KEPT)
    phone.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("No network")


def test_it_is_switched_off(live_server: LiveServer, phone: BrowserContext, settings: SettingsWrapper) -> None:
    here = hall()
    page = seat(phone, live_server, here.ns)
    page.goto(f"{live_server}/offline/")
    expect(page.get_by_role("link", name="Table 1")).to_be_visible()
    page.get_by_text("Keep nothing on this phone").tap()
    page.get_by_role("button", name="Remove the kept pages").tap()
    expect(page.locator("#forgotten")).to_be_visible()
    assert not page.evaluate(INSTALLED)
    page.close()
    page = seat(phone, live_server, here.ns)
    settings.OFFLINE = False
    page.reload()
    settled(page, lambda: not page.evaluate(INSTALLED))
    settled(page, lambda: not page.evaluate("caches.keys()"))


def test_plain_http_says_so(live_server: LiveServer, phone: BrowserContext) -> None:
    here = hall()
    phone.add_init_script("delete Navigator.prototype.serviceWorker")
    name = PREFIX + here.ns.device.public_id
    phone.add_cookies([{"name": name, "value": token_of(here.ns.device), "url": live_server.url}])
    page = phone.new_page()
    with page.expect_response(re.compile(r"/steps/")) as table:
        page.goto(f"{live_server}/table/{here.ns.device.public_id}/")
    assert table.value.ok
    expect(page.locator("#plain-http")).to_contain_text("do not reload it")
    asked: list[Any] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    phone.set_offline(True)
    fill(page)
    expect(page.locator("#result")).to_contain_text("If this is right: N–S 2 → 4; North deals, playing 4")
    page.close(run_before_unload=True)
    page.wait_for_event("close")
    assert asked == ["beforeunload"]


@pytest.mark.parametrize(
    ("language", "theme", "width"),
    [("zh", "dark", 390), ("zh", "light", 320), ("en", "dark", 320), ("en", "light", 1280)],
)
def test_looks(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path], language: str, theme: Any, width: int
) -> None:
    context = phone_context(browser, language=language, theme=theme)
    here = hall()
    page = seat(context, live_server, here.ns)
    page.set_viewport_size({"width": width, "height": 844})
    context.set_offline(True)
    page.reload()
    expect(page.locator("#kept")).to_be_visible()
    fill(page)
    page.locator(".dock .btn.go").tap()
    expect(page.locator("#unsent")).to_be_visible()
    for name, path in {
        "table": page.url,
        "none": f"{live_server}/offline/x",
        "rules": f"{live_server}/{language}/adjudicator/?event={here.event.slug}",
    }.items():
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        screenshot(page, f"offline-{name}-{language}-{theme}-{width}")
    context.close()
