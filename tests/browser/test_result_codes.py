"""Two phones without any network agree by result code; a referee scans it; when the network is back it counts once."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
import segno
from django.templatetags.static import static
from playwright.sync_api import expect

from referee.static_files import sources
from referee.table.places import PREFIX
from tests.browser.pages import GUARD, faults, phone_context
from tests.browser.test_offline import fill, keeps
from tests.referee.table.places import hall, token_of
from tests.tournaments.signing import bytes_of
from tests.tournaments.test_result_code_text import PINNED
from tournaments.models import Call, DeviceKey, LedgerEntry, ResultCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.conftest import LiveServer
    from tests.tournaments.factories import Hall
    from tournaments.acts.admission import Actor

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("offline_pages")]

ENROLLED = """async () => (await new Promise((done) => {
  const asked = indexedDB.open("referee", 1);
  asked.onsuccess = () => {
    const all = asked.result.transaction("phones").objectStore("phones").getAll();
    all.onsuccess = () => (asked.result.close(), done(all.result));
  };
})).map((one) => [one.enrolled, Object.keys(one.keys).length, one.pair.privateKey.extractable])"""


class TwoPhones:
    """Two phones of one table, each in a browser of its own, once their keys are known and their pages kept."""

    def __init__(
        self,
        browser: Browser,
        server: LiveServer,
        actors: tuple[Actor, Actor],
        language: str = "en",
        theme: Any = "light",
    ) -> None:
        self.server = server
        self.contexts = [phone_context(browser, language=language, theme=theme) for _ in range(2)]
        self.one, self.two = (self._seat(*seat) for seat in zip(self.contexts, actors, strict=True))
        for page in (self.one, self.two):
            knows(page)

    def _seat(self, context: BrowserContext, actor: Actor) -> Page:
        name = PREFIX + actor.device.public_id
        context.add_cookies([{"name": name, "value": token_of(actor.device), "url": self.server.url}])
        page = context.new_page()
        page.goto(f"{self.server}/table/{actor.device.public_id}/")
        keeps(page, f"/table/{actor.device.public_id}/")
        return page

    def cut(self, *, off: bool = True) -> None:
        for context in self.contexts:
            context.set_offline(off)
        if off:
            for page in (self.one, self.two):
                page.reload()
                expect(page.locator("#kept")).to_be_visible()

    def close(self) -> None:
        for context in self.contexts:
            context.close()


class Phones(TwoPhones):
    """Those of the two sides."""

    def __init__(self, browser: Browser, server: LiveServer, language: str = "en", theme: Any = "light") -> None:
        self.here = hall()
        super().__init__(browser, server, (self.here.ns, self.here.ew), language, theme)
        self.ns, self.ew = self.one, self.two


def knows(page: Page) -> None:
    """Waits until this phone is known to the server and knows the key of the other one."""
    for _ in range(200):
        if page.evaluate(ENROLLED) == [[True, 2, False]]:
            return
        page.wait_for_timeout(75)
    raise TimeoutError(page.evaluate(ENROLLED))


@pytest.fixture
def phones(browser: Browser, live_server: LiveServer) -> Iterator[Phones]:
    made = Phones(browser, live_server)
    yield made
    made.close()


def seen_faults(page: Page) -> list[str]:
    """The heading of a form at the table is read aloud only."""
    return [one for one in faults(page) if one != "not one h1"]


def shown(page: Page, at: int = 0) -> str:
    """The text of a code that a phone shows."""
    return page.locator("#code-list textarea").nth(at).input_value()


def claimed(page: Page, points: int = 35) -> str:
    """This side enters a hand without network and shows its code."""
    page.wait_for_timeout(GUARD)
    fill(page, points)
    return shows(page)


def shows(page: Page) -> str:
    """Sends what is typed, without network, and shows its code."""
    page.locator(".dock .btn.go").tap()
    page.locator("#code-show").tap()
    expect(page.locator("#code-box")).to_be_visible()
    return shown(page, page.locator("#code-list textarea").count() - 1)


def agreed(page: Page, code: str) -> str:
    """The other side takes the code, sees the figures and signs."""
    page.locator("#code-scan").tap()
    page.fill("#code-text", code)
    page.locator("#code-read").tap()
    page.locator("#code-agree").tap()
    expect(page.locator("#code-box")).to_be_visible()
    return shown(page, page.locator("#code-list textarea").count() - 1)


def at_desk(enter: Callable[..., Page], here: Hall, server: LiveServer, code: str) -> Page:
    return taken(enter(here.referee), f"{server}/desk/{here.event.slug}/code/", code)


def taken(desk: Page, address: str, code: str) -> Page:
    """A referee opens the address that the code leads to."""
    desk.goto(f"{address}#{code}")
    expect(desk.locator("#code")).to_have_value(code)
    desk.get_by_role("button", name="Let it count").click()
    return desk


def test_no_network_at_all_then_a_referee_then_the_network(
    phones: Phones, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    phones.cut()
    claim = claimed(phones.ns)
    expect(phones.ns.locator("#code-list p").first).to_contain_text("Signed by you. East–West scan it and agree.")
    screenshot(phones.ns, "code-claim-en")
    phones.ew.locator("#code-scan").tap()
    expect(phones.ew.locator("#code-camera")).to_contain_text("This browser reads no codes.")
    screenshot(phones.ew, "code-scan-en")
    phones.ew.fill("#code-text", claim)
    phones.ew.locator("#code-read").tap()
    # the figures stand in this side's own form, worked out by this phone
    expect(phones.ew.locator("#code-theirs")).to_contain_text("North–South claim this.")
    expect(phones.ew.locator("#code-unchecked")).to_be_hidden()
    expect(phones.ew.locator("#captured_in_tricks")).to_have_value("35")
    expect(phones.ew.locator("#view input[type=range]")).to_have_value("35")
    expect(phones.ew.locator("#result")).to_contain_text("If this is right: N–S 2 → 4; North deals, playing 4")
    screenshot(phones.ew, "code-agree-en")
    assert seen_faults(phones.ew) == []
    phones.ew.locator("#code-agree").tap()
    expect(phones.ew.locator("#code-list p").first).to_contain_text("Signed by both sides. A referee scans it")
    screenshot(phones.ew, "code-both-en")
    both = shown(phones.ew)
    assert LedgerEntry.objects.count() == 0
    desk = at_desk(enter, phones.here, phones.server, both)
    expect(desk.get_by_text("Two phones have agreed by result code: the hand counts.")).to_be_visible()
    entry = LedgerEntry.objects.get()
    assert (entry.status, entry.entered_side, entry.confirmed_side) == ("effective", "NS", "EW")
    taken(desk, f"{phones.server}/desk/{phones.here.event.slug}/code/", both)
    expect(desk.get_by_text("Hand 1 is on the record already: this code changed nothing.")).to_be_visible()
    # both phones send what they hold, and it is the same hand
    phones.cut(off=False)
    for page in (phones.ns, phones.ew):
        page.keyboard.press("Escape")
        expect(page.locator("#view")).to_have_attribute("data-hand", "2")
        expect(page.locator("#unsent")).to_be_hidden()
        assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('outbox:'))") == []
    assert LedgerEntry.objects.count() == ResultCode.objects.count() == 1


@pytest.mark.parametrize("first", ["ns", "ew"])
def test_without_a_referee_the_phones_send_it_themselves(phones: Phones, first: str) -> None:
    phones.cut()
    agreed(phones.ew, claimed(phones.ns))
    at = [phones.ns, phones.ew].index(getattr(phones, first))
    one, other = phones.contexts[at], phones.contexts[1 - at]
    one.set_offline(False)
    page = getattr(phones, first)
    page.keyboard.press("Escape")
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator("#view")).to_have_attribute("data-kind", "sent" if first == "ns" else "enter")
    other.set_offline(False)
    for each in (phones.ns, phones.ew):
        each.keyboard.press("Escape")
        expect(each.locator("#view")).to_have_attribute("data-hand", "2")
        expect(each.locator("#unsent")).to_be_hidden()
    assert [(one.hand_no, one.status) for one in LedgerEntry.objects.all()] == [(1, "effective")]
    assert not Call.objects.exists()


def test_several_hands_one_after_the_other(phones: Phones, enter: Callable[..., Page]) -> None:
    phones.cut()
    first = agreed(phones.ew, claimed(phones.ns))
    for page in (phones.ns, phones.ew):
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Enter hand 2 meanwhile").tap()
    # this time the other side enters
    second = agreed(phones.ns, claimed(phones.ew, 100))
    for code in (first, second):
        at_desk(enter, phones.here, phones.server, code)
    facts = [(one.hand_no, one.entered_side, one.facts["captured_in_tricks"]) for one in LedgerEntry.objects.all()]
    assert facts == [(1, "NS", 35), (2, "EW", 100)]
    phones.cut(off=False)
    for page in (phones.ns, phones.ew):
        page.keyboard.press("Escape")
        expect(page.locator("#view")).to_have_attribute("data-hand", "3")
        expect(page.locator("#unsent")).to_be_hidden()
    assert LedgerEntry.objects.count() == 2


def test_the_camera_of_a_phone_leads_to_its_own_table(phones: Phones) -> None:
    phones.cut()
    claim = claimed(phones.ns)
    phones.ew.goto(f"{phones.server}/code/{phones.here.event.slug}/#{claim}")
    phones.ew.wait_for_url(f"**/table/{phones.here.ew.device.public_id}/")
    expect(phones.ew.locator("#code-theirs")).to_be_visible()
    expect(phones.ew.locator("#captured_in_tricks")).to_have_value("35")
    phones.ew.locator("#code-no").tap()
    expect(phones.ew.locator("#captured_in_tricks")).to_have_value("")
    expect(phones.ew.locator(".dock .btn.go[form=hand]")).to_be_visible()


def test_a_changed_code_is_seen_by_the_other_phone(phones: Phones) -> None:
    phones.cut()
    claim = claimed(phones.ns)
    middle = len(claim) // 2
    other = "A" if claim[middle] != "A" else "B"
    for code, words in {
        claim[:-4] + "AAAA": "This code was not signed by the phone of the other side.",
        claim[:middle]: "This is no result code, or a part of it is missing.",
        "牌": "This is no result code, or a part of it is missing.",
    }.items():
        phones.ew.locator("#code-scan").tap()
        phones.ew.fill("#code-text", code)
        phones.ew.locator("#code-read").tap()
        expect(phones.ew.locator("#code-wrong")).to_have_text(words)
        phones.ew.keyboard.press("Escape")
    phones.ew.locator("#code-scan").tap()
    phones.ew.fill("#code-text", claim[:middle] + other + claim[middle + 1 :])
    phones.ew.locator("#code-read").tap()
    expect(phones.ew.locator("#code-wrong")).to_be_visible()
    expect(phones.ew.locator("#code-theirs")).to_be_hidden()


def test_a_phone_signed_out_meanwhile_goes_to_review(
    phones: Phones, enter: Callable[..., Page], screenshot: Callable[..., Path]
) -> None:
    from django.utils import timezone

    from tournaments.ledger import devices

    phones.cut()
    both = agreed(phones.ew, claimed(phones.ns))
    devices.release(device_id=phones.here.ew.device.pk, actor=phones.here.chief, at=timezone.now())
    desk = at_desk(enter, phones.here, phones.server, both)
    expect(desk.locator("#code-error")).to_contain_text("One of the phones no longer holds its place.")
    screenshot(desk, "code-review-desk-en", full_page=True)
    assert not LedgerEntry.objects.exists()
    assert (ResultCode.objects.get().why, Call.objects.count()) == ("code_key_gone", 1)
    desk.goto(f"{phones.server}/desk/{phones.here.event.slug}/calls/")
    expect(desk.locator("main")).to_contain_text("no longer holds its place")


def test_the_key_never_leaves_and_plain_http_has_none(browser: Browser, live_server: LiveServer) -> None:
    context = phone_context(browser, language="en")
    context.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    here = hall()
    context.add_cookies(
        [{"name": PREFIX + here.ns.device.public_id, "value": token_of(here.ns.device), "url": live_server.url}]
    )
    page = context.new_page()
    page.goto(f"{live_server}/table/{here.ns.device.public_id}/")
    page.wait_for_timeout(1500)
    context.set_offline(True)
    fill(page)
    page.locator(".dock .btn.go").tap()
    expect(page.locator("#unsent")).to_be_visible()
    expect(page.locator("#code-show")).to_be_hidden()
    expect(page.locator("#result-code")).to_be_hidden()
    assert not DeviceKey.objects.exists()
    context.close()


@pytest.mark.parametrize(("language", "theme"), [("zh", "dark"), ("zh", "light"), ("en", "dark")])
def test_looks(
    browser: Browser,
    live_server: LiveServer,
    enter: Callable[..., Page],
    screenshot: Callable[..., Path],
    language: str,
    theme: Any,
) -> None:
    phones = Phones(browser, live_server, language, theme)
    phones.cut()
    name = f"{language}-{theme}"
    screenshot(phones.ew, f"code-offline-{name}")
    claim = claimed(phones.ns)
    screenshot(phones.ns, f"code-claim-{name}")
    phones.ew.set_viewport_size({"width": 320, "height": 640})
    phones.ew.locator("#code-scan").tap()
    screenshot(phones.ew, f"code-scan-{name}")
    phones.ew.fill("#code-text", claim)
    phones.ew.locator("#code-read").tap()
    expect(phones.ew.locator("#code-agree")).to_be_visible()
    screenshot(phones.ew, f"code-agree-{name}")
    assert seen_faults(phones.ew) == []
    phones.ew.locator("#code-agree").tap()
    expect(phones.ew.locator("#code-list svg")).to_be_visible()
    screenshot(phones.ew, f"code-both-{name}")
    desk = enter(phones.here.referee, language="zh-hans" if language == "zh" else "en", theme=theme)
    for width in (320, 1280):
        desk.set_viewport_size({"width": width, "height": 800})
        desk.goto(f"{live_server}/desk/{phones.here.event.slug}/code/")
        assert faults(desk) == []
        screenshot(desk, f"code-desk-{name}-{width}", full_page=True)
    desk.goto(f"{live_server}/code/{phones.here.event.slug}/#{shown(phones.ew)}")
    expect(desk.locator("#to-desk")).to_be_visible()
    assert faults(desk) == []
    screenshot(desk, f"code-page-{name}")
    phones.close()


def test_a_hand_claimed_to_be_void_says_so(phones: Phones, enter: Callable[..., Page]) -> None:
    """Whatever stands in the form besides: it is not the figures that are signed."""
    phones.cut()
    phones.ns.wait_for_timeout(GUARD)
    fill(phones.ns, 40)
    phones.ns.locator("summary:has-text('Void')").tap()
    phones.ns.locator("[name=annulled_reason][value=misdeal]").tap()
    phones.ns.get_by_role("button", name="Send to E–W: this hand is void").tap()
    phones.ns.locator("#code-show").tap()
    phones.ew.locator("#code-scan").tap()
    phones.ew.fill("#code-text", shown(phones.ns))
    phones.ew.locator("#code-read").tap()
    expect(phones.ew.locator("#code-who")).to_have_text("North–South claim that this hand is void.")
    expect(phones.ew.locator("#result")).to_be_hidden()
    phones.ew.locator("#code-agree").tap()
    expect(phones.ew.locator("#code-box")).to_be_visible()
    at_desk(enter, phones.here, phones.server, shown(phones.ew))
    assert [(one.kind, one.status) for one in LedgerEntry.objects.all()] == [("annulled", "effective")]


READS = """async ([address, text, keys, pinned]) => {
  const { read, isGenuine, claim } = await import(address);
  const told = read(text);
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const { sitting, hand, revision, once_key: key, fields } = pinned;
  const typed = Object.entries(fields).filter(([name]) => name !== "at_level");
  const job = { hand, revision, key, level: fields.at_level, fields: typed };
  const made = await claim({ me: told.claimedBy, sitting, pair }, job);
  return [{ ...told, claimed: null, signature: null }, await isGenuine(keys[told.claimedBy], told), made];
}"""


def test_the_phone_reads_the_bytes_that_the_server_reads(page: Page, live_server: LiveServer) -> None:
    """The codes of the cases, and the claim of the same hand, byte by byte up to its signature."""
    page.goto(f"{live_server}/code/")
    address = static("referee/js/result-code.js")
    for pinned in PINNED["codes"]:
        told, genuine, claim = page.evaluate(READS, [address, pinned["text"], PINNED["keys"], pinned])
        names = ("sitting", "hand", "revision")
        assert {name: told[name] for name in names} == {name: pinned[name] for name in names}
        assert (told["claimedBy"], told["agreedBy"]) == (pinned["claimed_by"], pinned["agreed_by"])
        assert (dict(told["fields"]), genuine) == (pinned["fields"], True)
        ours, theirs = bytes_of(claim), bytes_of(pinned["text"])
        assert len(ours) > 64
        assert ours[:-64] == theirs[: len(ours) - 64]


MODULES = """async ([source, all]) => {
  const { modules } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const said = (rows) => rows.map((row) => row.map((on) => (on ? 1 : 0)).join("")).join("\\n");
  return all.map(([bytes, mask]) => said(modules(bytes, mask)));
}"""


def test_the_phones_qr_codes_are_those_of_the_server(page: Page) -> None:
    """Module by module, on every version and mask: 600 random texts, and the shortest and longest of each version."""
    from django.conf import settings

    source = dict(sources(settings.BASE_DIR))["referee/js/qr.js"].read_text("utf-8")
    chance = random.Random(15)
    lengths = [chance.randrange(1, 1270) for _ in range(400)] + [chance.randrange(1, 400) for _ in range(200)]
    for version in range(1, 26):
        longest = longest_of(version)
        lengths += [longest, longest + 1] if version < 25 else [longest]
    asked = [(chance.randbytes(length), chance.randrange(8)) for length in lengths]
    page.goto("about:blank")
    drawn = page.evaluate(MODULES, [source, [[list(text), mask] for text, mask in asked]])
    seen = set()
    for (text, mask), rows in zip(asked, drawn, strict=True):
        code = segno.make(text, error="l", mode="byte", boost_error=False, micro=False, mask=mask)
        seen.add((code.version, mask))
        assert rows == "\n".join("".join(map(str, row)) for row in code.matrix), (len(text), mask)
    assert {version for version, _ in seen} == set(range(1, 26))
    # left to itself it chooses one of the eight
    free = page.evaluate(MODULES, [source, [[list(text)] for text, _ in asked[:20]]])
    for (text, _), rows in zip(asked, free, strict=False):
        each = [
            segno.make(text, error="l", mode="byte", boost_error=False, micro=False, mask=one).matrix
            for one in range(8)
        ]
        assert rows in ["\n".join("".join(map(str, row)) for row in one) for one in each]


def longest_of(version: int) -> int:
    """How many bytes a version holds, found by asking the server's encoder."""
    low, high = 1, 2000
    while low < high:
        middle = (low + high + 1) // 2
        try:
            segno.make(b"a" * middle, version=version, error="l", mode="byte", boost_error=False, micro=False)
            low = middle
        except segno.DataOverflowError:
            high = middle - 1
    return low
