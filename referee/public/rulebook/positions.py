"""Worked positions of the adjudicator: traps of the game and questions on which rules differ, each with its verdict.

They are data (`positions.json`), shown on the adjudicator's first page and judged anew whenever one is opened.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.values import Text

_FILE: Final = Path(__file__).with_name("positions.json")
#: The kind of a position that is a whole hand, for the page that explains hands.
EXPLAIN: Final = "explain"


@dataclass(frozen=True, slots=True)
class Position:
    """One position: the `query` of its link by the rules of `profile`, and what the kernel must answer (`expect`)."""

    id: str
    group: str
    title: Text
    kind: str
    profile: str
    query: Mapping[str, str]
    expect: Mapping[str, Any]

    def address(self, language: str) -> str:
        if self.kind == EXPLAIN:
            return f"/{language}/rules/{self.profile}/explain/?{urlencode(self.query)}#answer"
        query = urlencode({"profile": self.profile, **self.query})
        return f"/{language}/adjudicator/{self.kind}/?{query}#verdict"


@cache
def positions() -> tuple[Position, ...]:
    """All positions in the order of the file."""
    return tuple(Position(**row) for row in json.loads(_FILE.read_text("utf-8")))
