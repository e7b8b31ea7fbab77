"""The desk's visitors: a signed-in browser for each office of one event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tournaments import factories
from tournaments.acts.admission import Actor

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from tests.tournaments.factories import Hall


@pytest.fixture
def hall(db: None) -> Hall:
    return factories.hall(tables=2)


@pytest.fixture
def sign_in() -> Callable[[Actor], Client]:
    return factories.signed_in


@pytest.fixture
def somebody(db: None) -> Client:
    """A signed-in person who has no event yet."""
    return factories.signed_in(Actor(user=factories.user()))


@pytest.fixture
def organiser(hall: Hall, sign_in: Callable[[Actor], Client]) -> Client:
    return sign_in(hall.organiser)


@pytest.fixture
def chief(hall: Hall, sign_in: Callable[[Actor], Client]) -> Client:
    return sign_in(hall.chief)


@pytest.fixture
def referee(hall: Hall, sign_in: Callable[[Actor], Client]) -> Client:
    return sign_in(hall.referee)
