"""The public digest of rulings: by clause, decided ones only, nobody named and nothing as told at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.parts.rulings import clause_page, penalty_words, stands
from tournaments.rulings import reads
from tournaments.standings.stage_order import current_stage

if TYPE_CHECKING:
    from scoring.values import Text
    from tournaments.models import Ruling, Tournament


@dataclass(frozen=True, slots=True)
class DecidedRuling:
    """One decided ruling as everybody may read it."""

    ruling: Ruling
    state: str
    state_words: str
    penalty: str


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    text: Text
    page: str
    lines: tuple[DecidedRuling, ...]


def digest(tournament: Tournament) -> dict[str, Any]:
    found, stage = reads.digest(tournament), current_stage(tournament)
    return {
        "clauses": [
            Clause(one.clause, one.text, clause_page(tournament, one.clause), tuple(map(line, one.rulings)))
            for one in found
        ],
        "count": sum(len(one.rulings) for one in found),
        "schedule": (stage or tournament).penalty_schedule,
        "appeal_minutes": int(tournament.appeal_time.total_seconds() // 60),
    }


def line(ruling: Ruling) -> DecidedRuling:
    state, words = stands(ruling)
    return DecidedRuling(ruling, state, words, penalty_words(ruling.penalty))
