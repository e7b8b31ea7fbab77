"""Live and published tables, and lots."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rest_framework import serializers

from tournaments.models import DrawnLots, Publication
from tournaments.standings.settled import Settled, State
from tournaments.standings.shown import StandingRow

from .base import (
    Answer,
    Document,
    Sentence,
    a_flag,
    a_list,
    a_map,
    a_text,
    a_time,
    a_word,
    an_exact,
    an_int,
    moment,
)
from .documents import OpenThing, PublishedDocument
from .events import Brief, brief_answer


class StandingAnswer(Answer):
    """A place of a table; `rank` null: ruled out of the placing."""

    rank = an_int(null=True)
    shared = a_flag()
    entrant = Brief()
    values = a_map(an_exact())
    split_by = a_text(null=True)
    why = Sentence(allow_null=True)
    group = an_int(required=False)
    qualifies = an_int(required=False)
    prize = an_exact(required=False)
    undecided = Sentence(required=False)


class LiveTable(Answer):
    """`covers`: how many acts it counts; `open`: what is not settled yet."""

    covers = an_int()
    fresh = a_flag()
    waiting = an_int()
    provisional = a_flag()
    open = a_list(OpenThing())
    computed_at = a_time(null=True)
    rows = StandingAnswer(many=True)


class LotsAnswer(Answer):
    number = an_int()
    stage = an_int()
    order = a_list(serializers.IntegerField())
    reason = a_text()
    drawn_at = a_time()


class PublicationAnswer(Answer):
    number = an_int()
    round = an_int()
    stage = an_int()
    supersedes = an_int(null=True)
    superseded_by = an_int(null=True)
    reason = a_text()
    settled = a_word([one.value for one in Settled])
    provisional = a_flag()
    why = Sentence()
    correction_until = a_time(null=True)
    digest = a_text()
    published_at = a_time()


class PublicationWhole(PublicationAnswer):
    document = PublishedDocument()
    rows = StandingAnswer(many=True)


def standing_answer(row: StandingRow) -> Document:
    """A place; with group, line, prize and the tie that waits only where there is one."""
    more = {
        "group": row.group,
        "qualifies": row.qualifies,
        "prize": row.prize,
        "undecided": row.undecided and dict(row.undecided),
    }
    return {
        "rank": row.rank,
        "shared": row.shared,
        "entrant": brief_answer(row.entrant),
        "values": dict(row.values),
        "split_by": row.split_by,
        "why": row.why and dict(row.why),
    } | {name: value for name, value in more.items() if value is not None}


def drawn_lots_answer(one: DrawnLots, numbers: Mapping[int, int]) -> Document:
    """Lots drawn by hand, entrants by their numbers on paper."""
    return {
        "number": one.number,
        "stage": one.stage.number,
        "order": [numbers[entrant] for entrant in one.order],
        "reason": one.reason,
        "drawn_at": moment(one.drawn_at),
    }


def publication_answer(one: Publication, state: State) -> Document:
    """A published table and how settled it is now; what its frozen document calls provisional is as it was then."""
    return {
        "number": one.number,
        "round": one.round.number,
        "stage": one.stage.number,
        "supersedes": one.supersedes and one.supersedes.number,
        "superseded_by": one.superseded_by.number if hasattr(one, "superseded_by") else None,
        "reason": one.reason,
        "settled": state.settled.value,
        "provisional": state.provisional,
        "why": dict(state.why),
        "correction_until": moment(state.until),
        "digest": one.digest,
        "published_at": moment(one.published_at),
    }


def published_answer(one: Publication, state: State, rows: Iterable[StandingRow]) -> Document:
    """The frozen document as digested, beside the rows with the names of today."""
    return publication_answer(one, state) | {
        "document": json.loads(one.document),
        "rows": [standing_answer(row) for row in rows],
    }
