"""A whole hand from a seed: dealt, declared, countered, buried and played, as a record.

`simulate(profile, rng)` is for any two-team profile. The same generator state gives the same record.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from scoring.cards.auction import begin, problems, step
from scoring.cards.auction_state import Act, Auction, Deal, Stage, around, level_for, turn
from scoring.cards.bids import candidates
from scoring.cards.dealing import Dealt
from scoring.cards.deck import points_of, unseen
from scoring.cards.flip import flip
from scoring.cards.order import order_of
from scoring.cards.records import ActRecord, HandRecord, TrickRecord
from scoring.profiles import Profile
from scoring.simulation.levels import refuse_unless_of_two_sides
from scoring.simulation.players import SENSIBLE, Chance, Habits, Players
from scoring.simulation.table import Table
from scoring.values import RANKS, Card, Level, Player, Seat, Side, Trump

#: Hands that are dealt again at most before somebody must play.
_MOST_REDEALS: Final = 50


def simulate(
    profile: Profile,
    rng: Chance,
    *,
    level: Level | None = None,
    dealer: Seat | None = None,
    habits: Habits = SENSIBLE,
    keep_redeals: bool = False,
    dealt: Dealt | None = None,
) -> HandRecord:
    """One hand as a record with everything on it; `dealt`: with the cards of this board.

    `level` and `dealer` are drawn where they are not given; a hand whose dealer is drawn may be a first, contested
    one at the first level. Hands dealt again because nobody declared are passed over; so are rebellions, unless
    `keep_redeals`. Refused: a level that the rules lack, and rules of single players.
    """
    refuse_unless_of_two_sides(profile, level)
    for _ in range(_MOST_REDEALS):
        record = _Hand(profile, Players(rng, habits), dealt).play(level, dealer)
        if record is not None and (record.tricks or keep_redeals):
            return record
    raise ValueError("every hand was dealt again")


@dataclass(slots=True)
class _Hand:
    """A hand from the deal to its record. `kitty` is what lies there now, `acts` are those before play.

    `dealt`: a board instead of shuffled cards.
    """

    profile: Profile
    players: Players
    dealt: Dealt | None = None
    kitty: list[Card] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)

    @property
    def hands(self) -> dict[Player, Counter[Card]]:
        return self.players.hands

    def play(self, level: Level | None, dealer: Seat | None) -> HandRecord | None:
        """The record of this hand; None when it had to be dealt again before anything was shown."""
        rng, profile = self.players.rng, self.profile
        first = dealer is None and level in (None, profile.ladder.first) and self.players.chance(10)
        open_levels = (profile.ladder.first,) if first else tuple(profile.ladder)
        levels = {side: rng.choice(open_levels) for side in Side}
        owner = dealer or rng.choice(tuple(Seat))
        played = level or levels[owner.side]
        levels[owner.side] = played
        drawer = rng.choice(tuple(Seat)) if first else owner
        self._deal(played)
        dealt: dict[Player, tuple[Card, ...]] = {seat: tuple(hand.elements()) for seat, hand in self.hands.items()}
        kitty = tuple(self.kitty)
        deal = Deal(
            profile,
            played,
            None if first else owner,
            first_hand=first,
            first_drawer=drawer,
            attackers_level=levels[owner.side.other],
        )
        auction = self._auction(begin(deal), drawer)
        if auction is None:
            return None
        tags = self._tags(auction, deal, levels, owner)
        tricks: tuple[TrickRecord, ...] = ()
        result: dict[str, int | str] = {}
        if auction.stage is not Stage.REDEAL:
            assert auction.trump is not None
            assert auction.dealer is not None
            order = order_of(profile, auction.trump, auction.level)
            table = Table(self.players, order, auction.dealer)
            tricks = tuple(table.tricks())
            result = {"captured": table.captured}
            if profile.kitty_cards:
                result["kitty"] = int(points_of(profile, self.kitty))
        return HandRecord(
            tags=tags,
            deal=dealt,
            kitty=kitty,
            acts=tuple(ActRecord(act.by, act.act, act.cards, act.names) for act in self.acts),
            tricks=tricks,
            result=result,
        )

    def _tags(self, auction: Auction, deal: Deal, levels: dict[Side, Level], owner: Seat) -> dict[str, str]:
        tags = {"profile": self.profile.id}
        if self.profile.changed:
            changes = json.dumps(dict(self.profile.changed), sort_keys=True, ensure_ascii=False)
            tags["set"] = changes
        tags |= {"level": str(deal.level), "ns_level": str(levels[Side.NS]), "ew_level": str(levels[Side.EW])}
        dealer = auction.dealer if deal.first_hand else owner
        if dealer is not None:
            tags["dealer"] = dealer.value
        if deal.first_hand:
            tags |= {"hand": "1", "first_drawer": str(deal.first_drawer)}
        if auction.trump is not None:
            tags["trump"] = auction.trump.value
        if self.profile.dealer_sets_line and self.profile.own_line == "must":
            tags["line"] = str(self.profile.threshold)
        return tags

    def _deal(self, level: Level) -> None:
        if self.dealt is not None:
            self.hands.update({seat: Counter(cards) for seat, cards in self.dealt.hands.items()})
            self.kitty = list(self.dealt.kitty)
            return
        cards = list(unseen(self.profile, ()))
        self.players.rng.shuffle(cards)
        size, _ = self.profile.deal_at(level)
        for i, seat in enumerate(Seat):
            self.hands[seat] = Counter(cards[i * size : (i + 1) * size])
        self.kitty = cards[len(Seat) * size :]

    # --- before play ---

    def _auction(self, auction: Auction, drawer: Seat) -> Auction | None:
        """Play the auction out; None when the hand is dealt again because nobody declared."""
        while auction.stage not in (Stage.PLAY, Stage.REDEAL):
            act = self._next_act(auction, drawer)
            if act is None:
                break
            self.acts.append(act)
            auction = step(auction, act)
        if auction.trump is None:
            return None
        return self._rebellion(auction) if self.players.chance(self.players.habits.rebel) else auction

    def _next_act(self, auction: Auction, drawer: Seat) -> Act | None:
        """The act that comes next; None when there is none left."""
        if auction.stage is Stage.DRAWING:
            return self._declaration(auction) or self._after_drawing(auction, drawer)
        if auction.naming:
            assert auction.due is not None
            return Act("name", auction.due, names=self._longest(auction.due))
        if auction.stage in (Stage.IN_TURN, Stage.ASKING, Stage.EARLY, Stage.LATE):
            seat = turn(auction)
            assert seat is not None
            return self._shown(auction, seat, ("declare", "counter")) or Act("pass", seat)
        if auction.stage is Stage.TURNING:
            return self._turned(auction)
        holder = auction.holder or auction.dealer or drawer
        return self._burial(auction, holder) if auction.taken else self._taken(holder)

    def _declaration(self, auction: Auction) -> Act | None:
        """A declaration or reinforcement while cards are drawn; None when all cards are drawn."""
        for seat in self.players.rng.sample(tuple(Seat), len(Seat)):
            act = self._shown(auction, seat, ("declare", "reinforce"))
            if act is not None:
                return act
        return None

    def _after_drawing(self, auction: Auction, drawer: Seat) -> Act | None:
        """All cards are drawn: the first who is asked passes, or the dealer takes the kitty."""
        for seat in around(auction.dealer or drawer):
            if not problems(auction, Act("pass", seat)):
                return self._shown(auction, seat, ("counter",)) or Act("pass", seat)
        holder = auction.dealer or drawer
        return self._taken(holder) if self.kitty else None

    def _shown(self, auction: Auction, seat: Seat, names: Sequence[str]) -> Act | None:
        """Cards that this player shows for one of these acts, or nothing."""
        for name in names:
            percent = self.players.habits.counter if name == "counter" else self.players.habits.declare
            if not self.players.chance(percent):
                continue
            acts = [act for act in self._held_acts(auction, seat, name) if not problems(auction, act)]
            if acts:
                return max(acts, key=lambda one: (self._trumps(seat, auction.level, one), tuple(map(str, one.cards))))
        return None

    def _held_acts(self, auction: Auction, seat: Seat, name: str) -> Iterator[Act]:
        """The acts of that name for which the player has the cards."""
        level = level_for(auction, seat)
        if name == "reinforce":
            declared = auction.declaration
            if declared is not None and declared.by is seat and self._holds(auction, seat, declared.cards[:1]):
                yield Act(name, seat, declared.cards[:1])
        elif level is not None and (name == "counter") is bool(auction.bids):
            for cards in candidates(self.profile, level):
                if self._holds(auction, seat, cards):
                    yield Act(name, seat, cards, self._longest(seat) if self._names_suit(cards) else None)

    def _holds(self, auction: Auction, seat: Seat, cards: Sequence[Card]) -> bool:
        """Whether the player has these cards beside what was shown in a declaration before."""
        wanted = Counter(cards)
        declaration = auction.declaration
        # what was shown is still one's own; a reinforcement adds to it
        own = declaration is not None and declaration.by is seat
        if declaration is not None and own and len(cards) == 1 and cards[0] in declaration.cards:
            wanted = Counter(declaration.cards) + wanted
        return wanted <= self.hands[seat]

    def _names_suit(self, cards: Sequence[Card]) -> bool:
        return {str(card) for card in cards} == {"H5"} and "red_fives2" in self.profile.counter_ranks

    def _longest(self, seat: Seat) -> Trump:
        suits = Counter(card.suit for card in self.hands[seat].elements() if not card.is_joker)
        return Trump(max(sorted(suits), key=suits.__getitem__))

    def _trumps(self, seat: Seat, level: Level, act: Act) -> int:
        """How many trumps the player would have after this act."""
        suits = {act.names or card.suit for card in act.cards if not card.is_joker}
        return sum(
            card.is_joker or card.rank == level.rank or card.suit in suits for card in self.hands[seat].elements()
        )

    def _turned(self, auction: Auction) -> Act | None:
        """The kitty turned as far as it must be, or the suit that a partner names; None: deal again."""
        profile = self.profile
        if profile.no_declare == "partner_names":
            seat = (auction.dealer or Seat.N).partner
            return Act("name", seat, names=self._longest(seat))
        contested = auction.deal.first_hand and auction.dealer is None
        for many in range(1, len(self.kitty) + 1):
            said = flip(profile, auction.level, self.kitty[:many], first_hand=contested)
            if said.redeal:
                return None
            if said.is_decided:
                return Act("flip", None, tuple(self.kitty[:many]))
        return None

    def _taken(self, seat: Seat) -> Act:
        self.hands[seat].update(self.kitty)
        return Act("take_kitty", seat)

    def _burial(self, auction: Auction, seat: Seat) -> Act:
        """Bury low side cards, points only now and then."""
        hand = self.hands[seat]

        def worth(card: Card) -> tuple[bool, bool, int, str]:
            trump = card.is_joker or card.rank == auction.level.rank or card.suit == auction.trump
            index = len(RANKS) if card.is_joker else RANKS.index(card.rank)
            return (trump, bool(card.points) and self.players.chance(80), index, str(card))

        buried = tuple(sorted(hand.elements(), key=worth)[: len(self.kitty)])
        self.hands[seat] = hand - Counter(buried)
        self.kitty = list(buried)
        return Act("bury", seat, buried)

    def _rebellion(self, auction: Auction) -> Auction:
        for seat in Seat:
            act = Act("rebel", seat, tuple(self.hands[seat].elements()))
            if not problems(auction, act):
                self.acts.append(act)
                return step(auction, act)
        return auction
