"""How strong the conformance suite is: a kernel made wrong on purpose, once for each mutant, has to be caught.

    python -m tools.mutants run --seed 1 --count 2400 --figures one.jsonl       (goes on where it was left)
    python -m tools.mutants hunt --seed 1 --figures one.jsonl --questions q.jsonl   (questions that tell who lives)
    python -m tools.mutants run --seed 1 --figures one.jsonl --living           (who lives, once the suite has grown)
    python -m tools.mutants equal --seed 1 --figures one.jsonl                  (who lives: 100,000 questions each)
    python -m tools.mutants write --seed 1 --figures one.jsonl                  (the figures go to the page)

A mutant differs from the kernel in one place (tools/mutation/places.py says where and how); the places are drawn by the
seed. It is killed when an answer of the suite differs or cites other clauses, as `runner.py --clauses` would find. One
that only breaks down or does not end is counted apart, for no case had to tell it. Who survives is printed with its
place: either no question of the suite depends on it, which a new case mends, or nobody could tell (its answers are the
same).
"""

from __future__ import annotations

import argparse
import gc
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, TextIO

from tools.mutation import running
from tools.mutation.cases import as_case, near, questions
from tools.mutation.places import OPERATORS, ROOT, Place, places
from tools.mutation.reached import each, in_other_process, reached, statement_of
from tools.mutation.running import ALIVE, BROKEN, KILLED, Functions, Outcome, Suite

CASES: Final = ROOT / "scoring" / "conformance" / "cases.jsonl"
#: Why nobody can tell some mutants from the kernel, by name.
EQUAL: Final = ROOT / "tools" / "mutation" / "equal.json"
FIGURES: Final = ROOT / "tools" / "mutation" / "figures.json"
#: Questions that an equal mutant has answered as the kernel does.
MANY: Final = 100_000


def drawn(seed: int, count: int) -> list[Place]:
    """The mutants of a seed: those whose names have the lowest lots, so that a change of the kernel changes only those
    of the functions it changes. The options are read in another process: a module that is loaded here could not be
    changed while it is imported, and its functions would not be found."""

    def lot(place: Place) -> bytes:
        return sha256(f"{seed} {place.name}".encode()).digest()

    rows = in_other_process(lambda: sorted(places(), key=lot)[:count])
    return [Place(*row)._replace(path=tuple(row[-1])) for row in rows]


def figures(path: Path) -> dict[str, dict[str, Any]]:
    """What has been found so far, by the name of the mutant."""
    if not path.exists():
        return {}
    return {row["name"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())}


def suite_cases() -> list[dict[str, Any]]:
    """The cases, mixed: neighbours are alike, and what one of them does not tell the next will not either."""
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    Random(0).shuffle(cases)  # noqa: S311 - chance, not secrecy
    return cases


def suite_for(path: Path, every: int = 1) -> Suite:
    """The suite, or one case of so many; which of them run a statement is kept beside the figures."""
    cases = suite_cases()[::every]
    return Suite(cases, reached([case["question"] for case in cases], path.with_suffix(".reached")))


def _living(chosen: Sequence[Place], path: Path) -> list[Place]:
    known = figures(path)
    return [place for place in chosen if known.get(place.name, {}).get("became") == ALIVE]


def run(chosen: Sequence[Place], path: Path, every: int = 1, *, living: bool = False) -> None:
    """Every mutant that has no figure yet, or those that live, against the suite; for a first look against one case of
    so many."""
    known = figures(path)
    open_ = _living(chosen, path) if living else [place for place in chosen if place.name not in known]
    suite = suite_for(path, every)
    fresh = set(in_other_process(lambda: _fresh(open_)))
    with path.open("a", encoding="utf-8") as out:
        gc.freeze()
        in_other_process(lambda: _warm([place for place in open_ if place.name not in fresh], suite, out))
        for place in open_:
            if place.name in fresh:
                _note(out, place, running.fresh(place, suite))


def _warm(open_: Sequence[Place], suite: Suite, out: TextIO) -> None:
    """Those that a kernel which is loaded can take on."""
    functions = Functions()
    gc.freeze()
    running.warm(functions, suite, open_, lambda place, outcome: _note(out, place, outcome))


