"""The adjudicator in a real browser: cards are tapped on a phone in Chinese, the verdict moves with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, phone_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page, Route

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

THUMB = 48


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = phone_context(browser, language="zh", theme="dark")
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext) -> Iterator[Page]:
    """A page on which nothing may go wrong unseen."""
    page = phone.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield page
    assert wrong == []


def tap_cards(page: Page, field: str, cards: str) -> None:
    """Tap cards of one suit into a field: ``H 8 8 J``; ``J`` is the suit of the jokers (``J B S``)."""
    page.locator(f'[data-card-field="{field}"] .faces').tap()
    suit, *ranks = cards.split()
    page.locator(f'[data-suit][value="{suit}"]').tap()
    for rank in ranks:
        key = f'[data-card="J{rank}"]' if suit == "J" else f'[data-rank="{rank}"]'
        page.locator(key).tap()


def typed(page: Page, field: str) -> str:
    return page.locator(f'[name="{field}"]').input_value()


def verdict(page: Page) -> str:
    return page.locator("#verdict").inner_text()


def test_a_disputed_throw_is_explained(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path], phone: BrowserContext
) -> None:
    page.goto(f"{live_server}/zh/adjudicator/")
    page.get_by_role("button", name="甩牌成立吗？").tap()
    page.locator(".settings-fold summary").tap()
    page.locator("#level").select_option("7")
    page.locator("[name=dealer][value=S]").tap()
    page.locator(".settings-fold summary").tap()
    expect(page.locator(".settings-fold .now")).to_contain_text("庄家 南")
    tap_cards(page, "S", "H 8 8 J Q K")
    eight = page.locator('[data-rank="8"]')
    expect(eight).to_be_disabled()
    expect(eight).to_have_attribute("data-count", "2")
    expect(page.locator("#verdict h2")).to_contain_text("不知道东、北、西的红桃，无法裁定")
    page.locator('[data-card-field="E"] .faces').tap()
    page.locator("[data-none]").tap()
    expect(page.locator("#verdict h2")).to_contain_text("不知道北、西的红桃")
    expect(page.locator('[data-rank="7"]')).to_have_class(re.compile("unlikely"))
    tap_cards(page, "N", "H 9 9 4")
    tap_cards(page, "W", "H A 5 3")
    expect(page.locator("#verdict h2")).to_contain_text("甩牌不成立")
    expect(page.locator("#verdict .sum")).to_contain_text("甩 5 张罚分：闲家 +50")
    expect(page.locator("#live-say")).to_contain_text("甩牌不成立")
    expect(page.locator(".verdict-dock")).to_contain_text("甩牌不成立")
    assert parse_qs(urlsplit(page.url).query)["S"] == ["H8H8HJHQHK"]
    for key in page.locator(".rank-key:visible").all():
        box = key.bounding_box()
        assert box is not None
        assert box["height"] >= THUMB
    screenshot(page, "adjudicator-throw-zh")

    again = phone.new_page()
    again.goto(page.url)
    assert verdict(again) == verdict(page)
    again.get_by_role("link", name="English").tap()
    expect(again.locator("#verdict h2")).to_contain_text("The throw fails.")


def test_a_follow_is_judged_and_cards_that_lead_nowhere_are_dashed(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path]
) -> None:
    page.goto(f"{live_server}/zh/adjudicator/follow/?level=7&trump=S")
    tap_cards(page, "lead", "C A A K")
    tap_cards(page, "hand", "C J J 6 6 9")
    tap_cards(page, "play", "C J")
    expect(page.locator('[data-rank="9"]')).not_to_have_class(re.compile("unlikely"))
    page.locator('[data-rank="6"]').tap()
    # with J and 6 taken up the 9 no longer makes a pair
    expect(page.locator('[data-rank="9"]')).to_have_class(re.compile("unlikely"))
    page.locator('[data-rank="9"]').tap()
    expect(page.locator("#verdict h2")).to_contain_text("跟牌不合法")
    expect(page.locator(".raised-fan .deciding")).to_have_count(3)
    expect(page.locator(".legal-plays li")).to_have_count(4)
    page.locator("[data-ranks] [data-back]").tap()
    page.locator('[data-rank="6"]').tap()
    expect(page.locator("#verdict h2")).to_contain_text("跟牌合法")
    assert typed(page, "play") == "CJC6C6"
    screenshot(page, "adjudicator-follow-zh", full_page=True)


def test_the_winner_of_a_trick_moves_with_each_play(
    live_server: LiveServer, page: Page, screenshot: Callable[..., Path]
) -> None:
    page.goto(f"{live_server}/zh/adjudicator/trick/?level=2&trump=C&dealer=N")
    tap_cards(page, "S", "H A A K Q")
    expect(page.locator("#verdict h2")).to_contain_text("到此为止南家最大")
    tap_cards(page, "E", "H 3 4 5 6")
    tap_cards(page, "N", "C 5 5 A")
    expect(page.locator('[data-card-field="N"] .field-error')).to_contain_text("领出 4 张")
    tap_cards(page, "N", "S 2")
    expect(page.locator("#verdict h2")).to_contain_text("到此为止北家最大")
    expect(page.locator('[data-card-field="N"] .field-error')).to_be_hidden()
    tap_cards(page, "W", "C 6 6 2 2")
    expect(page.locator("#verdict h2")).to_contain_text("西家赢得这一圈")
    expect(page.locator(".trick-drawing .won .who")).to_have_text("西 · 赢")
    page.locator("#verdict").scroll_into_view_if_needed()
    screenshot(page, "adjudicator-trick-zh")


def test_no_tap_is_lost_to_an_answer_on_its_way(live_server: LiveServer, page: Page) -> None:
    """A hall's slow network: the verdict on the first card arrives after the second was tapped."""
    page.goto(f"{live_server}/zh/adjudicator/shapes/?level=7&trump=S")
    held: list[Route] = []
    page.route(re.compile("part=live"), lambda route: held.append(route))
    with page.expect_request(re.compile("part=live")):
        tap_cards(page, "cards", "D 6")
    while not held:
        page.wait_for_timeout(20)
    first = held[0]
    late = page.request.get(first.request.url).text()
    page.locator('[data-rank="8"]').dispatch_event("click")
    first.fulfill(body=late, content_type="text/html")
    page.wait_for_timeout(60)
    page.locator('[data-rank="9"]').dispatch_event("click")
    assert typed(page, "cards") == "D6D8D9"
    page.unroute_all(behavior="ignoreErrors")


