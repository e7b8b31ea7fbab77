"""A message sealed for one browser (RFC 8291: aes128gcm of RFC 8188), and our signed pass to its service (RFC 8292).

The key of the pass (VAPID) is made from `SECRET_KEY`, as that of the log is: nothing else has to be kept, and a laptop
that takes over has the same. Why no library does it stands in docs/decisions.md.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_PURPOSE: Final = b"referee push key 1\n"
#: The order of the group of P-256 (FIPS 186-4, D.1.2.3).
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_CURVE: Final = ec.SECP256R1()
#: A point of P-256, uncompressed; the browser's secret; both in bytes.
POINT, SECRET = 65, 16
#: One record holds every message that is ever sent.
_RECORD: Final = 4096
#: All messages are as long, so that their length tells nobody which one it is.
_LENGTH: Final = 512
#: A pass holds for so many seconds; the standard allows a day.
_PASS_SECONDS: Final = 12 * 3600


class NoKey(ValueError):
    """What a browser gave is no key."""


def sealed(
    text: bytes, public_key: str, secret: str, *, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """A text as only the browser with these keys can read it. `own` and `salt`, used once, are drawn but in tests.

    Raises NoKey.
    """
    theirs, shared_secret = point_of(public_key), secret_of(secret)
    own, salt = own or ec.generate_private_key(_CURVE), salt or os.urandom(16)
    from_us, from_them = _point(own.public_key()), _point(theirs)
    shared = own.exchange(ec.ECDH(), theirs)
    material = _derived(shared, shared_secret, b"WebPush: info\0" + from_them + from_us, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    record = AESGCM(key).encrypt(nonce, text + b"\x02", None)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(from_us)]) + from_us
    return head + record


def padded(said: dict[str, str]) -> bytes:
    """What is said as JSON, with blanks to the one length of all messages."""
    return json.dumps(said, ensure_ascii=False).encode().ljust(_LENGTH)


def pass_for(address: str, now: float) -> str:
    """The header by which a service knows who sends; `now` in seconds since 1970."""
    parts = urlsplit(address)
    claims: dict[str, str | int] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + _PASS_SECONDS}
    if settings.PUSH_CONTACT:
        claims["sub"] = settings.PUSH_CONTACT
    signed = ".".join(in_base64(json.dumps(one).encode()) for one in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(_private(settings.SECRET_KEY).sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = in_base64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={own_key()}"


def own_key() -> str:
    """The public key that browsers bind an address to (`applicationServerKey`)."""
    return in_base64(_point(_private(settings.SECRET_KEY).public_key()))


def point_of(text: str) -> ec.EllipticCurvePublicKey:
    """The key of a browser. Raises NoKey."""
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _bytes(text, POINT))
    except ValueError:
        raise NoKey() from None


def secret_of(text: str) -> bytes:
    """The secret of a browser. Raises NoKey."""
    return _bytes(text, SECRET)


def in_base64(data: bytes) -> str:
    """As the standards write it: with the signs of addresses, without the end."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str, length: int) -> bytes:
    try:
        data = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise NoKey() from None
    if len(data) != length:
        raise NoKey()
    return data


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(material)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@lru_cache(maxsize=4)
def _private(secret: str) -> ec.EllipticCurvePrivateKey:
    # twice as many bits as the group has: no number is noticeably likelier than another
    number = int.from_bytes(hashlib.sha512(_PURPOSE + secret.encode()).digest(), "big")
    return ec.derive_private_key(number % (_ORDER - 1) + 1, _CURVE)
