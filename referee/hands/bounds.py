"""What the numbers of a hand's form may be: one table, given to the page, which holds a phone without a network to it.

The rules check every number themselves, wherever it comes from; the table says no more than they do, in their own
sentences, with names in braces for what was typed (`table-required.js` fills them in). What follows from more than
numbers, such as how many points a trick of so many cards can hold, is left to the rules where it is not in the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from referee.hands.required import ANNULLED, HAND
from referee.hands.shapes import code_of, short_shapes
from referee.parts.words import in_language
from scoring import wording
from scoring.hands import sheets
from scoring.hands.findings import finding
from scoring.profiles.level_table import GRAIN
from scoring.values import FLAG, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.hands.required import Values
    from referee.parts.words import Word
    from scoring.profiles import Profile
    from scoring.values import Text

#: Stands in a sentence for the number that was typed; of a sum, for the sum.
VALUE: Final = "{value}"


@dataclass(frozen=True, slots=True)
class Bound:
    """A number, or the sum of several, that has to lie between `low` and `high` in steps of `step` (counted from 0).

    It is judged while each field of `when` has one of its values and none of `unless` has one of its own, and only
    where all its fields are filled in; a sum only where each of its parts is right by itself. `says` are the sentences
    by what is wrong: ``number``, ``step``, ``low``, ``high``. Beside ``{value}`` they may name a field of the form,
    ``{over}`` (by how much a sum is too high) and ``{rest}`` (a sum without its last field).
    """

    fields: tuple[str, ...]
    word: Word
    at: str
    says: Mapping[str, Text]
    when: Values
    unless: Values = field(default_factory=dict)
    low: int | None = None
    high: int | None = None
    step: int = 1


def bounds_json(bounds: Iterable[Bound]) -> list[dict[str, Any]]:
    """The table as the page's script reads it, in the reader's language."""
    return [
        {
            "fields": list(one.fields),
            "word": str(one.word),
            "at": one.at,
            "says": {what: in_language(sentence) for what, sentence in one.says.items()},
            "when": {name: list(values) for name, values in one.when.items()},
            "unless": {name: list(values) for name, values in one.unless.items()},
            "low": one.low,
            "high": one.high,
            "step": one.step,
        }
        for one in bounds
    ]


def of_two_sides(profile: Profile) -> list[Bound]:
    """The numbers of a hand of two sides, and of a rebellion."""
    not_at_flag: Values = {"level": (FLAG.rank,)}
    last = _dug(profile, not_at_flag) if profile.last_trick == "kitty" else _last_trick(profile, not_at_flag)
    return [_captured(profile), *last, *_rebellion(profile)]


def of_players(profile: Profile, names: Mapping[str, str]) -> list[Bound]:
    """The numbers of a hand of single players; `names`: the players by place."""
    if profile.division == "everyone":
        return list(_everyone(profile, names))
    bid = [_bid(profile)] if profile.bidding is not None else []
    return [*bid, _captured(profile), *_dug(profile, {})]


def _captured(profile: Profile) -> Bound:
    what, most = sheets.points_taken(profile), int(profile.points_max)
    return Bound(
        ("captured_in_tricks",),
        gettext_lazy("Points in tricks"),
        "captured_in_tricks",
        _of_points(what, most) | {"high": _above_decks(profile)},
        HAND,
        low=0,
        high=most,
        step=GRAIN,
    )


def _dug(profile: Profile, unless: Values) -> Iterable[Bound]:
    """The kitty, and with what was taken in tricks no more than there is."""
    dug: Values = {**HAND, "last_trick_winner": (Role.ATTACKERS.value,)}
    kitty = _kitty(profile, dug, unless)
    total = int(profile.points_max)
    said = _says(
        "above_deck_total",
        decks=wording.decks(profile.decks),
        total=total,
        captured="{captured_in_tricks}",
        kitty="{kitty_points}",
        over="{over}",
    )
    fields = ("captured_in_tricks", "kitty_points")
    return kitty, Bound(fields, kitty.word, "captured_in_tricks", {"high": said}, dug, unless, high=total)


def _kitty(profile: Profile, when: Values, unless: Values) -> Bound:
    most, cards = int(profile.kitty_max), profile.kitty_cards
    capital = {"en": wording.number(cards, capital=True)["en"], "zh": str(cards)}
    too_rich = _says("kitty_too_rich", cards=capital, most=most, value=VALUE)
    says = _of_points(sheets.KITTY, int(profile.points_max)) | {"high": too_rich}
    word = gettext_lazy("Kitty points")
    return Bound(("kitty_points",), word, "kitty_points", says, when, unless, low=0, high=most, step=GRAIN)


def _last_trick(profile: Profile, unless: Values) -> Iterable[Bound]:
    """Where the last trick counts by its cards: each player gave as many as were led, of ten points at most."""
    word, total = gettext_lazy("Points in the last trick"), int(profile.points_max)
    name = "last_trick_points"
    for shape in short_shapes(profile):
        most = min(40 * shape.cards, total)
        when: Values = {**HAND, "led": (code_of(shape),)}
        says = _of_points(sheets.LAST_TRICK, most)
        yield Bound((name,), word, name, says, when, unless, low=0, high=most, step=GRAIN)
    fields = ("captured_in_tricks", name)
    yield Bound(fields, word, "captured_in_tricks", {"high": _above_decks(profile)}, HAND, unless, high=total)


def _rebellion(profile: Profile) -> Iterable[Bound]:
    if profile.rebellion:
        most = int(profile.points_max)
        says = {what: said for what, said in _of_points(sheets.IN_HAND, most).items() if what != "step"}
        when: Values = {**ANNULLED, "annulled_reason": ("rebellion",)}
        word = gettext_lazy("Points in that hand")
        yield Bound(("rebel_points",), word, "rebel_points", says, when, low=0, high=most)


def _everyone(profile: Profile, names: Mapping[str, str]) -> Iterable[Bound]:
    """Each player's points and the kitty, which together are all there are."""
    total, fields = int(profile.points_max), tuple(f"points_{place}" for place in sorted(names))
    own = _of_points(sheets.points_taken(profile), total)
    for name, (_place, player) in zip(fields, sorted(names.items()), strict=True):
        yield Bound((name,), player, name, own, HAND, low=0, high=total, step=GRAIN)
    kitty = _kitty(profile, HAND, {})
    yield kitty
    said = _says(
        "points_not_conserved",
        decks=wording.decks(profile.decks),
        total=total,
        played="{rest}",
        kitty="{kitty_points}",
        sum=VALUE,
    )
    word, says = gettext_lazy("Points in tricks"), {"low": said, "high": said}
    yield Bound((*fields, "kitty_points"), word, "points", says, HAND, low=total, high=total)


