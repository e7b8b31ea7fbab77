"""The table page in a real browser: the tap budget, two phones, disagreement, bad networks, refusals."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from referee.table.places import PREFIX
from tests.referee.table.places import hall, token_of
from tests.tournaments.factories import sheet
from tournaments.ledger import devices, scorekeeping
from tournaments.ledger.codes import party_code_text
from tournaments.models import Call, EntryStatus, LedgerEntry, SittingPhase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Locator, Route

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall
    from tournaments.acts.admission import Actor

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=PHONE, has_touch=True, locale="en")
    made.set_default_timeout(30_000)
    yield made
    made.close()


class Phone:
    """One side's page, with its taps counted."""

    def __init__(self, context: BrowserContext, server: LiveServer, actor: Actor) -> None:
        name = PREFIX + actor.device.public_id
        context.add_cookies([{"name": name, "value": token_of(actor.device), "url": server.url}])
        self.page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if "Content Security" in line.text else None)
        self.address = f"{server.url}/table/{actor.device.public_id}/"
        self.taps = 0
        self.page.goto(self.address)

    def tap(self, target: Locator) -> None:
        self.taps += 1
        target.click()

    def key(self, name: str, value: str) -> None:
        """Tap one of several keys."""
        self.tap(self.page.locator(f"[name={name}][value='{value}']"))

    def points(self, name: str, value: int) -> None:
        """The points: typed or dragged, no tap of the budget."""
        self.page.fill(f"#{name}", str(value))

    def button(self, text: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=text)

    def send(self) -> None:
        self.tap(self.button("Send to"))

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#view")).to_contain_text(text)


Phones = "Callable[..., tuple[Phone, Phone, Hall]]"


@pytest.fixture
def phones(context: BrowserContext, live_server: LiveServer) -> Callable[..., tuple[Phone, Phone, Hall]]:
    """Both sides of a table as two pages of one browser."""

    def make(**more: Any) -> tuple[Phone, Phone, Hall]:
        place = hall(**more)
        return Phone(context, live_server, place.ns), Phone(context, live_server, place.ew), place

    return make


def plain(phone: Phone, points: int = 35) -> None:
    phone.key("trump", "H")
    phone.points("captured_in_tricks", points)
    phone.key("last_trick_winner", "dealer")


def test_no_dig_is_three_taps_and_the_points(phones: Phones) -> None:
    ns, ew, _place = phones()
    plain(ns)
    expect(ns.page.locator("#result")).to_contain_text("Attackers 35")
    expect(ns.page.locator("#result")).to_contain_text("North deals")
    ns.send()
    ns.sees("Take back the entry")
    assert ns.taps == 3
    # the other phone hears of it by itself, within two seconds
    ew.sees("Your turn to confirm")
    ew.page.wait_for_timeout(800)  # a page that has just changed takes no tap
    ew.tap(ew.button("Confirm 35: N–S keep the deal, +2"))
    ns.sees("Hand 1 counts.")
    ew.sees("Hand 1 counts.")
    assert ew.taps == 1
    assert LedgerEntry.objects.get().status == EntryStatus.EFFECTIVE
    assert ns.errors == ew.errors == []


def test_dig_is_four_taps_and_the_points(phones: Phones) -> None:
    ns, _ew, _place = phones()
    ns.key("trump", "D")
    ns.points("captured_in_tricks", 85)
    ns.key("last_trick_winner", "attackers")
    ns.key("led", "pair")
    ns.points("kitty_points", 20)
    expect(ns.page.locator("#result")).to_contain_text("Attackers 85 + kitty 20×4 = 165")
    expect(ns.page.locator("#result")).to_contain_text("take the deal, +2")
    ns.send()
    ns.sees("Take back the entry")
    assert ns.taps == 4


@pytest.mark.parametrize("setting", ["may", "must"])
def test_the_ruler_says_nothing_against_the_line_that_the_dealer_set(phones: Phones, setting: str) -> None:
    ns, ew, _place = phones(profile={"base": "cn-national-1d", "set": {"own_line": setting}})
    ruler = ns.page.locator(".ruler-room")
    (expect(ruler).to_be_visible if setting == "may" else expect(ruler).to_be_hidden)()
    plain(ns)
    ns.page.context.set_offline(True)  # what is said now the page says by itself
    ns.points("line", 30)
    expect(ruler).to_be_hidden()
    expect(ns.page.locator("#result")).to_contain_text("Attackers 35")
    expect(ns.page.locator("#result")).not_to_contain_text("keep")
    ns.page.context.set_offline(False)
    ns.send()
    ns.sees("Take back the entry")
    ew.sees("take the deal, +0")
    bands = json.loads(ew.page.locator("[data-ruler]").get_attribute("data-bands") or "")
    assert 30 in [low for low, *_ in bands], "the ruler of the confirmation has the line of the hand"
    assert ns.errors == ew.errors == []


