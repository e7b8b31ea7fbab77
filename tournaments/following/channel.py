"""The channel between two laptops in a hall: agreed on with a code that people carry, encrypted from then on.

X25519 gives both sides a secret that nobody who listens has; the typed code goes into the keys made of it (HKDF), so
nobody who stands between the two, without the code, has them either. The code has eighty bits: it cannot be tried out.
Frames are ChaCha20-Poly1305 with a random nonce, a key for each direction, bound to the request they answer.
"""

from __future__ import annotations

import json
import os
import secrets
import zlib
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

#: Figures and letters that nobody takes for one another.
SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH: Final = 16
_NONCE: Final = 12
_KEY: Final = 32
_PURPOSE: Final = b"referee follower 1 "


class NotOurs(Exception):
    """A frame that the other side of this channel did not make."""


def new_code() -> str:
    """A code to be typed once: ``ABCD-EFGH-JKLM-NPQR``."""
    return spaced("".join(secrets.choice(SIGNS) for _ in range(LENGTH)))


def spaced(signs: str) -> str:
    """A code as people read it."""
    return "-".join(signs[place : place + 4] for place in range(0, LENGTH, 4))


def plain(code: str) -> str:
    """A code as it was meant: without the strokes, in capitals; empty where it is none."""
    signs = "".join(sign for sign in code.upper() if sign.isalnum())
    return signs if len(signs) == LENGTH and set(signs) <= set(SIGNS) else ""


def in_json(said: Any) -> bytes:
    """As JSON, with times to the microsecond: what is signed says them so."""
    return json.dumps(said, default=_time, separators=(",", ":"), sort_keys=True).encode()


def _time(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(type(value).__name__)


@dataclass(frozen=True, slots=True)
class Side:
    """Half of an agreement: a key used once."""

    private: X25519PrivateKey

    @classmethod
    def new(cls) -> Self:
        return cls(X25519PrivateKey.generate())

    @property
    def public(self) -> str:
        return self.private.public_key().public_bytes_raw().hex()

    def agree(self, other: str, code: str, *, writes: bool) -> Channel:
        """The channel with the side of this public key. `writes`: this side is the one whose event is followed.

        Raises NotOurs for what is no key.
        """
        try:
            shared = self.private.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(other)))
        except ValueError:
            raise NotOurs() from None
        both = (self.public, other) if writes else (other, self.public)
        salt = "".join(both).encode()

        def key(direction: bytes) -> bytes:
            made = HKDF(algorithm=SHA256(), length=_KEY, salt=salt, info=_PURPOSE + direction)
            return made.derive(shared + plain(code).encode())

        down, up = key(b"down"), key(b"up")
        return Channel(down, up) if writes else Channel(up, down)


@dataclass(frozen=True, slots=True)
class Channel:
    """The keys of one side."""

    sends: bytes
    reads: bytes

    @classmethod
    def of(cls, kept: dict[str, str]) -> Self:
        return cls(bytes.fromhex(kept["sends"]), bytes.fromhex(kept["reads"]))

    @property
    def kept(self) -> dict[str, str]:
        return {"sends": self.sends.hex(), "reads": self.reads.hex()}

    def close(self, data: bytes, about: str) -> bytes:
        """Bytes as they go over the network; `about` is what they belong to, and has to be known to read them."""
        nonce = os.urandom(_NONCE)
        return nonce + ChaCha20Poly1305(self.sends).encrypt(nonce, zlib.compress(data, 3), about.encode())

    def open(self, frame: bytes, about: str) -> bytes:
        """What stands in a frame of the other side. Raises NotOurs."""
        try:
            packed = ChaCha20Poly1305(self.reads).decrypt(frame[:_NONCE], frame[_NONCE:], about.encode())
        except (InvalidTag, ValueError):
            raise NotOurs() from None
        return zlib.decompress(packed)

    def close_json(self, said: Any, about: str) -> bytes:
        return self.close(in_json(said), about)

    def open_json(self, frame: bytes, about: str) -> Any:
        return json.loads(self.open(frame, about))
