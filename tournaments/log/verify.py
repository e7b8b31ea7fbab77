"""Check the log of an event without the product: python3 verify.py LOG.json [RECEIPT.json ...]

Needs Python 3.8 and nothing else. LOG.json is the log of the event as its page gives it: the digest of every act in its
order, and the signed heads. It is checked that each head covers exactly the acts before it and bears the signature of
the key (compare its fingerprint with the one on the cards and papers of the event); of an official's log, which holds
the acts themselves, that each has its digest. Of
each receipt it is said whether its act stands in the log; a file of receipts is what a phone at the table saves. A
promise, as the service answers an entry, does as well as a receipt: its act stood in the log ten seconds later.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any, Iterator, Optional, Sequence, Tuple

Point = Tuple[int, int, int, int]

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


# Ed25519 (RFC 8032, section 5.1): points are x, y, z, t with x = X/Z, y = Y/Z, x*y = T/Z


def add(a: Point, b: Point) -> Point:
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def same(a: Point, b: Point) -> bool:
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def point_of(data: bytes) -> Optional[Point]:
    """The point that 32 bytes stand for; None for none."""
    if len(data) != 32:
        return None
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def base() -> Point:
    """The point that all others come from: y is 4/5."""
    found = point_of(bytes.fromhex("58" + "66" * 31))
    assert found is not None
    return found


BASE = base()


def is_signed(key: bytes, data: bytes, signature: bytes) -> bool:
    """Whether this is the signature of the data by the key, all of them bytes."""
    public, first = point_of(key), point_of(signature[:32])
    number = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or public is None or first is None or number >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + data).digest(), "little") % ORDER
    return same(times(number, BASE), add(first, times(challenge, public)))


# The tree (RFC 9162, section 2.1)


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right)


def roots(leaves: Sequence[bytes]) -> Iterator[bytes]:
    """The root of the tree after each leaf (their digests), in turn."""
    whole: list[bytes] = []
    for count, leaf in enumerate(leaves, start=1):
        whole.append(leaf)
        while count % 2 == 0:
            right = whole.pop()
            whole[-1] = node(whole[-1], right)
            count //= 2
        root = whole[-1]
        for left in reversed(whole[:-1]):
            root = node(left, root)
        yield root


def signed_text(event: int, head: dict[str, Any]) -> bytes:
    """What the signature of a head is of."""
    said = {"format": "referee/head/1", "event": event, **{name: head[name] for name in ("size", "root", "at")}}
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unhex(text: str) -> bytes:
    """The bytes that small hexadecimal figures write, as logs and receipts do; a ValueError for any other spelling."""
    data = bytes.fromhex(text)
    if data.hex() != text:
        raise ValueError(text)
    return data


def problems(log: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a log, as sentences."""
    found = []
    leaves = [unhex(leaf["digest"]) for leaf in log["leaves"]]
    for number, leaf in enumerate(log["leaves"]):
        if leaf["number"] != number:
            found.append(f"act {number}: its number is {leaf['number']}")
        if "body" in leaf and sha256(b"\0" + leaf["body"].encode()).hex() != leaf["digest"]:
            found.append(f"act {number}: it does not have this digest")
    after = dict(enumerate((root.hex() for root in roots(leaves)), start=1))
    keys = [unhex(key) for key in log["keys"]]
    for head in log["heads"]:
        if after.get(head["size"]) != head["root"]:
            found.append(f"head of {head['size']} acts: it does not cover the acts before it")
        data, signature = signed_text(log["event"], head), unhex(head["signature"])
        if not any(is_signed(key, data, signature) for key in keys):
            found.append(f"head of {head['size']} acts: no key of the log signed it")
    if log["leaves"] and (not log["heads"] or max(head["size"] for head in log["heads"]) < len(leaves)):
        found.append("the last acts stand under no head")
    return found


def promise_text(event: int, digest: str, at: str) -> bytes:
    """What the signature of an act is of."""
    said = {"format": "referee/promise/1", "event": event, "digest": digest, "at": at}
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest_of(receipt: dict[str, Any]) -> str:
    """The digest of the act of a receipt; of a promise, as it says."""
    return sha256(b"\0" + receipt["body"].encode()).hex() if "body" in receipt else str(receipt["digest"])


#: The event went on at another laptop before this act came there: whoever has the old disk lists it for the officials.
UNDER_REVIEW = "under review: a laptop that was replaced acknowledged it; ask an official"


def missing(log: dict[str, Any], receipt: dict[str, Any]) -> str:
    """Why the act of a receipt or a promise does not stand in the log; empty when it does."""
    digest, at = digest_of(receipt), json.loads(receipt["body"])["at"] if "body" in receipt else receipt["at"]
    if receipt.get("digest", digest) != digest:
        return "the receipt was changed"
    text, signature = promise_text(log["event"], digest, at), unhex(receipt["signature"])
    signed_by = [key for key in log["keys"] if is_signed(bytes.fromhex(key), text, signature)]
    if not signed_by:
        return "no key of the log signed it"
    if digest in {leaf["digest"] for leaf in log["leaves"]}:
        return ""
    if log.get("terms") and log["terms"][-1]["key"] not in signed_by:
        return UNDER_REVIEW
    return f"it was promised at {at} and does not stand in the log"


#: What reading a file says that is something else, or in which something was changed.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def contents(name: str) -> dict[str, Any]:
    try:
        with open(name, encoding="utf-8") as file:
            said: dict[str, Any] = json.load(file)
    except OSError as error:
        sys.exit(f"{name}: {error.strerror}")
    return said


def main(files: Sequence[str]) -> None:
    if not files:
        sys.exit(__doc__)
    try:
        log = contents(files[0])
        found = problems(log)
        for key in log["keys"]:
            print(f"key {sha256(unhex(key)).hex()[:16]}: compare it with the papers of the event")
        print(f"{len(log['leaves'])} acts under {len(log['heads'])} heads: {'; '.join(found) or 'sound'}")
    except UNREADABLE:
        sys.exit(f"{files[0]}: this is no log of an event, or it was changed")
    for name in files[1:]:
        try:
            said = contents(name)
            for receipt in said.get("receipts", [said.get("promise", said)]):
                why = missing(log, receipt)
                found += [why] if why and why != UNDER_REVIEW else []
                print(f"{name}: {digest_of(receipt)[:16]}: {why or 'its act stands in the log'}")
        except UNREADABLE:
            found.append("unreadable")
            print(f"{name}: this is no receipt, or it was changed")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
