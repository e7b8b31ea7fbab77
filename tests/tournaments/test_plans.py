"""The plan of a stage: read strictly, written with what is usual left out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from scoring.hands.findings import Refused
from scoring.hands.variants import Scoring
from scoring.sittings.states import FixedHand
from scoring.standings.scales import Bye
from scoring.values import Level, Seat, Trump
from tournaments.plans.plan import Carry, Missed, Order, Plan, findings_of

USUAL = Plan()
FULL = Plan(
    qualify=2,
    carry=Carry.POINTS,
    order=Order.DRAWN,
    groups=8,
    group_of=4,
    rounds_by_field=True,
    crossed=True,
    third_place=True,
    best_of=3,
    bye=Bye.AVERAGE,
    fixed=(FixedHand(Level("2")), FixedHand(Level("5"), Seat.N, Trump.H)),
    scoring=Scoring.WINS,
    boards=4,
    warning=5,
    late=15,
    missed=Missed.BYE,
    places=(1, 4),
    prizes=(Fraction(7), Fraction(1, 2)),
)


@pytest.mark.parametrize("plan", [USUAL, FULL])
def test_a_plan_is_read_back_as_it_was_written(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan


def test_what_is_usual_is_left_out() -> None:
    assert USUAL.to_json() == {}
    assert Plan(qualify=2).to_json() == {"qualify": 2}


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        ("none", "wrong_type", "plan"),
        ({"group": 2}, "unknown_field", "plan.group"),
        ({"groups": 0}, "out_of_range", "plan.groups"),
        ({"groups": "two"}, "not_a_whole_number", "plan.groups"),
        ({"carry": "all"}, "unknown_value", "plan.carry"),
        ({"best_of": 2}, "even_games", "plan.best_of"),
        ({"scoring": "coins"}, "unknown_value", "plan.scoring"),
        ({"fixed": [{"level": "1"}]}, "unknown_value", "plan.fixed[0].level"),
        ({"fixed": [{"level": "2", "dealer": "Q"}]}, "unknown_value", "plan.fixed[0].dealer"),
        ({"places": [0]}, "out_of_range", "plan.places[0]"),
        ({"prizes": ["-1"]}, "bad_prize", "plan.prizes[0]"),
        ({"prizes": [None]}, "bad_prize", "plan.prizes[0]"),
        ({"prizes": [10**30]}, "bad_prize", "plan.prizes[0]"),
        ({"prizes": ["1"] * 101}, "too_many", "plan.prizes"),
    ],
)
def test_a_wrong_plan_is_refused(data: Any, code: str, field: str) -> None:
    assert [(one.code, one.field) for one in findings_of(data)] == [(code, field)]
    with pytest.raises(Refused):
        Plan.from_json(data)
