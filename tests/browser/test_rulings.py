"""A disputed play from the adjudicator to the record: ruled, penalised, appealed against, overturned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.test_desk import PHONE
from tests.tournaments import factories
from tests.tournaments.factories import sheet
from tests.tournaments.test_scorekeeping import play
from tournaments.models import LedgerEntry, Publication, Ruling
from tournaments.standings.runs import publish, verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

#: East holds a pair of nines to a pair led and plays one of them with the king.
POSITION = "level=2&trump=S&lead=H5H5&hand=H9H9HKD3&play=H9HK"


def test_from_the_adjudicator_to_a_penalty_that_an_appeal_takes_back(
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
) -> None:
    here = factories.hall(profile="scn2-2013")
    play(here, sheet(35), sheet(60))
    published = publish(stage_id=here.stage.pk, round_id=here.round.pk, actor=here.organiser, at=factories.AT)
    page = enter(here.chief)
    slug = here.event.slug

    page.goto(f"{live_server}/en/adjudicator/follow/?event={slug}&{POSITION}")
    expect(page.get_by_role("heading", name="The play is not legal.")).to_be_visible()
    page.get_by_role("link", name="Make it a ruling").click()
    page.get_by_label("Table").select_option("1.1")
    page.get_by_role("radio", name="East–West").check()
    page.get_by_role("button", name="See what the rules say").click()
    page.get_by_label("Facts as told").fill("East says the cards stuck together.")
    page.get_by_role("button", name="See what the rules say").click()
    expect(page.get_by_role("heading", name="What the ruling says")).to_be_visible()
    screenshot(page, "ruling-from-a-position", full_page=True)
    page.get_by_role("button", name="Put it into the log").click()
    expect(page.get_by_role("heading", name="Ruling no. 1")).to_be_visible()
    assert LedgerEntry.objects.filter(sitting=here.sitting).count() == 2

    page.get_by_role("radio", name="levels, after the hand before").check()
    page.locator("#side").select_option("NS")
    page.get_by_label("Levels or points").fill("-1")
    page.locator("#decide-reason").fill("Heard both sides")
    page.get_by_role("button", name="Decide so").click()
    expect(page.get_by_text("Decided. The record of the table says so.")).to_be_visible()
    expect(page.get_by_role("definition").filter(has_text="N–S −1 level")).to_be_visible()
    page.get_by_role("link", name="in the record of the table").click()
    expect(page.get_by_text("rests on ruling no. 1")).to_be_visible()
    expect(page.get_by_text("N–S by ruling no. 1, −1 level after this hand (5 → 4)")).to_be_visible()

    page.get_by_role("link", name="The play is not legal.").click()
    page.get_by_text("Take an appeal").click()
    page.get_by_role("radio", name="North–South").check()
    page.get_by_label("The appeal in its own words").fill("We are not the side that revoked.")
    page.get_by_role("button", name="Lodge the appeal").click()
    expect(page.get_by_text("Under appeal")).to_be_visible()
    page.goto(f"{live_server}/desk/{slug}/")
    page.locator("#queue").get_by_role("link", name="Ruling no. 1").click()
    page.get_by_role("radio", name="upheld").check()
    page.get_by_label("organiser").check()
    page.locator("#answer-reason").fill("The other side played it.")
    page.get_by_role("button", name="Decide the appeal").click()
    expect(page.get_by_text("Overturned on appeal")).to_be_visible()
    expect(page.get_by_text("Committee: organiser")).to_be_visible()
    screenshot(page, "ruling-overturned", full_page=True)

    moved = LedgerEntry.objects.filter(sitting=here.sitting, kind="level_penalty").order_by("position")
    assert [(entry.facts["side"], entry.facts["levels"], entry.status) for entry in moved] == [
        ("NS", -1, "effective"),
        ("NS", 1, "effective"),
    ]
    here.sitting.refresh_from_db()
    assert here.sitting.state["levels"]["NS"] == "5"
    assert Publication.objects.get(pk=published.pk).document == published.document
    assert verify(published) == {"digest": True, "rows": True}
    assert Ruling.objects.get().appeal == "upheld"

    phone = enter(here.chief, language="zh-hans", theme="dark")
    phone.set_viewport_size(PHONE)
    phone.goto(f"{live_server}/zh/e/{slug}/rulings/")
    expect(phone.get_by_text("经申诉撤销")).to_be_visible()
    phone.goto(f"{live_server}/desk/{slug}/rulings/1/")
    expect(phone.get_by_text("支持申诉")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    screenshot(phone, "ruling-phone", full_page=True)
