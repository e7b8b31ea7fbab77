"""Tables: order, shared ranks, what split a tie and in which words; then the laws any table keeps."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from scoring.profiles import build
from scoring.standings.chains import CHAINS
from scoring.standings.ranked import Stakes
from scoring.standings.ranking import rank
from scoring.standings.results import ExtraMatch, Result, entrant_order
from scoring.standings.tables import answer_standings

TO_JOKER = {"base": "cn-national-2d", "set": {"after_A": ["joker"]}}
SWISS = CHAINS["swiss"][:-1]
ROUND_ROBIN = CHAINS["round_robin"][:-1]


def match(number, home, away, levels="8:8", winner=""):
    """A match by mp_210 from final levels "9:5"; equal levels are a draw unless a winner is named."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "passed"]
    home_level, away_level = levels.split(":")
    steps = ranks.index(home_level) - ranks.index(away_level)
    won = winner or (home if steps > 0 else away if steps < 0 else None)
    scores = {home: (2, 0), away: (0, 2), None: (1, 1)}[won]
    return Result(number, home, away, Fraction(scores[0]), Fraction(scores[1]), home_level, away_level, winner=won)


def table(rows):
    return [(row.entrant, row.rank, row.shared, row.split_by) for row in rows]


def test_points_alone_leave_ties_shared_in_the_order_of_ids():
    rows = rank(["points"], ["10", "9", "b", "a"], [match(1, "10", "9", "4:2"), match(1, "b", "a", "4:2")])
    assert table(rows) == [
        ("10", 1, True, None),
        ("b", 1, True, None),
        ("9", 3, True, None),
        ("a", 3, True, None),
    ]
    assert [row.why for row in rows] == [None] * 4


def test_head_to_head_splits_two_that_met_and_says_with_which_levels():
    # a and b: 2 points each; each met one with 4 and the other; b beat a 7:6.
    results = [
        match(1, "b", "a", "7:6"),
        match(1, "c", "d", "4:2"),
        match(2, "a", "d", "4:2"),
        match(2, "c", "b", "4:2"),
    ]
    rows = rank(["points", "head_to_head"], ["a", "b", "c", "d"], results)
    assert table(rows) == [
        ("c", 1, False, None),
        ("b", 2, False, "head_to_head"),
        ("a", 3, False, "head_to_head"),
        ("d", 4, False, None),
    ]
    assert dict(rows[1].why) == {
        "en": "2 before 3: equal on points (2); head to head 7 : 6",
        "zh": "第 2 先于第 3：场分同（2）；相互对局 7 : 6",
    }
    assert rows[0].why is None
    assert rows[2].why is None
    assert rows[1].values == {"points": 2, "head_to_head": 2}
    assert rows[0].values == {"points": 4}


def test_head_to_head_won_by_the_tie_rule_shows_points():
    results = [
        match(1, "b", "a", "7:7", "b"),
        match(1, "c", "d", "3:2"),
        match(2, "a", "d", "3:2"),
        match(2, "c", "b", "3:2"),
    ]
    rows = rank(["points", "head_to_head"], ["a", "b", "c", "d"], results)
    assert rows[1].why["en"] == "2 before 3: equal on points (2); head to head 2 to 0"


@pytest.mark.parametrize(
    ("spec", "levels", "said"),
    [
        ("cn-national-2d", ("passed", "8"), ("past A : 8", "打过 A : 8")),
        (TO_JOKER, ("passed", "8"), ("past the joker level : 8", "打过王 : 8")),
        (TO_JOKER, ("joker", "A"), ("joker level : A", "打王 : A")),
        ("chaodipi", ("passed", "flag"), ("flag held : flag", "扛旗成功 : 扛旗")),
    ],
)
def test_levels_after_the_ladder_have_the_names_of_the_ladder(spec, levels, said):
    ladder = build(spec).ladder
    met = Result(1, "a", "b", Fraction(2), Fraction(0), *levels, winner="a")
    others = [Result(2, "b", "c", Fraction(2), Fraction(0), "8", "2", winner="b")]
    row = rank(["points", "head_to_head"], ["a", "b", "c"], [met, *others], ladder=ladder)[0]
    assert row.why == {
        "en": f"1 before 2: equal on points (2); head to head {said[0]}",
        "zh": f"第 1 先于第 2：场分同（2）；相互对局 {said[1]}",
    }


