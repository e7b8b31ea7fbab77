"""Six pages as readers set up their browsers: colours of their own, no motion, narrow, enlarged, on its side. Nothing
is cut off, every control is reached by the keyboard, has a name, and is seen to have the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from django.conf import settings

from tests.browser.pages import faults
from tests.browser.test_light import sit
from tests.referee.public.events import played
from tests.referee.table.places import hall
from tests.tournaments.factories import signed_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = pytest.mark.long

#: Each with a language and a theme. Enlarged to 200 %, a window of 1280 points has room for 640.
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "forced-colours": {"viewport": {"width": 390, "height": 844}, "forced_colors": "active", "locale": "en"},
    "no-motion": {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", "locale": "zh-CN"},
    "narrow": {"viewport": {"width": 320, "height": 568}, "locale": "zh-CN", "color_scheme": "dark"},
    "enlarged": {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2, "locale": "en"},
    "on-its-side": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True, "locale": "zh-CN"},
}
#: Controls that are not within the page's width, unless in a part that can be scrolled sideways.
CUT_OFF: Final = r"""() => [...document.querySelectorAll("a[href], button, input, select, summary")].filter((part) => {
    const { left, right, width } = part.getBoundingClientRect();
    if (!width || !part.checkVisibility({ visibilityProperty: true })) return false;
    if (part.closest(".skip, .hidden-text")) return false;
    for (let around = part.parentElement; around; around = around.parentElement)
        if (["auto", "scroll"].includes(getComputedStyle(around).overflowX)) return false;
    return left < -0.5 || right > innerWidth + 0.5;
}).map((part) => `cut off: ${part.outerHTML.replace(/\s+/g, " ").slice(0, 90)}`)"""
#: What the Tab key has not come to: of radios of one name one is enough.
PASSED_BY: Final = r"""() => {
    const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    return [...document.querySelectorAll(all)].filter((part) => {
        if (!part.checkVisibility({ visibilityProperty: true }) || part.disabled) return false;
        if (part.type === "hidden" || part.tabIndex < 0 || !part.getClientRects().length) return false;
        const group = part.type === "radio" && part.name ? document.getElementsByName(part.name) : [part];
        return ![...group].some((one) => one.dataset.stop && one.form === part.form);
    }).map((part) => `not reached: ${part.outerHTML.replace(/\s+/g, " ").slice(0, 90)}`);
}"""
#: The part with the focus: what it is, and what is wrong with how it shows it.
FOCUS: Final = r"""() => {
    const part = document.activeElement;
    if (!part || part === document.body) return null;
    part.dataset.stop ??= String(Math.random());
    const told = part.outerHTML.replace(/ data-stop="[^"]*"/, "").replace(/\s+/g, " ").slice(0, 90);
    const shows = [part, part.nextElementSibling, part.parentElement, ...part.querySelectorAll(".top")].some((one) => {
        if (!one) return false;
        const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(one);
        const line = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
        return line || (stroke !== "none" && parseFloat(strokeWidth) >= 4);
    });
    const box = part.nextElementSibling?.matches(".key") ? part.nextElementSibling : part;
    const { top, bottom, left, right } = box.getBoundingClientRect();
    const middle = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;
    const seen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    const above = seen && document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
    const covered = above && !above.contains(part) && !part.contains(above) && !part.parentElement.contains(above);
    return { stop: part.dataset.stop, wrong: [shows || `focus not seen: ${told}`, seen || `out of sight: ${told}`,
        !covered || `covered by ${above?.outerHTML.slice(0, 40)}: ${told}`].filter((one) => one !== true) };
}"""
MOVES: Final = r"""() => [...document.querySelectorAll("body, body *")].filter((part) => {
    const { animationName, transitionDuration } = getComputedStyle(part);
    return animationName !== "none" || transitionDuration.split(", ").some((one) => parseFloat(one) > 0);
}).map((part) => `moves: ${part.outerHTML.slice(0, 60)}`)"""
MOST_STOPS: Final = 400
#: The heading of a table's page is for those who hear it; cards are picked by keys over fields that nobody sees.
MEANT: Final = ("not one h1", 'too small: <input class="field mono"')
CONTROLS: Final = {
    "button",
    "link",
    "textbox",
    "spinbutton",
    "radio",
    "checkbox",
    "combobox",
    "slider",
    "DisclosureTriangle",
}


def unnamed(page: Page) -> list[str]:
    """Controls that have no name for those who hear the page."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [
        f"no name: {node['role']['value']}"
        for node in nodes
        if not node.get("ignored")
        and node.get("role", {}).get("value") in CONTROLS
        and not node.get("name", {}).get("value", "").strip()
    ]


def walked(page: Page) -> list[str]:
    """From the head of the page with the Tab key: what is not reached, and where the focus is not seen."""
    page.evaluate("getSelection().removeAllRanges(); document.activeElement.blur(); scrollTo(0, 0)")
    found: list[str] = []
    stops = set()
    while len(stops) < MOST_STOPS:
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at is None or at["stop"] in stops:
            break
        stops.add(at["stop"])
        found += at["wrong"]
    return found + page.evaluate(PASSED_BY)


@pytest.mark.parametrize("name", SETTINGS)
def test_everything_is_reached(
    browser: Browser, live_server: LiveServer, screenshot: Callable[..., Path], name: str
) -> None:
    here, event = hall(tables=8), played(2)
    context = browser.new_context(**SETTINGS[name])
    context.set_default_timeout(30_000)
    language = "zh" if SETTINGS[name]["locale"] == "zh-CN" else "en"
    session = signed_in(here.chief).cookies["sessionid"].value
    chosen = {settings.LANGUAGE_COOKIE_NAME: "zh-hans" if language == "zh" else "en", "sessionid": session}
    public = f"/{language}/e/{event.tournament.slug}/"
    pages = {
        "table": sit(context, live_server.url, here.ns),
        "board": f"/desk/{here.event.slug}/",
        "event": public,
        "standings": f"{public}standings/",
        "screen": f"{public}screen/",
        "adjudicator": f"/{language}/adjudicator/follow/?event={event.tournament.slug}",
    }
    page = context.new_page()
    wrong: dict[str, list[str]] = {}
    for what, address in pages.items():
        cookies = chosen if what == "board" else {settings.LANGUAGE_COOKIE_NAME: chosen[settings.LANGUAGE_COOKIE_NAME]}
        context.clear_cookies(name="sessionid")
        context.add_cookies([{"name": one, "value": value, "url": str(live_server)} for one, value in cookies.items()])
        page.goto(f"{live_server}{address}")
        page.wait_for_timeout(1500)
        found = [one for one in faults(page) if not one.startswith(MEANT)] + page.evaluate(CUT_OFF) + unnamed(page)
        if name == "no-motion":
            found += page.evaluate(MOVES)
        screenshot(page, f"reach-{name}-{what}")
        found += walked(page)
        if found:
            wrong[what] = found
    context.close()
    assert wrong == {}
