"""A whole event from its file in a real browser: what the file holds, taken, without a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.tournaments.test_audit import played
from tests.tournaments.test_event_imports import export_of, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.conftest import LiveServer


@pytest.mark.usefixtures("celery_worker")
def test_a_file_is_sent_checked_and_taken(live_server: LiveServer, enter: Callable[..., Page]) -> None:
    made = played()
    data = export_of(made)
    broken = json.loads(data)
    broken["matches"][2]["number"] = "three"
    page = enter(made.actor, language="zh-hans")
    page.set_viewport_size({"width": 360, "height": 740})
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))

    def send(content: bytes) -> None:
        page.goto(f"{live_server}/desk/import/")
        page.locator("#id_file").set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": content})
        page.locator("#id_slug").fill("kept")
        page.get_by_role("button", name="看看会怎样").click()
        page.wait_for_url("**/desk/import/*/")

    # what is wrong is named with its place, and then the page asks no more
    send(written(broken))
    expect(page.get_by_text("matches[2].number")).to_be_visible()
    before = len(asked)
    page.wait_for_timeout(3_500)
    assert len(asked) == before

    send(data)
    expect(page.get_by_text(json.loads(data)["digest"])).to_be_visible()
    page.get_by_role("button", name="导入").click()
    page.get_by_role("link", name="进入赛事").click()
    page.wait_for_url("**/desk/kept/standings/")
    assert not any("/live/event" in one for one in asked[:before])