def test_the_sentence_of_the_interface_for_a_deep_tie():
    # UX: equal on points (4), opponent points (10), wins (2); head to head 7 : 6. x and y win two matches each, y beats
    # x in the third; x then meets points 4 + 4 + 2 = 10 and y 4 + 4 + 2 = 10.
    results = [
        Result(1, "x", "p", Fraction(2), Fraction(0), "8", "2", winner="x"),
        Result(2, "x", "q", Fraction(2), Fraction(0), "8", "2", winner="x"),
        Result(3, "y", "x", Fraction(2), Fraction(0), "7", "6", winner="y"),
        Result(1, "y", "r", Fraction(2), Fraction(0), "8", "2", winner="y"),
        Result(2, "s", "y", Fraction(2), Fraction(0), "8", "2", winner="s"),
        Result(3, "p", "u", Fraction(2), Fraction(0), "8", "2", winner="p"),
        Result(4, "p", "v", Fraction(2), Fraction(0), "8", "2", winner="p"),
        Result(3, "q", "v", Fraction(2), Fraction(0), "8", "2", winner="q"),
        Result(3, "r", "w", Fraction(2), Fraction(0), "8", "2", winner="r"),
        Result(4, "r", "w", Fraction(2), Fraction(0), "8", "2", winner="r"),
    ]
    rows = rank(SWISS, ["x", "y", "p", "q", "r", "s", "u", "v", "w"], results)
    y = next(row for row in rows if row.entrant == "y")
    assert y.split_by == "head_to_head"
    assert y.why["en"].endswith("equal on points (4), opponent points (10), wins (2); head to head 7 : 6")
    assert y.why["zh"].endswith("：场分同（4）、对手分同（10）、胜场同（2）；相互对局 7 : 6")


CYCLE = [match(1, "a", "b", "9:5"), match(2, "b", "c", "9:6"), match(3, "c", "a", "9:8")]


def test_a_cycle_of_three_is_split_by_net_levels_among_the_tied():
    # All beat d, by wildly different levels that must not matter before the mini-group: mini net a 4−1, b −4+3, c −3+1.
    results = [*CYCLE, match(1, "c", "d", "A:2"), match(2, "a", "d", "3:2"), match(3, "b", "d", "3:2")]
    rows = rank(ROUND_ROBIN, ["a", "b", "c", "d"], results)
    assert table(rows) == [
        ("a", 1, False, "mini_net"),
        ("b", 2, False, "mini_net"),
        ("c", 3, False, "mini_net"),
        ("d", 4, False, None),
    ]
    assert [row.values.get("mini_net") for row in rows] == [3, -1, -2, None]
    assert rows[1].why["en"] == (
        "2 before 3: equal on points (4), points among the tied (2); net levels among the tied −1 to −2"
    )


def test_what_remains_tied_restarts_at_the_mini_group():
    results = [
        match(1, "a", "b", "5:4"),  # a +1, b −1
        match(2, "b", "c", "6:4"),  # b +2, c −2
        match(3, "c", "a", "2:2", "c"),  # a +1, b +1, c −2: a and b restart, and a beat b
    ]
    rows = rank(["points", "mini_group", "mini_net", "net_levels"], ["a", "b", "c"], results)
    assert table(rows) == [("a", 1, False, "mini_group"), ("b", 2, False, "mini_group"), ("c", 3, False, "mini_net")]
    assert rows[0].why["en"] == (
        "1 before 2: equal on points (2), points among the tied (2), net levels among the tied (1); "
        "points among the tied 2 to 0"
    )


def test_rest_of_a_plain_tiebreak_goes_on_down_the_chain():
    results = [match(1, "a", "d", "9:2"), match(1, "b", "e", "5:3"), match(1, "c", "f", "4:2")]
    rows = rank(["points", "net_levels", "sum_levels"], list("abcdef"), results)
    assert [(row.entrant, row.split_by) for row in rows[:3]] == [
        ("a", "net_levels"),
        ("b", "sum_levels"),
        ("c", "sum_levels"),
    ]


