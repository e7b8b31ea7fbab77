"""Questions by chance as cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.mutation.chance import Questions


def questions(op: str | None, known: Iterable[Mapping[str, Any]], seed: int, many: int) -> Iterator[dict[str, Any]]:
    """So many questions by chance: of an op, or of all, as often as they are known."""
    from tools.mutation.chance import Questions

    made_of, chance = Questions(list(known)), Random(f"{seed} {op}")  # noqa: S311 - chance, not secrecy
    ops = [name for name, rows in made_of.known.items() for _ in rows] if op is None else [op]
    for _ in range(many):
        made = made_of.by_chance(chance.choice(ops), chance)
        yield made if made["profile"] is not None else {"input": made["input"]}


def near(made_of: Questions, known: Iterable[Mapping[str, Any]], chance: Random) -> Iterator[dict[str, Any]]:
    """Questions by chance without end, each near to one of those given."""
    by_op: dict[str, list[dict[str, Any]]] = {}
    for one in known:
        by_op.setdefault(one["input"]["op"], []).append({"profile": one.get("profile"), "input": dict(one["input"])})
    while True:
        op = chance.choice(list(by_op))
        made = made_of.by_chance(op, chance, by_op[op])
        yield made if made["profile"] is not None else {"input": made["input"]}


def as_case(question: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """A question with what the kernel answers."""
    from scoring.conformance.runner import cited, counted, reasons, told

    case = {"question": question, "expect": counted(said), "clauses": cited(said)}
    return case | {"found": told(said), "reasons": reasons(said)}
