"""Sets of words. The settings give each the one name that it has in the schema, wherever it stands."""

from __future__ import annotations

from api.common.errors import SENTENCES
from tournaments.models import (
    CallKind,
    Correction,
    EntryKind,
    EntryStatus,
    MatchOutcome,
    RoundStatus,
)
from tournaments.models.projector import ScreenBoard
from tournaments.models.rulings import RulingStatus
from tournaments.plans.plan import Force
from tournaments.rounds.life import Step

SEATS = ("N", "W", "S", "E")
SIDES = ("NS", "EW")
ROLES = ("dealer", "attackers")
STRICTNESS = tuple(str(one) for one in Force)
#: A seat, or the place of a single player.
DEALERS = (*SEATS, "1", "2", "3", "4", "5")
MATCH_OUTCOME = tuple(MatchOutcome.values)
FORFEIT = tuple(one for one in MATCH_OUTCOME if one.endswith("_forfeit"))
ENTRY_KIND = tuple(EntryKind.values)
ENTRY_STATUS = tuple(EntryStatus.values)
ROUND_STATUS = tuple(RoundStatus.values)
RULING_STATUS = tuple(RulingStatus.values)
PROPOSAL_STATUS = tuple(Correction.Status.values)
CALL_KIND = tuple(CallKind.values)
SCREEN_BOARD = tuple(ScreenBoard.values)
LIFE_STEP = tuple(one.value for one in Step)
#: The codes of refusals and findings; what follows a colon words one of them in another way.
REFUSAL = tuple(sorted(code for code in SENTENCES if ":" not in code))