def test_last_round_decides_in_the_words_of_that_round():
    results = [
        Result(1, "a", "b", Fraction(18), Fraction(12), "5", "2", winner="a"),
        Result(2, "a", "b", Fraction(13), Fraction(17), "2", "4", winner="b"),
        Result(3, "a", "b", Fraction(14), Fraction(16), "4", "5", winner="b"),
    ]
    rows = rank(CHAINS["base15"], ["a", "b"], results)
    assert table(rows) == [("b", 1, False, "last_round_back"), ("a", 2, False, "last_round_back")]
    assert rows[0].why["en"] == "1 before 2: equal on points (45); round 3 points 16 to 14"
    assert rows[0].to_json()["values"]["last_round_back"] == "16 17 12"


def test_a_bye_counts_as_an_opponent_with_own_points_and_gives_no_levels():
    results = [match(1, "a", "b", "9:2"), Result(1, "c", None, Fraction(2), Fraction(0), outcome="bye")]
    rows = rank(["points", "opponents", "wins", "net_levels"], ["a", "b", "c"], results)
    values = {row.entrant: {code: str(value) for code, value in row.values.items()} for row in rows}
    assert values["c"] == {"points": "2", "opponents": "2", "wins": "0", "net_levels": "0"}
    assert values["a"] == {"points": "2", "opponents": "0", "wins": "1", "net_levels": "7"}


def test_fewer_penalties_come_first():
    results = [match(1, "a", "b", "5:5")]
    rows = rank(["points", "penalties"], ["a", "b"], results, penalties={"a": 2, "b": 1})
    assert table(rows) == [("b", 1, False, "penalties"), ("a", 2, False, "penalties")]
    assert rows[0].why["en"] == "1 before 2: equal on points (1); penalties 1 to 2"


def test_lots_only_where_asked_and_with_the_words_of_the_interface():
    entrants = list("abcd")
    assert all(row.shared for row in rank(["points", "lots"], entrants, []))
    rows = rank(["points", "lots"], entrants, [], seed="4f1c")
    assert [row.entrant for row in rows] == ["c", "b", "d", "a"]
    assert dict(rows[2].why) == {
        "en": "3 before 4: equal on everything; lots (seed 4f1c, draw 3)",
        "zh": "第 3 先于第 4：各项全同；抽签（种子 4f1c，第 3 签）",
    }
    assert not any(row.shared for row in rows)


def test_lots_drawn_by_hand_take_the_place_of_a_seed():
    rows = rank(["points", "lots"], ["a", "b", "c"], [match(1, "a", "b")], drawn=["b", "a"], stakes=Stakes((1,)))
    assert table(rows) == [("b", 1, False, "lots"), ("a", 2, False, "lots"), ("c", 3, False, None)]
    assert dict(rows[0].why) == {
        "en": "1 before 2: equal on everything; lots drawn by hand, draw 1",
        "zh": "第 1 先于第 2：各项全同；当场抽签，第 1 签",
    }
    rows = rank(["points", "lots"], ["a", "b", "c"], [], drawn=["b", "a"])
    assert all(row.shared for row in rows), "c was not in the draw, so nothing is decided between the three"


def test_lots_are_shown_only_for_those_who_needed_them():
    rows = rank(["points", "lots"], ["a", "b", "c"], [match(1, "a", "b", "3:2")], seed="4f1c")
    assert ["lots" in row.values for row in rows] == [False, True, True]


def test_shared_rank_takes_the_places_of_its_members():
    rows = rank(["points"], list("abcde"), [match(1, "a", "b"), match(1, "c", "d", "4:2")])
    assert [(row.entrant, row.rank, row.shared) for row in rows] == [
        ("c", 1, False),
        ("a", 2, True),
        ("b", 2, True),
        ("d", 4, True),
        ("e", 4, True),
    ]


def test_board_points_without_data_are_refused():
    with pytest.raises(Refused) as refused:
        rank(CHAINS["duplicate"], ["a", "b"], [])
    assert (refused.value.code, refused.value.field) == ("data_missing", "board_points")


def test_fines_act_on_the_points_and_hurt_nobody_else():
    results = [
        match(1, "a", "b", "9:5"),
        match(1, "c", "d", "9:5"),
        match(2, "a", "c", "9:5"),
        match(2, "b", "d", "9:5"),
    ]
    fined = rank(["points", "opponents"], list("abcd"), results, fines={"a": Fraction(5, 2)})
    values = {row.entrant: (row.rank, row.values["points"], row.values["opponents"]) for row in fined}
    # a won 4 and keeps 1.5; b and c, who lost to it, still met an opponent of 4
    half = Fraction(3, 2)
    assert values == {"b": (1, 2, 4), "c": (1, 2, 4), "a": (3, half, 4), "d": (4, 0, 4)}


