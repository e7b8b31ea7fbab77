"""Stages in a real browser, in Chinese: groups and a crossed knockout from the preset to the groups in public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pages import DESK
from tests.tournaments import factories
from tournaments.acts.admission import Actor
from tournaments.models import Stage, Tournament
from tournaments.standings.runs import recalculate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

LOOKS = [("phone-dark", 320, "dark"), ("desktop-light", 1280, "light")]


def test_groups_then_a_crossed_knockout_from_the_preset(
    live_server: LiveServer, browser: Browser, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    director = Actor(user=factories.user("organiser"))
    # without scripts: every step is a plain form
    plain = browser.new_context(java_script_enabled=False, viewport=DESK)
    page = enter(director, into=plain, language="zh-hans")
    page.goto(live_server + "/desk/new/")
    page.get_by_label("分组循环加交叉淘汰，双人").check(force=True)
    page.get_by_label("名称", exact=True).fill("教工双升")
    page.get_by_label("网址短名", exact=True).fill("jiaogong")
    page.get_by_label("日期").fill("2026-05-16")
    page.get_by_role("button", name="创建赛事").click()
    event = Tournament.objects.get(slug="jiaogong")
    for number in range(1, 17):
        factories.entrant(event, number)

    page.get_by_role("link", name="设置").click()
    expect(page.locator(".stage-card")).to_have_count(2)
    expect(page.get_by_text("每组前 2 名出线").first).to_be_visible()

    # the chain of tie-breaks, moved by buttons; nothing is saved before Save
    page.locator(".stage-card").first.get_by_role("link", name="修改").click()
    page.get_by_label("要加的小分项").select_option("net_levels")
    page.locator("#chain").get_by_role("button", name="添加").click()
    page.get_by_role("button", name="净级上移").click()
    expect(page.locator(".chain-picker b")).to_have_text(["场分", "同分者间场分", "净级", "加赛", "抽签"])
    page.get_by_role("button", name="抽签上移").click()
    page.get_by_role("button", name="保存").last.click()
    expect(page.locator("#chain [role=alert]")).to_contain_text("抽签")
    page.get_by_role("button", name="抽签下移").click()
    page.get_by_label("每轮分钟").fill("45")
    page.get_by_role("button", name="保存").last.click()
    expect(page.locator(".stage-card").first).to_contain_text("每轮 45 分钟")
    assert Stage.objects.get(tournament=event, number=1).chain == [
        "points", "mini_group", "net_levels", "extra_match", "lots",
    ]  # fmt: skip

    page.locator(".stage-card").first.get_by_role("link", name="开始").click()
    expect(page.locator(".field-list")).to_have_count(8)
    foreseen = page.locator(".field-list").all_inner_texts()
    page.get_by_role("button", name="开始本阶段").click()
    expect(page.get_by_text("第 1 阶段已开始。")).to_be_visible()
    assert page.locator(".field-list").all_inner_texts() == foreseen

    recalculate(tournament_id=event.pk, at=factories.AT)
    page.goto(f"{live_server}/zh/e/jiaogong/")
    expect(page.locator(".stage-picture")).to_have_count(2)
    page.goto(f"{live_server}/desk/jiaogong/standings/")
    expect(page.get_by_role("heading", name="第 8 组")).to_be_visible()

    for name, width, theme in LOOKS:
        for step in ("/desk/new/", "setup/", "stages/1/", "stages/2/", "stages/1/begin/", "standings/"):
            look = enter(director, language="zh-hans", theme=theme)
            look.set_viewport_size({"width": width, "height": 900})
            address = step if step.startswith("/") else f"/desk/jiaogong/{step}"
            look.goto(live_server + address)
            wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            assert not look.evaluate(wide), (name, step)
            screenshot(look, f"stages-{name}-{address.strip('/').replace('/', '-')}", full_page=True)
            look.close()
    plain.close()
