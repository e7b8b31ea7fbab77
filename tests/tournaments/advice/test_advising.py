"""Made-up events: the rules of the form hold in every one, the same seed gives the same report, more skill shows."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from scoring.profiles.loader import load
from scoring.standings.chains import CHAINS
from tournaments.advice.advising import PAUSE, Question, advise
from tournaments.advice.boards import BoardPlay
from tournaments.advice.playing import Form, Model, Play, Played
from tournaments.advice.singles import SINGLES
from tournaments.advice.trials import FORMATS, play_of, trials
from tournaments.plans.plan import BoardMeasure, BoardWorth, Carry, MovementKind, Plan

SWISS = Form(load("cn-national-2d"), "swiss_timed", "mp_210", CHAINS["swiss"], "draw", 4, minutes=40)
ALL_MEET = replace(SWISS, format="rr", chain=CHAINS["round_robin"])
POINTS = BoardMeasure.ATTACKERS_POINTS
BY_LEVELS = Plan(boards=4, measure=BoardMeasure.HAND_POINTS)
KNOCKOUT = replace(SWISS, format="ko_timed", tie_rule="on_stage")


def question(form: Form = SWISS, *, entrants: int = 8, rounds: tuple[int, ...] = (3,), **more: object) -> Question:
    usual = {"form": form, "model": Model(), "entrants": entrants, "rounds": rounds, "events": 20, "seed": "s"}
    return Question(**usual | more)


def matches(form: Form, events: int) -> list[Played]:
    """All matches of so many events of eight sides."""
    made = trials(Play(form, Model()), 8, events, "s")
    return [one for trial in made for round_ in trial.matches for *_, one in round_]


def test_the_same_seed_gives_the_same_report_and_another_one_another() -> None:
    first, again = (json.dumps(advise(question())) for _ in range(2))
    assert first == again
    assert json.dumps(advise(question(seed="t"))) != first


@pytest.mark.parametrize("format_", [one for one in FORMATS if one != SINGLES])
def test_everybody_gets_a_place_and_plays_as_often_as_the_format_says(format_: str) -> None:
    form = replace({"rr": ALL_MEET, "ko_timed": KNOCKOUT}.get(format_, SWISS), format=format_, rounds=3)
    form = replace(form, plan=BY_LEVELS) if format_.startswith("dup") else form
    for trial in trials(play_of(form, Model()), 6, 3, "s"):
        assert min(trial.places) == 1
        assert list(trial.strengths) == sorted(trial.strengths, reverse=True)
        met = [frozenset(one.who) for matches in trial.matches for one in matches]
        assert format_ == "danish" or len(set(met)) == len(met)
        rounds = {"rr": 5, "groups_rr": 5, "ko_timed": 3}.get(format_, 3)
        assert len(trial.matches) == rounds
    if format_ == "rr":
        assert set(met) == {frozenset(pair) for pair in combinations(range(6), 2)}


@pytest.mark.parametrize("profile", ["cn-national-1d", "cn-national-2d", "cn-national-3d", "changzhou-4d"])
def test_the_deal_changes_hands_as_often_with_any_number_of_decks(profile: str) -> None:
    rules, chance = load(profile), Random(1)
    totals = [Model().total(chance, 0, 0, rules.points_max) for _ in range(2_000)]
    assert 880 < sum(total >= rules.threshold for total in totals) < 980
    assert all(total % 5 == 0 for total in totals)


def test_a_knockout_has_one_winner_and_shares_the_places_of_a_round() -> None:
    for trial in trials(Play(KNOCKOUT, Model()), 8, 5, "s"):
        assert sorted(trial.places) == [1, 2, 3, 3, 5, 5, 5, 5]


def test_a_match_ends_with_the_first_hand_that_ends_after_its_time() -> None:
    played = [
        one for trial in trials(Play(SWISS, Model()), 8, 20, "s") for matches in trial.matches for *_, one in matches
    ]
    longest = 16 * Model().pace // 8
    assert all(one.full or 40 * 60 <= one.seconds < 40 * 60 + longest for one in played)
    assert any(one.winner is None for one in played)
    led = replace(SWISS, lead_levels=2)
    early = [
        one for trial in trials(Play(led, Model()), 8, 20, "s") for matches in trial.matches for *_, one in matches
    ]
    assert any(one.full for one in early)


@pytest.mark.parametrize("rule", ["on_stage", "first_to_reach", "extra_hand", "lots"])
def test_a_tie_rule_that_names_a_winner_leaves_no_match_drawn(rule: str) -> None:
    form = replace(SWISS, tie_rule=rule)
    played = [
        one for trial in trials(Play(form, Model()), 8, 10, "s") for matches in trial.matches for *_, one in matches
    ]
    assert all(one.winner is not None for one in played)
    if rule == "extra_hand":
        assert all(one.home_level != one.away_level for one in played)


def test_in_a_wide_field_the_strongest_wins_more_often_than_in_an_even_one() -> None:
    wins = {}
    for spread in (0, 4):
        report = advise(question(events=60, model=Model(spread=spread)))
        wins[spread] = report["options"][0]["strongest_wins"]
    assert wins[0] < 300 < wins[4]


def test_shares_add_up_and_the_hall_follows_from_the_field() -> None:
    report = advise(question(entrants=9, rounds=(3, 5)))
    assert [one["rounds"] for one in report["options"]] == [3, 5]
    for one in report["options"]:
        assert abs(sum(one["strongest"].values()) - 1000) < 10
        assert abs(sum(share for *_, share in one["finish"]) - 1000) < 10
        assert one["minutes"]["half"] >= 40 * one["rounds"] + PAUSE * (one["rounds"] - 1)
        assert one["compared"] == 4
    assert report["hall"]["tables"] == 4
    assert 1 <= report["hall"]["referees"] <= 4
    assert len(report["findings"]) >= 4
    assert all(one["en"] and one["zh"] for one in report["findings"])


def test_counting_otherwise_moves_nothing_where_the_other_way_is_the_same() -> None:
    """Three points for a win order a field without draws as two do."""
    report = advise(question(replace(SWISS, tie_rule="on_stage", match_score="mp_10"), events=10))
    assert report["options"][0]["otherwise"]["scale:mp_210"] == {"other_winner": 0, "moved": 0}


def test_more_rounds_than_there_are_opponents_meet_again_rather_than_fail() -> None:
    (trial,) = trials(Play(replace(SWISS, rounds=5), Model()), 4, 1, "s")
    assert [len(matches) for matches in trial.matches] == [2] * 5


IN_GROUPS = replace(ALL_MEET, format="groups_rr", groups=2)
THEN = replace(KNOCKOUT, qualify=2)


@pytest.mark.parametrize(
    ("groups", "group_of", "sizes"), [(2, None, [4, 4]), (3, None, [2, 3, 3]), (None, 3, [2, 3, 3])]
)
def test_groups_are_dealt_evenly_and_meet_among_themselves(
    groups: int | None, group_of: int | None, sizes: list[int]
) -> None:
    (trial,) = trials(Play(replace(IN_GROUPS, groups=groups, group_of=group_of), Model()), 8, 1, "s")
    assert sorted(len(one.members) for one in trial.tables) == sizes
    for one in trial.tables:
        met = {frozenset((home, away)) for _, home, away, _ in one.matches}
        assert met == {frozenset(pair) for pair in combinations(one.members, 2)}
    assert trial.places.count(1) == len(sizes)


def test_who_comes_through_stands_before_who_does_not() -> None:
    for trial in trials(Play(IN_GROUPS, Model()), 8, 5, "s", [Play(THEN, Model())]):
        assert sorted(trial.places) == [1, 2, 3, 3, 5, 5, 7, 7]
        first = {one for group in trial.tables for one in group.members if trial.places[one] <= 4}
        assert all(len(first & set(group.members)) == 2 for group in trial.tables)
        assert len(trial.matches) == 3 + 2


@pytest.mark.parametrize("carry", list(Carry))
def test_what_is_carried_counts_in_the_next_stage(carry: Carry) -> None:
    """A leader by far is not caught in one round when all points come along."""
    final = replace(ALL_MEET, qualify=4, carry=carry)
    for trial in trials(Play(replace(SWISS, rounds=5), Model()), 8, 4, "s", [Play(final, Model())]):
        assert sorted(trial.places)[-4:] == [5, 6, 7, 8]
        assert len(trial.matches) == 5 + 3


def test_advice_of_a_chain_counts_who_comes_through() -> None:
    report = advise(question(IN_GROUPS, then=(THEN,)))
    assert (report["stages"], report["through"]) == (2, 2)
    (option,) = report["options"]
    assert option["minutes"]["half"] >= 40 * 5 + PAUSE * 4
    assert any("all 2 stages" in one["en"] for one in report["findings"])
    assert any("others advance" in one["en"] for one in report["findings"])
    assert json.dumps(report) == json.dumps(advise(question(IN_GROUPS, then=(THEN,))))


# boards

ON_TEAMS = replace(
    SWISS, format="dup_teams", chain=("points", "opponents", "head_to_head", "lots"), minutes=None, plan=BY_LEVELS
)
ON_PAIRS = replace(ON_TEAMS, format="dup_pairs", match_score="hand_points", chain=("points", "wins", "lots"))


@pytest.mark.parametrize(
    ("form", "more"),
    [
        (ON_TEAMS, {}),
        (ON_TEAMS, {"match_score": "vp20_levels"}),
        (ON_TEAMS, {"match_score": "vp20_imp", "plan": Plan(boards=4, measure=POINTS, board_scale=BoardWorth.IMP)}),
        (ON_TEAMS, {"plan": Plan(boards=3, board_scale=BoardWorth.WINS)}),
        (ON_PAIRS, {}),
        (ON_PAIRS, {"plan": replace(BY_LEVELS, movement=MovementKind.HOWELL), "rounds": 7}),
        (ON_PAIRS, {"plan": replace(BY_LEVELS, board_scale=BoardWorth.CROSS_IMP), "match_score": "vp20_levels"}),
    ],
)
def test_an_event_on_boards_is_tried(form: Form, more: dict[str, object]) -> None:
    form = replace(form, **more)
    assert form.plan is not None
    report, again = (advise(question(form, rounds=(form.rounds if "rounds" in more else 3,))) for _ in "12")
    assert report == again
    (one,) = report["options"]
    assert abs(sum(one["strongest"].values()) - 1000) < 10
    assert one["hands"]["half"] == form.plan.boards
    assert report["hall"]["tables"] == (8 if form.format == "dup_teams" else 4)
    assert report["boards"]
    said = " ".join(one["en"] for one in report["findings"])
    assert "On boards nobody climbs" in said
    named = {what.partition(":")[2] for what in one["otherwise"] if what.startswith("scale:")}
    assert not named & {"base15", "vp20_cont", "vp20_disc", form.match_score}


@pytest.mark.parametrize("base", [ON_TEAMS, ON_PAIRS])
def test_on_boards_too_the_strongest_wins_more_often_in_a_wide_field(base: Form) -> None:
    wins = {}
    for spread in (0, 6):
        form = replace(base, plan=replace(BY_LEVELS, boards=2))
        report = advise(question(form, events=60, rounds=(3,), model=Model(spread=spread)))
        wins[spread] = report["options"][0]["strongest_wins"]
    assert wins[0] < 300 < wins[6]


def test_both_rooms_of_a_board_have_the_same_cards() -> None:
    """Equal teams differ on a board by less than two hands of their own would."""
    play = BoardPlay(replace(ON_TEAMS, plan=replace(BY_LEVELS, boards=1, measure=POINTS)), Model())
    nets = [int(play.match(Random(str(n)), 0, 0).net or 0) for n in range(400)]
    assert abs(sum(nets)) < 400 * 5
    hand = [Model().total(Random(str(n)), 0, 0, 200) for n in range(400)]
    mean = sum(hand) / 400
    assert sum(net * net for net in nets) < sum((total - mean) ** 2 for total in hand)


# single players

BIDDING = Form(load("sandayi", individual=True), SINGLES, "", CHAINS["individual"], "draw", 3, hands=8)
FOR_THEMSELVES = replace(BIDDING, profile=load("ersibai", individual=True), hands=6)
WITH_A_FRIEND = replace(
    BIDDING, profile=load("zhaopengyou", individual=True), chain=CHAINS["individual_levels"], hands=None, minutes=60
)
GAMES = {"alone": BIDDING, "everyone": FOR_THEMSELVES, "ally": WITH_A_FRIEND}


@pytest.mark.parametrize("form", GAMES.values(), ids=GAMES)
def test_an_evening_of_single_players_is_tried(form: Form) -> None:
    report, again = (advise(question(form, entrants=11, rounds=(2, 3), events=10)) for _ in "12")
    assert report == again
    assert report["singles"]
    assert report["hall"]["tables"] == 11 // form.profile.players
    for one in report["options"]:
        assert abs(sum(one["strongest"].values()) - 1000) < 10
        assert not any(what.startswith("scale:") for what in one["otherwise"])
    said = report["findings"][0]
    assert "the strongest player wins" in said["en"]
    assert "最强的选手" in said["zh"]


@pytest.mark.parametrize("form", GAMES.values(), ids=GAMES)
def test_single_players_sit_as_the_draw_seats_them_and_score_by_their_rules(form: Form) -> None:
    size = form.profile.players
    for trial in trials(play_of(form, Model()), 2 * size + 1, 3, "s"):
        assert [len(matches) for matches in trial.matches] == [2] * 3
        for matches in trial.matches:
            assert len({one for match in matches for one in match.who}) == 2 * size
            for match in matches:
                assert form.hands is None or match.played.hands == form.hands
        (table,) = trial.tables
        assert len(table.results) == 6
        for result in table.results:
            won = sum(result.scores.values())
            if form is BIDDING:
                assert won == 0
            if form is FOR_THEMSELVES:
                assert won == 240 * 6
            if form is WITH_A_FRIEND:
                assert set(result.levels) == set(result.scores)


@pytest.mark.parametrize("form", GAMES.values(), ids=GAMES)
def test_among_single_players_too_the_strongest_wins_more_often_in_a_wide_field(form: Form) -> None:
    wins = {}
    for spread in (0, 6):
        report = advise(question(form, entrants=10, events=60, rounds=(2,), model=Model(spread=spread)))
        wins[spread] = report["options"][0]["strongest_wins"]
    assert wins[0] < 250 < wins[6]