def test_a_forfeit_counts_like_a_bye_where_only_played_opponents_do():
    # c's opponent never came: its sum is its own 4 points and a's 0, where `opponents` adds d's 0
    results = [
        Result(1, "c", "d", Fraction(2), Fraction(0), outcome="away_forfeit", winner="c"),
        match(2, "c", "a", "9:5"),
        Result(2, "b", None, Fraction(2), Fraction(0), outcome="bye"),
    ]
    rows = rank(["points", "opponents", "opponents_played"], list("abcd"), results)
    values = {row.entrant: (row.values["opponents"], row.values["opponents_played"]) for row in rows}
    assert values == {"a": (4, 4), "b": (2, 2), "c": (0, 4), "d": (4, 0)}


def test_a_bye_may_be_worth_the_average_of_the_own_other_rounds():
    vp = [Result(1, "a", "b", Fraction("16.73"), Fraction("3.27"), "K", "8", winner="a")]
    vp += [Result(2, "a", None, Fraction(12), Fraction(0), outcome="bye")]
    vp += [
        Result(3, "b", "a", Fraction(10), Fraction(10), "8", "8"),
        Result(3, "c", None, Fraction(12), Fraction(0), outcome="bye"),
    ]
    points = {row.entrant: row.shown["points"] for row in rank(["points"], list("abc"), vp, average_byes=True)}
    # a: 26.73 and half of it; c has no other round and keeps its 12
    assert points == {"a": "40.095", "b": "13.27", "c": "12"}
    assert rank(["points"], list("abc"), vp)[0].shown["points"] == "38.73"


def test_best_scores_first_then_the_second_best():
    results = [
        Result(1, "a", "b", Fraction(18), Fraction(8), "8", "3", winner="a"),
        Result(2, "a", "b", Fraction(8), Fraction(18), "3", "8", winner="b"),
        Result(3, "a", "c", Fraction(10), Fraction(16), "3", "6", winner="c"),
        Result(4, "a", "c", Fraction(16), Fraction(10), "6", "3", winner="a"),
        Result(3, "b", "d", Fraction(12), Fraction(14), "3", "4", winner="d"),
        Result(4, "b", "d", Fraction(14), Fraction(12), "4", "3", winner="b"),
    ]
    rows = rank(["points", "best_scores"], list("abcd"), results)
    assert table(rows)[:2] == [("a", 1, False, "best_scores"), ("b", 2, False, "best_scores")]
    assert dict(rows[0].why) == {
        "en": "1 before 2: equal on points (52); round no. 2 from the best, points 16 to 14",
        "zh": "第 1 先于第 2：场分同（52）；单轮第 2 高场分 16 比 14",
    }


EXTRA = CHAINS["round_robin_extra"]


def test_an_extra_match_not_played_leaves_the_tie_open():
    rows = rank(EXTRA, ["a", "b"], [match(1, "a", "b")], seed="4f1c")
    assert table(rows) == [("a", 1, True, None), ("b", 1, True, None)]
    assert rows[0].to_json()["undecided"] == {
        "by": "extra_match",
        "places": [1, 2],
        "sentence": {
            "en": "Places 1 and 2 are tied on everything so far; an extra match decides",
            "zh": "第 1、2 名至此各项全同，须加赛决定",
        },
    }


def test_an_extra_match_decides_and_lots_only_when_it_does_not():
    drawn = [match(1, "a", "b")]
    rows = rank(EXTRA, ["a", "b"], drawn, extra_matches=[ExtraMatch("a", "b", "b")])
    assert table(rows) == [("b", 1, False, "extra_match"), ("a", 2, False, "extra_match")]
    assert rows[0].why["en"].endswith("extra match 1 to 0")
    assert "undecided" not in rows[0].to_json()
    equal = [ExtraMatch("a", "b", None)]
    assert [row.split_by for row in rank(EXTRA, ["a", "b"], drawn, extra_matches=equal, seed="s")] == ["lots"] * 2
    assert rank(EXTRA, ["a", "b"], drawn, extra_matches=equal)[0].undecided.by == "lots"


