"""The page that moves an event: it leaves, its file is fetched, it stays after all, and one that comes is taken in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts.errors import EventElsewhere
from tournaments.following import moving
from tournaments.models import HistoryEntry, Tournament, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
THERE = "https://cup.example.org"
PASSWORD = "a long walk home"


@pytest.fixture(autouse=True)
def _folder_of_this_test(tmp_path: Path, settings: Any) -> None:
    settings.HEADS, settings.DATA_DIR = tmp_path / "heads", tmp_path


def proved(person: User) -> Client:
    """Signed in, the password shown a moment ago."""
    person.set_password(PASSWORD)
    person.save()
    client = Client()
    answer = client.post("/desk/sign-in/", {"username": person.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def played() -> tuple[Event, Client, str]:
    made = event(4)
    made.hand(sittings_of(made.running((1, 2), (3, 4)))[0], 35)
    assert made.actor.user is not None
    return made, proved(made.actor.user), f"/desk/{made.tournament.slug}/move/"


def test_it_leaves_and_its_file_is_what_the_command_makes(tmp_path: Path) -> None:
    made, client, page = played()
    assert client.get(f"{page}event.move").status_code == 409
    refused = client.post(page, {"do": "leave", "to": "cup.example.org"})
    assert refused.status_code == 400
    assert "cup.example.org" in refused.content.decode()  # as it was typed
    for _ in range(2):  # sent twice, it is one act
        assert client.post(page, {"do": "leave", "to": THERE, "key": "the-key"}).status_code == 303
    shown = client.get(page).content.decode()
    assert f'href="{THERE}"' in shown
    assert f'href="{page}event.move"' in shown
    with pytest.raises(EventElsewhere):
        made.hand(sittings_of(made.tournament.rounds.get())[1], 40)
    line = HistoryEntry.objects.get(act="move_event")
    assert (line.user, line.new) == (made.actor.user, {"to": THERE})
    file = client.get(f"{page}event.move")
    assert file["Content-Disposition"].endswith(f'"{made.tournament.slug}.move"')
    assert "no-store" in file["Cache-Control"]
    call_command("move", made.tournament.slug, to=THERE, file=tmp_path / "cup.move")
    mine, theirs = moving._read(file.content), moving._read((tmp_path / "cup.move").read_bytes())
    assert {name for name in mine if mine[name] != theirs[name]} <= {"at"}


def test_it_stays_where_nobody_took_it_in() -> None:
    made, client, page = played()
    assert client.post(page, {"do": "stay"}).status_code == 409
    client.post(page, {"do": "leave", "to": THERE})
    assert client.post(page, {"do": "stay"}).status_code == 303
    made.hand(sittings_of(made.tournament.rounds.get())[1], 40)
    assert "moved the event to another address" in client.get(f"/desk/{made.tournament.slug}/history/").content.decode()


def test_an_open_browser_alone_moves_nothing() -> None:
    made, _, page = played()
    client = Client()
    assert made.actor.user is not None
    client.force_login(made.actor.user)
    assert "password" in client.post(page, {"do": "leave", "to": THERE}).content.decode()
    assert not Tournament.objects.get().elsewhere
    proof = client.get("/desk/import/move/").content.decode()
    assert 'type="file"' not in proof
    assert client.post("/desk/import/move/", {"proof": PASSWORD}).status_code == 303
    assert 'type="file"' in client.get("/desk/import/move/").content.decode()


def test_it_is_taken_in_at_the_desk() -> None:
    made, client, page = played()
    slug = made.tournament.slug
    client.post(page, {"do": "leave", "to": THERE})
    sent = client.get(f"{page}event.move").content
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    client = proved(User.objects.create_user("operator"))
    (other := event(2)).tournament.refresh_from_db()
    Tournament.objects.filter(pk=other.tournament.pk).update(slug=slug)

    def take(data: bytes, address: str = "", key: str = "") -> Any:
        form = {"file": SimpleUploadedFile("cup.move", data), "slug": address, "key": key}
        return client.post("/desk/import/move/", form)

    for bad in (b"", b"nothing", sent[:-40]):
        assert take(bad).status_code == 422
    refused = take(sent)
    assert refused.status_code == 422
    assert "Another event has this address here" in refused.content.decode()
    for _ in range(2):  # sent twice, it is one act
        assert take(sent, "cup-there", "the-key").status_code == 303
    assert "goes on here, at cup-there: term 2" in client.get("/desk/").content.decode()
    there = Tournament.objects.get(pk=made.tournament.pk)
    assert (there.slug, there.elsewhere, there.moved_to) == ("cup-there", "", "")
    assert take(sent, "cup-there").status_code == 422  # it is here


def test_where_the_service_owns_nothing_the_page_says_who_takes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    _, client, page = played()
    client.post(page, {"do": "leave", "to": THERE})
    sent = client.get(f"{page}event.move").content
    monkeypatch.setattr(moving, "may_be_taken_in", lambda: False)
    shown = client.get("/desk/import/move/").content.decode()
    assert 'type="file"' not in shown
    assert "manage.py move" in shown
    assert client.post("/desk/import/move/", {"file": SimpleUploadedFile("cup.move", sent)}).status_code == 422
