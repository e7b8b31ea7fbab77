"""The desk in a real browser: an event from its first form to its published table, and the board while tables play."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments import factories
from tests.tournaments.factories import sheet
from tournaments.events import setup, sign_in_links
from tournaments.ledger import scorekeeping
from tournaments.models import Entrant, LedgerEntry, Match, Publication, Round, Tournament
from tournaments.people import accounts
from tournaments.standings.runs import recalculate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall

PHONE = {"width": 390, "height": 844}
NAMES = [
    "林晓",
    "周航",
    "何川",
    "宋雨",
    "陈默",
    "王芳",
    "吴桐",
    "郑一鸣",
    "马骁",
    "沈青",
    "尹墨",
    "温岚",
    "韩冰",
    "曹阳",
    "秦岭",
    "姚远",
]


def pairs_file(folder: Path) -> Path:
    path = folder / "pairs.csv"
    lines = ["external_id,number,name,unit,player1,player2"]
    for number in range(1, 17):
        one, other = NAMES[number - 1], NAMES[number % 16]
        lines.append(f"p{number},{number},,{'东西南北'[number % 4]}区,{one},{other}{number}")
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_an_event_from_the_first_form_to_the_published_table(
    live_server: LiveServer, enter: Callable[..., Page], tmp_path: Path, screenshot: Callable[..., Path]
) -> None:
    person = factories.Actor(user=factories.user("organiser"))
    page = enter(person)

    page.goto(live_server + "/desk/new/")
    page.get_by_label("Name", exact=True).fill("Chenghu Cup")
    page.get_by_label("Address", exact=True).fill("chenghu")
    page.get_by_label("Day").fill("2026-05-16")
    page.get_by_label("One official does everything").check()
    page.get_by_role("button", name="Create the event").click()

    page.get_by_role("link", name="Import").click()
    page.get_by_label("CSV or XLSX file").set_input_files(pairs_file(tmp_path))
    expect(page.get_by_text("16 new · 0 changed · 0 the same")).to_be_visible()
    screenshot(page, "desk-dry-run", full_page=True)
    page.get_by_role("button", name="Import 16 entrants").click()
    expect(page.get_by_role("heading", name="Entrants 16")).to_be_visible()

    page.get_by_role("link", name="Board", exact=True).click()
    page.get_by_role("button", name="Pair round 1").click()
    homes, aways = page.locator("select[name=home]"), page.locator("select[name=away]")
    for table in range(8):
        homes.nth(table).select_option(index=2 * table + 1)
        aways.nth(table).select_option(index=2 * table + 2)
    page.get_by_role("button", name="Keep this pairing and check it").click()
    expect(page.get_by_text("No rematch, no second bye, nobody left out")).to_be_visible()
    screenshot(page, "desk-pair", full_page=True)
    page.get_by_role("button", name="Publish the pairing").click()

    with page.expect_download() as cards:
        page.get_by_role("button", name="Table cards").first.click()
    assert cards.value.path().read_bytes()[:5] == b"%PDF-"
    page.get_by_role("button", name="Start the round").click()
    expect(page.get_by_text("8 tables: 8 playing")).to_be_visible()

    page.locator("[data-table='3']").click()
    page.get_by_role("link", name="Enter from a slip").click()
    page.get_by_label("Dealer").first.select_option("S")
    page.get_by_role("radio", name="hearts").check()
    page.locator("#captured_in_tricks").fill("85")
    page.get_by_role("radio", name="attackers").check()
    page.get_by_label("Led to the last trick").select_option("pair")
    page.locator("#kitty_points").fill("20")
    expect(page.locator("[data-preview-here]")).to_contain_text("Attackers 85 + kitty 20×4 = 165")
    page.get_by_role("radio", name="signed sheet").check()
    page.get_by_role("button", name="Enter the hand").click()
    expect(page.get_by_text("Attackers 85 + kitty 20×4 = 165")).to_be_visible()

    page.get_by_role("link", name="Correct", exact=True).click()
    page.locator("#kitty_points").fill("10")
    page.get_by_role("button", name="See what changes").click()
    expect(page.get_by_text("Attackers 85 + kitty 10×4 = 125")).to_be_visible()
    screenshot(page, "desk-correct", full_page=True)
    page.get_by_label("Reason, shown in the history").fill("The slip says 10.")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text("version 2", exact=True)).to_be_visible()
    assert LedgerEntry.objects.get(status="effective").facts["kitty_points"] == 10

    for table in range(1, 9):
        page.goto(live_server + f"/desk/chenghu/rounds/1/tables/{table}/")
        page.get_by_text("End the match here").click()
        page.get_by_role("button", name="End it").click()
        expect(page.get_by_text("The match at this table is over.")).to_be_visible()
    assert not Match.objects.filter(outcome="pending").exists()
    recalculate(tournament_id=Tournament.objects.get().pk, at=factories.AT)

    page.get_by_role("link", name="Board", exact=True).click()
    page.get_by_role("button", name="Close the round").click()
    assert Round.objects.get().status == "closed"
    page.get_by_role("link", name="Publish standings").click()
    expect(page.get_by_text("Nothing is open")).to_be_visible()
    page.get_by_label("Type the number of the round").fill("1")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Published in")).to_be_visible()
    screenshot(page, "desk-publishing", full_page=True)
    page.get_by_role("button", name="Publish now").click()
    expect(page.get_by_role("heading", name="Publication 1")).to_be_visible()
    screenshot(page, "desk-published", full_page=True)
    assert Publication.objects.get().number == 1


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    hall = factories.hall(tables=3)
    for number, actor in ((1, hall.ns),):
        scorekeeping.record_hand(
            sitting_id=hall.sitting.pk, actor=actor, at=factories.AT, facts=sheet(95), hand_no=number
        )
    return hall


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_one_use_link_lets_a_newcomer_in_and_to_a_password(
    live_server: LiveServer, browser: Browser, scripts: bool
) -> None:
    context = browser.new_context(java_script_enabled=scripts, locale="en")
    page = context.new_page()
    newcomer, _ = accounts.make_person(username="newcomer", display_name="New Comer")
    secret = setup.new_secret()
    sign_in_links.make_for_operator(person=newcomer, at=timezone.now(), secret=secret)
    page.goto(live_server + f"/desk/enter/{secret}/")
    page.get_by_role("button", name="Come in").dblclick()  # as people do; the link lets in once
    page.get_by_label("Password").fill("a long walk by the lake")
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("heading", name="My events")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("Password").fill("a long walk by the lake")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="My events")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("language", "width"), [("en", 360), ("zh-hans", 1280)])
def test_honest_namesakes_come_in_with_three_clicks(
    live_server: LiveServer,
    hall: Hall,
    enter: Callable[..., Page],
    tmp_path: Path,
    screenshot: Callable[..., Path],
    language: str,
    width: int,
) -> None:
    """The file is chosen (one), every name that is there twice means two people (two), the list comes in (three)."""
    path = tmp_path / "pairs.csv"
    path.write_text("姓名,搭档,单位\n王伟,李娜,东区\n张敏,王伟,东区\n张敏,刘洋,东区\n", "utf-8")
    before = Entrant.objects.count()
    page = enter(hall.organiser, language=language)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{live_server}/desk/{hall.event.slug}/entrants/import/")
    page.set_input_files("#id_file", path)
    expect(page.locator("input[name=two]")).to_have_count(2)
    screenshot(page, f"desk-namesakes-{language}", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("[name=look][value=namesakes]").click()
    expect(page.locator("input[name=two]:checked")).to_have_count(2)
    screenshot(page, f"desk-namesakes-settled-{language}", full_page=True)
    page.locator(".list-foot .btn.go").click()
    page.wait_for_url("**/entrants/")
    assert Entrant.objects.count() == before + 3


def test_the_board_changes_without_reloading(
    live_server: LiveServer, hall: Hall, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    page = enter(hall.referee)
    with page.expect_response("**/live/event/**"):
        page.goto(live_server + f"/desk/{hall.event.slug}/")
    tile = page.locator("[data-table='1']")
    expect(tile).to_contain_text("waits for E–W")
    page.evaluate("window.same = true")
    scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ew, at=factories.AT, facts=sheet(90), hand_no=1)
    expect(tile).to_contain_text("Dispute")
    expect(page.locator("#queue")).to_contain_text("It does not matter: take the deal, +0, either way.")
    assert page.evaluate("window.same")
    screenshot(page, "desk-dispute", full_page=True)


def test_a_dispute_of_one_figure_is_settled_in_two_taps(
    live_server: LiveServer, hall: Hall, enter: Callable[..., Page]
) -> None:
    scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ew, at=factories.AT, facts=sheet(90), hand_no=1)
    page = enter(hall.referee)
    page.set_viewport_size(PHONE)
    page.goto(live_server + f"/desk/{hall.event.slug}/")
    page.get_by_text("Set 95", exact=True).click()
    page.locator("details[open]").get_by_role("button", name="both sides agree").click()
    expect(page.get_by_text("Settled.")).to_be_visible()
    assert LedgerEntry.objects.get(status="effective").facts["captured_in_tricks"] == 95


def test_keys_walk_the_board_and_are_off_while_typing(
    live_server: LiveServer, hall: Hall, enter: Callable[..., Page]
) -> None:
    page = enter(hall.referee)
    board = live_server + f"/desk/{hall.event.slug}/"
    page.goto(board)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("2")
    expect(page.locator("[data-table='2']")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-table='3']")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/tables/2/$"))
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"/rounds/1/$"))
    page.keyboard.press("s")
    expect(page).to_have_url(re.compile(r"/standings/$"))
    page.goto(board + "rounds/1/tables/2/enter/")
    page.locator("#reason").focus()
    page.keyboard.type("s?/p")
    assert page.locator("#reason").input_value() == "s?/p"


PAGES = (
    "",
    "rounds/",
    "rounds/1/tables/1/",
    "rounds/1/tables/2/enter/",
    "rounds/1/supersede/",
    "entrants/",
    "entrants/import/",
    "entrants/1/",
    "officials/",
    "setup/",
    "running/",
    "standings/",
    "standings/publish/",
    "publications/",
    "corrections/",
    "history/",
)


@pytest.mark.parametrize(
    ("language", "theme", "width"),
    [("zh-hans", "dark", 390), ("en", "light", 320), ("zh-hans", "light", 1280)],
)
def test_every_page_fits_and_has_one_heading(
    live_server: LiveServer, hall: Hall, enter: Callable[..., Page], language: str, theme: str, width: int
) -> None:
    hall.event.single_official = True
    hall.event.save()
    page = enter(hall.organiser, language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 844})
    for path in PAGES:
        answer = page.goto(live_server + f"/desk/{hall.event.slug}/{path}")
        assert answer is not None
        assert answer.ok, path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.locator("h1").count() == 1, path
        assert page.locator("html").get_attribute("lang") == ("zh-Hans" if language == "zh-hans" else "en")
        small = page.evaluate(
            """() => [...document.querySelectorAll("main button, main .btn, main select, main input")]
                .filter((part) => part.offsetParent && !part.closest("label"))
                .map((part) => [part.outerHTML.slice(0, 80), part.getBoundingClientRect().height])
                .filter(([, height]) => height < 40 && height > 0)"""
        )
        small = [item for item in small if 'type="radio"' not in item[0] and 'type="checkbox"' not in item[0]]
        assert not small, (path, small)


def test_a_refused_reason_stays_while_the_board_follows_the_event(
    live_server: LiveServer, enter: Callable[..., Page], hall: Hall
) -> None:
    now = timezone.now()
    Round.objects.filter(pk=hall.round.pk).update(started_at=now, ends_at=now + timedelta(minutes=30))
    page = enter(hall.chief)
    page.goto(f"{live_server}/desk/{hall.event.slug}/")
    page.get_by_text("Stop the clock", exact=True).click()
    page.locator("#stop-reason").evaluate("(field) => field.removeAttribute('maxlength')")
    page.locator("#stop-reason").fill("the lights went out " * 20)
    page.get_by_role("button", name="Stop the clock now").click()
    expect(page.locator("#stop-reason")).to_be_focused()
    given_back = page.locator("[data-key=clock]").element_handle()
    page.evaluate("document.activeElement.blur()")
    # the panel counts the seconds gone by: what is fetched differs from what stands there
    page.evaluate("document.dispatchEvent(new Event('live:ask'))")
    page.wait_for_function("(panel) => !panel.isConnected", arg=given_back)
    expect(page.locator("#stop-reason")).to_have_value("the lights went out " * 20)
    expect(page.locator("#stop-reason_error")).to_be_visible()
