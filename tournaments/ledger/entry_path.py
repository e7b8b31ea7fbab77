"""A hand entered or confirmed: read in one statement, decided, written in one statement (docs/decisions.md).

Nothing is locked while it is decided. Where somebody was faster, it is read and decided again; who loses every time,
and whatever is more than an entry of a match at one table (boards, games of a match, a PIN, a dispute, players who end
their evening), goes the way of every other act, in a transaction with the sitting locked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError

from ..acts import meters
from ..acts.access import Act
from ..acts.admission import Actor, Admission, Admitted, admissions, forbidden
from ..acts.at_once import OfSeveral, can_be_at_once, commit_at_once, commit_each
from ..acts.change import Add, Change, Move
from ..acts.errors import NotFound, Refusal, Stale
from ..acts.keys import Kept, Keyed, Repeat, answer_row, do_once, repeated
from ..models import LedgerEntry, SavedAnswer
from ..sittings.ledgers import Ledger, Stored, as_moved
from .acting import act_on
from .entry_read import EntryRead
from .judging import admit
from .recorded import Recorded

#: How often a race may be lost before the sitting is locked.
TURNS = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a ledger: the act, and its decision on what was read."""

    act: Act
    decide: Callable[[Ledger, Admitted, datetime], Change[Any]]


def carry_out_on(sitting_id: int, asked: Asked, actor: Actor, at: datetime) -> Recorded:
    """As every act on a ledger is carried out, for a door that holds a transaction."""
    done: Recorded = act_on(
        sitting_id, asked.act, actor, at, lambda ledger, admitted: asked.decide(ledger, admitted, at)
    )
    return done


def carry_out_at_once(
    sitting_id: int,
    asked: Asked,
    read: Callable[[], EntryRead],
    first: EntryRead,
    at: datetime,
    keyed: Keyed | None,
    kept: Callable[[Recorded], Kept],
) -> Recorded | Repeat:
    """Enter or confirm a hand, once for its key. `first` is what the door read to know who asks; `read` reads again;
    `kept` says how the answer is kept."""
    with meters.acting(asked.act) as acting:
        done = _carried_out(sitting_id, asked, read, first, at, keyed, kept)
        if isinstance(done, Repeat):
            acting.outcome = "repeated"
    return done


def _carried_out(
    sitting_id: int,
    asked: Asked,
    read: Callable[[], EntryRead],
    first: EntryRead,
    at: datetime,
    keyed: Keyed | None,
    kept: Callable[[Recorded], Kept],
) -> Recorded | Repeat:
    for turn in range(TURNS):
        seen = first if turn == 0 else read()
        if keyed is not None and seen.answered is not None:
            return repeated(seen.answered, keyed, seen.actor)
        if seen.ledger is None:
            raise NotFound()
        if seen.actor == Actor():  # the place was taken from the phone, or the token ended, since it was let in
            raise forbidden(asked.act)
        if not seen.alone:
            break
        with admissions() as admitted:
            change = asked.decide(seen.ledger, admit(seen.actor, asked.act, seen.ledger, seen.held), at)
        if not can_be_at_once(change):
            break
        for one in change.writes:
            if isinstance(one, Add):
                one.row.pk = seen.next_entry

        def answers(recorded: Recorded = change.answer, admitted: list[Admission] = admitted) -> list[SavedAnswer]:
            return [] if keyed is None else [answer_row(keyed, at, admitted, kept(recorded))]

        next_lines = () if seen.next_line is None else (seen.next_line,)
        try:
            commit_at_once(change, seen.actor, at, seen.still(), answers, next_lines)
        except (Stale, IntegrityError):  # the sitting has moved, or another request with this key was faster
            continue
        recorded: Recorded = change.answer
        return recorded
    return _locked(sitting_id, asked, first.actor, at, keyed, kept)


@dataclass(frozen=True, slots=True)
class OfMany:
    """One hand of a request that holds several: what is asked, its key, how its answer is kept."""

    asked: Asked
    keyed: Keyed
    kept: Callable[[Recorded], Kept]


Result = Recorded | Repeat | Refusal


@dataclass(slots=True)
class _AtTable:
    """Hands of one table that were decided one after the other: what was read, what became of each, and the changes of
    those that count, each with what its actor was admitted to."""

    seen: EntryRead
    results: list[Result]
    changes: list[tuple[OfMany, Change[Recorded], list[Admission]]]


