"""The conformance cases: ``python -m tools.conformance update`` writes them and their page, ``check`` looks.

The worked examples typed from the source documents come first, with the answers that were written there. The others are
edges: for every profile both sides of each band, each level of the ladder, each shape in the kitty, and cards dealt by
a seed. The last ones a seed made up: they tell the kernel from one made wrong on purpose, or are one of their kind.
Their answers are our own; `check` fails when one of them would be another today.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from scoring.conformance.runner import counted
from tools.conformance_edges import edges
from tools.mutation.places import OPERATORS, OUT

ROOT: Final = Path(__file__).resolve().parent.parent
CASES: Final = ROOT / "scoring" / "conformance" / "cases.jsonl"
PAGE: Final = ROOT / "docs" / "conformance.md"
#: What the archive holds beside the cases: every question there is, and the clauses that belong to no profile.
QUESTIONS: Final = CASES.with_name("questions.md")
CLAUSES: Final = CASES.with_name("clauses.json")
WRITTEN: Final = ("vectors", "vectors-2")
#: Questions made up by a seed: they tell the kernel from one made wrong on purpose, or are one of their kind.
FOUND: Final = ROOT / "tests" / "cases" / "found.jsonl"
#: Questions written by hand for a line of the kernel that no other tells, by the letter of their ids. Each row has what
#: was judged from the clause (`says`), and why; the whole answer counts.
DIRECTED: Final = {
    "DC": ROOT / "tests" / "cases" / "directed_cards.jsonl",
    "DR": ROOT / "tests" / "cases" / "directed_rest.jsonl",
}

#: What the mutants showed when they were run last.
FIGURES: Final = ROOT / "tools" / "mutation" / "figures.json"


def cases() -> Iterator[dict[str, Any]]:
    """Every case in order, with the clauses that our own answer cites."""
    from tournaments.questions import answer

    for name in WRITTEN:
        for one in json.loads((ROOT / "tests" / "cases" / f"{name}.json").read_text("utf-8")):
            question = {"id": one["id"], "profile": one["profile"], "input": one["input"]}
            said = answer(question)
            stated = one.get("stated", one.get("status") == "stated")
            yield _case(one["id"], said, question, one["expected"], stated=stated) | {"part": True}
    for number, (profile, asked) in enumerate(edges(), start=1):
        yield _own({"id": f"E-{number:04}", "profile": profile, "input": asked})
    for number, line in enumerate(FOUND.read_text("utf-8").splitlines(), start=1):
        yield _own({"id": f"F-{number:05}", **json.loads(line)})
    for letter, file in DIRECTED.items():
        for number, one in enumerate(map(json.loads, file.read_text("utf-8").splitlines()), start=1):
            asked = {name: value for name, value in one.items() if name not in ("says", "why")}
            yield _own({"id": f"{letter}-{number:05}", **asked}, one["says"])


def _own(question: dict[str, Any], says: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A case whose answer is our own kernel's, with all that counts of it; `says`: what was judged by hand."""
    from scoring.conformance.runner import agrees
    from tournaments.questions import answer

    said = answer(question)
    if says is not None and not agrees(says, said):
        raise ValueError(f"{question['id']}: the kernel does not say {says}, but {said}")
    return _case(question["id"], said, question, counted(said), stated=False)


def _case(id_: str, said: Mapping[str, Any], question: Any, expect: Any, *, stated: bool) -> dict[str, Any]:
    from scoring.conformance.runner import cited, reasons, told

    _note_cited(said)
    case = {"id": id_, "clauses": cited(said), "stated": stated, "question": question, "expect": expect}
    case |= {"found": told(said)} if "error" in said else {}
    return case | ({"reasons": more} if (more := reasons(said)) else {})


#: The clauses that answers have cited so far, with their texts.
_CITED: Final[dict[str, Any]] = {}


def _note_cited(said: Any) -> None:
    """Keep the text of every clause that an answer cites, in its entries as well."""
    if isinstance(said, Mapping):
        for row in said.get("because") or ():
            _CITED.setdefault(row["clause"], dict(row["text"]))
    for one in said.values() if isinstance(said, Mapping) else said if isinstance(said, list | tuple) else ():
        _note_cited(one)


def beside() -> str:
    """The clauses that cases cite and no profile has (`profiles.json` has the others), by id; without those that say
    the value an event sets."""
    from scoring.profiles import individual_ids, load, profile_ids
    from scoring.profiles.clause_files import clauses_beside

    loaded = [*map(load, profile_ids()), *(load(one, individual=True) for one in individual_ids())]
    held = {name for one in loaded for name in one.clauses}
    known = {clause.id: dict(clause.text) for clause in clauses_beside()} | _CITED
    told = {name: words for name, words in sorted(known.items()) if name not in held and not name.startswith("set.")}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def text() -> str:
    return "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in cases())


