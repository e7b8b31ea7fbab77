"""What officials watch: the board, the queue, the history."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.models import HistoryEntry, RoundStatus
from tournaments.rounds import board, public

from . import documents
from .answers.base import page_of
from .answers.events import HistoryLine
from .answers.rules import DeskBoard
from .common.describe import AFTER, LIMIT, described
from .common.views import Endpoint


class Board(Endpoint):
    @described("Every table of the current round, and what waits for an official", answer=DeskBoard)
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        round_ = public.current_round(event)
        tiles = board.tiles_of(round_) if round_ else []
        running = tiles if round_ is not None and round_.status == RoundStatus.RUNNING else None
        return Response(
            {
                "round": round_ and documents.round_(round_),
                "tables": [
                    documents.seat(tile.sitting)
                    | {
                        "home": documents.brief(tile.home),
                        "away": documents.brief(tile.away),
                        "waiting": tile.waiting and documents.entry(tile.waiting, inside=True),
                        "contesting": tile.contesting and documents.entry(tile.contesting, inside=True),
                        "differing": list(tile.differing),
                        "calls": [documents.call(one) for one in tile.calls],
                        "devices": sorted(tile.devices),
                        "since": tile.since and tile.since.isoformat(),
                    }
                    for tile in tiles
                ],
                "queue": [
                    {
                        "kind": one.kind,
                        "table": one.table,
                        "sitting": one.sitting.pk,
                        "since": one.since.isoformat(),
                        "call": one.call and one.call.pk,
                        "correction": one.correction and one.correction.pk,
                        "ruling": one.ruling and one.ruling.pk,
                        "differing": list(one.differing),
                        "matters": one.matters,
                    }
                    for one in board.queue(event, self.now, running=running)
                ],
            }
        )


class History(Endpoint):
    @described("Who did what, newest first", parameters=(AFTER, LIMIT), answer=page_of(HistoryLine))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_HISTORY)
        rows = HistoryEntry.objects.filter(tournament=event).select_related("round")
        return self.page(rows, documents.history_entry, order="-pk")
