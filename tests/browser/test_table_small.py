"""The table page on small phones, upright and on the side: what is seen, what news covers, which taps count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_table import Phone, phones, plain
from tests.browser.test_table_looks import record
from tests.tournaments.factories import dig, sheet
from tournaments.models import EntryStatus, LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route

    from tests.tournaments.factories import Hall

__all__ = ["phones"]

UPRIGHT, LYING = {"width": 360, "height": 740}, {"width": 740, "height": 360}
SIZES = pytest.mark.parametrize("size", [UPRIGHT, LYING], ids=["360x740", "740x360"], indirect=True)
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh-CN"], indirect=True)
HAND = ("#f-trump", "#f-captured_in_tricks", "#f-last_trick_winner")


@pytest.fixture
def size(request: pytest.FixtureRequest) -> Any:
    return getattr(request, "param", UPRIGHT)


@pytest.fixture
def language(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "en")


@pytest.fixture
def context(browser: Browser, size: Any, language: str) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=size, has_touch=True, locale=language)
    made.set_default_timeout(30_000)
    yield made
    made.close()


def edges(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def room(page: Page) -> tuple[float, float]:
    """Where fields are seen: below the head and, where the dock stands below them, above it."""
    assert page.viewport_size is not None
    dock = page.locator(".dock").bounding_box()
    assert dock is not None
    foot = dock["y"] if dock["width"] > page.viewport_size["width"] * 0.8 else page.viewport_size["height"]
    return edges(page.locator(".topbar"))[1], foot


def hidden(page: Page, *parts: str) -> list[str]:
    """Which of the parts are not seen whole."""
    head, foot = room(page)
    where = {part: edges(page.locator(part)) for part in parts}
    return [f"{part} {span} of {head}–{foot}" for part, span in where.items() if span[0] < head or span[1] > foot + 0.5]


def on_top(page: Page, part: str) -> bool:
    """Whether a tap in the middle of a part meets the part."""
    return bool(
        page.locator(part).evaluate(
            """part => { const box = part.getBoundingClientRect();
            const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return part.contains(met); }"""
        )
    )


@SIZES
@LANGUAGES
def test_a_normal_hand_is_seen_whole(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, _ew, place = phones()
    record(place, place.ns, 1, sheet(35))
    ns.page.goto(ns.address)
    assert hidden(ns.page, *HAND) == []
    assert on_top(ns.page, ".dock .btn.go")
    plain(ns)
    expect(ns.page.locator("#result .sum")).to_be_visible()
    assert hidden(ns.page, *HAND) == []
    ns.page.locator(".dock .btn.go").click()
    expect(ns.page.locator("#view")).to_have_attribute("data-kind", "sent")
    assert ns.taps == 2
    assert ns.errors == []


@pytest.mark.parametrize("size", [UPRIGHT, {"width": 390, "height": 844}], ids=["360x740", "390x844"], indirect=True)
@LANGUAGES
def test_a_dig_is_seen_whole(
    phones: Callable[..., tuple[Phone, Phone, Hall]], screenshot: Callable[..., Path], language: str
) -> None:
    """Upright, with what the phone lately told in its dock and then with the sum: every field at once; where there is
    room, the call of a referee too."""
    ns, _ew, place = phones()
    record(place, place.ns, 1, sheet(35))
    ns.page.goto(ns.address)
    ns.key("trump", "D")
    ns.points("captured_in_tricks", 85)
    ns.key("last_trick_winner", "attackers")
    ns.key("led", "pair")
    assert hidden(ns.page, *HAND, "#f-led", "#f-kitty_points") == []
    ns.points("kitty_points", 20)
    expect(ns.page.locator("#result .sum")).to_be_visible()
    width = ns.page.viewport_size["width"]
    screenshot(ns.page, f"table-dig-{width}-{language}")
    assert ns.page.evaluate("scrollY") == 0
    assert hidden(ns.page, *HAND, "#f-led", "#f-kitty_points") == []
    if width == 390 or language.startswith("zh"):
        assert hidden(ns.page, ".act.call > summary") == []


@pytest.mark.parametrize("size", [UPRIGHT, {"width": 390, "height": 844}], ids=["360x740", "390x844"], indirect=True)
@LANGUAGES
def test_what_is_to_be_confirmed_is_seen_whole(
    phones: Callable[..., tuple[Phone, Phone, Hall]], screenshot: Callable[..., Path], language: str
) -> None:
    """Upright: the sum of the hand and every figure of it stand above the keys that answer."""
    _ns, ew, place = phones()
    record(place, place.ns, 1, sheet(35))
    record(place, place.ns, 2, dig(85, 20, trump="D"), confirm=False)
    ew.page.goto(ew.address)
    expect(ew.page.locator("#view")).to_have_attribute("data-kind", "confirm")
    screenshot(ew.page, f"table-confirm-whole-{ew.page.viewport_size['width']}-{language}")
    assert hidden(ew.page, "#what", "dl.facts") == []


def test_a_folded_part_says_what_was_entered_in_it(
    phones: Callable[..., tuple[Phone, Phone, Hall]], screenshot: Callable[..., Path]
) -> None:
    ns, _ew, _place = phones()
    throw, void = (
        ns.page.locator(f".acts > details:has([name={name}])") for name in ("throw_side_1", "annulled_reason")
    )
    sign = throw.locator("> summary .entered")
    expect(sign).to_be_hidden()
    throw.locator("> summary").click()
    ns.key("throw_side_1", "attackers")
    ns.key("throw_side_2", "dealer")
    expect(sign).to_have_text("2 entered")
    void.locator("> summary").click()
    expect(throw).not_to_have_attribute("open", "")
    expect(sign).to_be_visible()
    expect(void.locator("> summary .entered")).to_be_hidden()
    screenshot(ns.page, "table-folded-360")
    # the page that comes back knows it from the draft, and forgets it with the entry
    ns.page.reload()
    expect(sign).to_have_text("2 entered")
    ns.key("throw_side_2", "")
    ns.key("throw_side_1", "")
    expect(sign).to_be_hidden()


def test_the_key_names_the_first_of_several_faults(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    """A number that cannot be right stands above a figure that is missing: the key leads where the page leads."""
    ns, _ew, _place = phones()
    ns.key("trump", "D")
    ns.points("captured_in_tricks", 83)
    ns.key("last_trick_winner", "attackers")
    ns.send()
    expect(ns.page.locator("#captured_in_tricks")).to_be_focused()
    expect(ns.page.locator(".dock .btn.go")).to_have_text("Correct: Points in tricks")
    expect(ns.page.locator("#missing")).to_contain_text("Cannot be right: Points in tricks.")
    expect(ns.page.locator("#f-led .field-error")).to_have_count(1)
    ns.points("captured_in_tricks", 85)
    expect(ns.page.locator(".dock .btn.go")).to_have_text("Fill in: Shape led to the last trick")


@SIZES
def test_the_reasons_of_a_call_are_seen(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, _ew, _place = phones()
    ns.page.locator(".act.call summary").click()
    expect(ns.page.locator(".act.call .inset")).to_be_visible()
    ns.page.wait_for_function("() => document.querySelector('.act.call').open")
    ns.page.wait_for_timeout(100)
    assert hidden(ns.page, ".act.call .inset") == []


@SIZES
def test_what_opens_after_a_dig_is_not_behind_the_dock(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, _ew, _place = phones()
    ns.key("trump", "D")
    ns.points("captured_in_tricks", 85)
    ns.key("last_trick_winner", "attackers")
    assert hidden(ns.page, "#f-led") == []
    ns.key("led", "pair")
    ns.points("kitty_points", 20)
    expect(ns.page.locator("#result")).to_contain_text("165")
    assert hidden(ns.page, "#f-kitty_points") == []


@SIZES
def test_a_refused_field_stands_below_the_head(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, _ew, _place = phones()
    plain(ns, 83)
    ns.page.mouse.wheel(0, 2000)
    ns.send()
    expect(ns.page.locator("#f-captured_in_tricks .field-error")).to_contain_text("you wrote 83")
    expect(ns.page.locator("#captured_in_tricks")).to_be_focused()
    assert hidden(ns.page, "#f-captured_in_tricks") == []


@SIZES
def test_news_covers_nothing_that_is_tapped(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, ew, _place = phones()
    ew.key("trump", "C")
    head = edges(ew.page.locator(".topbar"))
    plain(ns)
    ns.send()
    expect(ew.page.locator("#newer")).to_contain_text("N–S have entered hand 1; please check it.")
    assert edges(ew.page.locator(".topbar")) == head
    assert on_top(ew.page, ".dock .btn.go")
    assert on_top(ew.page, "#newer button")
    assert hidden(ew.page, *HAND) == []


def held_back(phone: Phone) -> list[Route]:
    """The next page this phone asks for waits until the test lets it go."""
    on_its_way: list[Route] = []
    phone.page.route(phone.address, lambda route: on_its_way.append(route))
    return on_its_way


def test_a_tap_that_news_overtakes_acts(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, ew, _place = phones()
    on_its_way = held_back(ew)
    plain(ns)
    with ew.page.expect_request(ew.address):
        ns.send()
    box = ew.page.locator("[name=trump][value=C]").bounding_box()
    assert box is not None
    ew.page.mouse.move(box["x"] + 20, box["y"] + 20)
    ew.page.mouse.down()
    with ew.page.expect_response(ew.address) as came:
        on_its_way[0].continue_()
    came.value.finished()
    ew.page.wait_for_timeout(300)  # time enough for the page to be replaced under the finger
    ew.page.mouse.up()
    expect(ew.page.locator("[name=trump][value=C]")).to_be_checked()
    expect(ew.page.locator("#newer")).to_contain_text("N–S have entered hand 1; please check it.")
    ew.page.unroute(ew.address)
    ew.tap(ew.button("Look at it"))
    ew.sees("Your turn to confirm")


TAP_AT_ONCE = """() => new MutationObserver((_, watch) => {
    const go = document.querySelector("#view form[action$='/confirm/'] .btn.go");
    if (!go) return;
    watch.disconnect();
    window.dimmed = getComputedStyle(go).borderStyle;
    go.click();
}).observe(document.getElementById("view"), { childList: true })"""


def test_a_tap_meant_for_the_page_before_does_nothing_and_says_so(
    phones: Callable[..., tuple[Phone, Phone, Hall]],
) -> None:
    ns, ew, _place = phones()
    ew.page.evaluate(TAP_AT_ONCE)
    plain(ns)
    ns.send()
    ew.sees("Your turn to confirm")
    ew.page.wait_for_function("window.dimmed === 'dashed'")
    expect(ew.page.locator("#newer")).to_contain_text("This page has just changed. Look at it, then tap again.")
    assert LedgerEntry.objects.get().status == EntryStatus.WAITING
    # a moment later it takes the tap
    expect(ew.page.locator("#view.settling")).to_have_count(0)
    ew.tap(ew.button("Confirm 35"))
    ew.sees("Hand 1 counts.")


def test_a_phone_offline_refuses_what_is_incomplete(
    phones: Callable[..., tuple[Phone, Phone, Hall]], context: BrowserContext
) -> None:
    ns, _ew, _place = phones()
    ns.key("trump", "D")
    ns.points("captured_in_tricks", 85)
    ns.key("last_trick_winner", "attackers")
    context.set_offline(True)
    ns.send()
    missing = ns.page.locator("#missing")
    expect(missing).to_have_text("Still missing: Shape led to the last trick, Kitty points. Not sent, not queued.")
    expect(ns.page.locator("#f-led .field-error")).to_have_text(
        "Attackers dug: choose the shape led to the last trick."
    )
    expect(ns.page.locator("[name=led]").first).to_be_focused()
    expect(ns.page.locator("#unsent")).to_be_hidden()
    assert ns.page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('outbox:'))") == []
    # the key names what is missing and goes there; filled in, the hand waits to be sent
    expect(ns.button("Fill in: Shape led to the last trick")).to_be_visible()
    ns.key("led", "pair")
    expect(missing).to_have_text("Still missing: Kitty points. Not sent, not queued.")
    expect(ns.page.locator("#f-led .field-error")).to_have_count(0)
    ns.button("Fill in: Kitty points").click()
    expect(ns.page.locator("#kitty_points")).to_be_focused()
    ns.points("kitty_points", 20)
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text("Unsent 1: hand 1 is still in this phone.")
    context.set_offline(False)
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.get().facts["kitty_points"] == 20


def test_a_phone_offline_refuses_what_cannot_be_right(
    phones: Callable[..., tuple[Phone, Phone, Hall]], context: BrowserContext
) -> None:
    """A number that the server would refuse is refused in the same words, and nothing of it waits to be sent."""
    ns, _ew, _place = phones()
    plain(ns)
    context.set_offline(True)
    line, said = ns.page.locator("#missing"), ns.page.locator("#f-captured_in_tricks .field-error")
    ns.points("captured_in_tricks", 83)
    ns.send()
    expect(said).to_have_text("Points must be a multiple of 5; you wrote 83.")
    expect(line).to_have_text("Cannot be right: Points in tricks. Not sent, not queued.")
    expect(ns.page.locator("#captured_in_tricks")).to_be_focused()
    expect(ns.page.locator("#unsent")).to_be_hidden()
    assert ns.page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('outbox:'))") == []
    ns.points("captured_in_tricks", 205)
    ns.button("Correct: Points in tricks").click()
    expect(said).to_have_text("Two decks hold 200 points; you wrote 205.")
    # more than there are, counted together with the kitty
    ns.points("captured_in_tricks", 190)
    ns.key("last_trick_winner", "attackers")
    ns.key("led", "pair")
    ns.points("kitty_points", 15)
    ns.send()
    expect(said).to_have_text("Two decks hold 200 points; 190 and a kitty of 15 are 5 too many.")
    ns.points("kitty_points", 10)
    expect(said).to_have_count(0)
    expect(line).to_be_hidden()
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text("Unsent 1: hand 1 is still in this phone.")
    context.set_offline(False)
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.get().facts["kitty_points"] == 10


def test_enter_sends_the_hand(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, _ew, _place = phones()
    plain(ns)
    ns.page.locator("#captured_in_tricks").press("Enter")
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.get().kind == "hand"


def test_an_unknown_outcome_is_asked_again_when_the_server_said(
    phones: Callable[..., tuple[Phone, Phone, Hall]],
) -> None:
    """The server wrote the hand and lost its answer: the phone repeats the same, not before the time it was told."""
    ns, _ew, _place = phones()
    sent: list[str | None] = []

    def unknown_at_first(route: Route) -> None:
        sent.append(route.request.post_data)
        if len(sent) > 1:
            return route.continue_()
        route.fetch()
        return route.fulfill(
            status=503,
            headers={"Retry-After": "2", "Content-Type": "application/json"},
            body='{"code": "outcome_unknown", "message": "It is not known whether it was saved."}',
        )

    ns.page.route("**/enter/", unknown_at_first)
    plain(ns)
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text(
        "Not yet known whether it is saved. Sent again in 2 s; it counts once."
    )
    assert "Take back" not in ns.page.inner_text("#view")
    assert LedgerEntry.objects.count() == 1
    ns.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # looked at: no earlier for that
    ns.page.wait_for_timeout(500)
    assert len(sent) == 1
    ns.sees("Take back the entry")
    assert sent == [sent[0]] * 2
    assert LedgerEntry.objects.count() == 1


def test_a_server_that_is_away_is_said_in_the_head(phones: Callable[..., tuple[Phone, Phone, Hall]]) -> None:
    ns, _ew, _place = phones()
    away = {"status": 503, "headers": {"Retry-After": "1"}, "body": '{"code": "database_away", "message": "Away."}'}
    ns.page.route("**/enter/", lambda route: route.fulfill(**away))
    plain(ns)
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text(
        "The server cannot save it now. It is sent again automatically in 1 s."
    )
    ns.page.unroute("**/enter/")
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.count() == 1
