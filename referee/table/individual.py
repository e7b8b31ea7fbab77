"""The table page of single players: one player's screen, the form of a hand, and its words.

Which form it is follows from the profile's `division`: who plays alone and for which bid, who deals and who is the
ally, or the points of each player.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from referee.parts.formats import exact, signed
from referee.parts.names import in_names, shown_name
from referee.parts.words import NO_TRUMP, PLACES, SUITS, in_language, level_word
from referee.table import forms
from referee.table.forms import _number as number
from referee.table.presenters import errors_by_field, sentence_of, shape_key
from referee.table.screens import Difference, Screen, View
from referee.table.words import list_words, shape_word
from scoring.individual import plays_levels
from scoring.individual_states import IndividualEntryResult, IndividualState
from scoring.values import Role, Shape, Trump
from tournaments.queries import table_pages
from tournaments.queries.games import parties_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import QueryDict

    from referee.parts.words import Word
    from scoring.findings import Finding
    from scoring.profiles import Profile
    from tournaments.models import LedgerEntry
    from tournaments.services.scorekeeping import Preview

THROWS: Final = 2
TWO_SIDED: Final = ("captured_in_tricks", "last_trick_winner", "led", "kitty_points", "winning_category")

#: What is asked of a hand, beside failed throws, in the order of the form.
ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "alone": ("dealer", "bid", "trump", *TWO_SIDED),
    "ally": ("dealer", "ally", "level", "trump", *TWO_SIDED),
    "everyone": ("points", "last_trick_place", "kitty_points"),
}
NUMBERS: Final = ("bid", "captured_in_tricks", "kitty_points")

ORDER: Final = (
    "kind", "reason", "dealer", "ally", "bid", "level", "trump", "points", "captured_in_tricks", "last_trick_winner",
    "last_trick_place", "led", "kitty_points", "winning_category", "throw_failures",
)  # fmt: skip

_PLAYER: Final[Mapping[str, Word]] = {"alone": gettext_lazy("Plays alone"), "ally": gettext_lazy("Dealer")}
FIELDS: Final[Mapping[str, Word]] = {
    "kind": gettext_lazy("Kind"),
    "reason": gettext_lazy("Reason"),
    "dealer": gettext_lazy("Dealer"),
    "ally": gettext_lazy("Ally"),
    "bid": gettext_lazy("Bid"),
    "level": gettext_lazy("Level"),
    "trump": gettext_lazy("Trump"),
    "points": gettext_lazy("Points of each"),
    "captured_in_tricks": gettext_lazy("Points in tricks"),
    "last_trick_winner": gettext_lazy("Last trick"),
    "last_trick_place": gettext_lazy("Last trick"),
    "led": gettext_lazy("Led to it"),
    "kitty_points": gettext_lazy("Kitty points"),
    "winning_category": gettext_lazy("Won with"),
    "throw_failures": gettext_lazy("Failed throws"),
}

#: What a player can say with one tap when he sends an entry back.
WRONG: Final[Mapping[str, Mapping[str, Word]]] = {
    "alone": {
        "points": pgettext_lazy("what is wrong", "Points"),
        "dealer": pgettext_lazy("what is wrong", "Who plays alone"),
        "bid": pgettext_lazy("what is wrong", "The bid"),
        "last_trick": pgettext_lazy("what is wrong", "Last trick"),
        "kitty": pgettext_lazy("what is wrong", "Kitty"),
        "trump": pgettext_lazy("what is wrong", "Trump"),
        "throw": pgettext_lazy("what is wrong", "Failed throw"),
        "not_finished": pgettext_lazy("what is wrong", "Not finished"),
    },
    "ally": {
        "points": pgettext_lazy("what is wrong", "Points"),
        "dealer_or_ally": pgettext_lazy("what is wrong", "Dealer or ally"),
        "last_trick": pgettext_lazy("what is wrong", "Last trick"),
        "kitty": pgettext_lazy("what is wrong", "Kitty"),
        "trump": pgettext_lazy("what is wrong", "Trump"),
        "throw": pgettext_lazy("what is wrong", "Failed throw"),
        "not_finished": pgettext_lazy("what is wrong", "Not finished"),
    },
    "everyone": {
        "points": pgettext_lazy("what is wrong", "Points"),
        "last_trick": pgettext_lazy("what is wrong", "Last trick"),
        "kitty": pgettext_lazy("what is wrong", "Kitty"),
        "throw": pgettext_lazy("what is wrong", "Failed throw"),
        "not_finished": pgettext_lazy("what is wrong", "Not finished"),
    },
}
ALL_WRONG: Final[Mapping[str, Word]] = {code: word for words in WRONG.values() for code, word in words.items()}

ANNULLED: Final[Mapping[str, Word]] = {
    "all_passed": gettext_lazy("Nobody bid"),
    "misdeal": gettext_lazy("Misdeal"),
    "redeal": gettext_lazy("Redeal"),
    "ruling": gettext_lazy("Ruling"),
}


@dataclass(frozen=True, slots=True)
class Player:
    """One player at the table as his page shows him: level or score, and what he is in the hand being entered."""

    place: str
    name: str
    standing: str
    is_level: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class PlayersHand:
    """An entry of the record with what it did, in the names of the players."""

    entry: LedgerEntry
    result: IndividualEntryResult
    names: Mapping[str, str]
    corrected: bool = False

    @property
    def sentence(self) -> str:
        return in_names(self.result.sentence, self.names)

    @property
    def levels(self) -> str:
        return in_names(self.result.scores_sentence, self.names)


class IndividualScreen(Screen):
    """The page of one place. The same views as for a side; every other player may answer an entry."""

    state: IndividualState  # type: ignore[assignment]
    individual: ClassVar[bool] = True

    def _folded(self) -> IndividualState:  # type: ignore[override]
        state = table_pages.folded(self.sitting, self.entries)
        assert isinstance(state, IndividualState)
        return state

    # Who sits here

    @cached_property
    def names(self) -> dict[str, str]:
        """Player by place, as the page calls him."""
        rows = self.sitting.match.places.select_related("entrant")
        return {row.place: shown_name(row.entrant) for row in rows}

    @property
    def my_name(self) -> str:
        return self.names.get(self.side, "")

    @property
    def division(self) -> str:
        return self.profile.division

    @property
    def keeps_levels(self) -> bool:
        return plays_levels(self.profile)

    @property
    def players(self) -> list[Player]:
        """Everybody by place."""
        position = self.state.position.to_json()
        return [
            Player(
                place=place,
                name=self.names.get(place, ""),
                standing=(position["levels"][place] or "passed")
                if self.keeps_levels
                else _score(position, place, self.division),
                is_level=self.keeps_levels,
                mine=place == self.side,
            )
            for place in parties_of(self.profile)
        ]

    def name_of(self, party: str) -> str:
        return self.names.get(party) or str(PLACES.get(party, party))

    @property
    def opposed(self) -> str:
        """Those who play against the dealer, as the form calls them."""
        if self.division == "ally":
            return _("attackers")
        return {4: _("the three"), 5: _("the four")}[self.profile.players]

    # What the page is and says

    @property
    def token(self) -> str:
        entry = self.waiting
        due = "-".join(str(value) for value in (*self.state.levels.values(), *self.state.scores.values()))
        mark = due if self.view is View.ENTER else self.sitting.revision
        return f"{self.view}.{self.hand_no}.{entry.pk if entry else 0}.{mark}"

    @property
    def rewritten(self) -> str:
        if self.view in (View.CONFIRM, View.ENTER) and self.waiting is not None:
            words = {"name": self.name_of(self.waiting.entered_side), "n": self.hand_no}
            return _("%(name)s entered hand %(n)s; please check it.") % words
        return super().rewritten

    @property
    def sender(self) -> str:
        """Who sent what waits."""
        return self.name_of(self.waiting.entered_side) if self.waiting is not None else ""

    @property
    def wrong(self) -> Mapping[str, Word]:
        return WRONG[self.division]

    @property
    def returned_words(self) -> str:
        back = self.returned
        if back is None:
            return ""
        what = str(ALL_WRONG.get(back.sent_back_what, back.sent_back_what))
        return f"{what} ({back.sent_back_note})" if back.sent_back_note else what

    @property
    def theirs(self) -> LedgerEntry | None:
        """An entry of a hand in dispute that this player did not make: he may still agree to it."""
        found = (entry for entry in (self.waiting, self.contesting) if entry is not None)
        return next((entry for entry in found if entry.entered_side != self.side), None)

    @property
    def claimants(self) -> list[str]:
        """Who entered the two accounts of a hand in dispute."""
        found = (entry for entry in (self.waiting, self.contesting) if entry is not None)
        return [self.name_of(entry.entered_side) for entry in found]

    @property
    def differences(self) -> list[Difference]:
        first, second = self.waiting, self.contesting
        if first is None or second is None:
            return []
        return [
            Difference(name, self.field_word(name), self.value_words(name, first), self.value_words(name, second))
            for name in in_order({*first.facts, *second.facts})
            if first.facts.get(name) != second.facts.get(name)
        ]

    @property
    def their_facts(self) -> list[tuple[str, str, str]]:
        return self.fact_rows(self.theirs)

    @property
    def waiting_facts(self) -> list[tuple[str, str, str]]:
        return self.fact_rows(self.waiting)

    def fact_rows(self, entry: LedgerEntry | None) -> list[tuple[str, str, str]]:
        """An entry's facts as rows: name, word, value in words."""
        if entry is None:
            return []
        names = {name for name in entry.facts if name != "kind"}
        return [(name, self.field_word(name), self.value_words(name, entry)) for name in in_order(names)]

    def field_word(self, name: str) -> str:
        if name == "dealer":
            return str(_PLAYER.get(self.division, FIELDS[name]))
        return str(FIELDS.get(name, name))

    def value_words(self, name: str, entry: LedgerEntry) -> str:
        return fact_words(name, entry.facts.get(name), self.name_of, self.opposed)

    @cached_property
    def hands(self) -> list[PlayersHand]:  # type: ignore[override]
        return [
            PlayersHand(one.entry, one.result, self.names, one.corrected)  # type: ignore[arg-type]
            for one in super().hands
        ]

    @property
    def result_words(self) -> str:
        """How the table ended, in one sentence."""
        winners = list_words(self.name_of(str(place)) for place in self.state.winners)
        if len(self.state.winners) > 1:
            return _("%(names)s share the table.") % {"names": winners}
        return _("%(name)s wins the table.") % {"name": winners}

    # The form

    def read(self, data: QueryDict | Mapping[str, Any]) -> None:
        self.typed = typed(data, self.profile)

    def facts(self, *, annulled: bool) -> dict[str, Any]:
        assert self.typed is not None
        return annulled_facts(self.typed) if annulled else hand_facts(self.typed, self.profile)

    def left_empty(self, facts: Mapping[str, Any]) -> Finding | None:
        return super().left_empty(facts) if "trump" in ASKED[self.division] else None


