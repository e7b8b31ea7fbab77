"""Movements (移位) of duplicate: which pairs meet at which table over which boards, so that nobody meets a board twice.

Pairs, tables, rounds and sets of boards are numbered from 0. The pairs of a `Movement` are given as such numbers; with
an odd number one more is missing, and who would meet it sits out (轮空).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations

from scoring.hands.findings import Refused, refusal
from scoring.standings.results import EntrantId
from tournaments.draws.pairing import Pairing

#: Sizes that `howell` knows: it searches for their tables, which takes well under a second for these.
HOWELL_PAIRS = range(3, 25)
MITCHELL_PAIRS = range(4, 201)


@dataclass(frozen=True, slots=True)
class Play:
    """Two pairs at a table in a round, over one set of boards."""

    table: int
    ns: int
    ew: int
    boards: int


@dataclass(frozen=True, slots=True)
class Movement:
    """Plays of every round. `pairs` counts those that are there."""

    pairs: int
    rounds: tuple[tuple[Play, ...], ...]

    @property
    def sits_out(self) -> tuple[tuple[int, ...], ...]:
        """Who does not play in each round."""
        here = (self._playing(plays) for plays in self.rounds)
        return tuple(tuple(pair for pair in range(self.pairs) if pair not in playing) for playing in here)

    @staticmethod
    def _playing(plays: Sequence[Play]) -> set[int]:
        return {pair for play in plays for pair in (play.ns, play.ew)}


@dataclass(frozen=True, slots=True)
class Balance:
    """How evenly a movement compares its pairs.

    `meetings`: fewest and most meetings of two pairs. `influence`: least and greatest weight that the results of one
    pair have on another's placing, in matchpoints for each set of boards: 1 where both sit the same way, -1 where they
    sit opposite at two tables, and one for every other table where they meet. `spread` is the variance of that weight;
    0 is perfect. `shared` is the most tables that need one set of boards in one round. `sit_outs`: fewest and most.
    """

    meetings: tuple[int, int]
    influence: tuple[int, int]
    spread: Fraction
    shared: int
    sit_outs: tuple[int, int]


def mitchell(pairs: int, rounds: int | None = None) -> Movement:
    """North-South stay (even numbers 0, 2, …), East-West go up a table each round (odd numbers), boards go down one.

    With an even number of tables East-West skip a table half-way, and there is one round less than tables. Refused
    outside `MITCHELL_PAIRS`, or with more rounds than there can be.
    """
    tables = (pairs + 1) // 2
    most = tables if tables % 2 else tables - 1
    wanted = most if rounds is None else rounds
    _refuse_outside(pairs, MITCHELL_PAIRS)
    if not 1 <= wanted <= most:
        en, zh = f"{pairs} pairs play 1 to {most} rounds so.", f"{pairs} 对按此移位可打 1 到 {most} 轮。"
        raise Refused([refusal("too_many_rounds", "rounds", en, zh, most=most)])
    found = []
    for number in range(wanted):
        skipped = int(tables % 2 == 0 and number >= tables // 2)
        plays = (
            Play(table, 2 * table, 2 * ((table - number - skipped) % tables) + 1, (table + number) % tables)
            for table in range(tables)
        )
        found.append(tuple(play for play in plays if max(play.ns, play.ew) < pairs))
    return Movement(pairs, tuple(found))


def arrow_switched(movement: Movement, rounds: int) -> Movement:
    """The same with North-South and East-West exchanged in the last rounds, so that a Mitchell has one winner. About
    one board in eight is best; Refused with more rounds than there are."""
    if not 0 <= rounds <= len(movement.rounds):
        en, zh = f"There are {len(movement.rounds)} rounds.", f"共有 {len(movement.rounds)} 轮。"
        raise Refused([refusal("too_many_rounds", "arrow", en, zh, most=len(movement.rounds))])
    start = len(movement.rounds) - rounds
    turned = tuple(tuple(replace(play, ns=play.ew, ew=play.ns) for play in plays) for plays in movement.rounds[start:])
    return replace(movement, rounds=movement.rounds[:start] + turned)


def howell(pairs: int) -> Movement:
    """Everybody meets everybody once, one round less than pairs (with the missing one), one winner.

    The last pair stays at the first table; whoever played as p plays as p + 1 in the next round. With four to six
    pairs the tables share boards in a round. Refused outside `HOWELL_PAIRS`.
    """
    _refuse_outside(pairs, HOWELL_PAIRS)
    return _howell(pairs, _turned(pairs + pairs % 2))


def _howell(pairs: int, turned: Sequence[bool]) -> Movement:
    ring = pairs + pairs % 2 - 1
    starter = _starter(ring)
    found = []
    for number in range(ring):
        plays = [Play(0, ring, number, (number - starter[0][2]) % ring)]
        for table, (one, other, shift) in enumerate(starter[1:], start=1):
            plays.append(Play(table, (one + number) % ring, (other + number) % ring, (number - shift) % ring))
        seated = (replace(play, ns=play.ew, ew=play.ns) if turned[play.table] else play for play in plays)
        found.append(tuple(play for play in seated if max(play.ns, play.ew) < pairs))
    return Movement(pairs, tuple(found))


@cache
def _starter(ring: int) -> tuple[tuple[int, int, int], ...]:
    """Round 0: (one, other, shift of the boards) of every table, turned by one each round. Differences all differ, so
    everybody meets once; shifted places all differ, so nobody meets a board twice; shifts differ where that can be."""
    for most in range(1, ring + 1):
        found = next(_starters(ring, most, {0}, {0}, (0,), ring // 2), None)
        if found is not None:
            return ((0, 0, 0), *found)
    raise AssertionError(f"no starter for {ring}")


def _starters(
    ring: int, most: int, used: set[int], shifted: set[int], shifts: tuple[int, ...], difference: int
) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Tables for the differences from this one down to 1; at most `most` tables share boards."""
    if difference == 0:
        yield ()
        return
    for one in range(1, ring):
        other = (one + difference) % ring
        if one in used or other in used:
            continue
        for shift in range(ring):
            ends = {(one + shift) % ring, (other + shift) % ring}
            if ends & shifted or shifts.count(shift) >= most:
                continue
            for more in _starters(ring, most, used | {one, other}, shifted | ends, (*shifts, shift), difference - 1):
                yield ((one, other, shift), *more)


