"""The table page of single players: one player's screen, the form of a hand, and its words.

Which form it is follows from the profile's `division`: who plays alone and for which bid, who deals and who is the
ally, or the points of each player.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext as _

from referee.hands import bounds, required
from referee.hands.choices import choices
from referee.hands.forms import PlayersForm
from referee.hands.words import Voice, annulled_keys, of_players
from referee.hands.words import opposed as opposed_players
from referee.parts.formats import exact, signed
from referee.parts.kept import ALL_WRONG, WRONG_ALONE
from referee.parts.names import in_names, shown_name
from referee.parts.words import PLACES, listed, reached
from referee.table.presenters import errors_by_field, in_parts, judged
from referee.table.screens import Difference, Screen, View
from scoring.hands.fields import in_order
from scoring.individual.entries import plays_levels
from scoring.individual.states import IndividualEntryResult, IndividualState
from scoring.values import Role
from tournaments.ledger.disputes import differing_fields
from tournaments.sittings import table_pages
from tournaments.sittings.games import parties_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from referee.hands.required import Required
    from referee.parts.words import Word
    from tournaments.ledger.previewing import Preview
    from tournaments.models import Entrant, LedgerEntry


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
    typed: PlayersForm | None = None

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
    def entrant(self) -> Entrant | None:
        row = self.sitting.match.places.select_related("entrant").filter(place=self.side).first()
        return None if row is None else row.entrant

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
                standing=reached(position["levels"][place], self.profile)
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
        return opposed_players(self.profile)

    # What the page is and says

    @property
    def token(self) -> str:
        entry = self.waiting
        due = "-".join(str(value) for value in (*self.state.levels.values(), *self.state.scores.values()))
        mark = due if self.view is View.ENTER else self.sitting.revision
        if self.after is not None:
            mark = f"{mark}.{self.after.key}"
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
        return WRONG_ALONE[self.division]

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
        return [self.name_of(entry.entered_side) for entry in self.claims]

    @property
    def differences(self) -> list[Difference]:
        if len(self.claims) < 2:
            return []
        first, second = self.claims[0], self.claims[-1]
        return [
            Difference(name, self.field_word(name), self.value_words(name, first), self.value_words(name, second))
            for name in in_order({*first.facts, *second.facts})
            if name in differing_fields(first.facts, second.facts)
        ]

    @property
    def voice(self) -> Voice:
        return of_players(self.profile, self.name_of)

    @cached_property
    def hands(self) -> list[PlayersHand]:  # type: ignore[override]
        return [
            PlayersHand(one.entry, one.result, self.names, one.corrected)  # type: ignore[arg-type]
            for one in super().hands
        ]

    @property
    def result_words(self) -> str:
        """How the table ended, in one sentence."""
        winners = listed(self.name_of(str(place)) for place in self.state.winners)
        if len(self.state.winners) > 1:
            return _("%(names)s share the table.") % {"names": winners}
        return _("%(name)s wins the table.") % {"name": winners}

    # The form

    def read(self, data: QueryDict | Mapping[str, Any]) -> None:
        self.typed = PlayersForm.posted(data, self.profile)

    @cached_property
    def required(self) -> Sequence[Required]:
        return required.of_players(self.profile, {place: self.name_of(place) for place in parties_of(self.profile)})

    @property
    def counted_level(self) -> str:
        return self.typed_in("level")  # nothing that is asked depends on it


def _score(position: Mapping[str, Any], place: str, division: str) -> str:
    """Units are gains and losses; points taken are points."""
    value = position["scores"][place]
    return signed(value) if division == "alone" else exact(value)


def entry_context(screen: IndividualScreen) -> dict[str, Any]:
    """The entry form: its keys, the values typed so far, what was found wrong by field."""
    profile = screen.profile
    if screen.typed is None:
        mend = screen.to_mend
        screen.typed = PlayersForm({}, profile) if mend is None else PlayersForm.of_facts(mend.facts, profile)
    form, errors = screen.typed, errors_by_field(screen.findings)
    return choices(profile) | {
        "typed": form,
        "due_levels": json.dumps({str(place): str(level) for place, level in screen.state.levels.items()}),
        "form_data": {
            "required": required.rows_json(screen.required),
            "bounds": bounds.bounds_json(bounds.of_players(profile, screen.names)),
        },
        "errors": errors,
        "plain_rows": form.plain_rows(errors),
        "point_rows": [(one, form.get(f"points_{one.place}")) for one in screen.players],
        "throwers": [(one.place, one.name) for one in screen.players],
        "annulled": annulled_keys(profile),
    }


# Words


def result_words(screen: IndividualScreen, seen: Preview) -> dict[str, Any]:
    """What an entry does, in words: the sum, the outcome, where everybody then stands, and why."""
    context = judged(screen, seen)
    result = seen.result
    if not isinstance(result, IndividualEntryResult) or result.sentence is None:
        return context
    sentence = in_names(result.sentence, screen.names)
    total = None if result.total is None else int(result.total.raw)
    said = {
        "levels": in_names(result.scores_sentence, screen.names),
        "total": total if screen.keeps_levels else None,
        "spoken": sentence,
        "because": result.because,
        "agree": _agreement(screen, result),
    }
    return context | in_parts(sentence) | said


def _agreement(screen: IndividualScreen, result: IndividualEntryResult) -> str:
    """What the button says that agrees to an entry: who wins, and the total where there is one."""
    if not result.winners:
        return _("Confirm: this hand is void")
    names = listed(screen.name_of(str(place)) for place in result.winners)
    if result.winner_role is Role.ATTACKERS:
        names = screen.opposed
    if result.total is None:
        return _("Confirm: %(names)s took most") % {"names": names}
    return _("Confirm %(total)s: %(names)s win") % {"total": exact(int(result.total.raw)), "names": names}