def test_first_hand_is_five_taps(phones: Phones) -> None:
    ns, _ew, _place = phones(first_dealer=None)
    ns.key("dealer", "W")
    ns.key("trump", "D")
    ns.points("captured_in_tricks", 85)
    ns.key("last_trick_winner", "attackers")
    ns.key("led", "pair")
    ns.points("kitty_points", 20)
    ns.send()
    ns.sees("Take back the entry")
    assert ns.taps == 5
    assert LedgerEntry.objects.get().facts["dealer"] == "W"


def test_failed_throw_is_two_more_taps(phones: Phones) -> None:
    ns, _ew, _place = phones()
    plain(ns, 60)
    ns.tap(ns.page.get_by_text("Failed throw", exact=True).first)
    ns.key("throw_side_1", "attackers")
    expect(ns.page.locator("#result")).to_contain_text("Attackers 60 − throw fine 20 = 40")
    ns.send()
    ns.sees("Take back the entry")
    assert ns.taps == 5
    assert LedgerEntry.objects.get().facts["throw_failures"] == [{"side": "attackers", "cards": 2}]


def test_annulled_hand_is_three_taps(phones: Phones) -> None:
    ns, ew, _place = phones()
    ns.tap(ns.page.get_by_text("Void", exact=True))
    ns.key("annulled_reason", "misdeal")
    expect(ns.page.locator("#void-result")).to_contain_text("South deals")
    ns.tap(ns.button("this hand is void"))
    ns.sees("Take back the entry")
    assert ns.taps == 3
    ew.sees("Your turn to confirm")


def test_call_is_two_taps(phones: Phones, until: Callable[..., None]) -> None:
    ns, ew, _place = phones()
    ns.tap(ns.page.get_by_text("Call a referee", exact=True).first)
    ns.tap(ns.button("Just come"))
    until(lambda: Call.objects.exists())
    assert ns.taps == 2
    expect(ew.page.locator("#pulse")).to_contain_text("A referee is called.")
    expect(ns.page.locator("#pulse")).to_contain_text("A referee is called.")


def test_send_back_and_mend(phones: Phones) -> None:
    ns, ew, place = phones()
    plain(ns)
    ns.send()
    ew.sees("Your turn to confirm")
    ew.page.wait_for_timeout(800)
    ew.taps = 0
    ew.tap(ew.page.get_by_text("Something is wrong"))
    ew.tap(ew.button("Points"))
    assert ew.taps == 2
    ns.sees("E–W say: Points.")
    expect(ns.page.locator("#captured_in_tricks")).to_have_value("35")
    # the second disagreement calls a referee by itself
    ns.page.wait_for_timeout(800)
    ns.points("captured_in_tricks", 40)
    ns.send()
    ew.sees("Your turn to confirm")
    ew.page.wait_for_timeout(800)
    ew.tap(ew.page.get_by_text("Something is wrong"))
    ew.tap(ew.button("Points"))
    ns.sees("Still no agreement after two tries")
    ew.sees("Still no agreement after two tries")
    place.sitting.refresh_from_db()
    assert place.sitting.phase == SittingPhase.DISPUTED


def test_own_figures_that_differ_call_a_referee(phones: Phones) -> None:
    ns, ew, _place = phones()
    plain(ns)
    ns.send()
    ew.sees("Your turn to confirm")
    ew.page.wait_for_timeout(800)
    ew.tap(ew.page.get_by_text("Something is wrong"))
    ew.tap(ew.page.get_by_text("Enter our own figures"))
    plain(ew, 40)
    ew.page.wait_for_timeout(700)
    ew.send()
    ew.sees("Where the two entries differ")
    expect(ew.page.locator("table.data")).to_contain_text(re.compile(r"Points in tricks\s*40\s*35"))
    ns.sees("Where the two entries differ")
    expect(ns.page.locator("table.data tbody tr")).to_have_count(1)


def test_points_83_are_refused_and_kept(phones: Phones) -> None:
    ns, _ew, _place = phones()
    plain(ns, 83)
    ns.send()
    expect(ns.page.locator("#missing")).to_contain_text("Cannot be right: Points in tricks.")
    expect(ns.page.locator("#f-captured_in_tricks .field-error")).to_contain_text("you wrote 83")
    expect(ns.page).to_have_title(re.compile("^Refused"))
    expect(ns.page.locator("#captured_in_tricks")).to_have_value("83")
    expect(ns.page.locator("#captured_in_tricks")).to_be_focused()
    ns.key("trump", "S")
    ns.page.wait_for_timeout(400)  # the server has said the same meanwhile
    expect(ns.page.locator("#f-captured_in_tricks .field-error")).to_have_count(1)
    ns.points("captured_in_tricks", 85)
    ns.send()
    ns.sees("Take back the entry")
    assert not LedgerEntry.objects.exclude(facts__captured_in_tricks=85).exists()


