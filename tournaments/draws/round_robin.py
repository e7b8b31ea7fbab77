"""Round robin (循环) by Berger tables: everybody meets everybody once; with an odd number one has a bye each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.hands.findings import Refused, refusal
from scoring.hands.reading import unknown_fields
from scoring.standings.results import EntrantId, entrant_findings
from tournaments.draws.pairing import Pairing

_MOST_ENTRANTS = 300


def round_robin(entrants: Sequence[EntrantId]) -> tuple[Pairing, ...]:
    """All rounds for these entrants, first named first. Fewer than two entrants have no rounds.

    Nobody is at home, or away, more than once oftener than the other (with an even number); the last entrant
    alternates. With an odd number, whoever would meet the missing last entrant has the bye.
    """
    size = len(entrants) + len(entrants) % 2
    return tuple(_round(entrants, number, size) for number in range(size - 1)) if size else ()


def answer_round_robin(question: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol's `round_robin`: `rounds`, lists of [home, away], and `bye` of each; Refused on bad input."""
    entrants = question.get("entrants")
    findings = [*unknown_fields(question, ("entrants",)), *entrant_findings(entrants)]
    if findings or not isinstance(entrants, Sequence):
        raise Refused(findings)
    if not 2 <= len(entrants) <= _MOST_ENTRANTS:
        text = f"A round robin has 2 to {_MOST_ENTRANTS} entrants."
        raise Refused([refusal("out_of_range", "entrants", text, f"循环赛要有 2 到 {_MOST_ENTRANTS} 个参赛方。")])
    rounds = round_robin(entrants)
    return {
        "rounds": [[list(pair) for pair in one.pairs] for one in rounds],
        "bye": [one.byes[0] if one.byes else None for one in rounds],
    }


def _round(entrants: Sequence[EntrantId], number: int, size: int) -> Pairing:
    """Round `number` (from 0) of the Berger table for `size` entrants.

    The last one meets 1, n/2 + 1, 2, n/2 + 2 ... in turn, away first and then at home; the others sit around that
    opponent in a ring of n - 1 and meet whoever is as far on the other side.
    """
    ring = size - 1
    middle = number // 2 if number % 2 == 0 else size // 2 + number // 2
    last = size - 1
    seats = [(middle, last) if number % 2 == 0 else (last, middle)]
    seats += [((middle + step) % ring, (middle - step) % ring) for step in range(1, size // 2)]
    pairs = tuple((entrants[a], entrants[b]) for a, b in seats if max(a, b) < len(entrants))
    byes = () if size == len(entrants) else (entrants[middle],)
    return Pairing(pairs, byes)
