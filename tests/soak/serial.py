"""Whether what many clients were told has an explanation: one order for every sitting, as Elle does for databases.

A history is what was asked and answered, with the time before it was sent and the time after the answer came. `check`
shows for every sitting an order of its acts, one after the other, in which everybody could have been told what he was
told, and in which whatever had ended stands before whatever then began (strict serialisability). A sitting makes that
easy: an act is answered with the revision that it made, and a revision is made once.

What is refused, each with a word: `lost` (an answered act is not in the chain, or two made the same revision),
`phantom` (a revision that nobody asked for), `stale` (read after it was over), `early` (told before it was asked for),
`wrong` (an act or a reader saw another state than the acts before it leave), `repeat` (answered otherwise than first).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """One request. `began`, `ended`: of any clock that all clients share; `ended` is None where no answer came.

    `revision`: that which the act made, or which was read; None where it is not known. `needs`: what must have stood
    there before it; `sets`: what it changed, None for nothing; `saw`: all that a reader was shown. `key`: the same for
    an act and its repeats. `refused`: it was answered that nothing was done.
    """

    sitting: int
    began: int
    ended: int | None
    revision: int | None = None
    needs: State = field(default_factory=dict)
    sets: State | None = None
    saw: State | None = None
    key: str = ""
    repeated: bool = False
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Sitting:
    """How a sitting stood before the first request and after the last."""

    first: int
    last: int
    before: State
    after: State


def check(history: Sequence[Told], sittings: Mapping[int, Sitting]) -> list[str]:
    """What has no explanation, a line each; empty where all has one."""
    found = list[str]()
    ordered = sorted(history, key=lambda one: one.sitting)
    told = {sitting: list(ones) for sitting, ones in groupby(ordered, key=lambda one: one.sitting)}
    for number, sitting in sittings.items():
        found += [f"sitting {number}: {one}" for one in _sitting(told.pop(number, []), sitting)]
    return found + [f"sitting {number}: phantom, nobody has heard of it" for number in told]


def _sitting(history: Sequence[Told], sitting: Sitting) -> Iterator[str]:
    acts, reads, repeats, open_ = list[Told](), list[Told](), list[Told](), list[Told]()
    for one in history:
        if one.refused:
            continue
        if one.saw is not None:
            reads.append(one)
        elif one.ended is None:
            open_.append(one)
        else:
            (repeats if one.repeated else acts).append(one)
    acts, wrong = _with_repeats(acts, repeats, open_)
    yield from wrong
    chain = dict[int, Told]()
    for one in acts:
        assert one.revision is not None
        if one.revision in chain:
            yield f"lost: two acts were answered with revision {one.revision}"
        if not sitting.first < one.revision <= sitting.last:
            yield f"lost: the act answered with revision {one.revision} is not among {sitting.first} to {sitting.last}"
        chain[one.revision] = one
    yield from _gaps(chain, reads, open_, sitting)
    yield from _real_time([*chain.values(), *reads])
    yield from _states(chain, reads, sitting)


def _with_repeats(acts: Sequence[Told], repeats: Sequence[Told], open_: list[Told]) -> tuple[list[Told], list[str]]:
    """Every act from its first sending to its first answer. A repeat answered for one that had no answer is its own."""
    by_key = {one.key: one for one in acts if one.key}
    sent = {one.key: one for one in open_}
    wrong = list[str]()
    for one in repeats:
        first = by_key.get(one.key)
        if first is None:
            if one.key not in sent:
                wrong.append(f"repeat: {one.key} is answered again and was never answered first")
                continue
            first = sent.pop(one.key)
            open_.remove(first)
        elif first.revision != one.revision or first.sets != one.sets:
            wrong.append(f"repeat: {one.key} made revision {first.revision} and is answered with {one.revision}")
        if first.ended is None:
            by_key[one.key] = replace(one, began=min(first.began, one.began))
        elif one.ended is not None:
            by_key[one.key] = replace(first, ended=min(first.ended, one.ended))
    return [*by_key.values(), *(one for one in acts if not one.key)], wrong


def _gaps(chain: Mapping[int, Told], reads: Sequence[Told], open_: Sequence[Told], sitting: Sitting) -> Iterator[str]:
    """Every revision was made by an act that was answered, or by one that was sent in time and had no answer."""
    left = sorted(open_, key=lambda one: one.began)
    for revision in range(sitting.first + 1, sitting.last + 1):
        if revision in chain:
            continue
        told = [one for one in (*chain.values(), *reads) if _revision(one) >= revision]
        later = [one.ended for one in told if one.ended is not None]
        if left and (not later or left[0].began < min(later)):
            left.pop(0)
        else:
            yield f"phantom: nobody asked for revision {revision}"


def _real_time(told: Sequence[Told]) -> Iterator[str]:
    """In the order of the revisions nothing stands behind what began after it had ended."""
    ordered = sorted(told, key=lambda one: (one.revision or 0, one.saw is not None, one.began))
    newest: Told | None = None
    for one in ordered:
        if newest is not None and one.ended is not None and one.ended < newest.began:
            # `one` follows `newest` in the chain and had ended before that began
            if newest.saw is not None:
                yield f"stale: revision {newest.revision} was read when {one.revision} had been told"
            else:
                yield f"early: {one.revision} was told before the act of {newest.revision} was asked for"
        if newest is None or one.began > newest.began:
            newest = one


def _states(chain: Mapping[int, Told], reads: Sequence[Told], sitting: Sitting) -> Iterator[str]:
    """The acts are carried out once more in their order; each finds what it needs, every reader saw what stood there.

    Behind an act without an answer the state is not known until a reader saw it."""
    state: dict[str, Any] | None = dict(sitting.before)
    shown = {number: list(ones) for number, ones in groupby(sorted(reads, key=_revision), key=_revision)}
    for revision in range(sitting.first, sitting.last + 1):
        act = chain.get(revision)
        if act is None and revision > sitting.first:
            state = None
        elif act is not None and act.sets is not None and state is not None:
            for name, value in act.needs.items():
                if state.get(name) != value:
                    yield f"wrong: the act of revision {revision} needs {name} {value}, there was {state.get(name)}"
            state = {name: value for name, value in (state | dict(act.sets)).items() if value is not None}
        for read in shown.pop(revision, []):
            assert read.saw is not None
            if state is None:
                state = dict(read.saw)
            elif state != read.saw:
                yield f"wrong: revision {revision} was shown as {_differing(read.saw, state)}"
    for revision in shown:
        yield f"phantom: revision {revision} was read, which is not there"
    if state is not None and state != sitting.after:
        yield f"lost: at the end there is {_differing(sitting.after, state)}"


def _revision(one: Told) -> int:
    return one.revision or 0


def _differing(one: State, other: State) -> str:
    names = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    return ", ".join(f"{name} {one.get(name)} for {other.get(name)}" for name in names)
