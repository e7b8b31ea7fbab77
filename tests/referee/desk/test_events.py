"""A new event from a preset, its settings, its officials."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.markup import flat
from tests.tournaments.factories import Hall
from tournaments.copies.files import name_of
from tournaments.models import HistoryEntry, Official, Tournament

FORM = {
    "preset": "F1",
    "name": "Chenghu Cup",
    "slug": "chenghu-2026",
    "starts_on": "2026-05-16",
    "language": "zh-hans",
    "timezone": "Asia/Shanghai",
    "profile": "",
}


@pytest.mark.parametrize(("preset", "minutes", "format_"), [("F1", 40, "swiss_timed"), ("F3", 60, "ko_timed")])
def test_a_preset_fills_in_the_regulation(somebody: Client, preset: str, minutes: int, format_: str) -> None:
    answer = somebody.post("/desk/new/", FORM | {"preset": preset})
    assert (answer.status_code, answer["Location"]) == (303, "/desk/chenghu-2026/entrants/")
    event = Tournament.objects.get(slug="chenghu-2026")
    stage = event.stages.get()
    assert (stage.minutes, stage.format, event.timezone) == (minutes, format_, "Asia/Shanghai")
    assert [official.office for official in event.officials.all()] == ["organiser"]


def test_rules_may_be_chosen_over_the_preset(somebody: Client) -> None:
    somebody.post("/desk/new/", FORM | {"profile": "scn2-2013", "minutes": "50"})
    event = Tournament.objects.get()
    assert event.profile.id == "scn2-2013"
    assert event.stages.get().minutes == 50


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"slug": "new"}, "choose another"),
        ({"slug": "a b"}, "slug"),
        ({"name": ""}, "required"),
        ({"starts_on": "tomorrow"}, "valid date"),
        ({"timezone": "Nowhere/Else"}, "valid choice"),
        ({"preset": "F9"}, "valid choice"),
        ({"name": "a\u202eb"}, "cannot be seen"),
    ],
)
def test_what_cannot_be_taken_is_named_and_kept(somebody: Client, change: dict[str, str], said: str) -> None:
    answer = somebody.post("/desk/new/", FORM | change)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert said in page
    assert "<title>Refused" in flat(page)
    assert not Tournament.objects.exists()


@pytest.mark.long
def test_a_taken_address_is_refused(somebody: Client) -> None:
    somebody.post("/desk/new/", FORM)
    answer = somebody.post("/desk/new/", FORM)
    assert answer.status_code == 422
    assert "This address is taken" in answer.content.decode()


def test_settings_change_only_what_was_changed(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/setup/"
    form = organiser.get(here).context["form"].initial
    answer = organiser.post(here, {name: value for name, value in form.items() if value} | {"place": "Lake hall"})
    assert answer.status_code == 303, answer.context["form"].errors
    hall.event.refresh_from_db()
    assert hall.event.place == "Lake hall"
    assert set(HistoryEntry.objects.get(act="set_up").new) == {"place"}


def test_an_appointed_newcomer_gets_a_link_that_is_shown_once(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/officials/"
    facts = {"username": "newcomer", "display_name": "New Comer", "office": "referee", "tables": "1, 2"}
    assert organiser.post(here, facts).status_code == 303
    held = Official.objects.get(user__username="newcomer")
    assert [table.number for table in held.tables.all()] == [1, 2]
    shown = organiser.post(f"{here}{held.pk}/link/").content.decode()
    address = re.search(r'value="http://testserver(/desk/enter/[^"]+)"', shown)
    assert address
    assert "/desk/enter/" not in organiser.get(here).content.decode()
    newcomer = Client()
    assert newcomer.post(address[1]).status_code == 303
    assert newcomer.get(f"/desk/{hall.event.slug}/").status_code == 200


def test_no_link_into_an_account_that_has_a_password(hall: Hall, organiser: Client) -> None:
    hall.chief.user.set_password("a long walk by the lake")
    hall.chief.user.save()
    held = Official.objects.get(user=hall.chief.user)
    answer = organiser.post(f"/desk/{hall.event.slug}/officials/{held.pk}/link/")
    assert answer.status_code == 409
    assert "/desk/enter/" not in answer.content.decode()


@pytest.mark.long
def test_a_revoked_official_is_out_at_once_and_the_last_organiser_stays(hall: Hall, organiser: Client, sign_in) -> None:
    referee = sign_in(hall.referee)
    board = f"/desk/{hall.event.slug}/"
    assert referee.get(board).status_code == 200
    held = Official.objects.get(user=hall.referee.user)
    organiser.post(f"{board}officials/{held.pk}/revoke/")
    assert referee.get(board).status_code == 404
    own = Official.objects.get(user=hall.organiser.user)
    answer = organiser.post(f"{board}officials/{own.pk}/revoke/", follow=True)
    assert "at least one organiser" in answer.content.decode()
    assert organiser.get(board).status_code == 200


def test_the_settings_tell_of_copies(organiser: Client, hall: Hall, settings: Any, tmp_path: Path) -> None:
    address = f"/desk/{hall.event.slug}/setup/"
    settings.COPIES = None
    assert "makes no copies" in organiser.get(address).content.decode()
    settings.COPIES = tmp_path
    assert "No copy yet" in organiser.get(address).content.decode()
    (tmp_path / name_of(timezone.now() - timedelta(minutes=3))).touch()
    assert "Newest copy" in organiser.get(address).content.decode()
    settings.COPIES = tmp_path / "stick"
    assert "Is the stick plugged in?" in organiser.get(address).content.decode()
