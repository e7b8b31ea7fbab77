"""Bytes and requests of ten pages within the budgets of docs/performance.md, and what a slow network shows first."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from referee.table.places import PREFIX
from tests.browser.pages import phone_context
from tests.browser.slow_network import slow_network
from tests.browser.test_offline import keeps, settled
from tests.conftest import ROOT
from tests.referee.public.events import played
from tests.referee.table.places import hall, token_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, Page, Route

    from tests.browser.pages import Theme
    from tests.conftest import LiveServer
    from tournaments.acts.admission import Actor

pytestmark = pytest.mark.long

_ROW = re.compile(r"^\| `(?P<page>[^`]+)` \| (?P<requests>\d+) \| (?P<kilobytes>[\d.]+) \|", re.MULTILINE)

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def budgets() -> dict[str, tuple[int, float]]:
    """The most requests and kilobytes of each page, as the document has them."""
    text = (ROOT / "docs" / "performance.md").read_text("utf-8").partition("## Weight of pages")[2]
    return {row["page"]: (int(row["requests"]), float(row["kilobytes"])) for row in _ROW.finditer(text)}


def weigh(page: Page, address: str) -> tuple[int, float]:
    """Requests and kilobytes over the network of a page that is opened for the first time."""
    seen: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda said: seen.append(said["encodedDataLength"]))
    page.goto(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(1000)
    session.detach()
    return len(seen), round(sum(seen) / 1000, 1)


def sit(context: BrowserContext, server: str, actor: Actor) -> str:
    """Gives a browser the place of an actor; the address of its table."""
    device = actor.device
    assert device is not None
    name = PREFIX + device.public_id
    context.add_cookies([{"name": name, "value": token_of(device), "url": server}])
    return f"/table/{device.public_id}/"


def test_no_page_is_heavier_than_its_budget(
    browser: Browser, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    here, event = hall(), played(2)
    slug = event.tournament.slug
    addresses = {
        "home": "/en/",
        "event": f"/en/e/{slug}/",
        "round": f"/en/e/{slug}/rounds/3/",
        "match": f"/en/e/{slug}/rounds/3/tables/1/",
        "standings": f"/en/e/{slug}/standings/",
        "entrant": f"/en/e/{slug}/entrants/1/",
        "rules": f"/en/e/{slug}/rules/",
        "adjudicator": f"/en/adjudicator/?event={slug}",
        "table": "",
        "board": f"/desk/{here.event.slug}/",
    }
    over = []
    for name, most in budgets().items():
        context = phone_context(browser, language="en")
        page = enter(here.chief, into=context) if name == "board" else context.new_page()
        address = sit(context, live_server.url, here.ns) if name == "table" else addresses[name]
        requests, kilobytes = weigh(page, f"{live_server}{address}")
        print(f"{name}: {requests} requests, {kilobytes} kB; at most {most}")
        if requests > most[0] or kilobytes > most[1]:
            over.append(f"{name}: {requests} requests, {kilobytes} kB")
        context.close()
    assert set(budgets()) == set(addresses)
    assert over == []


@pytest.mark.parametrize(
    ("language", "theme", "ground"), [("en", "light", "rgb(243, 245, 242)"), ("zh", "dark", "rgb(15, 21, 27)")]
)
def test_the_first_answer_is_enough_to_enter_a_hand(
    browser: Browser, live_server: LiveServer, language: str, theme: Theme, ground: str
) -> None:
    here = hall()
    context = phone_context(browser, language=language, theme=theme)
    address = sit(context, live_server.url, here.ns)
    page = context.new_page()
    held: list[Route] = []
    comes = False

    def hold(route: Route) -> None:
        if comes or route.request.is_navigation_request():
            route.continue_()
        else:
            held.append(route)

    page.route("**/*", hold)
    page.goto(f"{live_server}{address}", wait_until="commit")
    hearts = page.locator("[name=trump][value=H]")
    hearts.tap()
    expect(hearts).to_be_checked()
    points = page.locator("#captured_in_tricks")
    points.tap()
    points.press_sequentially("35")
    settled(page, lambda: page.evaluate(PAINTED))
    assert len(held) > 10, "nothing else has come"
    style = """(part) => [getComputedStyle(part).fontSize, part.getBoundingClientRect().height >= 44]"""
    assert points.evaluate(style) == ["28px", True]
    assert hearts.locator("xpath=..").locator(".key").evaluate(style) == ["15px", True]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("#f-kitty_points")).to_be_hidden()
    page.locator("[name=last_trick_winner][value=attackers]").tap()
    expect(page.locator("#f-kitty_points")).to_be_visible()
    page.locator("[name=last_trick_winner][value=dealer]").tap()
    # the rest comes: what was entered stays, and is worked out
    comes = True
    for route in held:
        route.continue_()
    expect(page.locator("#result")).to_contain_text("35")
    expect(hearts).to_be_checked()
    expect(points).to_have_value("35")
    page.unroute_all(behavior="wait")
    context.close()


@pytest.mark.usefixtures("offline_pages")
def test_a_table_at_50_kbit_and_three_seconds(browser: Browser, live_server: LiveServer) -> None:
    """Prints the seconds after which a figure stands in the first field; docs/performance.md has them."""
    here = hall()
    with slow_network(live_server.url) as network:
        context = phone_context(browser, language="en")
        address = network.url + sit(context, network.url, here.ns)

        def visit(name: str) -> Page:
            page = context.new_page()
            begun = time.monotonic()
            page.goto(address, wait_until="commit")
            page.fill("#captured_in_tricks", "35")
            print(f"{name} visit: {time.monotonic() - begun:.1f} s")
            settled(page, lambda: page.evaluate(PAINTED))
            print(f"{name} visit: painted after {page.evaluate(PAINTED) / 1000:.1f} s")
            return page

        # a hall has many tables: the service has made such a page before, this phone has seen none
        assert context.request.get(live_server.url + urlsplit(address).path).ok
        network.latency, network.rate = 3.0, 6250
        first = visit("first")
        network.latency, network.rate = 0.0, 0
        expect(first.locator("#net-on")).to_be_visible()
        keeps(first, urlsplit(address).path)
        first.close()
        network.latency, network.rate = 3.0, 6250
        second = visit("second")
        assert second.evaluate("'late' in document.documentElement.dataset")
        expect(second.locator("html:not([data-kept])")).to_have_count(1)
        expect(second.locator("#captured_in_tricks")).to_have_value("35")
        context.close()
