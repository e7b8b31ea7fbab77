"""How a proof of a log is read (RFC 9162, sections 2.1.3.2 and 2.1.4.2), as the page's script does."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def is_included(leaf: bytes, number: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf to the root of a tree of that size."""
    if not 0 <= number < size:
        return False
    place, last, found = number, size - 1, leaf
    for beside in proof:
        if last == 0:
            return False
        if place % 2 or place == last:
            found = node(beside, found)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            found = node(found, beside)
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
            old, new = node(beside, old), node(beside, new)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            new = node(new, beside)
        place, last = place // 2, last // 2
    return last == 0 and old == first_root and new == second_root
