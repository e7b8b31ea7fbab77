"""Guessing is slowed: from one address, at one account from everywhere; for nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.api.client import Api, seated
from tests.api.hall import api_hall
from tests.tournaments import factories
from tournaments.acts import guessing
from tournaments.acts.guessing import PASSWORD, Limit, Secret, TooManyTries, WrongGuess, one_try
from tournaments.ledger import codes, devices
from tournaments.ledger.codes import CODE_LENGTH
from tournaments.models import User

HALL, ELSEWHERE = "192.0.2.7", "192.0.2.8"
RIGHT = "right-horse-battery"


@pytest.fixture(autouse=True)
def _nothing_counted(db: None) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _people(db: None) -> None:
    for name in ("ann", "bo"):
        User.objects.create_user(username=name, password=RIGHT)


def answer(name: str, password: str, address: str, browser: Client | None = None) -> HttpResponse:
    form = {"username": name, "password": password}
    return (browser or Client()).post(reverse(settings.LOGIN_URL), form, REMOTE_ADDR=address)  # type: ignore[return-value]


def sign_in(name: str, password: str, address: str, browser: Client | None = None) -> int:
    return answer(name, password, address, browser).status_code


def here() -> Limit:
    assert PASSWORD.here is not None
    return PASSWORD.here


def test_guesser_is_stopped_and_others_are_not() -> None:
    for _ in range(here().most):
        assert sign_in("ann", "wrong", HALL) == 200
    stopped = answer("ann", "wrong", HALL)
    assert (stopped.status_code, stopped["Retry-After"]) == (429, str(here().seconds))
    assert sign_in("ann", RIGHT, HALL) == 429
    assert sign_in("bo", RIGHT, HALL) == 302
    assert sign_in("ann", RIGHT, ELSEWHERE) == 302


def test_the_page_and_the_api_count_together() -> None:
    for _ in range(here().most):
        assert Api().post("tokens/", {"username": "ann", "password": "wrong"}).status == 401
    assert sign_in("ann", RIGHT, "127.0.0.1") == 429


def test_a_browser_that_signed_in_before_is_not_slowed_by_strangers() -> None:
    own = Client()
    assert sign_in("ann", RIGHT, HALL, own) == 302
    own.post("/desk/sign-out/")
    for _ in range(here().most + 1):
        sign_in("ann", "wrong", HALL)
    assert sign_in("ann", RIGHT, HALL) == 429
    assert sign_in("ann", RIGHT, HALL, own) == 302
    own.post("/desk/sign-out/")
    # it is known for that name only, and its own tries count
    assert sign_in("bo", "wrong", HALL, own) == 200
    for _ in range(PASSWORD.browser.most):
        assert sign_in("ann", "wrong", ELSEWHERE, own) == 200
    assert sign_in("ann", RIGHT, ELSEWHERE, own) == 429


def test_an_account_is_not_guessed_from_many_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Secret("password", Limit(5, 60), browser=Limit(5, 60), here=Limit(3, 60), account=Limit(6, 60))
    monkeypatch.setattr("tournaments.people.accounts.PASSWORD", few)
    for number in range(6):
        assert sign_in("ann", "wrong", f"192.0.2.{number}") == 200
    assert sign_in("ann", RIGHT, "192.0.2.99") == 429
    assert sign_in("bo", RIGHT, "192.0.2.99") == 302


def test_names_are_not_tried_one_after_another_from_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Secret("password", Limit(5, 60), browser=Limit(5, 60), here=Limit(3, 60), account=Limit(6, 60))
    monkeypatch.setattr("tournaments.people.accounts.PASSWORD", few)
    for number in range(5):
        assert sign_in(f"name{number}", "wrong", HALL) == 200
    assert sign_in("bo", RIGHT, HALL) == 429
    assert sign_in("bo", RIGHT, ELSEWHERE) == 302


def guess(secret: Secret, address: str, *, right: bool = False, account: str = "x") -> str:
    try:
        with suppress(WrongGuess), one_try(secret, address=address, account=account):
            if not right:
                raise WrongGuess("no", message={})
    except TooManyTries:
        return "stopped"
    return "heard"


def test_one_address_cannot_fill_the_counter_of_an_account() -> None:
    secret = Secret("test", Limit(100, 60), browser=Limit(5, 60), here=Limit(2, 60), account=Limit(4, 60))
    assert [guess(secret, HALL) for _ in range(9)] == ["heard"] * 2 + ["stopped"] * 7
    assert guess(secret, ELSEWHERE, right=True) == "heard"


def test_right_ones_do_not_count() -> None:
    secret = Secret("test", Limit(3, 60), browser=Limit(5, 60))
    assert {guess(secret, HALL, right=True) for _ in range(20)} == {"heard"}


def test_one_customers_addresses_count_as_one() -> None:
    secret = Secret("test", Limit(1, 60), browser=Limit(5, 60))
    assert guess(secret, "2001:db8::1") == "heard"
    assert guess(secret, "2001:db8::ffff") == "stopped"
    assert guess(secret, "2001:db8:1::1") == "heard"
    assert guess(secret, "::ffff:192.0.2.1") == "heard"
    assert guess(secret, "::ffff:192.0.2.2") == "heard"


# Where a code is tried: the module that judges it, the name of its limits there, one wrong try.
DOORS = [
    ("referee.table.views.landing.PARTY_CODE", "/t/AAAAAAAAAA/", None),
    ("referee.table.views.own_code.OWN_CODE", "/me/AAAAAAAAAA/", None),
    ("referee.table.views.own_code.OWN_CODE", "/me/", {"code": "AAAAAAAAAA"}),
    ("api.tables.PARTY_CODE", "/api/v1/devices/", {"code": "AAAAAAAAAA"}),
    ("api.attendance.OWN_CODE", "/api/v1/check-in/", {"code": "AAAAAAAAAA"}),
]


def try_door(path: str, form: dict[str, str] | None, address: str, browser: Client | None = None) -> HttpResponse:
    browser = browser or Client()
    if form is None:
        return browser.get(path, REMOTE_ADDR=address)
    kind = {"content_type": "application/json"} if path.startswith("/api/") else {}
    return browser.post(path, form, REMOTE_ADDR=address, **kind)  # type: ignore[arg-type]


def try_code(path: str, form: dict[str, str] | None, address: str, browser: Client | None = None) -> int:
    return try_door(path, form, address, browser).status_code


@pytest.mark.parametrize(("limits", "path", "form"), DOORS)
def test_codes_are_not_guessed_from_one_address(
    limits: str, path: str, form: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, Secret("few", Limit(3, 60), browser=Limit(3, 60), everywhere=Limit(99, 60)))
    assert [try_code(path, form, HALL) for _ in range(4)] == [404, 404, 404, 429]
    assert try_code(path, form, ELSEWHERE) == 404


@pytest.mark.parametrize(("limits", "path", "form"), DOORS)
def test_who_tried_too_often_is_told_for_how_long(
    limits: str, path: str, form: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, Secret("few", Limit(1, 60), browser=Limit(1, 60), everywhere=Limit(99, 60)))
    answers = [try_door(path, form, HALL) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [404, 429]
    assert answers[1]["Retry-After"] == "60"


@pytest.mark.parametrize(("limits", "path", "form"), DOORS)
def test_codes_are_not_guessed_from_many_addresses(
    limits: str, path: str, form: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, Secret("few", Limit(3, 60), browser=Limit(3, 60), everywhere=Limit(4, 60)))
    assert [try_code(path, form, f"192.0.2.{number}") for number in range(5)] == [404] * 4 + [429]


def test_who_was_let_in_before_is_not_slowed_by_guesses_from_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Secret("few", Limit(3, 60), browser=Limit(3, 60), everywhere=Limit(4, 60))
    for limits in {door[0] for door in DOORS}:
        monkeypatch.setattr(limits, few)
    hall = api_hall()
    by = {"actor": hall.hall.organiser, "at": factories.AT}
    card, other = map(codes.party_code_text, devices.issue_codes(tournament_id=hall.event.pk, **by)[:2])
    program, _ = seated(other)
    place = f"/t/{card}/"
    phone = Client()
    assert phone.post(place, {"take_over": "yes"}, REMOTE_ADDR=HALL).status_code == 303
    statuses = {try_code("/t/AAAAAAAAAA/", None, f"192.0.2.{number}") for number in range(50, 60)}
    assert statuses == {404, 429}
    # strangers wait, even with the right card, but neither a browser nor a program that holds a place does
    assert try_code(place, None, HALL) == 429
    assert try_code("/t/AAAAAAAAAA/", None, HALL, phone) == 404
    assert try_code(place, None, HALL, phone) == 302
    for path in ("devices/", "check-in/"):
        assert hall.nobody.post(path, {"code": "AAAAAAAAAA"}).status == 429
        for known in (program, hall.referee):
            assert known.post(path, {"code": "AAAAAAAAAA"}).status == 404


def test_a_token_that_has_ended_still_claims_a_place() -> None:
    """A program keeps the token of a round that is over; its next card is a stranger's, not a refusal."""
    answer = Api("Device gone:gone").post("devices/", {"code": "AAAAAAAAAA"})
    assert (answer.status, answer.error["code"]) == (404, "unknown_code")


def test_a_hall_of_honest_phones_is_never_locked() -> None:
    """A thousand phones behind one address, half of them with a slip in the same minute; and five such halls."""
    for secret in (guessing.PARTY_CODE, guessing.OWN_CODE):
        assert secret.everywhere is not None
        assert (secret.address.seconds, secret.everywhere.seconds) == (60, 60)
        assert secret.address.most > 500
        assert secret.everywhere.most > 5 * 500
        # ten thousand codes in use, guessed at without a pause for a year by as many addresses as it takes
        guesses = secret.everywhere.most * 365 * 24 * 60
        assert guesses * 10_000 < 32**CODE_LENGTH / 50
