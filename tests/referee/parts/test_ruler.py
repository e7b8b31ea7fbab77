"""The ruler draws every profile's level table to scale."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from referee.pictures import ruler
from scoring.profiles import load, profile_ids


def _drawn(profile_id: str, **options: object) -> ruler.Ruler:
    profile = load(profile_id)
    return ruler.draw(profile.bands, points_max=int(profile.points_max), **options)  # type: ignore[arg-type]


def _percent(text: str) -> float:
    return float(text.removesuffix("%"))


@pytest.mark.parametrize("total", [None, -60, 0, 85, 620])
@pytest.mark.parametrize("profile_id", profile_ids())
def test_bands_tile_the_ruler_and_every_total_has_its_outcome(profile_id: str, total: int | None) -> None:
    drawn = _drawn(profile_id, total=total)
    edge = 0.0
    for band in drawn.bands:
        assert _percent(band.x) == pytest.approx(edge, abs=0.02)
        edge = _percent(band.x) + _percent(band.width)
        assert band.outcome
    assert edge == pytest.approx(100, abs=0.02)
    covered = [points for low, high, _ in json.loads(drawn.bands_json) for points in range(low, high + 1, 5)]
    assert covered == list(range(drawn.low, drawn.high + 1, 5))
    if total is not None:
        assert drawn.low <= total <= drawn.high
        assert _percent(drawn.flag or "") == pytest.approx(
            100 * (total - drawn.low) / (drawn.high - drawn.low), abs=0.01
        )


def test_the_line_stands_where_the_deal_turns() -> None:
    drawn = _drawn("scn2-2013", total=165)
    assert (drawn.low, drawn.high, drawn.flag) == (0, 200, "82.5%")
    assert drawn.turns == ("38.75%",)  # half a step before 80
    assert [(band.low, band.high, band.css) for band in drawn.bands] == [
        (0, 0, "hold3"),
        (5, 35, "hold2"),
        (40, 75, "hold1"),
        (80, 115, "take0"),
        (120, 155, "take1"),
        (160, 195, "take2"),
        (200, 200, "take3"),
    ]
    assert [tick.text for tick in drawn.ticks] == ["0", "40", "80", "120", "160", "200"]


@pytest.mark.parametrize(
    ("language", "total", "words"),
    [
        ("en", 0, "dealer side keep the deal, +3"),
        ("en", 80, "attackers take the deal, +0"),
        ("en", 165, "attackers take the deal, +2"),
        ("zh-hans", 35, "庄家方升 2 级"),
        ("zh-hans", 80, "闲家上台，不升级"),
        ("zh-hans", 165, "闲家上台升 2 级"),
    ],
)
def test_the_outcome_of_the_total_in_words(language: str, total: int, words: str) -> None:
    with translation.override(language):
        assert _drawn("scn2-2013", total=total).outcome == words


def test_a_total_below_zero_has_a_place_of_its_own() -> None:
    drawn = _drawn("cn-national-2d", total=-30)
    assert drawn.low < -25
    assert drawn.outcome == _drawn("cn-national-2d", total=-5).outcome != _drawn("cn-national-2d", total=0).outcome


def test_bars_stand_on_their_totals() -> None:
    drawn = _drawn("scn2-2013", counts={80: 4, 120: 2})
    assert [bar.height for bar in drawn.bars] == ["84", "42"]
    middles = [_percent(bar.x) + _percent(bar.width) / 2 for bar in drawn.bars]
    assert middles == pytest.approx([40, 60], abs=0.02)
    assert drawn.top == _drawn("scn2-2013").top + ruler.BAR_HEIGHT + 4


def test_labels_give_way_where_there_is_no_room() -> None:
    fine = _drawn("scn2-2013-step10")
    assert all(not band.full or _percent(band.width) >= 11 for band in fine.bands)
    assert all(band.brief for band in fine.bands if band.full and band.room)
