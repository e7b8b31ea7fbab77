"""The page *Running* left open: a part that goes and comes back is told without a touch, in Chinese and on a phone."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from celery import current_app
from django.core.cache import cache
from playwright.sync_api import expect

from referee.running import signs
from tests.browser.pages import PHONE, phone_context
from tests.referee.table.places import hall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page
    from pytest_django.fixtures import Settings

    from tests.conftest import LiveServer

VISIBLE = 15_000  # milliseconds
QUEUES = ("celery", "long", "webhooks", "wake")


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    made = phone_context(browser, language="zh")
    yield made
    made.close()


def test_what_goes_and_comes_back_is_told_by_itself(
    live_server: LiveServer,
    phone: BrowserContext,
    enter: Callable[..., Page],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # nobody is really at work here: signs stay fresh until they are taken away
    monkeypatch.setattr(signs, "SILENCE_SECONDS", 3600.0)
    here = hall()
    with current_app.connection_for_write() as connection:
        for queue in QUEUES:
            connection.default_channel.queue_purge(queue)
    page = enter(here.organiser, into=phone, language="zh-hans")
    for name in (*map(signs.of_queue, QUEUES), signs.BEAT):
        signs.leave(name)
    page.goto(f"{live_server}/desk/{here.event.slug}/setup/")
    page.locator("#copies .btn").first.tap()
    expect(page.locator("h1")).to_have_text("运行情况")
    first = page.locator("[data-key=first]")
    expect(first).to_have_text("一切正常。")
    expect(first).to_have_class("notice ok")

    cache.delete(f"alive:{signs.of_queue('celery')}")
    expect(first).to_have_text("不正常：实时名次的后台。", timeout=VISIBLE)
    expect(first).to_have_class("notice bad")
    gone = page.locator(f"[data-key={signs.of_queue('celery')}]")
    expect(gone.locator(".pill.bad")).to_have_text("从未收到信号")
    expect(gone.locator("small")).to_contain_text("照常保存每一副")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    signs.leave(signs.of_queue("celery"))
    expect(first).to_have_text("一切正常。", timeout=VISIBLE)

    with socket.create_server(("127.0.0.1", 0)) as silent:  # a Redis that takes a question and never answers
        known, settings.REDIS_URL = settings.REDIS_URL, f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        expect(first).to_have_text("不正常：消息（Redis）。", timeout=VISIBLE)
        settings.REDIS_URL = known
    expect(first).to_have_text("一切正常。", timeout=VISIBLE)
