"""The desk's visitors: a signed-in browser for each office of one event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.tournaments import factories

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tournaments.factories import Hall
    from tournaments.access import Actor


@pytest.fixture
def hall(db: None) -> Hall:
    return factories.hall(tables=2)


@pytest.fixture
def sign_in() -> Callable[[Actor], Client]:
    def enter(actor: Actor) -> Client:
        client = Client()
        client.force_login(actor.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return enter


@pytest.fixture
def organiser(hall: Hall, sign_in: Callable[[Actor], Client]) -> Client:
    return sign_in(hall.organiser)


@pytest.fixture
def chief(hall: Hall, sign_in: Callable[[Actor], Client]) -> Client:
    return sign_in(hall.chief)


@pytest.fixture
def referee(hall: Hall, sign_in: Callable[[Actor], Client]) -> Client:
    return sign_in(hall.referee)
