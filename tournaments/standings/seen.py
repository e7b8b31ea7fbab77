"""What a published table had seen: how far everything it may count had been written when it was made.

No clock tells what came first. An act has the time of its request, and may wait until a table is published; the clocks
of two servers differ. Counts tell: a publication holds the row of its event, and so does every act that moves
standings before it ends, so that each of them is wholly before the publication or wholly after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from ..models import Match, RuleChange, Ruling, Sitting, Tournament

#: A match that nothing has happened to.
UNTOUCHED = [0, 0]


def mark(*, replaced: bool, finished: bool, revisions: Iterable[int]) -> list[int]:
    """How far a match has been written: whether another took its place, whether it has a result, then the revisions of
    its sittings in their order, as far as anything was written there."""
    return [int(replaced), int(finished), *(revision for revision in revisions if revision)]


def seen(event: Tournament) -> dict[str, Any]:
    """What stands in a publication made now: the marks of matches by id, what became of rulings by number, and how
    many changes of rules there were."""
    revisions: dict[int, list[int]] = defaultdict(list)
    written = Sitting.objects.filter(round__tournament=event, revision__gt=0).order_by("pk")
    for match, revision in written.values_list("match_id", "revision"):
        revisions[match].append(revision)
    matches = Match.objects.filter(round__tournament=event).order_by("pk")
    marks = {
        str(pk): mark(replaced=replaced is not None, finished=finished is not None, revisions=revisions[pk])
        for pk, replaced, finished in matches.values_list("pk", "superseded_in", "finished_at")
    }
    return {
        "matches": {pk: one for pk, one in marks.items() if one != UNTOUCHED},
        "rulings": {
            str(number): fate(status, appeal)
            for number, status, appeal in Ruling.objects.filter(tournament=event)
            .exclude(decided_at=None)
            .order_by("number")
            .values_list("number", "status", "appeal")
        },
        "rule_changes": event.rule_changes.filter(status=RuleChange.Status.APPLIED).count(),
    }


def fate(status: str, appeal: str) -> str:
    """What became of a ruling."""
    return f"{status}/{appeal}"
