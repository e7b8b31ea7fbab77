"""What the tests of pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.tournaments.factories import signed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext, Page
    from pytest_django.fixtures import SettingsWrapper

    from tests.conftest import LiveServer
    from tournaments.acts.admission import Actor

#: Milliseconds in which a page comes to what is expected of it: a busy machine takes its time.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def _worker(request: pytest.FixtureRequest, settings: SettingsWrapper) -> None:
    """A worker of the pages stands between them and what a test does with their requests: only who asks for it
    (``@pytest.mark.usefixtures("offline_pages")``) has it."""
    settings.OFFLINE = "offline_pages" in request.fixturenames


@pytest.fixture
def offline_pages() -> None:
    """The pages of this test install their worker."""


@pytest.fixture
def enter(context: BrowserContext, live_server: LiveServer) -> Iterator[Callable[..., Page]]:
    """``enter(actor, into=context, language="zh-hans", theme="dark")``: a page of somebody who has signed in, in the
    test's own browser or in another context; language and theme as the reader's cookies have them. A script error on
    any such page fails the test at its end: raised where it happens, it would end the browser of all tests after."""
    said: list[str] = []

    def open_page(
        actor: Actor, *, into: BrowserContext | None = None, language: str = "en", theme: str = "light"
    ) -> Page:
        session = signed_in(actor).cookies["sessionid"].value
        cookies = {"sessionid": session, "django_language": language, "theme": theme}
        reader = into or context
        reader.add_cookies([{"name": name, "value": value, "url": str(live_server)} for name, value in cookies.items()])
        page = reader.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        return page

    yield open_page
    assert said == []
