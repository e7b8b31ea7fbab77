"""A regulation in a real browser, in Chinese: a knockout by draw numbers, from the file of entrants to certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.browser.pages import DESK, GUARD, Phone, phone_context, play_hand
from tests.events.regulations import HallClock, entrants_csv, hall_clock
from tests.tournaments import factories
from tournaments.exchange.codes import party_code_text
from tournaments.models import Match, PartyCode, Sitting, SittingPhase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

__all__ = ["hall_clock"]

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def desk(live_server: LiveServer, browser: Browser, hall_clock: HallClock) -> Page:
    """The only official's page, in Chinese."""
    client = Client()
    client.force_login(factories.user("organiser"), backend="django.contrib.auth.backends.ModelBackend")
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(15_000)
    cookies = {"sessionid": client.cookies["sessionid"].value, "django_language": "zh-hans"}
    context.add_cookies([{"name": name, "value": value, "url": str(live_server)} for name, value in cookies.items()])
    return context.new_page()


def test_a_knockout_by_draw_numbers(
    celery_worker: None,
    live_server: LiveServer,
    browser: Browser,
    desk: Page,
    hall_clock: HallClock,
    screenshot: Callable[..., Path],
) -> None:
    def shot(page: Page, name: str) -> None:
        screenshot(page, f"regulation-{name}", full_page=True)

    here = f"{live_server}/desk/xiada/"
    _create(desk, live_server, shot)
    desk.goto(f"{here}stages/1/begin/")
    desk.get_by_role("button", name="开始本阶段").click()
    expect(desk.get_by_text("第 1 阶段已开始。")).to_be_visible()
    shot(desk, "begun")

    # round 1: whoever is late has lost; equal levels go to the lots committed before play
    _draw(desk, here, 1, shot)
    late, level = Sitting.objects.order_by("table__number")
    late_phone = _phones(browser, live_server, late, "EW")
    phones = _phones(browser, live_server, level, "NS", "EW")
    hall_clock.minutes(2)
    desk.goto(f"{here}attendance/?round=1")
    shot(desk, "late")
    desk.locator("form[action$='/attendance/late/'] button").first.click()
    desk.goto(f"{here}rulings/1/")
    desk.locator("form[action$='/decide/'] button").first.click()
    expect(desk.locator("main")).to_contain_text("该场判负")
    shot(desk, "ruled")
    late_phone["EW"].turns_to("finished")
    shot(late_phone["EW"].page, "phone-won")
    _hand(phones, "NS", "N", 85)
    _end(hall_clock, phones, level, shot)
    desk.goto(f"{here}rounds/1/tables/2/")
    shot(desk, "undecided")
    decide = desk.locator("form[action$='/decide/']")
    decide.locator("[name=reason]").fill("同级，按赛前公布的抽签")
    decide.get_by_role("button").first.click()
    assert Match.objects.get(pk=level.match_id).decided_by == "lots"
    shot(desk, "by-lots")
    _close(desk, here)

    # rounds 2 and 3: the highest number rests, unless it has rested before
    for number in (2, 3):
        _draw(desk, here, number, shot)
        sitting = Sitting.objects.get(round__number=number)
        phones = _phones(browser, live_server, sitting, "NS", "EW")
        _hand(phones, "NS", "N", 35)
        _end(hall_clock, phones, sitting, shot)
        _close(desk, here)

    desk.goto(f"{here}standings/publish/")
    desk.locator("input#round").fill("3")
    shot(desk, "publish")
    desk.locator("button[data-main-act]").click()
    desk.wait_for_url("**/publications/1/")
    shot(desk, "published")
    for name, address in (("event", ""), ("bracket", "standings/"), ("standings", "standings/1/")):
        desk.goto(f"{live_server}/zh/e/xiada/{address}")
        shot(desk, f"public-{name}")
    phone = phone_context(browser, language="zh").new_page()
    phone.goto(f"{live_server}/zh/e/xiada/standings/1/")
    shot(phone, "public-phone")
    desk.goto(f"{live_server}/zh/e/xiada/certificate/")
    expect(desk.locator("main")).to_contain_text("重算一致")
    shot(desk, "certificate")


