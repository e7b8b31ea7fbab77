"""Language, theme and suits: a plain form, a cookie, back to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client, RequestFactory, override_settings
from django.utils import translation

from referee.parts.views import preference_of
from tests.markup import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("_own_addresses")


@pytest.fixture
def _own_addresses() -> Iterator[None]:
    with override_settings(ROOT_URLCONF="tests.referee.parts.urls"):
        yield


@pytest.mark.parametrize(
    ("preference", "to", "next_page", "status", "back"),
    [
        ("language", "zh-hans", "/table/", 302, "/table/"),
        ("language", "en", "/zh/e/cup/?q=1", 302, "/en/e/cup/?q=1"),
        ("theme", "dark", "/zh/e/cup/", 302, "/zh/e/cup/"),
        ("suits", "four", "/", 302, "/"),
        ("theme", "dark", "https://elsewhere.example/", 302, "/"),
        ("theme", "dark", "//elsewhere.example/", 302, "/"),
        ("theme", "dark", "javascript:alert(1)", 302, "/"),
        ("theme", "pink", "/", 400, None),
        ("language", "de", "/", 400, None),
        ("shoes", "dark", "/", 400, None),
    ],
)
def test_a_choice_is_kept_and_the_page_comes_back(
    client: Client, preference: str, to: str, next_page: str, status: int, back: str | None
) -> None:
    answer = client.post(f"/preferences/{preference}/", {"to": to, "next": next_page})
    assert answer.status_code == status
    if back is None:
        assert not answer.cookies
        return
    assert answer["Location"] == back
    cookie = answer.cookies[settings.LANGUAGE_COOKIE_NAME if preference == "language" else preference]
    assert (cookie.value, cookie["samesite"]) == (to, "Lax")
    # a look is set by the browser, on pages that are the same for everybody
    assert bool(cookie["httponly"]) == (preference == "language")


def test_reading_sets_nothing(client: Client) -> None:
    assert client.get("/preferences/theme/").status_code == 405
    assert not client.get("/style/").cookies


def test_the_root_carries_the_choices(client: Client) -> None:
    client.cookies["theme"] = "dark"
    client.cookies["suits"] = "four"
    page = client.get("/style/").content.decode()
    assert '<html lang="en" data-theme="dark" data-suits="four"' in page


@pytest.mark.parametrize("value", ["", "pink", '"><script>'])
def test_a_cookie_of_nonsense_is_the_default(value: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = value
    assert preference_of(request, "theme") == "auto"
    assert preference_of(None, "suits") == "two"


def test_a_page_with_its_language_in_the_address_links_to_the_other(client: Client) -> None:
    page = flat(client.get("/en/style/?q=1").content.decode())
    assert 'href="/zh/style/?q=1" lang="zh-Hans" hreflang="zh-Hans"' in page


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "415"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("with_request", [True, False])
def test_error_pages_stand_without_help(name: str, language: str, with_request: bool) -> None:
    from django.template import loader

    with translation.override(language):
        page = loader.get_template(f"{name}.html").render(request=RequestFactory().get("/x/") if with_request else None)
    assert page.count("<h1") == 1
    assert ("没有" in page) == (language == "zh-hans")
