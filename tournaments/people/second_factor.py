"""The second factor of an account: six figures that a person's own device works out of a key and the time (TOTP), or a
passkey (`passkeys`), or both.

The key is kept encrypted with a key derived from the server's secret: who has only the database has no factor. A code
holds for its step of 30 seconds, the one before and the one after (a phone's clock may be off), and each step is good
once. Ten recovery codes of 120 random bits stand in for a lost device, each once; of them only digests are kept,
which do not depend on the server's secret and which nobody turns back into codes (early ones have 80 bits).

Turning it on and off ends every session and token of the person but the one that did it, as another password does: so
whoever is signed in to an account with a factor has shown it.
"""

from __future__ import annotations

import hmac
import re
import secrets
from datetime import datetime
from typing import Any, Final

import pyotp

from ..acts import sealing
from ..acts.change import AddAll, Move, RemoveAll, Write
from ..acts.errors import UNAUTHENTICATED, Refusal, Stale
from ..acts.guessing import FACTOR, PASSWORD, TooManyTries, WrongGuess, one_try
from ..acts.text import text_digest
from ..ledger.codes import ALPHABET, read_code
from ..models import AccountEventKind, Passkey, RecoveryCode, User
from . import passkeys
from .account_events import note, noted, write_own
from .accounts import WrongPresentPassword

ISSUER: Final = "Referee"
STEP_SECONDS: Final = 30
#: Steps before and after the present one whose codes are good too.
DRIFT: Final = 1
RECOVERY_CODES: Final = 10
RECOVERY_LENGTH: Final = 24
_GROUP: Final = 4
_PURPOSE: Final = "second-factor"


class WrongFactorCode(WrongGuess):
    """No code of this time, or one that was used before."""

    def __init__(self) -> None:
        super().__init__("wrong_factor_code", field="code", status=UNAUTHENTICATED)


class FactorCodeNeeded(Refusal):
    """The password is right, and the account asks for a code too."""

    def __init__(self) -> None:
        super().__init__("factor_code_needed", field="code", status=UNAUTHENTICATED)


# Keys and codes


def new_key() -> str:
    """A key of 160 random bits, as devices take it."""
    return pyotp.random_base32()


def key_address(person: User, key: str) -> str:
    """What the QR code says: the key with the names that a device shows beside it."""
    return pyotp.TOTP(key, interval=STEP_SECONDS).provisioning_uri(name=person.username, issuer_name=ISSUER)


def sealed(key: str) -> str:
    """The key as it may be stored."""
    return sealing.sealed(key, _PURPOSE)


def opened(stored: str) -> str | None:
    """A stored key; None where the server's secret is another one by now, or nothing is stored."""
    return sealing.opened(stored, _PURPOSE)


def step_of(key: str, code: str, at: datetime, after: int) -> int | None:
    """The step of time that this is the code of, later than `after`; None of a wrong code."""
    typed, totp = "".join(code.split()), pyotp.TOTP(key, interval=STEP_SECONDS)
    now = int(at.timestamp()) // STEP_SECONDS
    good = [step for step in range(now - DRIFT, now + DRIFT + 1) if step > after and _same(totp, step, typed)]
    return good[-1] if good else None


def _same(totp: pyotp.TOTP, step: int, typed: str) -> bool:
    return hmac.compare_digest(totp.generate_otp(step).encode(), typed.encode())


def new_recovery_codes() -> list[str]:
    """Ten codes as they are shown: K7P2-…, six groups of four."""
    texts = ("".join(secrets.choice(ALPHABET) for _ in range(RECOVERY_LENGTH)) for _ in range(RECOVERY_CODES))
    return ["-".join(one[at : at + _GROUP] for at in range(0, RECOVERY_LENGTH, _GROUP)) for one in texts]


def _recovery_rows(person: User, codes: list[str]) -> tuple[Write, ...]:
    rows = [RecoveryCode(user_id=person.pk, digest=text_digest(read_code(one))) for one in codes]
    return RemoveAll(RecoveryCode, {"user_id": person.pk}), AddAll(rows)


# Showing it


def is_on(person: User) -> bool:
    return person.factor_since is not None


def recovery_left(person: User) -> int:
    """How many recovery codes are not used yet."""
    return RecoveryCode.objects.filter(user_id=person.pk, used_at=None).count()


def show(
    *,
    person: User,
    code: str,
    at: datetime,
    address: str,
    passkey: passkeys.Answer | None = None,
    browser: str = "",
    known: bool = False,
) -> None:
    """The person shows the second factor: a passkey; else a code of the device or a recovery code, used up by it.

    `browser`: what it says of itself; `known`: the person signed in on it before, or is signed in. Refused:
    `FactorCodeNeeded` where nothing was typed, `WrongFactorCode`, `TooManyTries`; what `passkeys.use` refuses.
    """
    if passkey is None and not code.strip():
        raise FactorCodeNeeded()
    try:
        with one_try(FACTOR, address=address, account=person.username, browser=f"user:{person.pk}" if known else ""):
            if passkey is not None:
                passkeys.use(person.pk, passkey, at, browser)
            else:
                _use(person.pk, code, at, browser)
    except (WrongFactorCode, passkeys.WrongPasskey):
        note(person.pk, AccountEventKind.WRONG_CODE, at, browser)
        raise