def _score(position: Mapping[str, Any], place: str, division: str) -> str:
    """Units are gains and losses; points taken are points."""
    value = position["scores"][place]
    return signed(value) if division == "alone" else exact(value)


def in_order(names: Iterable[str]) -> list[str]:
    """Names of facts in the order of the form."""
    return sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


# Forms


def typed(data: QueryDict | Mapping[str, Any], profile: Profile) -> forms.Typed:
    """What was posted, trimmed and cut to a length that can be shown again."""
    names = [name for name in ASKED[profile.division] if name != "points"]
    names += [f"points_{place}" for place in parties_of(profile)] if profile.division == "everyone" else []
    names += [f"throw_{part}_{row}" for part in ("place", "cards") for row in range(1, THROWS + 1)]
    names += [f"led_{row}" for row in range(1, forms.LED + 1)]
    return forms.Typed({name: str(data.get(name, "")).strip()[:40] for name in (*names, "annulled_reason")})


def hand_facts(form: forms.Typed, profile: Profile) -> dict[str, Any]:
    """The hand as the protocol writes it; what was left empty is left out, what is no number stays text."""
    facts: dict[str, Any] = {"kind": "hand"}
    dug = form.get("last_trick_winner") == Role.ATTACKERS or profile.division == "everyone"
    for name in ASKED[profile.division]:
        if name == "points":
            points = {place: form.get(f"points_{place}") for place in parties_of(profile)}
            facts["points"] = {place: number(text) for place, text in points.items() if text}
        elif name == "led":
            codes = [code for _, code in form.led_more if code] if form.get("led") == "more" else [form.get("led")]
            led = [forms.shape_of(code) for code in codes if code]
            facts |= {"led": led} if led and dug else {}
        elif form.get(name) and (dug or name not in ("kitty_points", "winning_category")):
            facts[name] = number(form.get(name)) if name in NUMBERS else form.get(name)
    throws = [
        {"place": form.get(f"throw_place_{row}"), "cards": number(form.get(f"throw_cards_{row}"))}
        for row in range(1, THROWS + 1)
        if form.get(f"throw_place_{row}")
    ]
    return facts | ({"throw_failures": throws} if throws else {})


