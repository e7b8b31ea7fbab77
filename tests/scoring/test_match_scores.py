"""Match scores against practice.md §2 and §3, row by row."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from scoring.ladder import Ladder
from scoring.standings.match_scores import answer_match_score, hand_points, score
from scoring.standings.scales import SCALES
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
    ("mp_10", "K", "8", None, "1", "0", "home"),
    ("mp_10", "7", "7", None, "0.5", "0.5", None),
    ("mp_30", "8", "K", None, "0", "3", "away"),
    ("mp_30", "7", "7", None, "1", "1", None),
    ("mp_321", "K", "8", None, "3", "1", "home"),
    ("mp_321", "7", "7", None, "2", "2", None),
    ("mp_321", "7", "7", "away", "1", "3", "away"),
    ("base13", "K", "8", None, "18", "8", "home"),
    ("base13", "passed", "2", None, "26", "0", "home"),
    ("base13", "7", "7", "home", "13", "13", "home"),
    ("win_tenth", "K", "8", None, "2.5", "-0.5", "home"),
    ("win_tenth", "9", "5", None, "2.4", "-0.4", "home"),
    ("win_tenth", "5", "9", None, "-0.4", "2.4", "away"),
    ("win_tenth", "7", "7", None, "1", "1", None),
    ("win_tenth", "7", "7", "home", "2", "0", "home"),
    ("vp20_disc", "K", "8", None, "16", "4", "home"),
    ("vp20_disc", "7", "7", "home", "11", "9", "home"),
    ("vp20_disc", "7", "7", "away", "9", "11", "away"),
    ("vp20_disc", "7", "7", None, "10", "10", None),
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


# practice §3: 12, 13, 14 … 20 at nine levels and more.
@pytest.mark.parametrize("difference", range(1, 14))
def test_vp20_discrete_table(difference):
    result = score("vp20_disc", home=LEVELS[difference], away="2")
    assert (result.home, result.away) == (min(20, 11 + difference), max(0, 9 - difference))


@pytest.mark.parametrize("scale", ["base15", "base13", "vp20_cont", "vp20_disc"])
def test_no_level_is_worth_more_than_the_one_before(scale):
    won = [score(scale, home=level, away="2").home for level in LEVELS[1:]]
    steps = [after - before for before, after in pairwise(won)]
    assert all(step >= 0 for step in steps)
    assert steps == sorted(steps, reverse=True)


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
    ("mp_10", "away_forfeit", "1", "0", "home"),
    ("mp_10", "bye", "1", "0", None),
    ("mp_30", "home_forfeit", "0", "3", "away"),
    ("mp_30", "bye", "3", "0", None),
    ("mp_321", "away_forfeit", "3", "0", "home"),
    ("mp_321", "double_forfeit", "0", "0", None),
    ("base13", "away_forfeit", "13", "0", "home"),
    ("base13", "bye", "13", "0", None),
    ("win_tenth", "home_forfeit", "0", "2", "away"),
    ("win_tenth", "double_forfeit", "1", "1", None),
    ("win_tenth", "bye", "2", "0", None),
    ("vp20_disc", "away_forfeit", "18", "0", "home"),
    ("vp20_disc", "bye", "12", "0", None),
]

# What an event may give for a bye; an average is known only at the end (see standings).
BYES = [
    ("mp_210", "0", "0"),
    ("mp_210", "1", "1"),
    ("mp_210", "win", "2"),
    ("base13", "0", "0"),
    ("base15", "win", "18"),
    ("win_tenth", "1", "1"),
    ("vp20_cont", "average", "12"),
    ("vp20_disc", "win", "18"),
    ("vp20_disc", "average", "12"),
]


@pytest.mark.parametrize(("scale", "rule", "expected"), BYES)
def test_bye_by_the_rule_of_the_event(scale, rule, expected):
    answer = answer_match_score({"scale": scale, "outcome": "bye", "bye": rule})
    assert (answer["home"], answer["away"]) == (expected, "0")


@pytest.mark.parametrize(("scale", "outcome", "home_score", "away_score", "winner"), UNPLAYED)
def test_match_not_played(scale, outcome, home_score, away_score, winner):
    result = score(scale, home=None, away=None, outcome=outcome)
    assert (exact(result.home), exact(result.away), result.winner) == (home_score, away_score, winner)
    assert result.net is None


SHARED = {
    "mp_210": 2,
    "mp_10": 1,
    "mp_321": 4,
    "base15": 30,
    "base13": 26,
    "win_tenth": 2,
    "vp20_cont": 20,
    "vp20_disc": 20,
}


@pytest.mark.parametrize("scale", SHARED)
@pytest.mark.parametrize("home", LEVELS)
@pytest.mark.parametrize("away", LEVELS)
def test_shared_scales_add_up_and_mirror(scale, home, away):
    if home == away == "passed":
        return
    there, back = score(scale, home=home, away=away), score(scale, home=away, away=home)
    assert there.home + there.away == SHARED[scale]
    assert (there.home, there.away) == (back.away, back.home)


@pytest.mark.long
@given(st.sampled_from(sorted(SCALES)), st.sampled_from(LEVELS), st.sampled_from(LEVELS[:-1]), st.integers(-40, 40))
def test_scores_are_whole_hundredths(scale, home, away, points):
    """Matches keep them as such, below nothing as well."""
    by_hands = SCALES[scale].by_hands
    levels = (
        {"home": None, "away": None, "hand_points": points, "boards": 8} if by_hands else {"home": home, "away": away}
    )
    got = score(scale, **levels)
    assert all((one * 100).denominator == 1 for one in (got.home, got.away))


# practice §3, F26: attackers 0 points −3 … 200 points +4, by the national table's levels.
HANDS = [(False, 3, -3), (False, 2, -2), (False, 1, -1), (True, 0, 1), (True, 1, 2), (True, 2, 3), (True, 3, 4)]


@pytest.mark.parametrize(("changes", "levels", "points"), HANDS)
def test_hand_points_of_one_hand(changes, levels, points):
    assert hand_points(deal_changes_hands=changes, levels=levels) == points


@pytest.mark.parametrize(("total", "winner"), [(5, "home"), (-2, "away"), (0, None)])
def test_hand_points_of_a_match(total, winner):
    result = score("hand_points", home=None, away=None, hand_points=total)
    assert (result.home, result.away, result.winner) == (total, -total, winner)


# vp20_imp: IMPs, boards, the scores of both sides by the formula of victory points
VICTORY = [(0, 8, "10", "10"), (-10, 16, "7.2", "12.8"), (60, 16, "20", "0"), (42, 8, "19.95", "0.05")]


@pytest.mark.parametrize(("points", "boards", "home", "away"), VICTORY)
def test_victory_points_of_imps_over_boards(points, boards, home, away):
    result = score("vp20_imp", home=None, away=None, hand_points=points, boards=boards)
    assert (exact(result.home), exact(result.away)) == (home, away)
    assert f"IMPs over {boards} boards" in result.sentence["en"]
    with pytest.raises(Refused) as refused:
        score("vp20_imp", home=None, away=None, hand_points=points)
    assert refused.value.code == "boards_missing"


# The same by levels: all 20 from 4 levels times the square root of the number of boards.
LEVELS_OVER_BOARDS = [(0, 4, "10", "10"), (1, 4, "12.16", "7.84"), (7, 4, "19.39", "0.61"), (8, 4, "20", "0")]


@pytest.mark.parametrize(
    ("points", "boards", "home", "away"), [*LEVELS_OVER_BOARDS, (-3, 2, "3", "17"), (1, 1, "13.97", "6.03")]
)
def test_victory_points_of_levels_over_boards(points, boards, home, away):
    result = score("vp20_levels", home=None, away=None, hand_points=points, boards=boards)
    assert (exact(result.home), exact(result.away)) == (home, away)
    assert f"over {boards} boards" in result.sentence["en"]
    assert "IMP" not in result.sentence["en"]
    with pytest.raises(Refused) as refused:
        score("vp20_levels", home=None, away=None, hand_points=points)
    assert refused.value.code == "boards_missing"


# Teams of four: the sum over the boards makes the match points.
@pytest.mark.parametrize(
    ("scale", "total", "scores"), [("mp_210", 4, (2, 0)), ("mp_30", 0, (1, 1)), ("mp_321", -1, (1, 3))]
)
def test_match_points_from_boards(scale, total, scores):
    result = score(scale, home=None, away=None, hand_points=total)
    assert (result.home, result.away, result.net) == (*scores, total)


def test_equal_hand_points_may_be_decided_by_the_tie_rule():
    result = score("hand_points", home=None, away=None, hand_points=0, by_tie_rule="away")
    assert (result.home, result.away, result.winner) == (0, 0, "away")


def test_differences_count_steps_of_the_ladder():
    short = Ladder((Level("5"), Level("10"), Level("K")))
    assert score("base15", home="K", away="5", ladder=short).home == Fraction(17)
    assert score("base15", home="passed", away="5", ladder=short).net == 3
    with pytest.raises(Refused) as refused:
        score("base15", home="7", away="5", ladder=short)
    assert refused.value.code == "unknown_level"


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
        for text in (scale.title, scale.text, scale.named(draws=False)):
            assert set(text) == {"en", "zh"}
            assert all(text.values())
        undrawn = scale.named(draws=False)
        assert "draw" not in undrawn["en"]
        assert "平" not in undrawn["zh"]
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
    ({"scale": "mp_210", "outcome": "bye", "bye": "half"}, "unknown_bye", "bye"),
    ({"scale": "mp_210", "outcome": "bye", "bye": [0]}, "unknown_bye", "bye"),
    ({"scale": "base15", "hand_points": 4}, "required", "home"),
    ({"scale": "hand_points", "hand_points": 4, "by_tie_rule": "home"}, "levels_not_equal", "by_tie_rule"),
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