def strength() -> str:
    """What the mutants showed when they were run last, for the page."""
    held = json.loads(FIGURES.read_text("utf-8"))
    out = "; ".join(f"`{name}` ({why})" for name, why in OUT.items() if name != "__init__.py")
    tables = "\n\n".join(_strength(one) for one in held["runs"])
    operators = "\n".join(f"- `{name}`: {what}." for name, what in OPERATORS.items())
    return f"""A suite that a wrong program passes is worth little, so the kernel is made wrong on purpose, in one
place at a time, and has to be caught (`python -m tools.mutants`; {held["places"]:,} places, drawn by a seed).
The operators and the places were settled before the cases that were found by searching:

{operators}

A mutant is killed when an answer of the suite differs, cites other clauses, gives other amounts as its reasons or
refuses other fields. One that breaks
down or does not end, so that no answer has to differ, is counted apart: the runner notices it all the same, for a line
is missing. Equal: alike in 100,000 questions made up for its op, and the reason is written down
(`tools/mutation/equal.json`). What is left is alive: nobody has shown yet which of the two it is. Each mutant is put to
all cases that run its statement; what is changed while the kernel is imported, and the data, to all cases.

{tables}

{held["told"]}

Left out, as no answer that counts comes from there: {out}. So are functions that no question reaches
(`tools/mutation/outside.json`), and everywhere texts, assertions and the sizes of caches."""


def _strength(run: Mapping[str, Any]) -> str:
    head = "| operator | mutants | killed | broke down | equal | alive |\n|---|---|---|---|---|---|"
    rows = {**run["operators"], "all": [sum(column) for column in zip(*run["operators"].values(), strict=True)]}
    told = "\n".join(
        f"| {name} | " + " | ".join(f"{one:,}" for one in numbers) + " |" for name, numbers in rows.items()
    )
    return f"{run['title']}\n\n{head}\n{told}"


def page(lines: str) -> str:
    """What the suite holds, for docs/conformance.md."""
    found = [json.loads(line) for line in lines.splitlines()]
    ops = Counter(one["question"]["input"]["op"] for one in found)
    clauses = {clause for one in found for clause in one["clauses"]}
    refusals = sum(set(one["expect"]) == {"code"} for one in found)
    rows = "\n".join(f"| `{op}` | {times:,} |" for op, times in sorted(ops.items()))
    by_letter = Counter(one["id"].partition("-")[0] for one in found)
    directed = sum(by_letter[letter] for letter in DIRECTED)
    edges_here, found_here = by_letter["E"], by_letter["F"]
    written = len(found) - edges_here - found_here - directed
    return f"""# Conformance

A verdict that nobody else can check is only our word. The conformance suite is what we hold ourselves to, in a form
that any program can be held to: {len(found):,} questions with the answers that count, {refusals:,} of them refusals,
citing {len(clauses):,} clauses.

Download it from any installation: `/conformance.zip`. It holds the cases, a runner that needs nothing but Python, the
protocol in two pages, every question with its fields, the options and clauses of every profile with their sources, the
clauses beside them, and the codes of refusals. An adapter of a few lines lets another program answer; adapters are
other people's.

    python runner.py --program "./my-adapter"

- {written:,} cases were typed from the source documents, with the answer written beside the quotation; `stated` says
  whether the document gives that answer.
- {edges_here:,} are edges of every profile of two sides: both sides of every band of totals, each level of the ladder
  in both roles, each shape in the kitty, fines, and cards dealt by a seed. Their answers are our own kernel's; they
  show where another program differs, and they stop ours from changing unseen: `make check` fails when one answer
  would be another.
- {found_here:,} are questions made up by a seed: some four hundred were kept because they tell our kernel from one that
  was made wrong in one place, the others because no other has their op, their clauses and their kind of answer. Their
  answers are our own kernel's as well.
- {directed:,} were written by hand, each for a line of the kernel that no other case told: what is right was judged
  from the clause first.
- Of edges, questions of a seed and those written by hand whole answers count, but for texts; of a refusal its code and,
  with `--fields`, what is wrong at which field.
- Where sources disagree no case is right for all: each case names its profile, and the profile its source.

## How strong it is

{strength()}

## What it asks

| op | cases |
|---|---|
{rows}

Written by `make conformance` from the vectors and the profiles.
"""


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    import django

    django.setup()
    lines = text()
    asked = (ROOT / "docs" / "questions.md").read_text("utf-8")
    made = {CASES: lines, PAGE: page(lines), CLAUSES: beside(), QUESTIONS: asked}
    if sys.argv[1:] == ["update"]:
        for path, written in made.items():
            path.write_text(written, "utf-8")
        return 0
    if sys.argv[1:] != ["check"]:
        print("usage: python -m tools.conformance update|check", file=sys.stderr)
        return 2
    if any(not path.exists() or path.read_text("utf-8") != written for path, written in made.items()):
        print("An answer of the conformance suite is another one now: run `make conformance` and look at what differs.")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
