"""The digest of an event's rulings: by clause, decided ones only, nobody named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from ...models import Ruling, RulingAct, Tournament
from ...rulings.reads import ByClause, digest
from .typesetting import common, language_of, moment, set_pages


@dataclass(frozen=True, slots=True)
class RulingWords:
    """How a ruling stands and what was given for it, in the language of the event's paper."""

    state: str
    penalty: str


def rulings_pdf(event: Tournament, words: Callable[[Ruling], RulingWords]) -> bytes:
    """All decided rulings by clause. `words` are the pages' own words for a ruling, in the event's language."""
    acts = RulingAct.objects.filter(ruling__tournament=event).exclude(ruling__decided_at=None)
    at = acts.aggregate(newest=Max("at"))["newest"] or event.created_at
    data = rulings_data(event, digest(event), words) | {"time": moment(at, event), "digest": ""}
    return set_pages("rulings.typ", data, at)


def rulings_data(
    event: Tournament, clauses: Sequence[ByClause], words: Callable[[Ruling], RulingWords]
) -> dict[str, Any]:
    return common(event) | {
        "count": sum(len(one.rulings) for one in clauses),
        "clauses": [
            {
                "id": one.clause,
                "text": one.text[language_of(event)],
                "rulings": [_line(event, ruling, words(ruling)) for ruling in one.rulings],
            }
            for one in clauses
        ],
    }


def _line(event: Tournament, ruling: Ruling, words: RulingWords) -> dict[str, Any]:
    return {
        "number": ruling.number,
        "round": ruling.sitting.round.number,
        "at": moment(ruling.decided_at, event) if ruling.decided_at else "",
        "verdict": ruling.verdict[language_of(event)],
        "penalty": words.penalty,
        "state": words.state,
    }
