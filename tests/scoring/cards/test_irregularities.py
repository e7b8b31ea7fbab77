"""What the penalty schedules say of irregularities, and what an official could enter of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import penalties
from scoring.hands.findings import Refused
from scoring.hands.sheets import check_sheet, read_entry
from scoring.penalties.steps import nth_time, step_words
from scoring.profiles import load
from scoring.questions.irregularities import FOUND, Facts, propose
from scoring.questions.protocol import answer
from scoring.values import Seat, Side
from tests.scoring.making import hand, opening, play

SCN = "scn2-2013"


def ask(irregularity, profile=SCN, **facts):
    return answer({"id": 1, "profile": profile, "input": {"op": "irregularity", "irregularity": irregularity, **facts}})


def level(side, levels):
    return {"kind": "level_penalty", "side": side, "levels": levels}


def result(side, levels, *, changes):
    return {"kind": "adjusted", "dealer": "S", "side": side, "levels": levels, "deal_changes_hands": changes}


def annulled(reason, **more):
    return {"kind": "annulled", "reason": reason, **more}


def forfeit(side):
    return {"kind": "end", "reason": "forfeit", "by": side}


def points(amount, clause):
    return {"adjustments": [{"points": amount, "clause": f"penalty.{clause}"}]}


D, A = {"by": "NS", "dealer": "S"}, {"by": "EW", "dealer": "S"}
LATER, ONCE = {"found": "later"}, {"found": "at_once"}
#: irregularity, facts, case that is cited, entry without its reason
STANDARD = [
    ("late", {"by": "NS", "minutes": 3}, "late.warning", None),
    ("late", {"by": "NS", "minutes": 5}, "late.warning", None),
    ("late", {"by": "NS", "minutes": 6}, "late.levels", level("EW", 1)),
    ("late", {"by": "NS", "minutes": 10}, "late.levels", level("EW", 1)),
    ("late", {"by": "NS", "minutes": 11}, "late.levels", level("EW", 2)),
    ("late", {"by": "NS", "minutes": 15}, "late.forfeit", forfeit("NS")),
    ("late", {"by": "NS", "minutes": 10, "round_minutes": 40}, "late.forfeit", forfeit("NS")),
    ("late", {"by": "NS", "minutes": 10, "round_minutes": 60}, "late.levels", level("EW", 1)),
    ("absent", {"by": "EW"}, "absent.one", forfeit("EW")),
    ("absent", {"by": "EW", "earlier": 1}, "absent.one", {"sides": ["EW"], "excluded": True}),
    ("absent", {"both": True}, "absent.both", {"sides": ["NS", "EW"], "match_points": "0", "mode": "set"}),
    ("withdraw", {"by": "EW"}, "withdraw.leaves", forfeit("EW")),
    ("slow_play", {"by": "NS", "earlier": 1}, "slow_play.slow", None),
    ("slow_play", {"by": "NS", "earlier": 2}, "slow_play.slow", level("EW", 1)),
    ("slow_play", {"by": "NS", "earlier": 7}, "slow_play.slow", level("EW", 1)),
    ("off_time", {"dealer": "W"}, "off_time.hand", annulled("ruling", dealer="W")),
    ("revoke", D | ONCE, "revoke.at_once", None),
    ("revoke", D | LATER, "revoke.dealer", result("EW", 0, changes=True)),
    ("revoke", A | LATER, "revoke.attackers", result("NS", 1, changes=False)),
    ("revoke", D | LATER | {"attackers_total": 75}, "revoke.dealer", result("EW", 0, changes=True)),
    ("revoke", D | LATER | {"attackers_total": 80}, "revoke.dealer", result("EW", 0, changes=True)),
    ("revoke", D | LATER | {"attackers_total": 120}, "revoke.dealer", "real"),
    ("revoke", A | LATER | {"attackers_total": 40}, "revoke.attackers", result("NS", 1, changes=False)),
    ("revoke", A | LATER | {"attackers_total": 35}, "revoke.attackers", "real"),
    ("wrong_pattern", D | ONCE, "wrong_pattern.at_once", None),
    ("wrong_pattern", D | LATER, "wrong_pattern.later", level("NS", -1)),
    ("wrong_pattern", D | LATER | {"earlier": 1}, "wrong_pattern.later", level("NS", -1)),
    ("wrong_pattern", D | LATER | {"earlier": 2}, "wrong_pattern.later", forfeit("NS")),
    ("take_back", {"by": "EW"}, "take_back.play", level("EW", -1)),
    ("take_back", {"by": "EW", "earlier": 2}, "take_back.play", forfeit("EW")),
    ("card_count", D | {"found": "drawing"}, "card_count.drawing", annulled("misdeal", dealer="S")),
    ("card_count", D | LATER, "card_count.dealer", result("EW", 1, changes=True)),
    ("card_count", A | LATER, "card_count.attackers", result("NS", 1, changes=False)),
    ("card_count", {"both": True, "dealer": "S"} | LATER, "card_count.both", annulled("ruling", dealer="S")),
    ("kitty_count", D, "kitty_count.dealer", result("EW", 0, changes=True)),
    ("kitty_count", A, "kitty_count.attackers", result("NS", 1, changes=False)),
    ("kitty_count", D | {"agreed": True}, "kitty_count.corrected", points(20, "kitty_count.corrected")),
    ("look_back", {"by": "NS"}, "look_back.look", None),
    ("look_back", {"by": "NS", "earlier": 1}, "look_back.look", level("NS", -1)),
    ("exposed_card", {"by": "NS"}, "exposed_card.card", None),
    ("out_of_turn", {"by": "NS", "earlier": 2}, "out_of_turn.turn", level("NS", -1)),
    ("false_rebellion", A, "false_rebellion.shown", points(-10, "false_rebellion.shown")),
    ("throw_fail", D | {"cards": 5}, "throw_fail.fine", {"throw_failures": [{"side": "dealer", "cards": 5}]}),
    ("throw_fail", A | {"cards": 2}, "throw_fail.fine", {"throw_failures": [{"side": "attackers", "cards": 2}]}),
    ("illegal_information", D, "illegal_information.information", None),
    ("illegal_information", D | {"earlier": 1}, "illegal_information.information", result("EW", 1, changes=True)),
    ("illegal_information", D | {"earlier": 2}, "illegal_information.information", forfeit("NS")),
    ("signal_card_missing", {"by": "NS"}, "signal_card_missing.card", None),
    ("no_passback", D, "no_passback.fine", points(20, "no_passback.fine")),
    ("misconduct", {"by": "EW"}, "misconduct.conduct", None),
    (
        "misconduct",
        {"by": "EW", "earlier": 1},
        "misconduct.conduct",
        {"sides": ["EW"], "match_points": "-1", "mode": "add"},
    ),
    ("misboard", {"dealer": "N"}, "misboard.board", annulled("redeal", dealer="N")),
    ("score_error", {}, "score_error.score", None),
    ("unsigned", {}, "unsigned.sheet", None),
]


def without_reasons(entry):
    if entry is None:
        return None
    plain = {name: value for name, value in entry.items() if name != "why"}
    if "adjustments" in plain:
        plain["adjustments"] = [{n: v for n, v in row.items() if n != "why"} for row in plain["adjustments"]]
    return plain


@pytest.mark.parametrize(("irregularity", "facts", "case", "entry"), STANDARD)
def test_the_standard_schedule(irregularity, facts, case, entry):
    said = ask(irregularity, **facts)
    assert "error" not in said, said
    body = said["answer"]
    assert said["because"][0]["clause"] == f"penalty.{case}"
    assert body["real_result_stands"] is (entry == "real")
    assert without_reasons(body["entry"]) == (None if entry == "real" else entry)
    assert body["count"] == facts.get("earlier", 0) + 1
    for language in ("en", "zh"):
        assert body["sentence"][language]
        assert "{" not in body["sentence"][language]


INFORMATION = "illegal_information"
#: what was found beside the side, the case that is cited, a clause of the signals that is cited too
TOLD = [
    ({"channel": "tempo"}, "tempo", "signal.information"),
    ({"channel": "expression"}, "manner", "signal.information"),
    ({"channel": "gesture"}, "manner", "signal.information"),
    ({"channel": "speech"}, "speech", "signal.information.speech"),
    ({"channel": "shown_card"}, "shown_card", "signal.information.speech"),
    ({"channel": "card", "on_card": False}, "undisclosed", "signal.open"),
    ({"channel": "card_order", "on_card": False}, "undisclosed", "signal.open"),
    ({"channel": "unreasoned_play", "reasoned": False}, "unreasoned_play", "signal.information"),
]


@pytest.mark.parametrize(("facts", "case", "clause"), TOLD)
def test_every_way_of_illegal_information_has_its_clause_and_one_ladder(facts, case, clause):
    steps = []
    for earlier in range(4):
        whole = ask(INFORMATION, **D, **facts, earlier=earlier)
        said, cited = whole["answer"], [one["clause"] for one in whole["because"]]
        assert cited[:2] == [f"penalty.{INFORMATION}.{case}", clause]
        assert said["ask"], "a referee asks before he rules"
        assert said["count"] == earlier + 1
        steps.append(said["penalty"]["unit"])
    assert steps == ["warning", "result", "forfeit", "forfeit"]
    assert ask(INFORMATION, **D, **facts, schedule="strict")["answer"]["penalty"]["unit"] == "forfeit"


@pytest.mark.parametrize(
    ("facts", "code", "field"),
    [
        ({"channel": "card", "on_card": True}, "information_is_legal", "channel"),
        ({"channel": "unreasoned_play", "reasoned": True}, "information_is_legal", "channel"),
        ({"channel": "card"}, "missing", "on_card"),
        ({"channel": "unreasoned_play"}, "missing", "reasoned"),
        ({"channel": "smoke"}, "unknown_value", "channel"),
    ],
)
def test_what_is_legal_or_not_judged_yet_is_not_penalised(facts, code, field):
    error = ask(INFORMATION, **D, **facts)["error"]
    assert (error["code"], error["field"]) == (code, field)


def test_an_event_changes_the_ladder_of_all_ways_or_of_one():
    whole = {"base": "standard", "set": {f"{INFORMATION}.information": [{"unit": "forfeit"}]}}
    one = {"base": "standard", "set": {f"{INFORMATION}.tempo": [{"unit": "none"}]}}
    assert ask(INFORMATION, **D, channel="speech", schedule=whole)["answer"]["penalty"] == {"unit": "forfeit"}
    assert ask(INFORMATION, **D, channel="tempo", schedule=one)["answer"]["penalty"] == {"unit": "none"}
    assert ask(INFORMATION, **D, channel="speech", schedule=one)["answer"]["penalty"] == {"unit": "warning"}


def test_where_earlier_times_count_is_said_by_the_offence_or_by_the_event():
    standard = penalties.load("standard")
    assert {code for code, one in standard.offences.items() if one.memory == "event"} == {INFORMATION}
    own = penalties.load({"base": "standard", "memory": {INFORMATION: "stage", "late": "event"}})
    assert (own.offences[INFORMATION].memory, own.offences["late"].memory) == ("stage", "event")
    assert penalties.load(own.spec) == own
    for wrong in ({"nothing": "event"}, {"late": "day"}, ["late"]):
        with pytest.raises(Refused):
            penalties.load({"base": "standard", "memory": wrong})


def test_a_split_score_gives_the_innocent_side_its_own():
    step = {"unit": "match_points", "mode": "set", "amount": "0", "innocent": "1.5"}
    schedule = {"base": "boards", "set": {"misboard.board": [step]}}
    said = ask("misboard", by="EW", schedule=schedule)["answer"]
    assert said["entry"]["scores"] == {"EW": "0", "NS": "1.5"}
    assert said["penalty"] == step
    assert "1.5" in said["sentence"]["en"]
    assert "1.5" in said["sentence"]["zh"]
    assert ask("misboard", schedule=schedule)["error"]["field"] == "by"
    both = ask("misboard", both=True, schedule=schedule)["answer"]["entry"]
    assert (both["sides"], "scores" in both) == (["NS", "EW"], False)
    for wrong in ({"innocent": "-1"}, {"innocent": "0.3"}, {"mode": "add", "amount": "-1"}):
        with pytest.raises(Refused):
            penalties.load({"base": "boards", "set": {"misboard.board": [{**step, **wrong}]}})


@pytest.mark.parametrize(("irregularity", "facts", "case", "entry"), STANDARD)
def test_what_is_proposed_can_be_entered(irregularity, facts, case, entry):
    """Entries of the ledger are read and folded; what belongs on a sheet makes a sheet without a finding."""
    rules, body = load(SCN), ask(irregularity, **facts)["answer"]
    if body["on"] == "ledger":
        read = read_entry(rules, body["entry"])
        assert read.to_json()["kind"] == body["entry"]["kind"]
        assert play(rules, opening("5", "5"), body["entry"]).entries
    elif body["on"] == "sheet":
        sheet = read_entry(rules, hand(100, **body["entry"]))
        assert check_sheet(rules, sheet) == ()
    else:
        assert (body["entry"] is None) == (body["on"] == "nothing")


def test_a_fine_of_the_rules_is_that_of_the_profile():
    assert [one.get("amount") for one in ask("throw_fail", **D, cards=5)["because"]] == [None, 50]
    dark = ask("bad_bid_dark", "chaodipi", **A)
    assert dark["answer"]["entry"] == {"dark_bids": [{"side": "attackers", "times": 1}]}
    assert [one.get("amount") for one in dark["because"]] == [None, -80]
    assert ask("bad_bid_dark", **A)["answer"]["on"] == "nothing"


#: schedule, irregularity, facts, unit of the penalty
OTHERS = [
    ("friendly", "revoke", D | LATER, "warning"),
    ("friendly", "revoke", D | LATER | {"earlier": 1}, "result"),
    ("friendly", "take_back", {"by": "NS", "earlier": 9}, "levels"),
    ("strict", "take_back", {"by": "NS", "earlier": 1}, "forfeit"),
    ("strict", "late", {"by": "NS", "minutes": 10}, "forfeit"),
    ("strict", "illegal_information", D, "forfeit"),
    ("boards", "wrong_pattern", D | LATER, "match_points"),
    ("boards", "late", {"by": "NS", "minutes": 6}, "match_points"),
    ({"base": "standard", "set": {"take_back.play": [{"unit": "points", "amount": 10}]}}, "take_back", D, "points"),
]


@pytest.mark.parametrize(("schedule", "irregularity", "facts", "unit"), OTHERS)
def test_other_schedules(schedule, irregularity, facts, unit):
    said = ask(irregularity, schedule=schedule, **facts)
    assert said["answer"]["penalty"]["unit"] == unit
    assert said["answer"]["schedule"] == schedule


def test_what_an_event_sets_is_its_own_clause():
    spec = {"base": "standard", "set": {"take_back.play": [{"unit": "warning"}, {"unit": "forfeit"}]}}
    said = ask("take_back", schedule=spec, by="NS")
    assert said["because"][0]["source"]["en"] == "Set by the event"
    assert said["because"][0]["text"]["en"].endswith(
        "The first time: a warning; from the second time: the match is forfeited."
    )
    assert said["answer"]["next_time"]["zh"] == "该场判负"


#: case with minutes of its own, the minutes, and how the case begins
LIMITS = [
    ("late.forfeit", 7, "Not seated 7 minutes after the start. ", "开赛后 7 分钟仍未到场。"),
    ("late.forfeit", 1, "Not seated 1 minute after the start. ", "开赛后 1 分钟仍未到场。"),
    ("late.forfeit", 0, "Not seated at the start. ", "开赛时未到场。"),
    ("late.levels", 0, "Late, however little. ", "无论迟到多久。"),
]


@pytest.mark.parametrize(("case", "minutes", "en", "zh"), LIMITS)
def test_own_minutes_read_well(case, minutes, en, zh):
    schedule = penalties.load(penalties.with_limit("standard", case, minutes))
    (said,) = (one.whole_text() for one in schedule.offences["late"].cases if one.clause == f"penalty.{case}")
    assert said["en"].startswith(en)
    assert said["zh"].startswith(zh)


@pytest.mark.parametrize(
    ("each", "en", "zh"),
    [
        (
            {"minutes": 5, "after": 5},
            " for each 5 minutes begun after 5",
            "超过 5 分钟后每 5 分钟（不足亦算）对方升 1 级",
        ),
        ({"minutes": 5, "after": 0}, " for each 5 minutes begun", "每 5 分钟（不足亦算）对方升 1 级"),
        ({"minutes": 1, "after": 0}, " for each minute begun", "每 1 分钟（不足亦算）对方升 1 级"),
    ],
)
def test_periods_read_well(each, en, zh):
    step = {"unit": "levels", "of": "innocent", "amount": 1, "each": each}
    case = penalties.load({"base": "standard", "set": {"late.levels": [step]}}).offences["late"].cases[1]
    assert step_words(case.ladder[0]) == {"en": f"1 level up for the opponents{en}", "zh": zh}


@pytest.mark.parametrize(
    ("n", "said"), [(1, "the first time"), (9, "the ninth time"), (10, "time no. 10"), (101, "time no. 101")]
)
def test_which_time_it_is_can_be_read_out(n, said):
    assert nth_time(n) == {"en": said, "zh": f"第 {n} 次"}


SAYS = [
    (
        "take_back",
        {"by": "NS", "earlier": 1},
        "N–S: takes back a play, the second time: 1 level down.",
        "南北方悔牌（第 2 次）：降 1 级。",
    ),
    ("late", {"by": "EW", "minutes": 12}, "E–W: late: 2 levels up for the opponents.", "东西方迟到：对方升 2 级。"),
    (
        "revoke",
        D | LATER,
        "N–S: revoke: the opponents have the deal, without a level.",
        "南北方漏跟（藏牌）：对方得庄，不升级。",
    ),
    (
        "revoke",
        D | LATER | {"attackers_total": 160},
        "N–S: revoke: the real result is better for the opponents and stands.",
        "南北方漏跟（藏牌）：实际结果对对方更有利，按实际结果。",
    ),
    ("absent", {"both": True}, "Both sides: does not appear: the match counts 0 points.", "双方缺席：该场记 0 场分。"),
]


@pytest.mark.parametrize(("irregularity", "facts", "en", "zh"), SAYS)
def test_the_sentence_a_referee_reads_out(irregularity, facts, en, zh):
    assert ask(irregularity, **facts)["answer"]["sentence"] == {"en": en, "zh": zh}


REFUSED = [
    ("cheating", {}, "unknown_value"),
    ("revoke", {"by": "NS", "dealer": "S"}, "missing"),
    ("revoke", {"by": "NS"} | LATER, "missing"),
    ("revoke", {"dealer": "S"} | LATER, "missing"),
    ("late", {"by": "NS"}, "missing"),
    ("take_back", {}, "missing"),
    ("throw_fail", D, "missing"),
    ("throw_fail", D | {"cards": 1}, "out_of_range"),
    ("late", {"by": "NS", "minutes": -1}, "out_of_range"),
    ("revoke", D | {"found": "tomorrow"}, "unknown_value"),
    ("revoke", D | LATER | {"attackers_total": 81}, "not_a_multiple_of_5"),
    ("late", {"by": "NS", "minutes": 3, "seconds": 4}, "unknown_field"),
    ("late", {"schedule": "lenient"}, "unknown_value"),
    ("late", {"schedule": 7}, "wrong_type"),
    ("late", {"schedule": {"base": "standard", "set": []}}, "wrong_type"),
    ("late", {"schedule": {"base": "standard", "set": {"late.never": [{"unit": "none"}]}}}, "unknown_penalty_case"),
]
BAD_LADDERS = [
    [],
    "forfeit",
    [{"unit": "death"}],
    [{"unit": "points", "amount": 7}],
    [{"unit": "points", "amount": -10}],
    [{"unit": "points"}],
    [{"unit": "levels", "of": "guilty", "amount": 1}],
    [{"unit": "levels", "of": "innocent", "amount": -1}],
    [{"unit": "levels", "amount": -1}],
    [{"unit": "levels", "of": "guilty", "amount": True}],
    [{"unit": "match_points", "mode": "add", "amount": "0.5"}],
    [{"unit": "match_points", "mode": "add", "amount": "-0.3"}],
    [{"unit": "match_points", "mode": "add", "amount": "1/0"}],
    [{"unit": "warning", "amount": 5}],
    [{"unit": "annul", "reason": "weather"}],
    [{"unit": "levels", "of": "innocent", "amount": 1, "each": {"minutes": 0, "after": 5}}],
    [{"unit": "warning"}] * 10,
]


@pytest.mark.parametrize(("irregularity", "facts", "code"), REFUSED)
def test_what_cannot_be_ruled(irregularity, facts, code):
    assert ask(irregularity, **facts)["error"]["code"] == code


@pytest.mark.parametrize("ladder", BAD_LADDERS)
def test_a_ladder_that_makes_no_sense(ladder):
    spec = {"base": "standard", "set": {"take_back.play": ladder}}
    assert ask("take_back", by="NS", schedule=spec)["error"]["code"] == "bad_penalty"


@pytest.mark.parametrize("name", penalties.schedule_ids())
def test_every_schedule_can_be_read_in_both_languages(name):
    schedule = penalties.load(name)
    assert penalties.load(schedule.spec) == schedule
    ids = [case.clause for offence in schedule.offences.values() for case in offence.cases]
    assert len(ids) == len(set(ids))
    for offence in schedule.offences.values():
        assert not offence.cases[-1].when or {"role", "minutes", "division"} & set(offence.cases[-1].when)
        for case in offence.cases:
            text = case.whole_text()
            assert text["en"].endswith(".")
            assert text["zh"].endswith("。")
            assert not set("{}") & set(text["en"] + text["zh"])
            assert case.ladder


def test_schedules_differ():
    shown = [penalties.load(name).to_json()["offences"] for name in penalties.schedule_ids()]
    assert len(shown) == len({str(one) for one in shown}) == 5


facts = st.builds(
    Facts,
    by=st.sampled_from(Side),
    dealer=st.sampled_from(Seat),
    both=st.booleans(),
    found=st.sampled_from(FOUND),
    minutes=st.integers(0, 90),
    round_minutes=st.none() | st.integers(10, 120),
    cards=st.integers(2, 25),
    agreed=st.booleans(),
    attackers_total=st.none() | st.integers(-20, 60).map(lambda n: 5 * n),
    earlier=st.integers(0, 5),
)


@settings(max_examples=60)
@given(st.sampled_from(sorted({*penalties.schedule_ids()} - {"singles"})), st.data(), facts)
def test_full_facts_are_always_ruled_and_never_favour_the_guilty(name, data, found):
    schedule, rules = penalties.load(name), load(SCN)
    code = data.draw(st.sampled_from(sorted(schedule.offences)))
    proposal = propose(rules, schedule, code, found)
    entry = proposal.entry or {}
    if entry.get("kind") == "adjusted":
        assert entry["side"] == found.by.other.value
    if entry.get("kind") == "level_penalty":
        assert (entry["levels"] < 0) == (entry["side"] == found.by.value)
    if "adjustments" in entry:
        assert (entry["adjustments"][0]["points"] > 0) == (found.by is found.dealer.side)
    if entry.get("kind") == "end":
        assert entry["by"] == found.by.value
    assert propose(rules, schedule, code, found) == proposal


def refusals(code, **known):
    """What the schedule cannot rule without."""
    try:
        propose(load(SCN), penalties.load(), code, Facts(by=None, **known))
    except Refused as refused:
        return refused.findings
    return ()


@pytest.mark.parametrize("code", sorted(penalties.load().offences))
@pytest.mark.parametrize("both", [False, True])
def test_a_missing_fact_is_named(code, both):
    found = refusals(code, both=both)
    assert {one.code for one in found} <= {"missing"}
    assert {one.field for one in found} <= {"by", "dealer", "found", "minutes", "cards"}
    assert all(one.message["en"].endswith("is missing.") for one in found)


def test_most_rulings_need_to_know_the_side():
    assert {code for code in penalties.load().offences if not refusals(code)} == {
        *("exposed_card", "illegal_information", "look_back", "misboard", "misconduct", "off_time", "out_of_turn"),
        *("score_error", "signal_card_missing", "slow_play", "unsigned"),
    }