def test_lots_drawn_by_hand_take_the_place_of_an_extra_match_too():
    drawn = [match(1, "a", "b")]
    assert [row.entrant for row in rank(EXTRA, ["a", "b"], drawn, drawn=["b", "a"])] == ["b", "a"]
    assert {row.undecided.by for row in rank(EXTRA, ["a", "b"], drawn, drawn=["b"])} == {"extra_match"}


def test_three_tied_need_all_their_extra_matches():
    cycle = [match(1, "a", "b", "4:2"), match(2, "b", "c", "4:2"), match(3, "c", "a", "4:2")]
    some = [ExtraMatch("a", "b", "a")]
    assert {row.undecided.by for row in rank(EXTRA, list("abc"), cycle, extra_matches=some)} == {"extra_match"}
    played = [*some, ExtraMatch("b", "c", "b"), ExtraMatch("c", "a", "a")]
    assert [row.entrant for row in rank(EXTRA, list("abc"), cycle, extra_matches=played)] == ["a", "b", "c"]


def test_lots_and_extra_matches_are_only_for_ties_across_a_line():
    pairs = [match(1, "a", "b"), match(1, "c", "d"), match(2, "a", "c", "4:2"), match(2, "b", "d", "4:2")]
    entrants, chain = list("abcd"), ["points", "lots"]
    # a and b lead with 3, c and d have 1: a line at 2 splits nobody, one at 1 the leaders
    assert [row.shared for row in rank(chain, entrants, pairs, seed="s", stakes=Stakes((2,)))] == [True] * 4
    assert [row.shared for row in rank(chain, entrants, pairs, seed="s", stakes=Stakes((1,)))] == [
        False,
        False,
        True,
        True,
    ]
    waiting = rank(chain, entrants, pairs, stakes=Stakes((1, 3)))
    assert [row.undecided.by for row in waiting] == ["lots"] * 4
    assert [row.to_json()["qualifies"] for row in waiting] == [3, 3, None, None]
    assert [row.undecided.by for row in rank(["points"], entrants, pairs, stakes=Stakes((1,)))[:2]] == [None] * 2


def test_prizes_of_tied_places_are_shared():
    answer = answer_standings(
        {
            "chain": ["points"],
            "entrants": list("abc"),
            "results": [],
            "prizes": ["1000", "600", "400", "50"],
            "lines": [3],
        }
    )
    assert [(row["prize"], row["qualifies"]) for row in answer["rows"]] == [("2000/3", 3)] * 3


def test_points_brought_along_count_before_the_first_round():
    results = [
        match(3, "a", "b", "4:2"),
        match(3, "c", "d", "4:2"),
        match(4, "b", "c", "4:2"),
        match(4, "d", "a", "4:2"),
    ]
    brought = {"a": Fraction(3), "b": Fraction(2), "c": Fraction(2), "d": Fraction(3)}
    rows = rank(["points", "opponents"], list("abcd"), results, carried=brought)
    assert {row.entrant: row.shown["points"] for row in rows} == {"a": "5", "b": "4", "c": "4", "d": "5"}
    # what an opponent brought along is part of its final points
    assert {row.entrant: row.shown["opponents"] for row in rows} == {"a": "9", "b": "9", "c": "9", "d": "9"}
    back = rank(["last_round_back"], ["a", "b"], [match(3, "a", "b", "3:3")], carried={"b": Fraction(5, 2)})
    assert [(row.entrant, row.shown["last_round_back"]) for row in back] == [("b", "1 2.5"), ("a", "1 0")]
    assert back[0].why is None
    equal = rank(["wins", "last_round_back"], ["a", "b"], [match(3, "a", "b", "3:3")], carried={"b": Fraction(5, 2)})
    assert equal[0].why["en"] == "1 before 2: equal on wins (0); points brought along 2.5 to 0"


