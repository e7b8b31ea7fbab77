"""Codes and one-use links stand in addresses; they stand in no log, and no page tells its address."""

from __future__ import annotations

import logging
from io import StringIO

import pytest
from django.conf import settings
from django.test import Client

from referee.logs import WithoutSecrets
from tests.tournaments import factories
from tournaments.ledger import codes, devices

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["console", "json"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """What the service writes with the format of the settings; every refusal of a page is a line of Django's."""
    written = StringIO()
    made = settings.LOGGING["formatters"]["structured"]
    writers = [made["processors"][0], *settings.LOG_WRITERS[request.param]]
    handler = logging.StreamHandler(written)
    handler.setFormatter(WithoutSecrets(foreign_pre_chain=made["foreign_pre_chain"], processors=writers))
    logger = logging.getLogger("django.request")
    monkeypatch.setattr(logger, "handlers", [handler])
    monkeypatch.setattr(logging.getLogger("django.security.csrf"), "handlers", [handler])
    return written


def test_no_secret_of_an_address_is_logged(log: StringIO) -> None:
    hall = factories.hall(tables=1)
    code = codes.party_code_text(devices.issue_codes(**hall_given(hall))[0])
    hall.round.sittings.update(active=False)
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answers = {
        f"/t/{code}/": Client().get(f"/t/{code}/"),
        "/me/SECRETCODE/": Client().get("/me/SECRETCODE/"),
        "/desk/enter/5ec2e7/": Client().post("/desk/enter/5ec2e7/"),
        "/desk/enter/5ec2e7": strict.post("/desk/enter/5ec2e7/"),
    }
    assert {answer.status_code for answer in answers.values()} == {409, 404, 403}
    lines = log.getvalue()
    assert lines.count("/t/…") >= 1
    assert lines.count("/desk/enter/…") >= 2
    for secret in (code, "SECRETCODE", "5ec2e7"):
        assert secret not in lines, lines


def hall_given(hall: factories.Hall) -> dict[str, object]:
    return {"tournament_id": hall.event.pk, "actor": hall.chief, "at": factories.AT}


@pytest.mark.parametrize("path", ["/t/ABCDEFGHJK/", "/me/ABCDEFGHJK/", "/desk/enter/abc/", "/desk/sign-in/"])
def test_no_page_behind_a_secret_address_tells_it(path: str) -> None:
    policy = Client().get(path)["Referrer-Policy"]
    assert policy == ("same-origin" if "sign-in" in path else "strict-origin")
