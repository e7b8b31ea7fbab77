"""The kernel and the slow calculation come to the same numbers: on the case events, and on random sittings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.entries import HandSheet
from scoring.hands.sheets import check_sheet, read_entry
from scoring.profiles import build
from scoring.sittings.fold import fold
from scoring.sittings.states import Conditions, Opening
from scoring.standings.knockout import KnockoutMatch, rank_knockout
from scoring.standings.match_scores import score
from scoring.standings.ranking import rank
from scoring.standings.results import Result
from scoring.values import Side, exact
from tests.slow.events import table_of
from tests.slow.make_expected import EVENTS, read
from tests.slow.sittings import Sitting, with_corrections
from tests.slow.tables import F3_RULES, NATIONAL_2D, SIDE

PARTY = {Side.NS: "home", Side.EW: "away", None: None}


def kernel_match(event, match, *, corrected):
    """One match of a case event by the kernel: the state, its score and who won."""
    profile = build(event["profile"])
    stage = event["stage"]
    conditions = Conditions(lead_levels=stage["lead_levels"], tie_rule=stage["tie_rule"], format="timed")
    raw = with_corrections(match["ledger"], match["corrections"] if corrected else [])
    if match["end"] == "time":
        raw.append({"kind": "end", "reason": "time"})
    entries = [
        read_entry(profile, {name: value for name, value in entry.items() if name != "entered_by"}) for entry in raw
    ]
    for entry in entries:
        if isinstance(entry, HandSheet):
            assert [one for one in check_sheet(profile, entry) if one.blocking] == []
    opening = Opening.from_json({**match["opening"], "first_dealer": match["first_dealer"]})
    state = fold(profile, opening, entries, conditions)
    levels = {side: "passed" if state.passed is side else str(state.levels[side]) for side in Side}
    if match["forfeit"]:
        outcome, home_level, away_level, decided_by = match["forfeit"]["outcome"], None, None, "forfeit"
    else:
        outcome, home_level, away_level = "played", levels[Side.NS], levels[Side.EW]
        decided_by = state.decided_by
        assert state.finished
    by_rule = PARTY[state.winner] if decided_by == "tie_rule" else None
    result = score(
        stage["scale"], home=home_level, away=away_level, outcome=outcome, by_tie_rule=by_rule, ladder=profile.ladder
    )
    return state, result, outcome, home_level, away_level, decided_by


def kernel_event(event, *, corrected):
    """Matches and results of a whole case event by the kernel, in the form of expected.json."""
    rounds, results = [], []
    for one in event["rounds"]:
        matches = []
        for match in one["matches"]:
            state, result, outcome, home_level, away_level, decided_by = kernel_match(event, match, corrected=corrected)
            winner = {"home": match["home"], "away": match["away"], None: None}[result.winner]
            results.append(
                Result(
                    round=one["number"],
                    home=match["home"],
                    away=match["away"],
                    home_score=result.home,
                    away_score=result.away,
                    home_level=home_level,
                    away_level=away_level,
                    outcome=outcome,
                    winner=winner,
                )
            )
            lines = [entry for entry in state.entries if entry.kind != "end"]
            matches.append(
                {
                    "table": match["table"],
                    "home": match["home"],
                    "away": match["away"],
                    "outcome": outcome,
                    "decided_by": decided_by,
                    "winner": winner,
                    "home_level": home_level,
                    "away_level": away_level,
                    "home_score": exact(result.home),
                    "away_score": exact(result.away),
                    "entries": [kernel_line(entry) for entry in lines],
                }
            )
        rounds.append({"number": one["number"], "matches": matches})
    entrants = [entrant["id"] for entrant in event["entrants"]]
    if event["stage"]["format"] == "ko_timed":
        meetings = [KnockoutMatch(one.round, one.home, one.away, one.winner, one.outcome) for one in results]
        rows = [row.to_json() for row in rank_knockout(entrants, meetings)]
    else:
        rows = [row.to_json() for row in rank(event["stage"]["chain"], entrants, results)]
    keys = ("entrant", "rank", "shared", "values", "split_by")
    return rounds, [{key: row[key] for key in keys} for row in rows]


def kernel_line(entry):
    """One entry's result as expected.json has it (hand numbers are the record's, not the kernel's)."""
    after = entry.after.to_json()
    if entry.passed:
        after["levels"][str(entry.passed)] = "passed"
    line = {"kind": entry.kind}
    if entry.kind in ("hand", "adjusted"):
        line |= {
            "dealer": str(entry.dealer),
            "level": str(entry.level),
            "total": entry.total.raw if entry.total else None,
            "winner_role": str(entry.winner_role),
            "levels_won": entry.levels_won,
            "deal_changes_hands": entry.deal_changes_hands,
            "hook": entry.hook,
        }
    elif entry.kind == "annulled":
        line |= {"dealer": str(entry.dealer), "level": str(entry.level)}
    return line | {name: after[name] for name in ("levels", "next_dealer", "on_stage")}


