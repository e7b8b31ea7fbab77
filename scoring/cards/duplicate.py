"""The clauses of duplicate boards (复式): how they are dealt, declared and checked. They hold beside any profile."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from scoring.profiles import Clause, Reason


def cite(*topics: str) -> tuple[Reason, ...]:
    """The clauses on these topics as reasons."""
    return tuple(Reason(_clauses()[topic]) for topic in topics)


@cache
def _clauses() -> dict[str, Clause]:
    held = json.loads((files("scoring.cards") / "duplicate.json").read_text("utf-8"))
    return {
        row["topic"]: Clause(
            id=f"{held['prefix']}.{row['topic']}",
            topic=row["topic"],
            text=row["text"],
            source={"title": held["title"], "section": row["section"], "items": []},
            params={},
            stated=row["stated"],
        )
        for row in held["clauses"]
    }