def test_every_finding_at_once(phones: Phones) -> None:
    ns, _ew, _place = phones()
    ns.send()
    expect(ns.page.locator("#missing")).to_contain_text("Trump, Points in tricks, Last trick")
    expect(ns.page.locator(".field-error")).to_have_count(3)
    expect(ns.page).to_have_title(re.compile("^Refused"))
    assert not LedgerEntry.objects.exists()


def test_offline_it_is_kept_and_sent_once(phones: Phones, context: BrowserContext, until: Callable[..., None]) -> None:
    ns, _ew, _place = phones()
    plain(ns)
    context.set_offline(True)
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text("Unsent 1: hand 1 is still in this phone.")
    assert "Take back" not in ns.page.inner_text("#view")
    assert not LedgerEntry.objects.exists()
    ns.page.wait_for_event("requestfailed", lambda tried: tried.method == "POST")  # a try of its own
    context.set_offline(False)
    ns.sees("Take back the entry")
    expect(ns.page.locator("#unsent")).to_be_hidden()
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize("heard", ["nothing", "not known"])
def test_a_lost_answer_is_asked_again_with_the_same_key(phones: Phones, heard: str) -> None:
    """Whether the answer is lost on its way or the server itself could not hear what became of it."""
    ns, _ew, _place = phones()
    keys: list[str] = []

    def lose_the_first(route: Any) -> None:
        keys.append(re.search(r"(?:^|&)key=([^&]+)", route.request.post_data)[1])
        if len(keys) > 1:
            return route.continue_()
        route.fetch()  # the server has it, the phone never hears
        return route.abort() if heard == "nothing" else route.fulfill(status=503, json={"code": "outcome_unknown"})

    ns.page.route("**/enter/", lose_the_first)
    plain(ns)
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text("Unsent 1")
    expect(ns.page.locator("#unsent")).to_contain_text("Not yet known whether it is saved")
    assert LedgerEntry.objects.count() == 1
    ns.sees("Take back the entry")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert LedgerEntry.objects.count() == 1


def test_unsent_survives_a_reload(phones: Phones) -> None:
    ns, _ew, _place = phones()
    ns.page.route("**/enter/", lambda route: route.abort())
    plain(ns)
    ns.send()
    expect(ns.page.locator("#unsent")).to_contain_text("Unsent 1")
    ns.page.unroute("**/enter/")
    ns.page.reload()
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.count() == 1


def test_unsent_outlives_a_lost_place(phones: Phones, context: BrowserContext) -> None:
    ns, _ew, place = phones()
    plain(ns)
    context.clear_cookies()
    ns.send()
    expect(ns.page.get_by_role("heading", level=1)).to_have_text("This phone does not hold that place")
    assert not LedgerEntry.objects.exists()
    codes = devices.issue_codes(tournament_id=place.event.pk, actor=place.organiser, at=timezone.now())
    code = next(party_code_text(code) for code in codes if code.side == "NS")
    ns.page.goto(re.sub(r"/table/.*", f"/t/{code}/", ns.address))
    ns.button("Yes, we are N–S").click()
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.get().facts["captured_in_tricks"] == 35


def test_draft_survives_a_reload(phones: Phones) -> None:
    ns, _ew, _place = phones()
    ns.key("trump", "C")
    ns.page.get_by_role("button", name="plus 5").first.click()
    ns.page.reload()
    expect(ns.page.locator("[name=trump][value=C]")).to_be_checked()
    expect(ns.page.locator("#captured_in_tricks")).to_have_value("5")


def test_a_page_in_use_is_not_swapped(phones: Phones) -> None:
    ns, ew, _place = phones()
    ew.key("trump", "C")
    plain(ns)
    ns.send()
    expect(ew.page.locator("#newer")).to_contain_text("N–S have entered hand 1; please check it.")
    expect(ew.page.locator("[name=trump][value=C]")).to_be_checked()
    ew.tap(ew.button("Look at it"))
    ew.sees("Your turn to confirm")


def test_a_page_taken_into_use_is_not_swapped_by_one_on_its_way(phones: Phones) -> None:
    ns, ew, _place = phones()
    on_its_way: list[Route] = []
    ew.page.route(ew.address, lambda route: on_its_way.append(route))
    plain(ns)
    with ew.page.expect_request(ew.address):
        ns.send()
    ew.key("trump", "C")
    on_its_way[0].continue_()
    expect(ew.page.locator("#newer")).to_contain_text("N–S have entered hand 1; please check it.")
    expect(ew.page.locator("[name=trump][value=C]")).to_be_checked()
    ew.page.unroute(ew.address)
    ew.tap(ew.button("Look at it"))
    ew.sees("Your turn to confirm")


