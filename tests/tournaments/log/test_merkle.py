"""The tree of a log: roots that others have published, and proofs that hold where they should and nowhere else."""

from __future__ import annotations

import hashlib

import pytest

from tests.tournaments.log.proofs import is_consistent, is_included
from tournaments.log.merkle import Frontier, Tree


def grown(leaves: list[bytes]) -> Frontier:
    """A tree that grew leaf by leaf."""
    found = Frontier()
    for leaf in leaves:
        found = found.add(leaf)
    return found


def leaf_hash(body: bytes) -> bytes:
    return hashlib.sha256(b"\0" + body).digest()


#: The leaves and roots by which implementations of RFC 6962 are compared.
BODIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [leaf_hash(bytes.fromhex(body)) for body in BODIES]
MANY = [leaf_hash(str(number).encode()) for number in range(40)]


@pytest.mark.parametrize(("size", "root"), list(enumerate(ROOTS, start=1)))
def test_roots_are_those_that_others_have(size: int, root: str):
    assert grown(LEAVES[:size]).root.hex() == Tree(LEAVES[:size]).root.hex() == root


def test_an_empty_tree_has_the_hash_of_nothing():
    assert Frontier().root == Tree([]).root == hashlib.sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, 41))
def test_every_leaf_is_proved_and_no_other(size: int):
    leaves, tree, root = MANY[:size], Tree(MANY[:size]), grown(MANY[:size]).root
    for number, leaf in enumerate(leaves):
        proof = tree.inclusion(number)
        assert is_included(leaf, number, size, proof, root)
        assert not is_included(MANY[-1] if leaf != MANY[-1] else MANY[0], number, size, proof, root)
        assert not is_included(leaf, number, size, [*proof, leaf], root)
        assert size == 1 or not is_included(leaf, (number + 1) % size, size, proof, root)
        for place in range(len(proof)):
            bent = [one if at != place else leaf_hash(one) for at, one in enumerate(proof)]
            assert not is_included(leaf, number, size, bent, root)


@pytest.mark.parametrize("size", range(1, 41))
def test_a_tree_grew_out_of_every_earlier_one(size: int):
    leaves, tree, root = MANY[:size], Tree(MANY[:size]), grown(MANY[:size]).root
    for first in range(1, size + 1):
        proof, before = tree.growth(first), grown(leaves[:first]).root
        assert is_consistent(first, before, size, root, proof)
        assert not is_consistent(first, leaf_hash(before), size, root, proof)
        for place in range(len(proof)):
            bent = [one if at != place else leaf_hash(one) for at, one in enumerate(proof)]
            assert not is_consistent(first, before, size, root, bent)


def test_a_tree_grows_from_its_frontier_alone():
    tree = grown(MANY[:13])
    for leaf in MANY[13:]:
        tree = Frontier(tree.size, tree.roots).add(leaf)
    assert tree == grown(MANY)


@pytest.mark.parametrize("number", [-1, 3])
def test_a_tree_proves_no_leaf_that_it_has_not(number: int):
    with pytest.raises(ValueError, match="no such leaf"):
        Tree(MANY[:3]).inclusion(number)


@pytest.mark.parametrize("first", [-1, 0, 4])
def test_a_tree_grew_out_of_no_size_that_it_never_had(first: int):
    with pytest.raises(ValueError, match="never of that size"):
        Tree(MANY[:3]).growth(first)
