"""The names that the schema gives to sets of words, so that one set has one name wherever it stands."""

from __future__ import annotations

from tournaments.models import (
    CallKind,
    Correction,
    EntryKind,
    EntryStatus,
    MatchOutcome,
    RoundStatus,
)
from tournaments.models.rulings import RulingStatus
from tournaments.plans.plan import Force

ROLE = ("dealer", "attackers")
STRICTNESS = tuple(str(one) for one in Force)
DEALER = ("N", "W", "S", "E", "1", "2", "3", "4", "5")
MATCH_OUTCOME = tuple(MatchOutcome.values)
FORFEIT = tuple(one for one in MATCH_OUTCOME if one.endswith("_forfeit"))
ENTRY_KIND = tuple(EntryKind.values)
ENTRY_STATUS = tuple(EntryStatus.values)
ROUND_STATUS = tuple(RoundStatus.values)
RULING_STATUS = tuple(RulingStatus.values)
PROPOSAL_STATUS = tuple(Correction.Status.values)
CALL_KIND = tuple(CallKind.values)
