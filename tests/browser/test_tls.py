"""A phone at a laptop that speaks TLS by its own authority: with https the pages of the table open without network."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import expect

from tests.browser.test_offline import INSTALLED, keeps
from tests.browser.test_second_factor import LOOKS, _fits
from tests.foundations.test_tls import laptop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, str, Path]]:
    """The plain address, the secure one, the code of a table card, and the authority's folder."""
    data = tmp_path_factory.mktemp("tls")
    with laptop(data, TLS="own") as (_, plain, secure, line):
        said = ""
        while "Stop it" not in said:
            said += line()
        card = re.search(r"https://\S+/t/\S+", said)
        assert card, said
        yield plain, secure, card[0], data / "authority"


def spki(certificate: Path) -> str:
    key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    return b64encode(
        hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    ).decode()


def test_the_table_opens_without_network(
    browser: Browser,
    browser_type_launch_args: dict[str, Any],
    hall: tuple[str, str, str, Path],
) -> None:
    plain, secure, card, folder = hall
    trusted = f"--ignore-certificate-errors-spki-list={spki(folder / 'laptop.pem')}"
    arguments = [*browser_type_launch_args["args"], trusted]
    trusting = browser.browser_type.launch(**browser_type_launch_args | {"args": arguments})
    phone = trusting.new_context(viewport={"width": 390, "height": 844}, locale="en")
    try:
        page = phone.new_page()
        page.goto(f"{plain}/")
        expect(page.get_by_role("heading", name="Trust this laptop")).to_be_visible()
        assert page.evaluate("isSecureContext")  # loopback always is; an address of a hall by https alone
        page.get_by_role("link", name="Open the secure address").click()
        page.wait_for_url(f"{secure}/**")
        page.goto(card)
        page.locator("button.go.wide").click()
        page.wait_for_url("**/table/**")
        keeps(page, re.sub(r"^https://[^/]+", "", page.url).partition("?")[0])
        assert page.evaluate(INSTALLED) == 1
        cookies = {one["name"]: one for one in phone.cookies(secure)}
        assert all(one["secure"] for name, one in cookies.items() if name.startswith("__Host-"))
        phone.set_offline(True)
        page.reload()
        expect(page.locator("#kept")).to_be_visible()
    finally:
        trusting.close()


def test_who_does_not_trust_it_is_warned(browser: Browser, hall: tuple[str, str, str, Path]) -> None:
    stranger = browser.new_context()
    try:
        with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
            stranger.new_page().goto(hall[1])
    finally:
        stranger.close()


@pytest.mark.parametrize("look", LOOKS, ids=[look[0] for look in LOOKS])
def test_the_page_fits(
    browser: Browser,
    hall: tuple[str, str, str, Path],
    screenshot: Callable[..., Path],
    look: tuple[str, int, int, str, str],
) -> None:
    name, width, height, language, theme = look
    context = browser.new_context(viewport={"width": width, "height": height})
    try:
        context.add_cookies([{"name": "theme", "value": theme, "url": hall[0]}])
        page = context.new_page()
        page.goto(f"{hall[0]}/{'zh' if language == 'zh-hans' else 'en'}/trust/")
        _fits(page)
        screenshot(page, f"trust-{name}", full_page=True)
    finally:
        context.close()
