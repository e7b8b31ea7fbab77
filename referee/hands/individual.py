"""A hand of single players in forms and words: what is asked, the facts it makes, and how pages name them.

Which form it is follows from the profile's `division`: who plays alone and for which bid, who deals and who is the
ally, or the points of each player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.hands.shapes import (
    all_shapes,
    code_of,
    shape_key,
    shape_of,
    short_codes,
    short_shapes,
)
from referee.parts.numbers import whole_number
from scoring.individual.entries import places, plays_levels
from scoring.values import Role, Shape, Trump

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict

    from scoring.profiles import Profile

LED: Final = 3
THROWS: Final = 2
TWO_SIDED: Final = ("captured_in_tricks", "last_trick_winner", "led", "kitty_points", "winning_category")

#: What is asked of a hand, beside failed throws, in the order of the form.
ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "alone": ("dealer", "bid", "trump", *TWO_SIDED),
    "ally": ("dealer", "ally", "level", "trump", *TWO_SIDED),
    "everyone": ("points", "last_trick_place", "kitty_points"),
}
NUMBERS: Final = ("bid", "captured_in_tricks", "kitty_points")
#: What every player has a figure of.
BY_PLACE: Final = ("points", "gains")
#: What stands on the form as it stands in the facts.
KEPT: Final = (
    "dealer", "ally", "level", "trump", "last_trick_winner", "last_trick_place", "winning_category", "total_only",
    *NUMBERS,
)  # fmt: skip
KINDS: Final = ("hand", "total", "annulled", "adjusted")


class PlayersForm:
    """One hand as typed, at the table or at the desk. `values` are texts by field name, shown again as they are.

    Officials also enter a total from a slip (`total`), a void hand (`annulled`) and a result of their own (`adjusted`).
    """

    def __init__(self, values: Mapping[str, str], profile: Profile) -> None:
        self.profile = profile
        self.values = {name: str(values.get(name, "")).strip()[:200] for name in field_names(profile)}
        self.values["kind"] = self.values["kind"] or "hand"

    @classmethod
    def posted(cls, data: QueryDict | Mapping[str, Any], profile: Profile) -> PlayersForm:
        return cls({name: str(data.get(name, "")) for name in field_names(profile)}, profile)

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any], profile: Profile) -> PlayersForm:
        """The form that says the same as a ledger entry."""
        values = {name: str(facts[name]) for name in ("kind", *KEPT) if facts.get(name) is not None}
        values |= {f"{name}_{place}": str(number) for name in BY_PLACE for place, number in facts.get(name, {}).items()}
        if facts.get("bids") and "bid" not in values:
            values["bid"] = str(min(facts["bids"].values()))
        codes = [code_of(Shape.from_json(shape)) for shape in facts.get("led", ())]
        if len(codes) == 1 and codes[0] in short_codes(profile):
            values["led"] = codes[0]
        elif codes:
            values |= {"led": "more", **{f"led_{row}": code for row, code in enumerate(codes[:LED], 1)}}
        for row, failure in enumerate(facts.get("throw_failures", ())[:THROWS], 1):
            values |= {f"throw_place_{row}": str(failure["place"]), f"throw_cards_{row}": str(failure["cards"])}
        for one in facts.get("adjustments", ())[:1]:
            values |= {"adjustment_points": str(one["points"]), "adjustment_why": str(one.get("why", ""))}
        if facts.get("kind") == "annulled":
            values["annulled_reason"] = str(facts.get("reason", ""))
        if facts.get("total_only") is not None:
            values["kind"] = "total"
        return cls(values, profile)

    def turned_to(self, kind: str | None) -> PlayersForm:
        """The same figures on the form of another kind of entry."""
        if kind in KINDS:
            self.values["kind"] = kind
        return self

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    @property
    def led_more(self) -> tuple[tuple[int, str], ...]:
        """The shapes of a longer lead: number of the choice, code of the shape."""
        return tuple((row, self.get(f"led_{row}")) for row in range(1, LED + 1))

    @property
    def throws(self) -> list[tuple[int, str, str]]:
        """Rows of failed throws: number of the row, place, cards."""
        rows = range(1, THROWS + 1)
        return [(row, self.get(f"throw_place_{row}"), self.get(f"throw_cards_{row}") or "2") for row in rows]

    def by_place(self, name: str) -> list[tuple[str, str]]:
        """Place and text of a field that every player has."""
        return [(str(place), self.get(f"{name}_{place}")) for place in places(self.profile)]

    @property
    def point_rows(self) -> list[tuple[str, str]]:
        return self.by_place("points")

    @property
    def gain_rows(self) -> list[tuple[str, str]]:
        return self.by_place("gains")

    def facts(self) -> dict[str, Any]:
        """The entry as the protocol writes it; what was left empty is left out."""
        kind = self.get("kind")
        if kind == "annulled":
            return _stated(kind=kind, reason=self.get("annulled_reason"), why=self.get("why"))
        if kind == "adjusted":
            gains = {place: whole_number(text) for place, text in self.by_place("gains") if text}
            return {"gains": gains} | _stated(kind=kind, dealer=self.get("dealer"), why=self.get("why"))
        return self._hand(total=kind == "total")

    def _hand(self, *, total: bool) -> dict[str, Any]:
        dug = self.get("last_trick_winner") == Role.ATTACKERS or self.profile.division == "everyone"
        facts: dict[str, Any] = {"kind": "hand"}
        for name in ASKED[self.profile.division]:
            if total and name in TWO_SIDED:
                continue
            if name == "points":
                facts[name] = {place: whole_number(text) for place, text in self.by_place(name) if text}
            elif name == "led":
                facts |= _stated(led=self._led() if dug else [])
            elif dug or name not in ("kitty_points", "winning_category"):
                facts |= _stated(**{name: whole_number(self.get(name)) if name in NUMBERS else self.get(name)})
        if total:
            return facts | _stated(total_only=whole_number(self.get("total_only")))
        throws = [{"place": place, "cards": whole_number(cards)} for _row, place, cards in self.throws if place]
        ruled = _stated(points=whole_number(self.get("adjustment_points")), why=self.get("adjustment_why"))
        return facts | _stated(throw_failures=throws, adjustments=[ruled] if ruled else [])

    def _led(self) -> list[Any]:
        codes = [code for _row, code in self.led_more] if self.get("led") == "more" else [self.get("led")]
        return [shape_of(code) for code in codes if code]


def field_names(profile: Profile) -> list[str]:
    """The fields of the form of a hand by these rules."""
    names = ["kind", *(name for name in ASKED[profile.division] if name not in BY_PLACE)]
    names += [f"{name}_{place}" for name in BY_PLACE for place in places(profile)]
    names += [f"throw_{part}_{row}" for part in ("place", "cards") for row in range(1, THROWS + 1)]
    names += [f"led_{row}" for row in range(1, LED + 1)]
    return [*names, "annulled_reason", "total_only", "adjustment_points", "adjustment_why", "why"]


def _stated(**facts: Any) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value not in ("", [])}


def choices(profile: Profile) -> dict[str, Any]:
    """What the keys and selects of a hand offer, at the table and at the desk."""
    bidding = profile.bidding or {}
    trumps = [trump.value for trump in Trump if trump is not Trump.NT or profile.no_trump_allowed]
    return {
        "division": profile.division,
        "asked": ASKED[profile.division],
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
