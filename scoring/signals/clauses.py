"""The clauses of signals; they hold beside any profile."""

from __future__ import annotations

from functools import partial

from scoring.profiles.clause_files import cite_from, clauses_of

#: The clauses on topics of signals as reasons.
cite = partial(cite_from, "scoring.signals", "clauses.json")


def clause_id(topic: str) -> str:
    return clauses_of("scoring.signals", "clauses.json")[topic].id
