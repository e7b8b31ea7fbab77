"""Bytes and requests of ten pages within the budgets of docs/performance.md."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from referee.table.places import PREFIX
from tests.browser.pages import phone_context
from tests.conftest import ROOT
from tests.referee.public.events import played
from tests.referee.table.places import hall, token_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.conftest import LiveServer
    from tournaments.acts.access import Actor

pytestmark = pytest.mark.long

_ROW = re.compile(r"^\| `(?P<page>[^`]+)` \| (?P<requests>\d+) \| (?P<kilobytes>[\d.]+) \|", re.MULTILINE)


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
