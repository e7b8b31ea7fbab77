"""Roll call, own codes, and the clock of a round, in a real browser and in Chinese."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from referee.table.places import PREFIX
from tests.browser.pages import phone_context
from tests.referee.table.places import hall, token_of
from tournaments.ledger.codes import entrant_code_text
from tournaments.models import CheckIn, Match, Round, Ruling, Stage
from tournaments.people import attendance
from tournaments.rounds.acts import extend_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall

MINUTE = timedelta(minutes=1)


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    made = phone_context(browser, language="zh")
    yield made
    made.close()


def timed(here: Hall, *, left: timedelta, warning: int = 5) -> None:
    """The round as it runs with so much time left."""
    now = timezone.now()
    Stage.objects.filter(pk=here.stage.pk).update(plan={"warning": warning})
    Round.objects.filter(pk=here.round.pk).update(started_at=now + left - 40 * MINUTE, ends_at=now + left)


def test_the_roll_is_called_and_a_pair_checks_in_itself(
    live_server: LiveServer, phone: BrowserContext, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    here = hall(tables=8)
    timed(here, left=33 * MINUTE)
    here.event.entrants.filter(number=12).update(name="高峰")
    page = enter(here.chief, into=phone, language="zh-hans")
    page.goto(f"{live_server}/desk/{here.event.slug}/attendance/?round=1")
    rows = page.locator("[data-roll-row]")
    expect(rows).to_have_count(16)
    expect(page.locator("#roll-count")).to_have_text("已到 2 / 16")  # table 1 has its phones

    page.locator("[data-roll-find]").fill("GF")
    expect(page.locator("[data-roll-row]:visible")).to_have_count(1)
    page.locator("[data-roll-find]").fill("12")
    expect(page.locator("[data-roll-row]:visible")).to_have_count(1)
    page.locator("[data-roll-find]").press("Enter")  # a search, and nothing else
    page.wait_for_timeout(300)
    assert not CheckIn.objects.exists()
    expect(page.locator("[data-roll-row]:visible")).to_have_count(1)
    page.locator("#e-12 button").tap()
    expect(page.locator("#e-12")).to_have_class("there")
    expect(page.locator("#roll-count")).to_have_text("已到 3 / 16")
    page.locator("[data-roll-find]").fill("")
    page.locator("#e-12 button", has_text="撤销").tap()
    expect(page.locator("#roll-count")).to_have_text("已到 2 / 16")  # table 1 has its phones

    codes = attendance.issue_entrant_codes(tournament_id=here.event.pk, actor=here.chief, at=timezone.now())
    own = phone.new_page()
    own.goto(f"{live_server}/me/{entrant_code_text(codes[2])}/")
    assert own.url.endswith("/me/")
    expect(own.locator("h1")).to_contain_text("3 Pair 3")
    own.get_by_role("button", name="我们到了").tap()
    expect(own.locator(".notice.ok")).to_contain_text("已签到")
    screenshot(own, "own-code-zh")
    # the desk sees it without asking
    expect(page.locator("#e-3")).to_have_class("there")
    expect(page.locator("#e-3")).to_contain_text("用签到码签到")
    assert CheckIn.objects.get(round=here.round, undone_at=None).noted_by is None

    late = page.locator("#late")
    expect(late).to_contain_text("未到，已过 7 分钟")
    screenshot(page, "roll-call-zh")
    late.locator("span.spread", has_text="Pair 4").get_by_role("button", name="提出处罚").tap()
    expect(page.locator("#late")).to_contain_text("已在判罚记录中")
    ruling = Ruling.objects.get()
    assert (ruling.facts, ruling.side) == ({"irregularity": "late", "minutes": 7}, "EW")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_clock_warns_and_both_sides_end_the_match(
    live_server: LiveServer, browser: Browser, screenshot: Callable[..., Path]
) -> None:
    here = hall()
    timed(here, left=4 * MINUTE)
    phones: list[Page] = []
    said: list[str] = []
    for actor in (here.ns, here.ew):
        context = phone_context(browser, language="zh")
        name = PREFIX + actor.device.public_id
        context.add_cookies([{"name": name, "value": token_of(actor.device), "url": live_server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{live_server}/table/{actor.device.public_id}/")
        phones.append(page)
    north, east = phones
    expect(north.locator(".table-clock .clock.warning")).to_contain_text("快到时了")
    expect(north.locator("[data-clock-mirror]")).to_have_text(re.compile(r"^\s*3:\d\d\s*$"))
    expect(north.get_by_role("button", name="对局结束")).to_be_hidden()
    screenshot(north, "clock-warning-zh")

    extend_round(round_id=here.round.pk, actor=here.chief, at=timezone.now(), minutes=-4)
    expect(north.locator(".table-clock .clock.over")).to_contain_text("时间到：打完这副")
    screenshot(north, "clock-over-zh")
    north.get_by_role("button", name="对局结束").tap()
    expect(north.locator(".table-clock form")).to_contain_text("还要东西方同意")
    expect(east.locator(".table-clock form")).to_contain_text("南北方说对局已经结束")
    east.get_by_role("button", name="是的，对局结束").tap()
    expect(north.locator("#view")).to_have_attribute("data-kind", "finished")
    assert Match.objects.get().outcome == "played"
    assert said == []
    for page in phones:
        page.context.close()


def test_the_hall_sees_the_clock_stop_and_go_on(
    live_server: LiveServer, browser: Browser, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    here = hall(tables=2)
    timed(here, left=20 * MINUTE)
    board = enter(here.chief)
    board.goto(f"{live_server}/desk/{here.event.slug}/")
    beamer = browser.new_context(viewport={"width": 1920, "height": 1080})
    wall = beamer.new_page()
    wall.goto(f"{live_server}/zh/e/{here.event.slug}/screen/?show=clock")
    expect(wall.locator(".slide .clock.running")).to_contain_text("19:")
    board.get_by_text("Stop the clock", exact=True).click()
    board.get_by_label("Reason, shown in the history").fill("fire alarm")
    board.get_by_role("button", name="Stop the clock now").click()
    expect(board.locator(".clock.stopped")).to_contain_text("The clock is stopped")
    expect(wall.locator(".clock.stopped:visible").first).to_contain_text("计时已停")
    screenshot(board, "desk-clock-stopped")
    board.get_by_role("button", name="Let the clock go on").click()
    expect(board.locator(".clock.running")).to_be_visible()
    extend_round(round_id=here.round.pk, actor=here.chief, at=timezone.now(), minutes=-30)
    expect(wall.locator(".clock.over:visible").first).to_contain_text("时间到：打完这副")
    screenshot(wall, "hall-clock-over-zh")
    beamer.close()


def test_nothing_at_the_desk_is_wider_than_the_screen(
    live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    """The board, a table, the entrants and the roll call with everything folded out, in both languages."""
    here = hall(tables=3)
    timed(here, left=3 * MINUTE)
    slug = here.event.slug
    for language in ("en", "zh-hans"):
        for name, path in (
            ("board", ""),
            ("table", "rounds/1/tables/1/"),
            ("entrants", "entrants/"),
            ("entrant", "entrants/1/"),
            ("attendance", "attendance/?round=1"),
        ):
            page = enter(here.organiser, language=language)
            page.goto(f"{live_server}/desk/{slug}/{path}")
            for details in page.locator("main details > summary").all():
                details.click()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, language)
            screenshot(page, f"e-{name}-{language}", full_page=True)
            page.close()
