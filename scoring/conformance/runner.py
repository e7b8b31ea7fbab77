"""Put the cases to a program and say, clause by clause, what agrees. Needs Python 3.11 and nothing else.

    python runner.py --program "./my-adapter --fast"      (each line in is a question, each line out its answer)

The program reads one JSON object a line and writes one a line, in the same order (protocol.md). What an answer holds
beyond the keys of the expected one does not matter. Exit code 0: everything agrees; 1: something differs; 2: there is
no such case, or the program cannot be run, does not end in time or does not answer every line.
"""

# ruff: noqa: T201 - what it prints is its answer

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("cases.jsonl")
#: Signs of an answer that are shown.
MOST_SIGNS = 2_000

Case = Mapping[str, Any]


def cases(path: Path = CASES) -> Iterator[Case]:
    """The cases in order: `id`, `clauses` (those that our own answer cites), `stated`, `question`, `expect`, of a
    refusal `found`, what is wrong at which field, and `reasons` where they say more than their clauses."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def agrees(expect: Mapping[str, Any], answer: object) -> bool:
    """Whether an answer says what is expected: the refusal's code, or every key that the expected answer has."""
    if not isinstance(answer, Mapping):
        return False
    error = answer.get("error")
    if set(expect) == {"code"}:
        return isinstance(error, Mapping) and error.get("code") == expect["code"] and "answer" not in answer
    return error is None and _holds(answer.get("answer"), expect)


def _holds(said: object, expect: object) -> bool:
    """Whether a value is the expected one; objects may hold more than is expected, also inside lists."""
    if isinstance(expect, Mapping):
        return isinstance(said, Mapping) and all(
            name in said and _holds(said[name], one) for name, one in expect.items()
        )
    if isinstance(expect, list):
        if not isinstance(said, list) or len(said) != len(expect):
            return False
        return all(_holds(one, other) for one, other in zip(said, expect, strict=True))
    if isinstance(expect, str):  # a program of this language may answer with a word of its own
        return isinstance(said, str) and said == expect
    return type(said) is type(expect) and said == expect


def cited(answer: object) -> list[str]:
    """The clauses that an answer names, each once, by name: in its reasons (`because`), or in what a refusal found."""
    reasons = answer.get("because") if isinstance(answer, Mapping) else None
    rows = [*_rows(reasons), *(one for one in _refused(answer) if one.get("clause") is not None)]
    return sorted({str(one.get("clause")) for one in rows})


def reasons(answer: object) -> list[str]:
    """What its reasons say beyond the clauses, sorted: the amount that one gave, and what the entries inside the answer
    rest on."""
    if not isinstance(answer, Mapping):
        return []
    within = list(_reasons(answer.get("answer")))
    return sorted([*within, *(said for said in map(_reason, _rows(answer.get("because"))) if " " in said)])


def _reason(row: Mapping[str, Any]) -> str:
    return f"{row.get('clause')} {row['amount']!r}" if "amount" in row else str(row.get("clause"))


def _reasons(value: object) -> Iterator[str]:
    """Every reason that is given inside a value."""
    if isinstance(value, Mapping):
        yield from map(_reason, _rows(value.get("because")))
    for one in value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ():
        yield from _reasons(one)


def told(answer: object) -> list[list[str]]:
    """What a refusal found: each field with the code of what is wrong there, sorted; nothing where it is an answer."""
    return sorted([str(one.get("field")), str(one.get("code"))] for one in _refused(answer))


def _refused(answer: object) -> list[Mapping[str, Any]]:
    """The rows of a refusal; one that names no rows is one itself."""
    error = answer.get("error") if isinstance(answer, Mapping) else None
    if not isinstance(error, Mapping):
        return []
    return _rows(error.get("findings")) or [error]


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def fits(case: Case, answer: object, *, clauses: bool = False, fields: bool = False, whole: bool = False) -> bool:
    """Whether an answer agrees with its case. With `clauses` it has to cite those that ours cites as well, no more and
    no fewer; with `fields` a refusal has to find what ours finds, at the same fields; with `whole` it holds nothing
    more than ours but texts, and its reasons the same amounts."""
    return next(differences(case, answer, clauses=clauses, fields=fields, whole=whole), None) is None


def differences(case: Case, answer: object, *, clauses: bool, fields: bool, whole: bool) -> Iterator[str]:
    """In what an answer differs from its case."""
    if not (agrees(case["expect"], answer) or (not whole and _refuses_as_well(case, answer))):
        yield "answer"
    elif whole and not case.get("part", False) and counted(answer) != case["expect"]:
        yield "more than is expected"
    if not isinstance(answer, Mapping) or answer.get("id") != case["question"].get("id"):
        yield "id"
    if clauses and cited(answer) != case["clauses"]:
        yield "clauses"
    if fields and told(answer) != case.get("found", []):
        yield "fields"
    if whole and reasons(answer) != case.get("reasons", []):
        yield "reasons"


def _refuses_as_well(case: Case, answer: object) -> bool:
    """Whether a refusal names another thing that is wrong with the same question."""
    codes = {code for _, code in case.get("found", [])}
    return any(agrees({"code": code}, answer) for code in codes)


#: Texts that are no data, though they stand in one language only or beside others.
_WORDS = ("message", "sentence")


