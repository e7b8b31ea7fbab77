"""What officials watch: tiles of tables and the queue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from tournaments.rounds.due import Due, WhatIsDue
from tournaments.rounds.life import LifeStep, Reached

from .base import Answer, Sentence, a_flag, a_list, a_text, a_time, a_word, an_int
from .events import Brief, RoundAnswer
from .ledger import EntryAnswer
from .play import CallAnswer, Seat
from .words import LIFE_STEP


class Tile(Seat):
    home = Brief(allow_null=True)
    away = Brief(allow_null=True)
    waiting = EntryAnswer(allow_null=True)
    contesting = EntryAnswer(allow_null=True)
    differing = a_list(serializers.CharField())
    calls = CallAnswer(many=True)
    devices = a_list(serializers.CharField())
    since = a_time(null=True)


class QueueRow(Answer):
    kind = a_text()
    table = an_int()
    sitting = an_int()
    since = a_time()
    call = an_int(null=True)
    correction = an_int(null=True)
    ruling = an_int(null=True)
    differing = a_list(serializers.CharField())
    matters = a_flag(null=True)


class LifeAnswer(Answer):
    step = a_word(LIFE_STEP)
    words = Sentence()
    reached = a_word([one.value for one in Reached])


class DueAnswer(Answer):
    due = a_word([one.value for one in Due])
    title = Sentence()
    why = Sentence(allow_null=True)
    after = Sentence(allow_null=True)
    blocked = a_flag()
    round = an_int(null=True)
    table = an_int(null=True)
    stage = an_int(null=True)
    publication = an_int(null=True)
    refused = a_text(null=True)
    step = a_word(LIFE_STEP)
    life = LifeAnswer(many=True)


def due_answer(one: WhatIsDue, life: Iterable[LifeStep]) -> dict[str, Any]:
    return {
        "due": one.due.value,
        "title": dict(one.title),
        "why": one.why and dict(one.why),
        "after": one.after and dict(one.after),
        "blocked": one.blocked,
        "round": one.round,
        "table": one.table,
        "stage": one.stage,
        "publication": one.publication,
        "refused": one.refused or None,
        "step": one.step.value,
        "life": [{"step": part.step.value, "words": dict(part.words), "reached": part.reached.value} for part in life],
    }


class DeskBoard(Answer):
    round = RoundAnswer(allow_null=True)
    tables = Tile(many=True)
    queue = QueueRow(many=True)
