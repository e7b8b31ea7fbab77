"""Danish rounds (按名次编排): first against second, third against fourth; rematches are allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.hands.findings import Refused, refusal
from scoring.standings.results import EntrantId
from tournaments.draws.pairing import Pairing


def danish_round(standing: Sequence[EntrantId], earlier: Sequence[Pairing] = ()) -> Pairing:
    """The next round of entrants in the order of the standings. With an odd number the lowest of those with the fewest
    byes has one. Who was at home less often is at home, else the better one. Refused with fewer than two."""
    if len(standing) < 2:
        raise Refused([refusal("too_few_entrants", "entrants", "A round needs two entrants.", "至少要有两个参赛方。")])
    byes: tuple[EntrantId, ...] = ()
    playing = list(standing)
    if len(playing) % 2:
        had = Counter(entrant for one in earlier for entrant in one.byes)
        out = min(reversed(playing), key=lambda entrant: had[entrant])
        playing.remove(out)
        byes = (out,)
    surplus = Counter(home for one in earlier for home, _ in one.pairs)
    surplus.subtract(away for one in earlier for _, away in one.pairs)
    pairs = zip(playing[::2], playing[1::2], strict=True)
    return Pairing(tuple((a, b) if surplus[a] <= surplus[b] else (b, a) for a, b in pairs), byes)
