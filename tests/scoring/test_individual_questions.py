"""Individual games through the batch protocol: answers, refusals with every finding, standings of single players."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from scoring.individual.fold import fold, results_of
from scoring.individual.sheets import read_entry
from scoring.individual.standings import INDIVIDUAL_TIEBREAKS, IndividualResult, rank_individuals
from scoring.individual.states import IndividualOpening
from scoring.profiles import load
from scoring.questions.asking import MOST_ENTRIES
from scoring.questions.protocol import answer
from scoring.standings.chains import CHAINS
from scoring.values import Place

LAST = {"last_trick_winner": "dealer"}


def ask(op, profile=None, **fields):
    question = {"id": "q", "input": {"op": op, **fields}}
    return answer(question if profile is None else {**question, "profile": profile})


def codes(said):
    return [(one["code"], one["field"]) for one in said["error"]["findings"]]


HANDS = [
    (
        "sandayi",
        {"bids": {"1": 120, "4": 95}, "captured_in_tricks": 95, **LAST},
        {},
        "4",
        ["1", "2", "3"],
        [1, 1, 1, -3],
    ),
    ("sandayi", {"dealer": "2", "bid": 80, "captured_in_tricks": 75, **LAST}, {}, "2", ["2"], [-1, 3, -1, -1]),
    (
        "ersibai",
        {"points": {"1": 40, "2": 60, "3": 50, "4": 80}, "last_trick_place": "3", "kitty_points": 10},
        {},
        None,
        ["4"],
        [40, 60, 60, 80],
    ),
    (
        "zhaopengyou",
        {"dealer": "1", "ally": "3", "captured_in_tricks": 55, **LAST},
        {"levels": {"1": "A", "2": "2", "3": "K", "4": "2", "5": "2"}},
        "1",
        ["1", "3"],
        [1, 0, 1, 0, 0],
    ),
]


@pytest.mark.parametrize(("profile", "hand", "more", "dealer", "winners", "gains"), HANDS)
def test_one_hand(profile, hand, more, dealer, winners, gains):
    said = ask("individual_hand", profile, hand=hand, **more)
    assert "error" not in said, said
    got = said["answer"]
    assert (got["dealer"], got["winners"], list(got["gains"].values())) == (dealer, winners, gains)
    assert said["because"]
    assert set(got["sentence"]) == {"en", "zh"}


def test_a_ledger_and_its_state():
    hand = {"kind": "hand", "dealer": "1", "ally": "1", "captured_in_tricks": 0, **LAST}
    opening = {"levels": {"1": "Q", "2": "2", "3": "2", "4": "2", "5": "2"}}
    said = ask("individual_state", "zhaopengyou", opening=opening, ledger=[hand, hand])["answer"]
    assert said["levels"] == {"1": None, "2": "2", "3": "2", "4": "2", "5": "2"}
    assert (said["finished"], said["end_reason"], said["winners"], said["passed"]) == (True, "passed", ["1"], ["1"])
    assert [one["stopped_at"] for one in said["entries"]] == [{"1": "A"}, {}]
    assert [one["after"]["levels"]["1"] for one in said["entries"]] == ["A", None]
    assert said["entries"][1]["sentence"]["zh"].endswith("1 号位打过 A，终局")
    early = ask("individual_state", "sandayi", ledger=[], conditions={"hands": 3})["answer"]
    assert (early["scores"], early["next_level"], early["finished"]) == ({"1": 0, "2": 0, "3": 0, "4": 0}, None, False)


REFUSALS = [
    (
        "individual_state",
        "sandayi",
        {
            "opening": {"first_dealer": "5"},
            "conditions": {"hands": 0},
            "ledger": [{"kind": "hand", "bid": 82, "captured_in_tricks": 3, **LAST}, {"kind": "hook"}],
        },
        [
            ("unknown_value", "opening.first_dealer"),
            ("out_of_range", "conditions.hands"),
            ("not_a_multiple_of_5", "ledger[0].captured_in_tricks"),
            ("bid_not_here", "ledger[0].bid"),
            ("unknown_value", "ledger[1].kind"),
        ],
    ),
    (
        "individual_state",
        "sandayi",
        {"ledger": [{"kind": "end", "reason": "time"}] * 2},
        [("match_over", "ledger[1].kind")],
    ),
    (
        "individual_state",
        "zhaopengyou",
        {"ledger": [{"kind": "hand", "ally": "1", "captured_in_tricks": 0, **LAST}]},
        [("dealer_missing", "ledger[0].dealer")],
    ),
    ("individual_state", "ersibai", {"ledger": "none"}, [("wrong_type", "ledger")]),
    ("individual_state", "ersibai", {"ledger": [{}] * (MOST_ENTRIES + 1)}, [("wrong_type", "ledger")]),
    ("individual_state", "ersibai", {"ledger": [], "sitting": 1}, [("unknown_field", "sitting")]),
    ("individual_state", "scn2-2013", {"ledger": []}, [("not_individual", "profile")]),
    ("individual_hand", "cn-national-3d", {"hand": {}}, [("not_individual", "profile")]),
    ("individual_hand", "sandayi", {}, [("missing", "hand")]),
    ("individual_hand", "sandayi", {"hand": 80}, [("wrong_type", "hand")]),
    ("individual_hand", "sandayi", {"hand": {"kind": "end", "reason": "time"}}, [("unknown_value", "hand.kind")]),
    (
        "individual_hand",
        "sandayi",
        {"hand": {"captured_in_tricks": 80, **LAST}, "levels": {"1": "2"}},
        [("unknown_field", "levels"), ("bid_unknown", "hand.bid")],
    ),
    (
        "individual_hand",
        "zhaopengyou",
        {"hand": {"dealer": "1", "ally": "6", "captured_in_tricks": 80, **LAST}, "levels": {"1": "1"}},
        [("unknown_value", "levels.1")]
        + [("missing", f"levels.{place}") for place in "2345"]
        + [("unknown_value", "hand.ally")],
    ),
]


@pytest.mark.parametrize(("op", "profile", "fields", "expected"), REFUSALS)
def test_refusals_name_everything_at_once(op, profile, fields, expected):
    said = ask(op, profile, **fields)
    assert codes(said) == expected
    assert all(set(one["message"]) == {"en", "zh"} for one in said["error"]["findings"])


def test_other_questions_about_individual_games():
    assert ask("deal_size", "zhaopengyou")["answer"] == {"hand": 31, "kitty": 7}
    assert ask("total_points", "zhaopengyou")["answer"] == {"total": 300}
    assert ask("deal_size", "ersibai")["answer"] == {"hand": 25, "kitty": 8}
    assert ask("sitting_state", "zhaopengyou", ledger=[])["error"]["code"] == "individual_game"


# standings ---------------------------------------------------------------------------------------------------------


def table(number, winners=None, **scores):
    row = {"round": number, "scores": {name: str(score) for name, score in scores.items()}}
    return row if winners is None else {**row, "winners": winners}


def standings(chain, results, entrants="abcd", **more):
    return ask("standings", chain=list(chain), entrants=list(entrants), results=results, **more)


def rows(said):
    return [(row["entrant"], row["rank"], row["shared"], row["split_by"]) for row in said["answer"]["rows"]]


def test_the_sum_of_all_tables_decides_and_then_the_chain():
    results = [table(1, a=3, b=-1, c=-1, d=-1), table(2, a=-1, b=3, c=-3, d=1), table(3, a=-1, b=-1, c=1, d=1)]
    said = standings(["points", "last_round_back"], results)
    assert rows(said) == [
        ("d", 1, False, "last_round_back"),
        ("b", 2, False, "last_round_back"),
        ("a", 3, False, "last_round_back"),
        ("c", 4, False, None),
    ]
    assert said["answer"]["rows"][0]["values"] == {"points": "1", "last_round_back": "1 1 -1"}
    assert said["answer"]["rows"][0]["why"]["zh"] == "第 1 先于第 2：场分同（1）；第 3 轮场分 1 比 −1"


def test_tables_won_are_shared_by_the_highest_unless_told():
    results = [table(1, a=2, b=2, c=1, d=0), table(2, ["d"], a=0, b=0, c=1, d=2)]
    won = {row["entrant"]: row["values"]["wins"] for row in standings(["points", "wins"], results)["answer"]["rows"]}
    assert won == {"a": "1", "b": "1", "c": "0", "d": "1"}
    assert standings(["wins"], [table(1, a=2)], "a")["answer"]["rows"][0]["values"] == {"wins": "0"}


def test_levels_hands_and_penalties_split():
    row = table(1, a=4, b=4, c=4, d=4) | {
        "levels": {"a": "passed", "b": "6", "c": "6", "d": "6"},
        "hands_won": {"a": 1, "b": 2, "c": 1, "d": 1},
    }
    said = standings(["points", "sum_levels", "hands_won", "penalties"], [row], penalties={"c": 1})
    assert rows(said) == [
        ("a", 1, False, "sum_levels"),
        ("b", 2, False, "hands_won"),
        ("d", 3, False, "penalties"),
        ("c", 4, False, "penalties"),
    ]
    assert said["answer"]["rows"][0]["values"]["sum_levels"] == "15"


def test_what_stays_equal_is_shared_or_drawn_by_lot():
    results = [table(1, a=1, b=1, c=-1, d=-1)]
    assert [row[:3] for row in rows(standings(["points"], results))] == [
        ("a", 1, True),
        ("b", 1, True),
        ("c", 3, True),
        ("d", 3, True),
    ]
    drawn = standings(CHAINS["individual"], results, seed="committed before play")
    assert {row[3] for row in rows(drawn)} == {"lots"}
    assert drawn == standings(CHAINS["individual"], results, seed="committed before play")


def test_whole_numbers_are_ids_too():
    said = ask("standings", chain=["points"], entrants=[1, 2], results=[{"round": 1, "scores": {"1": 2, "2": "2.5"}}])
    assert [row["entrant"] for row in said["answer"]["rows"]] == ["2", "1"]


BAD_STANDINGS = [
    ({"chain": ["opponents"]}, [("tiebreak_not_here", "chain.0")]),
    ({"chain": ["points", "mini_group", "net_levels"]}, [("tiebreak_not_here", f"chain.{i}") for i in (1, 2)]),
    ({"entrants": ["a", 1, "1"]}, [("entrant_twice", "entrants.2")]),
    ({"chain": ["goals"]}, [("unknown_tiebreak", "chain.0")]),
    ({"board_points": {"a": 1}}, [("tiebreak_not_here", "board_points")]),
    ({"results": [table(0, a=1)]}, [("wrong_type", "results.0.round")]),
    ({"results": [table(1, x=1)]}, [("unknown_entrant", "results.0.scores.x")]),
    ({"results": [table(1, a=1), table(1, a=2)]}, [("twice_in_a_round", "results.1.scores.a")]),
    ({"results": [table(1, a="much")]}, [("wrong_type", "results.0.scores.a")]),
    ({"results": [table(1, ["b"], a=1)]}, [("unknown_winner", "results.0.winners")]),
    (
        {"results": [table(1, a=1) | {"levels": {"a": "1", "b": "2"}}]},
        [("unknown_level", "results.0.levels.a"), ("unknown_entrant", "results.0.levels.b")],
    ),
    ({"results": [table(1, a=1) | {"hands_won": {"a": -1}}]}, [("wrong_type", "results.0.hands_won.a")]),
    ({"results": [table(1, a=1) | {"levels": ["5"]}]}, [("wrong_type", "results.0.levels")]),
    ({"results": [table(1, a=1) | {"home": "a"}]}, [("unknown_field", "results.0.home")]),
    (
        {"results": [table(1, a=1), {"round": 2, "home": "a"}]},
        [("unknown_field", "results.1.home"), ("wrong_type", "results.1.scores")],
    ),
    ({"results": [table(1, a=1), 7]}, [("wrong_type", "results.1")]),
    ({"results": [{"round": 1, "scores": {}}]}, [("wrong_type", "results.0.scores")]),
]


@pytest.mark.parametrize(("change", "expected"), BAD_STANDINGS)
def test_bad_standings_are_refused_with_every_finding(change, expected):
    said = ask("standings", **{"chain": ["points"], "entrants": ["a", "b"], "results": [table(1, a=1)], **change})
    assert codes(said) == expected


def test_matches_of_two_do_not_tell_hands_won():
    match = {"round": 1, "home": "a", "away": "b", "home_score": "2", "away_score": "0"}
    said = ask("standings", chain=["points", "hands_won"], entrants=["a", "b"], results=[match])
    assert said["error"]["code"] == "data_missing"


def test_a_folded_table_goes_into_the_standings():
    profile = load("zhaopengyou", individual=True)
    hand = read_entry(profile, {"kind": "hand", "dealer": "1", "ally": "3", "captured_in_tricks": 0, **LAST})
    end = read_entry(profile, {"kind": "end", "reason": "time"})
    state = fold(profile, IndividualOpening.first(profile), [hand, end])
    players = dict(zip(Place, ["e", "d", "c", "b", "a"], strict=True))
    result = IndividualResult.of(1, players, results_of(state))
    assert (result.winners, dict(result.levels)["c"], dict(result.hands_won)["d"]) == (("e", "c"), "5", 0)
    ranked = rank_individuals(CHAINS["individual_levels"], list(players.values()), [result])
    assert [(row.entrant, row.rank) for row in ranked] == [("c", 1), ("e", 1), ("a", 3), ("b", 3), ("d", 3)]
    assert ranked[0].shown["sum_levels"] == "5"


def test_no_tiebreak_needs_an_opponent_in_the_chains_of_individual_games():
    for name in ("individual", "individual_levels"):
        assert set(CHAINS[name]) <= set(INDIVIDUAL_TIEBREAKS)
    with pytest.raises(Refused):
        rank_individuals(CHAINS["swiss"], ["a"], [])


tables = st.lists(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(-9, 9), min_size=2, max_size=5), max_size=5
).map(lambda found: [table(number, **scores) for number, scores in enumerate(found, start=1)])


@pytest.mark.long
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(results, chance):
    mixed = list(results)
    chance.shuffle(mixed)
    chain = CHAINS["individual"]
    first = standings(chain, results, "abcdef", seed="s")
    assert json.dumps(first) == json.dumps(standings(chain, mixed, "abcdef", seed="s"))
    points = [int(row["values"]["points"]) for row in first["answer"]["rows"]]
    assert points == sorted(points, reverse=True)
    assert sum(points) == sum(int(score) for row in results for score in row["scores"].values())


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-300, 300)
    | st.floats(allow_nan=False)
    | st.sampled_from(["1", "a", "2", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["1", "2", "a", "kind", "levels", "scores", "round", "winners"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@pytest.mark.long
@given(
    st.sampled_from(["individual_hand", "individual_state", "standings"]),
    st.sampled_from(["sandayi", "ersibai", "zhaopengyou"]),
    st.dictionaries(
        st.sampled_from(
            ["hand", "levels", "opening", "ledger", "conditions", "chain", "entrants", "results", "seed", "penalties"]
        ),
        anything,
        max_size=5,
    ),
)
def test_any_question_is_answered_or_refused(op, profile, fields):
    said = ask(op, profile, **fields)
    assert set(said) in ({"id", "answer", "because"}, {"id", "error"})
    json.dumps(said)
