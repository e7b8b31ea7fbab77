"""Declaring at a duplicate board (复式亮主): the partner of the dealer first, then in playing order, then by word.

The cards are in hand from the start and the dealer is fixed, so declaring settles the trump suit alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from scoring import wording
from scoring.cards.auction_state import Act
from scoring.cards.bids import Strength, candidates, strength_of, suit_shown
from scoring.cards.duplicate import cite, clause_id, nothing_to_decide
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile, Reason
from scoring.values import SUITS, Card, Level, Seat, Trump

ACTS = ("declare", "counter", "pass", "name")


@dataclass
class Declaring:
    """The state while it goes on. `trump` is what stands so far; `turn` who speaks next, None when it is settled.

    `settled_by` says how: `declaration`, `counter`, `named`, `prescribed`; `problems` are acts, from 1, that were left
    out, each with why.
    """

    profile: Profile
    level: Level
    dealer: Seat
    trump: Trump | None = None
    turn: Seat | None = None
    settled_by: str | None = None
    naming: bool = False
    problems: list[tuple[int, Finding]] = field(default_factory=list)
    because: list[Reason] = field(default_factory=lambda: list(cite("fixed", "partner_first")))
    _strength: Strength | None = None
    _bids: int = 0
    _passes: int = 0

    def act(self, number: int, act: Act) -> None:
        """One act: it moves the state, or it has a problem and is left out."""
        problem = self._problem(act)
        if problem is not None:
            self.problems.append((number, problem))
            return
        if act.act == "name":
            assert act.names is not None
            self._settle("named", act.names)
            return
        assert act.by is not None
        self.turn = act.by.right
        if act.act == "pass":
            self._passed()
        else:
            self._bid(act.cards)

    def _passed(self) -> None:
        self._passes += 1
        if self._bids and self._passes == len(Seat) - 1:
            self._settle("counter" if self._bids > 1 else "declaration", self.trump)
        elif not self._bids and self._passes == len(Seat):
            self.naming, self.turn = True, self.dealer.partner
            self._cite("named")

    def _bid(self, cards: tuple[Card, ...]) -> None:
        self._bids, self._passes = self._bids + 1, 0
        self._strength = strength_of(self.profile, self.level, cards)
        self.trump = suit_shown(cards)
        self._cite("strength")
        if not any(self._is_higher(others) for others in candidates(self.profile, self.level)):
            self._settle("counter" if self._bids > 1 else "declaration", self.trump)

    def _settle(self, how: str, trump: Trump | None) -> None:
        self.settled_by, self.trump, self.turn, self.naming = how, trump, None, False
        if how in ("declaration", "counter"):
            self._cite("settled")

    def _is_higher(self, cards: tuple[Card, ...]) -> bool:
        strength = strength_of(self.profile, self.level, cards)
        return strength is not None and (self._strength is None or strength > self._strength)

    def _problem(self, act: Act) -> Finding | None:
        """Why the act is left out, None when it may be made."""
        if self.settled_by == "prescribed":
            return nothing_to_decide()
        if self.settled_by is not None:
            return self._told("settled", "act", "settled")
        if act.act == "name":
            return self._naming_problem(act)
        if self.naming:
            return self._told("name_due", "act", "named")
        assert self.turn is not None
        if act.by is not self.turn:
            self._cite("out_of_turn")
            due = wording.SEATS[self.turn]
            said = finding("out_of_turn", "by", wording_code="out_of_turn:declaring", due=due)
            return replace(said, clause=clause_id("out_of_turn"))
        return None if act.act == "pass" else self._bid_problem(act)

    def _naming_problem(self, act: Act) -> Finding | None:
        if not self.naming:
            return self._told("name_not_due", "act", "named")
        if act.by is not self.dealer.partner:
            return self._told("not_the_partner", "by", "named", due=wording.SEATS[self.dealer.partner])
        if act.names is None:
            return self._told("name_missing", "names", "named")
        if act.names.value not in SUITS:
            return self._told("no_trump_not_allowed", "names", "no_jokers")
        return None

    def _bid_problem(self, act: Act) -> Finding | None:
        if act.act == "declare" and self._bids:
            return self._told("declared_already", "act", "partner_first")
        if act.act == "counter" and not self._bids:
            return self._told("nothing_to_counter", "act", "partner_first")
        if any(card.is_joker for card in act.cards) and not self.profile.no_trump_allowed:
            return self._told("no_trump_not_allowed", "cards", "no_jokers")
        if not act.cards or strength_of(self.profile, self.level, act.cards) is None:
            return self._told("not_level_cards", "cards", "strength", level=str(self.level))
        if not self._is_higher(act.cards):
            return self._told("not_higher", "cards", "strength")
        return None

    def _told(self, code: str, at: str, topic: str, **words: Any) -> Finding:
        self._cite(topic)
        return replace(finding(code, at, **words), clause=clause_id(topic))

    def _cite(self, topic: str) -> None:
        self.because += [reason for reason in cite(topic) if reason not in self.because]


def declare_in_turn(
    profile: Profile, level: Level, dealer: Seat, acts: Iterable[Act], fixed_trump: Trump | None = None
) -> Declaring:
    """The state after these acts in order. With `fixed_trump` the board has its suit, and nobody declares."""
    state = Declaring(profile, level, dealer, turn=dealer.partner)
    if fixed_trump is not None:
        state.settled_by, state.trump, state.turn = "prescribed", fixed_trump, None
        state.because = list(cite("fixed", "prescribed"))
    for number, act in enumerate(acts, start=1):
        state.act(number, act)
    return state
