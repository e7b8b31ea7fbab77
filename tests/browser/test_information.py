"""Illegal information from the adjudicator to a ruling with its evidence, on a phone; who declares at a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_desk import PHONE
from tests.tournaments import factories
from tests.tournaments.factories import sheet
from tests.tournaments.test_scorekeeping import play
from tournaments.models import Ruling

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser]


def test_a_pause_that_told_something_is_ruled_on_with_its_evidence(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    here = factories.hall(profile="scn2-2013")
    play(here, sheet(35))
    page = enter(here.chief, language="zh-hans")
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server}/zh/adjudicator/information/?event={here.event.slug}")
    page.get_by_label("方式").select_option("tempo")
    expect(page.get_by_role("heading", name="非法信息。")).to_be_visible()
    screenshot(page, "information-phone", full_page=True)
    page.get_by_role("link", name="据此判罚").click()
    page.get_by_label("桌").select_option("1.1")
    page.get_by_role("radio", name="南北方").check(force=True)
    page.get_by_label("报告人").fill("1 号桌东家")
    page.get_by_label("所见情况").fill("出牌前停顿一分钟")
    page.get_by_role("button", name="看规则怎么说").click()
    expect(page.get_by_text("非法信息（快慢张）：警告").first).to_be_visible()
    screenshot(page, "information-ruling-phone", full_page=True)
    page.get_by_role("button", name="立即这样决定").click()
    expect(page.get_by_text("出牌前停顿一分钟")).to_be_visible()
    screenshot(page, "information-ruled-phone", full_page=True)
    ruling = Ruling.objects.get()
    assert (ruling.clause, ruling.penalty) == ("penalty.illegal_information.tempo", {"unit": "warning"})


def test_the_partner_names_the_suit_when_nobody_declares(
    transactional_db: None, live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    page = enter(factories.hall().chief)
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server}/en/adjudicator/declare/?profile=cn-national-2d&dealer=S&act1=pass&act2=pass&act3=pass")
    expect(page.get_by_role("heading", name="East may declare or pass.")).to_be_visible()
    page.locator("#f-act4").select_option("pass")
    expect(page.get_by_role("heading", name="North names the trump suit.")).to_be_visible()
    page.locator("#f-act5").select_option("=D")
    expect(page.get_by_role("heading", name="Trumps: diamonds.")).to_be_visible()
    screenshot(page, "declare-phone", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})
    screenshot(page, "declare-desktop", full_page=True)
