"""Leaves of an event's log: what an act wrote, row by row and column by column, signed.

A leaf is a text, canonical JSON: the event, the time, a number used once, and for each table the rows that were added
(``+``), moved (``=``) or removed (``-``) with what stands in their columns. Numbers, times and words of the product are
there as they are. What people typed stands there as SHA-256 of a random salt, the place of the value and the text, so
that a name can be erased while every leaf stays as it is.

Its signature is of a *promise*: that the leaf with this digest, of an act of this time, comes under a signed head
within `WITHIN`. So whoever acted is given the promise with the answer, before the leaf has a number. It is made with a
key outside the database (`signing`); so nobody who can write into the database can make a leaf.

How leaves become a tree with signed heads is told in `tournaments.log`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db.models import JSONField, Model

from ..models import LogLeaf
from . import signing
from .protected import Column, columns_of, protected, short
from .text import Said, canonical_json

FORMAT: Final = "referee/leaf/2"
PROMISE: Final = "referee/promise/1"
#: A leaf comes under a signed head within so long.
WITHIN: Final = timedelta(seconds=10)
ADDED, MOVED, REMOVED = "+", "=", "-"


@dataclass(frozen=True, slots=True)
class Promise:
    """That the leaf with this digest, of an act of this time, comes into the log of its event; signed."""

    digest: str
    at: str
    signature: str

    def to_json(self) -> dict[str, str]:
        return {"digest": self.digest, "at": self.at, "signature": self.signature}


_PROMISED: ContextVar[list[Promise] | None] = ContextVar("promised", default=None)


@contextmanager
def promised() -> Iterator[list[Promise]]:
    """The promises of the leaves that are made meanwhile, in their order; that of the act that stood is the last."""
    made: list[Promise] = []
    before = _PROMISED.set(made)
    try:
        yield made
    finally:
        _PROMISED.reset(before)


def promise_text(event_id: int, digest: str, at: str) -> str:
    """What is signed. `at`: as it stands in the body."""
    return canonical_json({"format": PROMISE, "event": event_id, "digest": digest, "at": at})


@dataclass(frozen=True, slots=True)
class Touched:
    """Rows of one table that an act wrote in one way. `values`: for each row its id and what its `columns` became."""

    model: type[Model]
    how: str
    columns: tuple[Column, ...]
    values: Sequence[tuple[int, Sequence[Any]]]


def added(rows: Sequence[Model]) -> Iterable[Touched]:
    """Rows that were just stored."""
    if rows and protected(type(rows[0])) is not None:
        columns = tuple(columns_of(_table(type(rows[0]))).values())
        values = [(row.pk, [getattr(row, one.attname) for one in columns]) for row in rows]
        yield Touched(type(rows[0]), ADDED, columns, values)


def added_as(row: Model, said: Mapping[str, Any]) -> Iterable[Touched]:
    """A row that is being stored with these values."""
    if protected(type(row)) is not None:
        columns = tuple(columns_of(_table(type(row))).values())
        yield Touched(type(row), ADDED, columns, [(row.pk, [said[one.attname] for one in columns])])


def moved(model: type[Model], ids: Sequence[int], to: Mapping[str, Any]) -> Iterable[Touched]:
    """Columns of stored rows that became the same values."""
    if not ids or protected(model) is None:
        return
    known = columns_of(_table(model))
    named = [(column, value) for name, value in to.items() if (column := known.get(_attname(model, name)))]
    if named:
        values = [value.pk if isinstance(value, Model) else value for _, value in named]
        yield Touched(model, MOVED, tuple(column for column, _ in named), [(one, values) for one in ids])


def removed(model: type[Model], ids: Sequence[int]) -> Iterable[Touched]:
    """Rows that went."""
    if ids and protected(model) is not None:
        yield Touched(model, REMOVED, (), [(one, ()) for one in ids])


def leaf(event_id: int, touched: Iterable[Touched], at: datetime, sitting_id: int | None = None) -> LogLeaf | None:
    """The leaf of an act, signed and not stored yet; None where it wrote nothing that is protected.

    `sitting_id`: the table whose hands the act is about, if it is about one.
    """
    rows, salts = [], {"": secrets.token_hex(16)}
    for one in touched:
        table = short(_table(one.model))
        is_named = (kept := protected(one.model)) is not None and kept.named
        said = []
        for pk, values in one.values:
            place, key = f"{table}.{pk}", ""
            if is_named and values:
                salts.setdefault(place, secrets.token_hex(16))
                key = place
            salt = salts[key]
            said.append(
                [
                    pk,
                    *[
                        value if type(value) in column.as_it_is else stands(column, value, salt, place)
                        for column, value in zip(one.columns, values, strict=True)
                    ],
                ]
            )
        rows.append([table, one.how, [column.name for column in one.columns], said])
    if not rows:
        return None
    when = at.isoformat()
    body = canonical_json({"format": FORMAT, "event": event_id, "at": when, "once": secrets.token_hex(8), "rows": rows})
    digest = digest_of(body)
    promise = Promise(digest, when, signing.sign(promise_text(event_id, digest, when)))
    if (made := _PROMISED.get()) is not None:
        made.append(promise)
    return LogLeaf(
        tournament_id=event_id,
        sitting_id=sitting_id,
        digest=digest,
        body=body,
        signature=promise.signature,
        salts=canonical_json(salts),
    )


def digest_of(body: str) -> str:
    """The leaf of the tree that a body is, in hexadecimal figures (RFC 9162, section 2.1)."""
    return hashlib.sha256(b"\0" + body.encode()).hexdigest()


def opened(body: str, signature: str, keys: Iterable[Ed25519PublicKey]) -> dict[str, Any] | None:
    """What a leaf says; None where none of these keys signed it."""
    try:
        said = json.loads(body)
        text = promise_text(said["event"], digest_of(body), said["at"])
    except (ValueError, KeyError, TypeError):
        return None
    return said if signing.is_signed(text, signature, keys) else None


def forget(event_id: int, rows: Iterable[Model]) -> None:
    """Take the salts of these rows out of every leaf of their event: nobody can say any more what stood there."""
    for row in rows:
        place = f"{short(_table(type(row)))}.{row.pk}"
        for one in LogLeaf.objects.filter(tournament=event_id, salts__contains=f'"{place}"'):
            salts = json.loads(one.salts)
            salts.pop(place, None)
            LogLeaf.objects.filter(pk=one.pk).update(salts=canonical_json(salts))


def stands(column: Column, value: Any, salt: str, place: str) -> Any:
    """How a value stands in a leaf: as it is, or as a commitment. The same from a row just written and a row read."""
    if value is None:
        return None
    if column.kind is JSONField:
        return commitment(salt, f"{place}.{column.name}", value if type(value) is Said else Said.of(value))
    if type(value) is not column.kind:
        value = column.field.get_prep_value(value)
    if type(value) is str:
        return value if column.of_words or not value else commitment(salt, f"{place}.{column.name}", value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int):
        return value
    text = str(value)
    return text if column.of_words or not text else commitment(salt, f"{place}.{column.name}", text)


def commitment(salt: str, place: str, text: str) -> str:
    """SHA-256 of the salt, the place of a value (``player.12.name``) and its text, marked as one."""
    return "#" + hashlib.sha256(f"{salt}\n{place}\n{text}".encode()).hexdigest()


def _table(model: type[Model]) -> type[Model]:
    return model._meta.concrete_model or model


@lru_cache(maxsize=512)
def _attname(model: type[Model], name: str) -> str:
    """The attribute of a column that is named as the model or the database names it."""
    return str(model._meta.pk.attname if name == "pk" else model._meta.get_field(name).attname)  # type: ignore[union-attr]
