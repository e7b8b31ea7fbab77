"""Evenings of single players through the pages alone, in Chinese: set up, seat, enter, confirm, close, read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import DESK, GUARD, phone_context
from tournaments.models import User

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.timeout(720)]

PASSWORD = "quiet-harbour-42"
NAMES = ("林晓", "何川", "陈默", "吴桐", "周航", "宋雨", "王芳", "郑一鸣", "李青", "赵岚")


class Organiser:
    """An organiser at a laptop who reads Chinese."""

    def __init__(self, browser: Browser, server: LiveServer) -> None:
        person = User.objects.create(username="director", display_name="陈主任")
        person.set_password(PASSWORD)
        person.save()
        context = browser.new_context(viewport=DESK, locale="zh-CN", color_scheme="light")
        context.set_default_timeout(30_000)
        self.page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.server = server
        self.page.goto(f"{server}/desk/sign-in/")
        self.page.locator("[name=username]").fill("director")
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.locator("main button[type=submit], main .btn.go").first.click()
        expect(self.page).to_have_url(re.compile(r"/desk/$"))

    def create(self, preset: str, slug: str, name: str, *, hands: int | None = None) -> None:
        """A new event from a preset; the rest as the form has it."""
        page = self.page
        page.goto(f"{self.server}/desk/new/")
        page.get_by_text(preset, exact=True).first.click()
        page.locator("[name=name]").fill(name)
        page.locator("[name=slug]").fill(slug)
        page.locator("[name=starts_on]").fill("2026-05-16")
        page.locator("[name=single_official]").check()
        if hands is not None:
            page.locator("details.more:has([name=hands]) > summary").click()
            page.locator("[name=hands]").fill(str(hands))
        page.get_by_role("button", name="创建赛事").click()
        expect(page).to_have_url(re.compile(rf"/desk/{slug}/entrants/"))
        self.base = f"{self.server}/desk/{slug}/"

    def bring_in(self, names: tuple[str, ...]) -> None:
        """The players as a file: a dry run, then the same file for good."""
        rows = "\n".join(f"{number},{name}" for number, name in enumerate(names, start=1))
        table = {"name": "选手.csv", "mimeType": "text/csv", "buffer": f"序号,名称\n{rows}\n".encode()}
        self.page.goto(f"{self.base}entrants/import/")
        self.page.locator("[name=file]").set_input_files(table)
        self.page.locator("#list .list-foot .btn.go").click()  # a list is read as soon as it is chosen
        self.page.goto(f"{self.base}entrants/")
        for name in names:
            expect(self.page.get_by_text(name).first).to_be_visible()

    def seat_and_start(self, number: int) -> None:
        """The next round: seats drawn, published, table cards made, started."""
        page = self.page
        page.goto(f"{self.base}rounds/")
        page.get_by_role("button", name=f"编排第 {number} 轮").click()
        page.get_by_role("button", name="抽座位").click()
        expect(page.get_by_text("人人有座或轮空")).to_be_visible()
        page.get_by_role("button", name="公布编排").click()
        with page.expect_download() as cards:
            page.get_by_role("button", name="桌卡").first.click()
        assert cards.value.suggested_filename.endswith(".pdf")
        page.goto(self.base)
        page.get_by_role("button", name="开始本轮").click()
        expect(page.get_by_role("heading", level=1, name=f"第 {number} 轮")).to_be_visible()

    def codes(self, round_: int, table: int) -> list[str]:
        """The codes of a table by place, as its page shows them."""
        self.page.goto(f"{self.base}rounds/{round_}/tables/{table}/")
        shown = self.page.locator("section[aria-labelledby=phones] code")
        return [text for text in shown.all_inner_texts() if len(text) == 10]


class Player:
    """One player's phone, joined with the code of his place."""

    def __init__(self, browser: Browser, server: LiveServer, code: str) -> None:
        self.page = phone_context(browser, language="zh").new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.goto(f"{server}/t/{code}/")
        self.page.locator(".land .btn.go").tap()
        self.page.wait_for_url("**/table/*/")
        self.view = self.page.locator("#view")
        self.taps = 0

    def turns_to(self, kind: str) -> None:
        expect(self.view).to_have_attribute("data-kind", kind)
        self.page.wait_for_timeout(GUARD)

    def key(self, name: str, value: str) -> None:
        self.taps += 1
        self.view.locator(f"[name={name}][value='{value}']").tap()

    def number(self, name: str, value: int) -> None:
        self.view.locator(f"#{name}").fill(str(value))

    def send(self) -> None:
        self.taps += 1
        self.page.locator(".dock .btn.go").tap()

    def confirm(self) -> str:
        """Agree to what another player sent: what the button says."""
        self.turns_to("confirm")
        button = self.page.locator(".dock form[action$='/confirm/'] .btn.go")
        said = button.inner_text().strip()
        button.tap()
        return said


@pytest.fixture
def organiser(browser: Browser, live_server: LiveServer, transactional_db: None, celery_worker: None) -> Organiser:
    return Organiser(browser, live_server)


