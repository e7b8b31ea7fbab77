"""One hand through every page: entered, confirmed, read in the standings, corrected at the desk, read again, kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.pages import DESK, Desk, Phone, phone_context, shown_standings
from tests.tournaments import factories
from tests.tournaments.factories import sheet
from tournaments.ledger import devices, scorekeeping
from tournaments.ledger.codes import party_code_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(720)]

PAIRS = (
    ("林晓 / 周航", "Lin Xiao / Zhou Hang"),
    ("何川 / 宋雨", "He Chuan / Song Yu"),
    ("陈默 / 王芳", "Chen Mo / Wang Fang"),
    ("吴桐 / 郑一鸣", "Wu Tong / Zheng Yiming"),
)
LIN, HE, CHEN, WU = (latin for _, latin in PAIRS)
PASSWORD = "quiet-harbour-42"
HAND = {"kind": "hand", "dealer": "S", "trump": "S", "captured_in_tricks": 0, "last_trick_winner": "dealer"}
REASON = "The kitty was counted twice; both sides agree."

HISTORY = (  # newest first: who, what, with which words
    ("referee", "corrected a hand", REASON),
    ("East–West", "confirmed a hand", "round 1, table 1"),
    ("North–South", "entered a hand", "Points in tricks 0"),
)


@pytest.fixture
def hall(transactional_db: None, celery_worker: None) -> Hall:
    """Two tables where two levels ahead win; the other table has ended 4 : 2."""
    hall = factories.hall(
        tables=2,
        profile="scn2-2013",
        stage_={"lead_levels": 2, "chain": ["points", "net_levels"]},
    )
    hall.event.name, hall.event.name_latin = "城湖杯", "Chenghu Cup"
    hall.event.save()
    for entrant, (name, latin) in zip(hall.event.entrants.order_by("number"), PAIRS, strict=True):
        entrant.name, entrant.name_latin = name, latin
        entrant.save()
    hall.referee.user.set_password(PASSWORD)
    hall.referee.user.save()
    scorekeeping.record_hand(
        sitting_id=hall.sittings[1].pk,
        actor=hall.referee,
        at=timezone.now(),
        facts=sheet(35),
        hand_no=1,
        basis="watched",
    )
    for side in (hall.ns, hall.ew):
        devices.release(device_id=side.device.pk, actor=hall.organiser, at=timezone.now())
    return hall


def changes_to(page: Page, rows: list[list[str]]) -> None:
    """The open page comes to these standings (place, entrant, points, net levels), never reloaded."""
    first = page.locator("#table tbody tr").first
    expect(first).to_contain_text(rows[0][1])
    expect(first).to_contain_text(f"+{rows[0][3]}")
    assert shown_standings(page) == rows
    assert page.evaluate("window.stays")


def test_a_hand_from_the_phones_to_the_history(
    live_server: LiveServer, hall: Hall, browser: Browser, screenshot: Callable[..., Path]
) -> None:
    codes = {
        code.side: party_code_text(code)
        for code in devices.issue_codes(tournament_id=hall.event.pk, actor=hall.organiser, at=timezone.now())
        if code.table_id == hall.sitting.table_id
    }
    reader = browser.new_context(viewport=DESK, locale="en", color_scheme="light").new_page()
    reader.goto(f"{live_server}/en/e/{hall.event.slug}/standings/?cols=all")
    ended = [["1", CHEN, "2", "2"], ["=2", LIN, "0", "0"], ["=2", HE, "0", "0"], ["4", WU, "0", "-2"]]
    expect(reader.locator("#table tbody tr").first).to_contain_text("+2")
    assert shown_standings(reader) == ended
    reader.evaluate("window.stays = true")
    screenshot(reader, "flow-1-standings-before", full_page=True)

    phones = phone_context(browser, language="zh", theme="dark")
    ns, ew = (Phone(phones, live_server, codes[side], "zh") for side in ("NS", "EW"))
    ns.fill(HAND, 1)
    expect(ns.page.locator("#result")).to_contain_text("闲家 0")
    expect(ns.page.locator("#result")).to_contain_text("庄家方升 3 级（大光）")
    screenshot(ns.page, "flow-2-entering")
    ns.send()
    claim = ns.sent()
    screenshot(ns.page, "flow-3-sent")
    ew.turns_to("confirm")
    screenshot(ew.page, "flow-4-to-confirm")
    assert shown_standings(reader) == ended
    with ew.page.expect_response(re.compile("/confirm/$")) as answer:
        assert ew.confirm() == claim
    assert answer.value.ok
    confirmed = [["1", LIN, "2", "3"], ["2", CHEN, "2", "2"], ["3", WU, "0", "-2"], ["4", HE, "0", "-3"]]
    changes_to(reader, confirmed)
    screenshot(reader, "flow-5-standings-confirmed", full_page=True)
    for phone in (ns, ew):
        phone.turns_to("finished")
        phone.shows_levels({"NS": "5", "EW": "2"})
    screenshot(ns.page, "flow-6-finished")

    desk = Desk(browser, live_server, hall.event.slug, hall.referee.user.username, PASSWORD)
    desk.correct(1, 1, {"hand_no": 1, "sheet": {**HAND, "captured_in_tricks": 35}})
    effects = desk.page.locator("main")
    expect(effects).to_contain_text("Attackers 35 → dealer side keep the deal, +2 (small win)")
    expect(effects).to_contain_text("4 → 3")
    screenshot(desk.page, "flow-7-what-changes", full_page=True)
    assert shown_standings(reader) == confirmed
    with desk.page.expect_response(re.compile("/correct/$")):
        desk.apply(None, REASON)
    corrected = [["=1", LIN, "2", "2"], ["=1", CHEN, "2", "2"], ["=3", HE, "0", "-2"], ["=3", WU, "0", "-2"]]
    changes_to(reader, corrected)
    desk.shows_version(2)
    screenshot(reader, "flow-8-standings-corrected", full_page=True)
    screenshot(desk.page, "flow-9-applied", full_page=True)

    newest = desk.open("history/").locator("main tbody tr")
    for number, (who, act, what) in enumerate(HISTORY):
        line = newest.nth(number).inner_text()
        assert who in line
        assert act in line
        assert what in line
    screenshot(desk.page, "flow-10-history", full_page=True)
    assert ns.errors == ew.errors == desk.errors == []