def test_who_is_excluded_has_no_place_but_was_an_opponent():
    results = [match(1, "a", "b", "4:2"), match(1, "c", "d", "4:2"), match(2, "c", "a", "4:2")]
    rows = rank(["points", "opponents"], list("abcd"), results, excluded=["c"], stakes=Stakes((1,), (Fraction(10),)))
    assert [(row.entrant, row.rank, row.shown["points"], row.shown["opponents"]) for row in rows] == [
        ("a", 1, "2", "4"),
        ("d", 2, "0", "4"),
        ("b", 3, "0", "2"),
        ("c", None, "4", "2"),
    ]
    assert rows[0].to_json()["qualifies"] == 1
    assert {**rows[-1].to_json(), "values": {}} == {
        "entrant": "c",
        "rank": None,
        "shared": False,
        "values": {},
        "split_by": None,
        "why": None,
        "excluded": True,
        "qualifies": None,
        "prize": "0",
    }


def test_protocol_takes_fines_extra_matches_and_average_byes():
    one = question(
        chain=["points", "extra_match"], fines={"a": "2"}, extra_matches=[{"home": "b", "away": "a", "winner": "b"}]
    )
    assert [row["entrant"] for row in answer_standings(one)["rows"]] == ["b", "a"]
    numbers = {**question(result={"home": 1, "away": 2, "winner": 1}), "entrants": [1, 2], "fines": {"1": "2.5"}}
    assert [row["values"]["points"] for row in answer_standings(numbers)["rows"]] == ["0", "-0.5"]


def question(**changes):
    result = {
        "round": 1,
        "home": "a",
        "away": "b",
        "home_score": "2",
        "away_score": "0",
        "home_level": "K",
        "away_level": "8",
        "outcome": "played",
        "winner": "a",
    }
    return {
        "chain": ["points", "net_levels"],
        "entrants": ["a", "b"],
        "results": [{**result, **changes.pop("result", {})}],
        **changes,
    }


def test_answer_in_the_words_of_the_protocol():
    answer = answer_standings(question())
    assert answer["rows"][0] == {
        "entrant": "a",
        "rank": 1,
        "shared": False,
        "values": {"points": "2", "net_levels": "5"},
        "split_by": None,
        "why": None,
    }
    assert [reason["clause"] for reason in answer["because"]] == ["tiebreak.points", "tiebreak.net_levels"]
    json.dumps(answer)


def test_a_winner_left_out_is_the_higher_score_or_the_side_present():
    one = question()
    del one["results"][0]["winner"]
    one["chain"] = ["wins"]
    assert [row["values"]["wins"] for row in answer_standings(one)["rows"]] == ["1", "0"]
    one["results"][0].update(outcome="home_forfeit", home_score="0", away_score="2", home_level=None, away_level=None)
    assert [(row["entrant"], row["values"]["wins"]) for row in answer_standings(one)["rows"]] == [
        ("b", "1"),
        ("a", "0"),
    ]