def counted(answer: object) -> object:
    """All that counts of an answer: the code of a refusal, or everything but the texts in two languages."""
    if not isinstance(answer, Mapping):
        return None
    error = answer.get("error")
    return {"code": error.get("code")} if isinstance(error, Mapping) else _without_words(answer.get("answer"))


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


def program(command: str, seconds: float | None = None) -> Callable[[Iterable[Mapping[str, Any]]], list[object]]:
    """A program on standard input and output. ValueError where it does not end in time or answers too few or many."""

    def ask(questions: Iterable[Mapping[str, Any]]) -> list[object]:
        asked, words = list(questions), shlex.split(command)
        if not words:
            raise ValueError("there is no command")
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in asked)
        try:
            done = subprocess.run(  # noqa: S603 - the command is the caller's own
                words, input=lines.encode(), stdout=subprocess.PIPE, check=False, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            raise ValueError(f"it has not ended after {seconds:g} seconds") from None
        said = [line for line in done.stdout.decode("utf-8", "replace").split("\n") if line.strip()]
        if len(said) != len(asked):
            last = "" if len(said) > len(asked) else f", the first without one is {asked[len(said)].get('id')}"
            raise ValueError(f"{len(asked)} questions, {len(said)} answers{last}; exit code {done.returncode}")
        return [_read(line) for line in said]

    return ask


def _read(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def table(found: Sequence[Case], agreed: Sequence[bool]) -> list[str]:
    """A line for each clause: how many of its cases agree. Cases without a clause stand under their op."""
    good, of = Counter[str](), Counter[str]()
    for case, fine in zip(found, agreed, strict=True):
        for name in case["clauses"] or [f"({case['question']['input']['op']})"]:
            of[name] += 1
            good[name] += fine
    return [f"{'ok' if good[name] == of[name] else '--'}  {good[name]:>4}/{of[name]:<4} {name}" for name in sorted(of)]


def chosen(found: Iterable[Case], *, only: str, profile: str, stated: bool) -> list[Case]:
    """The cases of an op (or of all whose names begin so, where none is called so), of some rules, from a source."""
    cases_ = list(found)
    exact = any(case["question"]["input"]["op"] == only for case in cases_)
    return [
        case
        for case in cases_
        if (case["stated"] or not stated)
        and (case["question"]["input"]["op"] == only if exact else case["question"]["input"]["op"].startswith(only))
        and profile in ("", _rules(case["question"].get("profile")))
    ]


def _rules(named: Any) -> str:
    """The id of the rules that a question names."""
    return str(named.get("base")) if isinstance(named, Mapping) else str(named or "")


def show(case: Case, answer: object, wrong: Sequence[str]) -> None:
    """A case that differs: what was asked, what is expected, what was answered."""
    print(f"\n{case['id']} differs in: {', '.join(wrong)}")
    print(f"  asked    {json.dumps(case['question'], ensure_ascii=False)[:MOST_SIGNS]}")
    print(f"  expected {json.dumps(case['expect'], ensure_ascii=False)[:MOST_SIGNS]}")
    more = {"clauses": case["clauses"], "fields": case.get("found", []), "reasons": case.get("reasons", [])}
    for name, value in more.items():
        if name in wrong:
            print(f"  {name:<8} {json.dumps(value, ensure_ascii=False)[:MOST_SIGNS]}")
    print(f"  answered {json.dumps(answer, ensure_ascii=False)[:MOST_SIGNS]}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Put the conformance cases to a program.")
    parser.add_argument("--program", required=True, help="the command that answers one question a line")
    parser.add_argument("--stated", action="store_true", help="only cases whose answer stands in a source document")
    parser.add_argument("--clauses", action="store_true", help="answers also have to cite the same clauses (because)")
    parser.add_argument("--fields", action="store_true", help="refusals also have to find the same at the same fields")
    parser.add_argument(
        "--whole", action="store_true", help="answers also hold nothing more, but texts, and reasons the same amounts"
    )
    parser.add_argument("--only", default="", help="only this op, or ops whose names begin so")
    parser.add_argument("--profile", default="", help="only these rules, changed ones among them")
    parser.add_argument("--shown", type=int, default=20, help="how many differences are shown (20)")
    parser.add_argument("--seconds", type=float, default=900, help="how long the program may take (900)")
    given = parser.parse_args(arguments)
    checks = {"clauses": given.clauses, "fields": given.fields, "whole": given.whole}
    try:
        found = chosen(cases(), only=given.only, profile=given.profile, stated=given.stated)
        if not found:
            raise ValueError("there is no such case")
        answers = program(given.program, given.seconds)(case["question"] for case in found)
    except (OSError, ValueError) as error:
        print(f"Nothing was compared: {error}.", file=sys.stderr)
        return 2
    wrong = [list(differences(case, answer, **checks)) for case, answer in zip(found, answers, strict=True)]
    print("\n".join(table(found, [not one for one in wrong])))
    differing = [row for row in zip(found, answers, wrong, strict=True) if row[-1]]
    for row in differing[: given.shown]:
        show(*row)
    print(f"\n{len(found) - len(differing)} of {len(found)} cases agree.")
    return 1 if differing else 0


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # who reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except KeyboardInterrupt:
        code = 130
    raise SystemExit(code)