def without_numbers(rounds):
    return [
        {
            **one,
            "matches": [
                {
                    **match,
                    "entries": [
                        {name: value for name, value in line.items() if name != "hand_no"} for line in match["entries"]
                    ],
                }
                for match in one["matches"]
            ],
        }
        for one in rounds
    ]


@pytest.mark.parametrize("name", EVENTS)
def test_the_kernel_gives_what_is_expected(name):
    event, expected = read(name), read(name, "expected.json")
    rounds, table = kernel_event(event, corrected=True)
    assert rounds == without_numbers(expected["rounds"])
    assert table == expected["standings"]


@pytest.mark.parametrize("name", EVENTS)
def test_the_kernel_gives_what_stood_before_the_corrections(name):
    event, expected = read(name), read(name, "expected.json")
    rounds, table = kernel_event(event, corrected=False)
    assert table == expected["standings_before_corrections"]
    for before in expected["before_corrections"]:
        [match] = [
            match
            for one in without_numbers(rounds)
            if one["number"] == before["round"]
            for match in one["matches"]
            if match["table"] == before["table"]
        ]
        [stood] = without_numbers([{"matches": [before]}])[0]["matches"]
        assert match == {name: value for name, value in stood.items() if name != "round"}


five = st.integers(0, 20).map(lambda n: n * 5)
shapes = st.sampled_from(
    [
        [{"type": "single"}],
        [{"type": "pair"}],
        [{"type": "single"}, {"type": "single"}],
        [{"type": "pair"}, {"type": "single"}],
        [{"type": "tractor", "width": 2, "length": 2}],
        [{"type": "tractor", "width": 2, "length": 4}, {"type": "pair"}],
    ]
)
throws = st.lists(
    st.fixed_dictionaries({"side": st.sampled_from(["dealer", "attackers"]), "cards": st.integers(2, 9)}), max_size=2
)
hands = st.fixed_dictionaries(
    {
        "kind": st.just("hand"),
        "trump": st.sampled_from("SHCD"),
        "captured_in_tricks": five,
        "kitty_points": st.integers(0, 16).map(lambda n: n * 5),
        "last_trick_winner": st.sampled_from(["dealer", "attackers"]),
        "led": shapes,
        "throw_failures": throws,
    }
)
annulments = st.fixed_dictionaries({"kind": st.just("annulled"), "reason": st.sampled_from(["misdeal", "redeal"])})
penalties = st.fixed_dictionaries(
    {"kind": st.just("level_penalty"), "side": st.sampled_from(["NS", "EW"]), "levels": st.sampled_from([-2, -1, 1])}
)
adjusted = st.fixed_dictionaries(
    {
        "kind": st.just("adjusted"),
        "side": st.sampled_from(["NS", "EW"]),
        "levels": st.integers(0, 3),
        "deal_changes_hands": st.booleans(),
    }
)


