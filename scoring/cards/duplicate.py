"""The clauses of duplicate boards (复式): how they are dealt, declared and checked. They hold beside any profile."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from scoring.hands.findings import Finding, finding
from scoring.profiles.clause_files import cite_from, clauses_of

#: The clauses on topics of boards as reasons.
cite = partial(cite_from, "scoring.cards", "duplicate.json")


def clause_id(topic: str) -> str:
    return clauses_of("scoring.cards", "duplicate.json")[topic].id


def nothing_to_decide() -> Finding:
    """Somebody declares, counters, passes or names where the trumps are set."""
    return replace(finding("nothing_to_decide", "act"), clause=clause_id("prescribed"))
