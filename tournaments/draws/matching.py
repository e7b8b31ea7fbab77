"""The best perfect matching under costs in tiers: a later tier matters only between equals in all earlier ones.

The tiers of an edge become one whole number: each tier is multiplied by more than all later tiers of a whole matching
can sum up to. The solver computes in 128 bits and goes wrong without a word beyond them, so the numbers of a whole
matching are kept below `CEILING`; then every value the solver derives from them stays below it as well.

The solver is quick where it finds edges that cost nothing more than what is paid at their ends anyhow. What is paid at
each end is therefore worked out first: the exact prices of the problem in which a node may give half of itself to each
of two others (an assignment problem). Taking prices off changes every perfect matching by the same amount.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple, Self

import numpy as np
import rustworkx
from numpy.typing import NDArray

#: What the cost of a whole matching may not reach.
CEILING = 1 << 122
#: Sums of costs below this are computed in machine words.
_WORD = 1 << 62

Costs = tuple[int, ...]
Column = NDArray[np.int64]


class Edge(NamedTuple):
    """Two nodes that may be matched, `one` before `other`, and what that costs in each tier (never negative)."""

    one: int
    other: int
    costs: Costs


@dataclass(frozen=True, slots=True)
class Edges:
    """Many edges by column: their nodes, and their costs tier by tier."""

    one: Column
    other: Column
    tiers: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.one)

    @classmethod
    def of(cls, edges: Sequence[Edge]) -> Self:
        """The same edges by column; costs beyond machine words stay Python's own numbers."""
        most = max((cost for edge in edges for cost in edge.costs), default=0)
        kind = np.int64 if most < _WORD else object
        tiers = zip(*(edge.costs for edge in edges), strict=True)
        return cls(
            np.array([edge.one for edge in edges], np.int64),
            np.array([edge.other for edge in edges], np.int64),
            tuple(np.array(tier, kind) for tier in tiers),
        )


class DoesNotFit(Exception):
    """The costs need more than the solver's whole numbers; `bits` says how many bits they need."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(f"the costs need {bits} bits")


def best_matching(nodes: int, edges: Sequence[Edge] | Edges) -> list[tuple[int, int]] | None:
    """The cheapest matching of all nodes 0 to nodes - 1 in their order; None when there is none.

    Among equally cheap ones the order of the edges decides, so give them in an order of your own. DoesNotFit when the
    costs are too large.
    """
    return heaviest(nodes, list(weights(nodes, edges)))


def heaviest(nodes: int, weighted: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """The heaviest matching of all nodes over edges (node, node, weight); None when there is none."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(list(weighted))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < nodes:
        return None
    return sorted((min(pair), max(pair)) for pair in found)


def weights(nodes: int, edges: Sequence[Edge] | Edges) -> Iterator[tuple[int, int, int]]:
    """Each edge as (node, node, weight): the heaviest perfect matching is the cheapest one. DoesNotFit as above.

    Without the edges that no cheapest matching uses, and without any when the nodes cannot all be matched even by
    halves. (Halves are avoided by doubling.)
    """
    known = edges if isinstance(edges, Edges) else Edges.of(edges)
    _, ceiling = _factors(nodes, known)
    costs = list(plain(nodes, known))
    ends, numbers = [(one, other) for one, other, _ in costs], [number for *_, number in costs]
    prices = _prices(nodes, ends, numbers)
    if prices is None:
        return
    rests = [2 * number - prices[one] - prices[other] for (one, other), number in zip(ends, numbers, strict=True)]
    # a cheapest matching costs less than the ceiling, so an edge this far above its prices is in none
    dearest = 2 * ceiling - sum(prices)
    most = max((rest for rest in rests if rest <= dearest), default=0)
    for (one, other), rest in zip(ends, rests, strict=True):
        if rest <= dearest:
            yield one, other, most - rest


def plain(nodes: int, edges: Edges) -> Iterator[tuple[int, int, int]]:
    """Each edge as (node, node, cost), its tiers as one whole number. DoesNotFit as above."""
    factors, ceiling = _factors(nodes, edges)
    if ceiling > CEILING:
        raise DoesNotFit(ceiling.bit_length())
    yield from zip(edges.one.tolist(), edges.other.tolist(), _numbers(edges.tiers, factors), strict=True)


