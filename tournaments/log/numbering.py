"""Leaves get their numbers in batches, one event at a time, and a signed head over all of them.

An act does not wait for that: its leaf is signed when it is written. Ids are no numbers, for transactions end in
another order than they take their ids; a row that two acts write is written by them in the order of their leaves,
since the second waits for the first.
"""

from __future__ import annotations

import json
from datetime import datetime

from django.db import transaction

from ..acts.announce import announce_feed
from ..models import Elsewhere, LogHead, LogLeaf, Tournament
from . import heads
from .merkle import Frontier

#: So many leaves at most come under one head.
AT_ONCE = 2000


def number_all(*, at: datetime) -> int:
    """Number the leaves of every event that has new ones; how many were numbered."""
    waiting = LogLeaf.objects.filter(number=None).order_by("tournament").values_list("tournament", flat=True).distinct()
    return sum(number_leaves(event, at=at) for event in list(waiting))


def number_leaves(event: int, *, at: datetime) -> int:
    """Number the new leaves of an event and sign the head over them; how many there were.

    One at a time for an event: where its row is held, by another or by an act, the next sweep does it.
    """
    count = 0
    while more := _batch(event, at):
        count += more
    found = Tournament.objects.filter(pk=event).first()
    if found is not None:
        heads.keep(found)
    return count


def _batch(event: int, at: datetime) -> int:
    with transaction.atomic():
        held = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
        # what is only followed gets its numbers and heads where it is written
        if not list(held.filter(pk=event).exclude(elsewhere=Elsewhere.FOLLOWED)):
            return 0
        leaves = list(LogLeaf.objects.filter(tournament=event, number=None).order_by("pk")[:AT_ONCE])
        if not leaves:
            return 0
        tree = _tree(event)
        for leaf in leaves:
            leaf.number = tree.size
            tree = tree.add(bytes.fromhex(leaf.digest))
        LogLeaf.objects.bulk_update(leaves, ["number"], batch_size=500)
        head = heads.signed(event, tree.size, tree.root, at)
        LogHead.objects.create(
            tournament_id=event,
            size=head.size,
            root=head.root,
            at=head.at,
            signature=head.signature,
            frontier=json.dumps([one.hex() for one in tree.roots]),
        )
        announce_feed(event)
    return len(leaves)


def _tree(event: int) -> Frontier:
    """The tree under the newest head."""
    last = LogHead.objects.filter(tournament=event).order_by("-size").first()
    return Frontier() if last is None else heads.frontier(last)
