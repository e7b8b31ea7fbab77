"""Public documents carry an entity tag and answer 304; lists are paged so that every row is met once."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import Any

import pytest

from tests.api.client import Api
from tests.api.hall import ApiHall, api_hall, desk
from tests.referee.public.events import played
from tests.tournaments import playing
from tests.tournaments.playing import Event
from tournaments.acts.doorbell import mark_stale
from tournaments.models import Entrant, HistoryEntry, Publication, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def here(db: None) -> ApiHall:
    return api_hall(tables=2)


@pytest.fixture
def event(db: None) -> Event:
    return played()


def etag_of(api: Api, path: str) -> str:
    answer = api.get(path)
    assert answer.status == 200, answer.raw[:300]
    assert answer.headers["ETag"].startswith('"')
    return answer.headers["ETag"]


@pytest.mark.parametrize("path", ["standings/", "stages/1/standings/", "publications/1/"])
def test_a_public_document_is_sent_once(event: Event, path: str) -> None:
    address = f"events/{event.tournament.slug}/{path}"
    api = Api()
    tag = etag_of(api, address)
    for stated in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = api.get(address, If_None_Match=stated)
        assert (again.status, again.raw) == (304, b""), stated
        assert again.headers["ETag"] == tag
        assert again.headers["Cache-Control"].startswith("public")
        assert "Authorization" in again.headers["Vary"]
    assert api.get(address, If_None_Match='"other"').status == 200


def test_what_an_official_reads_is_kept_by_no_shared_cache(event: Event) -> None:
    api = desk(event.actor)
    slug = event.tournament.slug
    for path in (f"events/{slug}/standings/", f"events/{slug}/board/", f"events/{slug}/history/"):
        assert "private" in api.get(path).headers["Cache-Control"], path
    sitting = api.ok("GET", f"events/{slug}/rounds/2/")["matches"][0]["sittings"][0]["id"]
    inside, outside = api.get(f"sittings/{sitting}/"), Api().get(f"sittings/{sitting}/")
    assert "private" in inside.headers["Cache-Control"]
    assert "waiting" in inside.json
    assert "waiting" not in outside.json


def test_the_tag_of_a_sitting_moves_with_what_it_shows(here: ApiHall) -> None:
    first, second = here.hall.sittings
    seen = {etag_of(here.nobody, f"{here.sitting}/")}
    entry = here.waits()
    seen.add(etag_of(here.nobody, f"{here.sitting}/"))
    here.ew.keyed(f"{here.sitting}/entries/{entry}/confirm/", {})
    tag = etag_of(here.nobody, f"{here.sitting}/")
    seen.add(tag)
    assert len(seen) == 3
    here.chief.ok("POST", f"{here.path}/rounds/1/swap/", {"sittings": [first.pk, second.pk]})
    moved = here.nobody.get(f"{here.sitting}/", If_None_Match=tag)
    assert (moved.status, moved.json["table"]) == (200, 2)
    here.chief.ok("POST", f"{here.sitting}/scored-by/", {"scored_by": "referee"})
    switched = here.nobody.get(f"{here.sitting}/", If_None_Match=moved.headers["ETag"])
    assert (switched.status, switched.json["scored_by"]) == (200, "referee")


def test_the_tag_of_live_standings_moves_with_the_table(event: Event) -> None:
    api, path = Api(), f"events/{event.tournament.slug}/standings/"
    tag = etag_of(api, path)
    Entrant.objects.filter(tournament=event.tournament, number=1).update(name="Renamed")
    renamed = api.get(path, If_None_Match=tag)
    assert renamed.status == 200
    mark_stale(event.tournament.pk)
    assert api.get(path, If_None_Match=renamed.headers["ETag"]).status == 200
    assert api.get(path).json["fresh"] is False


def test_a_publication_stays_as_it_was_published(event: Event) -> None:
    api, path = Api(), f"events/{event.tournament.slug}/publications/"
    first = api.ok("GET", f"{path}1/")
    body = {"round": 1, "supersedes": 1, "reason": "a hand was corrected"}
    desk(event.actor).ok("POST", path, body)
    again = api.ok("GET", f"{path}1/")
    assert (again["document"], again["digest"]) == (first["document"], first["digest"])
    assert (first["superseded_by"], again["superseded_by"]) == (None, 2)
    frozen = Publication.objects.get(tournament=event.tournament, number=1).document
    assert hashlib.sha256(frozen.encode()).hexdigest() == first["digest"]
    assert json.loads(frozen) == first["document"]
    rows = list(csv.reader(io.StringIO(api.get(f"{path}1.csv").raw.decode("utf-8-sig"))))
    assert len(rows) >= 1 + len(first["rows"])


def walked(api: Api, path: str, limit: int) -> list[Any]:
    rows: list[Any] = []
    after = ""
    for _ in range(1000):
        page = api.ok("GET", f"{path}?limit={limit}{after}")
        assert len(page["results"]) <= limit
        rows += page["results"]
        if page["next"] is None:
            return rows
        assert len(page["results"]) == limit
        after = f"&after={page['next']}"
    raise AssertionError("it never ends")


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 200])
def test_paging_meets_every_row_once(event: Event, limit: int) -> None:
    api = desk(event.actor)
    slug = event.tournament.slug
    assert [row["number"] for row in walked(api, f"events/{slug}/entrants/", limit)] == [1, 2, 3, 4]
    assert [row["number"] for row in walked(api, f"events/{slug}/tables/", limit)] == [1, 2]
    newest = list(HistoryEntry.objects.filter(tournament=event.tournament).order_by("-pk").values_list("pk", flat=True))
    assert [row["id"] for row in walked(api, f"events/{slug}/history/", limit)] == newest
    sitting = api.ok("GET", f"events/{slug}/rounds/2/")["matches"][0]["sittings"][0]["id"]
    inside = [row["id"] for row in walked(api, f"sittings/{sitting}/entries/", limit)]
    assert inside == sorted(inside)
    assert len(inside) == 2
    assert [row["id"] for row in walked(Api(), f"sittings/{sitting}/entries/", limit)] == inside[:1]


def test_events_are_paged_newest_first(event: Event) -> None:
    for _ in range(4):
        playing.event(0)
    slugs = [row["slug"] for row in walked(Api(), "events/", 2)]
    assert slugs == list(Tournament.objects.order_by("-pk").values_list("slug", flat=True))


def test_rows_that_come_in_between_do_not_shift_a_page(event: Event) -> None:
    api = desk(event.actor)
    path = f"events/{event.tournament.slug}/history/"
    first = api.ok("GET", f"{path}?limit=5")
    desk(event.actor).ok("POST", f"events/{event.tournament.slug}/entrants/", {"name": "Late"})
    second = api.ok("GET", f"{path}?limit=5&after={first['next']}")
    ids = [row["id"] for row in first["results"] + second["results"]]
    assert ids == sorted(set(ids), reverse=True)
    assert len(ids) == 10


def test_a_page_has_a_most(event: Event) -> None:
    for query in ("limit=201", "limit=0", "limit=-1", "limit=1.5", "limit=%D9%A3", "after=", "after=MQ=="):
        answer = Api().get(f"events/?{query}")
        assert answer.status == (200 if query == "after=MQ==" else 400), (query, answer.status)
