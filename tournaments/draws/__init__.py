"""Draws (编排): pure functions from entrants and earlier rounds to the next pairing. No Django, no clock, no chance.

Entrants are ids in the order of their numbers. A new kind of draw is a function of the type `Draw` and one row of
`DRAWS`; whatever made a pairing, `checker.check_pairing` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from scoring.results import EntrantId
from tournaments.draws import round_robin
from tournaments.draws.pairing import Pairing

#: Entrants and earlier rounds to the next round.
Draw = Callable[[Sequence[EntrantId], Sequence[Pairing]], Pairing]

#: Draws by the format of the stage.
DRAWS: Mapping[str, Draw] = MappingProxyType({"rr": round_robin.next_round})
