"""What a phone's form said when its result code was made, as facts of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.hands.forms import HandForm, PhoneForm, PlayersForm
from scoring.hands.fields import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.profiles import Profile

#: Beside the fields of the form: the level at which the phone counted the hand.
LEVEL: Final = "at_level"


def facts_of_fields(fields: Mapping[str, str], profile: Profile) -> dict[str, Any]:
    """The same facts as of a form that is sent (`referee.table.screens.Screen.facts`)."""
    kind: type[HandForm] = PhoneForm if profile.division == SIDES else PlayersForm
    form = kind.posted(fields, profile)
    form.level = fields.get(LEVEL, "")
    return form.turned_to(fields.get("kind", "hand")).facts()