@cache
def _turned(size: int) -> tuple[bool, ...]:
    """Tables of the Howell for `size` pairs at which North-South and East-West change: the influence of pairs on one
    another becomes more even with every table turned, until no single turn helps."""
    turned = [False] * (size // 2)
    best = balance(_howell(size, turned)).spread
    better = True
    while better:
        better = False
        for table in range(len(turned)):
            turned[table] = not turned[table]
            spread = balance(_howell(size, turned)).spread
            if spread < best:
                best, better = spread, True
            else:
                turned[table] = not turned[table]
    return tuple(turned)


def balance(movement: Movement) -> Balance:
    """The figures of a movement."""
    met: Counter[tuple[int, int]] = Counter()
    weight: Counter[tuple[int, int]] = Counter()
    shared = 1
    by_boards: dict[int, list[Play]] = {}
    for plays in movement.rounds:
        shared = max(shared, *Counter(play.boards for play in plays).values())
        for play in plays:
            by_boards.setdefault(play.boards, []).append(play)
            met[_two(play.ns, play.ew)] += 1
    for together in by_boards.values():
        for play in together:
            weight[_two(play.ns, play.ew)] += len(together) - 1
        for one, other in combinations(together, 2):
            for a, b, sign in (
                (one.ns, other.ns, 1),
                (one.ew, other.ew, 1),
                (one.ns, other.ew, -1),
                (one.ew, other.ns, -1),
            ):
                weight[_two(a, b)] += sign
    pairs = list(combinations(range(movement.pairs), 2))
    weights = [weight[pair] for pair in pairs]
    mean = Fraction(sum(weights), len(weights))
    out = Counter(pair for pairs_out in movement.sits_out for pair in pairs_out)
    outs = [out[pair] for pair in range(movement.pairs)]
    return Balance(
        meetings=(min(met[pair] for pair in pairs), max(met[pair] for pair in pairs)),
        influence=(min(weights), max(weights)),
        spread=sum(((one - mean) ** 2 for one in weights), Fraction(0)) / len(weights),
        shared=shared,
        sit_outs=(min(outs), max(outs)),
    )


def _two(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def teams_of_four(teams: Sequence[EntrantId]) -> tuple[Pairing, ...]:
    """A group of four teams: 1–3 2–4, then 1–2 3–4, then 1–4 2–3. Refused with any other number."""
    if len(teams) != 4:
        en, zh = f"This needs four teams; there are {len(teams)}.", f"需要四个队，现在有 {len(teams)} 个。"
        raise Refused([refusal("not_four_teams", "entrants", en, zh)])
    one, two, three, four = teams
    return (
        Pairing(((one, three), (two, four))),
        Pairing(((one, two), (three, four))),
        Pairing(((one, four), (two, three))),
    )


def _refuse_outside(pairs: int, sizes: range) -> None:
    if pairs not in sizes:
        en = f"This movement takes {sizes.start} to {sizes.stop - 1} pairs."
        zh = f"这种移位适用于 {sizes.start} 到 {sizes.stop - 1} 对。"
        raise Refused([refusal("size_not_supported", "pairs", en, zh, least=sizes.start, most=sizes.stop - 1)])
