"""The pages of the rules in a real browser: the slider, the counter ladder, folded chapters, paper, and no script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.pages import PHONE
from tests.tournaments import playing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = {"width": 1280, "height": 900}


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    context.set_default_timeout(30_000)
    yield context
    context.close()


def shown_effect(page: Page) -> Any:
    return page.locator(".effect:not([hidden])")


def test_the_slider_says_who_goes_up(live_server: LiveServer, phone: BrowserContext) -> None:
    """Slider, keys and number field show the same, live; the address keeps it, and other levels change the effect."""
    page = phone.new_page()
    page.goto(f"{live_server}/en/rules/scn2-2013/")
    slider, total, said = page.locator("#total-slider"), page.locator("#total"), page.locator("[data-sum]")
    expect(said).to_have_text("80: attackers take the deal, +0")
    slider.focus()
    for key, sentence, levels in (
        ("ArrowLeft", "75: dealer side keep the deal, +1", "3"),
        ("PageDown", "35: dealer side keep the deal, +2", "4"),
        ("Home", "0: dealer side keep the deal, +3", "5"),
    ):
        page.keyboard.press(key)
        expect(said).to_have_text(sentence)
        expect(slider).to_have_attribute("aria-valuetext", sentence)
        expect(shown_effect(page)).to_have_count(1)
        expect(shown_effect(page).locator(".level").nth(1)).to_have_text(levels)
        expect(shown_effect(page)).to_contain_text("the partner of the dealer")
    total.fill("165")
    expect(said).to_have_text("165: attackers take the deal, +2")
    expect(slider).to_have_value("165")
    expect(page.locator(".bands .marked")).to_contain_text("160 to 195")
    expect(shown_effect(page)).to_contain_text("the right-hand neighbour of the dealer")
    page.locator("[data-calculator] [data-step='5']").tap()
    expect(said).to_have_text("170: attackers take the deal, +2")
    page.locator("#attacking").select_option("9")
    expect(shown_effect(page).locator(".level").last).to_have_text("10")
    expect(shown_effect(page)).to_contain_text("Must be played: 10, K.")
    expect(page).to_have_url(re.compile(r"total=170&dealing=2&attacking=9#who$"))
    page.locator("#total-slider").focus()
    page.keyboard.press("End")
    expect(page.locator("[data-sum]")).to_have_text("240: attackers take the deal, +4")
    page.reload()
    expect(page.locator("#attacking")).to_have_value("9")


def test_the_counter_ladder(live_server: LiveServer, phone: BrowserContext) -> None:
    page = phone.new_page()
    page.goto(f"{live_server}/zh/rules/scn2-2013/")
    may = page.locator(".rung .may:visible")
    expect(may).to_have_count(6)
    page.locator("label[for=rung-level2-H]").tap()
    expect(may).to_have_count(3)
    expect(page.locator(".rung:has(.may:visible)").first).to_contain_text("黑桃")
    expect(page.locator(".rung .shown:visible")).to_have_count(1)
    page.goto(f"{live_server}/zh/rules/wiki-classic/")
    page.locator("label[for=rung-small2]").tap()
    expect(may).to_have_count(0)


def test_a_link_to_a_clause_opens_its_chapter(live_server: LiveServer, phone: BrowserContext) -> None:
    page = phone.new_page()
    page.goto(f"{live_server}/en/rules/scn2-2013/#scn2.rebellion")
    expect(page.locator(r"#scn2\.rebellion")).to_be_in_viewport()
    expect(page.locator(r"#scn2\.must_play")).not_to_be_visible()
    page.locator("[data-open-all] a").tap()
    expect(page.locator(r"#scn2\.must_play")).to_be_visible()


TEXT_OUTSIDE = """() => [...document.querySelectorAll("svg.flow path.box")].flatMap((box) => {
    const room = box.getBBox(), outside = [];
    for (let text = box.nextElementSibling; text && text.matches("text:not(.answer)"); text = text.nextElementSibling) {
        const words = text.getBBox();
        if (words.x < room.x + 2 || words.x + words.width > room.x + room.width - 2) outside.push(text.textContent);
        if (words.y < room.y || words.y + words.height > room.y + room.height) outside.push(text.textContent);
    }
    return outside;
})"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_text_fits_the_boxes_of_the_flow_charts(live_server: LiveServer, phone: BrowserContext, language: str) -> None:
    page = phone.new_page()
    for name in ("scn2-2013", "online-super", "nanning-4d", "cn-national-3d", "chaodipi", "sandayi", "zhaopengyou"):
        page.goto(f"{live_server}/{language}/rules/{name}/")
        assert page.locator("svg.flow path.box").count() > 4
        assert page.evaluate(TEXT_OUTSIDE) == []


