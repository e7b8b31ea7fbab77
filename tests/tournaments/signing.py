"""Phones that sign result codes, for tests without a browser."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.tournaments.factories import AT
from tournaments.acts.admission import Actor
from tournaments.ledger import result_codes
from tournaments.ledger.result_code_text import AGREED, CLAIMED

FORM = {
    "kind": "hand",
    "trump": "H",
    "captured_in_tricks": "35",
    "last_trick_winner": "dealer",
    "at_level": "2",
}


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value % 128 + 128)
        value //= 128
    return bytes([*found, value])


def words(text: str) -> bytes:
    return number(len(text.encode())) + text.encode()


@dataclass
class Signing:
    """The phone of an actor with a key, which it enrols unless told otherwise."""

    actor: Actor
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    known: bool = True

    def __post_init__(self) -> None:
        if self.known:
            assert self.actor.sitting_id is not None
            result_codes.enrol_key(sitting_id=self.actor.sitting_id, actor=self.actor, at=AT, public_key=self.public)

    @property
    def public(self) -> str:
        return text_of(self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def me(self) -> str:
        assert self.actor.device is not None
        return str(self.actor.device.public_id)

    def _signature(self, use: bytes, data: bytes) -> bytes:
        r, s = decode_dss_signature(self.key.sign(use + data, ec.ECDSA(SHA256())))
        return r.to_bytes(32) + s.to_bytes(32)

    def claims(
        self,
        *,
        hand: int = 1,
        revision: int = 0,
        once: str = "",
        sitting: int = 0,
        form: Mapping[str, str] = FORM,
        **fields: Any,
    ) -> str:
        data = bytes([1]) + number(sitting or self.actor.sitting_id or 0) + number(hand) + number(revision)
        data += uuid.UUID(once or str(uuid.uuid4())).bytes + words(self.me) + words(urlencode({**form, **fields}))
        return text_of(data + self._signature(CLAIMED, data))

    def agrees(self, code: str) -> str:
        data = bytes_of(code) + words(self.me)
        return text_of(data + self._signature(AGREED, data))
