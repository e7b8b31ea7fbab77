"""Two entrants that are kept apart (互相回避): must never meet in a round that is drawn, or rather not where it can be.

In questions and documents a list of ``[id, id, "must" or "rather"]``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from scoring.hands.findings import Finding, refusal
from scoring.standings.results import EntrantId, is_id

MOST_PAIRS = 1_000


class Wish(StrEnum):
    """How much two are kept apart."""

    MUST = "must"
    RATHER = "rather"


#: Two entrants, and how much they are kept apart.
Apart = Mapping[frozenset[EntrantId], Wish]


def read_apart(data: object, entrants: Collection[EntrantId], findings: list[Finding]) -> dict[frozenset[Any], Wish]:
    """The member `apart` of a question, with what is wrong added to `findings`; nobody where it is left out."""
    if data is None:
        return {}
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) > MOST_PAIRS:
        en, zh = f"Those kept apart are a list of at most {MOST_PAIRS}.", f"互相回避的应是列表，最多 {MOST_PAIRS} 项。"
        findings.append(refusal("wrong_type", "apart", en, zh))
        return {}
    known, found = set(entrants), dict[frozenset[Any], Wish]()
    for at, one in enumerate(data):
        if not _is_wish(one):
            en, zh = "Write two different ids and must or rather.", "应写两个不同的编号，以及 must 或 rather。"
            findings.append(refusal("wrong_type", f"apart.{at}", en, zh))
        elif not {one[0], one[1]} <= known:
            findings.append(refusal("unknown_entrant", f"apart.{at}", "This is not an entrant.", "这不是参赛方。"))
        else:
            found[frozenset(one[:2])] = Wish(one[2])
    return found


def _is_wish(one: Any) -> bool:
    sound = isinstance(one, Sequence) and not isinstance(one, str) and len(one) == 3
    return sound and is_id(one[0]) and is_id(one[1]) and one[0] != one[1] and one[2] in list(Wish)
