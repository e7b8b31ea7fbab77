"""The best perfect matching under costs in tiers: a later tier matters only between equals in all earlier ones.

The tiers of an edge become one whole number: each tier is multiplied by more than all later tiers of a whole matching
can sum up to. The solver computes in 128 bits and goes wrong without a word beyond them, so the numbers of a whole
matching are kept below `CEILING`; then every value the solver derives from them stays below it as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import rustworkx

#: What the cost of a whole matching may not reach.
CEILING = 1 << 122

Costs = tuple[int, ...]


class Edge(NamedTuple):
    """Two nodes that may be matched, `one` before `other`, and what that costs in each tier (never negative)."""

    one: int
    other: int
    costs: Costs


class DoesNotFit(Exception):
    """The costs need more than the solver's whole numbers; `bits` says how many bits they need."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(f"the costs need {bits} bits")


def best_matching(nodes: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
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


def weights(nodes: int, edges: Sequence[Edge]) -> Iterator[tuple[int, int, int]]:
    """Each edge as (node, node, weight): the heaviest perfect matching is the cheapest one. DoesNotFit as above.

    What every matching pays at a node anyhow is taken off first: the solver is several times faster with many edges
    that cost nothing more. (Halves are avoided by doubling.)
    """
    factors, ceiling = _factors(nodes, edges)
    if ceiling > CEILING:
        raise DoesNotFit(ceiling.bit_length())
    numbers = [2 * sum(cost * factor for cost, factor in zip(edge.costs, factors, strict=True)) for edge in edges]
    paid = _paid_anyhow(nodes, edges, numbers)
    rests = [number - paid[edge.one] - paid[edge.other] for edge, number in zip(edges, numbers, strict=True)]
    most = max(rests, default=0)
    for edge, rest in zip(edges, rests, strict=True):
        yield edge.one, edge.other, most - rest


def _paid_anyhow(nodes: int, edges: Sequence[Edge], numbers: Sequence[int]) -> list[int]:
    """A share for every node so that no edge costs less than the shares of its two nodes, and at each one just that."""
    at: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for edge, number in zip(edges, numbers, strict=True):
        at[edge.one].append((edge.other, number))
        at[edge.other].append((edge.one, number))
    shares = [min((number for _, number in here), default=0) // 2 for here in at]
    for node, here in enumerate(at):
        shares[node] = min((number - shares[other] for other, number in here), default=0)
    return shares


def _factors(nodes: int, edges: Sequence[Edge]) -> tuple[list[int], int]:
    """What each tier is multiplied by, and a number above the cost of every matching."""
    tiers = len(edges[0].costs) if edges else 0
    factor, factors = 1, []
    for tier in reversed(range(tiers)):
        factors.append(factor)
        factor *= _bound(nodes, edges, tier) + 1
    return factors[::-1], factor


def _bound(nodes: int, edges: Sequence[Edge], tier: int) -> int:
    """At least what any matching costs in a tier: no node pays more than its dearest edge, and two share an edge."""
    dearest = [0] * nodes
    for one, other, costs in edges:
        cost = costs[tier]
        if cost > dearest[one]:
            dearest[one] = cost
        if cost > dearest[other]:
            dearest[other] = cost
    top = max(dearest, default=0)
    return min(sum(dearest) // 2, top * (nodes // 2))