def _numbers(tiers: Sequence[Column], factors: Sequence[int]) -> list[int]:
    """The one number of each edge. Neighbouring tiers are put together in machine words as far as those reach."""
    total: list[int] = []
    at = 0
    while at < len(tiers):
        end, word = at + 1, tiers[at]
        # what all of the next tier can come to is the quotient of two factors
        while end < len(tiers) and _fits(word, factors[end - 1] // factors[end]):
            word = word * (factors[end - 1] // factors[end]) + tiers[end]
            end += 1
        factor = factors[end - 1]
        part = word.tolist() if factor == 1 else [value * factor for value in word.tolist()]
        total = [have + more for have, more in zip(total, part, strict=True)] if total else part
        at = end
    return total


def _fits(word: Column, quotient: int) -> bool:
    return word.dtype != object and (int(word.max(initial=0)) + 1) * quotient < _WORD


def _prices(nodes: int, ends: Sequence[tuple[int, int]], numbers: Sequence[int]) -> list[int] | None:
    """What is paid at each node: two nodes' prices never exceed twice their edge, and in sum they are the most that
    such prices can be. None when the nodes cannot be matched even by halves.

    The assignment of every node to another, each taken once, by shortest augmenting paths from shares that fit.
    """
    at: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for (one, other), number in zip(ends, numbers, strict=True):
        at[one].append((other, number))
        at[other].append((one, number))
    if not all(at):
        return None
    price = _shares(at)
    taken, paid, taker = [-1] * nodes, [0] * nodes, [-1] * nodes
    for node, here in enumerate(at):
        least = min([number - price[other] for other, number in here])
        for other, number in here:
            if taker[other] < 0 and number - price[other] == least:
                taken[node], paid[node], taker[other] = other, number, node
                break
    for node in range(nodes):
        if taken[node] < 0 and not _augment(node, at, price, taken, paid, taker):
            return None
    return [paid[node] - price[taken[node]] + price[node] for node in range(nodes)]


def _shares(at: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """A share for every node so that no edge costs less than the shares of its two nodes, and at each one just that."""
    shares = [min(number for _, number in here) // 2 for here in at]
    for node, here in enumerate(at):
        shares[node] = min([number - shares[other] for other, number in here])
    return shares


def _augment(
    start: int,
    at: Sequence[Sequence[tuple[int, int]]],
    price: list[int],
    taken: list[int],
    paid: list[int],
    taker: list[int],
) -> bool:
    """Let one more node take another, along the cheapest path of changes; False when there is none."""
    reached: dict[int, tuple[int, int, int]] = {
        other: (number - price[other], start, number) for other, number in at[start]
    }
    ahead = [(distance, other) for other, (distance, _, _) in reached.items()]
    heapify(ahead)
    # how far the nearest node is that nobody has taken: the path ends there, so nothing beyond is looked at
    end: float = min((distance for distance, other in ahead if taker[other] < 0), default=inf)
    settled: dict[int, int] = {}
    while ahead:
        distance, other = heappop(ahead)
        if other in settled:
            continue
        node = taker[other]
        if node < 0:
            for one, before in settled.items():
                price[one] += before - distance
            _swap(start, other, reached, taken, paid, taker)
            return True
        settled[other] = distance
        base = distance - paid[node] + price[other]
        for one, number in at[node]:
            further = base + number - price[one]
            if further <= end and (one not in reached or further < reached[one][0]):
                reached[one] = (further, node, number)
                heappush(ahead, (further, one))
                if taker[one] < 0:
                    end = further
    return False


def _swap(
    start: int,
    end: int,
    reached: dict[int, tuple[int, int, int]],
    taken: list[int],
    paid: list[int],
    taker: list[int],
) -> None:
    """Carry out the changes from the node nobody had taken back to the one that had taken none."""
    other, node = end, -1
    while node != start:
        _, node, number = reached[other]
        taker[other], paid[node] = node, number
        taken[node], other = other, taken[node]


def _factors(nodes: int, edges: Edges) -> tuple[list[int], int]:
    """What each tier is multiplied by, and a number above the cost of every matching."""
    factor, factors = 1, []
    for tier in reversed(edges.tiers):
        factors.append(factor)
        factor *= _bound(nodes, edges, tier) + 1
    return factors[::-1], factor


def _bound(nodes: int, edges: Edges, tier: Column) -> int:
    """At least what any matching costs in a tier: no node pays more than its dearest edge, and two share an edge."""
    dearest = np.zeros(nodes, tier.dtype)
    np.maximum.at(dearest, edges.one, tier)
    np.maximum.at(dearest, edges.other, tier)
    paid = dearest.tolist()
    return min(sum(paid) // 2, max(paid, default=0) * (nodes // 2))
