"""A result code: what one phone of a table claims of a hand, signed by it, and countersigned by another one there.

The code goes from phone to phone and to a referee as bytes in a QR code or as text; no network is needed for it. Here
it is read and its signatures are checked; what it does is `result_codes`. The phones write it in `result-code.js`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from ..acts.errors import UNPROCESSABLE, Refusal

#: The first byte: how what follows is written.
VERSION: Final = 1
SIGNATURE: Final = 64
#: What is signed begins with it, so that no signature stands for anything else.
CLAIMED: Final = b"referee result claim 1\n"
AGREED: Final = b"referee result agreed 1\n"
#: Characters of a code as text; the longest hand has half as many.
LONGEST: Final = 2_000
_LARGEST: Final = 2**53


@dataclass(frozen=True, slots=True)
class Code:
    """A code that both phones signed: which hand of which sitting, after which revision of its record, the key under
    which the claiming phone sends the hand once it has a network, and the fields of its form."""

    text: str
    sitting: int
    hand_no: int
    revision: int
    once_key: str
    claimed_by: str
    fields: Mapping[str, str]
    agreed_by: str
    claim: bytes
    claim_signature: bytes
    agreement: bytes
    agreement_signature: bytes

    @property
    def digest(self) -> str:
        """Names what is claimed, whoever agrees to it."""
        return hashlib.sha256(self.claim).hexdigest()


def read_code_text(text: str) -> Code:
    """The code in a text, or in the address that a camera read. Refused: `code_unreadable`, `code_half`."""
    written = "".join(text.split()).rpartition("#")[2]
    try:
        if not 0 < len(written) <= LONGEST:
            raise ValueError(written)
        data = base64.b64decode(written + "=" * (-len(written) % 4), altchars=b"-_", validate=True)
        reader = _Reader(data)
        if reader.take(1) != bytes([VERSION]):
            raise ValueError(data[:1])
        sitting, hand_no, revision = (reader.number() for _ in range(3))
        once_key = str(uuid.UUID(bytes=reader.take(16)))
        claimed_by, fields = reader.words(), reader.words()
        claim = data[: reader.at]
        claim_signature = reader.take(SIGNATURE)
        if reader.at == len(data):
            raise Refusal("code_half", field="code", status=UNPROCESSABLE)
        agreed_by = reader.words()
        agreement = data[: reader.at]
        agreement_signature = reader.take(SIGNATURE)
        if reader.at != len(data):
            raise ValueError(reader.at)
    except (ValueError, binascii.Error):
        raise Refusal("code_unreadable", field="code", status=UNPROCESSABLE) from None
    return Code(
        written, sitting, hand_no, revision, once_key, claimed_by, dict(parse_qsl(fields)), agreed_by,
        claim, claim_signature, agreement, agreement_signature,
    )  # fmt: skip


def key_of(written: str) -> EllipticCurvePublicKey:
    """The public key of a phone as it is kept: a point of P-256, uncompressed. ValueError where it is none."""
    data = base64.b64decode(written + "=" * (-len(written) % 4), altchars=b"-_", validate=True)
    if len(data) != 65:
        raise ValueError(written)
    return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), data)


def signed(key: str, use: bytes, data: bytes, signature: bytes) -> bool:
    """Whether the phone of this key signed the data, for this use."""
    half = SIGNATURE // 2
    numbers = (int.from_bytes(signature[:half]), int.from_bytes(signature[half:]))
    try:
        key_of(key).verify(encode_dss_signature(*numbers), use + data, ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        taken = self.data[self.at : self.at + size]
        if len(taken) < size:
            raise ValueError(size)
        self.at += size
        return taken

    def number(self) -> int:
        """Seven bits a byte, the lowest first; written one way only."""
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            if number >= _LARGEST or (byte == 0 and shift):
                raise ValueError(number)
            if byte < 128:
                return number
            shift += 7

    def words(self) -> str:
        return self.take(self.number()).decode("utf-8")
