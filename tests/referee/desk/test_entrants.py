"""Entrants by form and by file."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.tournaments.factories import Hall
from tournaments.models import Entrant

HEAD = "external_id,number,name,unit,player1,player2\n"


def upload(client: Client, hall: Hall, text: str, name: str = "pairs.csv"):
    file = SimpleUploadedFile(name, text.encode())
    return client.post(f"/desk/{hall.event.slug}/entrants/import/", {"file": file, "encoding": "utf-8"})


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def test_a_pair_is_called_by_its_players(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/entrants/"
    answer = organiser.post(f"{here}new/", {"player_1": "林晓", "player_2": "周航", "unit": "东区"}, follow=True)
    assert answer.redirect_chain == [(here, 303)]
    assert "5 林晓 / 周航 is entered." in answer.content.decode()
    made = Entrant.objects.get(unit="东区")
    assert (made.name, made.number) == ("林晓 / 周航", 5)
    organiser.post(f"{here}5/", {"player_1": "林晓", "player_2": "何川", "number": "5", "name": "二队"})
    made.refresh_from_db()
    assert (made.name, [player.name for player in made.players.all()]) == ("二队", ["林晓", "何川"])


def test_a_taken_number_is_refused_and_the_figures_are_kept(hall: Hall, organiser: Client) -> None:
    answer = organiser.post(f"/desk/{hall.event.slug}/entrants/new/", {"name": "二队", "number": "1"})
    assert answer.status_code == 422
    assert "Number 1 is taken" in answer.content.decode()
    assert 'value="二队"' in answer.content.decode()


def test_a_dry_run_writes_nothing_and_applying_it_does(hall: Hall, organiser: Client) -> None:
    before = Entrant.objects.count()
    page = upload(organiser, hall, HEAD + "a1,,,东区,林晓,周航\na2,,=SUM,西区,何川,宋雨\n").content.decode()
    assert "2 new · 0 changed · 0 the same" in page
    assert Entrant.objects.count() == before
    organiser.post(
        f"/desk/{hall.event.slug}/entrants/import/", {"rows": field(page, "rows"), "plan": field(page, "plan")}
    )
    assert Entrant.objects.count() == before + 2
    again = upload(organiser, hall, HEAD + "a1,,林晓 / 周航,北区,林晓,周航\n").content.decode()
    assert "0 new · 1 changed · 0 the same" in again
    assert "北区" in again


def test_a_plan_that_is_no_longer_true_is_not_applied(hall: Hall, organiser: Client) -> None:
    page = upload(organiser, hall, HEAD + "a1,9,甲,,林晓,周航\n").content.decode()
    organiser.post(f"/desk/{hall.event.slug}/entrants/new/", {"name": "乙", "external_id": "a1"})
    here, sent = f"/desk/{hall.event.slug}/entrants/import/", ("rows", "plan", "file_name")
    answer = organiser.post(here, {name: field(page, name) for name in sent})
    seen_anew = answer.content.decode()
    assert answer.status_code == 412
    assert "have changed since the dry run" in seen_anew
    assert "0 new · 1 changed · 0 the same" in seen_anew
    assert not Entrant.objects.filter(name="甲").exists()
    organiser.post(here, {name: field(seen_anew, name) for name in sent})
    assert Entrant.objects.filter(name="甲").exists(), "the file need not be chosen again"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "a1,1,甲,,林晓,周航\n", "Row 2"),
        (HEAD + "a1,9,甲,,林晓,周航\na1,10,乙,,何川,宋雨\n", "Row 3"),
        ("colour,name\nred,甲\n", "unknown column"),
        ("", "names the columns"),
    ],
)
def test_problems_are_told_by_row_and_nothing_is_imported(hall: Hall, organiser: Client, text: str, said: str) -> None:
    before = Entrant.objects.count()
    answer = upload(organiser, hall, text or "\n")
    assert answer.status_code == 422
    assert 'name="rows"' not in answer.content.decode()
    assert said in answer.content.decode()
    assert Entrant.objects.count() == before


def test_rows_of_another_event_or_tampered_rows_are_not_taken(hall: Hall, organiser: Client) -> None:
    before = Entrant.objects.count()
    answer = organiser.post(f"/desk/{hall.event.slug}/entrants/import/", {"rows": "made:up", "plan": "x"})
    assert answer.status_code == 303
    assert Entrant.objects.count() == before


def test_a_withdrawal_needs_a_reason(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/entrants/1/withdraw/"
    organiser.post(here, {"reason": ""})
    assert Entrant.objects.get(tournament=hall.event, number=1).withdrawn_at is None
    organiser.post(here, {"reason": "ill"})
    assert Entrant.objects.get(tournament=hall.event, number=1).withdrawn_at is not None


def test_the_export_comes_back_in_as_the_same(hall: Hall, organiser: Client) -> None:
    for entrant in Entrant.objects.filter(tournament=hall.event):
        entrant.external_id = f"x{entrant.number}"
        entrant.save()
    data = organiser.get(f"/desk/{hall.event.slug}/entrants/export.csv").content.decode("utf-8-sig")
    page = upload(organiser, hall, data).content.decode()
    assert "0 new · 0 changed · 4 the same" in page
