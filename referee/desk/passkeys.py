"""Passkeys at the desk: what the session keeps of a request to the browser, and the answer that a form brings back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from tournaments.people import passkeys

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import User

#: The field of a form with the browser's answer.
FIELD: Final = "passkey"
#: The same of the page that asks who it is: what it sends again may bring an answer of its own.
PROOF_FIELD: Final = "proof_passkey"
#: In the session: the newest challenge, its host and its time; taken out by the first answer.
KEPT: Final = "passkey_asked"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a page offers: whether passkeys can be made at this address, and whether the person can show one here."""

    has_site: bool
    is_known: bool


def site(request: HttpRequest) -> passkeys.Site | None:
    return passkeys.site_of(request.get_host(), request.is_secure())


def offer(request: HttpRequest, user: User) -> Offer:
    here = site(request)
    return Offer(here is not None, bool(passkeys.usable(user, here)))


def keep(request: HttpRequest, asked: passkeys.Asked, here: passkeys.Site) -> None:
    """Remember what was asked; the one before holds no more."""
    request.session[KEPT] = {
        "challenge": asked.challenge,
        "host": here.host,
        "since": timezone.now().isoformat(),
    }


def answer_of(request: HttpRequest, field: str = FIELD) -> passkeys.Answer | None:
    """The answer that this form brings, with what was asked, which holds no more; None where it brings none."""
    said, here = request.POST.get(field, ""), site(request)
    if not said or here is None:
        return None
    kept = request.session.pop(KEPT, None)
    holds = kept is not None and kept["host"] == here.host and _is_fresh(kept["since"])
    return passkeys.Answer(said, here, kept["challenge"] if holds else "")


def _is_fresh(since: str) -> bool:
    return timezone.now() - datetime.fromisoformat(since) <= passkeys.GOOD_FOR
