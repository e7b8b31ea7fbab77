"""A player has his phone woken, with the entrant's own code, until he ends it or the event's days are over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, RemoveAll, Write, carry_out
from ..acts.errors import BAD_REQUEST, Refusal
from ..acts.text import text_digest
from ..ledger.codes import read_code
from ..models import EntrantCode, WakeAddress
from ..people.attendance import UnknownOwnCode
from .sealing import NoKey, point_of, secret_of
from .services import is_listed

#: The days of an event, as long as the cookie of the own code; what was asked for earlier is forgotten.
TERM: Final = timedelta(days=7)
#: So many phones of one entrant are woken, those that asked last: two pairs of partners and their spare phones.
MOST: Final = 6
LANGUAGES: Final = ("en", "zh-hans")


def ask(*, code_text: str, at: datetime, address: str, public_key: str, secret: str, language: str) -> None:
    """Wake this phone from now on; asked again, and for another entrant, the last one counts.

    Refused: `unknown_code`, `push_off`, `push_service_unlisted` (an address of a service that is not listed),
    `bad_push_keys`.
    """
    if not settings.PUSH_SERVICES:
        raise Refusal("push_off")
    if not is_listed(address):
        raise Refusal("push_service_unlisted", status=BAD_REQUEST, field="address")
    try:
        point_of(public_key), secret_of(secret)
    except NoKey:
        raise Refusal("bad_push_keys", status=BAD_REQUEST, field="public_key") from None

    def decide() -> tuple[Write, ...]:
        code = _code_of(code_text)
        digest = text_digest(address)
        others = WakeAddress.objects.filter(code=code).exclude(digest=digest).order_by("-asked_at", "-pk")
        too_many = list(others.values_list("pk", flat=True)[MOST - 1 :])
        row = WakeAddress(
            code=code,
            address=address,
            digest=digest,
            public_key=public_key.rstrip("="),
            secret=secret.rstrip("="),
            language=language if language in LANGUAGES else LANGUAGES[0],
            asked_at=at,
        )
        gone = RemoveAll(WakeAddress, {"pk__in": too_many})
        return (RemoveAll(WakeAddress, {"digest": digest}), *((gone,) if too_many else ()), Add(row))

    carry_out(lambda: _change(*decide()), _NOBODY, at)


def end(*, code_text: str, at: datetime, address: str) -> None:
    """Wake this phone no more. Refused: `unknown_code`."""
    code = _code_of(code_text)
    mine = RemoveAll(WakeAddress, {"code": code, "digest": text_digest(address)})
    carry_out(lambda: _change(mine), _NOBODY, at)


def gone(ids: list[int], at: datetime) -> None:
    """Their services say that these addresses have ended."""
    carry_out(lambda: _change(RemoveAll(WakeAddress, {"pk__in": ids})), _NOBODY, at)


def forget(*, at: datetime) -> None:
    """Forget the addresses whose days are over."""
    old = {"asked_at__lt": at - TERM}
    if WakeAddress.objects.filter(**old).exists():
        carry_out(lambda: _change(RemoveAll(WakeAddress, old)), _NOBODY, at)


_NOBODY: Final = Actor()


def _change(*writes: Write) -> Change[None]:
    """What a player's phone asks for by itself: no event has to admit it, and none tells of it."""
    return Change(Admitted(_NOBODY, "wake_phone", None), None, writes)


def _code_of(code_text: str) -> EntrantCode:
    code = EntrantCode.objects.filter(digest=text_digest(read_code(code_text)), revoked_at=None).first()
    if code is None:
        raise UnknownOwnCode()
    return code
