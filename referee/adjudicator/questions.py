"""The questions that can be put to the rules card by card, and the fields of each at a table of those rules.

Which questions there are, who sits there and which fields a form has follows from the options of the profile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring.individual.entries import plays_levels
from scoring.profiles.loader import TWO_TEAMS
from scoring.values import Place, Seat

if TYPE_CHECKING:
    from scoring.profiles import Profile
    from scoring.values import Player

TRICK, FOLLOW, THROW, SHAPES, ORDER = "trick", "follow", "throw", "shapes", "order"
COUNTER, FLIP, RETURN = "counter", "flip", "return"
BIDS, CONTEST, BURIAL, ALLY = "bids", "contest", "burial", "ally"
INFORMATION, DECLARE, SIGNAL, OFFENCE = "information", "declare", "signal", "offence"
KINDS: Final = (
    *(TRICK, FOLLOW, THROW, SHAPES, ORDER, BIDS, CONTEST, COUNTER, FLIP, DECLARE),
    *(BURIAL, ALLY, SIGNAL, RETURN, INFORMATION, OFFENCE),
)

#: Counters that may stand before the one in question.
MOST_COUNTERS: Final = 3
#: Tricks that a return is judged by, from the first on, or in which a called card fell.
MOST_TRICKS: Final = 8
#: Showings of a contest for the deal.
MOST_SHOWN: Final = 6
COUNTERS: Final = tuple(f"counter{i}" for i in range(1, MOST_COUNTERS + 1))
TRICKS: Final = tuple(f"trick{i}" for i in range(1, MOST_TRICKS + 1))
#: Acts of declaring in turn: four passes and a name, or three bids with the passes between them.
MOST_TOLD: Final = 12
#: What else a penalty may depend on.
FACTS: Final = ("found", "cards", "minutes", "attackers_total", "earlier")
TOLD: Final = tuple(f"act{i}" for i in range(1, MOST_TOLD + 1))
SHOWN: Final = tuple(f"shown{i}" for i in range(1, MOST_SHOWN + 1))


def kinds_of(profile: Profile) -> tuple[str, ...]:
    """The questions that these rules leave to be asked, in the order of the pages.

    Two sides declare and counter for the trumps, single players bid or contest the deal; an ally may have to be found.
    """
    two_sides = profile.game == TWO_TEAMS
    drawn = two_sides and profile.declare_order == "drawing"
    asked = {
        BIDS: profile.bidding is not None,
        CONTEST: not two_sides and profile.bidding is None,
        COUNTER: drawn,
        FLIP: drawn,
        DECLARE: two_sides and bool(profile.ladder),
        BURIAL: profile.kitty_cards > 0,
        ALLY: profile.division == "ally",
        SIGNAL: two_sides,
        RETURN: two_sides,
        INFORMATION: two_sides,
    }
    return tuple(kind for kind in KINDS if asked.get(kind, True))


def first_player(profile: Profile) -> Player:
    """Who leads, deals or speaks first where nobody is named."""
    return Seat.S if profile.game == TWO_TEAMS else Place.P1


def player_named(profile: Profile, word: str) -> Player | None:
    """The player at a seat or a place of this table; None where there is no such one."""
    return next((player for player in profile.seats if player == word), None)


def bid_fields(profile: Profile) -> tuple[str, ...]:
    """One field for each call that a bidding can have: every bid is lower than the one before, and all may pass."""
    if profile.bidding is None:
        return ()
    steps = (profile.bidding["high"] - profile.bidding["low"]) // profile.bidding["step"] + 1
    return tuple(f"bid{i}" for i in range(1, steps + len(profile.seats) + 1))


def level_fields(profile: Profile) -> tuple[str, ...]:
    """The fields of the level that is played: one, or one for each player who has a level of his own."""
    return tuple(f"level{player}" for player in profile.seats) if plays_levels(profile) else ("level",)


def card_fields(kind: str, profile: Profile) -> tuple[str, ...]:
    """The fields that hold cards, in the order of the form."""
    if kind in (TRICK, THROW):
        return tuple(player.value for player in profile.seats)
    return _CARD_FIELDS.get(kind, ())


_CARD_FIELDS: Final = {
    FOLLOW: ("lead", "hand", "play"),
    SHAPES: ("cards",),
    ORDER: ("cards",),
    COUNTER: ("declared", *COUNTERS, "cards"),
    FLIP: ("kitty",),
    CONTEST: SHOWN,
    BURIAL: ("buried", "hand"),
    ALLY: ("call", *TRICKS, "buried"),
    SIGNAL: ("lead", "play"),
    RETURN: ("hand", *TRICKS),
}


def choices(kind: str, profile: Profile) -> tuple[str, ...]:
    """The other fields of a question; level, trump and dealer belong to all kinds but where they decide nothing."""
    if kind in (TRICK, THROW):
        return ("level", "trump", *_roles(profile), "leader", "shapes")
    if kind == BIDS:
        names = bid_fields(profile)
        return ("first", *names, *_by(names))
    if kind == CONTEST:
        return (*level_fields(profile), *_by(SHOWN))
    if kind == OFFENCE:
        return ("irregularity", "schedule", "by", *(_roles(profile) or ("dealer",)), *FACTS)
    return _CHOICES.get(kind, ())


def _roles(profile: Profile) -> tuple[str, ...]:
    """The fields that say who is of the dealer side; none where everybody plays for himself."""
    if profile.division == "everyone":
        return ()
    return ("dealer", "ally") if profile.division == "ally" else ("dealer",)


def _by(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}_by" for name in names)


_CHOICES: Final = {
    FOLLOW: ("level", "trump", "leader", "by", "shapes"),
    SHAPES: ("level", "trump"),
    ORDER: ("level", "trump"),
    COUNTER: ("level", "dealer", "declared_by", *_by(COUNTERS), "by", "names", "first", "buried"),
    FLIP: ("level", "first"),
    ALLY: ("dealer", "ordinal", *_by(TRICKS), "over"),
    SIGNAL: ("level", "trump", "ranks"),
    RETURN: ("level", "trump", "dealer", "ranks", "reading", "told", "fine", *_by(TRICKS)),
    DECLARE: ("level", "dealer", "fixed", *TOLD, *_by(TOLD)),
    INFORMATION: ("channel", "on_card", "reasoned"),
}
