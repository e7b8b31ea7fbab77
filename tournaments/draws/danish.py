"""Danish rounds (按名次编排): first against second, third against fourth; rematches are allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType

from scoring.hands.findings import Refused, refusal
from scoring.standings.results import EntrantId
from tournaments.draws.apart import Apart, Wish
from tournaments.draws.matching import Edge, best_matching
from tournaments.draws.pairing import Pairing

#: How many places down an opponent is looked for at first where some are kept apart; twice as many while there is none.
NEAR = 12


def danish_round(
    standing: Sequence[EntrantId], earlier: Sequence[Pairing] = (), apart: Apart = MappingProxyType({})
) -> Pairing:
    """The next round of entrants in the order of the standings. With an odd number the lowest of those with the fewest
    byes has one. Who was at home less often is at home, else the better one. Refused with fewer than two.

    Some are kept `apart`: then neighbours change, as few and as near by as can be, the lower ones before the better.
    Only where no round is possible so has the next one the bye; refused where none is at all (`no_pairing_possible`).
    """
    if len(standing) < 2:
        raise Refused([refusal("too_few_entrants", "entrants", "A round needs two entrants.", "至少要有两个参赛方。")])
    byes, pairs = _drawn(standing, earlier, apart)
    surplus = Counter(home for one in earlier for home, _ in one.pairs)
    surplus.subtract(away for one in earlier for _, away in one.pairs)
    return Pairing(tuple((a, b) if surplus[a] <= surplus[b] else (b, a) for a, b in pairs), byes)


def _drawn(
    standing: Sequence[EntrantId], earlier: Sequence[Pairing], apart: Apart
) -> tuple[tuple[EntrantId, ...], Sequence[tuple[EntrantId, EntrantId]]]:
    """Who has the bye, and the pairs in order of the better of each."""
    if len(standing) % 2 == 0:
        pairs = _neighbours(standing, apart)
        if pairs is not None:
            return (), pairs
    else:
        had = Counter(entrant for one in earlier for entrant in one.byes)
        for place in sorted(range(len(standing)), key=lambda place: (had[standing[place]], -place)):
            pairs = _neighbours([*standing[:place], *standing[place + 1 :]], apart)
            if pairs is not None:
                return (standing[place],), pairs
    en = "No round is possible as long as all who must be kept apart are."
    raise Refused([refusal("no_pairing_possible", "apart", en, "只要必须回避的都不相遇，就无法编排。")])


def _neighbours(playing: Sequence[EntrantId], apart: Apart) -> Sequence[tuple[EntrantId, EntrantId]] | None:
    """Those who stand together in pairs, but for those kept apart; None where that cannot be."""
    pairs = list(zip(playing[::2], playing[1::2], strict=True))
    if not any(frozenset(pair) in apart for pair in pairs):
        return pairs
    near = NEAR
    while True:
        found = best_matching(len(playing), list(_edges(playing, apart, near)))
        if found is not None or near >= len(playing):
            return None if found is None else [(playing[one], playing[other]) for one, other in found]
        near *= 2


def _edges(playing: Sequence[EntrantId], apart: Apart, near: int) -> Iterator[Edge]:
    """Who may meet whom: first as few as can be who are rather kept apart, then as near by as can be, then the better
    ones as they would meet anyhow."""
    size = len(playing)
    for one in range(size):
        for other in range(one + 1, min(one + near + 1, size)):
            wish = apart.get(frozenset((playing[one], playing[other])))
            if wish is not Wish.MUST:
                neighbours = one % 2 == 0 and other == one + 1
                moved = 0 if neighbours else (size - one) ** 2
                yield Edge(one, other, (int(wish is Wish.RATHER), (other - one - 1) ** 2, moved))
