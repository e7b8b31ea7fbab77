"""Whole matches of regional games, entered on one phone and confirmed on the other, in Chinese and in the dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.pages import DESK, Phone, phone_context
from tests.tournaments import factories
from tournaments.ledger import devices
from tournaments.ledger.codes import party_code_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(720)]

SINGLE, PAIR, QUAD = {"type": "single"}, {"type": "pair"}, {"type": "quad"}


def hand(entered_by: str, dealer: str, captured: int, winner: str = "dealer", **more: Any) -> dict[str, Any]:
    line = {"kind": "hand", "entered_by": entered_by, "dealer": dealer, "trump": "H", "captured_in_tricks": captured}
    return {**line, "last_trick_winner": winner, **more}


def at_flag(entered_by: str, dealer: str, captured: int) -> dict[str, Any]:
    return {"kind": "hand", "entered_by": entered_by, "dealer": dealer, "captured_in_tricks": captured}


#: The hand, both levels after it, and words that the phone shows before it is sent.
CHAODIPI = [
    (hand("NS", "S", 75), ("3", "2"), "庄家方升 1 级"),
    (
        hand("EW", "N", 60, specials=[{"event": "red_fives_declared", "by": "dealer"}]),
        ("A", "2"),
        "庄家方续庄；红桃 5 亮主，南北方打 A，东西方打 2",
    ),
    (hand("NS", "S", 60, dark_bids=[{"side": "dealer", "times": 1}]), ("A", "2"), "闲家 60 + 暗炒罚分 80 = 140"),
    (hand("EW", "E", 75), ("A", "3"), "庄家方升 1 级"),
    (
        hand("EW", "W", 20, "attackers", led=[SINGLE] * 3, kitty_points=10, specials=[{"event": "dug_510K"}]),
        ("A", "2"),
        "闲家 20 + 底牌 10×2 = 40",
    ),
    (hand("NS", "E", 90), ("A", "2"), "闲家上台；A 必打，仍打 A"),
    (hand("NS", "N", 45), ("扛旗", "2"), "须先扛旗"),
    (at_flag("NS", "S", 100), ("扛旗", "2"), "扛旗不过，连续第 1 次"),
    (hand("EW", "E", 85, "attackers", led=[PAIR], kitty_points=5), ("扛旗", "2"), "闲家上台，仍扛旗"),
    (at_flag("EW", "N", 95), None, "扛旗成功，终局"),
]
NANNING = [
    (hand("NS", "S", 100, led=[QUAD], last_trick_points=30), ("A", "3"), "闲家 100 − 末圈 30×4 = −20"),
    (hand("EW", "N", 150, "attackers", led=[PAIR], last_trick_points=20), ("A", "3"), "闲家 150 + 末圈 20×2 = 190"),
    (hand("EW", "W", 200, led=[SINGLE], last_trick_points=10), ("A", "3"), "闲家 200"),
    (
        hand("NS", "S", 100, led=[{"type": "tractor", "width": 2, "length": 2}], last_trick_points=20),
        None,
        "闲家 100 − 末圈 20×4 = 20",
    ),
]
MATCHES = [
    ("chaodipi", ("2", "2"), CHAODIPI, "扛旗成功，终局"),
    ("nanning-4d", ("Q", "3"), NANNING, "打过 A，终局"),
]


def phones_of(hall: Hall, browser: Browser, server: LiveServer) -> dict[str, Phone]:
    for side in (hall.ns, hall.ew):
        devices.release(device_id=side.device.pk, actor=hall.organiser, at=timezone.now())
    codes = devices.issue_codes(tournament_id=hall.event.pk, actor=hall.organiser, at=timezone.now())
    context = phone_context(browser, language="zh", theme="dark")
    return {code.side: Phone(context, server, party_code_text(code), "zh") for code in codes}


@pytest.mark.parametrize(("profile", "levels", "lines", "end"), MATCHES, ids=["chaodipi", "nanning"])
def test_a_whole_match(
    transactional_db: None,
    celery_worker: None,
    live_server: LiveServer,
    browser: Browser,
    screenshot: Callable[..., Path],
    profile: str,
    levels: tuple[str, str],
    lines: list[Any],
    end: str,
) -> None:
    hall = factories.hall(profile=profile, levels=levels)
    phones = phones_of(hall, browser, live_server)
    for number, (line, after, words) in enumerate(lines, 1):
        made = phones[line["entered_by"]]
        other = phones["EW" if line["entered_by"] == "NS" else "NS"]
        made.fill(line, number)
        expect(made.page.locator("#result")).to_contain_text(words)
        screenshot(made.page, f"{profile}-{number}-entered", full_page=True)
        made.send()
        claim = made.sent()
        other.turns_to("confirm")
        screenshot(other.page, f"{profile}-{number}-to-confirm", full_page=True)
        assert other.confirm() == claim
        if after is not None:
            for phone in phones.values():
                phone.turns_to("enter", number + 1)
                phone.shows_levels({"NS": after[0], "EW": after[1]})
    for phone in phones.values():
        phone.turns_to("finished")
        expect(phone.view).to_contain_text(end)
        assert phone.errors == []
    screenshot(phones["NS"].page, f"{profile}-finished", full_page=True)
    page = browser.new_context(viewport=DESK, color_scheme="light").new_page()
    page.goto(f"{live_server}/en/e/{hall.event.slug}/rounds/1/tables/1/")
    expect(page.locator(".hands > li")).to_have_count(len(lines))
    screenshot(page, f"{profile}-match-en", full_page=True)


@pytest.mark.parametrize(("profile", "levels"), [("chaodipi", ("5", "6")), ("nanning-4d", ("5", "6"))])
def test_the_sheet_at_the_desk(
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    profile: str,
    levels: tuple[str, str],
) -> None:
    hall = factories.hall(profile=profile, levels=levels)
    page = enter(hall.referee)
    page.goto(f"{live_server}/desk/{hall.event.slug}/rounds/1/tables/1/enter/")
    page.check("[name=trump][value=H]", force=True)
    page.fill("#captured_in_tricks", "60")
    page.check("[name=last_trick_winner][value=attackers]", force=True)
    if profile == "chaodipi":
        page.fill("#kitty_points", "10")
        page.select_option("#special_dig", "dug_510K")
        page.fill("#dark_bids_attackers", "1")
        words = "Attackers 60 + kitty 10×2 − dark bids 80 = 0"
    else:
        page.select_option("#led_1", "quad")
        page.fill("#last_trick_points", "30")
        words = "Attackers 60 + last trick 30×4 = 180"
    expect(page.locator("[data-preview-here]")).to_contain_text(words)
    screenshot(page, f"{profile}-desk-en", full_page=True)


def test_an_attacker_who_declares_with_a_joker(
    transactional_db: None,
    celery_worker: None,
    live_server: LiveServer,
    browser: Browser,
    screenshot: Callable[..., Path],
) -> None:
    rules = {"base": "scn2-2013", "set": {"joker_declare": "any", "throw_fine_per": "card_but_one"}}
    hall = factories.hall(profile=rules, levels=("5", "9"))
    phones = phones_of(hall, browser, live_server)
    ns, ew = phones["NS"], phones["EW"]
    line = hand("NS", "S", 60, throw_failures=[{"side": "attackers", "cards": 3}])
    ns.fill(line, 1)
    # the page's own sum and the server's agree: the fine is of the cards less one
    expect(ns.page.locator("#result")).to_contain_text("闲家 60 − 甩牌罚分 20 = 40")
    expect(ns.page.locator(".this-hand b:visible")).to_have_text("南坐庄，打 5")
    ns.view.locator("[name=declared_by][value=E]").tap()
    expect(ns.page.locator(".this-hand b:visible")).to_have_text("东坐庄，打 9")
    expect(ns.page.locator("[data-attackers]:visible")).to_contain_text("南北方")
    expect(ns.page.locator("#result")).to_contain_text("东西方 9 → 10")
    screenshot(ns.page, "joker-declared", full_page=True)
    ns.send()
    assert ew.confirm() == ns.sent()
    for phone in phones.values():
        phone.turns_to("enter", 2)
        phone.shows_levels({"NS": "5", "EW": "10"})
    assert ns.errors == ew.errors == []


FINE = {"base": "scn2-2013", "set": {"throw_fine_per": "card_but_one"}}
#: Rules, levels, the hand, and all that the phone makes of it while the server is silent.
SUMS: list[tuple[Any, tuple[str, str], dict[str, Any], str]] = [
    (
        FINE,
        ("2", "2"),
        hand("NS", "S", 60, throw_failures=[{"side": "attackers", "cards": 3}]),
        "闲家 60 − 甩牌罚分 20 = 40→ 庄家方升 1 级",
    ),
    (
        "chaodipi",
        ("5", "6"),
        hand("NS", "S", 60, dark_bids=[{"side": "dealer", "times": 1}]),
        "闲家 60 + 暗炒罚分 80 = 140→ 闲家上台升 6 级",
    ),
    ("chaodipi", ("flag", "6"), at_flag("NS", "S", 110), "闲家 110→ 闲家上台升 1 级"),
    # levels that a play sets, and totals beyond the ruler, are for the server to say
    ("chaodipi", ("5", "6"), CHAODIPI[4][0] | {"dealer": "S"}, "闲家 20 + 底牌 10×2 = 40"),
    ("nanning-4d", ("5", "6"), NANNING[0][0], "闲家 100 − 末圈 30×4 = −20"),
    (
        "nanning-4d",
        ("5", "6"),
        hand("NS", "S", 150, "attackers", led=[PAIR], last_trick_points=20),
        "闲家 150 + 末圈 20×2 = 190→ 闲家上台，不升级",
    ),
]


def test_the_sum_made_on_the_phone_is_the_servers(
    transactional_db: None, celery_worker: None, live_server: LiveServer, browser: Browser
) -> None:
    for rules, levels, line, words in SUMS:
        hall = factories.hall(profile=rules, levels=levels)
        phone = phones_of(hall, browser, live_server)["NS"]
        phone.page.route("**/preview/", lambda route: route.abort())
        phone.fill(line, 1)
        expect(phone.page.locator("#result .sum")).to_have_text(words)
        phone.page.unroute("**/preview/")
        with phone.page.expect_response("**/preview/") as answer:
            phone.page.locator("#captured_in_tricks").press("End")
            phone.page.locator("#captured_in_tricks").dispatch_event("input")
        assert answer.value.json()["html"].split("<br>")[0].endswith(words.split("→")[0]), words
        phone.page.context.close()
