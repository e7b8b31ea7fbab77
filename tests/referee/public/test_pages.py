"""Every public page in both languages: what it says, what it never says, how it may be kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.referee.public.events import played

if TYPE_CHECKING:
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db

PAGES = [
    ("", "Regulation", "规程"),
    ("?q=lee 3", "Found: 1", "找到 1 个"),
    ("rounds/", "1 of 2 results", "出 1 项成绩"),
    ("rounds/1/", "2 of 2 results", "出 2 项成绩"),
    ("rounds/2/", "hand 2", "第 2 副"),
    ("rounds/1/tables/1/", "Attackers 80", "闲家 80"),
    ("rounds/2/tables/1/", "Waiting for confirmation", "待确认"),
    ("standings/", "Live standings", "实时名次"),
    ("standings/1/", "Standings after round 1", "第 1 轮后名次"),
    ("entrants/", "Pair 4", "Pair 4"),
    ("entrants/1/", "Round 2, table 1", "第 2 轮 1 桌"),
    ("screen/", "Table", "桌"),
    ("check/", "sha256sum", "sha256sum"),
]


@pytest.fixture
def event() -> Event:
    return played()


def base(event: Event, language: str = "en") -> str:
    return f"/{language}/e/{event.tournament.slug}/"


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_pages(event: Event, client: Client) -> None:
    for path, en, zh in PAGES:
        assert en in text_of(client, base(event) + path), path
