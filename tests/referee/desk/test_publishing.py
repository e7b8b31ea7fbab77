"""Publishing: read what is open, type the round, and a table that never changes."""

from __future__ import annotations

import re
import secrets
from datetime import datetime

import pytest
from django.test import Client

from tests.api.hall import desk
from tests.markup import flat
from tests.tournaments import factories
from tests.tournaments.factories import AT, Hall
from tournaments.acts.doorbell import mark_stale
from tournaments.ledger.officials_entries import end_sitting
from tournaments.models import HistoryEntry, Publication
from tournaments.standings.runs import recalculate
from tournaments.standings.waiting import WAIT


@pytest.fixture
def half_done(hall: Hall) -> Hall:
    end_sitting(
        sitting_id=hall.sitting.pk, actor=hall.referee, at=AT, expected_revision=hall.sitting.revision, reason="time"
    )
    recalculate(tournament_id=hall.event.pk, at=AT)
    return hall


def publish(client: Client, hall: Hall, **more: str):
    """The form, and where it was taken the button that waits no longer."""
    asked = ask(client, hall, **more)
    return client.post(f"{asked['Location']}now/") if asked.status_code == 303 else asked


def ask(client: Client, hall: Hall, **more: str):
    here = f"/desk/{hall.event.slug}/standings/publish/"
    seen = client.get(here).context
    return client.post(here, {"round": "1", "number": str(seen["number"]), "key": secrets.token_hex(8)} | more)


def test_the_page_names_what_is_open(half_done: Hall, organiser: Client) -> None:
    page = organiser.get(f"/desk/{half_done.event.slug}/standings/publish/").content.decode()
    assert "Round 1, table 2 has no result yet." in page
    assert "it will say provisional" in page


def test_open_tables_are_told_by_round(half_done: Hall, organiser: Client) -> None:
    places = [factories.entrant(half_done.event, number) for number in range(5, 9)]
    factories.sitting(half_done.round, *places[:2], table=3)
    factories.sitting(half_done.round, *places[2:], table=4)
    page = organiser.get(f"/desk/{half_done.event.slug}/standings/publish/").content.decode()
    assert "Round 1, tables 2–4 have no result yet." in page
    live = organiser.get(f"/desk/{half_done.event.slug}/standings/").content.decode()
    assert "round 1, tables 2–4 are open" in live


@pytest.mark.long
def test_the_number_of_the_round_must_be_typed(half_done: Hall, organiser: Client) -> None:
    for typed in ("", "2", "one"):
        assert publish(organiser, half_done, round=typed).status_code == 422
    assert not Publication.objects.exists()


@pytest.mark.long
def test_a_publication_is_numbered_frozen_and_superseded_with_a_reason(half_done: Hall, organiser: Client) -> None:
    slug = half_done.event.slug
    first = publish(organiser, half_done)
    assert (first.status_code, first["Location"]) == (303, f"/desk/{slug}/publications/1/")
    one = Publication.objects.get()
    assert one.provisional
    assert one.digest in organiser.get(first["Location"]).content.decode()
    assert publish(organiser, half_done, reason=" ").status_code == 400
    second = publish(organiser, half_done, reason="table 2 was missing")
    assert second.status_code == 303
    assert Publication.objects.get(number=2).supersedes == one
    assert "Replaced by no. 2: table 2 was missing" in organiser.get(first["Location"]).content.decode()
    listed = organiser.get(f"/desk/{slug}/publications/").content.decode()
    assert listed.index("publications/2/") < listed.index("publications/1/")


@pytest.mark.long
def test_a_table_that_can_still_be_appealed_against_says_until_when(half_done: Hall, organiser: Client) -> None:
    end_sitting(sitting_id=half_done.sittings[1].pk, actor=half_done.referee, at=AT, expected_revision=0, reason="time")
    recalculate(tournament_id=half_done.event.pk, at=AT)
    page = flat(organiser.get(publish(organiser, half_done)["Location"]).content.decode())
    assert re.search("appealed against until: <time datetime=", page)


def test_what_happened_since_the_page_was_opened_stops_it(half_done: Hall, organiser: Client) -> None:
    assert publish(organiser, half_done, number="0").status_code == 412
    assert not Publication.objects.exists()


