"""What the projector shows, as the API tells of it."""

from __future__ import annotations

from tournaments.models import Projector
from tournaments.models.projector import ScreenBoard

from .base import Answer, Document, a_flag, a_list, a_word, an_int


class CeremonyAnswer(Answer):
    round = an_int()
    draw = an_int()
    balls = an_int()


class ProjectorAnswer(Answer):
    boards = a_list(a_word(ScreenBoard.choices))
    held = a_word(ScreenBoard.choices, blank=True)
    paused = a_flag()
    ticker = a_flag()
    turned = an_int()
    ceremony = CeremonyAnswer(allow_null=True)


def projector_answer(row: Projector) -> Document:
    draw = row.draw
    return {
        "boards": row.boards,
        "held": row.held,
        "paused": row.paused,
        "ticker": row.ticker,
        "turned": row.turned,
        "ceremony": draw and {"round": draw.round.number, "draw": draw.number, "balls": row.balls},
    }
