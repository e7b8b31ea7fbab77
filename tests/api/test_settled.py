"""How settled a table is: the pages and the API say the same of it, in every state an event comes through."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.api.client import Api
from tests.markup import flat
from tests.tournaments import playing
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, sittings_of
from tournaments.models import Call, Publication, Ruling
from tournaments.rulings.log import propose
from tournaments.standings import runs

pytestmark = pytest.mark.django_db

PILLS = {"Provisional": "provisional", "Confirmed": "confirmed", "Final": "final", "Replaced": "replaced"}


def said(html: str) -> list[str]:
    """The states that stand as pills on a page."""
    words = re.findall(r'<span class="pill [a-z]*">(?:<svg.*?</svg>)?([^<]+)</span>', html, re.DOTALL)
    return [PILLS[word] for word in words if word in PILLS]


def page(address: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200, address
    return flat(answer.content.decode())


def live(of: Event) -> tuple[bool, bool, int]:
    """Provisional, fresh, acts to come, as the API says, once the page says the same."""
    slug = of.tournament.slug
    told = Api().ok("GET", f"events/{slug}/standings/")
    html = page(f"/en/e/{slug}/standings/").partition("Published standings</h2>")[0]
    assert ("provisional" in said(html)) is told["provisional"]
    assert ("being worked out" in html) is not told["fresh"]
    assert (f": {told['waiting']} change" in html) is (told["waiting"] > 0)
    for one in told["open"]:
        assert f"round {one['round']}, table {one['table']}" in html
    return told["provisional"], told["fresh"], told["waiting"]


def published(of: Event) -> list[str]:
    """How settled each published table is, newest first, as every page and address says it."""
    slug = of.tournament.slug
    rows: list[dict[str, Any]] = Api().ok("GET", f"events/{slug}/publications/")["results"]
    told = [row["settled"] for row in rows]
    assert [row["provisional"] for row in rows] == [one in ("provisional", "replaced") for one in told]
    official = signed_in(of.actor, "en")
    for row in rows:
        one = Api().ok("GET", f"events/{slug}/publications/{row['number']}/")
        assert {name: one[name] for name in row} == row
        html = page(f"/en/e/{slug}/standings/{row['number']}/")
        assert (said(html), row["why"]["en"] in html) == ([row["settled"]], True)
        assert said(page(f"/desk/{slug}/publications/{row['number']}/", official)) == [row["settled"]]
    assert said(page(f"/en/e/{slug}/standings/").partition("Published standings</h2>")[2]) == told
    assert said(page(f"/en/e/{slug}/check/")) == told
    assert said(page(f"/desk/{slug}/publications/", official)) == told
    newest = next(row["settled"] for row in rows if row["superseded_by"] is None)
    # the first places above it say of themselves whether they are provisional
    assert said(page(f"/en/e/{slug}/").partition('id="publication"')[2]) == [newest]
    return told


@pytest.mark.long
def test_pages_and_api_agree_through_an_event() -> None:
    of = playing.event(4, stage={"rounds_planned": 2})
    stage = of.tournament.stages.get()

    def recalculate() -> None:
        runs.recalculate(tournament_id=of.tournament.pk, at=of.tick())

    def publish(round_: Any, *, ago: int = 0, **more: Any) -> Publication:
        at = timezone.now() - timedelta(days=ago)
        return runs.publish(stage_id=stage.pk, round_id=round_.pk, actor=of.actor, at=at, **more)

    first = of.running((1, 2), (3, 4))
    one, two = sittings_of(first)
    of.hand(one, 35)
    waiting = live(of)[2]
    assert waiting > 0
    recalculate()
    assert live(of) == (True, True, 0)
    of.play(first, [], [35])
    assert live(of)[:2] == (True, False)
    recalculate()
    assert live(of) == (False, True, 0)

    early = publish(first, ago=2)
    assert published(of) == ["confirmed"]
    proposed = propose(
        sitting_id=one.pk,
        actor=of.actor,
        at=of.tick(),
        side="NS",
        facts={"irregularity": "misconduct"},
    ).ruling
    assert (live(of)[0], published(of)) == (True, ["provisional"])
    Ruling.objects.filter(pk=proposed.pk).update(status="cancelled")
    call = Call.objects.create(sitting=two, kind="referee", called_at=of.tick())
    assert (live(of)[0], published(of)) == (True, ["provisional"])
    Call.objects.filter(pk=call.pk).update(closed_at=of.tick(), closed_by=of.actor.user)

    publish(first, supersedes=early.pk, reason="again")
    assert published(of) == ["provisional", "replaced"]
    second = of.running((1, 3), (2, 4))
    of.play(second, [35], [35])
    recalculate()
    publish(second, ago=2)
    assert published(of) == ["final", "provisional", "replaced"]
