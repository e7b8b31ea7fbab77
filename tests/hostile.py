"""Requests that nobody means well with: every address of the matrix with values, encodings and bodies that are no use.

They are drawn from a seed, so the same number makes the same requests again. What is asked of an answer is only that it
is no failure of ours: nothing from 500 up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, quote_from_bytes

from tests.access_matrix import FORM, Row

ROOT = Path(__file__).resolve().parent.parent

#: Texts as bytes: some are no UTF-8 at all.
VALUES: tuple[bytes, ...] = tuple(
    value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    for value in (
        "", " ", "0", "-1", "1", "2", "5", "9" * 5_000, "-" + "9" * 5_000, "2147483648", "9223372036854775808",
        "-9223372036854775809", "1e999", "1.5", "NaN", "Infinity", "0x10", "1_000", "+1", "\u22125", "\u0663", "\u00b2",
        "\u2460", "\uff11\uff12", "\u4e00", "null", "true", "[]", "{}", "[[1]]", '{"a":1}', "None", "a\x00b", "\x00",
        "\ud800", "\udfff\ud800", b"\xff\xfe", b"\xc3(", b"\xed\xa0\x80", "\u202e", "\u200b", "e\u0301" * 90,
        "x" * 20_000, "\u5b57" * 9_000, "../../../etc/passwd", "' OR 1=1 --", "<script>", "{{7*7}}", "%s%n%d",
        "\r\nA: b", "2026-02-30", "0000-00-00", "9999-12-31T23:59:59Z", "2026-05-01T09:00:00+99:99", "24:61",
        "NS", "EW", "N", "H", "hand_no", "1.1", "1.2.3", "a.b", "a:b", "up:", "up:wins", "down:nothing", "tractor-9-9",
        "tractor-999999999999-2", "tractor-2-", "H9H9 S10", "HJ" * 500, "=1+1", "ok", "en", "zh-hans", "Asia/Shanghai",
        "../../Shanghai", "scn2-2013", "F1", "file", "hand", "2-" + "9" * 4_400, "1," * 3_000, "\u3000", "\ufeff",
        "http://[", "//evil.example", "javascript:alert(1)", "MQ", "====", "LTE", "AAAA" * 2_000,
    )
)  # fmt: skip

CHARSETS = (
    "utf-7", "utf-16", "utf-32", "idna", "punycode", "rot13", "base64", "zlib", "hex", "undefined", "unicode_escape",
    "raw_unicode_escape", "gb18030", "big5", "latin-1", "cp037", "uu", "x" * 2_000, "", "''", "utf-8;charset=utf-7",
    "\x7f", "\u4e00", "utf_8_sig", "bz2", "palmos", "mbcs", "utf-8", "ascii",
)  # fmt: skip

KINDS = (
    FORM, "multipart/form-data", "multipart/form-data; boundary=part", "multipart/form-data; boundary=" + "b" * 300,
    "multipart/form-data; boundary=\u4e00", "application/json", "text/csv", "text/plain", "application/xml", "", "/",
    ";;;", "a/b; c", "application/octet-stream",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)  # fmt: skip

JSONS: tuple[bytes, ...] = (
    b"[" * 100_000, b'{"a":' * 50_000, b"[" * 30 + b"]" * 30, b"9" * 5_000, b"-" + b"9" * 100_000, b"1e400", b"1e-400",
    b'{"a":1,"a":2}', b'"\\ud800"', b'"\\u0000"', b"\xff\xfe", b"", b" ", b"null", b"true", b"0", b"[]", b"{}", b'""',
    b"nul", b"{", b'{"', b"\xef\xbb\xbf{}", b"NaN", b"Infinity", b'[{"op":"rank"}]', b'[{"op":9}]', b"[null]", b"[[]]",
)  # fmt: skip

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 5, 10**9, 2**31, 2**63, 10**400, 1.5, -0.0, 1e308, "", "x", "\x00", "\ud800",
    "9" * 5_000, "\u00b2", [], [[]], [1, "a", None], {}, {"": ""}, {"a": {"b": {}}}, [{}] * 50, "H9H9", ["NS"], "NS",
    {"type": "tractor"}, {"type": "tractor", "width": 10**30, "length": 2}, [{"type": []}], "N",
    [None] * 300, {"en": 1},
)  # fmt: skip

HEADERS: tuple[dict[str, str], ...] = (
    {}, {}, {}, {},
    {"If-Match": '"' + "9" * 5_000 + '"'}, {"If-Match": '"9999999999"'}, {"If-Match": "*"}, {"If-Match": "\u00b2"},
    {"Idempotency-Key": "k" * 5_000}, {"Idempotency-Key": "\u4e00\u202e"}, {"If-None-Match": '"' * 900},
    {"Accept": "application/json"}, {"Accept": "a/" * 900}, {"Accept-Language": "zh-" * 900},
    {"Authorization": "Bearer " + "a" * 5_000}, {"Authorization": "Device \u4e00:\u4e00"},
    {"Authorization": "Device :"}, {"X-Requested-With": "fetch"}, {"Cookie": "sessionid=%00; place_d1=" + "a" * 4_000},
    {"If-Modified-Since": "Mon, 99 Foo 99999 99:99:99 GMT"},
)  # fmt: skip


@dataclass(frozen=True)
class Hostile:
    """One request: of which row, by whom, as what."""

    name: str
    method: str
    row: Row
    letter: str
    query: bytes
    body: bytes
    kind: str
    headers: Mapping[str, str]

    def __str__(self) -> str:
        return (
            f"{self.method} {self.name} by {self.letter} ?{self.query[:160]!r} {self.kind[:60]!r} "
            f"{dict(self.headers)!r:.80} {self.body[:300]!r}"
        )


def names_in_code() -> list[str]:
    """Every parameter that a page or endpoint asks for by name."""
    asked = re.compile(
        r"(?:GET|POST|FILES|query_params|data|form)\.(?:get|getlist)\(\s*\"([\w-]+)\"|POST\[\"([\w-]+)\"\]"
    )
    found: set[str] = set()
    for room in ("referee", "api"):
        for path in (ROOT / room).rglob("*.py"):
            found.update(one or other for one, other in asked.findall(path.read_text("utf-8")))
    return sorted(found | {"language", "next", "page", "at", "entry", "revision", "pin"})


def names_on_page(page: str) -> list[str]:
    """The fields of the forms of a page."""
    return sorted(set(re.findall(r"<(?:input|select|textarea|button)\b[^>]*?\bname=\"([^\"]+)\"", page)))


def pairs_of(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in parse_qsl(body.decode(), keep_blank_values=True)]


def written(pairs: list[tuple[bytes, bytes]]) -> bytes:
    return b"&".join(f"{quote_from_bytes(name)}={quote_from_bytes(value)}".encode() for name, value in pairs)


def wire(header: str) -> str:
    """A header as a server hands it on: bytes, each as one letter."""
    return header.encode().decode("latin-1")


class Draws:
    """The requests of one seed, over the rows and with the names of fields that pages hold."""

    def __init__(
        self, seed: int, rows: list[tuple[str, str, Row]], fields: Mapping[str, list[str]], letters: str
    ) -> None:
        self.chance = Random(seed)
        self.rows = rows
        self.fields = fields
        self.letters = letters
        self.asked = names_in_code()

    def many(self, count: int) -> Iterator[Hostile]:
        """Every row in turn, so that a few hundred requests touch each address."""
        order = list(self.rows)
        self.chance.shuffle(order)
        for place in range(count):
            yield self.one(*order[place % len(order)])

    def one(self, name: str, method: str, row: Row) -> Hostile:
        pick = self.chance
        letter = pick.choice(self.letters + row.who)  # who may gets further
        query = self._query(row) if method in ("GET", "HEAD") or pick.random() < 0.2 else b""
        body, kind = b"", row.kind
        if method not in ("GET", "HEAD", "DELETE") or pick.random() < 0.05:
            body, kind = self._json(row) if row.address.startswith("/api/") else self._form(name, row)
        if pick.random() < 0.15:
            kind = f"{kind}; charset={pick.choice(CHARSETS)}"
        headers = {**row.headers, **pick.choice(HEADERS)}
        return Hostile(name, method, row, letter, query, body, wire(kind), {one: wire(headers[one]) for one in headers})

    def _value(self, usual: bytes = b"") -> bytes:
        return usual if usual and self.chance.random() < 0.4 else self.chance.choice(VALUES)

    def _query(self, row: Row) -> bytes:
        pick = self.chance
        pairs = [(name, self._value(value)) for name, value in pairs_of(row.address.partition("?")[2].encode())]
        names = [pick.choice(self.asked) for _ in range(pick.randint(1, 6))]
        pairs += [(name.encode(), self._value()) for name in names]
        if pick.random() < 0.1:
            pairs *= pick.randint(2, 400)
        return (
            written(pairs)
            if pick.random() < 0.95
            else pick.choice((b"&" * 3_000, b"%", b"%zz=%", b"\xff=1", b"a" * 9_000))
        )

    def _form(self, name: str, row: Row) -> tuple[bytes, str]:
        pick = self.chance
        usual = pairs_of(row.body) if isinstance(row.body, bytes) and row.kind == FORM else []
        pairs = [(one, self._value(value)) for one, value in usual if pick.random() < 0.9]
        known = self.fields.get(name) or self.asked
        pairs += [(pick.choice(known).encode(), self._value()) for _ in range(pick.randint(0, 8))]
        draw = pick.random()
        if draw < 0.05:
            pairs = pairs * pick.choice((3, 90)) or [(b"a", b"b")] * 1_200
        if draw > 0.8:
            return self._parts(pairs), "multipart/form-data; boundary=part"
        if draw > 0.75:
            return pick.choice((*JSONS, *VALUES)), pick.choice(KINDS)
        return written(pairs), FORM

    def _parts(self, pairs: list[tuple[bytes, bytes]]) -> bytes:
        """A form of parts: files where texts belong, parts without an end, encodings of their own, far too many."""
        pick = self.chance
        lines = []
        for name, value in pairs * (pick.choice((1, 1, 1, 200)) if len(pairs) < 9 else 1):
            file = b'; filename="' + pick.choice((b"a.csv", b"a.xlsx", b"a.json", b"", b"\xff", b"../x")) + b'"'
            head = b'Content-Disposition: form-data; name="' + name + b'"' + (file if pick.random() < 0.4 else b"")
            more = pick.choice(
                (b"", b"", b"\r\nContent-Transfer-Encoding: base64", b"\r\nContent-Type: a; charset=utf-7")
            )
            lines.append(b"--part\r\n" + head + more + b"\r\n\r\n" + value + b"\r\n")
        return b"".join(lines) + pick.choice((b"--part--\r\n", b"--part--\r\n", b"", b"--part"))

    def _json(self, row: Row) -> tuple[bytes, str]:
        pick = self.chance
        if isinstance(row.body, bytes) or pick.random() < 0.15:
            whole = pick.choice((row.body if isinstance(row.body, bytes) else b"{}", *JSONS, *VALUES))
            return whole, row.kind if pick.random() < 0.8 else pick.choice(KINDS)
        body = self._odd(dict(row.body or {}))
        if pick.random() < 0.2:
            body[pick.choice(self.asked)] = pick.choice(ODD)
        return json.dumps(body).encode(), "application/json"

    def _odd(self, value: Any) -> Any:
        """The usual body with something odd somewhere in it."""
        pick = self.chance
        if isinstance(value, dict):
            return {
                name: pick.choice(ODD) if pick.random() < 0.35 else self._odd(inner) for name, inner in value.items()
            }
        if isinstance(value, list):
            return [pick.choice(ODD) if pick.random() < 0.35 else self._odd(inner) for inner in value]
        return value
