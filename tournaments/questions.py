"""The batch protocol whole: the kernel's ops and the draws'. The one door of `manage.py ask` and the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scoring.questions import protocol
from scoring.questions.protocol import Op

from .draws import documents
from .draws.round_robin import answer_round_robin


def _op(asked: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Op:
    return Op(lambda profile, question: asked(question), needs_profile=False)


OPS: Mapping[str, Op] = {
    **protocol.OPS,
    "round_robin": _op(answer_round_robin),
    **{name: _op(asked) for name, asked in documents.OPS.items()},
}


def answer(question: object) -> dict[str, Any]:
    """Answer or refuse one question; never raises, whatever the question is."""
    return protocol.answer(question, OPS)
