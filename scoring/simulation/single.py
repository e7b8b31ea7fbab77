"""A whole hand of single players from a seed: bid for or contested, buried, a friend called, and played, as a record.

`simulate_single(profile, rng)` is for 三打一, 二百四 and 找朋友. The same generator state gives the same record.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from scoring.cards.bids import candidates
from scoring.cards.deck import points_of, unseen
from scoring.cards.order import order_of
from scoring.cards.records import ActRecord, HandRecord, TrickRecord
from scoring.individual.contests import Bid, ContestAct, bid_down, contest
from scoring.individual.entries import Call, places
from scoring.profiles import Profile
from scoring.simulation.levels import refuse_unless_of_single_players
from scoring.simulation.players import SENSIBLE, Chance, Habits, Players
from scoring.simulation.table import Table
from scoring.values import RANKS, SUITS, Card, Level, Place, Player, Trump

#: Hands that are dealt again at most before somebody must play.
_MOST_REDEALS: Final = 50


def simulate_single(
    profile: Profile,
    rng: Chance,
    *,
    habits: Habits = SENSIBLE,
    keep_redeals: bool = False,
    levels: Mapping[Place, Level] | None = None,
) -> HandRecord:
    """One hand as a record with everything on it; hands dealt again are passed over, unless `keep_redeals`.

    `levels` are those of the players where levels are kept; any where none are given. Refused: levels that the rules
    lack, and rules of two sides.
    """
    refuse_unless_of_single_players(profile, levels or {})
    for _ in range(_MOST_REDEALS):
        record = _SingleHand(profile, Players(rng, habits), levels=dict(levels or {})).play()
        if record.tricks or keep_redeals:
            return record
    raise ValueError("every hand was dealt again")


@dataclass(slots=True)
class _SingleHand:
    profile: Profile
    players: Players
    acts: list[ActRecord] = field(default_factory=list)
    levels: dict[Place, Level] = field(default_factory=dict)

    def play(self) -> HandRecord:
        profile, rng = self.profile, self.players.rng
        table = places(profile)
        if profile.ladder and not self.levels:
            self.levels = {place: rng.choice(tuple(profile.ladder)) for place in table}
        cards = list(unseen(profile, ()))
        rng.shuffle(cards)
        size = profile.hand_cards
        for i, place in enumerate(table):
            self.players.hands[place] = Counter(cards[i * size : (i + 1) * size])
        kitty = cards[len(table) * size :]
        dealt: dict[Player, tuple[Card, ...]] = {place: self._held(place) for place in table}
        dealer, trump = self._bidding() if profile.bidding is not None else self._contested()
        tricks: tuple[TrickRecord, ...] = ()
        result: dict[str, int | str] = {}
        if dealer is not None and trump is not None:
            buried = self._bury(dealer, trump, kitty)
            call = self._call(dealer, trump)
            level = self.levels.get(dealer)
            played = Table(self.players, order_of(profile, trump, level), dealer, self._together(dealer))
            tricks = tuple(played.tricks())
            result = self._result(dealer, buried, call, list(zip(tricks, played.winners, strict=True)))
        return HandRecord(
            tags=self._tags(dealer, trump),
            deal=dealt,
            kitty=tuple(kitty),
            acts=tuple(self.acts),
            tricks=tricks,
            result=result,
        )

    def _held(self, place: Place) -> tuple[Card, ...]:
        return tuple(self.players.hands[place].elements())

    # --- before play ---

    def _bidding(self) -> tuple[Place | None, Trump | None]:
        """Bids downwards until all others have passed; the lowest bidder names his longest suit."""
        profile, rng = self.profile, self.players.rng
        assert profile.bidding is not None
        high, low, step = (profile.bidding[name] for name in ("high", "low", "step"))
        first = rng.choice(places(profile))
        bids: list[Bid] = []
        state = bid_down(profile, first, bids)
        while state.turn is not None:
            top = high if state.standing is None else state.standing - step
            open_bids = tuple(range(top, low - 1, -step))[:3]
            bid = rng.choice(open_bids) if self.players.chance(self.players.habits.declare // 2) else None
            bids.append(Bid(state.turn, bid))
            self.acts.append(ActRecord(state.turn, "pass" if bid is None else "bid", number=bid))
            state = bid_down(profile, first, bids)
        if state.dealer is None:
            return None, None
        dealer = cast(Place, state.dealer)
        return dealer, max(map(Trump, SUITS), key=lambda suit: (self._length(dealer, suit), suit.value))

    def _length(self, place: Place, suit: Trump) -> int:
        return sum(card.suit == suit and not card.is_joker for card in self._held(place))

    def _contested(self) -> tuple[Place | None, Trump | None]:
        """Declarations, reinforcements and counters with level cards of one's own, a round or two."""
        profile, acts = self.profile, list[ContestAct]()
        table, habits = places(profile), self.players.habits
        state = contest(profile, self.levels, acts)
        for place in (*self.players.rng.sample(table, len(table)), *table):
            name = "declare" if state.dealer is None else "reinforce" if state.dealer is place else "counter"
            if not self.players.chance(habits.declare if name == "declare" else habits.counter):
                continue
            shown = state.shown[:1] if name == "reinforce" else ()
            options = [shown] if shown else list(candidates(profile, self.levels[place]))
            for cards in reversed(options):
                act = ContestAct(name, place, cards)
                held = Counter(cards) + Counter(state.shown if shown else ())
                if held <= self.players.hands[place] and not contest(profile, self.levels, [*acts, act]).problems:
                    acts.append(act)
                    break
            state = contest(profile, self.levels, acts)
        if state.dealer is None:
            acts += [ContestAct("pass", place) for place in table]
        self.acts += [ActRecord(act.by, act.act, act.cards) for act in acts]
        return state.dealer, state.trump

    def _bury(self, dealer: Place, trump: Trump, kitty: list[Card]) -> tuple[Card, ...]:
        """Take the kitty, bury low side cards, and name the suit where that is still to do."""
        hand, level = self.players.hands[dealer], self.levels.get(dealer)
        hand.update(kitty)
        always = {*self.profile.permanent_ranks, *(() if level is None else (level.rank,))}

        def worth(card: Card) -> tuple[bool, bool, int, str]:
            main = card.is_joker or card.rank in always or card.suit == trump
            return (main, bool(card.points), len(RANKS) if card.is_joker else RANKS.index(card.rank), str(card))

        buried = tuple(sorted(hand.elements(), key=worth)[: len(kitty)])
        self.players.hands[dealer] = hand - Counter(buried)
        self.acts += [ActRecord(dealer, "take_kitty"), ActRecord(dealer, "bury", buried)]
        if self.profile.bidding is not None:
            self.acts.append(ActRecord(dealer, "name", names=trump))
        return buried

    def _call(self, dealer: Place, trump: Trump) -> Call | None:
        """Call an ace of a side suit, now and then any card: it may be one that the dealer holds or has buried."""
        if self.profile.division != "ally":
            return None
        rng = self.players.rng
        suit, rank = rng.choice(tuple(suit for suit in SUITS if suit != trump)), "A"
        if self.players.chance(20):
            suit, rank = rng.choice(SUITS), rng.choice(RANKS)
        call = Call(Card(suit, rank), rng.randrange(1, self.profile.decks + 1))
        self.acts.append(ActRecord(dealer, "call", (call.card,), number=call.ordinal))
        return call

    # --- play ---

    def _together(self, dealer: Place) -> Callable[[Player, Player], bool]:
        """Who plays with whom as far as the table knows: an ally is not known before his card falls."""
        if self.profile.division == "alone":
            return lambda one, other: (one is dealer) is (other is dealer)
        return lambda one, other: one is other

    def _result(
        self, dealer: Place, buried: tuple[Card, ...], call: Call | None, played: Sequence[tuple[TrickRecord, Player]]
    ) -> dict[str, int | str]:
        """What the table writes down, added up on its own."""
        profile = self.profile
        taken: dict[Player, int] = dict.fromkeys(places(profile), 0)
        for trick, winner in played:
            taken[winner] += int(points_of(profile, [card for play in trick.plays for card in play.laid if card]))
        result: dict[str, int | str] = {"kitty": int(points_of(profile, buried))}
        if profile.division == "everyone":
            return (
                result | {f"taken_{place}": points for place, points in taken.items()} | {"last": played[-1][1].value}
            )
        friend = dealer
        if call is not None:
            fallen = [
                (play.seat, card)
                for trick, _ in played
                for play in trick.plays
                for card in play.laid
                if card == call.card
            ]
            friend = cast(Place, fallen[call.ordinal - 1][0]) if len(fallen) >= call.ordinal else dealer
            result["ally"] = friend.value
        attackers = [points for place, points in taken.items() if place not in (dealer, friend)]
        return result | {"captured": sum(attackers)}

    def _tags(self, dealer: Place | None, trump: Trump | None) -> dict[str, str]:
        tags = {"profile": self.profile.id}
        if self.profile.changed:
            tags["set"] = json.dumps(dict(self.profile.changed), sort_keys=True, ensure_ascii=False)
        if self.profile.division == "ally":
            tags["levels"] = " ".join(str(level) for level in self.levels.values())
        if dealer is not None and trump is not None:
            tags |= {"dealer": dealer.value, "trump": trump.value}
        return tags