def test_it_waits_a_minute_that_everybody_at_the_desk_sees(half_done: Hall, organiser: Client, chief: Client) -> None:
    asked = ask(organiser, half_done)
    assert asked.status_code == 303
    here = asked["Location"]
    page = flat(organiser.get(here).content.decode())
    assert re.search(r"<time data-clock-left>(1:00|0:5\d)</time>", page)
    assert "Publish now" in page
    assert f'href="{here}"' in organiser.get(f"/desk/{half_done.event.slug}/standings/").content.decode()
    again = organiser.get(f"/desk/{half_done.event.slug}/standings/publish/")
    assert (again.status_code, again["Location"]) == (303, here)
    seen = chief.get(here).content.decode()
    assert "Published in" in seen
    assert "Publish now" not in seen
    for way in ("now/", "stop/"):
        assert chief.post(f"{here}{way}").status_code == 403
    assert organiser.post(f"{here}stop/").status_code == 303
    assert "It was stopped: nothing was published." in organiser.get(f"{here}live/").content.decode()
    late = organiser.post(f"{here}stop/")
    assert late.status_code == 409
    assert "too late to stop" in late.content.decode()
    assert not Publication.objects.exists()
    published = publish(organiser, half_done)
    assert published["Location"].endswith("/publications/1/")


def test_a_result_that_came_in_meanwhile_is_told(half_done: Hall, organiser: Client) -> None:
    here = ask(organiser, half_done)["Location"]
    mark_stale(half_done.event.pk)
    late = organiser.post(f"{here}now/")
    assert late.status_code == 412
    page = late.content.decode()
    assert "Look at it again, then publish" in page
    assert "Published in" not in page
    assert not Publication.objects.exists()


def test_over_the_api_it_waits_only_where_that_is_asked_for(half_done: Hall) -> None:
    api = desk(half_done.organiser)
    path = f"events/{half_done.event.slug}/publications/"
    waits = api.post(path, {"round": 1, "wait": True})
    assert waits.status == 202
    job = waits.json
    assert (job["kind"], job["state"]) == ("publish", "open")
    assert datetime.fromisoformat(job["due_at"]) - datetime.fromisoformat(job["asked_at"]) == WAIT
    stopped = api.ok("POST", f"{path}waiting/{job['id']}/stop/")
    assert (stopped["state"], stopped["refusal"]["code"]) == ("refused", "stopped")
    assert api.post(f"{path}waiting/{job['id']}/stop/").error["code"] == "too_late_to_stop"
    job = api.post(path, {"round": 1, "wait": True}).json
    done = api.ok("POST", f"{path}waiting/{job['id']}/now/")
    assert done["result"]["publication"] == 1
    made = api.post(path, {"round": 1, "supersedes": 1, "reason": "again"})
    assert (made.status, made.json["number"]) == (201, 2)


def test_only_an_organiser_publishes(half_done: Hall, chief: Client, referee: Client) -> None:
    for client in (chief, referee):
        assert client.post(f"/desk/{half_done.event.slug}/standings/publish/", {"round": "1"}).status_code == 403


def test_before_any_round_there_is_nothing_to_publish(db: None, sign_in) -> None:
    from tests.tournaments import factories

    event = factories.tournament()
    factories.stage(event)
    client = sign_in(factories.official(event, factories.Office.ORGANISER))
    for method in (client.get, client.post):
        assert "nothing to publish" in method(f"/desk/{event.slug}/standings/publish/").content.decode()


def test_who_gave_up_is_no_rebel_in_the_history(half_done: Hall, organiser: Client) -> None:
    facts = {"kind": "end", "reason": "forfeit", "by": "EW"}
    HistoryEntry.objects.create(tournament=half_done.event, at=AT, act="forfeit", reason="absent", new=facts)
    page = organiser.get(f"/desk/{half_done.event.slug}/history/").content.decode()
    assert "Rebel" not in page
    assert "Side" in page


@pytest.mark.long
def test_the_history_tells_who_what_and_why_by_pages(half_done: Hall, organiser: Client) -> None:
    here = f"/desk/{half_done.event.slug}/history/"
    publish(organiser, half_done)
    page = organiser.get(here).content.decode()
    assert "published standings" in page
    assert "ended a match" in page
    for number in range(60):
        HistoryEntry.objects.create(tournament=half_done.event, at=AT, act="pair", reason=f"note {number}")
    newest = organiser.get(here)
    older = organiser.get(here, {"after": newest.context["older"]})
    assert "note 59" in newest.content.decode()
    assert "note 59" not in older.content.decode()
    assert "note 0" in older.content.decode()
    assert older.context["older"] is None
    assert organiser.get(here, {"after": "x'; DROP TABLE"}).status_code == 200


def test_the_live_part_says_what_is_not_counted_yet(half_done: Hall, organiser: Client) -> None:
    here = f"/desk/{half_done.event.slug}/standings/"
    mark_stale(half_done.event.pk)
    page, part = (organiser.get(here + more).content.decode() for more in ("", "?stage=1&part=live"))
    assert "1 change to come in" in page
    assert part.strip() in page
    assert "<h1" not in part
    recalculate(tournament_id=half_done.event.pk, at=AT)
    assert "being worked out" not in organiser.get(here).content.decode()
