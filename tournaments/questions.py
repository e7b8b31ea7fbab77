"""The batch protocol whole: the kernel's ops and the draws'. The one door of `manage.py ask` and the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring import questions as kernel
from scoring.questions import Op

from .draws.round_questions import (
    answer_danish_round,
    answer_groups_round,
    answer_knockout_round,
    answer_movement_round,
)
from .draws.round_robin import answer_round_robin
from .draws.swiss_questions import answer_swiss_round

OPS: Mapping[str, Op] = {
    **kernel.OPS,
    "round_robin": Op(lambda profile, question: answer_round_robin(question), needs_profile=False),
    "swiss_round": Op(lambda profile, question: answer_swiss_round(question), needs_profile=False),
    "danish_round": Op(lambda profile, question: answer_danish_round(question), needs_profile=False),
    "groups_round": Op(lambda profile, question: answer_groups_round(question), needs_profile=False),
    "knockout_round": Op(lambda profile, question: answer_knockout_round(question), needs_profile=False),
    "movement_round": Op(lambda profile, question: answer_movement_round(question), needs_profile=False),
}


def answer(question: object) -> dict[str, Any]:
    """Answer or refuse one question; never raises, whatever the question is."""
    return kernel.answer(question, OPS)
