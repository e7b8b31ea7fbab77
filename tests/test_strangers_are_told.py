"""Every act that moves what strangers see tells them so: walked over all addresses of the access matrix.

Open pages ask for their changed part under the version that strangers were told last. A part that moves without a new
version would be given for an hour as it was before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.access_matrix import API, DESK, TABLE, Row
from tests.test_access_matrix import World, built, world
from tests.test_every_write_once import FILLED, KEY, ask, chunks, walk, with_key
from tournaments.acts import announce
from tournaments.models import HistoryEntry, Sitting, Tournament
from tournaments.standings.runs import recalculate

__all__ = ["built", "world"]

#: A hand that waits for the other side, or is contested, is an affair of the table: the default is to say nothing, and
#: a page asks for it once a minute.
OF_THE_TABLE = frozenset(
    {"api:hands", "api:take_back", "api:send_back", "table:enter", "table:take_back", "table:send_back"}
)


def parts_of(event: Tournament) -> list[str]:
    """The addresses of the changing parts of an event's public pages."""
    newest = [*event.rounds.order_by("number").values_list("number", flat=True)][-3:]
    tables = Sitting.objects.filter(round__tournament=event, active=True, round__number__in=newest)
    pages = ["", "standings/", "statistics/", "rounds/", "screen/", "screen/?show=map", "follow/?n=1,2"]
    pages += [f"entrants/{number}/" for number in (1, 2, 3)]
    pages += [f"rounds/{number}/" for number in newest]
    pages += [
        f"rounds/{number}/tables/{table}/"
        for number, table in tables.values_list("round__number", "table__number").distinct()
    ]
    return [f"/en/e/{event.slug}/{page}{'&' if '?' in page else '?'}part=live" for page in pages]


def seen(event: Tournament) -> dict[str, bytes]:
    """What strangers are shown of an event, by address. What they are refused is kept by nobody; when a table was
    counted last does not matter as long as it counts the same."""
    answers = {address: Client().get(address) for address in parts_of(event)}
    counted = re.compile(rb'<span class="small soft"><time .*?</time></span>')
    return {address: counted.sub(b"", one.content) for address, one in answers.items() if one.status_code == 200}


@pytest.fixture(scope="module")
def moment() -> datetime:
    """The time at which everything here happens: pages that tell the time tell the same twice."""
    return timezone.now()


@pytest.fixture(scope="module")
def before() -> dict[tuple[int, bool], dict[str, bytes]]:
    """What strangers see of each event of the world before any act, once somebody asked."""
    return {}


@pytest.fixture
def untold(
    live: bool,
    world: World,
    moment: datetime,
    before: dict[tuple[int, bool], dict[str, bytes]],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> Callable[..., Iterator[str]]:
    """For `walk`: which parts a write moves without a word to strangers."""
    monkeypatch.setattr(timezone, "now", lambda: moment)
    heard = set[str]()

    def publish(topic: str, message: announce.Message, public: bool) -> None:
        heard.update([topic] if public else [])

    monkeypatch.setattr(announce, "publish", publish)
    Tournament.objects.update(live_public=live)
    for event in Tournament.objects.all():
        if (event.pk, live) not in before:
            before[event.pk, live] = seen(event)
            assert seen(event) == before[event.pk, live]

    def look(world: World, client: Client, name: str, method: str, row: Row, letter: str) -> Iterator[str]:
        if isinstance(row.body, dict) and "hands" in row.body:
            row = replace(row, body={"hands": [one | {"key": KEY} for one in row.body["hands"]]})
        if not name.startswith("api:"):
            row = with_key(replace(row, body=FILLED.get(name, row.body) or b""))
        newest = HistoryEntry.objects.latest("pk").pk
        heard.clear()
        with django_capture_on_commit_callbacks(execute=True):
            answer = ask(world, client, method, row, letter, **{"Idempotency-Key": KEY})
        if answer.status_code >= 400 or (answer.status_code == 302 and "/sign-in/?next=" in answer["Location"]):
            return
        yield "done"
        of = HistoryEntry.objects.filter(pk__gt=newest).values("tournament")
        for event in Tournament.objects.filter(pk__in=of):
            with django_capture_on_commit_callbacks(execute=True):
                recalculate(tournament_id=event.pk, at=timezone.now())
            now = seen(event)
            moved = [one for one, text in before.get((event.pk, live), {}).items() if now.get(one) != text]
            if moved and announce.event_topic(event.slug) not in heard and name not in OF_THE_TABLE:
                yield f"{method} {row.address} moves {' '.join(moved)}"

    return look


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("live", [True, False], ids=["live", "nothing live"])
@pytest.mark.parametrize("rows", list(chunks(API)))
def test_strangers_are_told_of_whatever_the_api_moves(
    world: World, rows: list[tuple[str, str, Row]], untold: Callable[..., Iterator[str]], live: bool
) -> None:
    wrong = walk(world, rows, untold)
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("live", [True], ids=["live"])
@pytest.mark.parametrize("rows", [*chunks(DESK), *chunks(TABLE)])
def test_strangers_are_told_of_whatever_a_form_moves(
    world: World, rows: list[tuple[str, str, Row]], untold: Callable[..., Iterator[str]], live: bool
) -> None:
    wrong = walk(world, rows, untold)
    assert not wrong, "\n" + "\n".join(wrong)
