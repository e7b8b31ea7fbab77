"""Declaring in turn as an option of the rules: in the auction, in the record of a hand, and in simulated hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from scoring.cards.auction import allowed, begin, play_out, problems, step
from scoring.cards.auction_state import ACTS, Act, Deal, Stage, turn
from scoring.cards.bids import candidates
from scoring.cards.record_reading import parse
from scoring.cards.records import ActRecord, write
from scoring.cards.replay import replay
from scoring.explaining.flows import pre_play
from scoring.profiles import build, load
from scoring.profiles.loader import ProfileError
from scoring.questions.protocol import answer
from scoring.simulation.hand import simulate
from scoring.simulation.players import RANDOM
from scoring.values import Level, Seat, Trump
from tests.scoring.cards.test_auction import act

NATIONAL = {"base": "cn-national-2d", "set": {"declare_order": "partner_first"}}
THREE = {"base": "cn-national-3d", "set": {"declare_order": "partner_first"}}
NO_TRUMP = {"base": "scn2-2013", "set": {"declare_order": "partner_first"}}
PASSES = ["N pass", "W pass", "S pass", "E pass"]

#: rules, acts, what is refused, the stage, the trumps that stand, who is to speak
CASES = [
    (NATIONAL, [], [], "in_turn", None, "N"),
    (NATIONAL, ["S declare S7"], ["out_of_turn"], "in_turn", None, "N"),
    (NATIONAL, ["N declare H7"], [], "in_turn", "H", "W"),
    (NATIONAL, ["N declare H7", "S pass"], ["out_of_turn"], "in_turn", "H", "W"),
    (NATIONAL, ["N declare H7", "W pass", "S pass", "E counter C7C7"], [], "kitty", "C", None),
    (NATIONAL, ["N declare H7", "W pass", "S pass", "E pass"], [], "kitty", "H", None),
    (NATIONAL, ["N pass", "W declare D7", "S pass", "E pass", "N counter H7H7"], [], "kitty", "H", None),
    (NATIONAL, PASSES, [], "in_turn", None, "N"),
    (NATIONAL, [*PASSES, "N name =D"], [], "kitty", "D", None),
    (NATIONAL, [*PASSES, "S name =D"], ["not_the_partner"], "in_turn", None, "N"),
    (NATIONAL, [*PASSES, "N name =NT"], ["no_trump_not_allowed"], "in_turn", None, "N"),
    (NATIONAL, [*PASSES, "N name"], ["name_missing"], "in_turn", None, "N"),
    (NATIONAL, [*PASSES, "N declare H7"], ["name_due"], "in_turn", None, "N"),
    (NATIONAL, ["N name =D"], ["name_not_due"], "in_turn", None, "N"),
    (NATIONAL, ["N declare H7H7", "W counter C7C7"], ["settled"], "kitty", "H", None),
    (NATIONAL, ["N declare H7", "W declare C7C7"], ["declared_already"], "in_turn", "H", "W"),
    (NATIONAL, ["N declare H7", "W counter C7"], ["not_higher"], "in_turn", "H", "W"),
    (NATIONAL, ["N declare H7", "W counter H7H7"], ["card_too_often"], "in_turn", "H", "W"),
    (NATIONAL, ["N declare JSJS"], ["no_trump_not_allowed"], "in_turn", None, "N"),
    (NATIONAL, ["N declare H8"], ["not_level_cards"], "in_turn", None, "N"),
    (NATIONAL, ["N counter H7"], ["nothing_to_counter"], "in_turn", None, "N"),
    (NATIONAL, ["- flip D9"], ["flip_not_here"], "in_turn", None, "N"),
    (NATIONAL, ["S take"], ["kitty_before_trump"], "in_turn", None, "N"),
    (NATIONAL, ["N declare H7", "S take"], ["kitty_not_now"], "in_turn", "H", "W"),
    (NATIONAL, ["N declare H7H7", "S take", "S bury", "W counter C7C7"], ["settled"], "play", "H", None),
    (THREE, ["N declare H7", "W counter C7C7", "S counter D7D7D7"], [], "kitty", "D", None),
    (NO_TRUMP, ["N declare H7", "W counter JSJS", "S counter JBJB"], [], "kitty", "NT", None),
]


def auction(rules, acts, **deal):
    start = begin(Deal(build(rules), Level("7"), Seat.S, **deal))
    return play_out(start, [act(one) for one in acts])


@pytest.mark.parametrize(("rules", "acts", "refused", "stage", "trump", "due"), CASES)
def test_the_partner_of_the_dealer_first_then_in_turn(rules, acts, refused, stage, trump, due):
    for told in ({"complete": True}, {"in_order": True}):
        state, found = auction(rules, acts, **told)
        assert [one.code for _, one in found] == refused
        assert (state.stage, state.trump, turn(state)) == (stage, trump, due)
        assert state.dealer is Seat.S, "the deal is not contested"
        cited = [reason.clause.id for reason in state.because]
        assert cited[:2] == ["dup.fixed", "dup.partner_first"]
        assert all(one.clause and one.message["en"] and one.message["zh"] for _, one in found)


#: What a record that writes no passes leaves to be understood.
LEFT_OUT = [
    (["W declare H7", "E counter C7C7", "S take"], [], Trump.C),
    (["S declare H7", "S take", "S bury"], [], Trump.H),
    (["N name =D", "S take"], [], Trump.D),
    (["N declare H7", "N counter C7C7"], ["out_of_turn"], Trump.H),
    (["S take"], ["kitty_before_trump"], None),
]


@pytest.mark.parametrize(("acts", "refused", "trump"), LEFT_OUT)
def test_passes_that_are_not_written_are_taken_as_made(acts, refused, trump):
    state, found = auction(NATIONAL, acts)
    assert [one.code for _, one in found] == refused
    assert state.trump is trump


def test_where_the_deal_is_contested_cards_are_drawn_as_ever():
    start = begin(Deal(build(NATIONAL), Level("2"), None, first_hand=True))
    assert start.stage is Stage.DRAWING
    assert begin(Deal(load("cn-national-2d"), Level("2"), Seat.S)).stage is Stage.DRAWING


@pytest.mark.parametrize("rules", [NATIONAL, THREE, NO_TRUMP])
def test_what_is_offered_is_what_may_be_done(rules):
    profile, rng = build(rules), Random("offers")
    for _ in range(30):
        state = begin(Deal(profile, Level("7"), rng.choice(tuple(Seat)), complete=True))
        while state.stage is Stage.IN_TURN:
            offers = allowed(state)
            assert {offer.by for offer in offers} == {turn(state)}
            made = [
                Act(offer.act, offer.by, cards, Trump.S if offer.act == "name" else None)
                for offer in offers
                for cards in offer.cards or ((),)
            ]
            shown = list(candidates(profile, state.level))
            others = [Act(name, seat, cards) for name in ("declare", "counter") for seat in Seat for cards in shown]
            others += [
                Act(name, seat, names=Trump.S) for name in ACTS if name not in ("flip", "rebel") for seat in Seat
            ]
            for one in (*made, *others):
                offered = any((one.act, one.by, one.cards) == (two.act, two.by, two.cards) for two in made)
                assert offered is not problems(state, one), one
            state = step(state, rng.choice(made))
        assert state.stage is Stage.KITTY
        assert state.trump is not None
        assert state.dealer is state.deal.dealer


@pytest.mark.parametrize("rules", [NATIONAL, THREE, NO_TRUMP])
def test_simulated_hands_are_judged_again_and_an_act_out_of_turn_is_caught(rules):
    profile, seen = build(rules), Counter()
    for seed in range(40):
        rng = Random(f"in turn/{seed}")
        record = simulate(profile, rng, level=Level("7"), dealer=rng.choice(tuple(Seat)), habits=RANDOM)
        (back,) = parse(write(record))
        assert back == record
        again = replay(profile, back)
        assert not again.findings, [one.message["en"] for one in again.findings]
        assert record.acts[0].by is Seat(record.tags["dealer"]).partner
        seen.update(one.act for one in record.acts)
        before = next(number for number, one in enumerate(record.acts) if one.act == "take_kitty")
        for number in range(min(before, 4) - 1):
            acts = list(record.acts)
            acts[number], acts[number + 1] = acts[number + 1], acts[number]
            wrong = replay(profile, replace(record, acts=tuple(acts)))
            assert wrong.findings[0].code in ("out_of_turn", "nothing_to_counter", "name_not_due", "name_due")
    assert min(seen[name] for name in ("declare", "counter", "pass", "name")) > 0


def test_the_record_of_a_named_suit_is_written_and_read():
    profile = build(NATIONAL)
    record = simulate(profile, Random("named"), level=Level("7"), dealer=Seat.S, habits=RANDOM)
    acts = [*(ActRecord(seat, "pass") for seat in (Seat.N, Seat.W, Seat.S, Seat.E))]
    acts += [ActRecord(Seat.N, "name", names=Trump.D)]
    kitty = [one for one in record.acts if one.act in ("take_kitty", "bury")]
    told = replace(record, acts=(*acts, *kitty), tags={**record.tags, "trump": "D"}, tricks=(), result={})
    assert "N name =D" in write(told)
    again = replay(profile, parse(write(told))[0])
    assert not again.findings
    assert again.trump is Trump.D
    by_dealer = replace(told, acts=(*acts[:-1], replace(acts[-1], by=Seat.S), *kitty))
    assert [one.code for one in replay(profile, by_dealer).findings][:1] == ["not_the_partner"]


def test_the_protocol_says_who_speaks():
    asked = {"op": "auction", "level": "7", "dealer": "S", "hand_no": 1, "acts": [{"by": "N", "act": "pass"}]}
    said = answer({"id": 1, "profile": NATIONAL, "input": asked})["answer"]
    assert (said["stage"], said["turn"], said["dealer"]) == ("in_turn", "W", "S")
    late = {**asked, "acts": [{"by": "N", "act": "declare", "cards": ["H7", "H7"]},
                              {"by": "W", "act": "counter", "cards": ["C7", "C7"]}]}  # fmt: skip
    wrong = answer({"id": 1, "profile": NATIONAL, "input": late})
    assert [one["clause"] for one in wrong["answer"]["problems"]] == ["dup.settled"]
    assert "dup.settled" in [one["clause"] for one in wrong["because"]]


def test_an_event_sets_it_with_a_clause_and_the_digest_of_other_rules_stays():
    profile = build(NATIONAL)
    assert "partner of the dealer first" in profile.topics["declare"].text["en"]
    assert "庄家同伴开始亮主" in profile.topics["declare"].text["zh"]
    assert profile.digest != load("cn-national-2d").digest
    steps = pre_play(profile, first=True)
    assert steps[0].id == "in_turn"
    assert "dup.named" in [clause.id for clause in steps[0].branch.clauses]
    for change in ({"joker_declare": "any"}, {"hidden_declare": True}):
        with pytest.raises(ProfileError):
            build({"base": "cn-national-2d", "set": {"declare_order": "partner_first", **change}})
    with pytest.raises(ProfileError):
        build({"base": "sandayi", "set": {"declare_order": "partner_first"}}, individual=True)


@pytest.mark.parametrize("rules", [NATIONAL, "cn-national-2d", NO_TRUMP])
@pytest.mark.parametrize(
    "bid", ["N declare H7", "S declare S7S7", "N pass", "N name =H", "N counter C7C7", "N reinforce H7", "- flip D9"]
)
def test_where_the_trumps_are_set_nobody_decides_them(rules, bid):
    acts = [bid, "S take", "S bury"]
    state, found = auction(rules, acts, fixed_trump=Trump.C)
    assert [(number, one.code, one.clause) for number, one in found] == [(0, "nothing_to_decide", "dup.prescribed")]
    assert (state.stage, state.trump, state.dealer, turn(state)) == ("play", "C", Seat.S, None)
    assert [reason.clause.id for reason in state.because][:2] == ["dup.fixed", "dup.prescribed"]
    open_ = {one.act for one in allowed(begin(Deal(build(rules), Level("7"), Seat.S, fixed_trump=Trump.C)))}
    assert open_ == {"take_kitty", "bury"}


def test_a_record_of_a_board_whose_trumps_are_set_is_judged_by_them():
    rules = build(NATIONAL)
    record = simulate(rules, Random(5), level=Level("7"), dealer=Seat.S)
    kept = replace(record, acts=tuple(one for one in record.acts if one.act in ("take_kitty", "bury")))
    trump = record.tags["trump"]
    told = {name: tag for name, tag in record.tags.items() if name != "trump"} | {"fixed_trump": trump}
    (back,) = parse(write(replace(kept, tags=told)))
    again = replay(rules, back)
    assert (again.trump, again.findings) == (Trump(trump), ())
    (declared,) = replay(rules, replace(record, tags=told)).findings[:1]
    assert (declared.code, declared.clause) == ("nothing_to_decide", "dup.prescribed")
    other = next(suit for suit in "SHCD" if suit != trump)
    (differs,) = replay(rules, replace(back, tags={**told, "trump": other})).findings
    assert (differs.code, differs.clause) == ("trump_differs", "dup.prescribed")
