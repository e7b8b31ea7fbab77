"""A hand entered or confirmed: read in one statement, decided, written in one statement (docs/decisions.md).

Nothing is locked while it is decided. Where somebody was faster, it is read and decided again; who loses every time,
and whatever is more than an entry of a match at one table (boards, games of a match, a PIN, a dispute, players who end
their evening), goes the way of every other act, in a transaction with the sitting locked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError

from ..acts import meters
from ..acts.access import Act, Actor, Admission, Admitted, admissions, forbidden
from ..acts.at_once import can_be_at_once, commit_at_once
from ..acts.change import Add, Change
from ..acts.errors import NotFound, Refusal, Stale
from ..acts.keys import Kept, Keyed, Repeat, answer_row, do_once, repeated
from ..models import SavedAnswer
from ..sittings.ledgers import Ledger
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

        def answer(recorded: Recorded = change.answer, admitted: list[Admission] = admitted) -> SavedAnswer | None:
            return None if keyed is None else answer_row(keyed, at, admitted, kept(recorded))

        try:
            commit_at_once(
                change,
                seen.actor,
                at,
                seen.still(),
                answer,
                seen.next_line,
            )
        except (Stale, IntegrityError):  # the sitting has moved, or another request with this key was faster
            continue
        recorded: Recorded = change.answer
        return recorded
    return _locked(sitting_id, asked, first.actor, at, keyed, kept)


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