def _create(desk: Page, server: LiveServer, shot: Callable[[Page, str], None]) -> None:
    """The event from its preset, and five pairs from a file that is looked at first."""
    desk.goto(f"{server}/desk/new/")
    desk.get_by_label("三轮淘汰赛按签号编排，双人").check(force=True)
    desk.get_by_label("名称", exact=True).fill("教职工八十分")
    desk.get_by_label("网址", exact=True).fill("xiada")
    desk.get_by_label("日期").fill("2026-11-07")
    desk.locator("[name=single_official]").check(force=True)
    desk.get_by_role("button", name="创建赛事").click()
    desk.goto(f"{server}/desk/xiada/entrants/import/")
    file = {"name": "名单.csv", "mimeType": "text/csv", "buffer": entrants_csv(5)}
    desk.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    desk.locator("form[enctype] button").click()
    shot(desk, "dry-run")
    desk.locator("form:has([name=rows]) button").click()
    expect(desk.get_by_text("已导入")).to_be_visible()
    shot(desk, "entrants")


def _draw(desk: Page, here: str, number: int, shot: Callable[[Page, str], None]) -> None:
    """The next round by the buttons: new, draw, publish, cards, start."""
    desk.goto(f"{here}rounds/")
    desk.locator("button[data-shortcut=pair]").click()
    desk.locator("#draw button").click()
    expect(desk.locator("form[action$='/publish/'] button")).to_be_visible()
    shot(desk, f"draw-{number}")
    desk.locator("form[action$='/publish/'] button").click()
    with desk.expect_download():
        desk.locator("form[action$='/cards/'] button").click()
    desk.locator("form[action$='/start/'] button").click()
    expect(desk.locator("form[action$='/close/'] button")).to_be_visible()
    shot(desk, f"board-{number}")


def _phones(browser: Browser, server: LiveServer, sitting: Sitting, *sides: str) -> dict[str, Phone]:
    context = phone_context(browser, language="zh")
    codes = PartyCode.objects.filter(table=sitting.table, side__in=sides, revoked_at=None).select_related("table")
    return {code.side: Phone(context, server, party_code_text(code), "zh") for code in codes}


def _hand(phones: dict[str, Phone], by: str, dealer: str, captured: int) -> None:
    """The first hand of a match, its deal contested."""
    line = {"kind": "hand", "entered_by": by, "dealer": dealer, "trump": "H", "captured_in_tricks": captured}
    play_hand(phones, {**line, "last_trick_winner": "dealer"}, 1)


def _end(clock: HallClock, phones: dict[str, Phone], sitting: Sitting, shot: Callable[[Page, str], None]) -> None:
    """Time passes; both sides say on their phones that the match is over."""
    clock.minutes(61)
    for side in ("NS", "EW"):
        page = phones[side].page
        page.reload()
        expect(page.locator("form[action$='/over/'] button")).to_be_visible()
        shot(page, f"over-{side}")
        _say_over(page)
    for phone in phones.values():
        phone.turns_to("finished")
        assert phone.errors == []
    shot(phones["NS"].page, "phone-finished")
    sitting.refresh_from_db()
    assert sitting.phase == SittingPhase.FINISHED


def _say_over(page: Page) -> None:
    """Tap until it is said: a page that has just turned, because the other side said something, takes no tap."""
    button = page.locator("form[action$='/over/'] button")
    for _tap in range(5):
        page.wait_for_timeout(GUARD)
        if button.count() == 0:
            return
        button.tap()
    expect(button).to_have_count(0)


def _close(desk: Page, here: str) -> None:
    desk.goto(here)
    desk.locator("form[action$='/close/'] button").click()
    expect(desk.locator("form[action$='/close/'] button")).to_have_count(0)