def test_the_slider_and_the_keys_say_the_same(phones: Phones) -> None:
    ns, _ew, _place = phones()
    slider = ns.page.locator("input[type=range]")
    slider.evaluate("field => { field.value = 85; field.dispatchEvent(new Event('input', {bubbles: true})) }")
    expect(ns.page.locator("#captured_in_tricks")).to_have_value("85")
    ns.page.get_by_role("button", name="minus 5").first.click()
    expect(ns.page.locator("#captured_in_tricks")).to_have_value("80")
    assert slider.input_value() == "80"


def test_hook_switch_at_level_j(phones: Phones) -> None:
    ns, _ew, _place = phones(levels=("J", "9"))
    ns.key("trump", "S")
    ns.points("captured_in_tricks", 65)
    ns.key("last_trick_winner", "attackers")
    ns.key("led", "pair")
    ns.points("kitty_points", 10)
    ns.tap(ns.page.get_by_text("Dug with the trump J"))
    expect(ns.page.locator("#result")).to_contain_text("J → 2")
    ns.send()
    ns.sees("Take back the entry")
    assert LedgerEntry.objects.get().facts["winning_play"] == ["SJ", "SJ"]


def test_places_in_one_browser_are_listed(phones: Phones, live_server: LiveServer) -> None:
    ns, _ew, _place = phones()
    ns.page.goto(live_server + "/table/")
    expect(ns.page.locator("a.panel")).to_have_count(2)


def test_without_script_the_forms_do_it(browser: Browser, live_server: LiveServer) -> None:
    place = hall()
    plain_browser = browser.new_context(viewport=PHONE, locale="zh-CN", java_script_enabled=False)
    ns, ew = (Phone(plain_browser, live_server, side) for side in (place.ns, place.ew))
    plain(ns, 83)
    ns.page.locator(".dock .btn.go").click()
    expect(ns.page).to_have_title(re.compile("^没有收下"))
    ns.points("captured_in_tricks", 85)
    ns.page.locator(".dock .btn.go").click()
    ns.sees("撤回修改")
    ew.page.goto(ew.address)
    ew.page.get_by_role("button", name="确认 85").click()
    ew.sees("第 1 副算数了。")
    assert LedgerEntry.objects.get().status == EntryStatus.EFFECTIVE
    plain_browser.close()


def test_what_the_desk_settles_is_seen_at_once(phones: Phones) -> None:
    ns, ew, place = phones()
    plain(ns)
    ns.send()
    ew.sees("Your turn to confirm")
    scorekeeping.record_hand(
        sitting_id=place.sitting.pk, actor=place.ew, at=timezone.now(), facts=sheet(40, trump="H"), hand_no=1
    )
    ns.sees("Where the two entries differ")
    place.sitting.refresh_from_db()
    scorekeeping.settle(
        sitting_id=place.sitting.pk,
        actor=place.referee,
        at=timezone.now(),
        expected_revision=place.sitting.revision,
        facts=sheet(35),
        reason="counted together",
        hand_no=1,
    )
    for phone in (ns, ew):
        phone.sees("A referee has settled hand 1:")


def test_a_phone_that_lost_its_place_is_told(phones: Phones) -> None:
    ns, _ew, place = phones()
    devices.release(device_id=place.ns.device.pk, actor=place.organiser, at=timezone.now())
    expect(ns.page.locator("h1")).to_contain_text("This phone does not hold that place")


def test_a_second_visit_costs_one_request_and_the_stream(phones: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee import asgi

    asked: list[str] = []

    def counted(inner: Any) -> Any:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            # the server is every page's, also of those that the test before had open
            if (b"x-visit", b"second") in scope["headers"]:
                asked.append(scope["path"])
            await inner(scope, receive, send)

        return app

    ns, _ew, _place = phones()
    ns.page.locator("#view button").first.wait_for()
    # since before this visit, nothing has been announced: the stream has nothing to greet the page with
    ns.page.wait_for_timeout(1500)
    monkeypatch.setattr(asgi, "pages", counted(asgi.pages))
    monkeypatch.setattr(asgi, "streams", counted(asgi.streams))
    page = ns.page.context.new_page()
    page.set_extra_http_headers({"x-visit": "second"})
    page.goto(ns.address)
    page.locator("#view button").first.wait_for()
    page.wait_for_timeout(1000)
    assert [one.split("/")[1] for one in asked] == ["table", "live"]
