"""The pages as people use them: two phones at a table, the desk, and what the public pages show.

Nothing here goes past a page: every act is a tap, a typed figure or a button, every reading is what a page shows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from typing import Literal

    from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize

    from tests.conftest import LiveServer

    Theme = Literal["light", "dark"]

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
GUARD = 750  # milliseconds in which a page that has just changed takes no tap
SEATS = {
    "en": {"N": "North", "W": "West", "S": "South", "E": "East"},
    "zh": {"N": "北", "W": "西", "S": "南", "E": "东"},
}


def shape_code(shape: dict[str, Any]) -> str:
    """A shape of the protocol as the forms write it: ``pair``, ``2x3``."""
    return f"{shape['width']}x{shape['length']}" if shape["type"] == "tractor" else str(shape["type"])


def phone_context(browser: Browser, *, language: str, theme: Theme = "light") -> BrowserContext:
    """A phone's browser: `language` ``en`` or ``zh``, `theme` ``light`` or ``dark``."""
    locale = "zh-CN" if language == "zh" else "en"
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale=locale, color_scheme=theme)
    context.set_default_timeout(30_000)
    return context


class Phone:
    """One side's place, taken with the code of its table card."""

    def __init__(self, context: BrowserContext, server: LiveServer, code: str, language: str = "en") -> None:
        self.seats = SEATS[language]
        self.page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.goto(f"{server}/t/{code}/")
        self.page.locator(".land .btn.go").tap()
        self.page.wait_for_url("**/table/*/")
        self.view = self.page.locator("#view")

    def turns_to(self, kind: str, hand_no: int | None = None) -> None:
        """The page turns by itself to what this side does now."""
        expect(self.view).to_have_attribute("data-kind", kind)
        if hand_no is not None:
            expect(self.view).to_have_attribute("data-hand", str(hand_no))

    def fill(self, line: dict[str, Any], hand_no: int) -> None:
        """Fill in a hand as the sheet has it: trump, points, last trick, what was dug, failed throws."""
        self.turns_to("enter", hand_no)
        self.page.wait_for_timeout(GUARD)
        self._dealer(line)
        if line["kind"] == "annulled":
            self._void(line)
            return
        if "declared_by" in line:
            self._key("declared_by", line["declared_by"])
        if "trump" in line:
            self._key("trump", line["trump"])
        self._number("captured_in_tricks", line["captured_in_tricks"])
        if "last_trick_winner" in line:
            self._key("last_trick_winner", line["last_trick_winner"])
        if "led" in line:
            self._last_trick(line)
        self._specials(line)
        self._throws(line.get("throw_failures", []))

    def send(self) -> None:
        """Send what is filled in to the other side: a hand, or that it is void."""
        void = self.view.locator("button[name=kind][value=annulled]")
        (void if void.is_visible() else self.page.locator(".dock .btn.go")).tap()

    def sent(self) -> str:
        """What this side has sent, in one sentence, once the other side has it; with the code both phones show."""
        self.turns_to("sent")
        return self._claim()

    def confirm(self) -> str:
        """Read the other side's entry and agree to it: what was agreed to, and the code both phones show."""
        self.turns_to("confirm")
        claim = self._claim()
        self.page.wait_for_timeout(GUARD)
        self.page.locator(".dock form[action$='/confirm/'] .btn.go").tap()
        return claim

    def shows_levels(self, levels: dict[str, str]) -> None:
        """The levels of both sides come to stand on this page; its own side is marked and stands first."""
        mark = self.view.locator(".sides .mine use[href='#side-NS']")
        own, other = ("NS", "EW") if mark.count() else ("EW", "NS")
        expect(self.view.locator(".sides .level")).to_have_text([levels[own], levels[other]])

    def _claim(self) -> str:
        code = self.view.locator(".check-code").inner_text()
        return f"{self.view.locator('#what').inner_text()} [{code}]"

    def _dealer(self, line: dict[str, Any]) -> None:
        """A contested deal is chosen; otherwise the page must already say what the sheet says."""
        contested = self.view.locator("fieldset#f-dealer:not(#unexpected fieldset)")
        if contested.count():
            contested.locator(f"[value={line['dealer']}]").tap()
            return
        due = self.view.locator(".this-hand b:visible").inner_text()
        assert self.seats[line["dealer"]] in due, (line, due)
        assert "level" not in line or re.search(rf"\b{line['level']}$", due), (line, due)

    def _void(self, line: dict[str, Any]) -> None:
        self._unfold("annulled_reason")
        self._key("annulled_reason", line["reason"])
        if "by" in line:
            self._key("rebel", line["by"])
        if "hand_points" in line:
            self._number("rebel_points", line["hand_points"])

    def _last_trick(self, line: dict[str, Any]) -> None:
        codes = [shape_code(shape) for shape in line["led"]]
        digs = [one["event"] for one in line.get("specials", []) if one["event"] != "red_fives_declared"]
        if digs:
            self._key("led", digs[0])
        elif len(codes) == 1 and self.view.locator(f"[name=led][value='{codes[0]}']").count():
            self._key("led", codes[0])
        else:
            self._key("led", "more")
            for row, code in enumerate(codes, 1):
                self.view.locator(f"#led_{row}").select_option(code)
        for name in ("kitty_points", "last_trick_points"):
            if name in line:
                self._number(name, line[name])
        if line.get("winning_play"):
            self._key("hook_card", "trump")

    def _specials(self, line: dict[str, Any]) -> None:
        for special in line.get("specials", []):
            if special["event"] == "red_fives_declared":
                self._unfold("red_fives_declared")
                self._key("red_fives_declared", special["by"])
        for bids in line.get("dark_bids", []):
            self._unfold(f"dark_bids_{bids['side']}")
            self.view.locator(f"#dark_bids_{bids['side']}").select_option(str(bids["times"]))

    def _unfold(self, name: str) -> None:
        """Open the part of the form that holds a field."""
        part = self.view.locator(f".acts > details:has([name='{name}'])")
        if part.get_attribute("open") is None:
            part.locator("> summary").tap()

    def _throws(self, failures: list[dict[str, Any]]) -> None:
        if failures:
            self._unfold("throw_side_1")
        for row, failure in enumerate(failures, 1):
            self._key(f"throw_side_{row}", failure["side"])
            self.view.locator(f"#throw_cards_{row}").select_option(str(failure["cards"]))

    def _key(self, name: str, value: str) -> None:
        """Tap until it is taken, as people do: a page that has just turned takes no tap."""
        key = self.view.locator(f"[name={name}][value='{value}']")
        key.tap()
        if not key.is_checked():
            self.page.wait_for_timeout(GUARD)
            key.tap()
        expect(key).to_be_checked()

    def _number(self, name: str, value: int) -> None:
        field = self.view.locator(f"#{name}")
        field.tap()
        field.fill(str(value))


