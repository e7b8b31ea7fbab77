"""Photos beside a call: whose they are, and what this official may do about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.acts.access import Act
from tournaments.evidence.reads import given_at, given_with

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.desk.guard import Desk
    from tournaments.evidence.reads import Given
    from tournaments.models import Sitting
    from tournaments.rounds.board import Waiting


def beside(desk: Desk, waiting: Sequence[Waiting]) -> Mapping[int, Sequence[Given]]:
    """The photos with these calls that this official may see, by the id of the call."""
    return given_with([one.call for one in waiting if one.call is not None and desk.may(Act.SEE_TABLE, one.sitting)])


def at_table(desk: Desk, sitting: Sitting) -> dict[str, Any]:
    """Every photo of a table, and what this official may do."""
    seen = desk.may(Act.SEE_TABLE, sitting)
    photos = given_at(sitting) if seen else []
    return {
        "photos": photos,
        "may_add_photo": desk.may(Act.ATTACH_PHOTO, sitting),
        "may_remove_photo": desk.may(Act.REMOVE_PHOTO, sitting),
    }
