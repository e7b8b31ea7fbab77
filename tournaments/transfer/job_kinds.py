"""The kinds of long work (`acts.jobs`): which two functions do a job, by the name of the kind that its row keeps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from ..acts.admission import Actor
from ..acts.errors import NotFound
from ..acts.jobs import Made, Tell, Work
from ..models import Job, Round
from ..rounds import drawing
from ..stages import trying
from ..standings import waiting
from . import uploads
from .paper.sheets import score_sheets_pdf

SCORE_SHEETS = "score_sheets"


def _typeset_sheets(job: Job, tell: Tell) -> bytes:
    round_ = Round.objects.select_related("tournament", "stage").filter(pk=job.subject).first()
    if round_ is None:
        raise NotFound()
    tables = round_.sittings.filter(active=True).count()
    tell({"en": f"Setting the sheets of {tables:,} tables", "zh": f"正在排版 {tables:,} 桌的记分表"}, 0, 0)
    return score_sheets_pdf(round_)


def _keep_sheets(job: Job, made: bytes, actor: Actor, at: datetime) -> Made:
    return Made({"bytes": len(made)}, made)


KINDS: Mapping[str, Work] = MappingProxyType(
    {
        drawing.DRAW: drawing.WORK,
        trying.ADVICE: trying.WORK,
        waiting.PUBLISH: waiting.WORK,
        uploads.CHECK: uploads.CHECKING,
        uploads.TAKE: uploads.TAKING,
        SCORE_SHEETS: Work({"en": "Score sheets", "zh": "记分表"}, _typeset_sheets, _keep_sheets),
    }
)
