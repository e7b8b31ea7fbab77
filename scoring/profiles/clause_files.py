"""Clauses that hold beside any profile, one data file for each subject. No digest of a profile counts them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from scoring.profiles.profile import Clause, Reason
from scoring.wording import both

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def clauses_of(package: str, name: str) -> Mapping[str, Clause]:
    """The clauses of a file by topic. The file holds `prefix`, the `title` of its source, and `clauses`."""
    held = json.loads((files(package) / name).read_text("utf-8"))
    made = {
        row["topic"]: Clause(
            id=f"{held['prefix']}.{row['topic']}",
            topic=row["topic"],
            text=MappingProxyType(row["text"]),
            source=MappingProxyType({"title": row.get("title", held["title"]), "section": row["section"], "items": []}),
            params=MappingProxyType({}),
            stated=row["stated"],
        )
        for row in held["clauses"]
    }
    return MappingProxyType(made)


def cite_from(package: str, name: str, *topics: str) -> tuple[Reason, ...]:
    """The clauses of a file on these topics as reasons."""
    return tuple(Reason(clauses_of(package, name)[topic]) for topic in topics)


#: The subjects that have clauses of their own: package, file, title.
BESIDE = (
    ("scoring.signals", "clauses.json", both("Signals between partners", "双升信号")),
    ("scoring.cards", "duplicate.json", both("Duplicate boards", "复式牌局")),
    ("scoring.individual", "clauses.json", both("Games of single players", "个人赛")),
    ("scoring.hands", "variants.json", both("Other ways to play", "其他打法")),
)


def clauses_beside() -> tuple[Clause, ...]:
    """Every clause that holds beside any profile, subject by subject."""
    return tuple(clause for package, name, _ in BESIDE for clause in clauses_of(package, name).values())