def prove(
    *, person: User, typed: str, at: datetime, address: str, browser: str, passkey: passkeys.Answer | None = None
) -> None:
    """Who is signed in shows once more that it is they: by a passkey, the password, or the six figures of their device.

    Refused: `wrong_password`, `wrong_factor_code`, what `passkeys.use` refuses (all of the field ``proof``);
    `TooManyTries`.
    """
    if is_on(person) and (passkey is not None or re.fullmatch(r"\s*\d{3}\s?\d{3}\s*", typed)):
        try:
            show(person=person, code=typed, passkey=passkey, at=at, address=address, browser=browser, known=True)
        except Refusal as refusal:
            if not isinstance(refusal, TooManyTries):
                refusal.field = "proof"
            raise
        return
    try:
        _refuse_unless_password(person, typed, address, "proof")
    except WrongPresentPassword:
        note(person.pk, AccountEventKind.WRONG_PASSWORD, at, browser)
        raise


def _use(person: int, code: str, at: datetime, browser: str) -> None:
    """Use the code up, or `WrongFactorCode`: of two that come at once with one code the second finds it used."""
    try:
        write_own(*_used(person, code, at, browser))
    except Stale:
        raise WrongFactorCode() from None


def _used(person: int, code: str, at: datetime, browser: str) -> tuple[Write, ...]:
    user = User.objects.filter(pk=person, is_active=True).exclude(factor_since=None).first()
    if user is None:
        raise WrongFactorCode()
    key = opened(user.factor_key)
    step = None if key is None else step_of(key, code, at, user.factor_step)
    if step is not None:
        return (Move(user, {"factor_step": step}, {"factor_step": user.factor_step, "factor_key": user.factor_key}),)
    digest = text_digest(read_code(code))
    recovery = RecoveryCode.objects.filter(user=user, digest=digest, used_at=None).first()
    if recovery is None:
        raise WrongFactorCode()
    used = Move(recovery, {"used_at": at}, {"used_at": None})
    return used, *noted(person, AccountEventKind.RECOVERY_USED, at, browser)


# Turning it on and off


def turn_on(
    *, person: User, password: str, key: str, code: str, at: datetime, address: str, browser: str = ""
) -> list[str]:
    """Ask for a second factor from now on; the recovery codes, to be shown once.

    `code` shows that the device has the `key`. Refused: `wrong_password`, `wrong_factor_code`, `TooManyTries`;
    `factor_is_on`.
    """
    _refuse_unless_password(person, password, address)
    step = step_of(key, code, at, 0)
    if step is None:
        raise WrongFactorCode()
    on, codes = {"factor_since": at, "factor_key": sealed(key), "factor_step": step}, new_recovery_codes()
    try:
        write_own(*_on(person, on, codes, at, browser), over=(person,))
    except Stale:
        raise Refusal("factor_is_on") from None
    return codes


def turn_on_by_passkey(
    *, person: User, name: str, passkey: passkeys.Answer, at: datetime, browser: str = ""
) -> list[str]:
    """Ask for a second factor from now on, which this passkey is; the recovery codes, to be shown once. That it is the
    person was proved before. Refused: what `passkeys.add` refuses; `factor_is_on`."""
    made, codes = passkeys.new_passkey(person, name, passkey, at), new_recovery_codes()
    on = {"factor_since": at, "factor_key": "", "factor_step": 0}
    try:
        passkeys.store(made, *_on(person, on, codes, at, browser), over=(person,))
    except Stale:
        raise Refusal("factor_is_on") from None
    return codes


def _on(person: User, columns: dict[str, Any], codes: list[str], at: datetime, browser: str) -> tuple[Write, ...]:
    return (
        Move(person, columns, {"factor_since": None}),
        *_recovery_rows(person, codes),
        *_ways_ended(person),
        *noted(person.pk, AccountEventKind.FACTOR_ON, at, browser),
    )


def turn_off(
    *,
    person: User,
    password: str,
    code: str,
    at: datetime,
    address: str,
    passkey: passkeys.Answer | None = None,
    browser: str = "",
) -> None:
    """Ask for the password alone again; passkeys go too. Refused: `wrong_password`, and what `show` refuses."""
    _refuse_unless_password(person, password, address)
    show(person=person, code=code, passkey=passkey, at=at, address=address, browser=browser, known=True)
    write_own(*_off(person), *noted(person.pk, AccountEventKind.FACTOR_OFF, at, browser), over=(person,))


def forget(*, person: User, at: datetime) -> None:
    """Turned off by whoever runs this installation, for somebody who lost device and recovery codes."""
    write_own(*_off(person), *noted(person.pk, AccountEventKind.FACTOR_OFF, at, ""), over=(person,))


def renew_recovery(
    *, person: User, code: str, at: datetime, address: str, passkey: passkeys.Answer | None = None, browser: str = ""
) -> list[str]:
    """Ten new recovery codes, to be shown once; the others end. Refused: what `show` refuses."""
    show(person=person, code=code, passkey=passkey, at=at, address=address, browser=browser, known=True)
    codes = new_recovery_codes()
    write_own(*_recovery_rows(person, codes), *noted(person.pk, AccountEventKind.RECOVERY_MADE, at, browser))
    return codes


def _off(person: User) -> tuple[Write, ...]:
    off = {"factor_since": None, "factor_key": "", "factor_step": 0}
    gone = (RemoveAll(rows, {"user_id": person.pk}) for rows in (RecoveryCode, Passkey))
    return Move(person, off), *gone, *_ways_ended(person)


def _ways_ended(person: User) -> tuple[Write, ...]:
    return tuple(RemoveAll(rows, where) for rows, where in person.ways_in())


def _refuse_unless_password(person: User, password: str, address: str, field: str = "password") -> None:
    with one_try(PASSWORD, address=address, account=person.username, browser=f"user:{person.pk}"):
        if not person.check_password(password):
            raise WrongPresentPassword(field)
