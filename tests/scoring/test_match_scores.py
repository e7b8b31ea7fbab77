"""Match scores against practice.md §2 and §3, row by row."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scoring.findings import Refused
from scoring.ladder import Ladder
from scoring.match_scores import SCALES, answer_match_score, hand_points, levels_between, score
from scoring.values import Level, exact

LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "passed")

PLAYED = [
    # scale, home, away, by_tie_rule, home score, away score, winner
    ("mp_210", "K", "8", None, "2", "0", "home"),
    ("mp_210", "2", "3", None, "0", "2", "away"),
    ("mp_210", "7", "7", None, "1", "1", None),
    ("mp_210", "7", "7", "home", "2", "0", "home"),
    ("mp_210", "7", "7", "away", "0", "2", "away"),
    ("mp_210", "passed", "A", None, "2", "0", "home"),
    ("base15", "K", "8", None, "20", "10", "home"),
    ("base15", "passed", "3", None, "25", "5", "home"),
    ("base15", "2", "Q", None, "5", "25", "away"),
    ("base15", "2", "J", None, "6", "24", "away"),
    ("base15", "7", "7", None, "15", "15", None),
    ("base15", "7", "7", "home", "15", "15", "home"),
    ("vp20_cont", "K", "8", None, "16.73", "3.27", "home"),
    ("vp20_cont", "9", "9", None, "10", "10", None),
    ("vp20_cont", "9", "9", "away", "10", "10", "away"),
    ("vp20_cont", "10", "9", None, "11.76", "8.24", "home"),
    ("vp20_cont", "2", "passed", None, "0", "20", "away"),
]


@pytest.mark.parametrize(("scale", "home", "away", "rule", "home_score", "away_score", "winner"), PLAYED)
def test_played_match(scale, home, away, rule, home_score, away_score, winner):
    result = score(scale, home=home, away=away, by_tie_rule=rule)
    assert (exact(result.home), exact(result.away), result.winner) == (home_score, away_score, winner)


# practice §3: the continuous 20 points for 0 to 10 levels, then capped.
VP20 = ["10", "11.76", "13.28", "14.6", "15.74", "16.73", "17.59", "18.33", "18.97", "19.52", "20", "20", "20", "20"]


@pytest.mark.parametrize(("difference", "expected"), list(enumerate(VP20)))
def test_vp20_table(difference, expected):
    result = score("vp20_cont", home=LEVELS[difference], away="2")
    assert (exact(result.home), result.home + result.away) == (expected, 20)


def test_vp20_table_is_the_rounded_formula():
    ratio = ((5**0.5 - 1) / 2) ** 3
    for difference in range(11):
        formula = 10 + 10 * (1 - ratio ** (difference / 10)) / (1 - ratio)
        assert abs(float(score("vp20_cont", home=LEVELS[difference], away="2").home) - formula) <= 0.005 + 1e-9


UNPLAYED = [
    ("mp_210", "away_forfeit", "2", "0", "home"),
    ("mp_210", "home_forfeit", "0", "2", "away"),
    ("mp_210", "double_forfeit", "0", "0", None),
    ("mp_210", "bye", "2", "0", None),
    ("base15", "away_forfeit", "18", "0", "home"),
    ("base15", "home_forfeit", "0", "18", "away"),
    ("base15", "double_forfeit", "0", "0", None),
    ("base15", "bye", "18", "0", None),
    ("vp20_cont", "home_forfeit", "0", "12", "away"),
    ("vp20_cont", "bye", "12", "0", None),
    ("hand_points", "away_forfeit", "0", "0", "home"),
    ("hand_points", "bye", "0", "0", None),
]


@pytest.mark.parametrize(("scale", "outcome", "home_score", "away_score", "winner"), UNPLAYED)
def test_match_not_played(scale, outcome, home_score, away_score, winner):
    result = score(scale, home=None, away=None, outcome=outcome)
    assert (exact(result.home), exact(result.away), result.winner) == (home_score, away_score, winner)
    assert result.net is None


@pytest.mark.parametrize("scale", ["base15", "vp20_cont"])
@pytest.mark.parametrize("home", LEVELS)
@pytest.mark.parametrize("away", LEVELS)
def test_shared_scales_add_up_and_mirror(scale, home, away):
    if home == away == "passed":
        return
    there, back = score(scale, home=home, away=away), score(scale, home=away, away=home)
    assert there.home + there.away == {"base15": 30, "vp20_cont": 20}[scale]
    assert (there.home, there.away) == (back.away, back.home)


# practice §3, F26: attackers 0 points −3 … 200 points +4, by the national table's levels.
HANDS = [(False, 3, -3), (False, 2, -2), (False, 1, -1), (True, 0, 1), (True, 1, 2), (True, 2, 3), (True, 3, 4)]


@pytest.mark.parametrize(("changes", "levels", "points"), HANDS)
def test_hand_points_of_one_hand(changes, levels, points):
    assert hand_points(deal_changes_hands=changes, levels=levels) == points


@pytest.mark.parametrize(("total", "winner"), [(5, "home"), (-2, "away"), (0, None)])
def test_hand_points_of_a_match(total, winner):
    result = score("hand_points", home=None, away=None, hand_points=total)
    assert (result.home, result.away, result.winner) == (total, -total, winner)


def test_differences_count_steps_of_the_ladder():
    short = Ladder((Level("5"), Level("10"), Level("K")))
    assert levels_between(short, "K", "5") == 2
    assert levels_between(short, "passed", "5") == 3
    assert score("base15", home="K", away="5", ladder=short).home == Fraction(17)
    with pytest.raises(KeyError):
        levels_between(short, "7", "5")


SENTENCES = [
    (("base15", "K", "8", None), "Net 5 levels → points 20 : 10", "净级 5 → 场分 20 : 10"),
    (("base15", "8", "K", None), "Net −5 levels → points 10 : 20", "净级 −5 → 场分 10 : 20"),
    (("base15", "passed", "3", None), "Net 12 levels, counts as 10 → points 25 : 5", "净级 12，按 10 计 → 场分 25 : 5"),
    (("mp_210", "4", "3", None), "Net 1 level → points 2 : 0", "净级 1 → 场分 2 : 0"),
    (
        ("mp_210", "7", "7", "away"),
        "Net 0 levels, away side win by the tie rule → points 0 : 2",
        "净级 0，按平级规定客队胜 → 场分 0 : 2",
    ),
]


@pytest.mark.parametrize(("match", "en", "zh"), SENTENCES)
def test_sentence_of_a_played_match(match, en, zh):
    scale, home, away, rule = match
    assert dict(score(scale, home=home, away=away, by_tie_rule=rule).sentence) == {"en": en, "zh": zh}


def test_sentence_of_a_forfeit_and_a_bye():
    forfeit = score("mp_210", home=None, away=None, outcome="away_forfeit").sentence
    bye = score("base15", home=None, away=None, outcome="bye").sentence
    assert dict(forfeit) == {"en": "Away side forfeits → points 2 : 0", "zh": "客队弃权 → 场分 2 : 0"}
    assert dict(bye) == {"en": "Bye → points 18", "zh": "轮空 → 场分 18"}


def test_every_scale_has_both_languages_and_is_its_own_reason():
    for scale in SCALES.values():
        for text in (scale.title, scale.text):
            assert set(text) == {"en", "zh"}
            assert all(text.values())
        result = score(scale.id, home=None, away=None, outcome="bye")
        assert [reason.clause for reason in result.because] == [f"score.{scale.id}"]


def test_answer_has_exact_texts_and_its_reason():
    answer = answer_match_score({"scale": "vp20_cont", "home": "K", "away": "8", "outcome": "played"})
    assert (answer["home"], answer["away"]) == ("16.73", "3.27")
    assert answer["because"][0]["clause"] == "score.vp20_cont"


REFUSALS = [
    ({"home": "K", "away": "8"}, "required", "scale"),
    ({"scale": "mp_9", "home": "K", "away": "8"}, "unknown_scale", "scale"),
    ({"scale": ["mp_210"], "home": "K", "away": "8"}, "required", "scale"),
    ({"scale": "mp_210", "away": "8"}, "required", "home"),
    ({"scale": "mp_210", "home": "K"}, "required", "away"),
    ({"scale": "mp_210", "home": "1", "away": "8"}, "unknown_level", "home"),
    ({"scale": "mp_210", "home": 8, "away": "8"}, "unknown_level", "home"),
    ({"scale": "mp_210", "home": "passed", "away": "passed"}, "both_passed", "away"),
    ({"scale": "mp_210", "home": "9", "away": "8", "by_tie_rule": "home"}, "levels_not_equal", "by_tie_rule"),
    ({"scale": "mp_210", "home": "8", "away": "8", "by_tie_rule": "NS"}, "unknown_party", "by_tie_rule"),
    ({"scale": "mp_210", "home": "8", "away": "8", "by_tie_rule": {}}, "unknown_party", "by_tie_rule"),
    ({"scale": "mp_210", "home": "8", "away": "8", "outcome": "won"}, "unknown_outcome", "outcome"),
    ({"scale": "mp_210", "home": "8", "away": "8", "outcome": 3}, "unknown_outcome", "outcome"),
    ({"scale": "hand_points", "home": "8", "away": "8"}, "hand_points_missing", "hand_points"),
    ({"scale": "hand_points", "hand_points": True}, "not_a_whole_number", "hand_points"),
    ({"scale": "hand_points", "hand_points": 1.5}, "not_a_whole_number", "hand_points"),
]


@pytest.mark.parametrize(("question", "code", "field"), REFUSALS)
def test_bad_question_is_refused_with_its_code(question, code, field):
    with pytest.raises(Refused) as refused:
        answer_match_score(question)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.message["en"]
    assert refused.value.message["zh"]
