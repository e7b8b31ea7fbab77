"""Somebody can settle disputes: who creates an event, unless he says otherwise; and who cannot is told who can."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.hall import desk
from tests.referee.desk.test_events import FORM
from tests.tournaments import factories, playing
from tests.tournaments.factories import Hall, sheet
from tests.tournaments.playing import Event
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor, who_may
from tournaments.ledger import scorekeeping
from tournaments.models import Office, Official, Tournament

pytestmark = pytest.mark.django_db


def offices(slug: str) -> list[str]:
    return sorted(Tournament.objects.get(slug=slug).officials.values_list("office", flat=True))


@pytest.mark.parametrize(("form", "held"), [({"judges": "on"}, ["chief_referee", "organiser"]), ({}, ["organiser"])])
def test_the_box_is_ticked_and_can_be_unticked(somebody: Client, form: dict[str, str], held: list[str]) -> None:
    page = somebody.get("/desk/new/").content.decode()
    box = page[page.index('name="judges"') - 60 : page.index('name="judges"') + 80]
    assert "checked" in box
    somebody.post("/desk/new/", FORM | form)
    assert offices("chenghu-2026") == held


def test_the_api_has_a_field_for_it() -> None:
    api = desk(Actor(user=factories.user()))
    for slug, more, held in (("a-1", {}, ["chief_referee", "organiser"]), ("a-2", {"judges": False}, ["organiser"])):
        api.ok("POST", "events/", {"name": "Cup", "slug": slug, "preset": "F1", **more})
        assert offices(slug) == held


def alone() -> tuple[Event, Client]:
    """An event with a published round whose organiser is its only official and no referee."""
    made = playing.event(4)
    made.published((1, 2), (3, 4))
    Official.objects.filter(tournament=made.tournament).exclude(office=Office.ORGANISER).delete()
    Tournament.objects.filter(pk=made.tournament.pk).update(single_official=False)
    return made, factories.signed_in(made.actor, "en")


@pytest.mark.long
def test_a_round_that_nobody_can_judge_is_warned_of_and_mended() -> None:
    made, organiser = alone()
    slug = made.tournament.slug
    board = organiser.get(f"/desk/{slug}/").content.decode()
    assert "Nobody in this event may settle a dispute" in board  # the cards are due first
    assert f"/desk/{slug}/officials/" in board
    page = organiser.get(f"/desk/{slug}/officials/").content.decode()
    button = page[page.index('id="judge-yourself"') :]
    assert 'name="office" value="chief_referee"' in button
    assert made.actor.user is not None
    body = {"username": made.actor.user.username, "display_name": str(made.actor.user), "office": "chief_referee"}
    assert organiser.post(f"/desk/{slug}/officials/", body).status_code == 303
    assert who_may(Act.SETTLE, tournament=made.tournament) == [made.actor.user]
    assert "Nobody in this event" not in organiser.get(f"/desk/{slug}/").content.decode()
    assert "judge-yourself" not in organiser.get(f"/desk/{slug}/officials/").content.decode()


def test_the_api_warns_when_a_round_starts_that_nobody_can_judge() -> None:
    made, _ = alone()
    warnings = desk(made.actor).ok("POST", f"events/{made.tournament.slug}/rounds/1/start/")["warnings"]
    assert ["dispute" in one["en"] and "争议" in one["zh"] for one in warnings] == [True]


@pytest.mark.long
def test_a_dispute_says_who_can_settle_it(hall: Hall, organiser: Client, referee: Client) -> None:
    for actor, captured in ((hall.ns, 35), (hall.ew, 40)):
        scorekeeping.record_hand(
            sitting_id=hall.sitting.pk,
            actor=actor,
            at=factories.AT,
            facts=sheet(captured, dealer="N"),
            hand_no=1,
        )
    names = [str(one) for one in who_may(Act.SETTLE, tournament=hall.event)]
    assert names == [str(hall.chief.user), str(hall.referee.user)]
    for address in (f"/desk/{hall.event.slug}/", f"/desk/{hall.event.slug}/rounds/1/tables/1/"):
        seen = organiser.get(address).content.decode()
        assert all(name in seen for name in names), address
        assert "Appoint yourself or a referee" in seen
        assert "Appoint yourself or a referee" not in referee.get(address).content.decode()


def test_a_referee_of_other_tables_is_not_named(hall: Hall) -> None:
    office = Official.objects.get(tournament=hall.event, office=Office.REFEREE)
    office.tables.set([hall.sittings[1].table])
    assert who_may(Act.SETTLE, tournament=hall.event, sitting=hall.sitting) == [hall.chief.user]
    assert len(who_may(Act.SETTLE, tournament=hall.event)) == 2
