"""A device with passkeys, in Python: it makes them and signs with them as a browser would send it (ES256, no
attestation)."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

#: Of the flags of what a device signs: somebody touched it, it looked who, a new key stands in it.
TOUCHED, LOOKED, NEW = 0x01, 0x04, 0x40


def b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Device:
    """One passkey. `count`: how often it signed, None of a device that does not count."""

    host: str = "localhost"
    origin: str = "http://localhost"
    count: int | None = 0
    flags: int = TOUCHED | LOOKED
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: str | dict[str, Any]) -> str:
        """The answer to a request for a new one."""
        said = self._client("webauthn.create", options)
        public = self.private.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        made = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cbor2.dumps(cose)
        attested = {"fmt": "none", "attStmt": {}, "authData": self._data(self.flags | NEW) + made}
        return self._answer({"clientDataJSON": b64(said), "attestationObject": b64(cbor2.dumps(attested))})

    def show(self, options: str | dict[str, Any]) -> str:
        """The answer to a request to show one; it counts."""
        if self.count is not None:
            self.count += 1
        said, data = self._client("webauthn.get", options), self._data(self.flags)
        signature = self.private.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer({"clientDataJSON": b64(said), "authenticatorData": b64(data), "signature": b64(signature)})

    def _client(self, kind: str, options: str | dict[str, Any]) -> bytes:
        asked = json.loads(options) if isinstance(options, str) else options
        return json.dumps({"type": kind, "challenge": asked["challenge"], "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + (self.count or 0).to_bytes(4, "big")

    def _answer(self, response: dict[str, str]) -> str:
        named = b64(self.credential)
        return json.dumps(
            {"id": named, "rawId": named, "type": "public-key", "clientExtensionResults": {}, "response": response}
        )