def play_hand(phones: dict[str, Phone], line: dict[str, Any], hand_no: int) -> None:
    """One side enters, the other reads the same figures on its own phone and confirms."""
    made, other = phones[line["entered_by"]], phones["EW" if line["entered_by"] == "NS" else "NS"]
    made.fill(line, hand_no)
    made.send()
    claim = made.sent()
    assert other.confirm() == claim


class Desk:
    """A signed-in official at the desk of one event, on a wide screen, in English."""

    def __init__(
        self, browser: Browser, server: LiveServer, slug: str, username: str, password: str, theme: Theme = "light"
    ) -> None:
        self.context = browser.new_context(viewport=DESK, locale="en", color_scheme=theme)
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.base = f"{server}/desk/{slug}/"
        self.page.goto(f"{server}/desk/sign-in/")
        self.page.get_by_label("Username").fill(username)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("heading", name="My events")).to_be_visible()

    def open(self, path: str = "") -> Page:
        self.page.goto(self.base + path)
        return self.page

    def open_table(self, round_: int, table: int) -> Page:
        return self.open(f"rounds/{round_}/tables/{table}/")

    def end_at_time(self, round_: int, table: int) -> None:
        page = self.open_table(round_, table)
        page.get_by_text("End the match here").click()
        expect(page.get_by_role("radio", name="time is over")).to_be_checked()
        page.get_by_role("button", name="End it").click()
        expect(page.get_by_text("The match at this table is over.")).to_be_visible()

    def take_levels(self, round_: int, table: int, line: dict[str, Any]) -> None:
        """A level penalty as the case has it."""
        page = self.open_table(round_, table)
        page.get_by_text("Level penalty", exact=True).click()
        form = page.locator("form[action$='/penalty/']")
        form.get_by_role("radio").nth(["NS", "EW"].index(line["side"])).check()
        form.get_by_label("Levels").fill(str(line["levels"]))
        form.get_by_label("Clause").select_option("referee.level_penalty")
        form.get_by_label("Reason, shown in the history").fill(line["why"])
        form.get_by_role("button", name="Impose the penalty").click()
        expect(page.get_by_role("region", name="Record").locator("ol.hands")).to_contain_text(line["why"])

    def enter_slip(self, round_: int, table: int, line: dict[str, Any]) -> None:
        """A hand from a signed slip: its figures, or only its total."""
        page = self.open_table(round_, table)
        before = page.locator("ol.hands > li").count()
        page.get_by_role("link", name="Enter from a slip").click()
        if "total_only" in line:
            page.locator("a[href='?kind=total']").click()
        page.locator("#dealer").select_option(line["dealer"])
        page.locator("#level").select_option(line["level"])
        page.locator(f"[name=trump][value={line['trump']}]").check()
        if "total_only" in line:
            page.locator("#attackers_total").fill(str(line["total_only"]))
        else:
            self._figures(line)
        page.get_by_role("radio", name="signed sheet").check()
        page.get_by_role("button", name="Enter the hand").click()
        expect(page.locator("ol.hands > li")).to_have_count(before + 1)

    def correct(self, round_: int, table: int, correction: dict[str, Any]) -> Locator:
        """Change the figures of a hand and look at what that changes: the ways to treat it. Nothing is applied."""
        page = self.open_table(round_, table)
        row = page.locator("ol.hands > li").filter(
            has=page.locator(".no", has_text=re.compile(rf"^\s*{correction['hand_no']}\s*$"))
        )
        row.get_by_role("link", name="Correct", exact=True).click()
        self._figures(correction["sheet"])
        page.get_by_role("button", name="See what changes").click()
        expect(page.get_by_role("heading", name="What changes in the entry")).to_be_visible()
        return page.locator(".way")

    def apply(self, treatment: str | None, reason: str) -> None:
        """Apply the correction that is being looked at; `treatment` None where there is only one way."""
        if treatment:
            self.page.locator(f"label[for=way-{treatment}]").click()
            expect(self.page.locator(f"#way-{treatment}")).to_be_checked()
        self.page.get_by_label("Reason, shown in the history").fill(reason)
        self.page.get_by_role("button", name="Apply", exact=True).click()

    def shows_version(self, number: int) -> None:
        expect(self.page.get_by_text(f"version {number}", exact=True)).to_be_visible()

    def close_round(self, round_: int) -> None:
        page = self.open()
        expect(page.get_by_role("heading", level=1, name=f"Round {round_}")).to_be_visible()
        page.get_by_role("button", name="Close the round").click()
        expect(page.get_by_role("button", name="Close the round")).to_have_count(0)

    def publish(self, round_: int) -> None:
        page = self.open()
        page.get_by_role("link", name=re.compile("Publish( the final)? standings")).click()
        expect(page.get_by_text("Nothing is open")).to_be_visible()
        page.get_by_label("Type the number of the round").fill(str(round_))
        page.get_by_role("button", name="Publish", exact=True).click()
        page.get_by_role("button", name="Publish now").click()
        expect(page.get_by_role("heading", name="Publication 1")).to_be_visible()

    def _figures(self, line: dict[str, Any]) -> None:
        page = self.page
        page.locator("#captured_in_tricks").fill(str(line["captured_in_tricks"]))
        page.locator(f"[name=last_trick_winner][value={line['last_trick_winner']}]").check()
        if line["last_trick_winner"] == "attackers":
            page.locator("#led_1").select_option(shape_code(line["led"][0]))
            page.locator("#kitty_points").fill(str(line["kitty_points"]))


