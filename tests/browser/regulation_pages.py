"""A regulation gone through in a real browser: officials click, sides tap on phones, the public reads.

The acts are those of `tests.events.fronts`. Each kind of page that comes up is photographed once an event, looked at
for sideways scroll, and none may raise an error in its scripts.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.test import Client
from playwright.sync_api import TimeoutError, expect

from referee.sessions import SessionStore
from tests.browser.pages import DESK, GUARD, phone_context
from tests.browser.pages import Phone as PhonePage
from tests.events.fronts import UNNAMED, ZH
from tests.tournaments.factories import just_proved, proved_now
from tournaments.acts.doorbell import stale_number
from tournaments.ledger.codes import party_code_text
from tournaments.models import Job, Recalculation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

    from tests.conftest import LiveServer
    from tests.events.fronts import Typed
    from tournaments.models import LedgerEntry, PartyCode, Tournament, User

#: Which form of the page has those fields (hidden ones with those values) and that button, which sends it there.
FORM: Final = """([to, typed, press]) => [...document.forms].findIndex((form) => {
    const all = [...form.elements];
    const address = (one) => one.getAttribute("formaction") || form.getAttribute("action") || "";
    const goes = (one) => new URL(address(one), location.href).pathname === to;
    const has = ([name, value]) =>
        all.some((one) => one.name === name && (one.type !== "hidden" || one.value === value));
    const buttons = all.filter((one) => one.tagName === "BUTTON" && one.type === "submit");
    const meant = (one) => goes(one) && one.name === press[0] && one.value === press[1];
    return Object.entries(typed).every(has) && buttons.some(meant);
})"""
REFUSED: Final = ".notice.bad[role=alert]:visible, .field-error:visible"
SIDEWAYS: Final = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Clicks:
    """The pages in Chromium: the sides of table 1, and where somebody was late, write on phones; a referee enters the
    slips of the other tables."""

    def __init__(
        self,
        browser: Browser,
        server: LiveServer,
        language: str,
        *,
        name: str,
        until: Callable[..., None],
        screenshot: Callable[..., Path],
    ) -> None:
        self.browser, self.server, self.language, self.name = browser, server, language, name
        self._until, self._screenshot = until, screenshot
        self._readers: dict[str, Clicking] = {}
        self._phones = phone_context(browser, language=language)
        self._taken: set[str] = set()
        self.claim = ""

    def official(self, user: User | None) -> Clicking:
        context = self._wide(self.language)
        cookies = {"django_language": ZH if self.language == "zh" else "en"}
        if user is not None:
            cookies["sessionid"] = _session(user)
        context.add_cookies([{"name": name, "value": one, "url": str(self.server)} for name, one in cookies.items()])
        return Clicking(self, context, "desk")

    def reader(self, language: str) -> Clicking:
        """The event's own language is read on a phone, the other one on a wide screen."""
        if language not in self._readers:
            own = language == self.language
            context = phone_context(self.browser, language=language) if own else self._wide(language)
            self._readers[language] = Clicking(self, context, "phone" if own else "wide")
        return self._readers[language]

    def phone(self, code: PartyCode) -> Tapping:
        return Tapping(self, self._phones, party_code_text(code))

    def by_phones(self, table: int) -> bool:
        return table == 1

    def settle(self, event: Tournament) -> None:
        """The worker catches up by itself."""

        def fresh() -> bool:
            event.refresh_from_db()
            return bool(Recalculation.objects.get(tournament=event).covered_number == stale_number(event.pk))

        self._until(fresh, seconds=90)

    def jobs_done(self) -> None:
        """The worker does them by itself."""
        self._until(lambda: not Job.objects.filter(done_at=None).exists(), seconds=180)

    def seen(self, page: Page, where: str) -> None:
        """A page has come up: photographed if it is the first of its kind, and nothing hangs out at its side."""
        path = re.sub("^(/desk/enter|/table)/.*", r"\1", urlsplit(page.url).path)
        kind = re.sub(r"^/(zh|en)/e/[^/]+|^/desk/[^/]+(?=/.)", "", path).strip("/") or "event"
        kind = where if path == "/table" else f"{where}-{re.sub(r'[0-9]+', 'n', kind).replace('/', '-')}"
        if kind in self._taken:
            return
        self._taken.add(kind)
        self._screenshot(page, f"{self.name}-{kind}", full_page=True)
        assert not page.evaluate(SIDEWAYS), f"{path} scrolls sideways ({where})"

    def _wide(self, language: str) -> BrowserContext:
        context = self.browser.new_context(viewport=DESK, locale="zh-CN" if language == "zh" else "en")
        context.set_default_timeout(30_000)
        return context