REFUSALS = [
    ({"chain": []}, "missing", "chain"),
    ({"chain": "points"}, "missing", "chain"),
    ({"chain": ["points", "luck"]}, "unknown_tiebreak", "chain.1"),
    ({"chain": [{}]}, "unknown_tiebreak", "chain.0"),
    ({"chain": ["points", "points"]}, "tiebreak_twice", "chain.1"),
    ({"chain": ["points", "lots", "net_levels"]}, "lots_not_last", "chain.1"),
    ({"chain": ["extra_match", "points"]}, "extra_match_not_last", "chain.0"),
    ({"chain": ["points", "sum_levels"], "scale": "hand_points"}, "levels_not_here", "chain.1"),
    ({"chain": ["points", "mini_net", "lots"], "scale": "hand_points"}, "levels_not_here", "chain.1"),
    ({"scale": "mp_9"}, "unknown_scale", "scale"),
    ({"scale": ["mp_210"]}, "unknown_scale", "scale"),
    ({"fines": {"a": "0.25"}}, "fine_not_half", "fines.a"),
    ({"fines": {"z": "0.5"}}, "unknown_entrant", "fines.z"),
    ({"fines": [1]}, "wrong_type", "fines"),
    ({"fines": {"a": 0.5}}, "wrong_type", "fines"),
    ({"board_points": {"a": True}}, "wrong_type", "board_points"),
    ({"drawn": "ab"}, "wrong_type", "drawn"),
    ({"drawn": ["a", "z"]}, "unknown_entrant", "drawn"),
    ({"drawn": ["a", "a"]}, "unknown_entrant", "drawn"),
    ({"drawn": ["a", {}]}, "unknown_entrant", "drawn"),
    ({"drawn": ["a", "b"], "seed": "s"}, "drawn_twice", "drawn"),
    ({"byes": "win"}, "unknown_bye", "byes"),
    ({"carried": {"z": "2"}}, "unknown_entrant", "carried.z"),
    ({"carried": {"a": 0.5}}, "wrong_type", "carried"),
    ({"excluded": "a"}, "wrong_type", "excluded"),
    ({"excluded": ["z"]}, "unknown_entrant", "excluded"),
    ({"lines": [2, 2]}, "wrong_lines", "lines"),
    ({"lines": [0]}, "wrong_lines", "lines"),
    ({"lines": 2}, "wrong_lines", "lines"),
    ({"prizes": ["100", -1]}, "wrong_prizes", "prizes"),
    ({"prizes": [0.5]}, "wrong_prizes", "prizes"),
    ({"extra_matches": ["a"]}, "wrong_type", "extra_matches"),
    ({"extra_matches": [{"home": "a", "away": "a"}]}, "unknown_entrant", "extra_matches.0"),
    ({"extra_matches": [{"home": "a", "away": ["b"]}]}, "unknown_entrant", "extra_matches.0"),
    ({"extra_matches": [{"home": "a", "away": "b", "winner": "c"}]}, "unknown_winner", "extra_matches.0.winner"),
    ({"entrants": ["a", "b", "a"]}, "entrant_twice", "entrants.2"),
    ({"entrants": None}, "wrong_type", "entrants"),
    ({"entrants": ["a", True]}, "wrong_type", "entrants.1"),
    ({"results": "none"}, "wrong_type", "results"),
    ({"results": [3]}, "wrong_type", "results.0"),
    ({"seed": 7}, "wrong_type", "seed"),
    ({"penalties": {"a": 0.5}}, "wrong_type", "penalties"),
    ({"result": {"round": 0}}, "wrong_type", "results.0.round"),
    ({"result": {"round": True}}, "wrong_type", "results.0.round"),
    ({"result": {"away": "z"}}, "unknown_entrant", "results.0.away"),
    ({"result": {"away": None}}, "unknown_entrant", "results.0.away"),
    ({"result": {"away": ["b"]}}, "unknown_entrant", "results.0.away"),
    ({"result": {"away": "a"}}, "twice_in_a_round", "results.0.away"),
    ({"result": {"outcome": "bye"}}, "bye_with_opponent", "results.0.away"),
    ({"result": {"outcome": "lost"}}, "unknown_outcome", "results.0.outcome"),
    ({"result": {"winner": "c"}}, "unknown_winner", "results.0.winner"),
    ({"result": {"home_score": 2.0}}, "wrong_type", "results.0.home_score"),
    ({"result": {"home_score": None}}, "wrong_type", "results.0.home_score"),
    ({"result": {"away_score": "1e9"}}, "wrong_type", "results.0.away_score"),
    ({"result": {"home_level": "1"}}, "unknown_level", "results.0.home_level"),
    ({"result": {"home_level": 7}}, "unknown_level", "results.0.home_level"),
]


@pytest.mark.parametrize(("changes", "code", "field"), REFUSALS)
def test_bad_question_is_refused_with_its_code(changes, code, field):
    with pytest.raises(Refused) as refused:
        answer_standings(question(**changes))
    assert (code, field) in [(finding.code, finding.field) for finding in refused.value.findings]
    assert all(finding.message["zh"] for finding in refused.value.findings)


def test_all_findings_come_at_once():
    with pytest.raises(Refused) as refused:
        answer_standings(question(seed=7, result={"round": 0, "home_level": "1", "winner": "z"}))
    assert {finding.code for finding in refused.value.findings} == {"wrong_type", "unknown_level", "unknown_winner"}


LEVELS = ["2", "5", "9", "K", "passed"]


@st.composite
def fields(draw):
    entrants = [str(i) for i in range(draw(st.integers(2, 7)))]
    results = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(entrants))
        for home, away in zip(order[::2], order[1::2], strict=False):
            a, b = draw(st.integers(0, 3)), draw(st.integers(0, 3))
            results.append(match(number, home, away, f"{LEVELS[a]}:{LEVELS[b]}"))
    return entrants, results


chains = st.lists(
    st.sampled_from([code for code in CHAINS["swiss"] + CHAINS["round_robin"] if code != "lots"] + ["last_round_back"]),
    min_size=1,
    max_size=6,
    unique=True,
)