# What the public pages show

MATCH = """() => {
    const text = (part) => part ? part.innerText.trim() : "";
    const levels = (part) => [...part.querySelectorAll(":scope > span")].flatMap((move) =>
        [...move.querySelectorAll(".level")].slice(-1).map(text));
    return {
        sides: [...document.querySelectorAll("#result .sides > div")].map((side) => ({
            level: text(side.querySelector(".level")), won: side.classList.contains("mine") })),
        score: text(document.querySelector("#result .score")),
        decided: [...document.querySelectorAll("#result > p")].map(text),
        hands: [...document.querySelectorAll("ol.hands > li")].map((line) => ({
            no: text(line.querySelector(".no")), sentence: text(line.querySelector(".sentence")),
            levels: levels(line.querySelector(".then")), then: text(line.querySelector(".then")),
            notes: [...line.querySelectorAll(".notice")].map(text) })),
    };
}"""
STANDINGS = """() => [...document.querySelectorAll("#table tbody tr:not(.why)")].map((row) =>
    [...row.children].slice(0, -1).map((cell) => cell.innerText.trim()))"""


def shown_match(page: Page, server: LiveServer, slug: str, round_: int, table: int, language: str) -> dict[str, Any]:
    """The public page of a match: sides (level, won), score, sentences that say why, hands in order."""
    page.goto(f"{server}/{language}/e/{slug}/rounds/{round_}/tables/{table}/")
    shown: dict[str, Any] = page.evaluate(MATCH)
    return shown


