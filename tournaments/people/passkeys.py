"""Passkeys (通行密钥, WebAuthn): a device, or a person's key store, signs what this site asks.

They are the second factor without figures to type.

Only public keys are kept, so who has the database has nothing to show. A browser gives a passkey to the host name alone
that it was made for: a copy of our pages under another name gets nothing. What is asked (the challenge) is the
session's, for five minutes and one answer. Nothing here stores it; the front end hands in what it kept.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import webauthn
from django.conf import settings
from django.db import IntegrityError
from django.utils.encoding import force_bytes
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ..acts.change import Add, Move, Remove, Write
from ..acts.errors import UNAUTHENTICATED, Refusal, Stale
from ..acts.guessing import WrongGuess
from ..acts.text import TextProblem, clean_line
from ..models import AccountEventKind, Passkey, User
from .account_events import note, noted, write_own

SITE_NAME: Final = "Referee"
GOOD_FOR: Final = timedelta(minutes=5)
MOST: Final = 20
NAME_LENGTH: Final = 60
#: A browser's answer is some hundred characters; attestations of companies are longer, and are not asked for.
ANSWER_LENGTH: Final = 20_000


class WrongPasskey(WrongGuess):
    """Not a passkey of this account for this host, or not the answer to what was asked."""

    def __init__(self) -> None:
        super().__init__("wrong_passkey", field="code", status=UNAUTHENTICATED)


@dataclass(frozen=True, slots=True)
class Site:
    """Where the browser stands: the host name that a passkey is bound to, and the whole origin."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the browser: its `options` as JSON, and the challenge in them, to be kept."""

    options: str
    challenge: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the browser said (JSON), at which site, and the challenge that was kept; empty where none holds."""

    said: str
    site: Site
    challenge: str


def site_of(host: str, is_secure: bool) -> Site | None:
    """The site behind the host of a request, with its port; None where browsers make no passkeys.

    They bind them to names, never to bare addresses, and have them on https and on this very machine only.
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host
    name = name.lower().rstrip(".")
    if name.startswith("[") or _is_address(name):
        return None
    if not (is_secure or name == "localhost" or name.endswith(".localhost")):
        return None
    return Site(name, f"{'https' if is_secure else 'http'}://{host}")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def passkeys_of(person: User) -> list[Passkey]:
    return list(Passkey.objects.filter(user_id=person.pk))


def usable(person: User, site: Site | None) -> list[Passkey]:
    """The passkeys that a browser at this site could show."""
    return [] if site is None else list(Passkey.objects.filter(user_id=person.pk, rp_id=site.host))


# Asking


def ask_for_new(person: User, site: Site) -> Asked:
    """What a browser needs to make a passkey. It is asked to check who holds the device, where it can."""
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=SITE_NAME,
        user_id=_handle(person),
        user_name=person.username,
        user_display_name=str(person),
        timeout=int(GOOD_FOR.total_seconds() * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=_described(usable(person, site)),
    )
    return Asked(webauthn.options_to_json(options), bytes_to_base64url(options.challenge))


def ask_to_show(person: User, site: Site) -> Asked:
    """What a browser needs to show one of the passkeys that the person has here."""
    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        timeout=int(GOOD_FOR.total_seconds() * 1000),
        allow_credentials=_described(usable(person, site)),
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return Asked(webauthn.options_to_json(options), bytes_to_base64url(options.challenge))


def _described(keys: Sequence[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.credential)) for one in keys]


def _handle(person: User) -> bytes:
    """What a device files the passkey under: it says nobody's name, and no other installation has the same."""
    return hmac.new(force_bytes(settings.SECRET_KEY), f"passkey:{person.pk}".encode(), hashlib.sha256).digest()


# Making and removing


