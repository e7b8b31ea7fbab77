"""How strong the conformance suite is: a kernel made wrong on purpose, once for each mutant, has to be caught.

    python -m tools.mutants --seed 1 --count 2000

A mutant differs from the kernel in one place: a comparison is turned, a number is moved by one, a condition is negated,
and becomes or, an addition becomes a subtraction. The places are drawn by the seed. A mutant is killed when an
answer of the suite differs or cites other clauses; one that breaks down or does not end is counted apart, for no case
had to tell it. Who survives is printed with its place: either no question of the suite depends on it, which a new case
mends, or nobody could tell (its answers are the same).
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
#: What decides answers; words, pictures, simulations and the protocol's own reading are left out.
ROOMS: Final = ("hands", "sittings", "individual", "boards", "standings", "cards", "signals", "penalties")
LEFT_OUT: Final = ("sentences.py", "records.py", "record_reading.py")
SECONDS: Final = 60

_TURNED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Place(NamedTuple):
    """One change: the file, the node by its number in the walk of the tree, and what is done there."""

    file: str
    node: int
    line: int
    what: str


def places() -> list[Place]:
    """Every change that can be made, in order."""
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / "scoring" / room).rglob("*.py")):
            if path.name not in LEFT_OUT:
                name = path.relative_to(ROOT).as_posix()
                tree = ast.parse(path.read_text("utf-8"))
                found += [
                    Place(name, number, getattr(node, "lineno", 0), what)
                    for number, node in enumerate(ast.walk(tree))
                    for what in _changes(node)
                ]
    return found


def _changes(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare):
        yield from (f"turned {number}" for number, op in enumerate(node.ops) if type(op) in _TURNED)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield from ("more", "less")
    elif isinstance(node, ast.BoolOp):
        yield "other"
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "negated"
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield "sign"


def changed(place: Place) -> ast.Module:
    """The tree of the file with that change."""
    tree = ast.parse((ROOT / place.file).read_text("utf-8"))
    node: Any = list(ast.walk(tree))[place.node]
    if place.what.startswith("turned"):
        number = int(place.what.removeprefix("turned "))
        node.ops[number] = _TURNED[type(node.ops[number])]()
    elif place.what in ("more", "less"):
        node.value += 1 if place.what == "more" else -1
    elif place.what == "other":
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif place.what == "negated":
        node.test = ast.UnaryOp(ast.Not(), deepcopy(node.test))
    else:
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return ast.fix_missing_locations(tree)


class _One(MetaPathFinder, Loader):
    """Loads one module from its changed tree."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.name = place.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = spec_from_loader(fullname, self, origin=str(ROOT / self.place.file))
        if spec is not None and self.place.file.endswith("__init__.py"):
            spec.submodule_search_locations = [str((ROOT / self.place.file).parent)]
        return spec

    def exec_module(self, module: Any) -> None:
        module.__file__ = str(ROOT / self.place.file)
        exec(compile(changed(self.place), module.__file__, "exec"), module.__dict__)  # noqa: S102 - it is our own code


def tried(place: Place) -> str:
    """``killed`` by a case, ``broken`` or ``alive``: what becomes of the kernel with this change. Run in a process of
    its own."""
    sys.meta_path.insert(0, _One(place))
    try:
        from scoring.conformance.runner import agrees, cases, cited
        from scoring.questions.protocol import OPS, answer

        for case in cases():
            if case["question"]["input"]["op"] in OPS:
                said = answer(case["question"])
                if not agrees(case["expect"], said) or cited(said) != case["clauses"]:
                    return "killed"
    except Exception:
        return "broken"
    return "alive"


def _tried(place: Place) -> str:
    """In a child of its own; one that does not end in time is broken."""
    with multiprocessing.get_context("spawn").Pool(1) as child:
        try:
            return child.apply_async(tried, (place,)).get(SECONDS)
        except multiprocessing.TimeoutError:
            return "broken"


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutants of the kernel against the conformance suite.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    given = parser.parse_args()
    chosen = Random(given.seed).sample(places(), given.count)  # noqa: S311 - chance, not secrecy
    found: Counter[str] = Counter()
    for number, place in enumerate(chosen, start=1):
        became = _tried(place)
        found[became] += 1
        if became == "alive":
            print(f"alive {place.file}:{place.line} {place.what}", flush=True)
        if number % 100 == 0:
            print(f"{number} tried, {found['alive']} alive", flush=True)
    told = ", ".join(f"{found[became]} {became}" for became in ("killed", "broken", "alive"))
    print(f"{len(chosen)} mutants of {len(places())} possible: {told}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
