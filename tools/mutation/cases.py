"""Questions by chance as cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any


def questions(op: str, known: Iterable[Mapping[str, Any]], seed: int, many: int) -> Iterator[dict[str, Any]]:
    """So many questions of an op by chance."""
    from tools.mutation.chance import Questions

    made_of, chance = Questions(list(known)), Random(f"{seed} {op}")  # noqa: S311 - chance, not secrecy
    for _ in range(many):
        made = made_of.by_chance(op, chance)
        yield made if made["profile"] is not None else {"input": made["input"]}


def as_case(question: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """A question with what the kernel answers."""
    from scoring.conformance.runner import cited, counted, told

    return {"question": question, "expect": counted(said), "clauses": cited(said), "found": told(said)}
