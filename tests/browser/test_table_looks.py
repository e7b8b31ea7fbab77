"""Every state of the table page as it looks: on a phone, narrow and wide, in both languages, light and dark."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.utils import timezone

from referee.table.places import PREFIX
from tests.referee.table.places import hall, token_of
from tests.tournaments.factories import dig, sheet
from tournaments.ledger import calls, devices, scorekeeping
from tournaments.ledger.codes import party_code_text
from tournaments.ledger.officials_entries import end_sitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall
    from tournaments.acts.admission import Actor

LOOKS = [
    ("phone-zh-light", 390, 844, "zh-hans", "light"),
    ("phone-en-dark", 390, 844, "en", "dark"),
    ("narrow-en-light", 320, 700, "en", "light"),
    ("desktop-zh-dark", 1280, 900, "zh-hans", "dark"),
]
TARGETS = (
    "main button, main .btn, main summary, main .choices input, main input.field, main select, main .clause,"
    " .topbar button, .topbar a, .footer button"
)
SMALL = """targets => [...document.querySelectorAll(targets)]
    .filter(part => part.offsetParent && !part.closest(".hidden-text") && !part.matches(".hidden-text"))
    .filter(part => part.getBoundingClientRect().height < 43.5)
    .map(part => part.outerHTML.slice(0, 90))"""


def record(place: Hall, actor: Actor, number: int, facts: dict[str, Any], *, confirm: bool = True) -> Any:
    recorded = scorekeeping.record_hand(
        sitting_id=place.sitting.pk, actor=actor, at=timezone.now(), facts=facts, hand_no=number
    )
    if confirm:
        other = place.ew if actor is place.ns else place.ns
        scorekeeping.confirm_hand(
            sitting_id=place.sitting.pk, actor=other, at=timezone.now(), entry_id=recorded.entry.pk
        )
    return recorded


def entering(place: Hall, page: Page) -> None:
    choose(page, "[name=trump][value=D]")
    page.fill("#captured_in_tricks", "85")
    choose(page, "[name=last_trick_winner][value=attackers]")
    choose(page, "[name=led][value=pair]")
    page.fill("#kitty_points", "20")
    page.wait_for_timeout(500)


def choose(page: Page, choice: str) -> None:
    """Choose without aiming: what has just been unfolded may still move under a pointer."""
    page.locator(choice).dispatch_event("click")


def opened(place: Hall, page: Page) -> None:
    page.get_by_text("Not right?").or_(page.get_by_text("不对？")).first.click()
    choose(page, "[name=last_trick_winner][value=attackers]")
    choose(page, "[name=led][value=more]")
    page.locator(".acts summary").first.click()
    choose(page, "[name=throw_side_1][value=attackers]")


def voiding(place: Hall, page: Page) -> None:
    page.locator(".acts summary").nth(1).click()
    choose(page, "[name=annulled_reason][value=rebellion]")
    page.wait_for_timeout(500)


def incomplete(place: Hall, page: Page) -> None:
    entering(place, page)
    choose(page, "[name=led][value=more]")
    page.context.set_offline(True)
    page.locator(".dock .btn.go").click()
    page.wait_for_selector("#missing.wrong")


def refusing(place: Hall, page: Page) -> None:
    """What only the server knows: two tractors that no hand can hold."""
    entering(place, page)
    choose(page, "[name=led][value=more]")
    for row in (1, 2):
        page.select_option(f"#led_{row}", "2x9")
    page.locator(".dock .btn.go").click()
    page.wait_for_selector("#refused li")


def impossible(place: Hall, page: Page) -> None:
    entering(place, page)
    page.fill("#captured_in_tricks", "83")
    page.locator(".dock .btn.go").click()
    page.wait_for_selector("#missing.wrong")


def wrong(place: Hall, page: Page) -> None:
    page.locator(".dock summary").first.click()


def offline(place: Hall, page: Page) -> None:
    entering(place, page)
    page.context.set_offline(True)
    page.locator(".dock .btn.go").click()
    page.wait_for_selector("#unsent:not([hidden])")


def two_hands(place: Hall) -> None:
    record(place, place.ns, 1, sheet(35))
    record(place, place.ew, 2, dig(85, 20))


def waits(place: Hall) -> None:
    two_hands(place)
    record(place, place.ns, 3, dig(60, 10, trump="D", throw_failures=[{"side": "dealer", "cards": 3}]), confirm=False)


def differs(place: Hall) -> None:
    two_hands(place)
    record(place, place.ns, 3, sheet(90), confirm=False)
    record(place, place.ew, 3, sheet(95), confirm=False)


def came_back(place: Hall) -> None:
    recorded = record(place, place.ns, 1, sheet(35), confirm=False)
    scorekeeping.send_back(
        sitting_id=place.sitting.pk, actor=place.ew, at=timezone.now(), entry_id=recorded.entry.pk, what="kitty"
    )


def called(place: Hall) -> None:
    calls.call_referee(sitting_id=place.sitting.pk, actor=place.ew, at=timezone.now())


def by_referee(place: Hall) -> None:
    two_hands(place)
    place.sitting.refresh_from_db()
    place.sitting.scored_by = "referee"
    place.sitting.save()


def at_the_end(place: Hall) -> None:
    two_hands(place)
    place.sitting.refresh_from_db()
    end_sitting(
        sitting_id=place.sitting.pk,
        actor=place.referee,
        at=timezone.now(),
        expected_revision=place.sitting.revision,
        reason="time",
    )


def nothing(place: Hall, page: Page | None = None) -> None:
    """Neither before nor after the page is opened."""


# name: what the builders are told, what is done before, whose page, what is done on it
STATES: dict[str, tuple[dict[str, Any], Callable[..., None], str, Callable[..., None]]] = {
    "first": ({"first_dealer": None}, nothing, "ns", nothing),
    "enter": ({}, two_hands, "ns", entering),
    "opened": ({"levels": ("J", "9")}, nothing, "ns", opened),
    "void": ({}, nothing, "ns", voiding),
    "incomplete": ({}, nothing, "ns", incomplete),
    "refused": ({}, nothing, "ns", refusing),
    "impossible": ({}, nothing, "ns", impossible),
    "unsent": ({}, nothing, "ns", offline),
    "sent": ({}, waits, "ns", nothing),
    "confirm": ({}, waits, "ew", nothing),
    "wrong": ({}, waits, "ew", wrong),
    "sent-back": ({}, came_back, "ns", nothing),
    "disputed": ({}, differs, "ew", nothing),
    "called": ({}, called, "ns", nothing),
    "watch": ({}, by_referee, "ns", nothing),
    "finished": ({}, at_the_end, "ew", nothing),
    "not-started": ({"status": "published"}, nothing, "ns", nothing),
}


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(has_touch=True)
    context.set_default_timeout(30_000)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [text for text in said if "ERR_" not in text and "status of 4" not in text] == []


def look(page: Page, server: LiveServer, width: int, height: int, language: str, theme: str) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for name, value in ((settings.LANGUAGE_COOKIE_NAME, language), ("theme", theme)):
        page.context.add_cookies([{"name": name, "value": value, "url": server.url}])


def make(state: str) -> tuple[Hall, Actor, Callable[..., None]]:
    more, before, side, after = STATES[state]
    place = hall(**more)
    for number, name in enumerate(("林晓 / 周航", "何川 / 宋雨")):
        entrant = (place.sitting.match.home, place.sitting.match.away)[number]
        entrant.name, entrant.name_latin = name, ("Lin Xiao / Zhou Hang", "He Chuan / Song Yu")[number]
        entrant.save()
    if place.round.status == "running":
        place.round.ends_at = timezone.now() + timedelta(minutes=35)
        place.round.save()
    before(place)
    return place, getattr(place, side), after


def faults(page: Page, width: int, language: str, state: str) -> list[str]:
    """What is wrong with the page as it stands."""
    found = []
    if page.evaluate("document.documentElement.scrollWidth") != width:
        found.append("scrolls sideways")
    if page.locator("h1").count() != 1:
        found.append("not one h1")
    found += [f"too small: {part}" for part in page.evaluate(SMALL, TARGETS)]
    found += ["main act too low" for go in page.locator(".btn.go").all() if go.bounding_box()["height"] < 56]  # type: ignore[index]
    if language == "en" and any("\u4e00" <= sign <= "\u9fff" for sign in page.inner_text("#view")):
        found.append("Chinese on an English page")
    dock = page.locator(".dock")
    most = 200 if state == "unsent" else 180  # there the next hand can be entered, too
    if width < 900 and state != "wrong" and dock.count() and dock.bounding_box()["height"] > most:  # type: ignore[index]
        found.append("dock too high")
    return [f"{state}: {fault}" for fault in found]


@pytest.mark.parametrize(("name", "width", "height", "language", "theme"), LOOKS, ids=[one[0] for one in LOOKS])
def test_every_state_fits_and_can_be_hit(
    page: Page,
    live_server: LiveServer,
    screenshot: Callable[..., Path],
    name: str,
    width: int,
    height: int,
    language: str,
    theme: str,
) -> None:
    look(page, live_server, width, height, language, theme)
    found = []
    for state in STATES:
        place, actor, after = make(state)
        cookie = {"name": PREFIX + actor.device.public_id, "value": token_of(actor.device), "url": live_server.url}
        page.context.add_cookies([cookie])
        page.goto(f"{live_server.url}/table/{actor.device.public_id}/")
        after(place, page)
        screenshot(page, f"table-{state}-{name}")
        found += faults(page, width, language, state)
        page.context.set_offline(False)
    assert found == []


@pytest.mark.parametrize(("name", "width", "height", "language", "theme"), LOOKS, ids=[one[0] for one in LOOKS])
def test_landing(
    page: Page,
    live_server: LiveServer,
    screenshot: Callable[..., Path],
    name: str,
    width: int,
    height: int,
    language: str,
    theme: str,
) -> None:
    place = hall()
    devices.release(device_id=place.ns.device.pk, actor=place.organiser, at=timezone.now())
    codes = {
        code.side: code
        for code in devices.issue_codes(tournament_id=place.event.pk, actor=place.organiser, at=timezone.now())
    }
    look(page, live_server, width, height, language, theme)
    page.goto(f"{live_server.url}/t/{party_code_text(codes['NS'])}/")
    screenshot(page, f"table-land-{name}")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator(".btn.go").click()
    page.wait_for_url("**/table/*/")
    assert party_code_text(codes["NS"]) not in page.url
    kept = [cookie for cookie in page.context.cookies() if cookie["name"].startswith(PREFIX)]
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in kept] == [(True, "Lax")]
    # another browser is offered a take-over, and the first phone is told
    page.goto("about:blank")  # the open page of a place that is gone loads itself anew
    page.context.clear_cookies(name=kept[0]["name"])
    page.goto(f"{live_server.url}/t/{party_code_text(codes['NS'])}/")
    screenshot(page, f"table-taken-{name}")
    page.locator(".btn.go").click()
    page.wait_for_url("**/table/*/")
    page.goto("about:blank")
    page.context.add_cookies([{"name": kept[0]["name"], "value": kept[0]["value"], "url": live_server.url}])
    page.goto(f"{live_server.url}/table/{kept[0]['name'].removeprefix(PREFIX)}/")
    screenshot(page, f"table-lost-{name}")
    assert page.locator(".notice").count() == 1
