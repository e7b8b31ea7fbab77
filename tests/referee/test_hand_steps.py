"""A recorded hand in steps: who holds what before each trick, who wins it and why, and what it comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from referee.adjudicator import hand_steps
from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord
from scoring.cards.replay import replay
from scoring.profiles import Profile, load
from scoring.simulation.hand import simulate
from scoring.values import Seat

NATIONAL, SCN2, NANNING = map(load, ("cn-national-2d", "scn2-2013", "nanning-4d"))
HEAD = '[level "7"]\n[trump "S"]\n[dealer "S"]\n[leader "W"]\n'


def seen(profile: Profile, record: HandRecord) -> Any:
    return SimpleNamespace(record=record, replay=replay(profile, record))


def hand_of(seed: int, profile: Profile = NATIONAL) -> Any:
    return seen(profile, simulate(profile, Random(seed), dealer=Seat.S, level=profile.ladder.first))


def typed(plays: str, more: str = "", profile: Profile = SCN2) -> Any:
    (record,) = parse(f"{HEAD}\n{more}\nplay\n1. {plays}\n", profile)
    return seen(profile, record)


def cards_in(pocket: hand_steps.Pocket, *, now: bool = False) -> Counter[str]:
    return Counter(card for group in pocket.groups for card, played in group.cards if played or not now)


@pytest.mark.parametrize("profile", [NATIONAL, SCN2], ids=lambda one: one.id)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_held_before_a_trick_is_what_is_played_from_it_on(seed: int, profile: Profile) -> None:
    one = hand_of(seed, profile)
    tricks = one.replay.tricks
    for number in range(1, len(tricks) + 1):
        step = hand_steps.trick(one, number)
        for pocket in step.pockets:
            plays = [play for trick in tricks[number - 1 :] for play in trick.plays if play.seat.value == pocket.name]
            assert cards_in(pocket) == Counter(str(card) for play in plays for card in play.laid)
            assert cards_in(pocket, now=True) == Counter(map(str, plays[0].laid))
        assert [pocket.name for pocket in step.pockets] == [seat.value for seat in profile.seats]


@pytest.mark.parametrize("seed", range(4))
def test_every_trick_names_its_winner_with_reasons_and_the_points_add_up(seed: int) -> None:
    one = hand_of(seed)
    steps = [hand_steps.trick(one, number) for number in range(1, len(one.replay.tricks) + 1)]
    for step, trick in zip(steps, one.replay.tricks, strict=True):
        assert step.verdict.winner is trick.winner
        assert step.verdict.clauses
        assert step.query
        assert [at.winner for at in step.verdict.placed].count(True) == 1
        gain = trick.verdict.attackers_gain(one.replay.dealer.side)
        assert (f"闲家得 {gain} 分" in step.verdict.text["zh"]) == (trick.points > 0)
    gains = hand_steps.gains(one)
    assert gains[-1].sum == one.replay.total.captured == steps[-1].shown.captured
    assert all(gain.points > 0 for gain in gains)


def test_the_deal_is_told_by_the_record_or_by_the_plays() -> None:
    one = hand_of(1)
    whole = {pocket.name: cards_in(pocket) for pocket in hand_steps.dealt(one)}
    assert set(whole) == {"N", "W", "S", "E", "kitty"}
    assert sum(map(Counter.total, whole.values())) == 108
    plays_only = HandRecord(
        tags={"level": "2", "dealer": "S", "trump": one.replay.trump.value}, tricks=one.record.tricks
    )
    told = {pocket.name: cards_in(pocket) for pocket in hand_steps.dealt(seen(NATIONAL, plays_only))}
    assert told == {name: whole[name] for name in "NWE"}, "the dealer was dealt other cards than he played"
    kitty = hand_steps.buried(one)
    assert kitty is not None
    assert cards_in(kitty) == Counter(map(str, one.replay.buried))


def test_groups_stand_from_the_highest_trumps_to_the_lowest_diamonds() -> None:
    more = "deal\nN D2D3JSJBS2S7H7HAH3C5\n"
    (pocket,) = hand_steps.dealt(typed("W:HA N:H3 E:H5 S:H6", more))
    shown = [(group.suit, " ".join(card for card, _ in group.cards)) for group in pocket.groups]
    assert shown == [("", "JB JS S7 H7 S2"), ("H", "HA H3"), ("C", "C5"), ("D", "D3 D2")]


def test_a_card_that_nobody_saw_ends_what_is_known_of_the_hand_and_of_the_trick() -> None:
    one = typed("W:HA S:? E:H10 N:HK", "deal\nN " + "H2" * 25 + "\nW ?" + "H3" * 24 + "\n")
    north, west = hand_steps.dealt(one)
    assert (north.number, north.unseen, west.number, west.unseen) == (25, 0, 25, 1)
    step = hand_steps.trick(one, 1)
    assert (step.verdict.winner, step.query, step.throw) == (None, "", None)
    assert "cannot be told" in step.verdict.headline["en"]
    assert step.verdict.then == ()
    assert [at.cards for at in step.verdict.placed] == [(("HA", ""),), (("?", ""),), (("H10", ""),), (("HK", ""),)]
    assert hand_steps.gains(one) is None


FAILED = "W:HAHK+H9>H9 S:H5 E:HA N:H3"
HELD = "deal\nS {}\nE HA{}\nN {}\nW HAHKH9{}\n".format("H5" + "C2" * 24, "C3" * 24, "H3" + "C4" * 24, "D2" * 22)


def test_a_throw_that_failed_says_why_and_shows_what_went_back() -> None:
    step = hand_steps.trick(typed(FAILED, HELD), 1)
    assert step.verdict.winner is Seat.E
    assert step.throw is not None
    assert step.throw.text["en"].startswith("The throw fails: ")
    assert step.throw.clause is not None
    west = next(at for at in step.verdict.placed if at.seat is Seat.W)
    assert sorted(west.cards) == [("H9", ""), ("HA", "dim"), ("HK", "dim")]
    assert west.note == {"en": "led, 2 taken back", "zh": "领出，收回 2 张"}
    held = next(pocket for pocket in step.pockets if pocket.name == "W")
    assert cards_in(held, now=True) == Counter(["H9"]), "the others were not played"


@pytest.mark.parametrize(
    "plays",
    [
        FAILED.replace(">H9", ""),
        FAILED.replace(">H9", ">HK"),
        "W:HAHK>HA S:H5 E:HA N:H3",
    ],
    ids=["it stood on the table", "another card stayed", "larger than what had to stay"],
)
def test_a_throw_that_was_put_down_wrongly_is_no_matter_for_everybody(plays: str) -> None:
    one = typed(plays, HELD)
    step = hand_steps.trick(one, 1)
    told = str([line.text for line in step.verdict.lines]) + step.verdict.text["en"]
    assert step.throw is None
    assert "fails" not in told


def test_a_play_against_the_rules_is_shown_as_it_lay_and_not_judged() -> None:
    """The follower holds the suit led and plays another: officials are told, everybody sees the cards."""
    one = typed("W:HA S:H6 E:C2 N:H3", "deal\nE HKHK" + "C2" * 23 + "\n")
    assert "suit_held" in [finding.code for finding in one.replay.findings]
    step = hand_steps.trick(one, 1)
    assert step.verdict.winner is Seat.W
    words = " ".join(line.text["en"] for line in step.verdict.lines)
    assert "legal" not in words
    assert "♥K" not in words


@pytest.mark.parametrize("plays", ["W:HA E:H5 S:H6 N:H3", "W:HA S:H6"], ids=["out of turn", "cut short"])
def test_a_trick_that_is_no_position_still_shows_its_cards(plays: str) -> None:
    one = typed(plays)
    step = hand_steps.trick(one, 1)
    assert step.query == ""
    assert [at.seat.value for at in step.verdict.placed] == [play[0] for play in plays.split()]
    assert step.verdict.winner is one.replay.tricks[0].winner


def test_a_last_trick_that_counts_by_its_cards_is_no_gain_of_its_own() -> None:
    for seed in range(2):
        one = hand_of(seed, NANNING)
        gains = hand_steps.gains(one)
        assert sum(gain.points for gain in gains) == one.replay.total.captured


def test_hands_before_play_are_none_where_trumps_are_not_known() -> None:
    record = hand_of(1).record
    bare = replace(record, acts=(), tags={"level": "2", "dealer": "S"}, tricks=())
    one = seen(NATIONAL, bare)
    assert one.replay.hands == {}
    pockets = hand_steps.dealt(one)
    assert len(pockets) == 5
    assert all(
        group.suit or all(card in ("JS", "JB") for card, _ in group.cards) for p in pockets for group in p.groups
    )
