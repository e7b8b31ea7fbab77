"""Guessing passwords: slowed for one name from one address, for nobody else."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

HALL, ELSEWHERE = "192.0.2.7", "192.0.2.8"


@pytest.mark.django_db
def test_guesser_is_stopped_and_others_are_not() -> None:
    for name in ("ann", "bo"):
        get_user_model().objects.create_user(username=name, password="right-horse-battery")

    def sign_in(name: str, password: str, address: str) -> int:
        form = {"username": name, "password": password}
        return Client(REMOTE_ADDR=address).post(reverse(settings.LOGIN_URL), form).status_code

    for _ in range(settings.AXES_FAILURE_LIMIT - 1):
        assert sign_in("ann", "wrong", HALL) == 200
    assert sign_in("ann", "wrong", HALL) == 429
    assert sign_in("ann", "right-horse-battery", HALL) == 429
    assert sign_in("bo", "right-horse-battery", HALL) == 302
    assert sign_in("ann", "right-horse-battery", ELSEWHERE) == 302
