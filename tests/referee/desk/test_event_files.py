"""Whole events from files at the desk, and the certificate on the public pages."""

from __future__ import annotations

import json

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from knox.models import AuthToken

from tests.tournaments.factories import signed_in
from tests.tournaments.test_audit import played
from tests.tournaments.test_event_imports import export_of
from tournaments.models import Match, Tournament
from tournaments.services import certificates

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """The cache outlives the database of a test."""
    cache.clear()


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("event.json", data, "application/json")


def test_a_file_is_checked_first_and_then_taken() -> None:
    made = played()
    client, data = signed_in(made.actor), export_of(made)
    checked = client.post("/desk/import/", {"file": upload(data), "slug": "kept"})
    assert checked.status_code == 200
    assert not Tournament.objects.filter(slug="kept").exists()
    assert json.loads(data)["digest"] in checked.content.decode()
    token = checked.context["checked"]
    taken = client.post("/desk/import/", {"checked": token, "slug": "kept"})
    assert (taken.status_code, taken["Location"]) == (303, "/desk/kept/standings/")
    for address in ("/desk/kept/", "/desk/kept/rounds/", "/desk/kept/entrants/", "/desk/kept/history/"):
        assert client.get(address).status_code == 200, address
    for address in ("", "standings/", "standings/2/", "rounds/1/", "entrants/1/", "certificate/", "check/"):
        page = client.get(f"/zh/e/kept/{address}")
        assert page.status_code == 200, address
    assert "Pair 2" in client.get("/zh/e/kept/standings/1/").content.decode()
    assert client.post("/desk/kept/rounds/new/").status_code == 403
    # the second tap after all is done: the address is taken, and said so
    assert client.post("/desk/import/", {"checked": token, "slug": "kept"}).status_code == 422
    cache.clear()
    assert client.post("/desk/import/", {"checked": token, "slug": "other"}).status_code == 303
    assert not Tournament.objects.filter(slug="other").exists()


def test_a_bad_file_is_refused_with_the_place_of_each_problem() -> None:
    made = played()
    client, document = signed_in(made.actor), json.loads(export_of(made))
    document["matches"][2]["number"] = "three"
    refused = client.post("/desk/import/", {"file": upload(json.dumps(document).encode()), "slug": "kept"})
    assert refused.status_code == 422
    assert "matches[2].number" in refused.content.decode()
    for data in (b" ", b"nonsense", b"[]"):
        assert client.post("/desk/import/", {"file": upload(data)}).status_code == 422
    assert client.post("/desk/import/", {}).status_code == 422
    assert client.post("/desk/import/", {"file": upload(export_of(made)), "slug": "no such address"}).status_code == 422
    assert Tournament.objects.count() == 1


def test_an_event_over_the_api_dry_run_first() -> None:
    made = played()
    data = export_of(made)
    token = AuthToken.objects.create(user=made.actor.user)[1]
    asked = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {token}"}}
    dry = Client().post("/api/v1/event-files/?slug=kept", data, **asked)
    assert (dry.status_code, dry.json()["imported"], dry.json()["certificate"]["clean"]) == (200, False, True)
    taken = Client().post("/api/v1/event-files/?slug=kept&import=1", data, **asked)
    assert (taken.status_code, taken.json()["imported"]) == (201, True)
    assert taken.json()["record_digest"] == json.loads(data)["digest"]
    refused = Client().post("/api/v1/event-files/", data.replace(b'"outcome":"bye"', b'"outcome":"tea"'), **asked)
    assert refused.status_code == 400
    assert refused.json()["error"]["findings"][0]["field"].endswith(".outcome")
    assert Client().post("/api/v1/event-files/", data, content_type="application/json").status_code in (401, 403)
    certificate = Client().get("/api/v1/events/kept/certificate/").json()
    assert (certificate["clean"], certificate["scope"]) == (True, "public")


def test_the_certificate_is_a_page_paper_and_json() -> None:
    made = played()
    address = f"/zh/e/{made.tournament.slug}/certificate/"
    page = Client().get(address)
    assert page.status_code == 200
    assert "重算一致" in page.content.decode()
    written = Client().get(f"{address}certificate.json").json()
    assert written["clean"] is True
    assert written["record_digest"] in page.content.decode()
    paper = Client().get(f"{address}certificate.pdf")
    assert paper.content.startswith(b"%PDF")
    assert Client().get(f"{address}certificate.pdf").content == paper.content


def test_the_certificate_says_what_differs() -> None:
    made = played()
    Match.objects.filter(round__tournament=made.tournament, outcome="played").update(home_hundredths=700)
    page = Client().get(f"/en/e/{made.tournament.slug}/certificate/")
    assert "home_hundredths" in page.content.decode()
    assert Client().get(f"/en/e/{made.tournament.slug}/certificate/certificate.json").json()["clean"] is False


def test_a_large_event_is_worked_out_by_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    made = played()
    monkeypatch.setattr(certificates, "AT_ONCE", 2)
    address = f"/zh/e/{made.tournament.slug}/certificate/"
    waits = Client().get(address)
    assert "正在重新核算" in waits.content.decode()
    assert Client().get(f"{address}certificate.pdf").status_code == 404
    assert Client().get(f"/api/v1/events/{made.tournament.slug}/certificate/").status_code == 202
    assert certificates.certify_event(tournament_id=made.tournament.pk)
    assert "重算一致" in Client().get(address).content.decode()
    # something happens: what was worked out is of another state of the record
    Tournament.objects.filter(pk=made.tournament.pk).update(stale_number=999)
    assert "正在重新核算" in Client().get(address).content.decode()


def test_the_command_takes_an_event_only_when_told_to(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    made = played()
    file = tmp_path / "event.json"
    file.write_bytes(export_of(made))
    call_command("import_event", str(file), slug="kept", organiser=made.actor.user.username)
    assert "dry run" in capsys.readouterr().out
    assert not Tournament.objects.filter(slug="kept").exists()
    call_command("import_event", str(file), slug="kept", organiser=made.actor.user.username, write=True)
    assert Tournament.objects.get(slug="kept").officials.filter(user=made.actor.user).exists()
    with pytest.raises(SystemExit) as ended:
        call_command("import_event", str(file), slug="kept", write=True)
    assert ended.value.code == 1
    assert "slug_taken" in capsys.readouterr().out
    with pytest.raises(CommandError) as missing:
        call_command("import_event", str(tmp_path / "none.json"))
    assert missing.value.returncode == 2
