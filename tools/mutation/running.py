"""Mutants against cases: each in a process of its own, stopped at the first answer that differs.

A warm process holds the kernel and knows which case runs which line. For each mutant it makes a child, gives the
functions there their changed code, and puts only those cases to it that run the changed lines. What is done while
the kernel is imported (tables, defaults) is changed in a child that imports it afresh, and is put to all of them.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple

from tools.mutation.places import ROOT, Place, changed, changed_data, modules

Case = Mapping[str, Any]
#: Seconds of the processor a question may take, many times what the slowest one takes; then the mutant has broken down.
SECONDS: Final = 2
#: Seconds for all questions of one mutant.
SECONDS_EACH: Final = 900
MEMORY: Final = 3 * 2**30
#: Mutants that one child takes.
AT_ONCE: Final = 60
KILLED, BROKEN, ALIVE = "killed", "broken", "alive"


class Outcome(NamedTuple):
    """What became of a mutant: `killed` by the case with that number, `broken` (it fails or does not end, and no answer
    differs) or `alive`, after so many questions that ran the changed lines."""

    became: str
    by: int | None
    asked: int


class Suite:
    """Cases, and which of them run a line. Made in the warm process."""

    def __init__(
        self,
        functions: Functions,
        cases: Sequence[Case],
        most: int = 10**9,
        only: Container[tuple[str, int]] | None = None,
    ) -> None:
        """`only`: the functions whose lines matter, by file and first line; all of them where left out."""
        self.cases = cases
        self.lines: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, lines in enumerate(_lines_run(functions, (case["question"] for case in cases), only)):
            for file, found in lines.items():
                by_line = self.lines[file]
                for line in found:
                    if len(by_line[line]) < most:
                        by_line[line].append(number)

    def that_run(self, place: Place) -> Sequence[int]:
        """The cases that run the lines of a place."""
        by_line = self.lines[place.file]
        found = [by_line.get(line, ()) for line in range(place.line, place.last + 1)]
        return found[0] if len(found) == 1 else sorted({case for one in found for case in one})


def _lines_run(
    functions: Functions, questions: Iterable[Any], only: Container[tuple[str, int]] | None
) -> Iterator[dict[str, set[int]]]:
    """The lines that each question runs, by file. What is kept between questions is forgotten before each, but for
    the rules: the lines that read those count for every question that is put to them."""
    from scoring.questions.protocol import answer

    names = {str(path): path.relative_to(ROOT).as_posix() for path in modules()}
    found: dict[str, set[int]] = {name: set() for name in names.values()}
    local = {path: _line_into(found[name]) for path, name in names.items()}

    def enter(frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        return local.get(code.co_filename) if only is None or (code.co_filename, code.co_firstlineno) in only else None

    seen: dict[str, dict[str, set[int]]] = {}
    ladders = _ladders_made(functions.ladders)
    for question in questions:
        rules = json.dumps(_rules(question), sort_keys=True)
        for one in functions.kept if rules in seen else (*functions.kept, *functions.rules):
            one.cache_clear()
        for ladder in ladders:
            ladder._climbs.clear()
        for lines in found.values():
            lines.clear()
        sys.settrace(enter)
        try:
            answer(question)
        finally:
            sys.settrace(None)
        run = {name: set(lines) for name, lines in found.items() if lines}
        if rules not in seen:
            seen[rules] = {name: lines for name, lines in run.items() if "/profiles/" in name or "ladder" in name}
        for name, lines in seen[rules].items():
            run[name] = run.get(name, set()) | lines
        yield run


def _ladders_made(known: Iterable[Any]) -> deque[Any]:
    """The ladders made last; each keeps what it has climbed."""
    from scoring.ladder import Ladder

    made: deque[Any] = deque(known, maxlen=600)
    usual = Ladder.__post_init__

    def noted(self: Any) -> None:
        usual(self)
        made.append(self)

    Ladder.__post_init__ = noted  # type: ignore[method-assign]
    return made


def _line_into(lines: set[int]) -> Callable[[FrameType, str, object], Any]:
    add = lines.add

    def local(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            add(frame.f_lineno)
        return local

    return local


def _rules(question: Any) -> Any:
    """What of a question names its rules."""
    from scoring.profiles import OPTIONS

    if not isinstance(question, Mapping) or not isinstance(question.get("input"), Mapping):
        return None
    set_here = {name: value for name, value in question["input"].items() if name in OPTIONS}
    return [question.get("profile"), set_here, question["input"].get("op")]


def _kept(*, rules: bool) -> list[Any]:
    """What the kernel keeps from one question to the next: the rules it has read, or all the rest."""
    from functools import _lru_cache_wrapper

    found = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    mine = [one for one in found if str(getattr(one, "__module__", "")).startswith("scoring")]
    return [one for one in mine if (".profiles." in one.__module__) is rules]


#: What runs when the rules are read, and is kept with them.
_MAKE_RULES: Final = ("scoring/profiles/", "scoring/ladder.py", "scoring/values.py", "scoring/questions/protocol.py")


class Functions:
    """The functions of the kernel that is loaded here, by file; `early` are those run while it was imported."""

    def __init__(self) -> None:
        early: set[tuple[str, str]] = set()

        def note(frame: FrameType, event: str, argument: object) -> None:
            if event == "call":
                early.add((frame.f_code.co_filename, _plain(frame.f_code)))

        sys.setprofile(note)
        import scoring.questions.protocol  # noqa: F401

        sys.setprofile(None)
        self.early = early
        self.live: dict[str, list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if type(one) is FunctionType and one.__code__.co_filename.startswith(str(ROOT)):
                self.live[one.__code__.co_filename].append(one)
        from scoring.ladder import Ladder

        self.ladders = [one for one in gc.get_objects() if type(one) is Ladder]
        self.kept = _kept(rules=False)
        self.rules = _kept(rules=True)
        self.names = {
            (file, _plain(code)) for file, ones in self.live.items() for one in ones for code in _codes(one.__code__)
        }

    def can_change(self, place: Place) -> bool:
        """Whether the place stands in a function that has not been run while the kernel was imported."""
        key = (str(ROOT / place.file), place.function)
        return not place.path and key in self.names and key not in self.early

    def around(self, place: Place) -> set[tuple[str, int]]:
        """The functions around a place, by file and first line."""
        file = str(ROOT / place.file)
        codes = {code for one in self.live[file] for code in _codes(one.__code__)}
        lines = {code: [line for _, _, line in code.co_lines() if line] for code in codes}
        return {
            (file, code.co_firstlineno)
            for code, found in lines.items()
            if found and min(found) <= place.last and place.line <= max(found)
        }

    def changed(self, place: Place) -> list[tuple[FunctionType, CodeType]]:
        """Give the functions of the file their changed code; what they had before."""
        file = str(ROOT / place.file)
        new: dict[tuple[str, int], list[CodeType]] = defaultdict(list)
        for code in _codes(compile(changed(place), file, "exec", dont_inherit=True)):
            new[code.co_qualname, code.co_firstlineno].append(code)
        had = []
        for one in self.live[file]:
            code = one.__code__
            same = [
                other for other in new[code.co_qualname, code.co_firstlineno] if other.co_freevars == code.co_freevars
            ]
            if len(same) == 1:
                had.append((one, code))
                one.__code__ = same[0]
        self.forget(place)
        return had

    def restore(self, place: Place, had: Iterable[tuple[FunctionType, CodeType]]) -> None:
        for one, code in had:
            one.__code__ = code
        self.forget(place)

    def forget(self, place: Place) -> None:
        """Forget what the kernel keeps from one question to the next; the rules only where they are made otherwise."""
        for one in self.kept:
            one.cache_clear()
        if place.file.startswith(_MAKE_RULES):
            for one in self.rules:
                one.cache_clear()


def _plain(code: CodeType) -> str:
    """The name of a function as a place writes it, without the marks of what stands inside another."""
    return ".".join(one for one in code.co_qualname.split(".") if not one.startswith("<"))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


class _One(MetaPathFinder, Loader):
    """Loads one module from its changed tree."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.name = place.file.removesuffix(".py").replace("/", ".")

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self, origin=str(ROOT / self.place.file)) if fullname == self.name else None

    def exec_module(self, module: Any) -> None:
        module.__file__ = str(ROOT / self.place.file)
        exec(compile(changed(self.place), module.__file__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102


def load_changed(place: Place) -> None:
    """In a process without the kernel: change what it will load."""
    if not place.path:
        sys.meta_path.insert(0, _One(place))
        return
    file, text, read = ROOT / place.file, changed_data(place), Path.read_text

    def read_text(self: Path, *given: Any, **more: Any) -> str:
        return text if self == file else read(self, *given, **more)

    Path.read_text = read_text  # type: ignore[method-assign]


class _TooLong(BaseException):
    """A question has taken too long. No handler of the kernel catches it."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise _TooLong


def put(cases: Sequence[Case], numbers: Iterable[int]) -> Outcome:
    """Put cases to the kernel of this process until an answer differs."""
    from scoring.conformance.runner import fits
    from scoring.questions.protocol import answer

    signal.signal(signal.SIGVTALRM, _stop)
    broken, asked = False, 0
    for number in numbers:
        case = cases[number]
        asked += 1
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            said = answer(case["question"])
        except _TooLong:
            return Outcome(BROKEN, number, asked)
        except Exception:
            broken = True
            continue
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if not fits(case, said, clauses=True, fields=True, whole=True):
            return Outcome(KILLED, number, asked)
    return Outcome(BROKEN if broken else ALIVE, None, asked)


def in_child(work: Callable[[], Outcome]) -> Outcome:
    """Do that in a child of this process; one that dies or does not end has broken down."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, writing)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], SECONDS_EACH)
    said = b""
    if ready:
        while part := os.read(reading, 65536):
            said += part
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    os.waitpid(child, 0)
    return Outcome(*json.loads(said)) if said else Outcome(BROKEN, None, 0)


def _work(work: Callable[[], Outcome], writing: int) -> None:
    """The child's whole life."""
    _prepare()
    said = Outcome(BROKEN, None, 0)
    try:
        said = work()
    except BaseException:
        said = Outcome(BROKEN, None, 0)
    finally:
        os.write(writing, json.dumps(said).encode())
        os._exit(0)


def fresh(place: Place, cases: Sequence[Case], numbers: Iterable[int] | None = None) -> Outcome:
    """What becomes of a mutant that is there when the kernel is imported. The kernel must not be loaded here."""

    def work() -> Outcome:
        load_changed(place)
        return put(cases, range(len(cases)) if numbers is None else numbers)

    return in_child(work)


def warm(
    functions: Functions,
    suite: Suite,
    open_: Sequence[Place],
    note: Callable[[Place, Outcome], None],
    numbers: Callable[[Place], Sequence[int]] | None = None,
) -> None:
    """What becomes of mutants in functions of the kernel that is loaded here, each against the cases that run its lines
    (or those given). A child takes one after the other and puts back what it changed; after one that left the kernel
    in disorder comes a new child."""
    at = 0
    while at < len(open_):
        before = at
        for outcome in _one_after_the_other(functions, suite, open_[at : at + AT_ONCE], numbers or suite.that_run):
            note(open_[at], outcome)
            at += 1
        if at == before:
            note(open_[at], Outcome(BROKEN, None, 0))
            at += 1


def _one_after_the_other(
    functions: Functions, suite: Suite, open_: Sequence[Place], numbers: Callable[[Place], Sequence[int]]
) -> Iterator[Outcome]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _prepare()
        try:
            for place in open_:
                chosen = numbers(place)
                had = functions.changed(place)
                found = put(suite.cases, chosen)
                functions.restore(place, had)
                os.write(writing, json.dumps(found).encode() + b"\n")
                if found.became != ALIVE and put(suite.cases, chosen[: found.asked][-3:]).became != ALIVE:
                    break
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        for line in said:
            yield Outcome(*json.loads(line))
    os.waitpid(child, 0)


def _prepare() -> None:
    """A child that may go wrong: little memory, no words."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