def _session(user: User) -> str:
    """The key of a session in which this person is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    just_proved(client)
    return str(client.cookies["sessionid"].value)


class Clicking:
    """Somebody at a page, with a mouse and a keyboard."""

    def __init__(self, front: Clicks, context: BrowserContext, where: str) -> None:
        self.front, self.context, self.where = front, context, where
        self.page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    @property
    def html(self) -> str:
        return self.page.content()

    @property
    def address(self) -> str:
        parts = urlsplit(self.page.url)
        return f"{parts.path}?{parts.query}" if parts.query else parts.path

    def open(self, address: str) -> str:
        answer = self.page.goto(f"{self.front.server}{address}")
        assert answer is not None
        assert answer.status == 200, f"{address} answered {answer.status}"
        self._looked()
        return self.html

    def send(self, to: str, typed: Typed | None = None, *, press: tuple[str, str] = UNNAMED) -> None:
        form, before = self._form(to, typed or {}, press), self.address
        for name, value in (typed or {}).items():
            self._type(form, name, value)
        with self.page.expect_navigation() as answer:
            self._button(form, to, press).click()
        said = self.page.locator(REFUSED).all_inner_texts()
        assert answer.value.status == 200, f"{to} answered {answer.value.status}: {said}"
        assert not said, f"{to}: {said}"
        self._looked("-asked" if self.address == before else "")

    def paper(self, to: str) -> bytes:
        form = self._form(to, {}, UNNAMED)
        with self.page.expect_download() as file:
            self._button(form, to, UNNAMED).click()
        return file.value.path().read_bytes()

    def prove(self) -> None:
        (key,) = (one["value"] for one in self.context.cookies() if one["name"] == "sessionid")
        proved_now(SessionStore(key))

    def fetch(self, address: str) -> bytes:
        answer = self.context.request.get(f"{self.front.server}{address}")
        assert answer.ok, f"{address} answered {answer.status}"
        return answer.body()

    def _looked(self, then: str = "") -> None:
        assert not self.errors, self.errors
        self.front.seen(self.page, self.where + then)

    def _form(self, to: str, typed: Typed, press: tuple[str, str]) -> Locator:
        told = {name: value if isinstance(value, str) else "" for name, value in typed.items()}
        found = self.page.evaluate(FORM, [to, told, press])
        assert found >= 0, f"{self.address} has no form to {to} with {sorted(typed)} and the button {press}"
        return self.page.locator("form").nth(found)

    def _button(self, form: Locator, to: str, press: tuple[str, str]) -> Locator:
        name, value = press
        named = f"button[name='{name}'][value='{value}']" if name else "button:not([name]):not([type=button])"
        # a button that names its own address stands apart from the form it sends
        apart = self.page.locator(f"{named}[formaction='{to}']")
        button = apart.first if apart.count() else form.locator(named).first
        self._unfold(button)
        return button

    def _type(self, form: Locator, name: str, value: Any) -> None:
        fields = form.locator(f"[name='{name}']")
        if isinstance(value, tuple):
            file: Any = {"name": value[0], "mimeType": "application/octet-stream", "buffer": value[1]}
            # a list of entrants would be sent by itself; here the button is pressed, as without script
            fields.evaluate("(one) => delete one.dataset.send")
            fields.set_input_files(file)
            return
        for place, one in enumerate(value if isinstance(value, list) else [value]):
            self._fill(fields, place, str(one))

    def _fill(self, fields: Locator, place: int, value: str) -> None:
        field = fields.nth(place)
        tag, kind = field.evaluate("(one) => [one.tagName, one.type]")
        if kind == "hidden":
            return
        if kind in ("radio", "checkbox"):
            field = fields.and_(fields.page.locator(f"[value='{value}']")) if kind == "radio" else field
        self._unfold(field)
        if kind in ("radio", "checkbox"):
            self._choose(field)
        elif tag == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)

    def _choose(self, field: Locator) -> None:
        """Click the words around a choice, or beside it."""
        if field.is_checked():
            return
        around = field.locator("xpath=ancestor::label")
        beside = field.page.locator(f"label[for='{field.get_attribute('id')}']")
        around.or_(beside).first.click()
        expect(field).to_be_checked()

    def _unfold(self, part: Locator) -> None:
        """Open what is folded over this part, from the outside in."""
        folded = part.locator("xpath=ancestor::details[not(@open)]")
        while folded.count():
            folded.first.locator("> summary").click()


class Tapping:
    """One side's phone."""

    def __init__(self, front: Clicks, context: BrowserContext, code: str) -> None:
        self.front = front
        self.phone = PhonePage(context, front.server, code, front.language)
        self.phone.page.set_default_timeout(30_000)

    def enter(self, facts: Mapping[str, Any], hand_no: int, dealer: str, *, contested: bool) -> None:
        self._send({**facts, "dealer": dealer}, hand_no)

    def rebel(self, seat: str, points: int, hand_no: int, dealer: str) -> None:
        told = {"kind": "annulled", "reason": "rebellion", "by": seat, "hand_points": points}
        self._send({**told, "dealer": dealer}, hand_no)

    def _send(self, line: dict[str, Any], hand_no: int) -> None:
        self.phone.fill(line, hand_no)
        self._looked()
        self.phone.send()
        self.front.claim = self.phone.sent()
        self._looked()

    def confirm(self, waiting: LedgerEntry) -> None:
        """Both phones show the same figures and the same code."""
        self.phone.turns_to("confirm")
        self._looked()
        with self.phone.page.expect_response(re.compile("/confirm/$"), timeout=20_000):
            assert self.phone.confirm() == self.front.claim
        expect(self.phone.view).not_to_have_attribute("data-kind", "confirm", timeout=20_000)
        self._looked()

    def say_over(self) -> None:
        """Tap until it is said: a page that has just turned, because the other side said something, takes no tap."""
        page = self.phone.page
        page.reload()
        button = page.locator("form[action$='/over/'] button")
        for _tap in range(5):
            page.wait_for_timeout(GUARD)
            if button.count() == 0:
                break
            with suppress(TimeoutError):
                with page.expect_response(re.compile("/over/$"), timeout=20_000):
                    button.tap(timeout=3_000)
                break
        expect(button).to_have_count(0)
        self._looked()

    def leave(self) -> None:
        """The round is closed; a page that asked once more was told that it holds its place no longer (404)."""
        self.phone.page.close()

    def _looked(self) -> None:
        assert self.phone.errors == []
        self.front.seen(self.phone.page, f"table-{self.phone.view.get_attribute('data-kind')}")
