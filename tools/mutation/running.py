"""Mutants against cases: each in a process of its own, stopped at the first answer that differs.

A warm process holds the kernel and is told which case runs which statement. For each mutant it makes a child, gives the
functions there their changed code, and puts only those cases to it that run the changed statement. What is done while
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
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple

from tools.mutation.cases import as_case
from tools.mutation.places import ROOT, Place, changed, changed_data
from tools.mutation.reached import READ_ONCE, Reached, kept, read_once, statement_of

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
    differs) or `alive`, after so many questions that ran the changed statement."""

    became: str
    by: int | None
    asked: int


class Suite:
    """Cases, and which of them run a statement."""

    def __init__(self, cases: Sequence[Case], reached: Reached) -> None:
        self.cases, self.reached = cases, reached

    def that_run(self, place: Place) -> Sequence[int]:
        """The cases that run the statement of a place."""
        return self.reached.get(place.file, {}).get(statement_of(place), ())

    def by_use(self, place: Place) -> Sequence[int]:
        """All of them, those first that are likely to tell: they run the place or its file, or name its rules."""
        if place.path:
            name = Path(place.file).stem
            first = [number for number, case in enumerate(self.cases) if name in json.dumps(case["question"])]
        else:
            by_line = self.reached.get(place.file, {}).values()
            first = [*self.that_run(place), *sorted({case for one in by_line for case in one})]
        return list(dict.fromkeys([*first, *range(len(self.cases))]))


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
        self.kept = kept(rules=False)
        self.rules = kept(rules=True)
        read_once()
        self.names = {
            (file, _plain(code)) for file, ones in self.live.items() for one in ones for code in _codes(one.__code__)
        }

    def can_change(self, place: Place) -> bool:
        """Whether the place stands in a function that has not been run while the kernel was imported."""
        if place.function in READ_ONCE:
            return False
        key = (str(ROOT / place.file), place.function)
        return not place.path and key in self.names and key not in self.early

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


def told_apart(
    functions: Functions, place: Place, questions: Iterator[Mapping[str, Any]], many: int
) -> Mapping[str, Any] | None:
    """The first of so many questions that a mutant answers otherwise than the kernel; none where there is none."""
    from scoring.questions.protocol import answer

    for _ in range(0, many, AT_ONCE):
        asked = [as_case(question, answer(question)) for question in islice(questions, AT_ONCE)]
        had = functions.changed(place)
        found = put(asked, range(len(asked)))
        functions.restore(place, had)
        if found.became == KILLED and found.by is not None:
            told: Mapping[str, Any] = asked[found.by]["question"]
            return told
    return None


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


def fresh(place: Place, suite: Suite) -> Outcome:
    """What becomes of a mutant that is there when the kernel is imported. The kernel must not be loaded here."""

    def work() -> Outcome:
        load_changed(place)
        if place.function not in READ_ONCE:
            import scoring.questions.protocol  # noqa: F401

            read_once()
        return put(suite.cases, suite.by_use(place))

    return in_child(work)


def warm(
    functions: Functions,
    suite: Suite,
    open_: Sequence[Place],
    note: Callable[[Place, Outcome], None],
) -> None:
    """What becomes of mutants in functions of the kernel that is loaded here, each against the cases that run its
    statement. A child takes one after the other and puts back what it changed; after one that left the kernel
    in disorder comes a new child."""
    at = 0
    while at < len(open_):
        before = at
        for outcome in _one_after_the_other(functions, suite, open_[at : at + AT_ONCE]):
            note(open_[at], outcome)
            at += 1
        if at == before:
            note(open_[at], Outcome(BROKEN, None, 0))
            at += 1


def _one_after_the_other(functions: Functions, suite: Suite, open_: Sequence[Place]) -> Iterator[Outcome]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _prepare()
        try:
            for place in open_:
                chosen = suite.that_run(place)
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
