"""A phone keeps the receipts of its table, and finds them in the log by itself; an act that went is missed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.test_table import Phones, context, phones, plain  # noqa: F401 - fixtures
from tournaments.log import numbering
from tournaments.log.reads import log_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: Another root is kept for the head that was seen.
BEND = """(name) => {
  const seen = JSON.parse(localStorage.getItem(name));
  localStorage.setItem(name, JSON.stringify({ ...seen, root: "0".repeat(64) }));
}"""

pytestmark = [pytest.mark.long, pytest.mark.browser]


def test_a_confirmed_hand_is_found_in_the_log_and_missed_when_it_went(
    phones: Phones,  # noqa: F811
    screenshot: Callable[..., Path],
    tmp_path: Path,
    settings: Any,
    until: Callable[..., None],
) -> None:
    settings.HEADS = tmp_path / "heads"
    ns, ew, place = phones()
    plain(ns)
    ns.send()
    ew.sees("Your turn to confirm")
    ew.page.wait_for_timeout(800)
    ew.tap(ew.button("Confirm 35: N–S keep the deal, +2"))
    ns.sees("Hand 1 counts.")
    event = place.event
    kept = f"Object.keys(JSON.parse(localStorage.getItem('receipts:{event.slug}') || '{{}}')).length"
    until(lambda: ns.page.evaluate(kept) >= 2, 15)
    numbering.number_all(at=timezone.now())

    server = ns.address.split("/table/")[0]
    ns.page.goto(f"{server}/en/e/{event.slug}/log/")
    ns.page.get_by_role("button", name="Check them").click()
    said = ns.page.locator("#kept [role=status]")
    expect(said).to_contain_text("these lines stand under the signed head of")
    expect(ns.page.locator("#kept .pill.ok")).to_have_count(2)
    screenshot(ns.page, "receipts-phone", full_page=True)

    # the head that was seen is kept, and the next one has to grow out of it
    place.event.refresh_from_db()
    numbering.number_all(at=timezone.now())
    ns.page.get_by_role("button", name="Check them").click()
    expect(said).to_contain_text("It grew out of the head of")
    ns.page.evaluate(BEND, f"head:{event.slug}")
    ns.page.get_by_role("button", name="Check them").click()
    expect(said).to_have_text(
        "It did not grow out of the head that this browser saw before: show this page to the organiser."
    )

    # a log from which the last act went, as somebody could have saved or forged it
    log = log_document(event)
    log["leaves"].pop()
    forged = tmp_path / "log.json"
    forged.write_text(json.dumps(log), "utf-8")
    ns.page.locator("#kept input").set_input_files(forged)
    expect(ns.page.locator("#kept")).to_contain_text("The heads do not cover the acts")
    expect(ns.page.locator("#kept .pill.ok")).to_have_count(1)

    # no log, and the log of another event: nothing is said of the receipts
    for other in ("no log", json.dumps(log | {"event": 0})):
        forged.write_text(other, "utf-8")
        ns.page.locator("#kept input").set_input_files([])
        ns.page.locator("#kept input").set_input_files(forged)
        expect(said).to_have_text("This file is no log of this event.")
        expect(ns.page.locator("#kept .pill")).to_have_count(0)
    assert ns.errors == ew.errors == []
