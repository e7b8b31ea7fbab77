"""Where the kernel can be made wrong, and how: the operators and the modules, fixed before the cases.

What is mutated is what decides the answers of `ask` (OUT says what is left out and why). Within it nothing is changed
that only makes words (texts in two languages, f-strings, functions that return a text), that only tells the type
checker something (assertions, annotations), or that only saves time (sizes of caches).
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from decimal import Decimal, InvalidOperation
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent.parent
KERNEL: Final = ROOT / "scoring"

#: Rooms and modules of the kernel that no mutant is made in, and why.
OUT: Final = {
    "simulation/": "plays hands by itself; no question is answered by it",
    "explaining/": "flows and worked cases of the pages; no question is answered by it",
    "conformance/": "the suite itself",
    "radar/": "questions for officials with their rates; no question of the protocol is answered by it",
    "sittings/sentences.py": "words; no case compares a sentence",
    "individual/sentences.py": "words; no case compares a sentence",
    "wording.py": "words; no case compares a sentence",
    "messages.py": "words; no case compares a sentence",
    "signals/words.py": "words; no case compares a sentence",
    "profiles/option_words.py": "words; no case compares a sentence",
    "profiles/titles.py": "names of clauses for the pages; no question is answered by it",
    "standings/knockout_words.py": "words; no case compares a sentence",
    "profiles/tables.py": "tables of the pages; no question is answered by it",
    "profiles/comparing.py": "rules side by side on the pages; no question is answered by it",
    "hands/fields.py": "fields of the forms; no question is answered by it",
    "sittings/series.py": "best of several games; no question is answered by it",
    "sittings/transitions.py": "the advisor's table; no question is answered by it",
    "sittings/step_table.py": "what a phone without a line works with; no question is answered by it",
    "standings/going_on.py": "a table made again where it stood; no question is answered by it",
    "cards/records.py": "writes the notation; questions only read it",
    "frozen.py": "makes objects faster",
    "__init__.py": "names only",
}
#: Functions of the modules within that no question reaches: the pages, the phone and the simulator call them.
OUT_FUNCTIONS: Final = frozenset(json.loads((Path(__file__).parent / "outside.json").read_text("utf-8")))

#: Each operator by name: what it does. `option` and `edge` change the data of the rules, the others the program.
OPERATORS: Final = {
    "turned": "a comparison is turned: < and <=, > and >=, equal and not, in and not in, is and is not",
    "negated": "a condition is negated",
    "other": "and becomes or, or becomes and",
    "number": "a number is moved by one, up or down: the edges of tables that stand in the program, too",
    "sign": "an addition becomes a subtraction and the other way",
    "reason": "a reason is dropped: a clause that is cited, a topic that names one",
    "option": "an option that a file of rules writes is given another value",
    "edge": "an edge in a file of rules or penalties is moved by one step, up or down",
}

_TURNED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
#: What functions of words give.
_TEXTS: Final = ("Text", "Text | None", "Lines")
_CITING: Final = ("cite", "_cite", "cited", "cite_from")
_CACHES: Final = ("lru_cache", "cache")


class Place(NamedTuple):
    """One change: the file, the node by its number in the walk of the tree (or the path in the data), the lines it
    stands on, the function around it (qualified; empty at the level of the module), what is done there, and a mark of
    that function's text with the number of the node in it."""

    file: str
    node: int
    line: int
    last: int
    function: str
    what: str
    mark: str = ""
    path: tuple[str | int, ...] = ()

    @property
    def operator(self) -> str:
        return self.what.split()[0]

    @property
    def name(self) -> str:
        """What it is called in lists: the same for as long as the function does not change, whatever else does."""
        where = ".".join(map(str, self.path)) or f"{self.function}:{self.mark}"
        return f"{self.file}:{where} {self.what}"


def modules() -> list[Path]:
    """The modules that mutants are made in."""
    found = []
    for path in sorted(KERNEL.rglob("*.py")):
        name = path.relative_to(KERNEL).as_posix()
        if not any(name.startswith(one) if one.endswith("/") else name == one or path.name == one for one in OUT):
            found.append(path)
    return found


def places() -> list[Place]:
    """Every change that can be made, in order."""
    in_code = [place for path in modules() for place in _in_module(path)]
    return [one for one in in_code if f"{one.file}:{one.function}" not in OUT_FUNCTIONS] + list(_in_data())


def _in_module(path: Path) -> Iterator[Place]:
    name, tree = path.relative_to(ROOT).as_posix(), parsed(path)
    numbers, marks = {id(node): number for number, node in enumerate(ast.walk(tree))}, _marks(tree)
    for node, function in _deciding(tree, ()):
        for what, spot in _changes(node):
            line = getattr(spot, "lineno", 0)
            last = getattr(spot, "end_lineno", line)
            yield Place(name, numbers[id(node)], line, last, ".".join(function), what, marks[id(node)])


