"""Questions made by a seed for the ops that the typed cases say little of: what makes sense there, at its edges."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tools.mutation import cards, edges, ledgers, results


def made(seed: str, each: int) -> Iterator[dict[str, Any]]:
    """Questions of every op that is made here, so many of each."""
    for name, maker in (*results.MAKERS, *ledgers.MAKERS, *cards.MAKERS, *edges.MAKERS):
        chance = Random(f"{seed} {name} {maker.__name__}")  # noqa: S311 - chance, not secrecy
        for _ in range(each):
            profile, asked = maker(chance)
            question = {"profile": profile, "input": {"op": name, **asked}}
            yield question if profile is not None else {"input": question["input"]}
