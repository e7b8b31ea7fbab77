"""What holds at every table of single players beside the clauses of its game: who forfeits, what others keep."""

from __future__ import annotations

from scoring.profiles import Reason
from scoring.profiles.clause_files import cite_from


def cite(*topics: str) -> tuple[Reason, ...]:
    """The clauses on these topics as reasons."""
    return cite_from("scoring.individual", "clauses.json", *topics)