@st.composite
def ledgers(draw):
    """Entries with now and then another dealer or level than was due, and a treatment."""
    entries = draw(st.lists(st.one_of(hands, hands, hands, annulments, penalties, adjusted), max_size=14))
    for entry in entries:
        if entry["kind"] == "hand" and draw(st.integers(0, 9)) == 0:
            entry["dealer"] = draw(st.sampled_from("NWSE"))
            entry["level"] = draw(st.sampled_from(["2", "5", "J", "K"]))
            entry["treatment"] = draw(st.sampled_from(["recompute", "let_stand"]))
        if entry["kind"] == "hand" and entry["last_trick_winner"] == "attackers" and draw(st.booleans()):
            entry["winning_play"] = [f"{entry['trump']}J"]
    return entries


@pytest.mark.long
@given(ledgers(), st.sampled_from("NWSE"), st.sampled_from([None, 5]), st.sampled_from(["national", "f3"]))
def test_random_sittings(ledger, dealer, lead, rules):
    f3 = {"base": "scn2-2013", "set": {"must_play": ["A"], "must_mode": "must_defend"}}
    profile, slow_rules = (build("cn-national-2d"), NATIONAL_2D) if rules == "national" else (build(f3), F3_RULES)
    opening = {"levels": {"NS": "10", "EW": "9"}, "first_dealer": dealer}
    slow = Sitting(slow_rules, opening, lead_levels=lead)
    counted = []
    for entry in ledger:
        if entry["kind"] == "adjusted":  # the side that gains is the one that keeps or takes the deal
            gains = (
                slow.dealer
                if not entry["deal_changes_hands"]
                else {"N": "W", "W": "S", "S": "E", "E": "N"}[slow.dealer]
            )
            entry["side"] = SIDE[gains]
        slow.enter(entry)
        counted.append(entry)
        if slow.finished:
            break
    state = fold(
        profile,
        Opening.from_json(opening),
        [read_entry(profile, entry) for entry in counted],
        Conditions(lead_levels=lead),
    )
    levels = {str(side): "passed" if state.passed is side else str(level) for side, level in state.levels.items()}
    assert levels == slow.levels
    assert (state.next_dealer and str(state.next_dealer)) == slow.dealer
    assert (state.decided_by, state.winner and str(state.winner)) == (slow.finished, slow.winner)


@st.composite
def finished_rounds(draw):
    """Rounds of finished matches in the form of expected.json, among up to eight entrants."""
    entrants = [f"P{i:02d}" for i in range(1, draw(st.sampled_from([4, 6, 8])) + 1)]
    rounds = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(entrants))
        matches = []
        for home, away in zip(order[::2], order[1::2], strict=True):
            outcome = draw(st.sampled_from(["played"] * 6 + ["home_forfeit", "away_forfeit", "double_forfeit"]))
            levels = (
                draw(st.tuples(*[st.sampled_from(["3", "7", "K", "A"])] * 2)) if outcome == "played" else (None, None)
            )
            result = score("mp_210", home=levels[0], away=levels[1], outcome=outcome)
            matches.append(
                {
                    "home": home,
                    "away": away,
                    "outcome": outcome,
                    "winner": {"home": home, "away": away, None: None}[result.winner],
                    "home_level": levels[0],
                    "away_level": levels[1],
                    "home_score": exact(result.home),
                    "away_score": exact(result.away),
                }
            )
        rounds.append({"number": number, "matches": matches})
    return entrants, rounds


chains = st.permutations(["opponents", "wins", "head_to_head", "net_levels", "sum_levels"])


@pytest.mark.long
@given(finished_rounds(), chains, st.integers(0, 5))
def test_random_tables(field, chain, length):
    entrants, rounds = field
    chain = ["points", *chain[:length]]
    event = {
        "entrants": [{"id": entrant, "number": number} for number, entrant in enumerate(entrants, start=1)],
        "stage": {"chain": chain},
    }
    results = [Result.from_json({"round": one["number"], **match}) for one in rounds for match in one["matches"]]
    keys = ("entrant", "rank", "shared", "values", "split_by")
    rows = [{key: row.to_json()[key] for key in keys} for row in rank(chain, entrants, results)]
    assert rows == table_of(event, rounds)
