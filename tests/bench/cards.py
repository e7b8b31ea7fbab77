"""One judgement about cards, beside counting the 25 cards of a hand with what Python has for it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from time import process_time

from scoring.cards.deck import FACES
from scoring.cards.following import judge_follow
from scoring.cards.leads import Lead, read_lead
from scoring.cards.order import Counts, Order
from scoring.cards.parsing import largest_reading
from scoring.cards.replay import replay
from scoring.cards.throwing import judge_throw
from scoring.cards.tricks import judge_trick
from scoring.profiles import load
from scoring.simulation.hand import simulate
from scoring.values import RANKS, Card, Level, Seat, Trump
from tests.bench.report import Figure, in_turn, seconds

DEALS = 400
HANDS = 8
SEATS = (Seat.N, Seat.W, Seat.S, Seat.E)

Hands = list[tuple[Card, ...]]


def measure() -> list[Figure]:
    profile, chance = load("cn-national-2d"), Random(1)
    order = Order(profile, Trump.S, Level("7"))
    deals: list[Hands] = []
    for _ in range(DEALS):
        deck = list(FACES * 2)
        chance.shuffle(deck)
        deals.append([tuple(deck[i : i + 25]) for i in range(0, 100, 25)])
    leads = [_pair_or_single(hands[0]) for hands in deals]
    throws = [_top_of_a_suit(order, hands[0]) for hands in deals]

    def positions(at: Order) -> list[tuple[Lead, Counts, Counts]]:
        rows = []
        for hands, led in zip(deals, leads, strict=True):
            hand = at.count(hands[1])
            lead = read_lead(at, led)
            own = [card for card in hands[1] if at.category(card) is lead.category]
            others = [card for card in hands[1] if at.category(card) is not lead.category]
            rows.append((lead, hand, at.count((own + others)[: len(led)])))
        return rows

    known = positions(order)
    fresh = [positions(Order(profile, Trump.S, Level("7"))) for _ in range(6)]
    longest = [Order(profile, Trump.S, Level("2")) for _ in range(6)]

    def baseline() -> None:
        for hands in deals:
            Counter(hands[1])

    def warm() -> None:
        for lead, hand, play in known:
            judge_follow(lead, hand, play)

    def cold() -> None:
        for lead, hand, play in fresh.pop():
            judge_follow(lead, hand, play)

    def tricks() -> None:
        for hands, led in zip(deals, leads, strict=True):
            size = len(led)
            plays = [(SEATS[0], led), *((SEATS[i], hands[i][:size]) for i in (1, 2, 3))]
            judge_trick(read_lead(order, led), plays)

    def stand() -> None:
        for hands, thrown in zip(deals, throws, strict=True):
            judge_throw(read_lead(order, thrown), hands[1:])

    def parse() -> None:
        for hands in deals:
            counts = order.count(hands[2])
            for category in order.categories.values():
                largest_reading(category, category.of(counts))

    def twelve_pairs() -> None:
        """The longest lead there is, judged against a hand of twelve loose cards and six pairs, for the first time."""
        at = longest.pop()
        suit = [Card("H", rank) for rank in RANKS[1:]]
        lead = read_lead(at, suit * 2)
        hand = at.count([*suit, *suit[::2], *(Card("D", rank) for rank in RANKS[1:8])])
        judge_follow(lead, hand, at.count([*suit, *suit[::2], *(Card("D", rank) for rank in RANKS[1:7])]))

    # every hand is new to whoever judges or plays it
    records = iter([simulate(profile, Random(f"bench/{i}"), dealer=Seat.S) for i in range(5 * HANDS)])
    chances = iter(range(5 * HANDS))

    def again() -> None:
        for record in islice(records, HANDS):
            replay(profile, record)

    def played() -> None:
        for chance in islice(chances, HANDS):
            simulate(profile, Random(f"played/{chance}"), dealer=Seat.S)

    warm()
    rows = (
        ("P9 follow check of a new position", cold, 9),
        ("P9b throw against three hands", stand, 15),
        ("P9c trick with its reasons", tricks, 9),
    )
    beside = (("follow check seen before, beside counting 25 cards", warm), ("  reading of a whole hand", parse))
    acts = [act for _, act, _ in rows] + [act for _, act in beside]
    bare, longest_lead, *taken = in_turn(baseline, twelve_pairs, *acts, clock=process_time)
    figures = [
        Figure(name, _each(spent), f"{most} µs", spent / DEALS * 1e6 / most, 1, less=True)
        for (name, _, most), spent in zip(rows, taken, strict=False)
    ]
    figures += [
        Figure(name, _each(spent), _each(bare), spent / bare)
        for (name, _), spent in zip(beside, taken[len(rows) :], strict=True)
    ]
    hand_again, hand_played = (spent / HANDS for spent in in_turn(again, played, clock=process_time))
    bounded = (
        ("P10 worst lead, four decks, tractor of twelve pairs", _worst_of_four_decks(), 5),
        ("P11 whole hand judged again from its record", hand_again, 1.5),
        ("  lead of twelve pairs, two decks, new", longest_lead, 50),
        ("  hand played by the simulator", hand_played, 50),
    )
    return figures + [
        Figure(name, f"{spent * 1e3:.2f} ms", f"{most} ms", spent * 1e3 / most, 1, less=True)
        for name, spent, most in bounded
    ]


def _worst_of_four_decks() -> float:
    """The longest of them, without the garbage of others."""
    gc.collect()
    gc.disable()
    try:
        return max(_four_decks())
    finally:
        gc.enable()


def _four_decks() -> Iterator[float]:
    """How long a tractor of twelve pairs takes to be read and followed for the first time, hand after hand.

    Hands are all of the suit led, which leaves the most to look for.
    """
    profile = load("four-deck-online")
    for seed in range(300):
        chance = Random(f"twelve/{seed}")
        at = Order(profile, Trump.S, chance.choice(profile.ladder.levels[:13]))
        category = at.categories[chance.choice(["H", "T"])]
        begins = category.starts[12] if len(category.starts) > 12 else ()
        if not begins:
            continue
        start = chance.choice(begins)
        led = [category.faces[nodes[0]] for nodes in category.nodes[start : start + 12]] * 2
        held = [face for face in category.faces for _ in range(chance.choice((0, 1, 2, 2, 2, 3, 4)))]
        if len(held) >= len(led):
            hand, play = at.count(held), at.count(chance.sample(held, len(led)))
            yield seconds(partial(_judge, at, led, hand, play), process_time)


def _judge(at: Order, led: Sequence[Card], hand: Counts, play: Counts) -> None:
    judge_follow(read_lead(at, led), hand, play)


def _each(seconds: float) -> str:
    return f"{seconds / DEALS * 1e6:.1f} µs"


def _pair_or_single(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    twice = [card for card, times in Counter(hand).items() if times == 2]
    return (twice[0], twice[0]) if twice else hand[:1]


def _top_of_a_suit(order: Order, hand: tuple[Card, ...]) -> list[Card]:
    """The four highest cards of the suit of the first card."""
    category = order.category(hand[0])
    own = sorted((card for card in hand if order.category(card) is category), key=lambda card: order.place[card].rung)
    return own[-4:]
