"""Which questions run which statement of the kernel.

The kernel is loaded with a note before every statement of its functions, which costs little more than the answer. What
it keeps between questions is forgotten before each, but for the rules: the statements that make those count for
every question that is put to the same rules, and those that read their files for all.
"""

from __future__ import annotations

import ast
import builtins
import gc
import hashlib
import json
import os
import pickle
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from typing import Any, Final

from tools.mutation.places import ROOT, Place, data_files, modules, parsed

#: Question numbers by file and first line of a statement.
Reached = Mapping[str, Mapping[int, Sequence[int]]]
#: Functions that say which files there are, or read one: they are asked once.
READ_ONCE: Final = ("profile_ids", "individual_ids", "_files", "_read_file", "_folded", "_replaces")
_NOTE: Final = "_statement_is_run"


def statement_of(place: Place) -> int:
    """The first line of the innermost statement that a place stands in."""
    return _statements(place.file)[place.node]


@cache
def _statements(file: str) -> list[int]:
    """By the number of a node in the walk of its tree: the line of the statement around it."""
    tree = parsed(ROOT / file)
    lines: dict[int, int] = {}

    def walk(node: ast.AST, line: int) -> None:
        lines[id(node)] = line
        for one in ast.iter_child_nodes(node):
            walk(one, one.lineno if isinstance(one, ast.stmt) else line)

    walk(tree, 0)
    return [lines[id(node)] for node in ast.walk(tree)]


