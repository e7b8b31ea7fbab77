"""An event whose rows were written without its log begins one: a leaf, or several, of everything as it stands.

So it is with an event read from a file, and with one from before there was a log. What stood there before is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.db.models import Exists, Model, OuterRef

from ..acts import leaves
from ..acts.protected import ALL
from ..models import LogLeaf, Tournament

#: So many rows stand in one leaf at most.
AT_ONCE = 1000


def begin(event: Tournament, *, at: datetime) -> None:
    """Write down every protected row of the event."""
    with transaction.atomic():
        for one in ALL:
            rows = one.model._default_manager.filter(**{one.event: event.pk}).order_by("pk").iterator(AT_ONCE)
            for some in _some(rows):
                leaf = leaves.leaf(event.pk, leaves.added(some), at)
                assert leaf is not None
                leaf.save(force_insert=True)


def begin_missing(*, at: datetime) -> int:
    """Begin the log of every event that has none; how many there were."""
    without = Tournament.objects.filter(~Exists(LogLeaf.objects.filter(tournament=OuterRef("pk")))).order_by("pk")
    for event in without:
        begin(event, at=at)
    return len(without)


def _some(rows: Iterator[Model]) -> Iterator[Sequence[Model]]:
    while some := list(islice(rows, AT_ONCE)):
        yield some
