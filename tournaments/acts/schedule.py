"""The penalty schedule of an event: its clauses with their texts, and the offence of each."""

from __future__ import annotations

from scoring.penalties import Offence
from scoring.profiles.clause_files import clauses_beside
from scoring.values import Text

from ..models import Tournament


def clause_texts(tournament: Tournament) -> dict[str, Text]:
    """Every clause a ruling may cite: those of the event's rules, of what holds beside any, and of its penalties."""
    texts: dict[str, Text] = {clause.id: dict(clause.text) for clause in tournament.profile.clauses.values()}
    texts |= {clause.id: dict(clause.text) for clause in clauses_beside()}
    for offence in tournament.penalty_schedule.offences.values():
        texts |= {case.clause: dict(case.whole_text()) for case in offence.cases}
    return texts


def offences_by_clause(tournament: Tournament) -> dict[str, Offence]:
    """Clause of the event's penalty schedule → the offence it is about."""
    offences = tournament.penalty_schedule.offences.values()
    return {case.clause: offence for offence in offences for case in offence.cases}
