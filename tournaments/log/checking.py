"""The log of an event held against the database: what no act wrote, what is gone, and what was bent in the log itself.

Every leaf is read, its signature checked, and what it says of each row and column remembered, the last word counting.
Then every protected row of the event is read. The heads in the file beside the database say how long the log was.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F

from scoring.values import Text
from scoring.wording import both

from ..acts import signing
from ..acts.leaves import ADDED, REMOVED, WITHIN, digest_of, opened, stands
from ..acts.protected import ALL, Protected
from ..models import LogHead, LogLeaf, Tournament
from ..sittings.moments import one_moment
from . import heads
from .merkle import Frontier


class Finding(NamedTuple):
    """Something that no act of the event explains. `where`: a row (``match 12``), a leaf or a head."""

    code: str
    where: str
    sentence: Text

    def __str__(self) -> str:
        return self.sentence["en"]


@dataclass(slots=True)
class _Said:
    """What the leaves say of rows: of each the columns, with their value and the salt that opens it."""

    rows: dict[str, dict[int, dict[str, tuple[Any, str]]]] = field(default_factory=lambda: defaultdict(dict))

    def hear(self, body: Mapping[str, Any], salts: Mapping[str, str]) -> None:
        for table, how, columns, rows in body["rows"]:
            known = self.rows[table]
            for pk, *values in rows:
                if how == REMOVED:
                    known.pop(pk, None)
                    continue
                salt = salts.get(f"{table}.{pk}", salts.get("", ""))
                said = {name: (value, salt) for name, value in zip(columns, values, strict=True)}
                known[pk] = said if how == ADDED else known.get(pk, {}) | said


def check(event: Tournament, *, at: datetime | None = None) -> list[Finding]:
    """Everything that the log of an event does not explain; empty when all is as its acts left it.

    `at`: the time, where promises are held against it too: a leaf older than `WITHIN` has to stand under a head.

    All of it is of one moment, whoever writes meanwhile. An event from before there was a log has none, which is said
    by nobody here: `begin_missing` begins one.
    """
    with one_moment():
        return _check(event, at)


def _check(event: Tournament, at: datetime | None) -> list[Finding]:
    said = _Said()
    found = list(_leaves(event, said, at))
    if event.pk not in said.rows["tournament"]:
        if any(True for _ in heads.in_file(event)):
            found.append(_finding("log_gone", "log", "is gone", "不见了"))
        return found
    for one in ALL:
        found += _rows(event, one, said.rows.get(one.table, {}))
    return found


def _leaves(event: Tournament, said: _Said, at: datetime | None) -> Iterator[Finding]:
    """Read the log: what is wrong with itself."""
    kept = list(LogHead.objects.filter(tournament=event))
    stored = {row.size: heads.Head.of_row(row) for row in kept}
    outside = {head.size: head for head in heads.in_file(event)}
    roots, tree, seen = dict[int, str](), Frontier(), set[bytes]()
    keys = signing.believed()
    rows = LogLeaf.objects.filter(tournament=event).order_by(F("number").asc(nulls_last=True), "pk")
    for row in rows.iterator(500):
        digest, where = digest_of(row.body), f"leaf {row.pk}"
        body = opened(row.body, row.signature, keys)
        if body is None:
            yield _finding("leaf_not_signed", where, "was not signed here", "不是本处签名的")
            continue
        hashed = bytes.fromhex(digest)
        if row.digest != digest:
            yield _finding("digest_differs", where, "has another digest", "摘要不符")
        if body["event"] != event.pk or hashed in seen:
            yield _finding("leaf_not_ours", where, "stands there twice, or is of another event", "重复，或属于别的赛事")
            continue
        seen.add(hashed)
        if row.number is not None:
            if row.number != tree.size:
                yield _finding("leaf_missing", where, "does not follow the leaf before it", "与前一条不相接")
            tree = tree.add(hashed)
            roots[tree.size] = tree.root.hex() if tree.size in stored or tree.size in outside else ""
        elif at is not None and datetime.fromisoformat(body["at"]) + WITHIN < at:
            yield _finding(
                "promise_broken", where, "was promised a place in the log and has none", "已承诺入录，却没有编号"
            )
        try:
            said.hear(body, json.loads(row.salts))
        except (ValueError, AttributeError, TypeError):
            yield _finding("salts_bent", where, "has no readable salts", "盐值无法读取")
    yield from _heads(tree.size, roots, stored, outside)
    for one in kept:
        if not _grows(one):
            yield _finding("head_differs", f"head {one.size}", "has other subtrees than its root", "子树与根不符")


def _grows(row: LogHead) -> bool:
    try:
        return heads.frontier(row).root.hex() == row.root
    except (ValueError, TypeError):
        return False


def _heads(
    size: int, roots: Mapping[int, str], stored: Mapping[int, heads.Head], outside: Mapping[int, heads.Head]
) -> Iterator[Finding]:
    keys = signing.believed()
    for number, head in sorted([*stored.items(), *outside.items()], key=lambda one: one[0]):
        where = f"head {number}"
        if not signing.is_signed(head.text, head.signature, keys):
            yield _finding("head_not_signed", where, "was not signed here", "不是本处签名的")
        elif number > size:
            yield _finding("log_cut", where, "covers leaves that are gone", "所覆盖的记录已不见")
        elif roots.get(number) != head.root:
            yield _finding("head_differs", where, "does not cover these leaves", "与这些记录不符")
        elif number not in stored:
            yield _finding(
                "head_gone", where, "is in the file and no longer in the database", "在文件中，数据库里已没有"
            )
    for number in sorted(stored.keys() & outside.keys()):
        if stored[number].text != outside[number].text:
            yield _finding("head_differs", f"head {number}", "is another in the file", "与文件中的不同")
    if stored and (last := max(stored)) < size:
        yield _finding("head_missing", f"head {size}", f"is missing: the newest is of {last}", f"缺失：最新的是 {last}")
    if size and not stored:
        yield _finding("head_missing", f"head {size}", "is missing", "缺失")


def _rows(event: Tournament, kept: Protected, said: Mapping[int, Mapping[str, tuple[Any, str]]]) -> Iterator[Finding]:
    """The rows of one table against what the log says of them."""
    there = set[int]()
    for row in kept.model._default_manager.filter(**{kept.event: event.pk}).order_by("pk").iterator(500):
        there.add(row.pk)
        where = f"{kept.table} {row.pk}"
        known = said.get(row.pk)
        if known is None:
            yield _finding("row_added", where, "was written by no act", "不是任何操作写入的")
            continue
        for one in kept.columns:
            value, salt = known.get(one.name, (None, ""))
            now = stands(one, getattr(row, one.attname), salt, f"{kept.table}.{row.pk}")
            if now != value:
                en = f"{one.name} is not what the last act put there"
                yield _finding("value_changed", where, en, f"{one.name} 与最后一次操作写入的不符")
    for pk in sorted(said.keys() - there):
        yield _finding("row_gone", f"{kept.table} {pk}", "was taken away by no act", "不是任何操作删除的")


def _finding(code: str, where: str, en: str, zh: str) -> Finding:
    return Finding(code, where, both(f"{where}: {en}.", f"{where}：{zh}。"))
