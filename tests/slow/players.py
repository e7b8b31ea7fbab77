"""One table of single players (三打一, 二百四, 找朋友), hand by hand, and random hands for it."""

from __future__ import annotations

from random import Random

from tests.slow.chances import SUITS
from tests.slow.tables import LADDER, THREE_DECKS, gained, scn2_multiplier

# S4-RV-25: 120 down in steps of 5 to 80. The stake, 1 with each of the three, is by analogy.
BIDS = [120, 115, 110, 105, 100, 95, 90, 85, 80]
POINTS_OF_ALL = 240  # S4-RV-26


class Table:
    """Scores by place (where players climb, the levels climbed), and levels.

    `lines` hold what each hand gave: gains, winners, and where all stand after it.
    """

    def __init__(self, places: str, levels: dict[str, str] | None = None):
        self.places = list(places)
        self.levels = levels
        self.scores = dict.fromkeys(self.places, 0)
        self.passed: list[str] = []
        self.lines: list[dict] = []

    def enter(self, hand: dict) -> None:
        before = dict(self.levels or {})
        gains, winners = self.hand(hand)
        for place in self.places:
            self.scores[place] += gains[place]
        self.lines.append(
            {
                "winners": sorted(winners),
                "gains": {place: gains[place] for place in self.places},
                "scores": dict(self.scores),
                "levels": {place: self.levels[place] for place in before},
                "passed": list(self.passed),
            }
        )

    def hand(self, hand: dict) -> tuple[dict, list[str]]:
        raise NotImplementedError

    def total(self, hand: dict) -> int:
        """Points of all who play against the dealer: tricks, dig (as in the ordinary game), adjustments."""
        total = hand["captured_in_tricks"]
        if hand["last_trick_winner"] == "attackers" and "kitty_points" in hand:
            total += hand["kitty_points"] * scn2_multiplier(hand["led"])
        for adjustment in hand.get("adjustments", []):
            total += adjustment["points"]
        return total


class ThreeAgainstOne(Table):
    """S4-RV-25: the lowest bidder alone; the three need at least the bid."""

    def hand(self, hand: dict) -> tuple[dict, list[str]]:
        if "bids" in hand:
            made = {place: bid for place, bid in hand["bids"].items() if bid is not None}
            dealer = min(made, key=lambda place: made[place])
            bid = made[dealer]
        else:
            dealer, bid = hand["dealer"], hand["bid"]
        others = [place for place in self.places if place != dealer]
        gains = dict.fromkeys(self.places, 0)
        three_win = self.total(hand) >= bid
        for place in others:
            gains[place] += 1 if three_win else -1
            gains[dealer] -= 1 if three_win else -1
        return gains, others if three_win else [dealer]


class TwoHundredAndForty(Table):
    """S4-RV-26: every player for himself; the kitty once, to who wins the last trick."""

    def hand(self, hand: dict) -> tuple[dict, list[str]]:
        gains = dict(hand["points"])
        gains[hand["last_trick_place"]] += hand["kitty_points"]
        most = max(gains.values())
        return gains, [place for place in self.places if gains[place] == most]


class FindAFriend(Table):
    """S4-RV-27: dealer and ally against the others by the table of three decks, each with a level of his own."""

    def hand(self, hand: dict) -> tuple[dict, list[str]]:
        own = {hand["dealer"], hand["ally"]}
        role, levels = gained(THREE_DECKS, self.total(hand))
        winners = [place for place in self.places if (place in own) == (role == "dealer")]
        gains = dict.fromkeys(self.places, 0)
        for place in winners:
            was = self.levels[place]
            self.levels[place] = climbed(was, levels, holds=role == "dealer" and place == hand["dealer"])
            if self.levels[place] == "passed":
                self.passed.append(place)
            gains[place] = steps(was, self.levels[place])
        return gains, winners


def climbed(level: str, levels: int, *, holds: bool) -> str:
    """Level by level; past A only the dealer who held the deal at it."""
    here = level
    for step in range(levels):
        if here == LADDER[-1]:
            return "passed" if holds and step == 0 else here
        here = LADDER[LADDER.index(here) + 1]
    return here


def steps(old: str, new: str) -> int:
    ladder = [*LADDER, "passed"]
    return ladder.index(new) - ladder.index(old)


def begin(game: str, chance: Random) -> Table:
    """A table of a game; in 找朋友 some evenings begin at higher levels."""
    if game == "sandayi":
        return ThreeAgainstOne("1234")
    if game == "ersibai":
        return TwoHundredAndForty("1234")
    levels = dict.fromkeys("12345", LADDER[0])
    if chance.random() < 0.7:
        levels = {place: chance.choice(LADDER) for place in "12345"}
    return FindAFriend("12345", levels)


def hand_at(table: Table, chance: Random) -> dict:
    """A hand as the table might write it down."""
    if isinstance(table, TwoHundredAndForty):
        return points_of_each(chance)
    decks = 3 if isinstance(table, FindAFriend) else 2
    hand = {
        "kind": "hand",
        "captured_in_tricks": 5 * chance.randint(0, 20 * decks),
        "last_trick_winner": chance.choice(["dealer", "attackers"]),
    }
    if hand["last_trick_winner"] == "attackers":
        hand |= {"led": led(decks, chance), "kitty_points": 5 * chance.randint(0, 12)}
    if chance.random() < 0.1:
        hand["adjustments"] = [{"points": 5 * chance.randint(-4, 4), "why": "ruled"}]
    dealer = chance.choice(table.places)
    if isinstance(table, FindAFriend):
        return hand | {"dealer": dealer, "ally": chance.choice(table.places), "trump": chance.choice(SUITS)}
    if chance.random() < 0.5:
        return hand | {"dealer": dealer, "bid": chance.choice(BIDS)}
    bidding = chance.sample(BIDS, 4)
    bids = {place: bid for place, bid in zip(table.places, bidding, strict=True) if chance.random() < 0.7}
    return hand | {"bids": bids or {dealer: bidding[0]}}


def led(decks: int, chance: Random) -> list[dict]:
    """What was led to the last trick: a shape, or a throw of singles."""
    shapes = [[{"type": "single"}], [{"type": "pair"}], [{"type": "single"}] * chance.randint(2, 4)]
    shapes.append([{"type": "tractor", "width": 2, "length": chance.randint(2, 5)}])
    if decks == 3:
        shapes += [[{"type": "triple"}], [{"type": "tractor", "width": 3, "length": chance.randint(2, 3)}]]
    return chance.choice(shapes)


def points_of_each(chance: Random) -> dict:
    """All the points there are, divided among four players and the kitty."""
    kitty = 5 * chance.randint(0, 10)
    cuts = sorted(5 * chance.randint(0, (POINTS_OF_ALL - kitty) // 5) for _ in range(3))
    taken = [high - low for low, high in zip([0, *cuts], [*cuts, POINTS_OF_ALL - kitty], strict=True)]
    return {
        "kind": "hand",
        "points": dict(zip("1234", taken, strict=True)),
        "last_trick_place": chance.choice("1234"),
        "kitty_points": kitty,
    }


def evening(game: str, chance: Random, most: int = 12) -> tuple[Table, dict | None, list[dict]]:
    """A table, the levels it began at, and its hands up to the end or `most`."""
    table = begin(game, chance)
    begun = None if table.levels is None else dict(table.levels)
    hands: list[dict] = []
    while len(hands) < most and not table.passed:
        hand = hand_at(table, chance)
        hands.append(hand)
        table.enter(hand)
    return table, begun, hands
