"""What officials watch: tiles of tables and the queue."""

from __future__ import annotations

from rest_framework import serializers

from .base import Answer, a_flag, a_list, a_text, a_time, an_int
from .events import Brief, RoundAnswer
from .ledger import EntryAnswer
from .play import CallAnswer, Seat


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


class DeskBoard(Answer):
    round = RoundAnswer(allow_null=True)
    tables = Tile(many=True)
    queue = QueueRow(many=True)
