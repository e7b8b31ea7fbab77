"""A photo goes from the phone of a side to that of the referee, who rules with it in front of him."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from referee.table.places import PREFIX
from tests.browser.pages import PHONE, faults, phone_context
from tests.referee.table.places import hall, token_of
from tests.tournaments.factories import AT, device, sheet
from tests.tournaments.photos import told_everything
from tournaments.acts.admission import Actor
from tournaments.hall.acts import arrange_in_rows
from tournaments.ledger import calls, scorekeeping
from tournaments.models import Call, EntryStatus, LedgerEntry, Photo, PhotoContent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page, Route

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall


def disputed(**more: Any) -> Hall:
    """The first table of a hall is in dispute, its seventh calls."""
    of = hall(tables=9, **more)
    arrange_in_rows(tournament_id=of.event.pk, actor=of.chief, at=AT, width=3)
    for actor, points in ((of.ns, 35), (of.ew, 40)):
        facts = sheet(points)
        scorekeeping.record_hand(sitting_id=of.sitting.pk, actor=actor, at=AT, facts=facts, hand_no=1)
    far = Actor(device=device(of.sittings[6], "EW"))
    calls.call_referee(sitting_id=of.sittings[6].pk, actor=far, at=AT, note="A throw")
    return of


def slip() -> bytes:
    """A picture of a slip, larger than it is kept."""
    picture = Image.new("RGB", (3000, 2250), (125, 106, 85))
    pen = ImageDraw.Draw(picture)
    pen.polygon([(500, 300), (2600, 420), (2500, 2000), (420, 1880)], fill=(251, 248, 239))
    for line in range(5):
        pen.line([(600, 640 + 260 * line), (2400, 720 + 260 * line)], fill=(30, 60, 120), width=24)
    target = io.BytesIO()
    picture.save(target, "JPEG", quality=92)
    return target.getvalue()


def at_table(context: BrowserContext, server: LiveServer, actor: Actor) -> Page:
    assert actor.device is not None
    name = PREFIX + actor.device.public_id
    context.add_cookies([{"name": name, "value": token_of(actor.device), "url": str(server)}])
    page = context.new_page()
    page.goto(f"{server}/table/{actor.device.public_id}/")
    return page


def choose(page: Page, data: bytes, name: str = "slip.jpg") -> None:
    page.locator(".photo-fold summary").tap()
    kind = "image/jpeg"
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": kind, "buffer": data})


def test_a_phone_gives_a_photo_and_the_referee_rules_in_three_taps(
    browser: Browser, live_server: LiveServer, enter: Callable[..., Page]
) -> None:
    of = disputed()
    phone = phone_context(browser, language="en")
    page, sizes = at_table(phone, live_server, of.ns), []

    def first_is_lost(route: Route) -> None:
        sizes.append(len(route.request.post_data_buffer or b""))
        if len(sizes) == 1:
            route.abort()
        else:
            route.continue_()

    # as wide as the rest, with no more room below it than between other parts
    box, fields = page.locator(".photo-fold").bounding_box(), page.locator(".entry .fields").bounding_box()
    assert box
    assert fields
    assert (box["x"], box["width"]) == (fields["x"], fields["width"])
    assert fields["y"] - box["y"] - box["height"] <= 16
    page.route("**/photos/", first_is_lost)
    choose(page, slip())
    expect(page.locator(".photo-fold summary")).to_contain_text("· 1")
    assert len(sizes) == 2
    assert sizes[0] < len(slip())  # made small before it was sent
    assert (PhotoContent.objects.get().width, PhotoContent.objects.get().height) == (1800, 1350)

    walking = phone_context(browser, language="en")
    his = enter(of.referee, into=walking)
    his.goto(f"{live_server}/desk/{of.event.slug}/calls/?at=4")
    first = his.locator(".queue > li").first
    expect(first).to_contain_text("Table 1")
    picture = first.locator(".photos img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("one => one.naturalWidth") == 1800
    # a second one comes by itself while he looks
    other = phone_context(browser, language="en")
    choose(at_table(other, live_server, of.ew), told_everything())
    expect(first.locator(".photos img")).to_have_count(2)
    taps = 0
    for target in (
        first.get_by_role("button", name="I go"),
        first.locator(".settle summary").first,
        first.get_by_role("button", name="the slip shows it"),
    ):
        target.tap()
        taps += 1
    expect(his.locator(".queue > li")).to_have_count(1)
    assert taps == 3
    assert his.url.endswith(f"/desk/{of.event.slug}/calls/")
    assert LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).count() == 1
    assert Call.objects.get(kind="dispute").closed_at is not None
    his.locator(".queue > li").get_by_role("link", name="Adjudicator").tap()
    expect(his).to_have_url(f"{live_server}/en/adjudicator/throw/?event={of.event.slug}&level=2&dealer=S&at=1.7.1")
    for context in (phone, walking, other):
        context.close()


def test_a_photo_is_shown_though_another_part_changes_first(browser: Browser, live_server: LiveServer) -> None:
    of = disputed()
    phone = phone_context(browser, language="en")
    page = at_table(phone, live_server, of.ns)
    expect(page.locator("#net-on")).to_be_visible()
    before = phone.request.get(f"{page.url}now/").text()
    changed = before.replace('data-key="call" class="stack tight">', 'data-key="call" class="stack tight"><p>1</p>')
    assert changed != before
    seen = False

    def asked(route: Route) -> None:
        if seen:
            route.continue_()
        else:
            told = page.locator(".photo-fold output").inner_text().startswith("The referees")
            route.fulfill(body=changed if told else before, content_type="text/html")

    page.route("**/now/", asked)
    choose(page, slip())
    expect(page.locator('[data-key="call"] p')).to_have_text("1")
    seen = True  # not before: what the photo itself announces is asked for at any moment
    page.evaluate("document.dispatchEvent(new Event('live:ask'))")
    expect(page.locator(".photo-fold img")).to_be_visible()
    expect(page.locator(".photo-fold > summary")).to_be_focused()
    page.unroute_all(behavior="wait")  # whoever asks now is answered before the page goes
    phone.close()


def test_what_was_not_answered_is_asked_for_again(browser: Browser, live_server: LiveServer) -> None:
    of = disputed()
    phone = phone_context(browser, language="en")
    page = at_table(phone, live_server, of.ns)
    expect(page.locator("#net-on")).to_be_visible()
    asked: list[str] = []

    def lost(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        elif len(asked) == 2:
            route.fulfill(status=502, body="")
        else:
            route.continue_()

    page.route("**/now/", lost)
    page.evaluate("document.dispatchEvent(new Event('live:ask'))")
    for _ in range(150):  # at most fifteen seconds for what takes some six
        if len(asked) >= 3:
            break
        page.wait_for_timeout(100)
    assert len(asked) >= 3
    page.unroute_all(behavior="wait")
    phone.close()


def test_a_photo_is_given_without_script(browser: Browser, live_server: LiveServer) -> None:
    of = disputed()
    context = browser.new_context(viewport=PHONE, java_script_enabled=False, locale="en")
    page = at_table(context, live_server, of.ns)
    page.locator(".photo-fold summary").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": told_everything()}
    )
    page.get_by_role("button", name="Send the photo").click()
    expect(page.get_by_text("The other side does not see it.")).to_be_visible()
    assert Photo.objects.count() == 1
    context.close()


def test_what_is_no_photo_is_said_on_the_phone(browser: Browser, live_server: LiveServer) -> None:
    of = disputed()
    context = phone_context(browser, language="en")
    page = at_table(context, live_server, of.ns)
    choose(page, b"no photo")
    expect(page.locator(".photo-fold output")).to_contain_text("not a photo that can be read")
    context.close()


@pytest.mark.parametrize(
    ("language", "theme", "width"), [("zh-hans", "dark", 390), ("en", "light", 390), ("en", "light", 1280)]
)
def test_the_pages_keep_the_house_rules(
    browser: Browser,
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: str,
    width: int,
) -> None:
    of = disputed()
    context = phone_context(
        browser, language="zh" if language != "en" else "en", theme="dark" if theme == "dark" else "light"
    )
    page = at_table(context, live_server, of.ns)
    choose(page, slip())
    expect(page.locator(".photo-fold img")).to_be_visible()
    screenshot(page, f"evidence-table-{language}-{theme}", full_page=True)
    # the first heading of a table is for those who listen
    assert [one for one in faults(page) if one != "not one h1" and " after h0" not in one] == []
    context.close()
    desk = enter(of.referee, language=language, theme=theme)
    desk.set_viewport_size({"width": width, "height": 844})
    for name, part in (("calls", "calls/?at=4"), ("board", ""), ("at-table", "rounds/1/tables/1/")):
        desk.goto(f"{live_server}/desk/{of.event.slug}/{part}")
        desk.locator(".photos img").scroll_into_view_if_needed()
        screenshot(desk, f"evidence-{name}-{language}-{theme}-{width}", full_page=True)
        assert faults(desk) == []
