"""Those whom a reader follows: where each plays next, the hand in play, its place, what it came to so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from referee.parts.boards import standing
from referee.parts.names import shown_name
from referee.parts.results import how_it_went, record_words, result_of
from referee.parts.states import STATES
from referee.public import following
from referee.public.presenters.round import IN_PLAY, state_of
from tournaments.boards.reads import kept_back_at, results_later
from tournaments.models import Entrant, MatchOutcome, RoundStatus
from tournaments.people.entrant_page import followed_entrants
from tournaments.rounds import public

if TYPE_CHECKING:
    from collections.abc import Collection

    from scoring.values import Text
    from tournaments.models import Tournament
    from tournaments.people.entrant_page import EntrantMatch, FollowedEntrant
    from tournaments.standings.shown import StandingRow

#: Matches that are over, of each, the last one first.
LAST: Final = 3


@dataclass(frozen=True, slots=True)
class Now:
    """The next match: its state, the hand in play, levels (points where hands are fixed) of confirmed hands, own first.

    `hand` and `levels` are None before it begins, where boards are played, and at a table of single players.
    """

    one: EntrantMatch
    state: str
    hand: int | None
    levels: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Past:
    """A match that is over: its result, own side first; `later`: what is said in place of a result not told yet."""

    one: EntrantMatch
    result: str
    how: str
    later: Text | None


@dataclass(frozen=True, slots=True)
class Card:
    """Everything shown of one entrant; `record` is the sum of its matches in words."""

    entrant: Entrant
    now: Now | None
    past: tuple[Past, ...]
    place: StandingRow | None
    record: str

    @property
    def said(self) -> str:
        """What is read aloud when it changes."""
        if self.now is None:
            return ""
        said = {"name": shown_name(self.entrant), "state": STATES[self.now.state].word}
        return _("%(name)s: %(state)s") % said


def page(tournament: Tournament, text: str) -> dict[str, Any]:
    """The entrants with these numbers (``3,7``), in their order; a number that nobody has is passed over."""
    numbers = following.numbers_in(text)
    entered = {one.number: one for one in Entrant.objects.filter(tournament=tournament, number__in=numbers)}
    entrants = [entered[number] for number in numbers if number in entered]
    kept = kept_back_at(tournament)
    place_told = tournament.live_public and not kept.results
    current = public.current_round(tournament)
    return {
        "round": current,
        "running": current is not None and current.status == RoundStatus.RUNNING,
        "cards": [_card(one, kept.matches, place_told) for one in followed_entrants(tournament, entrants)],
        "numbers": following.joined(one.number for one in entrants),
        "most": following.MOST if following.too_many(text) else None,
    }


def _card(found: FollowedEntrant, kept: Collection[int], place_told: bool) -> Card:
    over = [one for one in found.matches if one.match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE)]
    told = [one for one in over if one.match.pk not in kept]
    return Card(
        entrant=found.entrant,
        now=None if found.next is None else _now(found.next),
        past=tuple(_past(one, one.match.pk in kept) for one in reversed(over[-LAST:])),
        place=found.place if place_told else None,
        record=record_words(how_it_went(one) for one in told),
    )


def _now(one: EntrantMatch) -> Now:
    sitting = one.sitting
    state = state_of(one.round, one.match, sitting)
    if sitting is None or state not in IN_PLAY:
        return Now(one, state, None, None)
    hand = sitting.hand_no if sitting.boards is None else None
    if one.place is not None or sitting.boards is not None:
        return Now(one, state, hand, None)
    stands = standing(sitting.state, one.round.tournament.profile)
    own, other = ("NS", "EW") if one.at_home == (sitting.home_side == "NS") else ("EW", "NS")
    return Now(one, state, hand, (stands[own], stands[other]))


def _past(one: EntrantMatch, later: bool) -> Past:
    if not later:
        return Past(one, result_of(one), how_it_went(one), None)
    return Past(one, "", how_it_went(one), results_later(one.round.stage, live=one.round.tournament.live_public))
