"""The key of an installation that signs the log of its events (Ed25519), kept outside the database.

It is made from `SECRET_KEY`, so that nothing else has to be kept: what holds that key can sign, what holds the database
alone cannot. What was signed by a key before it is believed where that key is one of `SECRET_KEY_FALLBACKS`, or was
written down beside the heads (`HEADS`) while it was in use.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

_PURPOSE: Final = b"referee log key 1\n"
#: Hexadecimal figures of a key.
_FIGURES: Final = 64


def sign(text: str) -> str:
    """The signature of a text's UTF-8 bytes, 128 hexadecimal figures."""
    return _private(_secret()).sign(text.encode()).hex()


def public_key() -> str:
    """The key by which signatures are checked, 64 hexadecimal figures."""
    return _private(_secret()).public_key().public_bytes_raw().hex()


def key_of(own: str) -> str:
    """The public key of an installation that signs by a secret of its own (`LOG_KEY`)."""
    return _public(own).public_bytes_raw().hex()


def _secret() -> str:
    """Who follows another laptop has that one's `SECRET_KEY`, for its cards and codes, and signs by its own."""
    return str(settings.LOG_KEY or settings.SECRET_KEY)


def fingerprint() -> str:
    """Today's key as people compare it: the first sixteen figures of its SHA-256, in groups of four."""
    figures = hashlib.sha256(bytes.fromhex(public_key())).hexdigest()
    return " ".join(figures[place : place + 4] for place in range(0, 16, 4))


def believed() -> tuple[Ed25519PublicKey, ...]:
    """The keys by which this installation has signed: that of today first."""
    secrets = (_secret(), settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    known = {key.public_bytes_raw(): key for key in map(_public, secrets)}
    for line in _written_down():
        known.setdefault(line, Ed25519PublicKey.from_public_bytes(line))
    return tuple(known.values())


def public_keys() -> list[str]:
    """The keys by which this installation has signed, as hexadecimal figures."""
    return [key.public_bytes_raw().hex() for key in believed()]


def is_signed(text: str, signature: str, keys: Iterable[Ed25519PublicKey]) -> bool:
    """Whether a text was signed by one of these keys."""
    try:
        given = bytes.fromhex(signature)
    except ValueError:
        return False
    return any(_believes(key, text, given) for key in keys)


def write_down(keys: Iterable[str] = ()) -> None:
    """Keep today's key, and these of another installation, beside the heads, so that they are believed from now on."""
    known = {key.hex() for key in _written_down()}
    new = [key for key in (public_key(), *keys) if key not in known]
    if new:
        _file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _file().open("a", encoding="ascii") as file:
            file.writelines(f"{key}\n" for key in dict.fromkeys(new))
            file.flush()
            os.fsync(file.fileno())


def _written_down() -> list[bytes]:
    try:
        return [bytes.fromhex(line) for line in _file().read_text("ascii").split() if len(line) == _FIGURES]
    except FileNotFoundError:
        return []


def _file() -> Path:
    return Path(settings.HEADS, "keys")


def _believes(key: Ed25519PublicKey, text: str, signature: bytes) -> bool:
    try:
        key.verify(signature, text.encode())
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=8)
def _private(secret: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(_PURPOSE + secret.encode()).digest())


@lru_cache(maxsize=8)
def _public(secret: str) -> Ed25519PublicKey:
    return _private(secret).public_key()
