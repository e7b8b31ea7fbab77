"""The certificate of an event as everybody may have it: of its public record, worked out once for each state of it.

A small event is worked out while the page waits; a large one by a worker, and the page says so. What was worked out
stays in the cache under the state it is of; losing it costs only the work.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from celery import current_app
from django.core.cache import cache
from django.db.models import Max

from scoring.wording import both

from ..acts.doorbell import stale_number
from ..acts.resting import AWAY, asking
from ..log import checking
from ..log.reads import newest_heads
from ..models import HistoryEntry, LedgerEntry, Sitting, StandingsRun, Tournament
from .audit import certify
from .certificate import Certificate, CheckedLine, Difference, Verdict
from .record import event_json

LOG = both("Every row against the signed log", "逐行对照签名日志")
CERTIFY_TASK = "tournaments.tasks.certify"
#: Up to so many sittings are folded while a page waits: about a second.
AT_ONCE = 200
KEPT = 24 * 3600
#: A worker that says nothing for so long is asked again, in seconds.
ASKED_FOR = 120


def certificate_of(event: Tournament) -> Certificate | None:
    """The certificate of the public record as it is now; None while a worker is at it."""
    key = _key(event)
    found = cache.get(key)
    if found is not None:
        return Certificate.from_json(found)
    if Sitting.objects.filter(round__tournament=event).count() <= AT_ONCE:
        return work_out(event)
    try:
        if cache.add(f"{key}:asked", True, ASKED_FOR):
            with asking():
                current_app.send_task(CERTIFY_TASK, args=[event.pk])
    except AWAY:
        cache.delete(f"{key}:asked")
    return None


def work_out(event: Tournament) -> Certificate:
    """Audit the public record and keep the certificate."""
    key = _key(event)
    made = certify(json.loads(event_json(event)))
    made = replace(made, lines=(*made.lines, *_log_lines(event)))
    cache.set(key, made.to_json(), KEPT)
    return made


def _log_lines(event: Tournament) -> Iterator[CheckedLine]:
    """The database held against the signed log of the event, which no export can be."""
    heads = newest_heads(event)
    if not heads:
        return
    found = tuple(Difference(one.where, one.code, "", dict(one.sentence)) for one in checking.check(event))
    note = both(f"{heads[0].size} acts under the newest signed head", f"最新签名摘要之下共 {heads[0].size} 条操作")
    yield CheckedLine("log", LOG, heads[0].root, Verdict.REPRODUCED, note, found)


def certify_event(*, tournament_id: int) -> bool:
    """Work out the certificate of an event, wherever it was asked for; False when there is no such event."""
    event = Tournament.objects.filter(pk=tournament_id).first()
    if event is None:
        return False
    if cache.get(_key(event)) is None:
        work_out(event)
    return True


def _key(event: Tournament) -> str:
    """The state of the record: every act leaves a row of the history, every hand one of the ledger."""
    history = HistoryEntry.objects.filter(tournament=event).aggregate(last=Max("pk"))["last"] or 0
    ledger = LedgerEntry.objects.filter(tournament=event).aggregate(last=Max("pk"))["last"] or 0
    runs = StandingsRun.objects.filter(stage__tournament=event).order_by("stage").values_list("covers", "digest")
    told = "-".join(f"{covers}.{digest[:8]}" for covers, digest in runs)
    state = f"{stale_number(event.pk)}:{event.live_public:d}:{history}:{ledger}:{told}"
    return f"certificate:{event.pk}:{event.lot_commitment[:16]}:{state}"
