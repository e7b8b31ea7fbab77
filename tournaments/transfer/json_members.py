"""A large JSON object read member by member, and its lists item by item, without ever being held whole as text.

What has come is counted while it comes: bytes, values, and how long a single item grows. So a file that is only made to
cost (one endless text, millions of tiny values, nesting without end) is given up after a few megabytes, whatever its
size. The texts of names are shared, as `json` shares them within one call.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from ..acts.text import NoText, TooDeep, finite, no_number

#: Bytes that are taken in at a time.
PIECE = 1_000_000
#: One item may be so long, in characters: the largest are the documents of publications and draws.
LONGEST_ITEM = 16_000_000
#: Values inside one long item at most, what stands in its texts not counted.
MOST_IN_ITEM = 400_000

_SPACE = re.compile(r"[ \t\n\r]*")
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NO_TEXT = re.compile(r"\\u(?:0000|[dD])")
#: So near the end of what has come, an error may only mean that the rest is still to come.
_NEAR = 12


class TooMuch(ValueError):
    """More than a file of its kind holds: `values` or `bytes` in all, or one `item` that is too long."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class NotJson(ValueError):
    """No JSON in UTF-8; the place is None where it is not known."""

    def __init__(self, place: tuple[int, int] | None = None) -> None:
        super().__init__("no JSON")
        self.place = place


class NoObject(ValueError):
    """JSON of another kind than an object."""


def members(pieces: Iterable[bytes], *, most_bytes: int, most_values: int) -> Iterator[tuple[str, int | None, Any]]:
    """Name, place and value of every member of the object in a file: of a list first itself, empty, with no place,
    then each item with its place from 0 on; of everything else the value with no place.

    Raises TooMuch, NotJson, NoObject, NoText or TooDeep as soon as that is known.
    """
    coming = _Coming(pieces, most_bytes, most_values)
    try:
        yield from _members(coming)
    except UnicodeDecodeError:
        raise NotJson from None
    except RecursionError:
        raise TooDeep from None


def _members(coming: _Coming) -> Iterator[tuple[str, int | None, Any]]:
    if coming.next() != "{":
        coming.value()
        raise NoObject
    coming.skip()
    if coming.next() == "}":
        coming.skip()
    else:
        yield from _member(coming)
        while coming.either(",", "}") == ",":
            yield from _member(coming)
    if coming.next():
        raise coming.wrong()


def _member(coming: _Coming) -> Iterator[tuple[str, int | None, Any]]:
    if coming.next() != '"':
        raise coming.wrong()
    name = sys.intern(coming.value())
    coming.either(":", ":")
    if coming.next() != "[":
        yield name, None, coming.value()
        return
    coming.skip()
    yield name, None, []
    if coming.next() == "]":
        coming.skip()
        return
    yield name, 0, coming.value()
    place = 0
    while coming.either(",", "]") == ",":
        place += 1
        yield name, place, coming.value()


def _shared(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {sys.intern(name): value for name, value in pairs}


class _Coming:
    """What has come of a file and is not read yet."""

    def __init__(self, pieces: Iterable[bytes], most_bytes: int, most_values: int) -> None:
        self.pieces = _cut(pieces)
        self.utf8 = codecs.getincrementaldecoder("utf-8")()
        self.decode = json.JSONDecoder(
            object_pairs_hook=_shared, parse_constant=no_number, parse_float=finite
        ).raw_decode
        self.bytes_left, self.values_left = most_bytes, most_values
        self.text, self.at, self.over = "", 0, False
        self.line, self.column = 1, 1

    def next(self) -> str:
        """The next sign that is no space, without taking it; empty at the end."""
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def skip(self) -> None:
        self.at += 1

    def either(self, one: str, other: str) -> str:
        """One of two signs has to come next, and is taken."""
        sign = self.next()
        if sign not in (one, other) or not sign:
            raise self.wrong()
        self.skip()
        return sign

    def value(self) -> Any:
        """The next value, whole."""
        self.next()
        while True:
            try:
                value, end = self.decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut_off = error.msg.startswith("Unterminated") or error.pos >= len(self.text) - _NEAR
                wrong = self.wrong(error.pos)
                if cut_off and self.more():
                    continue
                raise wrong from None
            except ValueError:  # a number that is none
                raise self.wrong() from None
            # the rest of a number may still be to come
            whole = end < len(self.text) and self.text[end] not in ".eE"
            length = end - self.at
            if whole or not self.more():
                self.at += length
                return value

    def more(self) -> bool:
        """Take in as much again as is waiting to be read, a piece at least; False at the end of the file."""
        waiting = len(self.text) - self.at
        if waiting > PIECE:
            self._refuse_full()
        self._pass()
        taken = [self.text]
        size = 0
        while not self.over and size <= waiting:
            piece = next(self.pieces, None)
            self.over = piece is None
            taken.append(self._decoded(piece or b""))
            size += len(taken[-1])
        before = len(self.text)
        self.text = "".join(taken)
        if _NO_TEXT.search(self.text, max(before - 6, 0)):
            raise NoText
        return size > 0

    def _decoded(self, piece: bytes) -> str:
        self.bytes_left -= len(piece)
        if self.bytes_left < 0:
            raise TooMuch("bytes")
        # those in texts are counted, too: it is the cost that is measured, and this is quick
        self.values_left -= sum(map(piece.count, (b",", b"{", b"[")))
        if self.values_left < 0:
            raise TooMuch("values")
        return self.utf8.decode(piece, final=self.over)

    def _refuse_full(self) -> None:
        """One item has grown long: not beyond measure, and its length must be that of texts."""
        if len(self.text) - self.at > LONGEST_ITEM:
            raise TooMuch("item")
        bare = _TEXTS.sub("", self.text[self.at :])
        if sum(map(bare.count, ",{[")) > MOST_IN_ITEM:
            raise TooMuch("item")

    def _pass(self) -> None:
        """Forget what was read, and note how far that was."""
        self.line, self.column = self._place(self.at)
        self.text, self.at = self.text[self.at :], 0

    def _place(self, at: int) -> tuple[int, int]:
        lines = self.text.count("\n", 0, at)
        if lines:
            return self.line + lines, at - self.text.rindex("\n", 0, at)
        return self.line, self.column + at

    def wrong(self, at: int | None = None) -> NotJson:
        return NotJson(self._place(self.at if at is None else at))


def _cut(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), PIECE):
            yield piece[start : start + PIECE]