def annulled_facts(form: forms.Typed) -> dict[str, Any]:
    """A hand that does not count."""
    return {"kind": "annulled", "reason": form.get("annulled_reason")}


def of_facts(facts: Mapping[str, Any], profile: Profile) -> forms.Typed:
    """The form that says the same as a ledger entry."""
    names = ("dealer", "ally", "level", "trump", "last_trick_winner", "last_trick_place", "winning_category", *NUMBERS)
    values = {name: str(facts[name]) for name in names if facts.get(name) is not None}
    values |= {f"points_{place}": str(points) for place, points in facts.get("points", {}).items()}
    bids = facts.get("bids") or {}
    if bids and "bid" not in values:
        values["bid"] = str(min(bids.values()))
    codes = [forms.code_of(Shape.from_json(shape)) for shape in facts.get("led", ())]
    if len(codes) == 1 and codes[0] in forms.short_codes(profile):
        values["led"] = codes[0]
    elif codes:
        values |= {"led": "more", **{f"led_{row}": code for row, code in enumerate(codes[: forms.LED], 1)}}
    for row, failure in enumerate(facts.get("throw_failures", ())[:THROWS], 1):
        values |= {f"throw_place_{row}": str(failure["place"]), f"throw_cards_{row}": str(failure["cards"])}
    if facts.get("kind") == "annulled":
        values["annulled_reason"] = str(facts.get("reason", ""))
    return forms.Typed(values)


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
        "shapes": [shape_key(profile, shape) for shape in forms.short_shapes(profile)],
        "more_shapes": [shape_key(profile, shape) for shape in forms.all_shapes(profile)],
        "throw_sizes": [str(size) for size in range(2, profile.hand_cards + 1)],
        "captured_most": int(profile.points_max),
        "kitty_most": int(profile.kitty_max),
        "all_points": int(profile.points_max),
    }


