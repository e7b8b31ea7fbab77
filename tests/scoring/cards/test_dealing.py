"""Deals from a seed: the worked deals are in the vectors; here the laws."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import dealing
from scoring.cards.auction_state import Act
from scoring.cards.deck import FACES
from scoring.cards.declaring import declare_in_turn
from scoring.profiles.loader import load
from scoring.questions.protocol import answer
from scoring.values import RANKS, SUITS, Card, Level, Seat, Trump

SEEDS = st.binary(min_size=32, max_size=32)
RULES = load("cn-national-2d")


@given(SEEDS, st.integers(1, 2**32 - 1), st.sampled_from(sorted(dealing.HANDS)))
def test_a_deal_is_the_whole_pack_and_reads_back(seed: bytes, board: int, decks: int) -> None:
    dealt = dealing.deal(seed, board, decks)
    held = [card for cards in dealt.pockets.values() for card in cards]
    assert Counter(held) == Counter(FACES * decks)
    assert {len(cards) for cards in dealt.hands.values()} == {dealing.HANDS[decks]}
    lines = dealt.text.splitlines()
    assert dealt.text.endswith("\n")
    assert {name: dealing.cards_of(cards) for name, cards in (line.split(" ") for line in lines)} == dealt.pockets
    assert dealing.differences(dealt, dealt.pockets) == ()
    assert dealt == dealing.deal(seed, board, decks)


@given(SEEDS, st.integers(1, 200))
def test_another_board_or_another_seed_is_another_deal(seed: bytes, board: int) -> None:
    fingerprint = dealing.deal(seed, board, 2).fingerprint
    assert dealing.deal(seed, board + 1, 2).fingerprint != fingerprint
    turned = bytes([seed[0] ^ 1]) + seed[1:]
    assert dealing.deal(turned, board, 2).fingerprint != fingerprint
    assert dealing.commitment(turned) != dealing.commitment(seed)


def test_fifty_two_boards_hold_each_level_and_dealer_once() -> None:
    assert len({dealing.header(board) for board in range(1, 53)}) == len(RANKS) * len(Seat)
    assert dealing.header(53) == dealing.header(1) == ("2", Seat.N)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 107, 108, 2**31 + 1, 2**32])
def test_every_number_is_drawn_from_as_many_words(n: int) -> None:
    """The words that count are a whole multiple of n; the first beyond them is thrown away."""
    limit = 2**32 - 2**32 % n
    assert dealing.draw([limit - 1], n) == ((limit - 1) % n, 1)
    if limit < 2**32:
        assert dealing.draw([limit, 2**32 - 1, 0], n) == (0, 3)
        with pytest.raises(dealing.WordsUsedUp):
            dealing.draw([limit, limit], n)


@given(SEEDS, st.randoms())
def test_every_exchange_between_two_pockets_is_found(seed: bytes, chance: Random) -> None:
    dealt = dealing.deal(seed, 1, 2)
    found = {pocket: list(cards) for pocket, cards in dealt.pockets.items()}
    one, other = chance.sample(list(found), 2)
    here, there = chance.randrange(len(found[one])), chance.randrange(len(found[other]))
    moved = {found[one][here], found[other][there]}
    found[one][here], found[other][there] = found[other][there], found[one][here]
    for cards in found.values():
        chance.shuffle(cards)
    told = dealing.differences(dealt, found)
    if len(moved) == 1:  # the same face
        assert told == ()
    else:
        assert {difference.pocket for difference in told} == {one, other}
        assert all(len(difference.missing) == len(difference.extra) == 1 for difference in told)


def test_anything_else_in_a_pocket_is_no_card() -> None:
    assert dealing.cards_of("S10JBH2") == (Card("S", "10"), Card("J", "B"), Card("H", "2"))
    assert dealing.cards_of("") == ()
    for text in ("S1", "S10 H2", "s10", "JX", "H11", "S10H"):
        assert dealing.cards_of(text) is None


def test_a_seed_needs_the_whole_secret_and_the_lot() -> None:
    secret, lot = bytes(range(32)), b"7"
    seed = dealing.seed_of(secret, lot)
    assert len(seed) == dealing.SEED_BYTES
    assert seed != dealing.seed_of(secret, b"8")
    assert seed != dealing.seed_of(bytes(32), lot)
    with pytest.raises(ValueError, match="32 bytes"):
        dealing.seed_of(secret[:-1], secret[-1:] + lot)


ASKED = {"op": "deal_board", "seed": "00" * 32, "board": 1, "decks": 2}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seed": "0" * 63}, "seed_length"),
        ({"seed": "G" * 64}, "seed_not_hex"),
        ({"seed": "A" * 64}, "seed_not_hex"),
        ({"seed": None}, "missing"),
        ({"decks": 4}, "out_of_range"),
        ({"board": 2**32}, "out_of_range"),
        ({"op": "deal_draw", "n": 108, "words": [-1]}, "wrong_type"),
        ({"op": "deal_draw", "n": 108, "words": [2**32 - 1]}, "words_used_up"),
        ({"op": "deal_check", "commitment": "", "found": {"N": "S2"}}, "missing"),
    ],
)
def test_a_bad_question_is_refused_by_its_field(changed: dict[str, object], code: str) -> None:
    asked = ASKED | changed
    if asked["op"] == "deal_draw":
        asked = changed
    assert code in {one["code"] for one in answer({"id": 1, "input": asked})["error"]["findings"]}


# Declaring in turn

PASS = "pass"


def made(*acts: str) -> list[Act]:
    """Acts as "N pass", "W declare D7", "N name D"."""
    rows = []
    for act in acts:
        by, kind, *shown = act.split()
        cards = tuple(map(Card.parse, shown)) if kind != "name" else ()
        rows.append(Act(kind, Seat(by), cards, Trump(shown[0]) if kind == "name" and shown else None))
    return rows


@given(
    st.sampled_from(list(Seat)), st.lists(st.sampled_from(["pass", "one", "pair", "name"]), max_size=12), st.randoms()
)
def test_dealer_and_level_never_move_and_the_turn_goes_round(dealer: Seat, kinds: list[str], chance: Random) -> None:
    acts = []
    for kind in kinds:
        by, suit = chance.choice(list(Seat)), chance.choice(SUITS)
        cards = {"one": (Card(suit, "7"),), "pair": (Card(suit, "7"),) * 2}.get(kind, ())
        name = {"one": "declare", "pair": "counter"}.get(kind, kind)
        acts.append(Act(name, by, cards, Trump(suit) if kind == "name" else None))
    state = declare_in_turn(RULES, Level("7"), dealer, acts)
    assert state.dealer is dealer
    assert (state.turn is None) == (state.settled_by is not None)
    assert state.settled_by is None or state.trump is not None
    left = {number for number, _ in state.problems}
    kept = [act for number, act in enumerate(acts, start=1) if number not in left]
    again = declare_in_turn(RULES, Level("7"), dealer, kept)
    assert not again.problems
    assert (again.trump, again.turn, again.settled_by) == (state.trump, state.turn, state.settled_by)


def test_who_passed_may_counter_when_his_turn_comes_again() -> None:
    state = declare_in_turn(
        RULES, Level("7"), Seat.S, made("N pass", "W declare D7", "S pass", "E pass", "N counter H7 H7")
    )
    assert (state.trump, state.settled_by, state.problems) == (Trump.H, "counter", [])


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        (("N counter H7 H7",), "nothing_to_counter"),
        (("N declare H8",), "not_level_cards"),
        (("N declare H7", "W declare C7 C7"), "declared_already"),
        (("N declare H7", "W counter C7"), "not_higher"),
        (("N name D",), "name_not_due"),
        (("N pass", "W pass", "S pass", "E pass", "N pass"), "name_due"),
        (("N pass", "W pass", "S pass", "E pass", "N name NT"), "no_trump_not_allowed"),
        (("N pass", "W pass", "S pass", "E pass", "N name"), "name_missing"),
        (("N declare JB JB",), "no_trump_not_allowed"),
    ],
)
def test_what_may_not_be_is_left_out_with_its_reason(acts: tuple[str, ...], code: str) -> None:
    state = declare_in_turn(RULES, Level("7"), Seat.S, made(*acts))
    assert [one.code for _, one in state.problems] == [code]
    assert state.settled_by is None


def test_where_no_trump_is_played_jokers_counter_in_the_printed_order() -> None:
    rules = load("online-2d")
    assert rules.no_trump_allowed
    state = declare_in_turn(rules, Level("7"), Seat.S, made("N declare H7", "W counter C7 C7", "S counter JB JB"))
    assert (state.trump, state.settled_by) == (Trump.NT, "counter")


def test_a_board_as_dealt_is_a_value() -> None:
    dealt = dealing.deal(bytes(32), 1, 2)
    assert replace(dealt, board=2).fingerprint == dealt.fingerprint  # numbers never enter a hash
