"""Who may settle a dispute: named to an official who may not, and missed aloud where nobody may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.acts.access import Act
from tournaments.acts.admission import NOBODY_SETTLES, who_may

if TYPE_CHECKING:
    from referee.desk.guard import Desk
    from tournaments.models import Sitting


def settling(desk: Desk, sitting: Sitting | None = None) -> dict[str, Any]:
    """The names of who may settle, here or anywhere in the hall, and whether the official may appoint somebody."""
    settlers = who_may(Act.SETTLE, tournament=desk.tournament, sitting=sitting)
    return {
        "settlers": [str(one) for one in settlers],
        "nobody_settles": None if settlers or desk.tournament.elsewhere else NOBODY_SETTLES,
        "may_appoint": desk.may(Act.MANAGE_OFFICIALS),
    }