def _bid(profile: Profile) -> Bound:
    assert profile.bidding is not None
    high, low, step = (profile.bidding[name] for name in ("high", "low", "step"))
    said = _says("bid_not_here", value=VALUE, low=low, high=high, step=step)
    says = dict.fromkeys(("step", "low", "high"), said) | {"number": _no_number({"en": "the bid", "zh": "叫分"})}
    return Bound(("bid",), gettext_lazy("Bid"), "bid", says, HAND, low=low, high=high, step=step)


def _of_points(what: Text, most: int) -> dict[str, Text]:
    """What is said of points that are no number, no multiple of 5, or not between 0 and `most`."""
    reach = _says("out_of_range", what=what, value=VALUE, low=0, high=most)
    step = _says("not_a_multiple_of_5", what=what, value=VALUE)
    return {"number": _no_number(what), "step": step, "low": reach, "high": reach}


def _no_number(what: Text) -> Text:
    return _says("not_a_whole_number", what=what, value=wording.shown(VALUE))


def _above_decks(profile: Profile) -> Text:
    decks, total = wording.decks(profile.decks), int(profile.points_max)
    return _says("above_deck_total", "above_deck_total:alone", decks=decks, total=total, value=VALUE)


def _says(code: str, wording_code: str | None = None, **words: Any) -> Text:
    """The sentence of the rules for this code."""
    return finding(code, "", wording_code=wording_code, **words).message
