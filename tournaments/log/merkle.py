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


class Tree:
    """A tree of these leaves (their hashes), to prove something of it; every subtree is worked out once."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._leaves = leaves
        self._roots: dict[tuple[int, int], bytes] = {}

    @property
    def root(self) -> bytes:
        return self._root(0, len(self._leaves)) if self._leaves else Frontier().root

    def inclusion(self, number: int) -> list[bytes]:
        """What proves that the leaf of this number is in the tree: the roots beside its way up."""
        if not 0 <= number < len(self._leaves):
            raise ValueError("the tree has no such leaf")
        path, begin, end = list[bytes](), 0, len(self._leaves)
        while end - begin > 1:
            middle = _middle(begin, end)
            if number < middle:
                path.append(self._root(middle, end))
                end = middle
            else:
                path.append(self._root(begin, middle))
                begin = middle
        return path[::-1]

    def growth(self, first: int) -> list[bytes]:
        """What proves that the tree of the `first` leaves grew into this one."""
        if not 0 < first <= len(self._leaves):
            raise ValueError("the tree was never of that size")
        path, begin, end = list[bytes](), 0, len(self._leaves)
        while first != end:
            middle = _middle(begin, end)
            if first <= middle:
                path.append(self._root(middle, end))
                end = middle
            else:
                path.append(self._root(begin, middle))
                begin = middle
        if begin:
            path.append(self._root(begin, end))
        return path[::-1]

    def _root(self, begin: int, end: int) -> bytes:
        if end - begin == 1:
            return self._leaves[begin]
        found = self._roots.get((begin, end))
        if found is None:
            middle = _middle(begin, end)
            found = self._roots[begin, end] = _node(self._root(begin, middle), self._root(middle, end))
        return found


def _middle(begin: int, end: int) -> int:
    """Where the first subtree of these leaves ends: it has the largest power of two that is smaller than all."""
    return begin + (1 << ((end - begin - 1).bit_length() - 1))
