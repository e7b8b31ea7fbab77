"""The form of a hand: what its selects and keys offer, what is due, and what the sheet as typed would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.desk.presenters import players
from referee.desk.presenters.sitting_words import after_words, names_at
from referee.hands.shapes import shape_choices
from referee.hands.words import CATEGORIES, annulled_reasons
from referee.parts.names import in_names
from referee.parts.words import SPECIALS
from scoring.hands.regional import JUMPS, special_digs
from scoring.values import Role
from tournaments.ledger.disputes import PENDING

if TYPE_CHECKING:
    from referee.desk.guard import Desk
    from tournaments.ledger.previewing import Preview
    from tournaments.models import Sitting


def sheet_context(desk: Desk) -> dict[str, Any]:
    """What the sheet's selects and keys offer."""
    if desk.tournament.individual:
        return players.sheet_context(desk.tournament.profile)
    profile = desk.tournament.profile
    return {
        "sheet": "desk/_sheet.html",
        "shapes": shape_choices(desk.tournament.profile),
        "seats": ("N", "W", "S", "E"),
        "trumps": ("S", "H", "C", "D", *(["NT"] if profile.no_trump_allowed else [])),
        "categories": list(CATEGORIES),
        "annulled": [(code, str(word)) for code, word in annulled_reasons(profile).items()],
        "levels": [str(level) for level in profile.ladder],
        "roles": [role.value for role in Role],
        "by_cards": profile.last_trick != "kitty",
        "declares_red_fives": JUMPS["red_fives_declared"] in profile.level_jumps,
        "special_digs": [(event, SPECIALS[event]) for event in special_digs(profile)],
        "kinds": [
            ("hand", _("Full sheet")),
            ("total", _("Only the total is on the slip")),
            ("annulled", _("Void hand")),
            ("adjusted", _("Adjusted result")),
        ],
    }


def due(sitting: Sitting) -> dict[str, Any]:
    """Dealer and level of the next hand as the record has them."""
    state = sitting.state
    return {"dealer": state.get("next_dealer"), "level": state.get("next_level")}


def hand_to_enter(sitting: Sitting) -> int:
    """The number of the hand that waits or is disputed, else of the next one."""
    waiting = sitting.entries.filter(status__in=PENDING, hand_no__isnull=False).order_by("pk").first()
    return waiting.hand_no if waiting is not None and waiting.hand_no else sitting.hand_no


def preview_words(sitting: Sitting, seen: Preview) -> dict[str, str]:
    """What a sheet would do, in two lines; none where it does not count."""
    if seen.result is None or seen.result.sentence is None:
        return {}
    names = names_at(sitting.match)
    return {"sentence": in_names(seen.result.sentence, names), "then": in_names(after_words(seen.result), names)}