def _marks(tree: ast.Module) -> dict[int, str]:
    """By node: a mark of the text of the function around it, or of the statement outside all functions, and the number
    of the node in there. Of two that read alike the second has a mark of its own."""
    marks: dict[int, str] = {}
    seen: Counter[str] = Counter()

    def mark(node: ast.AST, *, outside: bool) -> None:
        begins = isinstance(node, ast.FunctionDef) or (outside and isinstance(node, ast.stmt))
        if begins:
            text = sha256(ast.dump(node).encode()).hexdigest()[:6]
            seen[text] += 1
            text += f"~{seen[text]}" if seen[text] > 1 else ""
            marks.update((id(one), f"{text}.{number}") for number, one in enumerate(ast.walk(node)))
        for one in ast.iter_child_nodes(node):
            mark(one, outside=outside and not isinstance(node, ast.FunctionDef))

    mark(tree, outside=True)
    return marks


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _deciding(node: ast.AST, function: tuple[str, ...]) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """The nodes below this one that can decide an answer, with the function they stand in."""
    if isinstance(node, ast.Assert | ast.JoinedStr) or _is_text(node) or _is_for_types(node):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from _defined(node, function)
        return
    yield node, function
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield from _deciding(one, function)


def _defined(
    node: ast.FunctionDef | ast.ClassDef, function: tuple[str, ...]
) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    if isinstance(node, ast.FunctionDef):
        if node.returns is not None and ast.unparse(node.returns) in _TEXTS:
            return
        for one in (*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)):
            yield from _deciding(one, function)
    for line in node.body:
        yield from _deciding(line, (*function, node.name))


def _is_text(node: ast.AST) -> bool:
    """A text in two languages."""
    if not isinstance(node, ast.Dict):
        return False
    return {key.value for key in node.keys if isinstance(key, ast.Constant)} == {"en", "zh"}


