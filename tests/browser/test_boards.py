"""A match on boards in Chinese: two rooms with two phones each, the desk adjusts a board, the public page compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.pages import Phone, phone_context, play_hand
from tests.tournaments.playing import event
from tournaments.ledger import devices
from tournaments.ledger.codes import party_code_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(720)]

STAGE = {"format": "dup_teams", "match_score": "mp_210", "tie_rule": "draw", "minutes": None, "rounds_planned": 3,
         "chain": ["points", "opponents", "head_to_head", "board_points", "lots"], "plan": {"boards": 2}}  # fmt: skip

#: Table, who enters, who deals, attackers' points; the closed room plays board 2 first.
HANDS = [
    (1, "NS", "N", 35),
    (1, "EW", "W", 60),
    (2, "NS", "W", 60),
    (2, "EW", "N", 85),
]


def test_a_match_in_two_rooms(
    transactional_db: None,
    celery_worker: None,
    live_server: LiveServer,
    browser: Browser,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
) -> None:
    made = event(2, language="zh-hans", stage=STAGE)
    made.running((1, 2))
    codes = devices.issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=timezone.now())
    context = phone_context(browser, language="zh")
    phones: dict[int, dict[str, Phone]] = {1: {}, 2: {}}
    for code in codes:
        phones[code.table.number][code.side] = Phone(context, live_server, party_code_text(code), "zh")
    numbers = {1: 0, 2: 0}
    for table, side, dealer, captured in HANDS:
        numbers[table] += 1
        if numbers[table] == 1:
            page = phones[table]["NS"].page
            expect(page.locator(".board-no")).to_contain_text(str(table))
            screenshot(page, f"boards-phone-{table}", full_page=True)
        line = {"kind": "hand", "entered_by": side, "dealer": dealer, "trump": "H", "captured_in_tricks": captured}
        play_hand(phones[table], {**line, "last_trick_winner": "dealer"}, numbers[table])
    for room in phones.values():
        for phone in room.values():
            phone.turns_to("finished")
            assert phone.errors == []
    # home: +2 in the open room, +1 in the closed one; board 2 is level
    phones[2]["EW"].page.reload()
    expect(phones[2]["EW"].view).to_contain_text("对局结束，本队场分 2 : 0")
    screenshot(phones[2]["EW"].page, "boards-phone-finished", full_page=True)

    page = enter(made.actor, language="zh-hans")
    page.goto(f"{live_server}/desk/{made.tournament.slug}/rounds/1/tables/1/boards/")
    row = page.locator("table.boards tbody tr").first
    expect(row).to_contain_text("+3")
    screenshot(page, "boards-desk", full_page=True)
    adjusting = page.locator("#adjust details").first
    adjusting.get_by_text("第 1 号牌，1 桌").click()
    adjusting.get_by_label("成绩", exact=True).select_option("ew_plus")
    expect(adjusting).to_contain_text("百分比（60 %）")
    adjusting.get_by_label("条款").select_option("penalty.slow_play.slow")
    adjusting.get_by_label("原因").fill("牌放错牌套")
    screenshot(page, "boards-desk-adjusting", full_page=True)
    adjusting.get_by_role("button", name="记入").click()
    expect(page.get_by_text("调整后的成绩已生效。")).to_be_visible()
    expect(page.locator("table.boards tbody tr").first).to_contain_text("南北方 40 % · 东西方 60 %")
    screenshot(page, "boards-desk-adjusted", full_page=True)

    public = context.new_page()
    public.goto(f"{live_server}/zh/e/{made.tournament.slug}/rounds/1/tables/1/")
    expect(public.locator("#boards")).to_contain_text("逐副对照")
    screenshot(public, "boards-public-phone", full_page=True)
    page.goto(f"{live_server}/desk/{made.tournament.slug}/stages/1/boards/")
    screenshot(page, "boards-stage", full_page=True)
