"""The fields of the adjudicator's form: cards with who shows them, calls of a bidding, what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from referee.adjudicator.card_text import typed
from referee.adjudicator.deal_verdicts import PASSES
from referee.adjudicator.offence_verdicts import schedules
from referee.adjudicator.questions import (
    ALLY,
    BIDS,
    BURIAL,
    COUNTER,
    DECLARE,
    RETURN,
    SHOWN,
    THROW,
    TOLD,
    TRICK,
    TRICKS,
    bid_fields,
    first_player,
    level_fields,
)
from referee.adjudicator.tricks import led_by
from referee.parts.words import PLAYERS as PLAYER_WORDS
from referee.parts.words import in_language
from scoring.cards.bids import candidates
from scoring.values import SUITS, Place, Side, Trump
from scoring.wording import PLACES, SIDES, TRUMPS, cards_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.adjudicator.cases import Case
    from referee.adjudicator.verdicts import Verdict
    from referee.parts.words import Word
    from scoring.profiles import Profile


def _trick_label(number: int) -> Word:
    return format_lazy(_("Trick {n}, in order of play"), n=number)


def _shown_label(number: int) -> Word:
    return _("Declared") if number == 1 else format_lazy(_("Shown as no. {n}"), n=number)


_LABELS: Final[Mapping[str, Word]] = {
    **PLAYER_WORDS,
    "lead": _("Cards led"),
    "hand": _("The hand before the play"),
    "play": _("Cards played"),
    "cards": _("Cards"),
    "declared": _("Declared"),
    "counter1": _("First counter"),
    "counter2": _("Second counter"),
    "counter3": _("Third counter"),
    "kitty": _("Kitty, top card first"),
    "buried": _("Cards buried"),
    "call": _("Card called"),
    **{name: _shown_label(number) for number, name in enumerate(SHOWN, start=1)},
    **{name: _trick_label(number) for number, name in enumerate(TRICKS, start=1)},
}
#: Fields that are empty where nobody knows the cards.
_OFTEN_UNKNOWN: Final = {ALLY: ("buried",), BURIAL: ("hand",), RETURN: ("hand",)}
#: Fields for tricks that a page begins with.
_TRICKS_FIRST: Final = 4


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of cards: its label, the value as typed, the cards read, what is wrong with it, who shows them."""

    name: str
    label: Word
    value: str
    by: str
    by_name: str
    errors: tuple[Any, ...]
    unknown_allowed: bool


@dataclass(frozen=True, slots=True)
class BidField:
    """One call of a bidding: who made it where that was said, and the points, `pass`, or nothing yet."""

    name: str
    number: int
    by: str
    value: str


def trumps(profile: Profile) -> list[str]:
    return [trump.value for trump in Trump if trump is not Trump.NT or profile.no_trump_allowed]


def fields(case: Case, verdict: Verdict) -> list[CardField]:
    """The card fields of the form, the leader's and whoever follows in the order of play."""
    names: Sequence[str] = case.card_fields
    if case.kind in (TRICK, THROW):
        names = [player.value for player in case.in_turn]
    elif case.kind in (ALLY, RETURN):  # the tricks there are, and room for two more
        shown = max(_TRICKS_FIRST, sum(bool(case.get(name)) for name in TRICKS) + 2)
        names = [name for name in names if name not in TRICKS[shown:]]
    told = []
    for name in names:
        by_name, by = _shown_by(case, name)
        told.append(
            CardField(
                name,
                _label(case, name),
                case.get(name),
                by,
                by_name,
                tuple(one for one in verdict.findings if one.field == name),
                _may_be_unknown(case, name),
            )
        )
    return told


def _may_be_unknown(case: Case, name: str) -> bool:
    """Whether an empty field says that these cards are not known."""
    return (case.kind == THROW and name != case.leader.value) or (name in _OFTEN_UNKNOWN.get(case.kind, ()))


def bids(case: Case) -> list[BidField]:
    """The calls of a bidding, one field each."""
    names = bid_fields(case.profile) if case.kind == BIDS else ()
    return [
        BidField(name, number, case.get(f"{name}_by"), case.get(name)) for number, name in enumerate(names, start=1)
    ]


def told_acts(case: Case) -> list[BidField]:
    """The acts of declaring in turn, and room for two more."""
    if case.kind != DECLARE:
        return []
    used = sum(bool(case.get(name)) for name in TOLD)
    return [
        BidField(name, number, case.get(f"{name}_by"), case.get(name))
        for number, name in enumerate(TOLD[: max(4, used + 2)], start=1)
    ]


def told_offered(case: Case) -> list[tuple[str, str]]:
    """What can be done in turn: cards that can be shown at this level, a suit that can be named."""
    level = next((level for level in case.profile.ladder if str(level) == case.get("level")), None)
    if case.kind != DECLARE or level is None:
        return []
    bids = candidates(case.profile, level)
    shown = [(typed(cards), in_language(cards_named(cards))) for cards in bids]
    named = [(f"={suit}", gettext("names %(suit)s") % {"suit": in_language(TRUMPS[Trump(suit)])}) for suit in SUITS]
    return [(PASSES, _passes()), *shown, *named]


def schedules_offered(case: Case) -> list[tuple[str, str]]:
    """The penalties that can be asked for: those of the event first, then every schedule by its id."""
    named = [(one.id, in_language(one.title)) for one in schedules(case.profile)]
    return [("", gettext("Those of the event")), *named] if case.penalties else named


def party(code: str) -> str:
    return in_language(SIDES[Side(code)] if code in Side.__members__ else PLACES[Place(code)])


def bids_offered(profile: Profile) -> list[tuple[str, str]]:
    """What can be called, the first bids first, and how it is said."""
    if profile.bidding is None:
        return []
    low, high, step = (profile.bidding[name] for name in ("low", "high", "step"))
    return [*((str(bid), str(bid)) for bid in range(high, low - 1, -step)), (PASSES, _passes())]


def _passes() -> str:
    return pgettext("in a bidding", "passes")


def own_levels(case: Case) -> list[tuple[str, str, str]]:
    """The field, the player and the level of each who has a level of his own in this question."""
    names = level_fields(case.profile)
    if not set(names) <= set(case.values) or len(names) < len(case.profile.seats):
        return []
    return [(name, player.value, case.get(name)) for name, player in zip(names, case.profile.seats, strict=True)]


def _label(case: Case, name: str) -> Word:
    if case.kind == COUNTER and name == "cards":
        return _("The counter in question")
    if name == "hand" and case.kind == BURIAL:
        return _("The hand with the kitty")
    return _("The dealer before the first trick") if case.kind == RETURN and name == "hand" else _LABELS[name]


def _shown_by(case: Case, name: str) -> tuple[str, str]:
    """The field that says who showed the cards of a field, and its value; empty where the field has no such one."""
    if case.kind == COUNTER:
        by_name = {"declared": "declared_by", "cards": "by"}.get(name, f"{name}_by")
        return by_name, case.get(by_name)
    if name in SHOWN:
        return f"{name}_by", case.get(f"{name}_by") or first_player(case.profile).value
    return (f"{name}_by", led_by(case, name)) if name in TRICKS else ("", "")
