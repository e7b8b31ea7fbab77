"""Who deals among single players and who is whose friend; the worked examples are in the vectors, here the laws."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards.disagreements import disagreements
from scoring.cards.record_reading import parse
from scoring.cards.records import write
from scoring.cards.replay import replay
from scoring.hands.entries import HandSheet
from scoring.hands.fields import BY_NAME
from scoring.hands.findings import Refused
from scoring.hands.outcomes import level_result
from scoring.hands.sheets import check_sheet, read_entry
from scoring.hands.variants import SCORINGS, FixedHand, fixed_scores, own_line
from scoring.individual.allies import find_ally
from scoring.individual.contests import Bid, ContestAct, bid_down, contest
from scoring.individual.entries import Call
from scoring.profiles import ProfileError, build, load
from scoring.questions.protocol import answer
from scoring.simulation.hand import simulate
from scoring.values import Card, Level, Place, Role, Seat, Side, Trump

ALONE, FRIENDS = load("sandayi", individual=True), load("zhaopengyou", individual=True)
TWOS = dict.fromkeys(Place, Level("2"))


@given(st.sampled_from(list(Seat)), st.lists(st.sampled_from([None, *range(75, 130, 5)]), max_size=20))
def test_bids_only_fall_and_the_lowest_plays_alone(first: Seat, bids: list[int | None]) -> None:
    acts, state = list[Bid](), bid_down(ALONE, first, [])
    for bid in bids:
        if state.turn is None:
            break
        before = state.standing
        acts.append(Bid(state.turn, bid))
        state = bid_down(ALONE, first, acts)
        assert before is None or (state.standing is not None and state.standing <= before)
    assert (state.turn is None) == (state.dealer is not None or state.redeal)
    if state.dealer is not None:
        assert Bid(state.dealer, state.standing) in acts
    if state.redeal:
        assert state.standing is None


def test_bidders_are_named_by_seat_or_by_place() -> None:
    for names in ("NWSE", "1234"):
        acts = [{"by": name, "bid": bid} for name, bid in zip(names, (120, None, 100, None), strict=True)]
        asked = {"op": "bid_sequence", "first": names[0], "acts": [*acts, {"by": names[0], "bid": None}]}
        said = answer({"id": 1, "profile": "sandayi", "input": asked})["answer"]
        assert (said["dealer"], said["bid"], said["turn"]) == (names[2], 100, None)
    mixed = {"op": "bid_sequence", "first": "N", "acts": [{"by": "1", "bid": 120}]}
    said = answer({"id": 1, "profile": "sandayi", "input": mixed})["answer"]
    assert [one["code"] for one in said["problems"]] == ["out_of_turn"]


def test_who_passed_is_out_and_a_late_bid_finds_the_bidding_over() -> None:
    acts = [Bid(Seat.N, None), Bid(Seat.W, 120), Bid(Seat.S, None), Bid(Seat.E, 100)]
    assert bid_down(ALONE, Seat.N, acts).turn is Seat.W  # not North, who has passed
    over = bid_down(ALONE, Seat.N, [*acts, Bid(Seat.W, None), Bid(Seat.N, 90)])
    assert (over.dealer, over.standing, over.turn) == (Seat.E, 100, None)
    assert [(number, one.code) for number, one in over.problems] == [(6, "bidding_over")]
    # three have passed: the last may still bid, or leave it at that
    passed = [Bid(seat, None) for seat in (Seat.N, Seat.W, Seat.S)]
    assert bid_down(ALONE, Seat.N, passed).turn is Seat.E
    assert bid_down(ALONE, Seat.N, [*passed, Bid(Seat.E, 120)]).dealer is Seat.E


def shown(act: str, by: str, *cards: str) -> ContestAct:
    return ContestAct(act, Place(by), tuple(map(Card.parse, cards)))


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        ([shown("counter", "1", "H2", "H2")], "nothing_to_counter"),
        ([shown("declare", "1", "H2"), shown("declare", "2", "C2")], "declared_already"),
        ([shown("declare", "1", "H2"), shown("counter", "1", "C2", "C2")], "own_counter"),
        ([shown("declare", "1", "H2"), shown("counter", "2", "C2")], "not_higher"),
        ([shown("declare", "1", "H2"), shown("reinforce", "2", "H2")], "not_own_declaration"),
        ([shown("declare", "1", "H2"), shown("reinforce", "1", "C2")], "not_identical"),
        ([shown("declare", "1", "H2", "C2")], "not_identical"),
        ([shown("declare", "1", "JS")], "single_joker"),
        ([shown("declare", "1", "H3")], "not_own_level"),
    ],
)
def test_what_may_not_be_shown_is_left_out_with_its_reason(acts: list[ContestAct], code: str) -> None:
    state = contest(FRIENDS, TWOS, acts)
    assert [one.code for _, one in state.problems] == [code]
    assert state.shown == (acts[0].cards if len(acts) > 1 else ())


def test_a_reinforced_declaration_is_countered_by_more_only() -> None:
    acts = [shown("declare", "1", "H2"), shown("reinforce", "1", "H2"), shown("counter", "2", "C2", "C2")]
    state = contest(FRIENDS, TWOS, acts)
    assert (state.dealer, state.trump) == (Place.P1, Trump.H)
    assert [one.code for _, one in state.problems] == ["not_higher"]
    last = contest(FRIENDS, TWOS, [*acts, shown("counter", "4", "JB", "JB")])
    assert (last.dealer, last.trump, last.level) == (Place.P4, Trump.NT, Level("2"))
    assert contest(FRIENDS, TWOS, []).redeal is False
    assert contest(FRIENDS, TWOS, [], complete=True).redeal is True


@given(st.randoms(), st.integers(1, 3))
def test_the_friend_is_who_plays_that_copy_whatever_else_falls(chance: Random, ordinal: int) -> None:
    ace, other = Card("S", "A"), Card("H", "3")
    plays = [ace] * 3 + [other] * 22
    chance.shuffle(plays)
    order = list(Place) * 5
    tricks = [[(order[n], (plays[n],)) for n in range(first, first + 5)] for first in range(0, 25, 5)]
    at = [n for n, card in enumerate(plays) if card == ace][ordinal - 1]
    found = find_ally(FRIENDS, Place.P1, Call(ace, ordinal), tricks)
    assert (found.place, found.found_in, found.alone) == (order[at], at // 5 + 1, order[at] is Place.P1)
    unknown = find_ally(FRIENDS, Place.P1, Call(ace, ordinal), tricks[: at // 5])
    assert (unknown.place, unknown.alone) == (None, None)
    alone = find_ally(FRIENDS, Place.P1, Call(ace, ordinal), tricks[: at // 5], complete=True)
    assert (alone.place, alone.alone) == (Place.P1, True)


@given(st.integers(1, 20), st.integers(0, 60))
def test_the_line_of_the_dealer_parts_the_totals(fives: int, total: int) -> None:
    profile, line = load("wiki-one-deck"), 5 * fives
    result = own_line(profile, line, 5 * total)
    assert (result.winner_role is Role.ATTACKERS) == (5 * total >= line)
    assert own_line(profile, 40, 5 * total).levels == level_result(profile, 5 * total).levels
    with pytest.raises(Refused):
        own_line(load("cn-national-2d"), line, 5 * total)


@pytest.mark.parametrize(
    ("line", "code"), [(0, "out_of_range"), (105, "out_of_range"), (42, "out_of_range"), ("40", "not_a_whole_number")]
)
def test_a_line_is_a_multiple_of_five_up_to_a_hundred(line: object, code: str) -> None:
    asked = {"op": "own_line", "line": line, "attackers_total": 40}
    assert answer({"id": 1, "profile": "wiki-one-deck", "input": asked})["error"]["code"] == code


@given(st.lists(st.tuples(st.sampled_from(list(Seat)), st.integers(0, 40)), max_size=12))
def test_fixed_trump_counts_every_hand_for_one_side(rows: list[tuple[Seat, int]]) -> None:
    profile = load("cn-national-2d")
    hands = [FixedHand(dealer, 5 * total) for dealer, total in rows]
    scores = {scoring: fixed_scores(profile, scoring, hands) for scoring in SCORINGS}
    assert sum(scores["wins"].values()) == len(hands)
    assert sum(scores["points"].values()) == sum(hand.attackers_total for hand in hands)
    assert all(scores["hand_points"][side] >= scores["wins"][side] for side in Side)


def test_other_games_have_neither_bids_nor_friends() -> None:
    for op, fields, code in (
        ("bid_sequence", {"first": "N", "acts": []}, "bids_not_here"),
        ("friend_call", {}, "no_allies_here"),
        ("friend_contest", {}, "no_allies_here"),
    ):
        said = answer({"id": 1, "profile": "ersibai", "input": {"op": op, **fields}})
        assert said["error"]["code"] == code


# --- the dealer's own line as a value of a hand ---

LINED = {
    "kind": "hand",
    "dealer": "N",
    "level": "3",
    "trump": "H",
    "captured_in_tricks": 35,
    "last_trick_winner": "dealer",
}
ONE_DECK = load("wiki-one-deck")
TABLE = [
    {"from": None, "to": 35, "role": "dealer", "levels": 1},
    {"from": 40, "to": None, "role": "attackers", "levels": 0},
]


@pytest.mark.parametrize(
    ("line", "levels", "dealer"),
    [(None, "4 3", "S"), (35, "3 3", "W"), (15, "3 4", "W"), (40, "4 3", "S"), (60, "5 3", "S"), (100, "7 3", "S")],
)
def test_a_hand_is_counted_by_the_line_its_dealer_set(line: int | None, levels: str, dealer: str) -> None:
    own = {} if line is None else {"line": line}
    begun = {"levels": {"NS": "3", "EW": "3"}, "first_dealer": "N"}
    asked = {"op": "sitting_state", "opening": begun, "ledger": [LINED | own]}
    said = answer({"id": 1, "profile": "wiki-one-deck", "input": asked})["answer"]
    assert (" ".join(said["levels"].values()), said["next_dealer"]) == (levels, dealer)
    entry = read_entry(ONE_DECK, LINED | own)
    assert read_entry(ONE_DECK, entry.to_json()) == entry
    cited = [one["clause"] for one in said["entries"][0]["because"]]
    assert ("variant.own_line" in cited) is (line is not None)
    total = answer({"id": 1, "profile": "wiki-one-deck", "input": {"op": "hand_total", **own, **_without_kind(LINED)}})
    if line is not None:
        result = own_line(ONE_DECK, line, 35)
        assert (total["answer"]["winner_side"], total["answer"]["levels"]) == (result.winner_role.value, result.levels)


def _without_kind(entry: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in entry.items() if name != "kind"}


@pytest.mark.parametrize(
    ("profile", "line", "code"),
    [
        ("wiki-one-deck", 33, "out_of_range"),
        ("wiki-one-deck", 0, "out_of_range"),
        ("wiki-one-deck", 105, "out_of_range"),
        ("cn-national-2d", 35, "one_deck_only"),
    ],
)
def test_a_line_that_cannot_be_set_is_refused(profile: str, line: int, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_entry(load(profile), LINED | {"line": line})
    assert code in [one.code for one in refused.value.findings]


@pytest.mark.parametrize(
    ("changes", "line", "total", "role", "levels"),
    [
        ({"score_cap": 60}, 100, 95, Role.DEALER, 2),
        ({"score_cap": 60}, 60, 95, Role.ATTACKERS, 0),
        ({"level_table": TABLE}, 30, 50, Role.ATTACKERS, 1),
        ({"level_table": TABLE}, 50, 30, Role.DEALER, 1),
    ],
)
def test_a_line_holds_beside_a_cap_and_in_place_of_a_table(
    changes: dict[str, object], line: int, total: int, role: Role, levels: int
) -> None:
    profile = build({"base": "wiki-one-deck", "set": changes})
    result = own_line(profile, line, total)
    assert (result.winner_role, result.levels) == (role, levels)


@pytest.mark.parametrize(
    ("setting", "line", "code"),
    [
        ("must", None, "line_missing"),
        ("must", 35, None),
        ("may", None, None),
        ("may", 35, None),
        ("none", None, None),
        ("none", 35, "line_not_here"),
    ],
)
def test_an_event_demands_or_forbids_the_line_of_the_dealer(setting: str, line: int | None, code: str | None) -> None:
    rules = build({"base": "wiki-one-deck", "set": {"own_line": setting}})
    entry = read_entry(rules, LINED | ({} if line is None else {"line": line}))
    assert isinstance(entry, HandSheet)
    clause = None if setting == "may" else "set.own_line"
    assert [(one.code, one.clause) for one in check_sheet(rules, entry)] == ([] if code is None else [(code, clause)])
    record = simulate(ONE_DECK, Random(4), level=Level("5"), dealer=Seat.N)
    told = replay(rules, replace(record, tags=dict(record.tags) | ({} if line is None else {"line": str(line)})))
    assert [one.code for one in told.findings] == ([] if code is None else [code])
    assert BY_NAME["line"].here(rules) is (setting != "none")
    assert BY_NAME["line"].code(rules) == ("line_missing" if setting == "must" else None)
    spec = rules.spec()
    said = answer({"id": 1, "profile": spec, "input": {"op": "own_line", "line": 35, "attackers_total": 35}})
    assert ("error" in said) is (setting == "none")
    if setting == "must":
        assert [one["clause"] for one in said["because"]][:2] == ["set.own_line", "variant.own_line"]


def test_a_simulated_hand_has_the_line_that_the_rules_demand() -> None:
    rules = build({"base": "wiki-one-deck", "set": {"own_line": "must"}})
    assert replay(rules, simulate(rules, Random(4))).findings == ()


@pytest.mark.parametrize("base", ["cn-national-2d", "sandayi"])
def test_the_line_of_the_dealer_is_set_where_one_deck_is_played_by_two_sides(base: str) -> None:
    with pytest.raises(ProfileError, match="to no effect"):
        build({"base": base, "set": {"own_line": "must"}}, individual=True)


def test_the_line_stands_on_the_record_and_is_compared_with_the_sheet() -> None:
    record = simulate(ONE_DECK, Random(4), level=Level("5"), dealer=Seat.N)
    usual = replay(ONE_DECK, record)
    assert usual.total is not None
    (back,) = parse(write(replace(record, tags={**record.tags, "line": "100"})))
    again = replay(ONE_DECK, back)
    assert again.findings == ()
    assert again.sheet.line == 100
    result = own_line(ONE_DECK, 100, usual.total.raw)
    assert again.result is not None
    assert (again.result.winner_role, again.result.levels) == (result.winner_role, result.levels)
    assert [one.field for one in disagreements(again, usual.sheet)] == ["line"]
    (found,) = replay(ONE_DECK, replace(back, tags={**back.tags, "line": "33"})).findings
    assert found.code == "out_of_range"
