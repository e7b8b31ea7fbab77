"""A push service on loopback (RFC 8030), and browsers whose keys a test holds: it reads what only they can read."""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tournaments.waking.sealing import in_base64

if TYPE_CHECKING:
    from collections.abc import Iterator


def _hmac(key: bytes, data: bytes) -> bytes:
    made = HMAC(key, SHA256())
    made.update(data)
    return made.finalize()


@dataclass(frozen=True)
class Browser:
    """A browser's half: its address at the service and the keys that it made for it."""

    address: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def point(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def asked(self) -> dict[str, str]:
        """What its page sends."""
        return {"address": self.address, "public_key": in_base64(self.point), "secret": in_base64(self.secret)}

    def opened(self, body: bytes) -> bytes:
        """RFC 8291, 3.4, step by step with a bare HMAC: the other way than the product goes."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        key_info = b"WebPush: info\0" + self.point + theirs
        material = _hmac(_hmac(self.secret, shared), key_info + b"\x01")
        pseudo = _hmac(salt, material)
        key = _hmac(pseudo, b"Content-Encoding: aes128gcm\0\x01")[:16]
        nonce = _hmac(pseudo, b"Content-Encoding: nonce\0\x01")[:12]
        text = AESGCM(key).decrypt(nonce, record, None)
        assert text.rstrip(b"\0").endswith(b"\x02"), "the last record says so"
        return text.rstrip(b"\0")[:-1]


@dataclass(frozen=True)
class Got:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """`got`: the messages in their order. `answers`: the status for a path, 201 where nothing is said."""

    url: str
    got: list[Got] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.url}/push/{name}")

    def read(self, browser: Browser) -> list[dict[str, Any]]:
        """What this browser was told."""
        path = browser.address.removeprefix(self.url)
        return [json.loads(browser.opened(one.body)) for one in self.got if one.path == path]


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append(Got(self.path, {name.lower(): text for name, text in self.headers.items()}, body))
            self.send_response(service.answers.get(self.path, 201))
            self.send_header("Location", f"{service.url}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