class _Noting(ast.NodeTransformer):
    """Puts a note before every statement inside functions, and into every function without a name."""

    def __init__(self, number: int) -> None:
        self.number, self.inside = number, False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outside, self.inside = self.inside, True
        self.generic_visit(node)
        self.inside = outside
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.BoolOp(ast.Or(), [self._note(node.lineno), node.body])
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if self.inside and not isinstance(node, ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                lines = getattr(node, name, None)
                if isinstance(lines, list):
                    setattr(node, name, [one for line in lines for one in (ast.Expr(self._note(line.lineno)), line)])
        return node

    def _note(self, line: int) -> ast.Call:
        key = ast.Constant(self.number * 100_000 + line)
        return ast.Call(ast.Name(_NOTE, ast.Load()), [key], [])


class _Loader(MetaPathFinder, Loader):
    def __init__(self, files: Sequence[Path]) -> None:
        names = [path.relative_to(ROOT).as_posix().removesuffix(".py").replace("/", ".") for path in files]
        self.numbers = {name: number for number, name in enumerate(names)}
        self.files = files

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname not in self.numbers:
            return None
        return spec_from_loader(fullname, self, origin=str(self.files[self.numbers[fullname]]))

    def exec_module(self, module: Any) -> None:
        number = self.numbers[module.__name__]
        module.__file__ = str(self.files[number])
        tree = ast.fix_missing_locations(_Noting(number).visit(parsed(self.files[number])))
        exec(compile(tree, module.__file__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102


def each(questions: Iterable[Any]) -> Iterator[tuple[Any, Any, set[tuple[str, int]]]]:
    """Each question, its answer and the statements it ran, by file and line. In a process without the kernel."""
    files = modules()
    names = [path.relative_to(ROOT).as_posix() for path in files]
    found: set[int] = set()
    setattr(builtins, _NOTE, found.add)
    sys.meta_path.insert(0, _Loader(files))
    from scoring.questions.protocol import answer

    forget = _forgetting()
    read_once()
    of_rules: dict[str, set[int]] = {}
    tables = {number for number, name in enumerate(names) if "/profiles/" in name or name.endswith("ladder.py")}
    everywhere = {one for one in found if one // 100_000 in tables}
    for question in questions:
        rules = json.dumps(_rules(question), sort_keys=True)
        forget(rules=rules not in of_rules)
        found.clear()
        said = answer(question)
        if rules not in of_rules:
            of_rules[rules] = {one for one in found if one // 100_000 in tables}
        yield question, said, {(names[one // 100_000], one % 100_000) for one in found | of_rules[rules] | everywhere}


def reached(questions: Sequence[Any], kept_in: Path | None = None) -> Reached:
    """The questions that run each statement, by their number. What was found before is taken from the file as long as
    the kernel is the same; so only new questions are asked."""
    kernel = hashlib.sha256(b"".join(path.read_bytes() for path in (*modules(), *data_files()))).hexdigest()
    numbers: dict[str, int] = {}
    by: dict[tuple[str, int], array[int]] = {}
    if kept_in is not None and kept_in.exists():
        before, known, found = pickle.loads(kept_in.read_bytes())  # noqa: S301 - written below
        numbers, by = (known, found) if before == kernel else (numbers, by)
    written = [json.dumps(question, sort_keys=True) for question in questions]
    fresh = [one for one in dict.fromkeys(written) if one not in numbers]
    if fresh:
        numbers, by = in_other_process(lambda: _with(fresh, numbers, by))
        if kept_in is not None:
            kept_in.write_bytes(pickle.dumps((kernel, numbers, by)))
    places_of: dict[int, list[int]] = {}
    for at, one in enumerate(written):
        places_of.setdefault(numbers[one], []).append(at)
    told: dict[str, dict[int, list[int]]] = {}
    for (file, line), ran in by.items():
        told.setdefault(file, {})[line] = sorted(at for number in ran for at in places_of.get(number, ()))
    return told


def _with(
    fresh: Sequence[str], numbers: dict[str, int], by: dict[tuple[str, int], array[int]]
) -> tuple[dict[str, int], dict[tuple[str, int], array[int]]]:
    """What was found before and what these questions run."""
    for (_, _, statements), question in zip(each(map(json.loads, fresh)), fresh, strict=True):
        number = numbers[question] = len(numbers)
        for statement in statements:
            by.setdefault(statement, array("I")).append(number)
    return numbers, by


def in_other_process(work: Callable[[], Any]) -> Any:
    """What work that loads the kernel says, without it being loaded here."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as out:
            pickle.dump(work(), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as said:
        found = pickle.load(said)  # noqa: S301 - written by the child
    os.wait()
    return found


def _rules(question: Any) -> Any:
    """What of a question names its rules."""
    from scoring.profiles import OPTIONS

    if not isinstance(question, Mapping) or not isinstance(question.get("input"), Mapping):
        return None
    set_here = {name: value for name, value in question["input"].items() if name in OPTIONS}
    return [question.get("profile"), set_here, question["input"].get("op")]


def kept(*, rules: bool) -> list[Any]:
    """What the kernel keeps from one question to the next: the rules it has read, or all the rest."""
    from functools import _lru_cache_wrapper

    found = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    mine = [one for one in found if str(getattr(one, "__module__", "")).startswith("scoring")]
    return [one for one in mine if (".profiles." in one.__module__) is rules and one.__name__ not in READ_ONCE]


def read_once() -> None:
    """Read each file of rules once and keep what it says, which is most of the work of putting other options."""
    from scoring.profiles import loader

    kept, usual = {}, loader._read_file

    def read(name: str) -> dict[str, Any]:
        if name not in kept:
            kept[name] = pickle.dumps(usual(name))
        told: dict[str, Any] = pickle.loads(kept[name])  # noqa: S301 - written two lines above
        return told

    loader._read_file = read
    loader.individual_ids()


def _forgetting() -> Callable[..., None]:
    """Forgets what is kept, and the climbs of the ladders made last."""
    from scoring.ladder import Ladder

    made: deque[Any] = deque((one for one in gc.get_objects() if type(one) is Ladder), maxlen=600)
    usual = Ladder.__post_init__

    def noted(self: Any) -> None:
        usual(self)
        made.append(self)

    Ladder.__post_init__ = noted  # type: ignore[method-assign]
    rest, read = kept(rules=False), kept(rules=True)

    def forget(*, rules: bool) -> None:
        for one in (*rest, *read) if rules else rest:
            one.cache_clear()
        for ladder in made:
            ladder._kept.cache_clear()

    return forget
