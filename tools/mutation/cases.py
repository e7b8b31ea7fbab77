"""What counts of an answer in the cases that were found by searching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

#: Texts that are no data, though they stand in one language only or beside others.
_WORDS = ("message", "sentence")


def counted(said: Mapping[str, Any]) -> dict[str, Any]:
    """What of an answer is compared: the code of a refusal, or all of it but the texts in two languages."""
    if "error" in said:
        return {"code": said["error"]["code"]}
    found = _without_words(said["answer"])
    assert isinstance(found, dict)
    return found


def _without_words(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_words(one) for name, one in value.items() if not _is_words(name, one)}
    return [_without_words(one) for one in value] if isinstance(value, list | tuple) else value


def _is_words(name: str, value: Any) -> bool:
    if name == "because" or name in _WORDS:
        return True
    if isinstance(value, list | tuple):
        return bool(value) and all(_is_words("", one) for one in value)
    return isinstance(value, Mapping) and set(value) == {"en", "zh"}


def asked(op: str, known: Sequence[Mapping[str, Any]], seed: int, many: int) -> list[dict[str, Any]]:
    """So many questions of an op by chance, as cases: with what the kernel answers."""
    from scoring.conformance.runner import cited, told
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
