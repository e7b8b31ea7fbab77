"""Large JSON read piece by piece: the same values however it is cut, and what only costs is given up early."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tournaments.acts.text import NoText, TooDeep
from tournaments.transfer.json_members import PIECE, NoObject, NotJson, TooMuch, members

LIMITS = {"most_bytes": 64_000_000, "most_values": 4_500_000}


class Counted:
    """Pieces of a file that note how many bytes of it were asked for."""

    def __init__(self, data: bytes, size: int = PIECE) -> None:
        self.data, self.size, self.read = data, size, 0

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self.data), self.size):
            piece = self.data[start : start + self.size]
            self.read += len(piece)
            yield piece


def read(pieces: Any, **limits: int) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, place, value in members(pieces, **{**LIMITS, **limits}):
        if place is None:
            document[name] = value
        else:
            assert place == len(document[name])
            document[name].append(value)
    return document


WRITTEN = {
    "": [],
    "numbers": [0, -1, 1.5, 1e-7, 12345678901234567890, -0.25],
    "texts": ["", "王", "a\\u", '"', "\\", "\n", "𝄞", "[,{"],
    "rows": [{"id": 1, "in": {"deep": [1, [2, {"x": None}]]}}, {}, [], True, False, None],
    "one": {"a": [1, 2]},
    "last": 17,
}


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1000])
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_however_it_is_cut_it_is_the_same(size: int, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(
        {**WRITTEN, "texts": WRITTEN["texts"][:6]} if ascii_only else WRITTEN, indent=indent, ensure_ascii=ascii_only
    )
    assert read(Counted(text.encode(), size)) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", (1, 1)),
        ("{", (1, 2)),
        ('{"a"', (1, 5)),
        ('{"a":1', (1, 7)),
        ('{"a":1,}', (1, 8)),
        ('{"a":[1,]}', (1, 9)),
        ('{"a":[1 2]}', (1, 9)),
        ('{"a":1}\n{', (2, 1)),
        ('{\n  "a": nope}', (2, 8)),
        ('{"a":NaN}', (1, 6)),
        ('{"a":1e999}', (1, 6)),
        ('{"a":-}', (1, 6)),
        ("{'a':1}", (1, 2)),
        ('{"a":"b\nc"}', (1, 8)),
        ('{"a":1.}', (1, 7)),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str, place: tuple[int, int]) -> None:
    for size in (1, 4, PIECE):
        with pytest.raises(NotJson) as refused:
            read(Counted(text.encode(), size))
        assert refused.value.place == place


def test_other_values_and_other_bytes() -> None:
    for other in (b"[]", b"7", b'"a"', b"null"):
        with pytest.raises(NoObject):
            read([other])
    for broken in (b'{"a":"\xff"}', b'{"a":"\xe7\x8e'):
        with pytest.raises(NotJson):
            read([broken])
    for no_text in (b'{"a":"\\u0000"}', b'{"a":"\\uD800"}', b'{"a":"\\udfff"}'):
        for size in (1, 5, PIECE):
            with pytest.raises(NoText):
                read(Counted(no_text, size))


@pytest.mark.long
@pytest.mark.parametrize(
    ("data", "error", "most"),
    [
        (b'{"a":"' + b"x" * 40_000_000 + b'"}', TooMuch, 33_000_000),
        (b'{"a":{' + b'"k":1,' * 4_000_000 + b'"k":1}}', TooMuch, 5_000_000),
        (b'{"a":[[' + b"7," * 4_000_000 + b"7]]}", TooMuch, 3_000_000),
        (b'{"a":[' + b"{}," * 1_000_000 + b"{}]}", TooMuch, 2_000_000),
        (b'{"a":' + b"[" * 5_000_000, TooDeep, 2_000_000),
        (b'{"a":[' + b'{"b":' * 5_000_000, TooDeep, 2_000_000),
        (b'{"a":' + b"9" * 10_000_000 + b"}", NotJson, 2_000_000),
        (b" " * 65_000_001, TooMuch, 65_000_000),
    ],
    ids=["one text", "one object", "one list", "tiny items", "lists", "objects", "figures", "nothing"],
)
def test_what_only_costs_is_given_up_early(data: bytes, error: type[Exception], most: int) -> None:
    pieces = Counted(data)
    with pytest.raises(error):
        read(pieces, most_values=1_200_000)
    assert pieces.read <= most