def entry_context(screen: IndividualScreen) -> dict[str, Any]:
    """The entry form: its keys, the values typed so far, what was found wrong by field."""
    profile = screen.profile
    if screen.typed is None:
        mend = screen.to_mend
        screen.typed = forms.Typed() if mend is None else of_facts(mend.facts, profile)
    form = screen.typed
    reasons = [code for code in ANNULLED if code != "ruling" and (code != "all_passed" or profile.bidding is not None)]
    return choices(profile) | {
        "typed": form,
        "errors": errors_by_field(screen.findings),
        "point_rows": [(one, form.get(f"points_{one.place}")) for one in screen.players],
        "throw_rows": [
            (row, form.get(f"throw_place_{row}"), form.get(f"throw_cards_{row}") or "2") for row in range(1, THROWS + 1)
        ],
        "annulled": {code: ANNULLED[code] for code in reasons},
    }


# Words


def fact_words(name: str, value: Any, name_of: Any, opposed: str) -> str:
    """A fact's value in words; "none" where it is left out. `name_of` gives the player of a place."""
    if value is None or value == [] or value == {}:
        return _("none")
    write = _WRITERS.get(name)
    return write(value, name_of, opposed) if write is not None else str(value)


def _by_player(rows: Mapping[str, int], name_of: Any) -> str:
    return list_words(f"{name_of(place)} {exact(points)}" for place, points in sorted(rows.items()))


