"""The number of a request stands in every line of the log that is about it, in this process and in a worker."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from structlog.contextvars import clear_contextvars, get_contextvars
from structlog.stdlib import ProcessorFormatter

from referee import logs
from referee.running.numbers import HEADER
from referee.settings import LOG_WRITERS, LOGGING
from tests.api.hall import api_hall
from tests.tournaments import factories
from tournaments.acts import doorbell
from tournaments.models import Stage
from tournaments.standings import runs

log = logging.getLogger("tests.numbers")


class Lines(logging.Handler):
    """The lines that LOG_FORMAT=json writes, read again."""

    def __init__(self) -> None:
        super().__init__()
        asked = dict(LOGGING["formatters"]["structured"])  # type: ignore[index, call-overload]
        asked.pop("()")
        asked["processors"] = [ProcessorFormatter.remove_processors_meta, *LOG_WRITERS["json"]]
        self.setFormatter(logs.WithoutSecrets(**asked))
        self.read: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.read.append(json.loads(self.format(record)))

    def of(self, event: str) -> dict[str, Any]:
        (found,) = [line for line in self.read if line["event"].startswith(event)]
        return found


@pytest.fixture
def lines() -> Iterator[Lines]:
    made, root = Lines(), logging.getLogger()
    root.addHandler(made)
    yield made
    root.removeHandler(made)
    clear_contextvars()


@pytest.mark.django_db
def test_every_request_has_a_number_of_its_own(client: Client, lines: Lines) -> None:
    numbers = [client.get(f"/nowhere/{each}/")[HEADER] for each in ("a", "b")]
    assert len(set(numbers)) == 2
    for each, number in zip(("a", "b"), numbers, strict=True):
        line = lines.of(f"Not Found: /nowhere/{each}/")
        assert line["request_id"] == number
        assert line["level"] == "warning"
        assert line["logger"] == "django.request"


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("f00dfeed01", True),
        ("0af7651916cd43dd-8448eb211c80319c", True),
        ("short", False),
        ("x" * 65, False),
        ('12345678","admin":"1', False),
        ("12345678\\n", False),
        ("编号一二三四五六七八", False),
    ],
)
@pytest.mark.django_db
def test_a_proxy_may_give_the_number(client: Client, lines: Lines, given: str, taken: bool) -> None:
    answer = client.get("/nowhere/", headers={HEADER: given})
    assert (answer[HEADER] == given) is taken
    assert lines.of("Not Found")["request_id"] == answer[HEADER]


@pytest.mark.django_db
def test_what_caches_keep_for_others_has_no_number(client: Client) -> None:
    hall = factories.hall()
    page = client.get(f"/en/e/{hall.event.slug}/")
    assert page.status_code == 200
    assert "public" in page["Cache-Control"]
    assert HEADER not in page
    assert HEADER in client.get(reverse("health"))


@pytest.mark.long
def test_the_number_reaches_the_worker_and_what_that_sends(
    celery_worker: None,
    lines: Lines,
    monkeypatch: pytest.MonkeyPatch,
    until: Callable[..., None],
) -> None:
    """From the request to the task, and from that to the task that it asks for; a fault there names them too."""
    here = api_hall()
    Stage.objects.update(minutes=None, hands=1)  # the first hand ends its match, which moves the standings
    entry = here.waits()
    told: list[dict[str, Any]] = []

    def recalculate(*, tournament_id: int, **_: Any) -> None:
        told.append(dict(get_contextvars()))
        if len(told) == 1:
            doorbell.answer(tournament_id)
            doorbell.ring(tournament_id, insist=True)
            return
        raise ValueError("a bug")

    monkeypatch.setattr(runs, "recalculate", recalculate)
    confirm = f"{here.sitting}/entries/{entry}/confirm/"
    assert here.ew.post(confirm, {}, Idempotency_Key="k", X_Request_ID="hall-number-1").status == 200
    until(lambda: len(told) == 2)
    until(lambda: [line for line in lines.read if "raised unexpected" in line["event"]])
    assert [one["request_id"] for one in told] == ["hall-number-1"] * 2
    assert len({one["task_id"] for one in told}) == 2
    line = next(line for line in lines.read if "raised unexpected" in line["event"])
    assert line["request_id"] == "hall-number-1"
    assert (line["task"], line["task_id"]) == (doorbell.RECALCULATE_TASK, told[1]["task_id"])
    assert "ValueError: a bug" in line["exception"]


def test_json_is_what_the_image_writes() -> None:
    assert "json" in LOG_WRITERS
    assert settings.LOGGING["root"]["handlers"] == ["counted", "stderr"]
    assert "LOG_FORMAT=json" in (settings.BASE_DIR / "Dockerfile").read_text("utf-8")