def _fresh(open_: Sequence[Place]) -> list[str]:
    """The mutants that have to be there when the kernel is imported."""
    functions = Functions()
    return [place.name for place in open_ if not functions.can_change(place)]


def _note(out: TextIO, place: Place, outcome: Outcome) -> None:
    out.write(json.dumps({"name": place.name, **outcome._asdict()}) + "\n")
    out.flush()
    if outcome.became == ALIVE:
        print(f"alive {place.name} in {place.function or 'the module'}", flush=True)


def by_operator(chosen: Sequence[Place], path: Path) -> dict[str, list[int]]:
    """Of each operator how many mutants were measured, killed, broke down, are shown equal, are alive."""
    known, reasons = figures(path), json.loads(EQUAL.read_text("utf-8"))
    found: dict[str, Counter[str]] = {name: Counter() for name in OPERATORS}
    for place in chosen:
        if (figure := known.get(place.name)) is not None:
            same = figure.get("same", 0) >= MANY and place.name in reasons
            found[place.operator]["equal" if same else figure["became"]] += 1
    return {
        name: [sum(one.values()), *(one[became] for became in (KILLED, BROKEN, "equal", ALIVE))]
        for name, one in found.items()
    }


def summary(chosen: Sequence[Place], path: Path) -> list[str]:
    """The same as lines."""
    found = by_operator(chosen, path)
    rows = {**found, "all": [sum(column) for column in zip(*found.values(), strict=True)]}
    heads = ("mutants", "killed", "broken", "equal", "alive")
    return [
        "operator  " + "".join(f"{head:>9}" for head in heads),
        *(f"{name:<10}" + "".join(f"{number:>9}" for number in numbers) for name, numbers in rows.items()),
    ]


def write(chosen: Sequence[Place], path: Path, seed: int) -> None:
    """Put the figures of a seed where the page takes them from (`make conformance`)."""
    held = json.loads(FIGURES.read_text("utf-8"))
    held["places"] = in_other_process(lambda: len(places()))
    run = next(one for one in held["runs"] if one["seed"] == seed)
    run["operators"] = by_operator(chosen, path)
    FIGURES.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", "utf-8")


def equal(chosen: Sequence[Place], path: Path, seed: int) -> None:
    """Who lives and has a reason written down, against very many questions: how many it answered alike. What runs in a
    function is asked questions of the op whose cases run its statement most, and those that do not run it are answered
    by the kernel itself; what is done while the kernel is imported is asked questions of all ops."""
    known, reasons = figures(path), json.loads(EQUAL.read_text("utf-8"))
    open_ = [one for one in _living(chosen, path) if "same" not in known[one.name] and one.name in reasons]
    if not open_:
        return
    fresh = set(in_other_process(lambda: _fresh(open_)))
    suite = suite_for(path)
    ops = {one.name: _op_of(suite.that_run(one), suite.cases) for one in open_ if one.name not in fresh}
    for op in sorted(set(ops.values())):
        work = partial(_alike, op, [one for one in open_ if ops.get(one.name) == op], seed)
        with path.open("a", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in in_other_process(work))
    asked = Suite(in_other_process(partial(_answered, seed)), {}) if fresh else suite
    gc.freeze()
    for place in open_:
        if place.name in fresh:
            with path.open("a", encoding="utf-8") as out:
                out.write(_told(place, running.fresh(place, asked), asked) + "\n")


def hunt(chosen: Sequence[Place], path: Path, seed: int, many: int, to: Path) -> None:
    """For each mutant that lives and has no reason: so many questions near the cases that run its statement, until one
    tells it from the kernel. Those are written down; whether the kernel's answer is right has to be judged then."""
    reasons = json.loads(EQUAL.read_text("utf-8"))
    open_ = [one for one in _living(chosen, path) if one.name not in reasons]
    suite = suite_for(path)
    with to.open("a", encoding="utf-8") as out:
        in_other_process(partial(_hunted, open_, suite, seed, many, out))


