"""The tree of a log, as RFC 9162 (section 2.1) has it: its root, that a leaf is in it, that one grew into another.

Hashes are bytes (SHA-256). A tree is known by its frontier: the roots of the whole subtrees it falls into, the largest
first; so a leaf is added without looking at those before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """A tree of `size` leaves by the roots of its whole subtrees."""

    size: int = 0
    roots: tuple[bytes, ...] = ()

    def add(self, leaf: bytes) -> Frontier:
        """With one more leaf (its hash). Two subtrees of one size become one, as a carry in a binary number."""
        roots, size = [*self.roots, leaf], self.size
        while size % 2:
            right = roots.pop()
            roots[-1] = _node(roots[-1], right)
            size //= 2
        return Frontier(self.size + 1, tuple(roots))

    @property
    def root(self) -> bytes:
        if not self.roots:
            return hashlib.sha256().digest()
        root = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            root = _node(left, root)
        return root


def frontier_of(leaves: Sequence[bytes]) -> Frontier:
    """The tree of these leaves (their hashes)."""
    found = Frontier()
    for leaf in leaves:
        found = found.add(leaf)
    return found


def root_of(leaves: Sequence[bytes]) -> bytes:
    return frontier_of(leaves).root


def inclusion(leaves: Sequence[bytes], number: int) -> list[bytes]:
    """What proves that the leaf of this number is in the tree of all these: the roots beside its way up."""
    if not 0 <= number < len(leaves):
        raise ValueError("the tree has no such leaf")
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if number < split:
        return [*inclusion(leaves[:split], number), root_of(leaves[split:])]
    return [*inclusion(leaves[split:], number - split), root_of(leaves[:split])]


def consistency(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """What proves that the tree of the `first` leaves grew into the tree of all these."""
    if not 0 < first <= len(leaves):
        raise ValueError("the tree was never of that size")
    return _grown(leaves, first, whole=True)


def _grown(leaves: Sequence[bytes], first: int, *, whole: bool) -> list[bytes]:
    if first == len(leaves):
        return [] if whole else [root_of(leaves)]
    split = _split(len(leaves))
    if first <= split:
        return [*_grown(leaves[:split], first, whole=whole), root_of(leaves[split:])]
    return [*_grown(leaves[split:], first - split, whole=False), root_of(leaves[:split])]


def _split(size: int) -> int:
    """The largest power of two that is smaller than the size."""
    return 1 << ((size - 1).bit_length() - 1)


def is_included(leaf: bytes, number: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf to the root of a tree of that size."""
    if not 0 <= number < size:
        return False
    place, last, found = number, size - 1, leaf
    for beside in proof:
        if last == 0:
            return False
        if place % 2 or place == last:
            found = _node(beside, found)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            found = _node(found, beside)
        place, last = place // 2, last // 2
    return last == 0 and found == root


def is_consistent(first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of the first root grew into that of the second."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    path = list(proof) if first & (first - 1) else [first_root, *proof]
    if not path:
        return False
    place, last = first - 1, second - 1
    while place % 2:
        place, last = place // 2, last // 2
    old = new = path[0]
    for beside in path[1:]:
        if last == 0:
            return False
        if place % 2 or place == last:
            old, new = _node(beside, old), _node(beside, new)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            new = _node(new, beside)
        place, last = place // 2, last // 2
    return last == 0 and old == first_root and new == second_root
