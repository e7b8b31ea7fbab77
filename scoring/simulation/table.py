"""The play of a hand: what players lead and follow with, legally, and which of it they throw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.cards.deck import points_of
from scoring.cards.following import judge_follow, lines_owed
from scoring.cards.leads import FIVE_TEN_KING, Lead, read_lead
from scoring.cards.order import TRUMPS, Category, Order
from scoring.cards.parsing import readings
from scoring.cards.plays import can_lead_to
from scoring.cards.records import Play, TrickRecord
from scoring.cards.throwing import judge_throw
from scoring.cards.tricks import beats, claim, claim_of_lead
from scoring.cards.units import Unit, Want, place, unit_cards
from scoring.simulation.players import Players
from scoring.values import Card, Player, in_turn, side_of


def same_side(one: Player, other: Player) -> bool:
    return side_of(one) is side_of(other)


@dataclass(slots=True)
class Table:
    """The tricks of one hand.

    `captured`: the points that the attackers laid down; `winners` of the tricks. `together` says of two players
    whether they play for the same side, as far as everybody at the table knows.
    """

    players: Players
    order: Order
    dealer: Player
    together: Callable[[Player, Player], bool] = same_side
    captured: int = 0
    winners: list[Player] = field(default_factory=list)

    @property
    def hands(self) -> dict[Player, Counter[Card]]:
        return self.players.hands

    def tricks(self) -> Iterator[TrickRecord]:
        leader: Player = self.dealer
        number = 0
        while self.hands[leader]:
            number += 1
            plays, winner = self._trick(leader)
            cards = [card for play in plays for card in play.laid if card is not None]
            self.winners.append(winner)
            if not self.together(winner, self.dealer):
                self.captured += self._counts(cards, last=not self.hands[leader])
            yield TrickRecord(number, plays)
            leader = winner

    def _counts(self, cards: Sequence[Card], *, last: bool) -> int:
        """Points that the attackers lay down; where the last trick counts by its cards it is written apart."""
        apart = last and self.order.profile.last_trick == "cards_times_points"
        return 0 if apart else int(points_of(self.order.profile, cards))

    def _trick(self, leader: Player) -> tuple[tuple[Play, ...], Player]:
        first, lead = self._lead(leader)
        plays, winner, best = [first], leader, claim_of_lead(lead)
        for seat in in_turn(self.order.profile.seats, leader)[1:]:
            cards = self._follow(seat, lead, self.together(winner, seat))
            self.hands[seat] = self.hands[seat] - Counter(cards)
            plays.append(Play(seat, cards))
            made = claim(lead, cards)
            if made is not None and beats(lead, made, best):
                best, winner = made, seat
        return tuple(plays), winner

    # --- leading ---

    def _lead(self, seat: Player) -> tuple[Play, Lead]:
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

    def _forced(self, seat: Player, lead: Lead) -> tuple[Card, ...] | None:
        others = [tuple(self.hands[one].elements()) for one in in_turn(self.order.profile.seats, seat)[1:]]
        verdict = judge_throw(lead, others)
        if verdict.stands or verdict.forced is None:
            return None
        return verdict.forced.must_play or self.players.rng.choice(verdict.forced.options)

    def _chosen_lead(self, seat: Player) -> tuple[tuple[Card, ...], Sequence[Unit] | None]:
        """Cards to lead; units where they are a throw whose shapes must be declared."""
        rng, order, hand = self.players.rng, self.order, self.hands[seat]
        counts = order.count(hand.elements())
        held = [one for one in order.categories.values() if any(one.of(counts))]
        special = self._five_ten_king(hand)
        if special and self.players.chance(50):
            return special, None
        wild = self.players.chance(self.players.habits.wild_throw)
        if self.players.chance(self.players.habits.random_play) or wild:
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
        rng, profile = self.players.rng, self.order.profile
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
        self, seat: Player, held: Sequence[Category], counts: bytes
    ) -> tuple[tuple[Card, ...], Sequence[Unit] | None] | None:
        """Two top cards or more of one side suit that the player hopes are the largest."""
        profile = self.order.profile
        if not profile.throws_allowed or not self.players.chance(self.players.habits.throw):
            return None
        for category in held:
            top = category.rung_of[-1]
            own = category.of(counts)
            best = own[-1]
            nodes = [node for node, times in enumerate(own) if times and category.rung_of[node] == top - 1]
            enough = best == profile.decks or (best == profile.decks - 1 and self.players.chance(10))
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

    def _follow(self, seat: Player, lead: Lead, partner_wins: bool) -> tuple[Card, ...]:
        counts = self.order.count(self.hands[seat].elements())
        if lead.wants == (FIVE_TEN_KING,) or self.players.chance(self.players.habits.random_play):
            return self._random_follow(lead, counts)
        category, profile = lead.category, self.order.profile
        own = category.of(counts)
        held = category.cards(own)
        if len(held) > lead.size:
            line = self.players.rng.choice(lines_owed(self.order, category, lead.wants, own))
            units = place(category, own, line, whole=profile.longer_tuples == "protected") or ()
            cards = [card for unit in units for card in unit_cards(category, unit)]
            rest = list((Counter(held) - Counter(cards)).elements())
            if lead.wants == ((1, 1),) and not partner_wins and self.players.chance(60):
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
        rng, special = self.players.rng, lead.wants == (FIVE_TEN_KING,)
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