def _is_for_types(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Call):
        return _called(node) in (*_CACHES, "TypeVar", "both")
    return False


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What can be done to a node, and the node whose lines are run when it is."""
    if isinstance(node, ast.Compare):
        yield from ((f"turned {number}", node) for number, op in enumerate(node.ops) if type(op) in _TURNED)
    elif isinstance(node, ast.Constant):
        if type(node.value) is int:
            yield from (("number up", node), ("number down", node))
        elif isinstance(node.value, str) and "." in node.value and node.value in topics():
            yield "reason topic", node
    elif isinstance(node, ast.BoolOp):
        yield "other", node
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "negated", node.test
    elif isinstance(node, ast.comprehension):
        yield from ((f"negated {number}", test) for number, test in enumerate(node.ifs))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield "sign", node
    elif isinstance(node, ast.Call):
        if _called(node) in _CITING:
            yield "reason cited", node
        yield from (
            (f"reason given {number}", one.value)
            for number, one in enumerate(node.keywords)
            if one.arg == "because" and not isinstance(one.value, ast.Name | ast.Attribute)
        )


@cache
def topics() -> frozenset[str]:
    """Every topic that a clause of any rules speaks on."""
    files = sorted(KERNEL.glob("*/rules/*.json")) + sorted(KERNEL.glob("*/*.json"))
    held = [json.loads(path.read_text("utf-8")) for path in files]
    rows = [row for one in held if isinstance(one, dict) for row in one.get("clauses", ()) if isinstance(row, dict)]
    return frozenset(row["topic"] for row in rows)


def changed(place: Place) -> ast.Module:
    """The tree of the file with that change."""
    tree = parsed(ROOT / place.file)
    node: Any = next(one for number, one in enumerate(ast.walk(tree)) if number == place.node)
    kind, number = place.operator, int((place.what.split()[-1:] or [""])[0] or 0) if place.what[-1].isdigit() else 0
    if kind == "turned":
        node.ops[number] = _TURNED[type(node.ops[number])]()
    elif place.what in ("number up", "number down"):
        node.value += 1 if place.what == "number up" else -1
    elif kind == "other":
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif kind == "negated" and isinstance(node, ast.comprehension):
        node.ifs[number] = ast.UnaryOp(ast.Not(), deepcopy(node.ifs[number]))
    elif kind == "negated":
        node.test = ast.UnaryOp(ast.Not(), deepcopy(node.test))
    elif kind == "sign":
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    else:
        tree = _Dropped(node, place.what, number).visit(tree)
    return ast.fix_missing_locations(tree)


class _Dropped(ast.NodeTransformer):
    """Drops one reason."""

    def __init__(self, node: ast.AST, what: str, number: int) -> None:
        self.node, self.what, self.number = node, what, number

    def visit(self, node: ast.AST) -> Any:
        if node is not self.node:
            return self.generic_visit(node)
        if self.what == "reason cited":
            return ast.copy_location(ast.Tuple([], ast.Load()), node)
        if isinstance(node, ast.Call):
            node.keywords[self.number].value = ast.Tuple([], ast.Load())
        elif isinstance(node, ast.Constant):
            node.value = "no topic"
        return node


#: Options that only choose words.
_ONLY_WORDS: Final = ("win_names",)


def _in_data() -> Iterator[Place]:
    for path in data_files():
        held = json.loads(path.read_text("utf-8"))
        name = path.relative_to(ROOT).as_posix()
        for option, value in held.get("options", {}).items():
            if option in _ONLY_WORDS:
                continue
            if flipped(option, value) is not None:
                yield Place(name, -1, 0, 0, "", "option", path=("options", option))
            for at in _edges(value, ("options", option)):
                yield from (Place(name, -1, 0, 0, "", f"edge {way}", path=at) for way in ("up", "down"))
        for part in ("offences", "ladders", "when"):
            for at in _edges(held.get(part), (part,)):
                yield from (Place(name, -1, 0, 0, "", f"edge {way}", path=at) for way in ("up", "down"))


def data_files() -> Iterable[Path]:
    """The rules of every profile, and the schedules of penalties."""
    return sorted(KERNEL.glob("*/rules/*.json")) + sorted(KERNEL.glob("*/schedules/*.json"))


def _edges(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """The paths of the numbers inside: whole ones, and those written as texts."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _edges(one, (*path, name)) if name != "text" else ()
    elif isinstance(value, list):
        if not all(isinstance(one, str) for one in value):
            for at, one in enumerate(value):
                yield from _edges(one, (*path, at))
    elif type(value) is int or (isinstance(value, str) and _decimal(value) is not None):
        yield path


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def flipped(option: str, value: Any) -> Any:
    """Another value of an option: the other one of yes and no, the next word, for a list or nothing what other rules
    write. Nothing for numbers and what holds some: their edges are moved."""
    from scoring.profiles.options import OPTIONS

    if type(value) is bool:
        return not value
    if isinstance(value, str):
        words = _words(OPTIONS[option].read)
        return words[(words.index(value) + 1) % len(words)] if value in words else None
    if value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        return next((one for one in _written()[option] if one != value and one is not None), None)
    return None


@cache
def _written() -> Mapping[str, list[Any]]:
    """The values that any file of rules writes, by option."""
    found: dict[str, list[Any]] = {}
    for path in sorted(KERNEL.glob("*/rules/*.json")):
        for option, value in json.loads(path.read_text("utf-8")).get("options", {}).items():
            found.setdefault(option, []).append(value)
    return found


def _words(read: Any) -> tuple[str, ...]:
    """The words an option can be."""
    held = [cell.cell_contents for cell in read.__closure__ or ()]
    return next((one for one in held if isinstance(one, tuple) and all(isinstance(word, str) for word in one)), ())


def changed_data(place: Place) -> str:
    """The text of the data file with that change."""
    held: Any = json.loads((ROOT / place.file).read_text("utf-8"))
    at = held
    for step in place.path[:-1]:
        at = at[step]
    last: Any = place.path[-1]
    value = at[last]
    if place.operator == "option":
        at[last] = flipped(str(last), value)
    else:
        step = _step(place.path, value) * (1 if place.what == "edge up" else -1)
        at[last] = str(Decimal(value) + step) if isinstance(value, str) else value + step
        if last == "to" and place.path[1] == "level_table":
            held["options"]["level_table"][int(place.path[2]) + 1]["from"] += step
        if last == "from" and place.path[1] == "level_table":
            held["options"]["level_table"][int(place.path[2]) - 1]["to"] += step
    return json.dumps(held, ensure_ascii=False)


#: Options in points: the step from one edge to the next is five of them.
_IN_POINTS: Final = (
    "threshold", "step", "level_table", "score_cap", "score_floor", "throw_fine", "flag_line",
    "bidding", "jokers_worth", "dark_bid_fine", "rebellion_points",
)  # fmt: skip


def _step(path: tuple[str | int, ...], value: Any) -> int:
    points = path[0] == "options" and path[1] in _IN_POINTS and path[-1] != "levels"
    return 5 if points or (path[-1] == "amount" and type(value) is int and abs(value) >= 5) else 1
