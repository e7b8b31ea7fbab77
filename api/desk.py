"""What officials watch: the board, the queue, the history."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.models import HistoryEntry, RoundStatus
from tournaments.rounds import board, public
from tournaments.rounds.due import what_is_due
from tournaments.rounds.life import life_of
from tournaments.undoing.acts import undo

from .answers.base import page_of
from .answers.desk import DeskBoard, DueAnswer, due_answer
from .answers.events import HistoryLine, brief_answer, history_entry_answer
from .answers.ledger import entry_answer
from .answers.play import call_answer, round_answer, seat_answer
from .common.describe import AFTER, LIMIT, described, written
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
                "round": round_ and round_answer(round_),
                "tables": [
                    seat_answer(tile.sitting)
                    | {
                        "home": brief_answer(tile.home),
                        "away": brief_answer(tile.away),
                        "waiting": tile.waiting and entry_answer(tile.waiting, inside=True),
                        "contesting": tile.contesting and entry_answer(tile.contesting, inside=True),
                        "differing": list(tile.differing),
                        "calls": [call_answer(one) for one in tile.calls],
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


class Next(Endpoint):
    @described("What is due now, what stands in its way, what comes after", answer=DueAnswer)
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        due = what_is_due(event)
        return Response(due_answer(due, life_of(event, due.step, due.undone)))


class History(Endpoint):
    @described("Who did what, newest first", parameters=(AFTER, LIMIT), answer=page_of(HistoryLine))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_HISTORY)
        rows = HistoryEntry.objects.filter(tournament=event).select_related("round")
        return self.page(rows, history_entry_answer, order="-pk")


class Undo(Endpoint):
    @written("Undo an act within its minute by a new one; the answer is the line that says so", answer=HistoryLine)
    def post(self, request: Request, slug: str, entry: int) -> Response:
        event = self.event(slug, Act.UNDO)
        done = undo(tournament_id=event.pk, entry_id=entry, actor=self.actor, at=self.now)
        return Response(history_entry_answer(done))
