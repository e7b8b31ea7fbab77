"""Made-up tables of single players: who bids, who is called and who takes the points.

What a hand gives each player, when a table ends and who has won it are the product's own (`scoring.individual`), and so
are the seats (`draws.seating`), which follow from the order of the field alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from scoring.individual.entries import IndividualEnd, IndividualHand, places
from scoring.individual.fold import results_of, start, step
from scoring.individual.standings import IndividualResult
from scoring.individual.states import IndividualOpening
from scoring.sittings.states import Conditions
from scoring.values import Place, Points
from tournaments.draws.seating import Seating, next_seating

from .playing import MOST_HANDS, Form, Model, Play, Played

SINGLES = "individual"
#: Points that go to one player at a time where everybody keeps what he takes.
_TRICK = 20
#: How often two equal players take a trick: a point of strength counts as one of these, `Model.spread` times.
_EVEN = 32


class SinglePlay(Play):
    """Plays tables of single players."""

    def __init__(self, form: Form, model: Model) -> None:
        super().__init__(form, model)
        self._conditions = Conditions(hands=form.hands)

    def seatings(self, players: int) -> Sequence[Seating]:
        """The rounds of so many players, who are named by their order in the field, from 0."""
        return seated(players, self.form.rounds, self.form.profile.players)

    def table(
        self, chance: Random, number: int, players: Sequence[int], strengths: Sequence[int]
    ) -> tuple[IndividualResult, Played]:
        """A table of round `number`: its players in the order of their seats, and how strong they are."""
        profile, limit = self.form.profile, None if self.form.minutes is None else 60 * self.form.minutes
        at = dict(zip(places(profile), players, strict=True))
        strong = dict(zip(places(profile), strengths, strict=True))
        state, seconds = start(profile, IndividualOpening.first(profile)), 0
        while not state.finished and state.hands_played < MOST_HANDS and (limit is None or seconds < limit):
            state, _ = step(profile, self._conditions, state, self._hand(chance, strong))
            seconds += self.model.seconds(chance)
        hands, full = state.hands_played, bool(state.passed)
        if not state.finished:
            state, _ = step(profile, self._conditions, state, IndividualEnd("time"))
        return IndividualResult.of(number, at, results_of(state)), Played("", "", None, hands, seconds, full)

    def _hand(self, chance: Random, strong: dict[Place, int]) -> IndividualHand:
        """A hand by the rules' division of the players."""
        if self.form.profile.division == "everyone":
            return self._for_themselves(chance, strong)
        dealer = chance.choice(tuple(strong))
        if self.form.profile.division == "alone":
            return self._bid(chance, strong, dealer)
        ally = chance.choice([one for one in strong if one is not dealer])
        return IndividualHand(dealer=dealer, ally=ally, total_only=self._total(chance, strong, {dealer, ally}))

    def _total(self, chance: Random, strong: dict[Place, int], dealing: set[Place]) -> Points:
        """Points of the attackers, by how much stronger they are on average."""
        own = [strength for place, strength in strong.items() if place in dealing]
        others = [strength for place, strength in strong.items() if place not in dealing]
        attackers, dealers = sum(others) // len(others), sum(own) // len(own)
        return Points(self.model.total(chance, attackers, dealers, self.form.profile.points_max))

    def _bid(self, chance: Random, strong: dict[Place, int], dealer: Place) -> IndividualHand:
        """Who bids lowest has bid what he makes in half of his hands against players as strong."""
        bidding = self.form.profile.bidding
        assert bidding is not None
        bid = chance.randrange(bidding["low"], bidding["high"] + 1, bidding["step"])
        others = [strength for place, strength in strong.items() if place is not dealer]
        luck, stronger = chance.getrandbits(256).bit_count() - 128, sum(others) // len(others) - strong[dealer]
        total = bid + 5 * (luck + stronger * self.model.spread // 4)
        most = int(self.form.profile.points_max)
        return IndividualHand(dealer=dealer, bid=Points(bid), total_only=Points(min(most, max(0, total))))

    def _for_themselves(self, chance: Random, strong: dict[Place, int]) -> IndividualHand:
        """Everybody keeps what he takes: twenty points at a time, more often to the stronger."""
        table = tuple(strong)
        weights = [max(1, _EVEN + strong[one] * self.model.spread) for one in table]
        taken = dict.fromkeys(table, 0)
        for place in chance.choices(table, weights, k=int(self.form.profile.points_max) // _TRICK):
            taken[place] += _TRICK
        last = chance.choices(table, weights)[0]
        points = {place: Points(one) for place, one in taken.items()}
        return IndividualHand(points=points, last_trick_place=last, kitty_points=Points(0))

    def other_scales(self) -> list[str]:
        """None: a table is worth its scores."""
        return []


@lru_cache(maxsize=256)
def seated(players: int, rounds: int, size: int) -> tuple[Seating, ...]:
    """The seats of an evening without absences. Refused where a table cannot be filled."""
    if rounds == 0:
        return ()
    before = seated(players, rounds - 1, size)
    return (*before, next_seating(range(players), before, size))