def shown_standings(page: Page) -> list[list[str]]:
    """The rows of the table of standings on this page: place, entrant, then the components in their order."""
    rows: list[list[str]] = page.evaluate(STANDINGS)
    return [[cell.replace("−", "-").removeprefix("+") for cell in row] for row in rows]


# What is wrong with any page

FAULTS = r"""() => {
    const found = [], root = document.documentElement;
    const told = (part) => part.outerHTML.replace(/\s+/g, " ").slice(0, 90);
    const seen = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 0
        && !part.closest(".hidden-text, .skip");
    const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    if (root.scrollWidth > innerWidth) found.push(`wider than the screen: ${root.scrollWidth}`);
    const headings = all("h1, h2, h3, h4, h5, h6").map((part) => [Number(part.tagName[1]), part.textContent.trim()]);
    if (headings.filter(([level]) => level === 1).length !== 1) found.push("not one h1");
    headings.reduce((before, [level, text]) => {
        if (level > before + 1) found.push(`h${level} after h${before}: ${text}`);
        return level;
    }, 0);
    for (const part of all("main button, main a.btn, main select, main textarea, main summary, main input")) {
        const key = part.matches("[type=radio], [type=checkbox]") ? part.closest("label, .way") ?? part : part;
        if (key.getBoundingClientRect().height < 39.5) found.push(`too small: ${told(part)}`);
    }
    for (const part of all("main select, main textarea, main input"))
        if (!part.labels.length && !part.ariaLabel) found.push(`no label: ${told(part)}`);
    for (const part of all("button, a[href]"))
        if (!part.textContent.trim() && !part.ariaLabel) found.push(`no name: ${told(part)}`);
    for (const part of all("th"))
        if (!part.textContent.trim()) found.push(`empty head: ${told(part)}`);
        else if (!part.scope) found.push(`no scope: ${told(part)}`);
    for (const part of all("[aria-labelledby]"))
        if (!part.getAttribute("aria-labelledby").split(" ").some((id) => document.getElementById(id)))
            found.push(`labelled by nothing: ${told(part)}`);
    for (const part of all("main [type=radio]")) if (!part.name) found.push(`in no group: ${told(part)}`);
    const ids = [...document.querySelectorAll("[id]")].map((part) => part.id);
    ids.filter((id, at) => ids.indexOf(id) < at).forEach((id) => found.push(`twice: #${id}`));
    const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = (colour) => parts(colour).slice(0, 3).map((one) => one / 255)
        .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
        .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
    const ground = (part) => {
        for (let one = part; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if ((parts(colour)[3] ?? 1) > 0.5) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    for (const part of all("body :not(svg, svg *)")) {
        const written = [...part.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
        if (!written || part.matches(":disabled")) continue;
        const [low, high] = [light(getComputedStyle(part).color), light(ground(part))].sort((a, b) => a - b);
        if ((high + 0.05) / (low + 0.05) < 4.5) found.push(`hard to read: ${told(part)}`);
    }
    return found;
}"""


def faults(page: Page) -> list[str]:
    """What anybody would stumble over on the page as it stands: too wide, too small, unnamed, out of order, pale."""
    found: list[str] = page.evaluate(FAULTS)
    return found