def test_an_evening_of_one_against_three(
    organiser: Organiser, browser: Browser, live_server: LiveServer, screenshot: Callable[..., Path]
) -> None:
    organiser.create("三打一个人赛", "sandayi-wan", "周六三打一", hands=2)
    screenshot(organiser.page, "individual-entrants")
    organiser.bring_in(NAMES[:8])
    organiser.seat_and_start(1)
    codes = organiser.codes(1, 1)
    assert len(codes) == 4
    one, two = (Player(browser, live_server, code) for code in codes[:2])

    one.turns_to("enter")
    screenshot(one.page, "individual-alone-empty", full_page=True)
    one.key("dealer", "1")
    one.number("bid", 95)
    one.key("trump", "S")
    one.number("captured_in_tricks", 100)
    one.key("last_trick_winner", "dealer")
    expect(one.page.locator("#result")).to_contain_text("叫 95，三家得 100")
    expect(one.page.locator("#result")).to_contain_text("三家胜")
    screenshot(one.page, "individual-alone-filled")
    one.send()
    assert one.taps == 4  # who plays alone, trump, last trick, send; the bid and the points are typed
    one.turns_to("sent")
    screenshot(one.page, "individual-alone-sent", full_page=True)
    two.turns_to("confirm")
    screenshot(two.page, "individual-alone-confirm", full_page=True)
    assert two.confirm() == "确认 100：三家胜"
    two.turns_to("enter")
    expect(two.view.locator(".players .mine .standing")).to_have_text("+1")

    two.key("dealer", "2")
    two.number("bid", 120)
    two.key("trump", "H")
    two.number("captured_in_tricks", 60)
    two.key("last_trick_winner", "attackers")
    two.key("led", "pair")
    two.number("kitty_points", 10)
    expect(two.page.locator("#result .sum")).to_contain_text("胜")
    two.send()
    two.turns_to("sent")
    one.confirm()
    one.turns_to("finished")
    screenshot(one.page, "individual-alone-finished", full_page=True)

    page = organiser.page
    page.goto(organiser.base)
    screenshot(page, "individual-board")
    page.goto(f"{organiser.base}rounds/1/tables/1/")
    screenshot(page, "individual-desk-table", full_page=True)
    page.goto(f"{organiser.base}rounds/1/tables/2/enter/")
    page.locator("#dealer").select_option("3")
    page.locator("#bid").fill("80")
    page.locator("[name=trump][value=C]").check()
    page.locator("#captured_in_tricks").fill("75")
    page.locator("[name=last_trick_winner][value=dealer]").check()
    page.get_by_role("radio", name="签字记分表").check()
    expect(page.locator("[data-preview-here]")).to_contain_text("叫 80，三家得 75")
    screenshot(page, "individual-desk-enter", full_page=True)
    page.get_by_role("button", name="录入这一副").click()
    expect(page.locator("ol.hands > li")).to_have_count(1)
    page.get_by_text("在此结束对局").click()
    page.get_by_role("button", name="结束", exact=True).click()
    page.goto(organiser.base)
    page.get_by_role("button", name="关闭本轮").click()

    # a spectator's phone: the players' own turns to what comes after the round at the same time
    shown = phone_context(browser, language="zh").new_page()
    for name, address in (
        ("round", "rounds/1/"),
        ("match", "rounds/1/tables/1/"),
        ("standings", "standings/"),
        ("entrant", "entrants/2/"),
        ("event", ""),
    ):
        shown.goto(f"{live_server}/zh/e/sandayi-wan/{address}")
        screenshot(shown, f"individual-public-{name}", full_page=True)
        page.goto(f"{live_server}/en/e/sandayi-wan/{address}")
        screenshot(page, f"individual-public-{name}-wide", full_page=True)
    # table 1: 林晓 alone lost 3, then 吴桐 alone won 3, for 100 is short of 120; table 2: its third player won 3
    points = {"吴桐": "4", "宋雨": "3", "何川": "−1", "林晓": "−4"}
    page.goto(f"{live_server}/zh/e/sandayi-wan/standings/")
    for name, score in points.items():
        row = page.locator("tbody tr").filter(has=page.get_by_role("link", name=name))
        expect(row.locator("td.num").nth(1)).to_have_text(re.compile(rf"^\s*{score}\s*$"))
    assert one.errors == two.errors == organiser.errors == []


@pytest.mark.parametrize(
    ("preset", "slug", "players"), [("找朋友个人赛", "zhaopengyou-wan", 5), ("二百四个人赛", "ersibai-wan", 4)]
)
def test_the_other_evenings(
    organiser: Organiser,
    browser: Browser,
    live_server: LiveServer,
    screenshot: Callable[..., Path],
    preset: str,
    slug: str,
    players: int,
) -> None:
    organiser.create(preset, slug, "周日晚")
    organiser.bring_in(NAMES[:players])
    organiser.seat_and_start(1)
    codes = organiser.codes(1, 1)
    assert len(codes) == players
    one, last = (Player(browser, live_server, code) for code in (codes[0], codes[-1]))
    one.turns_to("enter")
    if players == 5:
        one.key("dealer", "1")
        one.key("ally", "4")
        one.key("trump", "D")
        one.number("captured_in_tricks", 55)
        one.key("last_trick_winner", "dealer")
        expected = "确认 55：林晓、吴桐胜"
    else:
        for place, points in enumerate((80, 60, 50, 40), start=1):
            one.number(f"points_{place}", points)
        one.number("kitty_points", 10)
        expect(one.view.locator("#points-sum")).to_have_text("共 240，正好")
        one.key("last_trick_place", "2")
        expected = "确认：林晓得分最高"
    expect(one.page.locator("#result .sum")).to_be_visible()
    screenshot(one.page, f"individual-{slug}-filled", full_page=True)
    one.send()
    one.turns_to("sent")
    last.turns_to("confirm")
    screenshot(last.page, f"individual-{slug}-confirm", full_page=True)
    assert last.confirm() == expected
    last.turns_to("enter")
    last.page.goto(f"{live_server}/zh/e/{slug}/rounds/1/tables/1/")
    expect(last.page.locator("ol.hands > li")).to_have_count(1)
    screenshot(last.page, f"individual-{slug}-match", full_page=True)
    assert one.errors == last.errors == organiser.errors == []