def carry_out_together(
    hands: Mapping[int, Sequence[OfMany]],
    read: Callable[[Mapping[int, Sequence[str]]], Mapping[int, EntryRead]],
    at: datetime,
) -> dict[int, list[Result]]:
    """Enter the first of these hands of each table, as many as one read and one write of all can hold: what became of
    each, as if they had been sent one after the other. The others are left: the hand that ends a match, all of a table
    that is more than one of a match, or where somebody was faster. No key may be that of two tables."""
    found = read({sitting: [one.keyed.key for one in of_table] for sitting, of_table in hands.items()})
    decided = dict[int, _AtTable]()
    for sitting, of_table in hands.items():
        seen = found.get(sitting)
        if seen is not None and seen.ledger is not None and seen.actor != Actor() and seen.alone:
            decided[sitting] = _decided_at_table(seen, seen.ledger, of_table, at)
    writing = [sitting for sitting, done in decided.items() if done.changes]
    if writing:
        try:
            written = commit_each([_as_one(decided[one], at) for one in writing], decided[writing[0]].seen.actor, at)
        except (Stale, IntegrityError):  # another request with one of the keys was faster
            written = [False] * len(writing)
        for sitting, is_written in zip(writing, written, strict=True):
            if not is_written:
                del decided[sitting]
    for sitting, done in decided.items():
        for one, result in zip(hands[sitting], done.results, strict=False):
            _count(one.asked.act, result)
    return {sitting: done.results for sitting, done in decided.items()}


def _decided_at_table(seen: EntryRead, ledger: Ledger, hands: Sequence[OfMany], at: datetime) -> _AtTable:
    """Each hand is decided on the ledger as those before it leave it."""
    done, entries, used = _AtTable(seen, [], []), iter(seen.next_entries), set[str]()
    for one in hands:
        if one.keyed.key in used:  # it is answered as the one before it was, once that is written
            break
        used.add(one.keyed.key)
        try:
            if (kept := seen.answers.get(one.keyed.key)) is not None:
                done.results.append(repeated(kept, one.keyed, seen.actor))
                continue
            with admissions() as admitted:
                change = one.asked.decide(ledger, admit(seen.actor, one.asked.act, ledger, seen.held), at)
        except Refusal as refused:
            done.results.append(refused)
            continue
        if not _only_adds_a_hand(change, ledger):
            break
        for write in change.writes:
            if isinstance(write, Add):
                write.row.pk = next(entries, None)
        done.results.append(change.answer)
        done.changes.append((one, change, admitted))
        ledger = _as_left_by(ledger, change)
    return done


def _only_adds_a_hand(change: Change[Recorded], ledger: Ledger) -> bool:
    """Whether the change is a new entry and the next state of its sitting, and nothing else."""
    return can_be_at_once(change) and all(
        isinstance(one.row, LedgerEntry) if isinstance(one, Add) else getattr(one, "row", None) is ledger.sitting
        for one in change.writes
    )


def _as_left_by(ledger: Ledger, change: Change[Recorded]) -> Ledger:
    """The ledger as it is read once the change is written."""
    moved = next(one for one in change.writes if isinstance(one, Move))
    sitting, then = as_moved(ledger.sitting, moved.to), ledger.after(*change.writes)
    return replace(then, sitting=sitting, stored=Stored.of(sitting, then.rows))


def _as_one(done: _AtTable, at: datetime) -> OfSeveral:
    """One change of all hands of a table: entries, lines, answers, and the sitting as the last one leaves it."""
    seen, changes = done.seen, done.changes
    assert seen.ledger is not None
    sitting, each = seen.ledger.sitting, [change for _, change, _ in changes]
    columns: dict[str, Any] = {}
    for change in each:
        for one in change.writes:
            if isinstance(one, Move):
                columns |= one.to
    last = each[-1]
    public = any(told.public for change in each for told in change.told)
    whole = replace(
        last,
        writes=(
            *(one for change in each for one in change.writes if isinstance(one, Add)),
            Move(sitting, columns, {"revision": sitting.revision}),
        ),
        lines=tuple(line for change in each for line in change.lines),
        told=tuple(replace(told, public=public) for told in last.told),
        stale=any(change.stale for change in each),
    )

    def answers() -> list[SavedAnswer]:
        return [answer_row(one.keyed, at, admitted, one.kept(change.answer)) for one, change, admitted in changes]

    return OfSeveral(whole, tuple(seen.still()), answers, seen.next_lines)


def _count(act: Act, result: Result) -> None:
    with suppress(Refusal), meters.acting(act) as acting:
        if isinstance(result, Refusal):
            raise result
        if isinstance(result, Repeat):
            acting.outcome = "repeated"


def _locked(
    sitting_id: int, asked: Asked, actor: Actor, at: datetime, keyed: Keyed | None, kept: Callable[[Recorded], Kept]
) -> Recorded | Repeat:
    """In one transaction with the sitting locked."""
    if keyed is None:
        return carry_out_on(sitting_id, asked, actor, at)

    def act() -> Recorded | Refusal:
        try:
            return carry_out_on(sitting_id, asked, actor, at)
        except Refusal as refused:  # what was counted meanwhile, a wrong PIN say, stays counted
            return refused

    def saved(done: Recorded | Refusal) -> tuple[bool, Kept]:
        return (False, None) if isinstance(done, Refusal) else (True, kept(done))

    done = do_once(keyed, act, saved, actor=actor, at=at)
    if isinstance(done, Refusal):
        raise done
    return done
