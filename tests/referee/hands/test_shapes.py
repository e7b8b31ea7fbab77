"""Shapes of the last trick as forms and links write them: one codec, which reads what older links wrote."""

from __future__ import annotations

import pytest

from referee.hands.shapes import all_shapes, code_of, shape_of
from scoring.profiles import load, profile_ids
from scoring.values import Shape


@pytest.mark.parametrize("name", profile_ids())
def test_every_shape_that_can_be_led_is_read_from_its_code(name: str) -> None:
    for shape in all_shapes(load(name)):
        assert Shape.from_json(shape_of(code_of(shape))) == shape


@pytest.mark.parametrize(
    ("code", "shape"),
    [("2x3", Shape(2, 3)), ("tractor-2-3", Shape(2, 3)), ("3x11", Shape(3, 11)), ("pair", Shape(2))],
)
def test_codes_of_now_and_before(code: str, shape: Shape) -> None:
    assert Shape.from_json(shape_of(code)) == shape


@pytest.mark.parametrize("code", ["", "9x9", "2x", "x3", "tractor", "tractor-2-", "2x3x4", "pairs", "tractor-999-2"])
def test_what_is_no_shape_is_refused_by_the_rules(code: str) -> None:
    with pytest.raises(ValueError):
        Shape.from_json(shape_of(code))