@given(fields(), chains, st.randoms())
def test_order_of_input_does_not_matter(field, chain, random):
    entrants, results = field
    again, shuffled = entrants[:], results[:]
    random.shuffle(again)
    random.shuffle(shuffled)
    first = [row.to_json() for row in rank(chain, entrants, results)]
    assert [row.to_json() for row in rank(chain, again, shuffled)] == first


@given(fields(), chains)
def test_ranks_are_places_and_shared_means_equal(field, chain):
    entrants, results = field
    rows = rank(chain, entrants, results)
    assert sorted(row.entrant for row in rows) == sorted(entrants)
    for place, row in enumerate(rows, start=1):
        same = [other for other in rows if other.rank == row.rank]
        assert row.shared == (len(same) > 1)
        assert row.rank == place - same.index(row)
        assert all(dict(other.values) == dict(row.values) for other in same)
        assert [other.entrant for other in same] == sorted((other.entrant for other in same), key=entrant_order)


@given(fields(), chains)
def test_points_are_conserved_and_lots_end_every_tie(field, chain):
    entrants, results = field
    total = sum(result.home_score + result.away_score for result in results)
    rows = rank(["points", *(code for code in chain if code != "points"), "lots"], entrants, results, seed="s")
    assert sum(row.values["points"] for row in rows) == total
    assert [row.rank for row in rows] == list(range(1, len(entrants) + 1))


@given(
    fields(), chains, st.lists(st.integers(1, 7), unique=True, max_size=3), st.lists(st.integers(0, 100), max_size=7)
)
def test_lines_and_prizes_lose_nothing(field, chain, lines, prizes):
    entrants, results = field
    stakes = Stakes(tuple(sorted(lines)), tuple(Fraction(prize) for prize in prizes))
    rows = rank([*chain, "lots"], entrants, results, seed="s", stakes=stakes)
    assert sum(Fraction(row.to_json().get("prize", 0)) for row in rows) == sum(prizes[: len(entrants)])
    for line in lines:
        assert sum(row.rank <= line for row in rows) == min(line, len(rows)), "lots settle every tie across a line"


@given(fields(), chains)
def test_first_tiebreak_of_the_chain_rules(field, chain):
    entrants, results = field
    rows = rank(["points", *(code for code in chain if code != "points")], entrants, results)
    points = [row.values["points"] for row in rows]
    assert points == sorted(points, reverse=True)


PAIRS = [
    {"round": 1, "home": "a", "away": "b", "home_score": "8/3", "away_score": "-8/3"},
    {"round": 1, "home": "c", "away": "d", "home_score": "4/3", "away_score": "-4/3"},
    {"round": 2, "home": "a", "away": "c", "home_score": "-4/3", "away_score": "0"},
    {"round": 2, "home": "d", "away": "b", "home_score": "1", "away_score": "0"},
]


@pytest.mark.parametrize(
    ("points_are", "en", "zh"),
    [
        (None, "points (4/3)", "场分同（4/3）"),
        ("cross_imp", "cross-IMPs (4/3)", "交叉 IMP同（4/3）"),
        ("matchpoints", "per cent over the average (4/3)", "高出平均的百分点同（4/3）"),
    ],
)
def test_why_lines_name_what_points_are(points_are, en, zh):
    """Thirds add up exactly: 8/3 less 4/3 is level with 4/3, which hundredths would not be."""
    question = {"chain": ["points", "wins", "opponents"], "entrants": list("abcd"), "results": PAIRS}
    answer = answer_standings(question | ({} if points_are is None else {"points_are": points_are}))
    first, second = answer["rows"][:2]
    assert [first["values"]["points"], second["values"]["points"]] == ["4/3", "4/3"]
    assert en in first["why"]["en"]
    assert zh in first["why"]["zh"]
    named = answer["because"][0]["text"]["en"]
    assert en.startswith(named)


@pytest.mark.parametrize("points_are", ["levels", 1, ["cross_imp"]])
def test_points_that_are_nothing_known_are_refused(points_are):
    question = {"chain": ["points"], "entrants": ["a"], "results": [], "points_are": points_are}
    with pytest.raises(Refused) as refused:
        answer_standings(question)
    assert [one.field for one in refused.value.findings] == ["points_are"]
