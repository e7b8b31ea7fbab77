"""A replayed hand fills its score sheet, and a sheet that says otherwise is told so, field by field."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from scoring.cards.disagreements import disagreements
from scoring.cards.replay import replay
from scoring.hands.entries import Adjustment, HandSheet, ThrowFailure
from scoring.hands.sheets import check_sheet, read_entry
from scoring.profiles import load, profile_ids
from scoring.simulation.hand import simulate
from scoring.values import Points, Role, Seat, Shape, Trump

SCN2 = load("scn2-2013")


def dug_hand():
    for seed in range(100):
        again = replay(SCN2, simulate(SCN2, Random(f"dug{seed}"), dealer=Seat.S))
        if again.sheet.last_trick_winner is Role.ATTACKERS and again.sheet.kitty_points:
            return again
    raise AssertionError("nobody dug")


DUG = dug_hand()


@pytest.mark.parametrize("name", profile_ids())
def test_the_sheet_of_a_replayed_hand_is_accepted_as_it_is(name):
    profile = load(name)
    for seed in range(4):
        again = replay(profile, simulate(profile, Random(f"sheet{seed}")))
        assert read_entry(profile, again.sheet.to_json()) == again.sheet
        assert [one.code for one in check_sheet(profile, again.sheet) if one.blocking] == []
        assert disagreements(again, again.sheet) == ()


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"trump": None, "dealer": None, "level": None}, []),
        ({"dealer": Seat.W}, ["dealer"]),
        ({"kitty_points": Points(int(DUG.sheet.kitty_points) + 5)}, ["kitty_points", "total"]),
        ({"captured_in_tricks": Points(int(DUG.sheet.captured_in_tricks) + 5)}, ["captured_in_tricks", "total"]),
        ({"throw_failures": (*DUG.sheet.throw_failures, ThrowFailure(Role.DEALER, 3))}, ["throw_failures", "total"]),
        ({"adjustments": (Adjustment(Points(-10), "late"),)}, []),
        ({"led": (Shape(2, 4),)}, ["led", "total"]),
    ],
)
def test_each_field_that_differs_is_named(changes, fields):
    found = disagreements(DUG, replace(DUG.sheet, **changes))
    assert [one.field for one in found] == fields
    assert all(not one.blocking and one.message["zh"] for one in found)


def test_a_total_from_a_slip_is_held_against_the_cards():
    assert disagreements(DUG, HandSheet(total_only=Points(DUG.total.raw))) == ()
    (one,) = disagreements(DUG, HandSheet(total_only=Points(DUG.total.raw + 5)))
    assert one.field == "total"
    assert str(DUG.total.raw) in one.message["en"]


def test_half_a_record_disagrees_only_with_what_it_tells():
    half = replay(SCN2, replace(simulate(SCN2, Random(3), dealer=Seat.S), tricks=(), kitty=None))
    found = disagreements(half, HandSheet(dealer=Seat.S, trump=Trump.NT, captured_in_tricks=Points(5)))
    assert [one.field for one in found] == ["trump"]
