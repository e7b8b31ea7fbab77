"""An organiser changes the rules between two rounds, in a real browser: on a phone in Chinese, at a desk in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, PHONE
from tests.tournaments import playing
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page, ViewportSize

    from tests.conftest import LiveServer


@pytest.mark.parametrize(
    ("size", "language", "theme", "words"),
    [
        (PHONE, "zh-hans", "dark", {
            "open": "改规则", "option": "条目 1", "value": "取值 1", "line": "上台分", "look": "看影响",
            "reason": "原因",
            "propose": "提出这项变更", "apply": "按新规则执行", "table": "第 1 轮 1 桌",
        }),
        (DESK, "en", "light", {
            "open": "Change the rules", "option": "Rule 1", "value": "Value 1", "line": "points to take the deal",
            "look": "See what it changes", "reason": "Reason", "propose": "Propose this change",
            "apply": "Apply the new rules", "table": "Round 1, table 1",
        }),
    ],
    ids=["phone-zh", "desk-en"],
)  # fmt: skip
def test_changing_the_rules_between_rounds(
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    size: ViewportSize,
    language: str,
    theme: str,
    words: dict[str, str],
) -> None:
    of = playing.event(8)
    of.play(of.running((1, 2), (3, 4), (5, 6), (7, 8)), [60, 35], [35, 85, 120], [0], [45, 10])
    page = enter(of.actor, language=language, theme=theme)
    page.set_viewport_size(size)
    name = f"rule-change-{language}"

    page.goto(live_server + f"/desk/{of.tournament.slug}/setup/")
    page.get_by_role("link", name=words["open"]).click()
    page.get_by_label(words["option"], exact=True).select_option(label=words["line"])
    page.get_by_label(words["value"], exact=True).fill("40")
    page.get_by_role("button", name=words["look"]).click()
    expect(page.get_by_role("heading", name=words["table"], exact=True)).to_be_visible()
    screenshot(page, f"{name}-look", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    page.get_by_label(words["reason"], exact=True).fill("规程写的是四十分")
    page.get_by_role("button", name=words["propose"]).click()
    expect(page.get_by_role("button", name=words["apply"])).to_be_visible()
    screenshot(page, f"{name}-proposed", full_page=True)
    page.get_by_role("button", name=words["apply"]).click()
    expect(page.get_by_role("button", name=words["apply"])).to_have_count(0)
    screenshot(page, f"{name}-applied")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert Tournament.objects.get().profile_spec == {"base": "cn-national-2d", "set": {"threshold": 40}}