_WRITERS: Final = {
    "kind": lambda value, _n, _o: {"hand": _("hand"), "annulled": _("void hand")}.get(value, str(value)),
    "reason": lambda value, _n, _o: str(ANNULLED.get(value, value)),
    "dealer": lambda value, name_of, _o: name_of(value),
    "ally": lambda value, name_of, _o: name_of(value),
    "place": lambda value, name_of, _o: name_of(value),
    "last_trick_place": lambda value, name_of, _o: name_of(value),
    "level": lambda value, _n, _o: level_word(value),
    "points": lambda value, name_of, _o: _by_player(value, name_of) if isinstance(value, dict) else str(value),
    "gains": lambda value, name_of, _o: _by_player(value, name_of),
    "bids": lambda value, name_of, _o: _by_player(value, name_of),
    "trump": lambda value, _n, _o: str(NO_TRUMP if value == "NT" else SUITS[value][1]),
    "last_trick_winner": lambda value, _n, opposed: opposed if value == Role.ATTACKERS else _("dealer side"),
    "led": lambda value, _n, _o: list_words(shape_word(Shape.from_json(shape)) for shape in value),
    "winning_category": lambda value, _n, _o: {"trump": _("trumps"), "side": _("a side suit")}[value],
    "throw_failures": lambda value, name_of, _o: list_words(
        _("%(role)s, %(n)s cards") % {"role": name_of(row["place"]), "n": row["cards"]} for row in value
    ),
}


def result_words(screen: IndividualScreen, seen: Preview) -> dict[str, Any]:
    """What an entry does, in words: the sum, the outcome, where everybody then stands, and why."""
    context: dict[str, Any] = {
        "screen": screen,
        "profile": screen.profile,
        "notices": [in_language(one.message) for one in seen.findings if not one.blocking],
        "missing": [sentence_of(one) for one in seen.findings if one.blocking],
    }
    result = seen.result
    if not isinstance(result, IndividualEntryResult) or result.sentence is None:
        return context
    sentence = in_names(result.sentence, screen.names)
    sum_words, arrow, outcome = sentence.partition(" → ")
    total = None if result.total is None else int(result.total.raw)
    return context | {
        "sum": sum_words,
        "outcome": outcome if arrow else "",
        "levels": in_names(result.scores_sentence, screen.names),
        "total": total if screen.keeps_levels else None,
        "spoken": sentence,
        "because": result.because,
        "agree": _agreement(screen, result),
    }


def _agreement(screen: IndividualScreen, result: IndividualEntryResult) -> str:
    """What the button says that agrees to an entry: who wins, and the total where there is one."""
    if not result.winners:
        return _("Confirm: this hand is void")
    names = list_words(screen.name_of(str(place)) for place in result.winners)
    if result.winner_role is Role.ATTACKERS:
        names = screen.opposed
    if result.total is None:
        return _("Confirm: %(names)s took most") % {"names": names}
    return _("Confirm %(total)s: %(names)s win") % {"total": exact(int(result.total.raw)), "names": names}
