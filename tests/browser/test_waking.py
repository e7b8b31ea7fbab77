"""A phone is woken: asked for on the player's own page, sent by a worker to a service on loopback, shown by the worker
of a real browser.

What a browser does with its maker's push service alone is stood in for: the address and the keys that it gives
(`SUBSCRIBES`), and the way from the service to the browser (Chromium's own `ServiceWorker.deliverPushMessage`). A
Chromium without windows forbids messages on a screen that it has not: there the screen is stood in for too (`SCREEN`);
one with windows shows them (CHROMIUM=chromium).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from referee.table.places import PREFIX
from tests.browser.pages import phone_context
from tests.browser.test_offline import settled
from tests.push_service import push_service
from tests.referee.table.places import hall, token_of
from tests.tournaments.factories import sheet
from tournaments.ledger import calls, scorekeeping
from tournaments.ledger.codes import entrant_code_text
from tournaments.models import WakeAddress
from tournaments.people import attendance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import BrowserContext, Page, Worker
    from pytest_django.fixtures import SettingsWrapper

    from tests.conftest import LiveServer
    from tests.push_service import PushService
    from tests.tournaments.factories import Hall

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("offline_pages")]

#: What the maker's service would give; kept beside the page, as a browser keeps it.
SUBSCRIBES = """
(({ address, public_key, secret }) => {
  const made = (key) => ({
    endpoint: address,
    options: { applicationServerKey: key },
    toJSON: () => ({ endpoint: address, keys: { p256dh: public_key, auth: secret } }),
    unsubscribe: async () => { localStorage.removeItem("stood in"); return true; },
  });
  const kept = () => {
    const key = localStorage.getItem("stood in");
    return key ? made(Uint8Array.from(JSON.parse(key)).buffer) : null;
  };
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  PushManager.prototype.getSubscription = async () => kept();
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new Error("a browser refuses this");
    localStorage.setItem("stood in", JSON.stringify([...applicationServerKey]));
    return kept();
  };
})(%s);
"""
SCREEN = """() => {
  if (Notification.permission === "granted") return;
  const shown = [];
  registration.showNotification = async (title, more) => {
    const one = { title, ...more, close: () => shown.splice(shown.indexOf(one), 1) };
    shown.push(one);
  };
  registration.getNotifications = async () => shown;
}"""
SHOWN = """async () => (await registration.getNotifications())
  .map(({ title, body, tag, lang }) => ({ title, body, tag, lang }))"""
TAPPED = """async () => {
  const [notification] = await registration.getNotifications();
  const event = Object.assign(new Event("notificationclick"), { notification });
  const done = new Promise((after) => { event.waitUntil = after; });
  dispatchEvent(event);
  await (await done);
}"""


@pytest.fixture
def service(settings: SettingsWrapper) -> Iterator[PushService]:
    with push_service() as made:
        settings.PUSH_SERVICES = (made.url,)
        yield made


@pytest.fixture
def phone(browser: Chromium, live_server: LiveServer) -> Iterator[BrowserContext]:
    made = phone_context(browser, language="zh")
    made.grant_permissions(["notifications"], origin=live_server.url)
    yield made
    made.close()


def own_page(context: BrowserContext, server: LiveServer, here: Hall, *, holds: bool = True) -> Page:
    """The own page of the pair that sits East-West, whose phone holds its place at the table."""
    if holds:
        device = here.ew.device
        context.add_cookies([{"name": PREFIX + device.public_id, "value": token_of(device), "url": server.url}])
    codes = attendance.issue_entrant_codes(tournament_id=here.event.pk, actor=here.chief, at=timezone.now())
    page = context.new_page()
    page.goto(f"{server}/me/{entrant_code_text(codes[1])}/")
    expect(page.locator("#wake")).to_be_visible()
    return page


def worker_of(page: Page) -> Worker:
    """The worker of the page, with a screen to show messages on."""
    settled(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    (worker,) = page.context.service_workers
    worker.evaluate(SCREEN)
    return worker


def deliver(page: Page, server: LiveServer, data: str) -> None:
    """From the service to the browser: the test hook of Chromium."""
    cdp = page.context.new_cdp_session(page)
    found: list[str] = []
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    cdp.send("ServiceWorker.enable")
    settled(page, lambda: found)
    cdp.send("ServiceWorker.deliverPushMessage", {"origin": server.url, "registrationId": found[-1], "data": data})
    cdp.detach()


def test_from_the_button_to_the_table(
    live_server: LiveServer,
    celery_worker: None,
    service: PushService,
    phone: BrowserContext,
    screenshot: Callable[..., Path],
) -> None:
    here, mine = hall(), service.browser("mine")
    phone.add_init_script(SUBSCRIBES % json.dumps(mine.asked))
    page = own_page(phone, live_server, here)
    worker = worker_of(page)
    button = page.locator("#wake button")
    expect(button.locator("span:visible")).to_have_text("到时叫我")
    expect(page.locator("#wake")).to_contain_text("此外不发任何消息")
    button.tap()
    expect(page.locator("#wake [data-said]")).to_contain_text("关掉本页也会响")
    expect(button).to_have_attribute("aria-pressed", "true")
    screenshot(page, "wake-zh")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert [one.address for one in WakeAddress.objects.all()] == [mine.address]

    scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=timezone.now(), facts=sheet(35), hand_no=1)
    settled(page, lambda: service.got)
    (told,) = service.read(mine)
    worker.evaluate(SCREEN)
    deliver(page, live_server, json.dumps(told))
    settled(page, lambda: worker.evaluate(SHOWN))
    assert worker.evaluate(SHOWN) == [told]
    assert (told["title"], told["body"]) == ("1 桌", "对方录入了一副，请核对。")
    worker.evaluate(TAPPED)
    expect(page.locator("#view")).to_have_attribute("data-kind", "confirm")
    assert worker.evaluate(SHOWN) == []


def test_it_is_turned_off(live_server: LiveServer, service: PushService, phone: BrowserContext) -> None:
    here, mine = hall(), service.browser("mine")
    phone.add_init_script(SUBSCRIBES % json.dumps(mine.asked))
    page = own_page(phone, live_server, here)
    button = page.locator("#wake button")
    button.tap()
    expect(page.locator("#wake [data-said]")).to_contain_text("关掉本页也会响")
    assert WakeAddress.objects.count() == 1
    button.tap()
    settled(page, lambda: not WakeAddress.objects.exists())
    expect(button.locator("span:visible")).to_have_text("到时叫我")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_what_a_laptop_that_took_over_does_not_know_is_told_again(
    live_server: LiveServer, service: PushService, phone: BrowserContext
) -> None:
    here, mine = hall(), service.browser("mine")
    phone.add_init_script(SUBSCRIBES % json.dumps(mine.asked))
    page = own_page(phone, live_server, here)
    page.locator("#wake button").tap()
    expect(page.locator("#wake [data-said]")).to_contain_text("关掉本页也会响")
    WakeAddress.objects.all().delete()
    page.reload()
    settled(page, WakeAddress.objects.exists)


def test_where_no_service_takes_part_the_open_page_rings(
    live_server: LiveServer, service: PushService, phone: BrowserContext, screenshot: Callable[..., Path]
) -> None:
    """This Chromium reaches no push service: it says so, and the page sounds and buzzes all the same."""
    here = hall()
    phone.add_init_script("window.buzzes = 0; navigator.vibrate = () => { window.buzzes += 1; return true; };")
    phone.add_init_script("PushManager.prototype.subscribe = () => Promise.reject(new Error('push service error'));")
    page = own_page(phone, live_server, here)
    page.locator("#wake button").tap()
    expect(page.locator("#wake [data-said]")).to_contain_text("推送服务没有接通")
    assert page.evaluate("window.buzzes") == 1
    call = calls.call_referee(sitting_id=here.sitting.pk, actor=here.ew, at=timezone.now())
    calls.take_call(call_id=call.pk, actor=here.referee, at=timezone.now())
    expect(page.locator("#my-table")).to_contain_text("裁判正在过来")
    settled(page, lambda: page.evaluate("window.buzzes") == 2)
    assert not WakeAddress.objects.exists()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("delete window.PushManager;", "只有开着本页才会响，请不要关掉"),
        ("delete window.PushManager; navigator.standalone = false;", "添加到主屏幕"),
        ("Object.defineProperty(Notification, 'permission', { get: () => 'denied' });", "浏览器不允许本站发通知"),
        ("Object.defineProperty(window, 'isSecureContext', { value: false });", "只有开着本页才会响，请不要关掉"),
    ],
    ids=["no push", "iphone", "denied", "plain http"],
)
def test_it_says_what_the_browser_permits(
    live_server: LiveServer, service: PushService, phone: BrowserContext, script: str, words: str
) -> None:
    phone.add_init_script(script)
    page = own_page(phone, live_server, hall())
    expect(page.locator("#wake [data-said]")).to_contain_text(words)


def test_a_laptop_wakes_nobody_from_outside(live_server: LiveServer, phone: BrowserContext) -> None:
    page = own_page(phone, live_server, hall())
    page.locator("#wake button").tap()
    expect(page.locator("#wake [data-said]")).to_contain_text("只有开着本页才会响")
    assert not WakeAddress.objects.exists()


@pytest.mark.parametrize("data", ["no JSON", '{"title": 7, "body": ["x"]}', "null", ""])
def test_a_message_that_nobody_can_read_is_shown_bare(
    live_server: LiveServer, service: PushService, phone: BrowserContext, data: str
) -> None:
    page = own_page(phone, live_server, hall())
    worker = worker_of(page)
    deliver(page, live_server, data)
    settled(page, lambda: worker.evaluate(SHOWN))
    assert [(one["title"], one["body"]) for one in worker.evaluate(SHOWN)] == [("Referee", "")]