def test_without_script(live_server: LiveServer, browser: Browser) -> None:
    """The calculator, every chapter, the comparison and a hand explained: plain forms and links."""
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server}/en/rules/scn2-2013/")
    page.locator("#total").fill("165")
    page.locator("#attacking").select_option("9")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("[data-sum]")).to_have_text("165: attackers take the deal, +2")
    expect(shown_effect(page).locator(".level").last).to_have_text("10")
    page.locator("#total").fill("62")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#total-error")).to_contain_text("multiple of 5")
    expect(page.locator("#total")).to_have_value("62")
    page.get_by_role("link", name="Open every chapter").click()
    expect(page.locator(r"#scn2\.must_play")).to_be_visible()
    page.get_by_role("link", name="Explain a hand").click()
    page.locator("#NS").select_option("J")
    page.locator("[name=dealer][value=S]").check(force=True)
    page.locator("[name=trump][value=H]").check(force=True)
    page.locator("#captured_in_tricks").fill("60")
    page.locator("[name=last_trick_winner][value=attackers]").check(force=True)
    page.locator("[name=led_1]").select_option("single")
    page.locator("#winning_play").fill("hj")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.locator("#refused")).to_contain_text("enter the points in the kitty")
    expect(page.locator("#captured_in_tricks")).to_have_value("60")
    page.locator("#kitty_points").fill("10")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.locator("#answer")).to_contain_text("dealer side hooked, J → 2")
    again = context.new_page()
    again.goto(page.url)
    expect(again.locator("#answer .sum")).to_have_text(page.locator("#answer .sum").inner_text())
    page.goto(f"{live_server}/en/rules/")
    page.locator("#b").select_option("chaodipi")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#figures")).to_contain_text("points for each level")
    context.close()


def test_every_page_fits_and_breaks_no_rule(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., object]
) -> None:
    """No sideways scroll at 320, 390 and 1280, no script error, nothing the content policy refused; paper too."""
    slug = playing.event(preset="F3").tournament.slug
    dug = "captured_in_tricks=60&last_trick_winner=attackers&led=pair&kitty_points=20"
    paths = {
        "index": "rules/",
        "guide": "rules/scn2-2013/?total=165&attacking=9",
        "four": "rules/changzhou-4d/",
        "chaodipi": "rules/chaodipi/",
        "nanning": "rules/nanning-4d/",
        "single": "rules/zhaopengyou/",
        "event": f"e/{slug}/rules/",
        "compare": "rules/compare/?a=scn2-2013&b=online-super",
        "explain": f"rules/scn2-2013/explain/?dealer=S&NS=J&trump=H&winning_play=HJ&{dug}",
        "explain-single": f"rules/sandayi/explain/?bids=120&bids=&bids=80&{dug}",
        "refused": "rules/chaodipi/explain/?captured_in_tricks=62&kitty_points=200&dark_bids_dealer=x",
    }
    for language, theme, size in (
        ("zh", "dark", PHONE),
        ("en", "light", WIDE),
        ("en", "light", {**PHONE, "width": 320}),
    ):
        context = browser.new_context(viewport=size, color_scheme=theme)
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda line, wrong=wrong: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
        for name, path in paths.items():
            page.goto(f"{live_server}/{language}/{path}")
            over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert over <= 0, (path, size)
            screenshot(page, f"rules-{name}-{language}-{theme}-{size['width']}", full_page=True)
        assert not wrong
        assert not context.cookies()
        if size is WIDE:
            page.goto(f"{live_server}/{language}/{paths['guide']}")
            page.emulate_media(media="print")
            for gone in (".calculator", ".on-page", ".topbar", "#total-slider"):
                expect(page.locator(gone).first).not_to_be_visible()
            expect(page.locator(r"#scn2\.must_play")).to_be_visible()
            screenshot(page, "rules-guide-print", full_page=True)
        context.close()
