"""Honest matches from the simulator: hands played by cards, put together to matches with a clock.

Only whole numbers are drawn, so a seed gives the same matches on every machine. What the cards do not tell is assumed:
three and a half seconds a card, a quarter more or less in two hands of three; in three of a hundred hands a referee is
called, for one to twenty minutes; two of a hundred hands are entered only with the next one; the sides of two matches
in three are within ten points a hand of each other; a revoke slips in once in `REVOKE_IN` hands of a side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from scoring.cards.dealing import deal
from scoring.cards.order import order_of
from scoring.cards.replay import Replay, replay
from scoring.hands.outcomes import level_result
from scoring.individual.entries import places
from scoring.individual.replay import replay_single
from scoring.profiles import Profile
from scoring.profiles.loader import individual_ids, load
from scoring.radar.rates import REVOKE_IN
from scoring.radar.seen import BoardSeen, HandSeen, Place, TableSeen
from scoring.signals.returning import Position, return_duty
from scoring.simulation.hand import simulate
from scoring.simulation.single import simulate_single
from scoring.sittings.states import Opening
from scoring.sittings.transitions import transitions
from scoring.values import Level, Role, Seat, Side

#: Hands of a match.
HANDS = 8
#: Tables that play a board, and boards of a match.
TABLES, BOARDS = 8, 8


class Played(NamedTuple):
    """A hand played by cards: total, what it was put together from, and what single players gained."""

    figure: int
    parts: tuple[int, ...]
    gains: Mapping[str, int]


class Match(NamedTuple):
    """An honest match: its hands at a table, and how often each party revoked."""

    table: TableSeen
    revokes: Mapping[str, int]


@lru_cache(maxsize=64)
def rules(profile: str) -> Profile:
    return load(profile, individual=True) if profile in individual_ids() else load(profile)


def bank(profile: Profile, hands: int, seed: str) -> list[Played]:
    """So many hands played by cards."""
    chance = Random(f"{seed}/{profile.id}")  # noqa: S311 - chance, not secrecy
    found: list[Played] = []
    while len(found) < hands:
        one = _of_sides(profile, chance) if profile.game == "two_teams" else _of_players(profile, chance)
        if one is not None:
            found.append(one)
    return found


def _of_sides(profile: Profile, chance: Random) -> Played | None:
    total = replay(profile, simulate(profile, chance)).total
    return None if total is None else Played(total.for_levels, (total.captured, total.bonus, total.fines), {})


def _of_players(profile: Profile, chance: Random) -> Played | None:
    again = replay_single(profile, simulate_single(profile, chance))
    if again.result is None:
        return None
    gains = {str(place): gain for place, gain in again.result.gains.items()}
    if again.total is not None:
        total = again.total
        return Played(total.for_levels, (total.captured, total.bonus, total.fines), gains)
    points = tuple(int(again.hand.points.get(place, 0)) for place in places(profile))
    return Played(max(points), points, gains)


def matches(profile: Profile, hands: Sequence[Played], many: int, seed: str) -> Iterator[Match]:
    """So many honest matches of hands drawn from a bank."""
    for number in range(many):
        chance = Random(f"{seed}/{profile.id}/{number}")  # noqa: S311 - chance, not secrecy
        played = _climbing(profile, hands, chance) if profile.game == "two_teams" else _alone(hands, chance)
        cards = cards_of(profile)
        usual = cards * 7 // 2
        timed = _timed(played, usual, chance)
        table = TableSeen(Place(1, number + 1), profile.id, cards, timed, usual=usual)
        yield Match(table, _revokes(profile, len(timed), chance))


def cards_of(profile: Profile) -> int:
    """How many cards the players of a hand hold together."""
    many = len(Seat) if profile.game == "two_teams" else len(places(profile))
    return profile.hand_cards * many


def _alone(hands: Sequence[Played], chance: Random) -> list[HandSeen]:
    drawn = [chance.choice(hands) for _ in range(HANDS)]
    return [HandSeen(n, one.figure, one.parts, one.gains) for n, one in enumerate(drawn, start=1)]


def _climbing(profile: Profile, hands: Sequence[Played], chance: Random) -> list[HandSeen]:
    """A match of two sides by the table of transitions; the stronger side gets a little more of every hand."""
    ahead = (chance.getrandbits(64).bit_count() - 32) * 5 // 2
    row = transitions(profile).opening(Opening(dict.fromkeys(Side, profile.ladder.first), Seat.N))
    found: list[HandSeen] = []
    while len(found) < HANDS and row.standing is not None and row.standing.winner is None:
        standing, drawn = row.standing, chance.choice(hands)
        dealing = standing.next_dealer.side
        shift = -ahead if dealing is Side.NS else ahead
        moved = 5 * (shift // 5) if 0 <= drawn.figure + shift <= 100 * profile.decks else 0
        total = drawn.figure + moved
        level = standing.ns if dealing is Side.NS else standing.ew
        gains = _gains(profile.id, total, level, dealing)
        parts = (drawn.parts[0] + moved, *drawn.parts[1:])
        found.append(HandSeen(len(found) + 1, total, parts, gains))
        row = row[total]
    return found


@lru_cache(maxsize=100_000)
def _gains(profile: str, total: int, level: Level, dealing: Side) -> Mapping[str, int]:
    result = level_result(rules(profile), total, level=level, reasons=False)
    side = dealing if result.winner_role is Role.DEALER else dealing.other
    return {side.value: result.levels}


def gains_of(profile: Profile, total: int, dealing: Side) -> Mapping[str, int]:
    """What a total gives at the first level."""
    return _gains(profile.id, total, profile.ladder.first, dealing)


def _timed(hands: Sequence[HandSeen], usual: int, chance: Random) -> tuple[HandSeen, ...]:
    over, times = 0, list[int]()
    for _ in hands:
        over += usual * max(2, chance.getrandbits(16).bit_count()) // 8
        if chance.randrange(100) < 3:
            over += chance.randrange(60, 1201)
        times.append(over)
    entered = list(times)
    for at in range(len(hands) - 1):
        if chance.randrange(100) < 2:
            entered[at] = times[at + 1] - 15
    return tuple(replace(hand, entered=at) for hand, at in zip(hands, entered, strict=True))


def _revokes(profile: Profile, hands: int, chance: Random) -> Mapping[str, int]:
    parties = [side.value for side in Side] if profile.game == "two_teams" else [str(one) for one in places(profile)]
    return {one: sum(not chance.randrange(REVOKE_IN) for _ in range(hands)) for one in parties}


def boards(profile: Profile, many: int, seed: str) -> list[BoardSeen]:
    """Boards, each played by cards at so many tables."""
    found = []
    for number in range(1, many + 1):
        dealt = deal(hashlib.sha256(f"{seed}/{number}".encode()).digest(), number, profile.decks)
        chance = Random(f"{seed}/{profile.id}/{number}")  # noqa: S311 - chance, not secrecy
        dealer, level = chance.choice(tuple(Seat)), chance.choice(tuple(profile.ladder))
        took = [_on_board(profile, chance, dealer, level, dealt) for _ in range(TABLES)]
        results = [(Place(1, table), number, 1, one) for table, one in enumerate(took, start=1)]
        found.append(BoardSeen(number, 100 * profile.decks, results))
    return found


def _on_board(profile: Profile, chance: Random, dealer: Seat, level: Level, dealt: object) -> int:
    while True:
        total = replay(profile, simulate(profile, chance, level=level, dealer=dealer, dealt=dealt)).total  # type: ignore[arg-type]
        if total is not None:
            return total.captured + total.bonus


def returns(profile: Profile, many: int, seed: str, direct: Sequence[str]) -> tuple[int, int]:
    """Of so many hands of players who know of no signal: in how many a return came to be owed, and was not made."""
    chance = Random(f"{seed}/returns")  # noqa: S311 - chance, not secrecy
    owed = broken = 0
    for _ in range(many):
        record = simulate(profile, chance)
        again = replay(profile, record)
        duty = _duty(profile, again, direct)
        owed += duty in ("fulfilled", "breach", "excused")
        broken += duty == "breach"
    return owed, broken


def _duty(profile: Profile, again: Replay, direct: Sequence[str]) -> str:
    if again.trump is None or again.dealer is None:
        return "none"
    order = order_of(profile, again.trump, again.level)
    hand = again.hands.get(again.dealer)
    cards = None if hand is None else tuple(hand.elements())
    tricks = tuple(tuple((play.seat, tuple(play.laid)) for play in trick.plays) for trick in again.tricks)
    usable = [rank for rank in direct if rank != again.level.rank]
    at = Position(order, again.dealer, usable, cards, tricks, again.buried or ())  # type: ignore[arg-type]
    return return_duty(at, reading="normal").duty
