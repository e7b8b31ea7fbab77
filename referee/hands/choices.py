"""What the keys and selects of a hand of single players offer, at the table and at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.hands.forms import PlayersForm
from referee.hands.shapes import all_shapes, shape_key, short_shapes
from scoring.hands.fields import HAND, Asked
from scoring.individual.entries import plays_levels
from scoring.values import Role, Trump

if TYPE_CHECKING:
    from scoring.profiles import Profile


def choices(profile: Profile) -> dict[str, Any]:
    """By name, for a template."""
    bidding = profile.bidding or {}
    form = PlayersForm({}, profile)
    asked = [one.name for one in form.fields(HAND) if one.asked is not Asked.OFFICIAL]
    trumps = [trump.value for trump in Trump if trump is not Trump.NT or profile.no_trump_allowed]
    return {
        "division": profile.division,
        "asked": asked,
        "trumps": trumps,
        "roles": [role.value for role in Role],
        "levels": [str(level) for level in profile.ladder] if plays_levels(profile) else [],
        "bid_low": bidding.get("low", 0),
        "bid_high": bidding.get("high", 0),
        "bid_step": bidding.get("step", 5),
        "shapes": [shape_key(profile, shape) for shape in short_shapes(profile)],
        "more_shapes": [shape_key(profile, shape) for shape in all_shapes(profile)],
        "throw_sizes": [str(size) for size in range(2, profile.hand_cards + 1)],
        "captured_most": int(profile.points_max),
        "kitty_most": int(profile.kitty_max),
        "all_points": int(profile.points_max),
    }
