"""A second factor in a real browser: turned on with the key of the page, asked for at sign-in, and turned off."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pyotp
import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import expect

from referee.sessions import SessionStore
from tests.tournaments.factories import tournament
from tournaments.acts.admission import Actor
from tournaments.models import Office, Official, Session, User

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.conftest import LiveServer

PASSWORD = "a long walk by the lake"
LOOKS = [
    ("phone-zh-dark", 390, 844, "zh-hans", "dark"),
    ("phone-en-light", 390, 844, "en", "light"),
    ("desktop-en-light", 1280, 900, "en", "light"),
    ("desktop-zh-dark", 1280, 900, "zh-hans", "dark"),
]


@pytest.fixture
def person(live_server: LiveServer) -> User:
    cache.clear()
    return User.objects.create_user("wu", password=PASSWORD, display_name="Wu Min")


def sign_in(page: Page, server: LiveServer) -> None:
    page.goto(f"{server}/desk/sign-in/")
    page.get_by_label("Username").fill("wu")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def sign_out(page: Page, server: LiveServer) -> None:
    page.goto(f"{server}/desk/account/")
    page.get_by_role("button", name="Sign out", exact=True).click()


def next_code(key: str) -> str:
    """Of the step after the last one that was used, which a clock a little ahead would show."""
    used = User.objects.get(username="wu").factor_step
    return pyotp.TOTP(key).generate_otp(used + 1)


def test_it_is_turned_on_asked_for_and_turned_off(page: Page, person: User, live_server: LiveServer) -> None:
    sign_in(page, live_server)
    page.goto(f"{live_server}/desk/account/")
    page.get_by_role("link", name="Turn on a second factor").click()
    picture = page.get_by_alt_text("QR code of the key")
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 0, "shown under our own policy"
    key = page.locator("#key").inner_text().replace(" ", "")
    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_label("Verification code").fill(pyotp.TOTP(key).at(timezone.now()))
    page.get_by_role("button", name="Turn it on").click()
    codes = page.locator(".recovery-codes li").all_inner_texts()
    assert len(codes) == 10
    page.get_by_role("link", name="go on").click()
    expect(page.locator("#second-factor")).to_contain_text("On since")

    sign_out(page, live_server)
    sign_in(page, live_server)
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    page.get_by_label("Verification code").fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("This code is wrong or was used already")).to_be_visible()
    page.get_by_label("Verification code").fill(next_code(key))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/desk/")

    sign_out(page, live_server)
    sign_in(page, live_server)
    page.get_by_label("Verification code").fill(codes[0].lower())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/desk/")

    page.goto(f"{live_server}/desk/account/factor/")
    expect(page.get_by_text("9 recovery codes are left")).to_be_visible()
    off = page.locator("form", has=page.get_by_role("heading", name="Turn it off"))
    off.get_by_label("Present password").fill(PASSWORD)
    off.get_by_label("Verification code").fill(codes[1])
    off.get_by_role("button", name="Turn it off").click()
    expect(page.get_by_text("The second factor is turned off")).to_be_visible()
    sign_out(page, live_server)
    sign_in(page, live_server)
    page.wait_for_url("**/desk/")


@pytest.mark.parametrize("look", LOOKS, ids=[look[0] for look in LOOKS])
def test_its_pages_fit(
    browser: Browser,
    person: User,
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    look: tuple[str, int, int, str, str],
) -> None:
    name, width, height, language, theme = look
    context: BrowserContext = browser.new_context(viewport={"width": width, "height": height})
    try:
        page = enter(Actor(user=person), into=context, language=language, theme=theme)
        page.goto(f"{live_server}/desk/account/factor/")
        _fits(page)
        screenshot(page, f"factor-on-{name}", full_page=True)
        key = page.locator("#key").inner_text().replace(" ", "")
        page.locator("#id_password").fill(PASSWORD)
        page.locator("#id_code").fill(pyotp.TOTP(key).at(timezone.now()))
        page.locator("form .btn.go").click()
        expect(page.locator(".recovery-codes li")).to_have_count(10)
        _fits(page)
        screenshot(page, f"factor-codes-{name}", full_page=True)
        for address, shot in (("account/factor/", "factor-state"), ("account/", "factor-account")):
            page.goto(f"{live_server}/desk/{address}")
            _fits(page)
            screenshot(page, f"{shot}-{name}", full_page=True)
        page.locator("form[action='/desk/sign-out/'] button").first.click()
        page.locator("#id_username").fill("wu")
        page.locator("#id_password").fill(PASSWORD)
        page.locator("form .btn.go").click()
        expect(page.locator("#id_code")).to_be_visible()
        _fits(page)
        screenshot(page, f"factor-asked-{name}", full_page=True)
    finally:
        context.close()


def _fits(page: Page) -> None:
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room


def test_an_event_leads_there_and_asks_once_more(
    page: Page, person: User, live_server: LiveServer, screenshot: Callable[..., Path]
) -> None:
    event = tournament(second_factor=True)
    Official.objects.create(tournament=event, user=person, office=Office.ORGANISER, appointed_at=timezone.now())
    sign_in(page, live_server)
    page.goto(f"{live_server}/desk/{event.slug}/officials/")
    expect(page.get_by_text("Your office in this event asks for a second factor")).to_be_visible()
    screenshot(page, "factor-led", full_page=True)
    key = page.locator("#key").inner_text().replace(" ", "")
    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_label("Verification code").fill(pyotp.TOTP(key).at(timezone.now()))
    page.get_by_role("button", name="Turn it on").click()
    page.get_by_role("link", name="go on").click()
    page.wait_for_url(f"**/desk/{event.slug}/officials/")

    page.get_by_label("Name to sign in with").fill("friend")
    some_time_passes()
    page.get_by_role("button", name="Appoint", exact=True).click()
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    screenshot(page, "factor-proof", full_page=True)
    page.get_by_label("Password, or the code of your device").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("cell", name="friend")).to_be_visible()

    some_time_passes()
    page.goto(f"{live_server}/desk/{event.slug}/setup/")
    page.get_by_role("link", name="Whole event, JSON").click()
    page.get_by_label("Password, or the code of your device").fill(next_code(key))
    with page.expect_download() as taken:
        page.get_by_role("button", name="Go on").click()
    assert taken.value.suggested_filename == f"{event.slug}.json"


def some_time_passes() -> None:
    """The sessions of this test are older than a proof is good for."""
    for row in Session.objects.exclude(user=None):
        store = SessionStore(row.session_key)
        store["proved_at"] = (timezone.now() - timedelta(minutes=11)).isoformat()
        store.save()
