"""Codes and PINs of sides and entrants, derived from the server's secret: what carries them can be printed again."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

from ..models import EntrantCode, PartyCode

CODE_LENGTH = 10
PIN_LENGTH = 4
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1"})


def party_code_text(code: PartyCode) -> str:
    """The ten characters printed on the card."""
    return _signs(_derive("party-code", f"{code.table_id}:{code.side}:{code.generation}"))


def entrant_code_text(code: EntrantCode) -> str:
    """The ten characters with which an entrant checks in on its own phone."""
    return _signs(_derive("entrant-code", f"{code.entrant_id}:{code.generation}"))


def grouped(text: str) -> str:
    """A code as people read it: 7N4Q8-XK2M1."""
    return f"{text[:5]}-{text[5:]}"


def pin_text(code: PartyCode) -> str:
    """The four figures with which this side confirms on a shared phone."""
    value = int.from_bytes(_derive("pin", f"{code.table_id}:{code.side}:{code.generation}"), "big")
    return f"{value % 10**PIN_LENGTH:0{PIN_LENGTH}d}"


def pin_is(code: PartyCode, text: str) -> bool:
    """Whether `text` is the PIN of this side, compared in constant time."""
    return hmac.compare_digest(pin_text(code).encode(), text.strip().encode())


def read_code(text: str) -> str:
    """A code as typed, made canonical: any case, spaces and hyphens allowed, O is 0, I and L are 1."""
    return "".join(text.upper().split()).replace("-", "").translate(_READ_AS)


def _signs(secret: bytes) -> str:
    value = int.from_bytes(secret, "big")
    return "".join(ALPHABET[(value >> (5 * place)) % 32] for place in range(CODE_LENGTH))


def _derive(use: str, holder: str) -> bytes:
    return hmac.new(settings.SECRET_KEY.encode(), f"{use}:{holder}".encode(), hashlib.sha256).digest()
