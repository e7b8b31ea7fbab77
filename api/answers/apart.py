"""Entrants kept apart."""

from __future__ import annotations

from tournaments.models import KeptApart, WishChoice

from .base import Answer, Document, a_text, a_time, a_word, an_int, moment
from .events import Brief, brief_answer


class KeptApartAnswer(Answer):
    """Two whom draws keep apart, until that is taken back."""

    number = an_int()
    entrants = Brief(many=True)
    force = a_word(WishChoice.choices)
    reason = a_text()
    set_at = a_time()
    revoked_at = a_time(null=True)
    revoked_why = a_text()


class KeptApartList(Answer):
    kept = KeptApartAnswer(many=True)


def kept_apart_answer(kept: KeptApart) -> Document:
    return {
        "number": kept.number,
        "entrants": [brief_answer(kept.one), brief_answer(kept.other)],
        "force": kept.force,
        "reason": kept.reason,
        "set_at": moment(kept.set_at),
        "revoked_at": moment(kept.revoked_at),
        "revoked_why": kept.revoked_why,
    }
