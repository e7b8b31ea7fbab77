"""The shared parts in a real browser: ruler, live parts, targets, reflow; pictures of both languages and themes."""

from __future__ import annotations

import threading
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.test import override_settings
from playwright.sync_api import expect

from tests.referee.parts.urls import live

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

LOOKS = [
    ("phone-zh-light", 390, 844, "zh-hans", "light"),
    ("phone-en-dark", 390, 844, "en", "dark"),
    ("narrow-en-light", 320, 700, "en", "light"),
    ("desktop-zh-dark", 1280, 900, "zh-hans", "dark"),
    ("desktop-en-light", 1280, 900, "en", "light"),
    ("hall-en-light", 1920, 1080, "en", "light"),
]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The tests' own small site on a free port."""
    with override_settings(ROOT_URLCONF="tests.referee.parts.urls", ALLOWED_HOSTS=["127.0.0.1"]):
        handler = WSGIHandler()
        with make_server("127.0.0.1", 0, handler, _Server, _Quiet) as server:
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            yield f"http://127.0.0.1:{server.server_port}"
            for listener in live.listeners:
                listener.put("end")
            server.shutdown()


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    assert [text for text in said if "ERR_" not in text and "status of 50" not in text] == []


def _look(context: BrowserContext, site: str, language: str, theme: str) -> None:
    context.add_cookies(
        [
            {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": site},
            {"name": "theme", "value": theme, "url": site},
        ]
    )


@pytest.mark.parametrize(("name", "width", "height", "language", "theme"), LOOKS, ids=[look[0] for look in LOOKS])
def test_every_part_fits_its_page_and_can_be_hit(
    page: Page,
    site: str,
    screenshot: Callable[..., Path],
    name: str,
    width: int,
    height: int,
    language: str,
    theme: str,
) -> None:
    _look(page.context, site, language, theme)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site}/style/")
    screenshot(page, f"parts-{name}", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == theme
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, .btn, summary, .choices input, input.field, nav a")]
            .filter(part => part.offsetParent && part.getBoundingClientRect().height < 39.5)
            .map(part => part.outerHTML.slice(0, 80))"""
    )
    assert small == []
    assert page.locator(".btn.go").first.bounding_box()["height"] >= 56  # type: ignore[index]


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_labels_on_the_ruler_never_run_into_each_other(page: Page, site: str, width: int, language: str) -> None:
    _look(page.context, site, language, "light")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site}/style/")
    overlaps = page.evaluate(
        """() => [...document.querySelectorAll(".ruler")].flatMap(ruler => {
            const boxes = [...ruler.querySelectorAll(".band-label")]
                .map(text => [text.textContent, text.getBoundingClientRect()])
                .filter(([, box]) => box.width > 0).sort((a, b) => a[1].left - b[1].left);
            return boxes.slice(1).filter(([, box], at) => box.left < boxes[at][1].right).map(([text]) => text);
        })"""
    )
    assert overlaps == []


def test_slider_keys_and_field_say_the_same(page: Page, site: str) -> None:
    page.goto(f"{site}/style/")
    field, slider = page.locator("#captured"), page.locator("#captured-slider")
    page.get_by_role("button", name="plus 5").click()
    assert (field.input_value(), slider.input_value()) == ("90", "90")
    field.fill("35")
    assert slider.input_value() == "35"
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert field.input_value() == "40"
    page.keyboard.press("PageUp")
    assert field.input_value() == "80"
    field.focus()
    page.keyboard.press("ArrowDown")
    assert (field.input_value(), slider.input_value()) == ("75", "75")
    field.fill("200")
    page.get_by_role("button", name="plus 5").click()
    assert field.input_value() == "200"


def test_the_calculator_moves_its_flag_and_speaks_the_outcome(page: Page, site: str) -> None:
    page.goto(f"{site}/style/")
    slider = page.locator("#total-slider")
    slider.fill("80")
    assert slider.get_attribute("aria-valuetext") == "80: attackers take the deal, +0"
    flag = page.locator(".ruler:has(#total-slider) .flag")
    assert (flag.get_attribute("x") or "").startswith("33.33")
    assert (flag.text_content() or "").strip() == "80"


def _open_live_page(page: Page, site: str) -> None:
    """The page with its stream open: the greeting has made it look once."""
    with page.expect_response("**/fragment/"):
        page.goto(f"{site}/live-page/")


def _rows(page: Page) -> list[str]:
    return [text.split(" act")[0].strip() for text in page.locator("#board li").all_inner_texts()]


def test_a_change_is_shown_washed_and_said_at_once(page: Page, site: str) -> None:
    live.set(one="Table 1: playing", two="Table 2: playing")
    _open_live_page(page, site)
    live.set(one="Table 1: playing", two="Table 2: dispute")
    live.ring()
    page.locator("#board [data-key=two].changed").wait_for()
    assert _rows(page) == ["Table 1: playing", "Table 2: dispute"]
    assert page.locator("#live-say").text_content() == "Table 2: dispute"
    assert page.locator("#board li.changed").count() == 1


def test_a_growing_age_is_no_news_and_what_the_reader_opened_stays_open(page: Page, site: str) -> None:
    live.set(one="Table 1: playing")
    _open_live_page(page, site)
    page.get_by_text("more").click()
    page.evaluate("document.activeElement.blur()")
    for _ in range(2):
        before = page.locator("#board time").text_content() or ""
        live.ring()
        expect(page.locator("#board time")).not_to_have_text(before)
        assert page.locator("#board .changed").count() == 0
        assert page.locator("details").get_attribute("open") == ""
    live.set(one="Table 1: dispute")
    live.ring()
    page.locator("li.changed").wait_for()
    assert page.locator("details").get_attribute("open") == ""


def test_news_of_another_kind_fetches_nothing(page: Page, site: str) -> None:
    live.set(one="Table 1: playing")
    _open_live_page(page, site)
    before = live.fetched
    live.ring("standings")
    page.wait_for_timeout(500)
    assert live.fetched == before


def test_what_has_the_focus_is_not_taken_away(page: Page, site: str) -> None:
    live.set(one="Table 1: playing", two="Table 2: playing")
    _open_live_page(page, site)
    page.locator("input[name=one]").fill("half typed")
    live.set(one="Table 1: dispute", two="Table 2: dispute")
    live.ring()
    expect(page.locator("[data-key=two]")).to_contain_text("dispute")
    assert page.locator("input[name=one]").input_value() == "half typed"
    assert page.evaluate("document.activeElement.name") == "one"
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("[data-key=one]")).to_contain_text("dispute")


def test_rows_come_and_go(page: Page, site: str) -> None:
    live.set(one="Table 1: playing")
    _open_live_page(page, site)
    live.set(two="Table 2: playing", one="Table 1: playing", three="Table 3: playing")
    live.ring()
    page.locator("[data-key=three]").wait_for()
    assert len(_rows(page)) == 3
    assert page.locator("li.changed").count() == 2


def test_refused_a_stream_the_page_asks_slowly_and_later_for_the_stream_again(page: Page, site: str) -> None:
    live.streaming = False
    page.clock.install()
    try:
        live.set(one="Table 1: playing")
        with page.expect_response("**/live/event/**"):
            page.goto(f"{site}/live-page/")
        live.set(one="Table 1: finished")
        before = live.fetched
        page.clock.run_for(10_000)
        assert live.fetched == before
        assert page.locator("#live-lost").is_hidden()
        page.clock.run_for(10_000)
        expect(page.locator("[data-key=one]")).to_contain_text("finished")
        assert page.locator("#live-lost").is_hidden()
    finally:
        live.streaming = True
    asked = len(live.asked_by)
    with page.expect_response("**/live/event/**"):
        page.clock.run_for(70_000)
    assert len(live.asked_by) == asked + 1


def test_told_when_to_ask_again_the_page_asks_then_and_not_before(page: Page, site: str) -> None:
    """The server has more to do than it can: what is announced meanwhile is asked for when the time has come."""
    live.set(one="Table 1: playing")
    page.clock.install()
    _open_live_page(page, site)
    page.route("**/fragment/", lambda route: route.fulfill(status=503, headers={"Retry-After": "40"}))
    with page.expect_response(lambda answer: answer.status == 503):
        live.ring()
    page.unroute("**/fragment/")
    live.set(one="Table 1: finished")
    before = live.fetched
    live.ring()
    page.clock.run_for(30_000)
    assert live.fetched == before
    page.clock.run_for(31_000)
    expect(page.locator("[data-key=one]")).to_contain_text("finished")


def test_a_pass_that_is_over_is_renewed_by_asking_for_the_page_again(page: Page, site: str) -> None:
    live.streaming = False
    page.clock.install()
    try:
        with page.expect_response("**/live/event/**"):
            page.goto(f"{site}/live-page/")
        first = live.asked_by[-1]
        with page.expect_response(f"**/live/event/**pass={int(first) + 1}"):
            for _ in range(3):
                page.clock.fast_forward(60_000)
    finally:
        live.streaming = True


def test_a_stream_that_says_its_pass_is_over_is_opened_with_a_new_one(page: Page, site: str) -> None:
    live.set(one="Table 1: playing")
    _open_live_page(page, site)
    first = live.asked_by[-1]
    live.set(one="Table 1: finished")
    with page.expect_response(f"**/live/event/**pass={int(first) + 1}"):
        live.ring("over")
    expect(page.locator("[data-key=one]")).to_contain_text("finished")
    assert page.locator("#live-lost").is_hidden()


def test_a_page_cut_off_tells_its_age(page: Page, site: str) -> None:
    live.set(one="Table 1: playing")
    page.clock.install()
    live.streaming = False
    try:
        page.goto(f"{site}/live-page/")
        page.context.set_offline(True)
        page.clock.run_for(15_000)
        page.locator("#live-lost").wait_for(state="visible")
        assert "Not connected" in page.locator("#live-lost span").inner_text()
    finally:
        live.streaming = True
        page.context.set_offline(False)


def test_preferences_work_without_script(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{site}/style/")
    page.get_by_role("button", name="dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("button", name="简体中文").click()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.get_by_role("button", name="四色").click()
    assert page.locator("html").get_attribute("data-suits") == "four"
    assert page.url == f"{site}/style/"
    context.close()
