"""The roll call, the clock and the seats at the desk, by plain forms."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.markup import flat
from tournaments.models import CheckIn, Device, Entrant, Match, Player, Round, Ruling, Sitting, Stage

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.factories import Hall


@pytest.fixture
def desk(hall: Hall) -> str:
    now = timezone.now()
    Round.objects.filter(pk=hall.round.pk).update(
        started_at=now - timedelta(minutes=8), ends_at=now + timedelta(minutes=32)
    )
    return f"/desk/{hall.event.slug}/"


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_tap_checks_in_and_another_takes_it_back(hall: Hall, desk: str, referee: Client) -> None:
    page = f"{desk}attendance/?round=1"
    Device.objects.all().delete()
    assert "0 of 4 are there" in read(referee, page)
    answer = referee.post(f"{desk}attendance/check/", {"round": "1", "entrant": "3"})
    assert (answer.status_code, answer["Location"]) == (303, f"{page}#e-3")
    assert "1 of 4 are there" in read(referee, page)
    answer = referee.post(
        f"{desk}attendance/check/",
        {"round": "1", "entrant": "3", "undo": "1"},
        headers={"X-Requested-With": "fetch"},
    )
    assert answer.status_code == 204
    assert CheckIn.objects.get().undone_by == hall.referee.user
    assert "0 of 4 are there" in read(referee, f"{desk}attendance/live/?round=1")


def test_one_form_with_two_contents_is_refused_and_leads_back_to_the_board(
    hall: Hall, desk: str, referee: Client
) -> None:
    first, other = (
        referee.post(f"{desk}attendance/check/", {"round": "1", "entrant": one, "key": "tapped-once"}) for one in "34"
    )
    assert (first.status_code, other.status_code) == (303, 422)
    page = flat(other.content.decode())
    assert f'href="{desk}"' in page
    assert "enter anew only what is missing" in page


def test_who_has_a_phone_at_the_table_is_there_and_nobody_can_undo_that(hall: Hall, desk: str, referee: Client) -> None:
    page = read(referee, f"{desk}attendance/?round=1")
    assert "2 of 4 are there" in page
    assert page.count("phone at the table") == 2
    assert "Undo the check-in of 1" not in page
    Sitting.objects.filter(pk=hall.sitting.pk).update(home_side="EW")
    Device.objects.filter(side="EW").delete()
    page = read(referee, f"{desk}attendance/?round=1")
    assert page.count("phone at the table") == 1
    assert 'form="roll" name="entrant" value="1"' in page


@pytest.mark.parametrize("body", [{"entrant": "99"}, {"entrant": "x"}, {"entrant": "1", "round": "7"}])
def test_an_unknown_row_is_not_there(desk: str, referee: Client, body: dict[str, str]) -> None:
    assert referee.post(f"{desk}attendance/check/", body).status_code == 404


@pytest.mark.long
def test_lateness_is_proposed_once(hall: Hall, desk: str, chief: Client) -> None:
    assert "At 2 tables somebody is missing" not in read(chief, desk)
    assert "At 1 table somebody is missing" in read(chief, desk)
    chief.post(f"{desk}attendance/check/", {"round": "1", "entrant": "3"})
    for _ in range(2):
        chief.post(f"{desk}attendance/late/", {"round": "1", "table": "2", "side": "EW"})
    ruling = Ruling.objects.get()
    assert (ruling.facts, ruling.side) == ({"irregularity": "late", "minutes": 8}, "EW")
    assert "in the log of rulings" in read(chief, f"{desk}attendance/?round=1")
    chief.post(f"{desk}attendance/check/", {"round": "1", "entrant": "4"})
    page = read(chief, desk)
    assert "somebody is missing" not in page, "both came late, nobody is waited for"


def test_the_clock_stops_with_a_reason_only(hall: Hall, desk: str, chief: Client) -> None:
    clock = f"{desk}rounds/1/clock/"
    chief.post(clock, {"do": "stop", "reason": ""})
    assert Round.objects.get().stopped_at is None
    chief.post(clock, {"do": "stop", "reason": "alarm"})
    assert "The clock is stopped" in read(chief, desk)
    chief.post(clock, {"do": "go"})
    assert Round.objects.get().stopped_at is None


@pytest.mark.long
def test_a_table_gets_time_and_moves(hall: Hall, desk: str, chief: Client) -> None:
    table = f"{desk}rounds/1/tables/1/"
    chief.post(f"{table}time/", {"minutes": "5", "reason": "ruling"})
    assert "5 min of it extra" in read(chief, table)
    answer = chief.post(f"{table}move/", {"table": "2"})
    assert answer["Location"] == f"{desk}rounds/1/tables/2/"
    assert Sitting.objects.get(pk=hall.sitting.pk).table.number == 2
    answer = chief.post(f"{desk}rounds/1/tables/2/move/", {"table": "9"})
    assert answer["Location"] == f"{desk}rounds/1/tables/9/"
    answer = chief.post(f"{desk}rounds/1/tables/9/move/", {"table": "x"}, follow=True)
    assert "A table is a number" in answer.content.decode()


@pytest.mark.long
def test_who_sat_there_is_noted_at_the_table(hall: Hall, desk: str, chief: Client) -> None:
    assert "Other players sat here than were paired" in read(chief, f"{desk}rounds/1/tables/1/")
    chief.post(f"{desk}rounds/1/reseat/", {"entrant": ["2", "3"], "reason": "wrong seats"})
    matches = Match.objects.filter(superseded_in=None).order_by("sittings__table__number")
    assert [(match.home.number, match.away.number) for match in matches] == [(1, 3), (2, 4)]
    page = chief.get(f"{desk}rounds/1/tables/1/").content.decode()
    form = re.search(r"sat the other way round.*?</form>", page, re.DOTALL)
    assert form is not None
    who = re.findall(r'name="entrant" value="([0-9]+)"', form[0])
    chief.post(f"{desk}rounds/1/reseat/", {"entrant": who, "reason": "sides reversed"})
    matches = Match.objects.filter(superseded_in=None).order_by("sittings__table__number")
    assert [(match.home.number, match.away.number) for match in matches] == [(3, 1), (2, 4)]
    for wrong in ("99", "x", ""):
        answer = chief.post(f"{desk}rounds/1/reseat/", {"entrant": ["2", wrong], "reason": "wrong seats"}, follow=True)
        assert "There is no such entrant in this event." in answer.content.decode()


def test_own_codes_come_on_paper(hall: Hall, desk: str, chief: Client, organiser: Client) -> None:
    answer = chief.post(f"{desk}attendance/codes.pdf")
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    before = Entrant.objects.get(number=1).codes.get(revoked_at=None)
    organiser.post(f"{desk}entrants/1/code/")
    assert Entrant.objects.get(number=1).codes.get(revoked_at=None).generation == before.generation + 1


# Entrants


def test_namesakes_are_asked_about(hall: Hall, desk: str, organiser: Client) -> None:
    Stage.objects.update(format="swiss_timed")
    first = {"player_1": "Ann", "player_2": "Bob", "unit": "A", "category": "open", "seed": "2"}
    assert organiser.post(f"{desk}entrants/new/", first).status_code == 303
    added = Entrant.objects.get(name="Ann / Bob")
    assert (added.category, added.seed) == ("open", 2)
    again = {"player_1": "Ann", "player_2": "Eve", "unit": "A"}
    refused = organiser.post(f"{desk}entrants/new/", again)
    assert refused.status_code == 409
    assert "Players of the same name are different people" in refused.content.decode()
    assert organiser.post(f"{desk}entrants/new/", again | {"namesakes": "on"}).status_code == 303


def test_the_form_keeps_the_ids_of_players(hall: Hall, desk: str, organiser: Client) -> None:
    entrant = Entrant.objects.get(number=1)
    Player.objects.create(entrant=entrant, order=1, name="Ann", external_id="p1")
    form = organiser.get(f"{desk}entrants/1/").context["form"]
    data = {field.html_name: field.value() or "" for field in form}
    data.pop("namesakes")
    assert organiser.post(f"{desk}entrants/1/", data | {"unit": "North"}).status_code == 303
    assert entrant.players.get().external_id == "p1"


def test_the_chief_referee_allows_a_substitute(hall: Hall, desk: str, chief: Client, organiser: Client) -> None:
    Match.objects.all().update(outcome="played", home_hundredths=200, away_hundredths=0)
    assert organiser.get(f"{desk}entrants/1/players/").status_code == 403
    page = f"{desk}entrants/1/players/"
    assert chief.post(page, {"player_1": "New"}).status_code == 400
    assert chief.post(page, {"player_1": "New", "reason": "ill"}).status_code == 303
    assert Player.objects.get(entrant__number=1).name == "New"


def test_the_chief_referee_withdraws_an_entrant_too(desk: str, chief: Client, referee: Client) -> None:
    assert f'<a href="{desk}entrants/1/players/">' in flat(read(chief, f"{desk}entrants/"))
    assert f"{desk}entrants/1/players/" not in read(referee, f"{desk}entrants/")
    assert f'action="{desk}entrants/1/withdraw/"' in read(chief, f"{desk}entrants/1/players/")
    assert chief.post(f"{desk}entrants/1/withdraw/", {"reason": "ill"}).status_code == 303
    assert Entrant.objects.get(number=1).withdrawn_at is not None
    assert "entrants/1/" not in flat(read(chief, f"{desk}entrants/"))