def _hunted(open_: Sequence[Place], suite: Suite, seed: int, many: int, out: TextIO) -> None:
    from tools.mutation.chance import Questions

    functions, made_of = Functions(), Questions([case["question"] for case in suite.cases])
    gc.freeze()
    for place in open_:
        known = [suite.cases[number]["question"] for number in suite.that_run(place)]
        if not known or not functions.can_change(place):
            continue
        chance = Random(f"{seed} {place.name}")  # noqa: S311 - chance, not secrecy
        found = in_other_process(partial(running.told_apart, functions, place, near(made_of, known, chance), many))
        print("told" if found else "not told", place.name, flush=True)
        if found:
            out.write(json.dumps({"name": place.name, "question": found}, ensure_ascii=False) + "\n")
            out.flush()


def _op_of(run_by: Sequence[int], cases: Sequence[Mapping[str, Any]]) -> str:
    """The op that most of these cases are of."""
    ops = Counter(cases[number]["question"]["input"]["op"] for number in run_by)
    return ops.most_common(1)[0][0] if ops else "sitting_state"


def _alike(op: str, open_: Sequence[Place], seed: int) -> list[str]:
    """The figures of these mutants after very many questions of an op."""
    suite = Suite(*in_other_process(partial(_asked, op, open_, seed)))
    functions = Functions()
    rows: list[str] = []
    gc.freeze()  # else a search for garbage among so many questions is taken for a question that does not end
    running.warm(functions, suite, open_, lambda place, outcome: rows.append(_told(place, outcome, suite)))
    return rows


def _told(place: Place, outcome: Outcome, suite: Suite) -> str:
    """The figures of one after very many questions: it lives still, for no case of the suite tells it."""
    print("alike" if outcome.became == ALIVE else outcome.became, place.name, flush=True)
    if outcome.by is not None:
        print(json.dumps(suite.cases[outcome.by]["question"], ensure_ascii=False), flush=True)
    same = {"same": MANY} if outcome.became == ALIVE else {}
    return json.dumps({"name": place.name, **outcome._asdict(), "became": ALIVE, **same})


def _answered(seed: int) -> list[dict[str, Any]]:
    """Very many questions of all ops, as cases."""
    from scoring.questions.protocol import answer

    asked = questions(None, [one["question"] for one in suite_cases()], seed, MANY)
    return [as_case(question, answer(question)) for question in asked]


def _asked(op: str, open_: Sequence[Place], seed: int) -> tuple[list[dict[str, Any]], dict[str, dict[int, list[int]]]]:
    """Of very many questions those that run a statement of these places, as cases, and which of them run which."""
    wanted = {(place.file, statement_of(place)) for place in open_}
    kept: list[dict[str, Any]] = []
    ran: dict[str, dict[int, list[int]]] = {}
    asked = questions(op, (one["question"] for one in suite_cases()), seed, MANY)
    for question, said, statements in each(asked):
        for file, line in statements & wanted:
            ran.setdefault(file, {}).setdefault(line, []).append(len(kept))
        if statements & wanted:
            kept.append(as_case(question, said))
    return kept, ran


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutants of the kernel against the conformance suite.")
    parser.add_argument("work", choices=("run", "hunt", "equal", "summary", "write"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2400)
    parser.add_argument("--figures", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="run: take one case of so many, for a first look (1)")
    parser.add_argument("--living", action="store_true", help="run: those that live, once more")
    parser.add_argument("--many", type=int, default=3_000, help="hunt: questions for each (3,000)")
    parser.add_argument("--questions", type=Path, help="hunt: where the questions go that tell a mutant")
    given = parser.parse_args()
    chosen = drawn(given.seed, given.count)
    if given.work == "run":
        run(chosen, given.figures, given.every, living=given.living)
    elif given.work == "hunt":
        hunt(chosen, given.figures, given.seed, given.many, given.questions)
    elif given.work == "equal":
        equal(chosen, given.figures, given.seed)
    elif given.work == "write":
        write(chosen, given.figures, given.seed)
    print("\n".join(summary(chosen, given.figures)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
