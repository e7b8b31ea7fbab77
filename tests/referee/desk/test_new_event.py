"""The form of a new event: its short name is suggested, its time zones are few and have names."""

from __future__ import annotations

from datetime import UTC, datetime
from html import unescape
from typing import TYPE_CHECKING

import pytest

from referee.desk.time_zones import LIKELY, ahead
from tournaments.events.short_names import short_name_for
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

FORM = {
    "name": "澄湖杯 2026",
    "starts_on": "2026-10-16",
    "language": "zh-hans",
    "timezone": "Asia/Shanghai",
    "profile": "",
    "preset": "F1",
}


@pytest.mark.parametrize(
    ("name", "latin", "short"),
    [
        ("澄湖杯 2026", "", "cheng-hu-bei-2026"),
        ("澄湖杯", "Chenghu Cup", "chenghu-cup"),
        ("Café d'Été", "", "cafe-d-ete"),
        ("New", "", "new-2"),
        ("🀄", "", "event"),
        (" ", "", ""),
        ("长" * 100, "", "-".join(["chang"] * 9)),
    ],
)
def test_a_short_name_is_made_of_the_name(name: str, latin: str, short: str) -> None:
    assert short_name_for(name, latin) == short


def test_an_empty_short_name_is_filled_in_and_taken_ones_are_numbered(somebody: Client) -> None:
    for short in ("cheng-hu-bei-2026", "cheng-hu-bei-2026-2"):
        assert somebody.get("/desk/new/short-name/", {"name": FORM["name"]}).content.decode() == short
        assert somebody.post("/desk/new/", FORM)["Location"] == f"/desk/{short}/entrants/"
        assert Tournament.objects.filter(slug=short).exists()


@pytest.mark.long
def test_likely_time_zones_come_first_by_name(somebody: Client) -> None:
    chinese = {"HTTP_ACCEPT_LANGUAGE": "zh"}
    page = unescape(somebody.get("/desk/new/", **chinese).content.decode())
    assert '<option value="Asia/Shanghai" selected>北京时间（UTC+8）</option>' in page
    assert page.index("Asia/Shanghai") < page.index("America/New_York") < page.index("Africa/Abidjan")
    assert "Beijing time (UTC+8)" in unescape(somebody.get("/desk/new/").content.decode())
    assert len(LIKELY) <= 12


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("Asia/Shanghai", "UTC+8"),
        ("Europe/London", "UTC+0/+1"),
        ("America/New_York", "UTC−5/−4"),
        ("Asia/Kolkata", "UTC+5:30"),
        ("America/St_Johns", "UTC−3:30/−2:30"),
    ],
)
def test_how_far_a_zone_is_ahead(zone: str, words: str) -> None:
    assert ahead(zone, datetime(2026, 1, 1, tzinfo=UTC).year) == words