def new_passkey(person: User, name: str, answer: Answer, at: datetime) -> Passkey:
    """The passkey that a browser has made, not stored yet.

    Refused: `passkey_late`, `wrong_passkey`, `passkeys_full`; the name, as texts are.
    """
    try:
        name = clean_line(name, max_length=NAME_LENGTH, required=True)
    except TextProblem as problem:
        raise Refusal(problem.code, field="name", message=dict(problem.message), status=400) from None
    challenge = _challenge(answer)
    if Passkey.objects.filter(user_id=person.pk).count() >= MOST:
        raise Refusal("passkeys_full")
    try:
        made = webauthn.verify_registration_response(
            credential=answer.said,
            expected_challenge=challenge,
            expected_rp_id=answer.site.host,
            expected_origin=answer.site.origin,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise WrongPasskey() from None
    return Passkey(
        user_id=person.pk,
        name=name,
        rp_id=answer.site.host,
        credential=bytes_to_base64url(made.credential_id),
        public_key=bytes_to_base64url(made.credential_public_key),
        sign_count=made.sign_count,
        made_at=at,
    )


def store(passkey: Passkey, *writes: Write, over: tuple[User, ...] = ()) -> None:
    """Write it with what goes along. Refused: `passkey_taken`."""
    try:
        write_own(Add(passkey), *writes, over=over)
    except IntegrityError:
        raise Refusal("passkey_taken") from None


def add(*, person: User, name: str, answer: Answer, at: datetime, browser: str = "") -> None:
    """One more passkey, of somebody whose second factor is on. Refused: what `new_passkey` and `store` refuse."""
    made = new_passkey(person, name, answer, at)
    store(made, *noted(person.pk, AccountEventKind.PASSKEY_ADDED, at, browser))


def remove(*, person: User, passkey: int, at: datetime, browser: str = "") -> None:
    """It lets nobody in any more. Gone already: nothing. Refused: `last_passkey`, where no app shows codes either."""
    row = Passkey.objects.filter(user_id=person.pk, pk=passkey).first()
    if row is None:
        return
    if not person.factor_key and not Passkey.objects.filter(user_id=person.pk).exclude(pk=passkey).exists():
        raise Refusal("last_passkey")
    write_own(Remove(row), *noted(person.pk, AccountEventKind.PASSKEY_REMOVED, at, browser))


# Showing


def use(person: int, answer: Answer, at: datetime, browser: str) -> None:
    """The person shows a passkey. Refused: `passkey_late`, `WrongPasskey`, `passkey_copied`.

    A counter that does not go up means that two devices have the key: it is refused, and told to the person.
    """
    challenge, shown = _challenge(answer), _shown(person, answer)
    try:
        found = webauthn.verify_authentication_response(
            credential=answer.said,
            expected_challenge=challenge,
            expected_rp_id=answer.site.host,
            expected_origin=answer.site.origin,
            credential_public_key=base64url_to_bytes(shown.public_key),
            credential_current_sign_count=0,  # judged below, for it is another refusal
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise WrongPasskey() from None
    if (found.new_sign_count or shown.sign_count) and found.new_sign_count <= shown.sign_count:
        note(person, AccountEventKind.PASSKEY_COPIED, at, browser)
        raise Refusal("passkey_copied", field="code", status=UNAUTHENTICATED)
    used = {"sign_count": found.new_sign_count, "used_at": at}
    try:
        write_own(Move(shown, used, {"sign_count": shown.sign_count, "used_at": shown.used_at}))
    except Stale:
        raise WrongPasskey() from None


def _shown(person: int, answer: Answer) -> Passkey:
    """The passkey that an answer names: one of the person, made for this host."""
    try:
        named = bytes_to_base64url(parse_authentication_credential_json(answer.said).raw_id)
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise WrongPasskey() from None
    found = Passkey.objects.filter(user_id=person, rp_id=answer.site.host, credential=named).first()
    if found is None:
        raise WrongPasskey()
    return found


def _challenge(answer: Answer) -> bytes:
    if not answer.challenge:
        raise Refusal("passkey_late", field="code", status=UNAUTHENTICATED)
    if len(answer.said) > ANSWER_LENGTH:
        raise WrongPasskey()
    return base64url_to_bytes(answer.challenge)
