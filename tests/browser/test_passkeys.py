"""Passkeys in a real browser: Chromium's own, with a device that it makes up (WebAuthn over its debugging protocol)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.test_second_factor import LOOKS, PASSWORD, _fits, some_time_passes
from tests.tournaments.factories import tournament
from tournaments.acts.admission import Actor
from tournaments.models import Office, Official, Passkey, User

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

    from tests.conftest import LiveServer

#: Calls the browser's debugging protocol for the page's device.
Device = Callable[..., Any]


@pytest.fixture
def person(live_server: LiveServer) -> User:
    cache.clear()
    return User.objects.create_user("wu", password=PASSWORD, display_name="Wu Min")


@pytest.fixture
def site(live_server: LiveServer) -> str:
    """By its name: to a bare address a browser gives no passkey."""
    return str(live_server).replace("127.0.0.1", "localhost")


def with_device(page: Page) -> Device:
    """A device of this page that has a screen lock, and whose person always says yes."""
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]

    def call(name: str, **more: Any) -> Any:
        return session.send(f"WebAuthn.{name}", {"authenticatorId": device, **more})

    return call


def sign_in(page: Page, site: str) -> None:
    page.goto(f"{site}/desk/sign-in/")
    page.locator("#id_username").fill("wu")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("form .btn.go").click()


def sign_out(page: Page, site: str) -> None:
    page.goto(f"{site}/desk/account/")
    page.locator("form[action='/desk/sign-out/'] button").first.click()


def make_passkey(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the passkey").click()


def test_an_organiser_with_a_passkey(page: Page, person: User, site: str) -> None:
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda one: said.append(one.text) if "Security Policy" in one.text else None)
    event = tournament(second_factor=True)
    Official.objects.create(tournament=event, user=person, office=Office.ORGANISER, appointed_at=timezone.now())
    call = with_device(page)
    sign_in(page, site)
    page.goto(f"{site}/desk/{event.slug}/officials/")
    page.get_by_role("link", name="Use a passkey instead").click()
    make_passkey(page, "my phone")
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    page.get_by_role("link", name="go on").click()
    page.wait_for_url(f"**/desk/{event.slug}/officials/")
    assert len(call("getCredentials")["credentials"]) == 1

    sign_out(page, site)
    sign_in(page, site)
    # by the keyboard alone
    button = page.get_by_role("button", name="Use a passkey")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/")
    assert Passkey.objects.get().sign_count > 0

    page.goto(f"{site}/desk/{event.slug}/officials/")
    page.get_by_label("Name to sign in with").fill("friend")
    some_time_passes()
    page.get_by_role("button", name="Appoint", exact=True).click()
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("cell", name="friend")).to_be_visible()

    page.goto(f"{site}/desk/account/factor/")
    expect(page.locator("#passkeys")).to_contain_text("last used")
    page.get_by_role("link", name="Add a passkey").click()
    make_passkey(page, "the same again")
    expect(page.get_by_role("alert")).to_have_text("This device has a passkey of this account already.")
    page.goto(f"{site}/desk/account/factor/")
    off = page.locator("form", has=page.get_by_role("heading", name="Turn it off"))
    off.get_by_role("button", name="Use a passkey").click()
    expect(off.get_by_label("Present password")).to_be_focused()
    off.get_by_label("Present password").fill(PASSWORD)
    off.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("The second factor is turned off")).to_be_visible()
    assert said == []


def test_cancelled_or_copied_it_says_so(page: Page, person: User, site: str) -> None:
    call = with_device(page)
    sign_in(page, site)
    page.goto(f"{site}/desk/account/passkeys/add/")
    make_passkey(page, "my phone")
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    sign_out(page, site)
    sign_in(page, site)
    call("setUserVerified", isUserVerified=False)
    credential = call("getCredentials")["credentials"][0]
    call("clearCredentials")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("cancelled or took too long")
    expect(page.get_by_role("button", name="Use a passkey")).to_be_focused()
    call("setUserVerified", isUserVerified=True)
    call("addCredential", credential=credential | {"signCount": 50})
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/desk/")
    sign_out(page, site)
    sign_in(page, site)
    call("clearCredentials")
    call("addCredential", credential=credential | {"signCount": 7})
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("The counter of this passkey went back")).to_be_visible()


def test_a_bare_address_offers_none(page: Page, person: User, live_server: LiveServer) -> None:
    sign_in(page, str(live_server))
    page.goto(f"{live_server}/desk/account/factor/")
    expect(page.get_by_text("Passkeys are not offered at this address")).to_be_visible()
    expect(page.get_by_role("link", name="Use a passkey instead")).to_have_count(0)


@pytest.mark.parametrize("look", LOOKS, ids=[look[0] for look in LOOKS])
def test_their_pages_fit(
    browser: Browser,
    person: User,
    site: str,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    look: tuple[str, int, int, str, str],
) -> None:
    name, width, height, language, theme = look
    context: BrowserContext = browser.new_context(viewport={"width": width, "height": height})
    try:
        page = enter(Actor(user=person), into=context, language=language, theme=theme)
        cookies = [{"name": one["name"], "value": one["value"], "url": site} for one in context.cookies()]
        context.add_cookies(cookies)  # type: ignore[arg-type]
        with_device(page)

        def look_at(shot: str) -> None:
            _fits(page)
            screenshot(page, f"passkey-{shot}-{name}", full_page=True)

        page.goto(f"{site}/desk/account/factor/")
        look_at("instead")
        page.locator("a[href*='passkeys/add']").click()
        expect(page.locator("#id_name")).to_be_visible()
        look_at("add")
        page.locator("#id_name").fill("A very long name of a phone, with its maker, colour and year")
        page.locator("[data-passkey]").click()
        expect(page.locator(".recovery-codes li")).to_have_count(10)
        page.goto(f"{site}/desk/account/factor/")
        look_at("state")
        page.locator("#passkeys a.btn").click()
        page.locator("#id_name").fill("again")
        page.locator("[data-passkey]").click()
        expect(page.get_by_role("alert")).to_be_visible()
        look_at("there")
        page.goto(f"{site}/desk/account/factor/")
        some_time_passes()
        page.locator("#passkeys form button").click()
        expect(page.locator("[data-passkey]")).to_be_visible()
        look_at("proof")
        sign_out(page, site)
        sign_in(page, site)
        expect(page.locator("[data-passkey]")).to_be_visible()
        look_at("asked")
    finally:
        context.close()
