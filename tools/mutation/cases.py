"""Questions by chance as cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any


def asked(op: str, known: Sequence[Mapping[str, Any]], seed: int, many: int) -> list[dict[str, Any]]:
    """So many questions of an op by chance, as cases: with what the kernel answers."""
    from scoring.conformance.runner import cited, counted, told
    from scoring.questions.protocol import answer
    from tools.mutation.chance import Questions

    questions, chance = Questions(known), Random(f"{seed} {op}")  # noqa: S311 - chance, not secrecy
    found = []
    for _ in range(many):
        made = questions.by_chance(op, chance)
        question = made if made["profile"] is not None else {"input": made["input"]}
        said = answer(question)
        found.append({"question": question, "expect": counted(said), "clauses": cited(said), "found": told(said)})
    return found
