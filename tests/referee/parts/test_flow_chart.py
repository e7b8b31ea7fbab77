"""The flow chart as geometry: nothing overlaps, nothing is left out, every arrow stays on the paper.

That the text fits its boxes is seen in the browser.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from django.utils.translation import override

from referee.parts.words import in_language
from referee.pictures.flow_chart import WIDTH, Box, draw
from scoring.explaining.flows import pre_play
from scoring.profiles import individual_ids, load, profile_ids

EVERY = [(name, first) for name in (*profile_ids(), *individual_ids()) for first in (True, False)]


def corners(path: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an outline or arrow, which are made of absolute M, H, V, L and A only."""
    xs, ys = [], []
    for verb, numbers in re.findall(r"([MHVLA])([^MHVLAZ]*)", path):
        values = [float(one) for one in numbers.split()]
        if verb in "ML":
            xs.append(values[0]), ys.append(values[1])
        elif verb == "H":
            xs.append(values[0])
        elif verb == "V":
            ys.append(values[0])
        else:
            xs.append(values[-2]), ys.append(values[-1])
    return min(xs), min(ys), max(xs), max(ys)


def apart(one: Box, other: Box) -> bool:
    a, b = corners(one.outline), corners(other.outline)
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize(("name", "first"), EVERY)
def test_drawing_holds_together(name: str, first: bool, language: str) -> None:
    steps = pre_play(load(name, individual=True), first=first)
    with override(language):
        chart = draw(steps)
        assert len(chart.boxes) == len(steps) + sum(step.branch is not None for step in steps)
        assert all(apart(one, other) for one, other in combinations(chart.boxes, 2))
        for box in chart.boxes:
            left, top, right, bottom = corners(box.outline)
            assert 0 <= left < right <= WIDTH
            assert 0 <= top < bottom <= chart.height
            assert all(top < line.y - 9 and line.y < bottom for line in box.lines)
        for arrow in chart.arrows:
            left, top, right, bottom = corners(arrow)
            assert 0 <= left <= right <= WIDTH
            assert 0 <= top <= bottom <= chart.height
        said = "".join(line.text for box in chart.boxes for line in box.lines).replace(" ", "")
        for step in steps:
            assert in_language(step.label).replace(" ", "") in said
            if step.branch is not None:
                assert in_language(step.branch.label).replace(" ", "") in said


def test_a_chinese_mark_never_begins_a_line() -> None:
    with override("zh-hans"):
        for name, first in EVERY:
            for box in draw(pre_play(load(name, individual=True), first=first)).boxes:
                assert not any(line.text[:1] in "，。、；：？）" for line in box.lines)
