"""Accounts, sessions: words that are no password, proofs, ends, what the browser forgets, who is named in a line."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from referee.desk.proof import PROVED
from referee.running.numbers import WHO
from tests.api.client import Api
from tests.foundations.test_request_numbers import Lines
from tests.foundations.test_request_numbers import lines as lines  # the fixture
from tests.tournaments import factories
from tournaments.ledger.codes import ALPHABET
from tournaments.models import Tournament, User
from tournaments.people import second_factor

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the lake"


@pytest.fixture
def person() -> User:
    cache.clear()
    return User.objects.create_user("wu", password=PASSWORD)


def browser() -> Client:
    client = Client()
    assert client.post("/desk/sign-in/", {"username": "wu", "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/desk/account/").status_code == 200


def proof_is_over(client: Client) -> None:
    session = client.session
    session[PROVED] = (timezone.now() - timedelta(minutes=11)).isoformat()
    session.save()


def test_nobody_is_there_at_the_start() -> None:
    """6.3.2 of ASVS: the database as the migrations leave it."""
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("password", "taken"),
    [
        ("Referee2026", False),
        ("shengji-1234", False),
        ("升级拖拉机2026年", False),
        ("HarbourCup2026", False),
        ("harbour-cup-26", False),
        ("quiet-Harbour-77", True),
        ("a referee on a very long walk", True),
    ],
)
def test_words_of_the_place_are_no_password(password: str, taken: bool) -> None:
    """6.2.11 of ASVS: a password is long enough without them."""
    hall = factories.hall()
    Tournament.objects.filter(pk=hall.event.pk).update(name="Harbour Cup")
    user = hall.referee.user
    assert user is not None
    if taken:
        validate_password(password, user)
    else:
        with pytest.raises(ValidationError) as refused:
            validate_password(password, user)
        assert "password_of_this_place" in [one.code for one in refused.value.error_list]


def test_a_password_is_good_for_as_long_as_one_likes(person: User) -> None:
    """6.2.10 of ASVS."""
    old = datetime(2009, 1, 1, tzinfo=UTC)
    User.objects.update(date_joined=old, last_login=old)
    assert is_in(browser())


def test_codes_that_are_kept_are_beyond_trying() -> None:
    """6.5.2 and 6.5.3 of ASVS: 112 bits at least, of the system's own chance."""
    assert second_factor.RECOVERY_LENGTH * math.log2(len(set(ALPHABET))) >= 112
    codes = second_factor.new_recovery_codes()
    assert all(len(one.replace("-", "")) == second_factor.RECOVERY_LENGTH for one in codes)
    assert type(pyotp.random).__name__ == "SystemRandom"
    assert len(second_factor.new_key()) * 5 >= 112


def test_a_proof_makes_the_key_of_the_session_anew(person: User) -> None:
    """7.2.4 of ASVS: with each sign-in, and with each proof within a session."""
    client = Client()
    client.get("/desk/sign-in/")
    before = client.session.session_key
    client.post("/desk/sign-in/", {"username": "wu", "password": PASSWORD})
    signed_in = client.session.session_key
    assert signed_in != before
    proof_is_over(client)
    asked = client.post("/desk/account/tokens/", {"scope": "read", "days": 1})
    assert asked.status_code == 403
    assert client.session.session_key == signed_in
    client.post("/desk/account/tokens/", {"scope": "read", "days": 1, "proof": PASSWORD})
    assert client.session.session_key != signed_in
    old = Client()
    old.cookies["sessionid"] = str(signed_in)
    assert (is_in(client), is_in(old)) == (True, False)


def test_other_sessions_are_ended_after_a_proof(person: User) -> None:
    """7.5.2 of ASVS."""
    own, other = browser(), browser()
    proof_is_over(own)
    assert own.post("/desk/account/sessions/end/").status_code == 403
    assert is_in(other)
    assert own.post("/desk/account/sessions/end/", {"proof": "a guess"}).status_code == 403
    assert is_in(other)
    assert own.post("/desk/account/sessions/end/", {"proof": PASSWORD}).status_code == 303
    assert (is_in(own), is_in(other)) == (True, False)


def test_an_account_out_of_use_is_out_everywhere(person: User) -> None:
    """7.4.2 of ASVS: its sessions and its tokens at once."""
    own = browser()
    token = Api().post("tokens/", {"username": "wu", "password": PASSWORD}).json["token"]
    assert Api(f"Bearer {token}").get("tokens/").status == 200
    User.objects.update(is_active=False)
    assert not is_in(own)
    assert Api(f"Bearer {token}").get("tokens/").status == 401
    again = Client()
    again.post("/desk/sign-in/", {"username": "wu", "password": PASSWORD})
    assert not is_in(again)


def test_the_browser_forgets_who_signs_out(person: User) -> None:
    """14.3.1 of ASVS: pages and the session, but not the places, receipts and waiting hands of a table."""
    own = browser()
    out = own.post("/desk/sign-out/")
    assert out["Clear-Site-Data"] == '"cache"'
    assert out.cookies["sessionid"]["max-age"] == 0
    assert not is_in(own)


def test_the_log_says_who_was_refused_what(lines: Lines, person: User) -> None:
    """16.2.1, 16.3.2 and 16.3.3 of ASVS: when, who, which request, what."""
    hall = factories.hall()
    chief_only = f"/desk/{hall.event.slug}/officials/"
    assert hall.referee.user is not None
    assert factories.signed_in(hall.referee).get(chief_only).status_code == 403
    refused = lines.of(f"Forbidden: {chief_only}")
    assert refused[WHO] == f"user:{hall.referee.user.pk}"
    assert {"timestamp", "request_id", "logger", "level"} <= refused.keys()
    Client().post("/desk/sign-in/", {"username": "wu", "password": "a guess"})
    assert lines.of("wrong password")["tried_by"] == "somebody"
    assert "a guess" not in str(lines.read)
    strict = Client(enforce_csrf_checks=True)
    strict.post("/desk/sign-in/", {"username": "wu", "password": PASSWORD})
    assert "CSRF" in lines.of("Forbidden (CSRF")["event"]
    Api("Bearer nothing").get("tokens/")
    assert lines.of("Unauthorized: /api/v1/tokens/")[WHO] == "nobody"
