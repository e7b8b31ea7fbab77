"""Requests made up from the schema: never a failure of ours, never an answer that the schema does not name."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.hall import ApiHall, api_hall

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
QUICK, LONG = 3, 400


@pytest.fixture
def here(db: None) -> ApiHall:
    made = api_hall(tables=2)
    made.organiser.ok("POST", f"{made.path}/publications/", {"round": 1})
    return made


@contextmanager
def in_this_thread() -> Iterator[None]:
    """Requests through WSGI here must leave the test's connection open. Refusals are not worth a line each."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def real_ids(here: ApiHall) -> dict[str, Any]:
    """Path parameters that name something, so that more than 404 is tried."""
    entry = here.waits()
    facts = {"facts": {"irregularity": "take_back"}, "side": "NS"}
    ruling = here.referee.ok("POST", f"{here.sitting}/rulings/", facts)["ruling"]["id"]
    call = here.ew.ok("POST", f"{here.sitting}/calls/", {})["id"]
    device = here.hall.ns.device
    assert device is not None
    return {
        "slug": here.event.slug,
        "sitting_id": here.hall.sitting.pk,
        "entry_id": entry,
        "call_id": call,
        "ruling_id": ruling,
        "match_id": here.hall.sitting.match_id,
        "public_id": device.public_id,
        "number": 1,
        "stage": 1,
        "side": "NS",
        "profile_id": "scn2-2013",
        "clause_id": "scn2.hook",
    }


def fuzz(here: ApiHall, role: str, examples: int) -> None:
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    schema.app = get_wsgi_application()
    ids = real_ids(here)
    authorization = getattr(here, role).authorization
    # the caller of the application itself unpacks nothing
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": authorization} if authorization else {})
    for found in schema.get_all_operations():
        operation = found.ok()
        cache.clear()

        @given(case=operation.as_strategy(), known=st.sampled_from((True, True, False)))
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=examples == QUICK,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def holds(case: Any, known: bool) -> None:
            if known:
                case.path_parameters.update({name: ids[name] for name in case.path_parameters if name in ids})
            if case.headers:
                case.headers.pop("Authorization", None)
            with transaction.atomic():  # what one request did must not be in the way of the next
                response = case.call(headers=headers)
                transaction.set_rollback(True)
            case.validate_response(response, checks=CHECKS, headers=headers)

        with in_this_thread():
            holds()


@pytest.mark.timeout(900)  # the strategies of every operation are built, and each is asked thrice
@pytest.mark.parametrize("role", ["nobody", "organiser"])
def test_made_up_requests(here: ApiHall, role: str) -> None:
    fuzz(here, role, QUICK)


@pytest.mark.soak
@pytest.mark.parametrize("role", ["nobody", "ns", "referee", "chief", "organiser"])
def test_very_many_made_up_requests(here: ApiHall, role: str) -> None:
    fuzz(here, role, LONG)
