"""Whole hands played by simple players, legally and from a seed: believable records for demonstrations and tests.

`simulate(profile, rng)` deals, declares, counters, buries and plays one hand of any two-team profile and gives its
record. The same generator state gives the same record.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from scoring.cards.auction import begin, problems, step
from scoring.cards.auction_state import Act, Auction, Deal, Stage, around, level_for, turn
from scoring.cards.bids import candidates
from scoring.cards.deck import points_of, unseen
from scoring.cards.flip import flip
from scoring.cards.following import judge_follow, lines_owed
from scoring.cards.order import TRUMPS, Category, Order, order_of
from scoring.cards.parsing import FIVE_TEN_KING, Lead, Unit, Want, place, read_lead, readings, unit_cards
from scoring.cards.plays import can_lead_to
from scoring.cards.records import ActRecord, HandRecord, Play, TrickRecord
from scoring.cards.throwing import judge_throw
from scoring.cards.tricks import beats, claim, claim_of_lead
from scoring.profiles import Profile
from scoring.values import RANKS, Card, Level, Seat, Side, Trump

T = TypeVar("T")

#: Hands that are dealt again at most before somebody must play.
_MOST_REDEALS: Final = 50


class Chance(Protocol):
    """What the players take their chances from, handed in: a seeded `random.Random` is one."""

    def randrange(self, start: int, stop: int = ..., /) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], /, k: int) -> list[T]: ...

    def shuffle(self, x: list[Card], /) -> None: ...


@dataclass(frozen=True, slots=True)
class Habits:
    """How often players do something when they could, in percent."""

    declare: int = 85
    counter: int = 25
    throw: int = 60
    wild_throw: int = 1
    rebel: int = 30
    random_play: int = 10


SENSIBLE: Final = Habits()
RANDOM: Final = Habits(declare=50, counter=50, throw=20, wild_throw=4, rebel=50, random_play=100)


def simulate(
    profile: Profile,
    rng: Chance,
    *,
    level: Level | None = None,
    dealer: Seat | None = None,
    habits: Habits = SENSIBLE,
    keep_redeals: bool = False,
) -> HandRecord:
    """One hand as a record with everything on it.

    `level` and `dealer` are drawn where they are not given; a hand whose dealer is drawn may be a first, contested
    one at the first level. Hands dealt again because nobody declared are passed over; so are rebellions, unless
    `keep_redeals`.
    """
    for _ in range(_MOST_REDEALS):
        record = _Hand(profile, rng, habits).play(level, dealer)
        if record is not None and (record.tricks or keep_redeals):
            return record
    raise ValueError("every hand was dealt again")


@dataclass(slots=True)
class _Hand:
    profile: Profile
    rng: Chance
    habits: Habits
    hands: dict[Seat, Counter[Card]] = field(default_factory=dict)
    kitty: list[Card] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def play(self, level: Level | None, dealer: Seat | None) -> HandRecord | None:
        """The record of this hand; None when it had to be dealt again before anything was shown."""
        rng, profile = self.rng, self.profile
        first = dealer is None and level in (None, profile.ladder.first) and self.chance(10)
        open_levels = (profile.ladder.first,) if first else tuple(profile.ladder)
        levels = {side: rng.choice(open_levels) for side in Side}
        owner = dealer or rng.choice(tuple(Seat))
        played = level or levels[owner.side]
        levels[owner.side] = played
        drawer = rng.choice(tuple(Seat)) if first else owner
        self._deal(played)
        dealt = {seat: tuple(hand.elements()) for seat, hand in self.hands.items()}
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
            table = _Table(self, order, auction.dealer)
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
        return tags

    def _deal(self, level: Level) -> None:
        cards = list(unseen(self.profile, ()))
        self.rng.shuffle(cards)
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
        return self._rebellion(auction) if self.chance(self.habits.rebel) else auction

    def _next_act(self, auction: Auction, drawer: Seat) -> Act | None:
        """The act that comes next; None when there is none left."""
        if auction.stage is Stage.DRAWING:
            return self._declaration(auction) or self._after_drawing(auction, drawer)
        if auction.stage in (Stage.ASKING, Stage.EARLY, Stage.LATE):
            seat = turn(auction)
            assert seat is not None
            return self._shown(auction, seat, ("declare", "counter")) or Act("pass", seat)
        if auction.stage is Stage.TURNING:
            return self._turned(auction)
        holder = auction.holder or auction.dealer or drawer
        return self._burial(auction, holder) if auction.taken else self._taken(holder)

    def _declaration(self, auction: Auction) -> Act | None:
        """A declaration or reinforcement while cards are drawn; None when all cards are drawn."""
        for seat in self.rng.sample(tuple(Seat), len(Seat)):
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
            percent = self.habits.counter if name == "counter" else self.habits.declare
            if not self.chance(percent):
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
            return (trump, bool(card.points) and self.chance(80), index, str(card))

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


@dataclass(slots=True)
class _Table:
    """The play of one hand."""

    hand: _Hand
    order: Order
    dealer: Seat
    captured: int = 0

    @property
    def hands(self) -> dict[Seat, Counter[Card]]:
        return self.hand.hands

    def tricks(self) -> Iterator[TrickRecord]:
        leader, number = self.dealer, 0
        while self.hands[leader]:
            number += 1
            plays, winner = self._trick(leader)
            cards = [card for play in plays for card in play.laid if card is not None]
            if winner.side is not self.dealer.side:
                self.captured += self._counts(cards, last=not self.hands[leader])
            yield TrickRecord(number, plays)
            leader = winner

    def _counts(self, cards: Sequence[Card], *, last: bool) -> int:
        """Points that the attackers lay down; where the last trick counts by its cards it is written apart."""
        apart = last and self.order.profile.last_trick == "cards_times_points"
        return 0 if apart else int(points_of(self.order.profile, cards))

    def _trick(self, leader: Seat) -> tuple[tuple[Play, ...], Seat]:
        first, lead = self._lead(leader)
        plays, winner, best = [first], leader, claim_of_lead(lead)
        for seat in around(leader)[1:]:
            cards = self._follow(seat, lead, winner.side is seat.side)
            self.hands[seat] = self.hands[seat] - Counter(cards)
            plays.append(Play(seat, cards))
            made = claim(lead, cards)
            if made is not None and beats(lead, made, best):
                best, winner = made, seat
        return tuple(plays), winner

    # --- leading ---

    def _lead(self, seat: Seat) -> tuple[Play, Lead]:
        """What the player leads, and the lead as it stays on the table."""
        cards, declared = self._chosen_lead(seat)
        lead = self._read(cards, declared)
        parts = [unit_cards(lead.category, unit) for unit in lead.units]
        spoken = lead.is_throw and self.order.profile.parse == "declared"
        attempted = tuple(card for part in parts for card in part) if spoken else cards
        sizes = tuple(map(len, parts)) if spoken else ()
        forced = self._forced(seat, lead) if lead.is_throw else None
        laid = cards if forced is None else forced
        self.hands[seat] = self.hands[seat] - Counter(laid)
        return Play(seat, attempted, sizes, forced), lead if forced is None else self._read(forced, None)

    def _read(self, cards: tuple[Card, ...], units: Sequence[Unit] | None) -> Lead:
        return read_lead(self.order, cards, None if units is None else [unit.shape for unit in units])

    def _forced(self, seat: Seat, lead: Lead) -> tuple[Card, ...] | None:
        others = [tuple(self.hands[one].elements()) for one in around(seat)[1:]]
        verdict = judge_throw(lead, others)
        if verdict.stands or verdict.forced is None:
            return None
        return verdict.forced.must_play or self.hand.rng.choice(verdict.forced.options)

    def _chosen_lead(self, seat: Seat) -> tuple[tuple[Card, ...], Sequence[Unit] | None]:
        """Cards to lead; units where they are a throw whose shapes must be declared."""
        rng, order, hand = self.hand.rng, self.order, self.hands[seat]
        counts = order.count(hand.elements())
        held = [one for one in order.categories.values() if any(one.of(counts))]
        special = self._five_ten_king(hand)
        if special and self.hand.chance(50):
            return special, None
        wild = self.hand.chance(self.hand.habits.wild_throw)
        if self.hand.chance(self.hand.habits.random_play) or wild:
            return self._any_lead(rng.choice(held), counts, wild=wild)
        throw = self._safe_throw(seat, held, counts)
        if throw is not None:
            return throw
        return max((self._best_of(one, counts) for one in held), key=lambda one: one[0])[1], None

    def _five_ten_king(self, hand: Counter[Card]) -> tuple[Card, ...]:
        if not self.order.profile.shape_510k:
            return ()
        for suit in ("S", "H", "C", "D"):
            cards = tuple(Card(suit, rank) for rank in ("5", "10", "K"))
            if all(hand[card] for card in cards) and self.order.only_category(cards) is not None:
                return cards
        return ()

    def _any_lead(
        self, category: Category, counts: bytes, *, wild: bool
    ) -> tuple[tuple[Card, ...], Sequence[Unit] | None]:
        """Some shape of the category, or a throw that may well fail."""
        rng, profile = self.hand.rng, self.order.profile
        cards = category.cards(category.of(counts))
        if wild and profile.throws_allowed and len(cards) > 1:
            some = tuple(rng.sample(cards, min(len(cards), rng.randrange(2, 6))))
            units = readings(category, category.of(self.order.count(some)))[0]
            if len(units) > 1 and (profile.throw_mixed or all(unit.want == (1, 1) for unit in units)):
                return some, units if profile.parse == "declared" else None
        width = rng.randrange(1, category.widest + 1)
        wants: tuple[Want, ...] = ((width, 2), (width, 1), (1, 1))
        for want in wants:
            units_found = place(category, category.of(counts), (want,)) if want[0] > 1 else None
            if units_found is not None and (want[1] == 1 or profile.tractors):
                return unit_cards(category, units_found[0]), None
        return (rng.choice(cards),), None

    def _safe_throw(
        self, seat: Seat, held: Sequence[Category], counts: bytes
    ) -> tuple[tuple[Card, ...], Sequence[Unit] | None] | None:
        """Two top cards or more of one side suit that the player hopes are the largest."""
        profile = self.order.profile
        if not profile.throws_allowed or not self.hand.chance(self.hand.habits.throw):
            return None
        for category in held:
            top = category.rung_of[-1]
            own = category.of(counts)
            best = own[-1]
            nodes = [node for node, times in enumerate(own) if times and category.rung_of[node] == top - 1]
            enough = best == profile.decks or (best == profile.decks - 1 and self.hand.chance(10))
            if category.is_trumps or not nodes or not enough:
                continue
            cards = tuple(category.faces[node] for node in (*nodes, len(own) - 1) for _ in range(own[node]))
            units = readings(category, category.of(self.order.count(cards)))[0]
            mixed = any(unit.want != (1, 1) for unit in units)
            if len(units) > 1 and (profile.throw_mixed or not mixed):
                return cards, units if profile.parse == "declared" else None
        return None

    def _best_of(self, category: Category, counts: bytes) -> tuple[tuple[int, int, int], tuple[Card, ...]]:
        """The shape of a category most worth leading, with its worth: tractors, then pairs, then top or low cards."""
        own, profile = category.of(counts), self.order.profile
        side = int(not category.is_trumps)
        for width in range(category.widest, 1, -1):
            wants: tuple[Want, ...] = ((width, 2), (width, 1))
            for want in wants:
                units = place(category, own, (want,)) if want[1] == 1 or profile.tractors else None
                if units is not None:
                    return (2 * want[1] + width, side, units[0].start), unit_cards(category, units[0])
        nodes = [node for node, times in enumerate(own) if times]
        if category.rung_of[nodes[-1]] == len(category.nodes) - 1:
            return (2, side, 0), (category.faces[nodes[-1]],)
        return (1, side, len(nodes)), (category.faces[nodes[0]],)

    # --- following ---

    def _follow(self, seat: Seat, lead: Lead, partner_wins: bool) -> tuple[Card, ...]:
        counts = self.order.count(self.hands[seat].elements())
        if lead.wants == (FIVE_TEN_KING,) or self.hand.chance(self.hand.habits.random_play):
            return self._random_follow(lead, counts)
        category, profile = lead.category, self.order.profile
        own = category.of(counts)
        held = category.cards(own)
        if len(held) > lead.size:
            line = self.hand.rng.choice(lines_owed(self.order, category, lead.wants, own))
            units = place(category, own, line, whole=profile.longer_tuples == "protected") or ()
            cards = [card for unit in units for card in unit_cards(category, unit)]
            rest = list((Counter(held) - Counter(cards)).elements())
            if lead.wants == ((1, 1),) and not partner_wins and self.hand.chance(60):
                return (rest[-1],)
            return (*cards, *self._spare(rest, lead.size - len(cards), partner_wins))
        others = [card for card in self.hands[seat].elements() if self.order.category(card) is not category]
        if not held and not partner_wins and not category.is_trumps:
            trumps = self.order.categories[TRUMPS]
            ruff = place(trumps, trumps.of(counts), lead.wants)
            if ruff is not None:
                return tuple(card for unit in ruff for card in unit_cards(trumps, unit))
        return (*held, *self._spare(others, lead.size - len(held), partner_wins))

    def _spare(self, cards: Sequence[Card], many: int, partner_wins: bool) -> list[Card]:
        """Cards to give away: points when the partner wins, else the least worth."""

        def worth(card: Card) -> tuple[bool, int, int, str]:
            place = self.order.place[card]
            points = int(card.points)
            return (place.category == TRUMPS, -points if partner_wins else points, place.rung, str(card))

        return sorted(cards, key=worth)[:many]

    def _random_follow(self, lead: Lead, counts: bytes) -> tuple[Card, ...]:
        """Some legal play, card by card where the suit led leaves a choice of shapes."""
        rng, special = self.hand.rng, lead.wants == (FIVE_TEN_KING,)
        held = lead.category.cards(lead.category.of(counts))
        if len(held) <= lead.size and not special:
            others = [card for card in self.order.cards(counts) if self.order.category(card) is not lead.category]
            return (*held, *rng.sample(others, lead.size - len(held)))
        if lead.size == 1:
            return (rng.choice(held),)
        if special:
            # so seldom is anything owed that trying is quicker than listing
            cards = self.order.cards(counts)
            for _ in range(20):
                some = tuple(rng.sample(cards, lead.size))
                verdict = judge_follow(lead, counts, self.order.count(some))
                if verdict.legal:
                    return some
                if len(verdict.witness) == lead.size:
                    return verdict.witness
        taken: list[Card] = []
        while len(taken) < lead.size:
            taken.append(rng.choice(can_lead_to(lead, counts, self.order.count(taken))))
        return tuple(taken)
