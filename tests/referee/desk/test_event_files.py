"""Whole events from files at the desk, and the certificate on the public pages."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from knox.models import AuthToken

from referee.requests import LARGEST_BODY
from tests.markup import flat
from tests.tournaments.factories import AT, signed_in, user
from tests.tournaments.test_audit import played
from tests.tournaments.test_event_imports import export_of
from tournaments.acts import jobs
from tournaments.acts.admission import Actor
from tournaments.audit import certificates
from tournaments.models import Job, Match, Tournament
from tournaments.transfer.job_kinds import KINDS
from tournaments.transfer.whole_events import LARGEST_FILE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """The cache outlives the database of a test."""
    cache.clear()


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("event.json", data, "application/json")


def worked(address: str) -> Job:
    """The job of a page, after a worker had it."""
    number = int(address.rstrip("/").rpartition("/")[2])
    jobs.run(job_id=number, kinds=KINDS, at=AT)
    return Job.objects.get(pk=number)


@pytest.mark.long
def test_a_file_is_checked_first_and_then_taken() -> None:
    made = played()
    client, data = signed_in(made.actor), export_of(made)
    sent = client.post("/desk/import/", {"file": upload(data), "slug": "kept"})
    page = sent["Location"]
    assert sent.status_code == 303
    waits = client.get(page).content.decode()
    assert "Waiting for a free worker" in waits
    assert f'data-fragment-url="{page}live/"' in waits
    assert page in client.get("/desk/import/").content.decode()
    worked(page)
    for address in (page, f"{page}live/"):
        checked = client.get(address).content.decode()
        assert json.loads(data)["digest"] in checked
        assert f'action="{page}take/"' in checked
        assert "data-live-over" in checked
    assert not Tournament.objects.filter(slug="kept").exists()
    taken = client.post(f"{page}take/")
    assert taken.status_code == 303
    assert client.post(f"{page}take/")["Location"] == taken["Location"], "a second tap is the same taking"
    assert taken["Location"] in client.get(page).content.decode()
    worked(taken["Location"])
    assert 'href="/desk/kept/standings/"' in client.get(f"{taken['Location']}live/").content.decode()
    for address in ("/desk/kept/", "/desk/kept/rounds/", "/desk/kept/entrants/", "/desk/kept/history/"):
        assert client.get(address).status_code == 200, address
    for address in ("", "standings/", "standings/2/", "rounds/1/", "entrants/1/", "certificate/", "check/"):
        assert client.get(f"/zh/e/kept/{address}").status_code == 200, address
    assert "Pair 2" in client.get("/zh/e/kept/standings/1/").content.decode()
    assert client.post("/desk/kept/rounds/new/").status_code == 403


@pytest.mark.long
def test_how_far_it_is_and_whose_it_is() -> None:
    made = played()
    client, stranger = signed_in(made.actor), signed_in(Actor(user=user("stranger")))
    page = client.post("/desk/import/", {"file": upload(export_of(made)), "slug": "kept"})["Location"]
    job = Job.objects.get()
    cache.set(f"job:{job.pk}", ({"en": "Reading", "zh": "读取"}, 4, 10), 60)
    shown = flat(client.get(f"{page}live/").content.decode())
    assert "Reading · 4 of 10" in shown
    assert 'max="10" value="4"' in shown
    assert page not in stranger.get("/desk/import/").content.decode()
    for address in (page, f"{page}live/"):
        assert stranger.get(address).status_code == 404
    assert stranger.post(f"{page}take/").status_code == 404
    # too early, and told so where the next file is chosen
    assert client.post(f"{page}take/")["Location"] == "/desk/import/"
    assert "found nothing wrong" in client.get("/desk/import/").content.decode()


@pytest.mark.long
def test_a_bad_file_is_refused_with_the_place_of_each_problem() -> None:
    made = played()
    client, document = signed_in(made.actor), json.loads(export_of(made))
    document["matches"][2]["number"] = "three"
    data = json.dumps(document).encode()
    page = client.post("/desk/import/", {"file": upload(data), "slug": "kept"})["Location"]
    worked(page)
    for address in (page, f"{page}live/"):
        assert "matches[2].number" in client.get(address).content.decode()
    # what can be seen at once is said at once
    for wrong in (b" ", b"nonsense", b"[]", b"{}"):
        assert client.post("/desk/import/", {"file": upload(wrong)}).status_code == 422
    assert client.post("/desk/import/", {}).status_code == 422
    assert client.post("/desk/import/", {"file": upload(export_of(made)), "slug": "no such address"}).status_code == 422
    taken = client.post("/desk/import/", {"file": upload(export_of(made)), "slug": made.tournament.slug})
    assert "This address is taken" in taken.content.decode()
    assert Job.objects.count() == 1
    assert Tournament.objects.count() == 1


@pytest.mark.long
def test_an_event_over_the_api() -> None:
    made = played()
    data = export_of(made)
    token = AuthToken.objects.create(user=made.actor.user)[1]
    asked = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {token}"}}
    sent = Client().post("/api/v1/event-files/?slug=kept", data, **asked)
    assert (sent.status_code, sent["Retry-After"], sent.json()["state"]) == (202, "2", "open")
    job = sent["Location"]
    assert job == f"/api/v1/jobs/{sent.json()['id']}/"
    assert Client().post("/api/v1/event-files/?slug=kept", data, **asked)["Location"] == job
    early = Client().post(f"{job}take/", **asked)
    assert (early.status_code, early.json()["error"]["code"]) == (409, "not_checked")
    worked(job)
    checked = Client().get(job, **asked)
    assert "Retry-After" not in checked
    assert (checked.json()["state"], checked.json()["result"]["certificate"]["clean"]) == ("done", True)
    assert checked.json()["result"]["record_digest"] == json.loads(data)["digest"]
    take = Client().post(f"{job}take/", **asked)
    assert take.status_code == 202
    assert Client().post(f"{job}take/", **asked)["Location"] == take["Location"]
    worked(take["Location"])
    result = Client().get(take["Location"], **asked).json()["result"]
    assert (result["slug"], result["imported"]) == ("kept", True)
    certificate = Client().get("/api/v1/events/kept/certificate/").json()
    assert (certificate["clean"], certificate["scope"]) == (True, "public")
    # a second one is refused by its address, and what is broken by its places
    taken = Client().post("/api/v1/event-files/?slug=kept", data, **asked)
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "slug_taken")
    broken = Client().post("/api/v1/event-files/", data.replace(b'"outcome":"bye"', b'"outcome":"tea"'), **asked)
    assert worked(broken["Location"]).refusal is not None
    refused = Client().get(broken["Location"], **asked).json()
    assert (refused["state"], refused["result"]) == ("refused", None)
    assert refused["refusal"]["findings"][0]["field"].endswith(".outcome")
    for wrong in (b"", b"nonsense"):
        assert Client().post("/api/v1/event-files/", wrong, **asked).status_code == 400
    other = AuthToken.objects.create(user=user("stranger"))[1]
    for headers in ({}, {"Authorization": f"Bearer {other}"}):
        assert Client().get(job, headers=headers).status_code in (401, 403, 404)
    assert Client().post("/api/v1/event-files/", data, content_type="application/json").status_code in (401, 403)


class Unread(BytesIO):
    """A body of which nobody should want to see anything."""

    def read(self, size: int | None = -1, /) -> bytes:
        raise AssertionError("it was read")


@pytest.mark.parametrize("address", ["/desk/import/", "/api/v1/event-files/", "/desk/sign-in/", "/api/v1/tokens/"])
def test_what_is_far_too_large_is_refused_by_what_it_says_of_itself(address: str) -> None:
    assert LARGEST_FILE < LARGEST_BODY
    for size in (LARGEST_BODY + 1, 10**30):
        said = {"CONTENT_LENGTH": str(size), "wsgi.input": Unread(), "CONTENT_TYPE": "application/json"}
        refused = Client(enforce_csrf_checks=True).generic("POST", address, **said)
        assert refused.status_code == 413
        assert b"too large" in refused.content


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


@pytest.mark.long
def test_the_certificate_says_what_differs() -> None:
    made = played()
    Match.objects.filter(round__tournament=made.tournament, outcome="played").update(home_hundredths=700)
    page = Client().get(f"/en/e/{made.tournament.slug}/certificate/")
    assert "score of the home side" in page.content.decode()
    assert Client().get(f"/en/e/{made.tournament.slug}/certificate/certificate.json").json()["clean"] is False


@pytest.mark.long
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


@pytest.mark.long
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
