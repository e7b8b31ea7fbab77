"""The boards of duplicate events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rest_framework import serializers

from scoring.values import exact as text_of
from tournaments.boards.reads import datum_at
from tournaments.boards.results import Adjustment
from tournaments.deals.reads import Shown
from tournaments.models import Dealing, MatchOutcome, Sitting, Stage
from tournaments.plans.boards import Both
from tournaments.rulings.adjusted_boards import Adjusted
from tournaments.stages.facts import WORTHS

from .base import Answer, Document, a_list, a_text, a_time, a_word, an_exact, an_int, moment
from .documents import Mark
from .events import Brief, brief_answer
from .words import SEATS, SIDES


class BoardAtTable(Answer):
    sitting = an_int()
    match = an_int()
    round = an_int()
    table = an_int()
    room = a_text()
    outcome = a_word(MatchOutcome.choices)
    north_south = Brief(allow_null=True)
    east_west = Brief(allow_null=True)
    dealer_side = a_word(SIDES, blank=True)
    attackers_points = an_int(null=True)
    hand_points = an_int(null=True)
    ns_mark = Mark(allow_null=True)
    ew_mark = Mark(allow_null=True)
    reason = a_text()
    clause = a_text()


class BoardScore(Answer):
    match = an_int()
    home = an_exact()
    away = an_exact()


class BoardAnswer(Answer):
    """A board at all tables, with the exact scores of every match."""

    number = an_int()
    dealer = a_word(SEATS)
    level = a_text()
    trump = a_text()
    measure = a_text()
    board_scale = a_text()
    results = BoardAtTable(many=True)
    scores = BoardScore(many=True)
    datum = a_text(null=True)


class DealingAnswer(Answer):
    """Deals of boards: the promise, the lot drawn after it, and the secret once it is shown."""

    number = an_int()
    first_board = an_int()
    last_board = an_int()
    decks = an_int()
    commitment = a_text()
    committed_at = a_time()
    lot = a_text(null=True)
    lot_at = a_time(null=True)
    secret = a_text(null=True)
    shown_at = a_time(null=True)
    fingerprints = a_list(serializers.CharField())


class BoardStands(Answer):
    board = an_int()
    dealer_side = a_word(SIDES, null=True)
    attackers_points = an_int(null=True)
    hand_points = an_int(null=True)
    ns = Mark(allow_null=True)
    ew = Mark(allow_null=True)


class AdjustedAnswer(Answer):
    revision = an_int()
    result = BoardStands(allow_null=True)


def board_answer(
    stage: Stage,
    number: int,
    sittings: Sequence[Sitting],
    scores: Mapping[int, Both],
    adjusted: Mapping[int, Adjustment],
) -> Document:
    """A board at all tables: its results, official marks with their reason, and exact scores by match, home first."""
    deal, average = stage.deals[number], datum_at(stage, number, sittings)
    return {
        "number": number,
        "dealer": str(deal.dealer),
        "level": str(deal.level),
        "trump": str(deal.trump or ""),
        "measure": str(stage.directing.measure),
        "board_scale": str(stage.directing.board_scale or WORTHS[stage.format][0]),
        "results": [_at_table_answer(one, number, adjusted.get(one.pk)) for one in sittings],
        "scores": [
            {"match": match, "home": text_of(home), "away": text_of(away)} for match, (home, away) in scores.items()
        ],
        "datum": None if average is None else text_of(average),
    }


def _at_table_answer(one: Sitting, number: int, said: Adjustment | None) -> Document:
    """A board at one table; nulls where nothing was played, or no official put a mark in its place."""
    row = next((row for row in one.board_results.all() if row.board.number == number), None)
    return {
        "sitting": one.pk,
        "match": one.match_id,
        "round": one.round.number,
        "table": one.table.number,
        "room": one.room,
        "outcome": one.match.outcome,
        "north_south": brief_answer(one.north_south),
        "east_west": brief_answer(one.east_west),
        "dealer_side": row.dealer_side if row else "",
        "attackers_points": row.attackers_points if row else None,
        "hand_points": row.hand_points if row else None,
        "ns_mark": row.ns_mark if row else None,
        "ew_mark": row.ew_mark if row else None,
        "reason": said.reason if said else "",
        "clause": said.clause if said else "",
    }


def adjusted_answer(one: Adjusted) -> Document:
    """What stands of a board at a table after an official's act; null where nothing does."""
    row = one.result
    return {
        "revision": one.revision,
        "result": row
        and {
            "board": row.board.number,
            "dealer_side": row.dealer_side or None,
            "attackers_points": row.attackers_points,
            "hand_points": row.hand_points,
            "ns": row.ns_mark,
            "ew": row.ew_mark,
        },
    }


def dealing_answer(one: Dealing) -> Document:
    return {
        "number": one.number,
        "first_board": one.first_board,
        "last_board": one.last_board,
        "decks": one.decks,
        "commitment": one.commitment,
        "committed_at": moment(one.committed_at),
        "lot": one.lot or None,
        "lot_at": moment(one.lot_at),
        "secret": one.secret or None,
        "shown_at": moment(one.shown_at),
        "fingerprints": [dealt.fingerprint for dealt in Shown(one).boards.values()] if one.secret else [],
    }
