"""How strong the conformance suite is: a kernel made wrong on purpose, once for each mutant, has to be caught.

    python -m tools.mutants run --seed 1 --count 2400 --figures one.jsonl       (goes on where it was left)
    python -m tools.mutants equal --seed 1 --figures one.jsonl                  (who lives: 100,000 questions each)

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
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from tools.mutation import running
from tools.mutation.places import OPERATORS, ROOT, Place, places
from tools.mutation.running import ALIVE, BROKEN, KILLED, Functions, Outcome, Suite

CASES: Final = ROOT / "scoring" / "conformance" / "cases.jsonl"
#: Why nobody can tell some mutants from the kernel, by name.
EQUAL: Final = ROOT / "tools" / "mutation" / "equal.json"
#: Questions that an equal mutant has answered as the kernel does.
MANY: Final = 100_000


def drawn(seed: int, count: int) -> list[Place]:
    """The mutants of a seed. The options are read in another process: a module that is loaded here could not be changed
    while it is imported, and its functions would not be found."""
    rows = _in_other_process(lambda: Random(seed).sample(places(), count))  # noqa: S311 - chance, not secrecy
    return [Place(*row)._replace(path=tuple(row[-1])) for row in rows]


def figures(path: Path) -> dict[str, dict[str, Any]]:
    """What has been found so far, by the name of the mutant."""
    if not path.exists():
        return {}
    return {row["name"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())}


def suite_cases() -> list[dict[str, Any]]:
    """The cases of the kernel's own ops."""
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def run(chosen: Sequence[Place], path: Path) -> None:
    """Every mutant that has no figure yet, against the suite."""
    known = figures(path)
    open_ = [place for place in chosen if place.name not in known]
    cases = suite_cases()
    fresh = set(_in_other_process(lambda: _fresh(open_)))
    with path.open("a", encoding="utf-8") as out:
        gc.freeze()
        for place in open_:
            if place.name in fresh:
                _note(out, place, running.fresh(place, cases))
        functions = Functions()
        suite = Suite(functions, cases)
        gc.freeze()
        rest = [place for place in open_ if place.name not in fresh]
        running.warm(functions, suite, rest, lambda place, outcome: _note(out, place, outcome))


def _fresh(open_: Sequence[Place]) -> list[str]:
    """The mutants that have to be there when the kernel is imported."""
    functions = Functions()
    return [place.name for place in open_ if not functions.can_change(place)]


def _in_other_process(work: Callable[[], Any]) -> Any:
    """What work that loads the kernel says, without it being loaded here."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        found = json.load(said)
    os.wait()
    return found


def _note(out: Any, place: Place, outcome: Outcome) -> None:
    out.write(json.dumps({"name": place.name, **outcome._asdict()}) + "\n")
    out.flush()
    if outcome.became == ALIVE:
        print(f"alive {place.name} in {place.function or 'the module'}", flush=True)


def summary(chosen: Sequence[Place], path: Path) -> list[str]:
    """How many of each operator became what."""
    known = figures(path)
    by_operator: dict[str, Counter[str]] = defaultdict(Counter)
    for place in chosen:
        if place.name in known:
            by_operator[place.operator][known[place.name]["became"]] += 1
    reasons = json.loads(EQUAL.read_text("utf-8"))
    for place in chosen:
        if known.get(place.name, {}).get("same", 0) >= MANY and place.name in reasons:
            by_operator[place.operator][ALIVE] -= 1
            by_operator[place.operator]["equal"] += 1
    every = sum(by_operator.values(), Counter[str]())
    rows = [f"{'operator':<10}{'mutants':>9}{'killed':>8}{'broken':>8}{'alive':>8}{'equal':>8}"]
    for name, found in [*((name, by_operator[name]) for name in OPERATORS), ("all", every)]:
        told = (sum(found.values()), found[KILLED], found[BROKEN], found[ALIVE], found["equal"])
        rows.append(f"{name:<10}{told[0]:>9}" + "".join(f"{number:>8}" for number in told[1:]))
    return rows


def equal(chosen: Sequence[Place], path: Path, seed: int) -> None:
    """Who lives, against very many questions of the op whose cases run its lines most: how many it answered alike."""
    known = figures(path)
    open_ = [one for one in chosen if known.get(one.name, {}).get("became") == ALIVE and "same" not in known[one.name]]
    ops = _ops_of(open_)
    for op in sorted(set(ops.values())):
        work = partial(_alike, op, [one for one in open_ if ops[one.name] == op], seed)
        with path.open("a", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in _in_other_process(work))


def _ops_of(open_: Sequence[Place]) -> dict[str, str]:
    """By mutant the op that most cases which run its lines are of."""

    def work() -> list[tuple[str, str]]:
        functions, cases = Functions(), suite_cases()
        suite = Suite(functions, cases)
        found = []
        for place in open_:
            run_by = suite.that_run(place) or {case for cases in suite.lines[place.file].values() for case in cases}
            ops = Counter(cases[number]["question"]["input"]["op"] for number in run_by)
            found.append((place.name, ops.most_common(1)[0][0] if ops else "sitting_state"))
        return found

    return dict(map(tuple, _in_other_process(work)))


def _alike(op: str, open_: Sequence[Place], seed: int) -> list[str]:
    """The figures of these mutants after very many questions of an op."""
    from tools.mutation.cases import asked

    functions = Functions()
    cases = asked(op, [one["question"] for one in suite_cases()], seed, MANY)
    warm = [one for one in open_ if functions.can_change(one)]
    suite = Suite(functions, cases, only=set().union(*(functions.around(one) for one in warm)))
    rows: list[str] = []

    def note(place: Place, outcome: Outcome) -> None:
        same = {"same": len(cases)} if outcome.became == ALIVE else {}
        rows.append(json.dumps({"name": place.name, **outcome._asdict(), "became": ALIVE, **same}))

    running.warm(functions, suite, warm, note)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutants of the kernel against the conformance suite.")
    parser.add_argument("work", choices=("run", "equal", "summary"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2400)
    parser.add_argument("--figures", type=Path, required=True)
    given = parser.parse_args()
    chosen = drawn(given.seed, given.count)
    if given.work == "run":
        run(chosen, given.figures)
    elif given.work == "equal":
        equal(chosen, given.figures, given.seed)
    print("\n".join(summary(chosen, given.figures)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
