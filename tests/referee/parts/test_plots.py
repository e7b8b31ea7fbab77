"""Levels over hands and places over rounds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.utils import translation

from referee.pictures import player_plots
from referee.pictures.plots import Placed, PlayedHand, levels_plot, places_plot
from tests.referee.parts import samples


def test_the_caption_tells_the_match_in_chinese() -> None:
    with translation.override("zh-hans"):
        drawn = levels_plot(samples.LADDER, samples.START, samples.told_match("被主 J 钩到底", "作废"))
    assert drawn.caption == "南北方 2 起，第 8 副升到 J，第 9 副被主 J 钩到底，回到 2；东西方 2 起，到 5。"


@pytest.mark.parametrize(
    ("pairs", "caption"),
    [
        ("", "N–S from 2, still there; E–W from 2, still there."),
        ("4:2,4:3", "N–S from 2, to 4; E–W from 2, to 3."),
        ("6:2,5:2", "N–S from 2, up to 6 in hand 1, down to 5 in hand 2; E–W from 2, still there."),
        (f"{samples.PAST}:2", "N–S from 2, to past A; E–W from 2, still there."),
    ],
)
def test_the_caption_in_english(pairs: str, caption: str) -> None:
    with translation.override("en"):
        assert levels_plot(samples.LADDER, samples.START, samples.levels_after(pairs)).caption == caption


def test_levels_move_in_steps_and_only_moves_have_points() -> None:
    drawn = levels_plot(samples.LADDER, samples.START, samples.levels_after("4:2,4:2,4:3"))
    assert [line.path for line in drawn.lines] == ["M0 12H1V10H2H3", "M0 12.14H1H2H3V11.14"]
    assert [point.css for point in drawn.points] == ["point-ns", "point-ew"]
    assert drawn.frame.box == "0 0 3 12"


def test_a_level_past_the_top_has_its_own_row() -> None:
    drawn = levels_plot(samples.LADDER, samples.START, samples.levels_after(f"A:2,{samples.PAST}:2"))
    assert drawn.rules[0].label == "past A"
    assert len(drawn.rules) == len(samples.LADDER)


def test_must_play_levels_are_named() -> None:
    drawn = levels_plot(samples.LADDER, samples.START, [], ("10", "K"))
    assert {rule.label for rule in drawn.rules if rule.must} == {"10", "K"}


def test_end_names_never_cover_each_other() -> None:
    for pairs in ("4:4", "4:5", "4:9", f"{samples.PAST}:A"):
        texts = levels_plot(samples.LADDER, samples.START, samples.levels_after(pairs)).texts
        assert abs(float(texts[0].y) - float(texts[1].y)) >= 15


def test_a_long_match_keeps_few_ticks() -> None:
    drawn = levels_plot(samples.LADDER, samples.START, samples.levels_after(",".join(["2:2"] * 41)))
    assert len(drawn.columns) <= 12
    assert len(drawn.rows) == 41


def test_notes_stand_by_the_side_they_befell() -> None:
    hands = [PlayedHand(1, {"NS": "4", "EW": "2"}), PlayedHand(2, {"NS": "2", "EW": "2"}, "hook", "NS")]
    note = levels_plot(samples.LADDER, samples.START, hands).texts[-1]
    assert (note.text, note.anchor) == ("hook", "end")


def test_places_name_the_leaders_and_whoever_is_looked_at() -> None:
    drawn = places_plot(samples.PLACES, ("R1", "R2", "R3"))
    assert [text.text.split("  ")[0] for text in drawn.texts] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert [line.css for line in drawn.lines].count("quiet-line") == 4
    assert {line.css for line in drawn.lines} == {"quiet-line", "leader", "focus", "rival"}
    with translation.override("en"):
        caption = places_plot(samples.PLACES, ("R1", "R2", "R3")).caption
    assert caption == "After R3 Harris / Okafor lead; Patel / Nguyen rose most, from 8 to 5."


def test_shared_places_get_a_row_each_and_long_names_are_cut() -> None:
    drawn = places_plot([Placed("A", (1,)), Placed("B", (1,)), Placed("诸葛孔明 / 司马仲达 / 欧阳修", (3,))], ("R1",))
    heights = [float(text.y) for text in drawn.texts]
    assert all(below - above >= 15 for above, below in pairwise(heights))
    assert drawn.texts[-1].text == "3  诸葛孔明 / 司马仲达 / 欧阳…"


def test_an_entrant_without_a_place_has_a_gap() -> None:
    drawn = places_plot([Placed("A", (1, None, 1)), Placed("B", (2, 1, 2))], ("R1", "R2", "R3"))
    assert "M0 0M2 0" in [line.path for line in drawn.lines]


def test_no_places_yet() -> None:
    drawn = places_plot([], ())
    assert drawn.lines == ()


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("林晓", "林晓 +3"),
        ("欧阳修文斋", "欧阳修文斋 +3"),
        ("阿卜杜拉合曼", "阿卜杜拉… +3"),
        ("Ann Miller", "Ann Miller +3"),
        ("Bartholomew Wigglesworth", "Bartholom… +3"),
    ],
)
def test_a_long_name_keeps_within_the_chart_and_stands_whole_in_its_table(name: str, label: str) -> None:
    plot = player_plots.players_plot([player_plots.Track(name, (0, 3))], ["1"], "{:+d}".format)
    assert plot.texts[0].text == label
    assert plot.heads[1] == name


@pytest.mark.parametrize(
    ("heights", "rules"),
    [
        ((0, 3), ["0", "1", "2", "3"]),
        ((0, 12), ["0", "2", "4", "6", "8", "10", "12"]),
        ((0, 13), ["0", "2", "4", "6", "8", "10", "12", "13"]),
    ],
)
def test_no_line_stands_above_the_highest_there_is(heights: tuple[int, ...], rules: list[str]) -> None:
    plot = player_plots.players_plot([player_plots.Track("林晓", heights)], ["1"], str, most=13)
    assert [rule.label for rule in plot.rules] == rules
    ends = [float(mark.y) - 4 for mark in plot.texts]
    top = min(rule.y for rule in plot.rules)
    assert abs(ends[0] - top) <= 1, "the line ends on the rule of its own level"
