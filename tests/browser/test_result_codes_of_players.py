"""Two single players of a table without any network agree by result code, and a referee takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.pages import GUARD, faults
from tests.browser.test_result_codes import TwoPhones, agreed, seen_faults, shown, shows, taken
from tests.tournaments.individual import evening, sittings_of
from tests.tournaments.signing import bytes_of
from tournaments.models import Call, LedgerEntry, ResultCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("offline_pages")]

ALLIED = {"dealer": "1", "ally": "4", "trump": "H", "captured_in_tricks": "35", "last_trick_winner": "dealer"}
ALONE = {"dealer": "2", "bid": "95", "trump": "S", "captured_in_tricks": "100", "last_trick_winner": "dealer"}
EVERYONE = {
    "points_1": "80",
    "points_2": "60",
    "points_3": "50",
    "points_4": "40",
    "last_trick_place": "2",
    "kitty_points": "10",
}


class Players(TwoPhones):
    """The phones of places 1 and 3; the others have none."""

    def __init__(
        self, browser: Browser, server: LiveServer, preset: str, seats: int, language: str = "en", theme: Any = "light"
    ) -> None:
        here = evening(preset, seats)
        (sitting,) = sittings_of(here.round())
        self.referee, self.event, self.sitting = here.actor, here.tournament, sitting
        held = (here.phone(sitting, "1"), here.phone(sitting, "3"))
        super().__init__(browser, server, held, language, theme)

    @property
    def desk_address(self) -> str:
        return f"{self.server}/desk/{self.event.slug}/code/"


def typed(page: Page, fields: dict[str, str]) -> None:
    page.wait_for_timeout(GUARD)
    for name, value in fields.items():
        chosen = page.locator(f"#hand [name={name}][type=radio][value='{value}']")
        if chosen.count():
            chosen.tap()
        else:
            page.fill(f"#{name}", value)


def offers(page: Page, code: str) -> None:
    """A code is given to a phone that scans."""
    page.locator("#code-scan").tap()
    page.fill("#code-text", code)
    page.locator("#code-read").tap()


def back(phones: Players, hand: str) -> None:
    """The network is there again: both phones hold nothing more, and go on with the next hand."""
    phones.cut(off=False)
    for page in (phones.one, phones.two):
        page.keyboard.press("Escape")
        expect(page.locator("#view")).to_have_attribute("data-hand", hand)
        expect(page.locator("#unsent")).to_be_hidden()
        assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('outbox:'))") == []


def test_two_players_without_network_then_a_referee_then_the_network(
    browser: Browser, live_server: LiveServer, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    phones = Players(browser, live_server, "I3", 5)
    phones.cut()
    expect(phones.two.locator("#code-none")).to_have_text("No network? Two players can agree by result code.")
    typed(phones.one, ALLIED)
    expect(phones.one.locator("#result")).to_have_text("What it gives is shown once there is a network.")
    screenshot(phones.one, "code-players-entered-en")
    claim = shows(phones.one)
    expect(phones.one.locator("#code-list p").first).to_have_text("Signed by you. Another player scans it and agrees.")
    screenshot(phones.one, "code-players-claim-en")
    for code, words in {
        claim[:-4] + "AAAA": "This code was not signed by a phone of this table.",
        claim[:60]: "This is no result code, or a part of it is missing.",
    }.items():
        offers(phones.two, code)
        expect(phones.two.locator("#code-wrong")).to_have_text(words)
        phones.two.keyboard.press("Escape")
    offers(phones.two, claim)
    expect(phones.two.locator("#code-who")).to_have_text("选手1 claims this.")
    expect(phones.two.locator("#code-unchecked")).to_be_hidden()
    expect(phones.two.locator("#captured_in_tricks")).to_have_value("35")
    for name in ("dealer", "ally", "trump"):
        expect(phones.two.locator(f"[name={name}][value='{ALLIED[name]}']")).to_be_checked()
    screenshot(phones.two, "code-players-agree-en")
    assert seen_faults(phones.two) == []
    phones.two.locator("#code-agree").tap()
    expect(phones.two.locator("#code-list p").first).to_have_text(
        "Signed by two players. A referee scans it; then it counts."
    )
    screenshot(phones.two, "code-players-both-en")
    both = shown(phones.two)
    assert LedgerEntry.objects.count() == 0
    desk = taken(enter(phones.referee), phones.desk_address, both)
    expect(desk.get_by_text("Two phones have agreed by result code: the hand counts.")).to_be_visible()
    screenshot(desk, "code-players-desk-en", full_page=True)
    entry = LedgerEntry.objects.get()
    assert (entry.status, entry.entered_side, entry.confirmed_side) == ("effective", "1", "3")
    assert ALLIED.items() <= {**entry.facts, "captured_in_tricks": str(entry.facts["captured_in_tricks"])}.items()
    back(phones, "2")
    assert LedgerEntry.objects.count() == ResultCode.objects.count() == 1
    assert not Call.objects.exists()
    # the levels moved: who deals now plays another one, and a claim says which
    phones.cut()
    typed(phones.two, ALLIED | {"dealer": "4", "ally": "4"})
    second = shows(phones.two)
    assert b"at_level=4" in bytes_of(second)
    offers(phones.one, second)
    phones.one.locator("#code-no").tap()
    expect(phones.one.locator("#captured_in_tricks")).to_have_value("")
    expect(phones.one.locator(".dock .btn.go[form=hand]")).to_be_visible()
    phones.close()


@pytest.mark.parametrize(("preset", "fields"), [("I1", ALONE), ("I2", EVERYONE)])
@pytest.mark.parametrize("first", [0, 1], ids=["claimed", "agreed"])
def test_without_a_referee_the_phones_send_it_themselves(
    browser: Browser, live_server: LiveServer, preset: str, fields: dict[str, str], first: int
) -> None:
    phones = Players(browser, live_server, preset, 4)
    phones.cut()
    typed(phones.one, fields)
    agreed(phones.two, shows(phones.one))
    phones.contexts[first].set_offline(False)
    page = (phones.one, phones.two)[first]
    page.keyboard.press("Escape")
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator("#view")).to_have_attribute("data-kind", "enter" if first else "sent")
    back(phones, "2")
    assert [(one.hand_no, one.status, one.entered_side, one.confirmed_side) for one in LedgerEntry.objects.all()] == [
        (1, "effective", "1", "3")
    ]
    assert not Call.objects.exists()
    phones.close()


@pytest.mark.parametrize(("language", "theme"), [("zh", "light"), ("zh", "dark"), ("en", "dark")])
def test_looks(
    browser: Browser,
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: Any,
) -> None:
    phones = Players(browser, live_server, "I1", 4, language, theme)
    phones.cut()
    name = f"code-players-{{}}-{language}-{theme}".format
    screenshot(phones.two, name("offline"))
    typed(phones.one, ALONE)
    claim = shows(phones.one)
    screenshot(phones.one, name("claim"))
    phones.two.set_viewport_size({"width": 320, "height": 640})
    offers(phones.two, claim)
    expect(phones.two.locator("#code-agree")).to_be_visible()
    screenshot(phones.two, name("agree"))
    assert seen_faults(phones.two) == []
    phones.two.locator("#code-agree").tap()
    expect(phones.two.locator("#code-list svg")).to_be_visible()
    screenshot(phones.two, name("both"))
    page = enter(phones.referee, language="zh-hans" if language == "zh" else "en", theme=theme)
    page.goto(f"{live_server}/code/{phones.event.slug}/#{claim}")
    expect(page.locator("#code-said")).to_contain_text("1")
    assert faults(page) == []
    screenshot(page, name("page"))
    phones.close()
