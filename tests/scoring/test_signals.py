"""Signals: laws over random hands, played by followers of suit; the worked examples are in the vectors."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.dealing import deal
from scoring.cards.order import Order, order_of
from scoring.profiles.loader import load
from scoring.questions.protocol import answer
from scoring.signals.convention import CHANNELS, Indirect, SignalCard, SignalRules, check_card, usable
from scoring.signals.information import CHANNELS as WAYS
from scoring.signals.information import judge_information
from scoring.signals.returning import EXCUSES, Position, return_duty
from scoring.values import RANKS, Level, Seat, Trump

RULES = load("cn-national-2d")
USUAL = ("8", "9", "J", "Q")


def played(order: Order, chance: Random, tricks: int) -> Position:
    """A position after some tricks of singles and pairs: who can follows suit; a side ace is led if one is held."""
    dealt = deal(chance.randbytes(32), 1, 2)
    hands = {seat: list(cards) for seat, cards in dealt.hands.items()}
    made, leader = [], Seat.S
    for _ in range(tricks):
        pairs = [card for card in hands[leader] if hands[leader].count(card) == 2]
        aces = [card for card in hands[leader] if card.rank == "A" and not order.category(card).is_trumps]
        width = 2 if pairs and chance.random() < 0.3 else 1
        led = [chance.choice(pairs)] * 2 if width == 2 else [chance.choice(aces or hands[leader])]
        plays, seat = [], leader
        for _ in Seat:
            own = [card for card in hands[seat] if order.category(card) is order.category(led[0])]
            cards = led if seat is leader else (chance.sample(own, min(width, len(own))))
            rest = [card for card in hands[seat] if card not in cards]
            cards = [*cards, *chance.sample(rest, width - len(cards))]
            for card in cards:
                hands[seat].remove(card)
            plays.append((seat, tuple(cards)))
            seat = seat.right
        made.append(tuple(plays))
        leader = chance.choice([Seat.S, Seat.S, Seat.N, Seat.E])
    return Position(order, Seat.S, USUAL, dealt.hands[Seat.S], made, dealt.kitty)


@given(st.randoms(use_true_random=False), st.sampled_from(["2", "8", "10", "A"]), st.integers(1, 8))
@settings(max_examples=40)
def test_the_strict_reading_never_forgives_and_a_settled_duty_stays(chance: Random, level: str, tricks: int) -> None:
    position = played(order_of(RULES, Trump.S, Level(level)), chance, tricks)
    assert return_duty(position, reading="off").duty == "none"
    normal, strict = return_duty(position, reading="normal"), return_duty(position, reading="strict")
    assert normal.duty != "breach" or (strict.duty, strict.by_trick) <= (normal.duty, normal.by_trick)
    if strict.duty == "breach":
        assert strict.fine == 20
        assert normal.by_trick is None or normal.by_trick >= strict.by_trick
    if normal.duty in ("fulfilled", "breach") or (normal.duty == "excused" and normal.by_trick):
        cut = replace(position, tricks=position.tricks[: normal.by_trick])
        assert return_duty(cut, reading="normal") == normal
    assert set(normal.excused_by) <= set(EXCUSES)
    assert all(proof.text["en"] and proof.text["zh"] for proof in normal.proofs)
    # without the dealer's cards the cards of others still excuse, and a breach is never found
    unknown = return_duty(replace(position, hand=None), reading="normal")
    assert unknown.duty != "breach"
    assert normal.duty != "fulfilled" or unknown.duty in ("fulfilled", "judgement", "excused")
    # who agreed on nothing owes nothing
    assert return_duty(replace(position, direct=()), reading="normal").duty in ("none", "open", "judgement")


def test_what_the_partner_held_and_who_else_spoke_change_nothing() -> None:
    tricks = [[["S", ["HA"]], ["E", ["H3"]], ["N", ["H8"]], ["W", ["H7"]]],
              [["S", ["C3"]], ["E", ["C4"]], ["N", ["C6"]], ["W", ["C7"]]]]  # fmt: skip
    asked = {"op": "return_duty", "level": "2", "trump": "S", "dealer": "S", "direct": list(USUAL),
             "hand": ["HA", "H4", "H6", "C3"], "tricks": tricks}  # fmt: skip
    said = answer({"id": 1, "profile": "cn-national-2d", "input": asked})
    assert said["answer"]["duty"] == "breach"
    for more in (
        {"partner_hand": ["H8", "C6"]},
        {"statements": [{"by": "N", "after_trick": 1, "kind": "long_suit"}]},
        {"event": {"return_duty": "strict"}},
    ):
        assert answer({"id": 1, "profile": "cn-national-2d", "input": asked | more})["answer"]["duty"] == "breach"


def test_an_excuse_names_the_cards_that_prove_it() -> None:
    tricks = [[["S", ["HA"]], ["E", ["C10"]], ["N", ["H8"]], ["W", ["H7"]]],
              [["S", ["C3"]], ["E", ["C4"]], ["N", ["C6"]], ["W", ["C7"]]]]  # fmt: skip
    asked = {"op": "return_duty", "level": "2", "trump": "S", "dealer": "S", "direct": list(USUAL),
             "hand": ["HA", "H4", "H6", "C3"], "tricks": tricks}  # fmt: skip
    (proof,) = answer({"id": 1, "profile": "cn-national-2d", "input": asked})["answer"]["evidence"]
    assert (proof["by"], proof["trick"], proof["cards"]) == ("E", 1, ["C10"])
    assert proof["sentence"] == {"en": "Trick 1: East plays ♣10.", "zh": "第 1 圈：东家出 ♣10。"}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"hand": ["H4", "H6", "C3"]}, "card_not_held"),
        ({"tricks": [[["S", ["HA"]], ["N", ["H8"]]]]}, "out_of_turn"),
        ({"tricks": [[["S", ["HA"]], ["E", ["H8", "H9"]]]]}, "plays_differ"),
        ({"tricks": [[["S", ["HA"]], ["E", ["H8"]], ["N", ["H8"]], ["W", ["H8"]]]]}, "card_too_often"),
        ({"tricks": [[["S", []]]]}, "missing"),
        ({"tricks": ["HA"]}, "wrong_type"),
        ({"event": {"return_duty": "sometimes"}}, "unknown_value"),
    ],
)
def test_a_bad_record_is_refused_by_its_field(changed: dict[str, object], code: str) -> None:
    asked = {"op": "return_duty", "level": "2", "trump": "S", "dealer": "S", "direct": [], "hand": ["HA", "C3"]}
    asked["tricks"] = [[["S", ["HA"]]]]
    said = answer({"id": 1, "profile": "cn-national-2d", "input": asked | changed})
    assert code in {one["code"] for one in said["error"]["findings"]}


@given(st.lists(st.sampled_from([*RANKS, "1", "JS"]), max_size=6), st.booleans())
def test_a_card_is_sound_only_without_points_strangers_and_doubles(direct: list[str], required: bool) -> None:
    found = {one.code for one in check_card(SignalCard(tuple(direct)), SignalRules(required), "before_play")}
    assert ("point_card" in found) == bool({"5", "10", "K"} & set(direct))
    assert ("twice" in found) == (len(set(direct)) < len(direct))
    assert ("unknown_rank" in found) == bool({"1", "JS"} & set(direct))
    assert found <= {"point_card", "twice", "unknown_rank"}
    assert {one.code for one in check_card(None, SignalRules(required), None)} == ({"not_filed"} if required else set())


def test_only_cards_and_their_order_show_anything() -> None:
    lines = tuple(Indirect("jokers", by) for by in (*CHANNELS, "tempo", "speech"))
    found = check_card(SignalCard((), lines), SignalRules())
    assert [(one.code, one.field) for one in found] == [
        ("illegal_channel", "card.indirect[5].by"),
        ("illegal_channel", "card.indirect[6].by"),
    ]


def test_a_rank_that_is_the_level_gives_way_to_what_the_card_names() -> None:
    card = SignalCard(("7", "J"), instead={"7": "8"})
    assert usable(RULES, card, Level("7")) == ("8", "J")
    assert usable(RULES, card, Level("J")) == ("7",)
    assert usable(load("wiki-one-deck"), SignalCard(("2", "4")), Level("5")) == ("4",)


@pytest.mark.parametrize("channel", WAYS)
def test_what_the_record_cannot_tell_is_asked(channel: str) -> None:
    judged = judge_information(channel)
    assert (judged.legal is None) == bool(judged.ask)
    assert judged.because
