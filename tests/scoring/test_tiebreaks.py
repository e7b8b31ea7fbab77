"""Each tie-break alone, on a field small enough to add up by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scoring.ladder import Ladder
from scoring.standings.chains import CHAINS, chain_findings, default_chain, figure
from scoring.standings.field import Field, MissingData
from scoring.standings.results import ExtraMatch, Result, entrant_order, score_of
from scoring.standings.scales import SCALES, Party
from scoring.standings.tiebreaks import TIEBREAKS, AmongTied, TieBreak
from scoring.values import Level


def played(number, home, away, home_score, away_score, home_level, away_level, winner=Party.HOME):
    won = {Party.HOME: home, Party.AWAY: away, None: None}[winner]
    return Result(number, home, away, Fraction(home_score), Fraction(away_score), home_level, away_level, winner=won)


# a beats b 9:5, c beats d by forfeit; b has a bye; a draws c 7:7, d passes A against b at 3 in round 3.
RESULTS = [
    played(1, "a", "b", 2, 0, "9", "5"),
    Result(1, "c", "d", Fraction(2), Fraction(0), outcome="away_forfeit", winner="c"),
    Result(2, "b", None, Fraction(2), Fraction(0), outcome="bye"),
    played(2, "a", "c", 1, 1, "7", "7", None),
    played(3, "d", "b", 2, 0, "passed", "3"),
]
ENTRANTS = ["a", "b", "c", "d"]

MEASURES = [
    # points: a 2+1, b 0+2+0, c 2+1, d 0+2
    ("points", [3, 2, 3, 2]),
    # wins: the forfeit counts, the bye and the draw do not
    ("wins", [1, 0, 1, 1]),
    # opponents: a: b 2 + c 3; b: a 3 + itself 2 (bye) + d 2; c: d 2 + a 3; d: c 3 + b 2
    ("opponents", [5, 7, 5, 5]),
    # net: a +4 +0; b −4 −12 (passed 15 − 3); c 0 (forfeit none); d +12
    ("net_levels", [4, -16, 0, 12]),
    # levels: a 9 + 7; b 5 + 3; c 7; d 15
    ("sum_levels", [16, 8, 7, 15]),
    ("last_round_back", [(0, 1, 2), (0, 2, 0), (0, 1, 2), (2, 0, 0)]),
    # a forfeit counts like a bye: c and d keep their own 3 and 2 for it
    ("opponents_played", [5, 7, 6, 4]),
    ("best_scores", [(2, 1, 0), (2, 0, 0), (2, 1, 0), (2, 0, 0)]),
    ("penalties", [0, 2, 0, 0]),
    ("board_points", [0, 0, 35, 0]),
]


@pytest.mark.parametrize(("code", "expected"), MEASURES)
def test_measure(code, expected):
    field = Field(ENTRANTS, RESULTS, penalties={"b": 2}, board_points={"c": 35})
    assert list(TIEBREAKS[code].measure(field)) == expected


AMONG = [
    ("head_to_head", "ab", [2, 0]),
    ("head_to_head", "ac", [1, 1]),
    ("head_to_head", "cd", [2, 0]),
    ("head_to_head", "ad", None),  # never met
    ("head_to_head", "abc", None),  # only for two
    ("mini_group", "ab", [2, 0]),
    ("mini_group", "abc", None),  # b and c never met: no equal basis
    ("mini_net", "ab", [4, -4]),
    ("mini_net", "cd", [0, 0]),  # a forfeit gives no level difference
    ("mini_net", "abc", None),
]


@pytest.mark.parametrize(("code", "group", "expected"), AMONG)
def test_measure_among_the_tied(code, group, expected):
    field = Field(ENTRANTS, RESULTS)
    got = TIEBREAKS[code].measure(field, [ENTRANTS.index(one) for one in group])
    assert (None if got is None else list(got)) == expected


EXTRA = [ExtraMatch("a", "b", "b"), ExtraMatch("b", "c", None), ExtraMatch("c", "a", "c"), ExtraMatch("d", "a", "d")]
EXTRA_WON = [("ab", [0, 1]), ("bc", [0, 0]), ("abc", [0, 1, 1]), ("bd", None), ("abcd", None)]


@pytest.mark.parametrize(("group", "expected"), EXTRA_WON)
def test_extra_matches_count_when_all_of_the_group_met_in_them(group, expected):
    field = Field(ENTRANTS, RESULTS, extra_matches=EXTRA)
    got = TIEBREAKS["extra_match"].measure(field, [ENTRANTS.index(one) for one in group])
    assert (None if got is None else list(got)) == expected


CONTRADICTIONS = [
    (["points", "wins", "points"], None, [("tiebreak_twice", "chain.2")]),
    (["lots", "points"], None, [("lots_not_last", "chain.0")]),
    (["points", "extra_match", "net_levels", "lots"], None, [("extra_match_not_last", "chain.1")]),
    (
        ["points", "luck", "lots", "lots"],
        None,
        [("unknown_tiebreak", "chain.1"), ("lots_not_last", "chain.2"), ("tiebreak_twice", "chain.3")],
    ),
    (
        ["points", "net_levels", "mini_net"],
        "hand_points",
        [("levels_not_here", "chain.1"), ("levels_not_here", "chain.2")],
    ),
    (["points", "net_levels", "mini_net"], "base15", []),
    (["points", "extra_match", "lots"], "hand_points", []),
]


@pytest.mark.parametrize(("chain", "scale", "expected"), CONTRADICTIONS)
def test_a_chain_that_contradicts_itself_is_refused_with_a_sentence(chain, scale, expected):
    found = chain_findings(chain, SCALES[scale] if scale else None)
    assert [(one.code, one.field) for one in found] == expected
    assert all(one.message["en"].endswith(".") and one.message["zh"].endswith("。") for one in found)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS.keys())
def test_chains_of_practice_fit_every_scale(chain, scale):
    fitted = default_chain(chain, SCALES[scale])
    assert chain_findings(fitted, SCALES[scale]) == []
    assert fitted == chain or SCALES[scale].by_hands


def test_scores_are_scaled_exactly():
    results = [played(1, "a", "b", score_of("16.73"), score_of("3.27"), "K", "8")]
    field = Field(["a", "b"], [*results, played(2, "a", "b", Fraction(1, 3), Fraction(2, 3), "2", "2", None)])
    assert field.unit == 300
    assert [Fraction(points, field.unit) for points in field.points] == [
        Fraction(1673, 100) + Fraction(1, 3),
        Fraction(327, 100) + Fraction(2, 3),
    ]


def test_board_points_need_data():
    with pytest.raises(MissingData) as missing:
        TIEBREAKS["board_points"].measure(Field(ENTRANTS, RESULTS))
    assert missing.value.code == "board_points"


def test_lots_are_a_permutation_that_only_the_seed_decides():
    def draw(seed, entrants):
        field = Field(entrants, [], seed=seed)
        return dict(zip(entrants, TIEBREAKS["lots"].measure(field), strict=True))

    first = draw("4f1c", ENTRANTS)
    # sha256sum of "4f1c:a" is b1f6…, of b 9b2e…, of c 49cd…, of d 9cc6…
    assert first == {"c": 1, "b": 2, "d": 3, "a": 4}
    assert draw("4f1c", ENTRANTS[::-1]) == first
    assert any(draw(f"seed {i}", ENTRANTS) != first for i in range(9))


def test_levels_number_from_the_first_of_the_ladder():
    assert Field([], []).steps["2"] == 2
    assert Field([], []).steps["passed"] == 15
    short = Ladder((Level("5"), Level("10"), Level("K")))
    assert dict(Field([], [], ladder=short).steps) == {"5": 5, "10": 6, "K": 7, "passed": 8}


def test_entrants_order_numbers_first_then_texts():
    ids = ["b", "10", 9, "a", "2", "陈", "٣"]
    assert sorted(ids, key=entrant_order) == ["2", 9, "10", "a", "b", "٣", "陈"]


def test_every_tiebreak_is_named_in_both_languages_under_its_own_code():
    for code, tiebreak in TIEBREAKS.items():
        assert tiebreak.code == code
        assert set(tiebreak.title) == {"en", "zh"}
        assert all(tiebreak.title.values())


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("net_levels", "9", "+9"),
        ("net_levels", "0", "+0"),
        ("net_levels", "-3", "−3"),
        ("net_levels", "", ""),
        ("board_points", "7/3", "+2.33"),
        ("points", "4", "4"),
        ("points", "-8/3", "−2.67"),
        ("last_round_back", "7/3 0 -1/3", "2.33 0 −0.33"),
    ],
)
def test_figure(code, value, text):
    assert figure(code, value) == text


@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS.keys())
def test_chains_of_practice_end_in_lots(chain):
    assert chain[0] == "points"
    assert chain[-1] == "lots"
    assert all(isinstance(TIEBREAKS[code], TieBreak | AmongTied) for code in chain)


@pytest.mark.parametrize(("text", "value"), [("2", 2), ("-0.5", Fraction(-1, 2)), ("7/3", Fraction(7, 3)), (3, 3)])
def test_score_text(text, value):
    assert score_of(text) == value


@pytest.mark.parametrize("text", ["", " 2", "2e5", "1_000", "٢", "2.", "1/0", "NaN", 2.5, True, "9" * 40])
def test_score_text_that_is_none(text):
    with pytest.raises(ValueError, match="not an exact number"):
        score_of(text)
