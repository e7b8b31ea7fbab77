"""Who deals a hand of single players: bids downwards (三打一), or level cards of one's own (找朋友)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.cards.bids import Strength, strength_of, suit_shown
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Level, Place, Player, Seat, Trump, in_turn
from scoring.wording import PLACES, PLAYERS

CONTEST_ACTS = ("declare", "reinforce", "counter", "pass")

Problem = tuple[int, Finding]


@dataclass(frozen=True, slots=True)
class Bid:
    """One act of the bidding: points, or None for a pass."""

    by: Player
    bid: int | None


@dataclass(frozen=True, slots=True)
class Bidding:
    """How the bidding stands. `turn` is who bids next, None when it is over; then `dealer` plays alone for `standing`
    points, or all have passed (`redeal`). `problems` are acts, from 1, that were left out."""

    standing: int | None
    dealer: Player | None
    turn: Player | None
    redeal: bool
    problems: tuple[Problem, ...]
    because: tuple[Reason, ...]


def bid_down(profile: Profile, first: Player, acts: Iterable[Bid]) -> Bidding:
    """The bidding after these acts: in turn, each bid lower than the one that stands; who passes is out.

    The profile has `bidding` (highest, lowest, step).
    """
    assert profile.bidding is not None
    low = profile.bidding["low"]
    players = profile.seats if first in profile.seats else tuple(Seat)
    still_in, turn, best = list(players), first, None
    problems: list[Problem] = []
    over = False
    for number, act in enumerate(acts, start=1):
        problem = finding("bidding_over", "acts", profile=profile, topic="bid") if over else None
        problem = problem or _bid_problem(profile, act, turn, best)
        if problem is not None:
            problems.append((number, problem))
            continue
        if act.bid is None:
            still_in.remove(act.by)
        else:
            best = act
        over = not still_in or (best is not None and (best.bid == low or still_in == [best.by]))
        if not over:
            turn = next(player for player in in_turn(players, turn)[1:] if player in still_in)
    redeal = over and best is None
    return Bidding(
        None if best is None else best.bid,
        best.by if over and best is not None else None,
        None if over else turn,
        redeal,
        tuple(problems),
        profile.cite("bid") + (profile.cite("all_pass") if redeal else ()),
    )


def _bid_problem(profile: Profile, act: Bid, turn: Player, best: Bid | None) -> Finding | None:
    assert profile.bidding is not None
    high, low, step = (profile.bidding[name] for name in ("high", "low", "step"))
    if act.by is not turn:
        return finding(
            "out_of_turn", "by", profile=profile, topic="bid", wording_code="out_of_turn:bidding", due=PLAYERS[turn]
        )
    if act.bid is None:
        return None
    if not low <= act.bid <= high or (high - act.bid) % step:
        words: dict[str, Any] = {"value": str(act.bid), "low": low, "high": high, "step": step}
        return finding("bid_not_here", "bid", profile=profile, topic="bid", **words)
    if best is not None and best.bid is not None and act.bid >= best.bid:
        return finding("not_lower", "bid", profile=profile, topic="bid", standing=best.bid)
    return None


@dataclass(frozen=True, slots=True)
class ContestAct:
    """One act of a contest: `cards` are shown to declare, reinforce or counter."""

    act: str
    by: Place
    cards: tuple[Card, ...] = ()


@dataclass
class Contest:
    """The contest for the deal of one hand, each player with level cards of his own level.

    Whoever declared or countered last deals, at his own level; jokers make no-trump. `redeal`: nobody declared;
    `countered`: somebody did counter.
    """

    profile: Profile
    levels: Mapping[Place, Level]
    dealer: Place | None = None
    shown: tuple[Card, ...] = ()
    redeal: bool = False
    problems: list[Problem] = field(default_factory=list)
    countered: bool = False
    _strength: Strength | None = None

    @property
    def level(self) -> Level | None:
        return None if self.dealer is None else self.levels[self.dealer]

    @property
    def trump(self) -> Trump | None:
        return suit_shown(self.shown) if self.shown else None

    @property
    def because(self) -> tuple[Reason, ...]:
        topics = ("dealer.each_hand", "ladder", "declare.first_hand", "counter.what")
        cited = tuple(reason for topic in topics for reason in self.profile.cite(topic))
        return cited + (self.profile.cite("flip.first_hand") if self.redeal else ())

    def act(self, number: int, act: ContestAct) -> None:
        """One act: it moves the contest, or it has a problem and is left out."""
        if act.act == "pass":
            return
        cards = self.shown + act.cards if act.act == "reinforce" else act.cards
        problem = self._problem(act, cards)
        if problem is not None:
            self.problems.append((number, problem))
            return
        self.countered |= act.act == "counter"
        self.dealer, self.shown = act.by, cards
        self._strength = strength_of(self.profile, self.levels[act.by], cards)

    def _problem(self, act: ContestAct, cards: tuple[Card, ...]) -> Finding | None:
        if act.act == "declare" and self.dealer is not None:
            return self._told("declared_already", "act", "declare")
        if act.act == "counter" and self.dealer is None:
            return self._told("nothing_to_counter", "act", "counter.what")
        if act.act == "counter" and self.dealer is act.by:
            return self._told("own_counter", "act", "counter.self")
        if act.act == "reinforce" and (self.dealer is not act.by or self.countered):
            return self._told("not_own_declaration", "act", "declare.reinforce")
        return self._card_problem(act, cards)

    def _card_problem(self, act: ContestAct, cards: tuple[Card, ...]) -> Finding | None:
        level = self.levels[act.by]
        if len(set(cards)) != 1:
            return self._told("not_identical", "cards", "counter.what")
        (card,) = set(cards)
        if card.is_joker and len(cards) == 1:
            return self._told("single_joker", "cards", "declare.no_trump")
        if card.is_joker and not self.profile.no_trump_allowed:
            return self._told("no_trump_not_allowed", "cards", "no_trump")
        if not card.is_joker and card.rank != level.rank:
            words: dict[str, Any] = {"place": PLACES[act.by], "level": str(level)}
            return finding("not_own_level", "cards", profile=self.profile, topic="ladder", **words)
        strength = strength_of(self.profile, level, cards)
        if strength is None:
            return self._told("not_identical", "cards", "counter.what")
        if self._strength is not None and strength <= self._strength:
            return self._told("not_higher", "cards", "counter.order")
        return None

    def _told(self, code: str, at: str, topic: str) -> Finding:
        return finding(code, at, profile=self.profile, topic=topic)


def contest(
    profile: Profile, levels: Mapping[Place, Level], acts: Iterable[ContestAct], *, complete: bool = False
) -> Contest:
    """The contest after these acts. `complete`: nobody speaks any more, so without a declaration the cards are dealt
    again."""
    state = Contest(profile, levels)
    for number, act in enumerate(acts, start=1):
        state.act(number, act)
    state.redeal = complete and state.dealer is None
    return state