def test_other_rules_and_jokers(live_server: LiveServer, page: Page) -> None:
    """Other rules ask for the page anew and keep the cards; jokers have keys of their own."""
    page.goto(f"{live_server}/zh/adjudicator/trick/?level=7&trump=S&leader=S")
    tap_cards(page, "S", "J B")
    expect(page.locator("#verdict h2")).to_contain_text("到此为止南家最大")
    page.locator(".settings-fold summary").tap()
    page.locator("#profile").select_option("cn-national-3d")
    page.wait_for_url(re.compile("profile=cn-national-3d"))
    expect(page.locator("#verdict h2")).to_contain_text("到此为止南家最大")
    assert typed(page, "S") == "JB"


def test_on_a_desk_cards_are_typed(live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path]) -> None:
    context = browser.new_context(viewport=DESK, locale="en", color_scheme="light")
    page = context.new_page()
    page.goto(f"{live_server}/en/adjudicator/throw/?level=7&trump=S&dealer=S&leader=S")
    page.locator("#f-S").fill("♥88JQK")
    page.locator("#f-N").fill("红桃 9 9 4")
    page.locator("#f-W").fill("ha h5 h3")
    page.locator("#f-E").fill("-")
    expect(page.locator("#verdict .sum")).to_contain_text("attackers +50")
    page.get_by_text("The same position by other rules").click()
    national = page.locator(".elsewhere .differs").filter(has_text="two decks").first
    expect(national).to_contain_text("East names what stays")
    screenshot(page, "adjudicator-throw-en", full_page=True)
    national.locator("a").click()
    expect(page.locator("#verdict .sum")).to_contain_text("East names what stays")
    context.close()


def test_without_script_the_form_is_sent(live_server: LiveServer, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, locale="zh-CN")
    page = context.new_page()
    page.goto(f"{live_server}/zh/adjudicator/counter/?level=7")
    page.locator("#f-declared").fill("黑桃7")
    page.locator("#f-cards").fill("红桃7 红桃7")
    page.get_by_role("button", name="裁定", exact=True).click()
    expect(page.locator("#verdict h2")).to_contain_text("可以反")
    page.locator("#f-cards").fill("红桃7 什么")
    page.get_by_role("button", name="裁定", exact=True).click()
    expect(page.locator("#e-cards")).to_contain_text("不是一张牌")
    assert page.locator("#f-cards").input_value() == "红桃7 什么"
    context.close()


def test_five_single_players_are_tapped_around_their_table(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server}/zh/adjudicator/")
    page.locator("#profile").select_option("zhaopengyou")
    expect(page.locator('[name=kind][value="ally"]')).to_be_visible()
    page.get_by_role("button", name="这一圈谁赢？").tap()
    page.locator('[name=leader][value="3"]').tap()
    expect(page.locator("[data-card-field]").first).to_have_attribute("data-card-field", "3")
    for place, rank in zip("34512", "9KA34", strict=True):
        tap_cards(page, place, f"H {rank}")
    expect(page.locator("#verdict h2")).to_contain_text("5 号家赢得这一圈")
    expect(page.locator(".trick-drawing .won .who")).to_contain_text("5 号位")
    assert parse_qs(urlsplit(page.url).query)["5"] == ["HA"]


def test_a_bidding_is_entered_call_by_call(live_server: LiveServer, page: Page) -> None:
    page.goto(f"{live_server}/zh/adjudicator/bids/?profile=sandayi")
    page.locator('[name=first][value="2"]').tap()
    shown = page.locator(".bid-field:visible")
    expect(shown).to_have_count(1)
    for number, call in enumerate(("120", "pass", "95", "pass", "pass"), start=1):
        page.locator(f"[name=bid{number}]").select_option(call)
        expect(shown).to_have_count(number + 1)
    expect(page.locator("#verdict h2")).to_contain_text("4 号家以 95 分坐庄")
    page.locator("[name=bid3]").select_option("pass")
    expect(page.locator("#verdict h2")).to_contain_text("2 号家以 120 分坐庄")
