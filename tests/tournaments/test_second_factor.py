"""The second factor of accounts: codes by step of time, once each; recovery codes; what a thief of the database has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.test import override_settings
from knox.models import AuthToken

from tournaments.acts.errors import Refusal
from tournaments.acts.guessing import FACTOR, TooManyTries
from tournaments.models import AccountEvent, RecoveryCode, User
from tournaments.people import second_factor
from tournaments.people.accounts import WrongPresentPassword
from tournaments.people.second_factor import FactorCodeNeeded, WrongFactorCode

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PASSWORD = "a long walk by the lake"
KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
AT = datetime(2026, 5, 16, 9, 0, 10, tzinfo=UTC)
HERE = "192.0.2.7"


@pytest.fixture
def person() -> Iterator[User]:
    cache.clear()
    yield User.objects.create_user("wu", password=PASSWORD)
    cache.clear()


def code(at: datetime, steps: int = 0) -> str:
    return pyotp.TOTP(KEY).at(at, counter_offset=steps)


def turned_on(person: User, at: datetime = AT) -> list[str]:
    by = {"person": person, "at": at, "address": HERE}
    return second_factor.turn_on(password=PASSWORD, key=KEY, code=code(at), **by)  # type: ignore[arg-type]


def show(person: User, typed: str, at: datetime, address: str = HERE, known: bool = False) -> None:
    second_factor.show(person=person, code=typed, at=at, address=address, known=known)


def kinds(person: User) -> list[str]:
    return list(AccountEvent.objects.filter(user=person).order_by("pk").values_list("kind", flat=True))


# RFC 6238, appendix B: SHA-1, the last six of its eight figures
@pytest.mark.parametrize(
    ("seconds", "figures"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (2000000000, "279037")],
)
def test_codes_are_those_of_the_standard(seconds: int, figures: str) -> None:
    key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    at = datetime.fromtimestamp(seconds, UTC)
    assert second_factor.step_of(key, figures, at, 0) == seconds // 30
    assert second_factor.step_of(key, f" {figures[:3]} {figures[3:]} ", at, 0) == seconds // 30
    assert second_factor.step_of(key, figures[:-1] + str((int(figures[-1]) + 1) % 10), at, 0) is None


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_off_by_a_step(person: User, steps: int, good: bool) -> None:
    turned_on(person)
    later = AT + timedelta(minutes=5)
    if good:
        show(person, code(later, steps), later)
    else:
        with pytest.raises(WrongFactorCode):
            show(person, code(later, steps), later)


def test_a_code_is_good_once_and_none_before_it_any_more(person: User) -> None:
    turned_on(person)
    with pytest.raises(WrongFactorCode):
        show(person, code(AT), AT)  # the one that turned it on
    later = AT + timedelta(minutes=5)
    show(person, code(later), later)
    for steps in (0, -1):
        with pytest.raises(WrongFactorCode):
            show(person, code(later, steps), later + timedelta(seconds=5))
    show(person, code(later, 1), later)


def test_of_two_at_once_with_one_code_one_comes_in(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    turned_on(person)
    later = AT + timedelta(minutes=5)
    real = second_factor.step_of
    seen: list[int] = []

    def another_is_faster(key: str, typed: str, at: datetime, after: int) -> int | None:
        if not seen:
            seen.append(after)
            show(person, typed, at)
        return real(key, typed, at, after)

    monkeypatch.setattr(second_factor, "step_of", another_is_faster)
    with pytest.raises(WrongFactorCode):
        show(person, code(later), later)


def test_a_recovery_code_works_once_however_it_is_typed(person: User) -> None:
    codes = turned_on(person)
    assert (len(codes), len(set(codes))) == (10, 10)
    assert all(len(one.replace("-", "")) == 24 for one in codes), "120 random bits"
    show(person, codes[0].lower().replace("-", " "), AT)
    with pytest.raises(WrongFactorCode):
        show(person, codes[0], AT)
    assert second_factor.recovery_left(person) == 9
    other = User.objects.create_user("bo", password=PASSWORD)
    turned_on(other)
    with pytest.raises(WrongFactorCode):
        show(other, codes[1], AT)
    new = second_factor.renew_recovery(person=person, code=codes[1], at=AT, address=HERE)
    with pytest.raises(WrongFactorCode):
        show(person, codes[2], AT)
    show(person, new[0], AT)
    assert kinds(person).count("recovery_used") == 3


def test_who_has_the_database_has_no_factor(person: User) -> None:
    codes = turned_on(person)
    kept = "\n".join(str(row) for model in apps.get_models() for row in model._default_manager.values_list())
    assert person.factor_key in kept
    assert KEY not in kept
    for one in codes:
        assert one not in kept
        assert one.replace("-", "") not in kept
    secret = settings.SECRET_KEY
    with override_settings(SECRET_KEY="another secret of thirty-two signs or more"):
        later = AT + timedelta(minutes=5)
        with pytest.raises(WrongFactorCode):
            show(person, code(later), later)
        with override_settings(SECRET_KEY_FALLBACKS=[secret]):
            show(person, code(later), later)
        show(person, codes[0], AT)  # what was written down still lets in


def test_wrong_codes_are_counted_and_told(person: User) -> None:
    turned_on(person)
    assert FACTOR.here is not None
    for _ in range(FACTOR.here.most):
        with pytest.raises(WrongFactorCode):
            show(person, "000000", AT)
    with pytest.raises(TooManyTries):
        show(person, code(AT, 1), AT)
    assert kinds(person).count("wrong_code") == FACTOR.here.most
    # neither another address nor a browser that was let in before pays for it
    show(person, code(AT, 1), AT, address="192.0.2.8")
    later = AT + timedelta(minutes=5)
    show(person, code(later), later, known=True)


def test_nothing_typed_is_no_try(person: User) -> None:
    turned_on(person)
    for _ in range(20):
        with pytest.raises(FactorCodeNeeded):
            show(person, " ", AT)
    show(person, code(AT, 1), AT)


def test_turning_it_on_needs_the_password_and_the_device(person: User) -> None:
    by = {"person": person, "at": AT, "address": HERE, "key": KEY}
    with pytest.raises(WrongPresentPassword):
        second_factor.turn_on(password="guess", code=code(AT), **by)  # type: ignore[arg-type]
    with pytest.raises(WrongFactorCode):
        second_factor.turn_on(password=PASSWORD, code="000000", **by)  # type: ignore[arg-type]
    assert not second_factor.is_on(User.objects.get())
    AuthToken.objects.create(user=person)
    same = User.objects.get()
    turned_on(person)
    assert not AuthToken.objects.exists(), "a token from before has not shown the factor"
    with pytest.raises(Refusal, match="factor_is_on"):
        turned_on(same)


def test_turning_it_off_needs_the_password_and_a_code(person: User) -> None:
    codes = turned_on(person)
    by = {"person": person, "at": AT, "address": HERE}
    with pytest.raises(WrongPresentPassword):
        second_factor.turn_off(password="guess", code=codes[0], **by)  # type: ignore[arg-type]
    with pytest.raises(WrongFactorCode):
        second_factor.turn_off(password=PASSWORD, code="000000", **by)  # type: ignore[arg-type]
    assert second_factor.is_on(User.objects.get())
    AuthToken.objects.create(user=person)
    second_factor.turn_off(password=PASSWORD, code=codes[0], **by)  # type: ignore[arg-type]
    fresh = User.objects.get()
    assert (fresh.factor_since, fresh.factor_key, fresh.factor_step) == (None, "", 0)
    assert not RecoveryCode.objects.exists()
    assert not AuthToken.objects.exists()
    assert kinds(person) == ["factor_on", "wrong_code", "recovery_used", "factor_off"]


def test_nobody_without_a_factor_passes_by_showing_one(person: User) -> None:
    with pytest.raises(WrongFactorCode):
        show(person, code(AT), AT)
    turned_on(person)
    User.objects.update(is_active=False)
    with pytest.raises(WrongFactorCode):
        show(person, code(AT, 1), AT)
