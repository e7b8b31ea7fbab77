"""The steps before play and of counting, as they follow from the options of a profile."""

from __future__ import annotations

import pytest

from scoring.explaining.counter_ladder import counter_ladder
from scoring.explaining.counting import counting
from scoring.explaining.flows import Step, pre_play
from scoring.profiles import build, individual_ids, load, profile_ids

EVERY = [*profile_ids(), *individual_ids()]
GUIDE = ["draw", "declared", "declare", "early_counter", "kitty", "late_counter", "rebellion", "lead"]


def ids(profile: object, *, first: bool) -> list[str]:
    return [step.id for step in pre_play(build(profile), first=first)]


def step_of(profile: object, name: str, *, first: bool) -> Step:
    return next(step for step in pre_play(build(profile), first=first) if step.id == name)


@pytest.mark.parametrize(
    ("profile", "first", "steps"),
    [
        ("scn2-2013", True, GUIDE),
        ("scn2-2013", False, GUIDE),
        # the first hand is countered before the kitty is taken, later hands after the burial (S1-TD-07, S1-TD-08)
        ("online-super", True, ["draw", "declared", "declare", "early_counter", "kitty", "lead"]),
        ("online-super", False, ["draw", "declared", "declare", "kitty", "late_counter", "lead"]),
        # one deck has no two identical cards, and no rebellion
        ("cn-national-1d", True, ["draw", "declared", "declare", "kitty", "lead"]),
        # no kitty to take
        ("nanning-4d", False, ["draw", "declared", "declare", "early_counter", "lead"]),
        ({"base": "scn2-2013", "set": {"rebellion": False}}, True, [one for one in GUIDE if one != "rebellion"]),
        ({"base": "scn2-2013", "set": {"early_counter": False}}, False, [o for o in GUIDE if o != "early_counter"]),
        ({"base": "scn2-2013", "set": {"first_hand_late_counter": False}}, True, [o for o in GUIDE if o[:4] != "late"]),
        ({"base": "scn2-2013", "set": {"first_hand_late_counter": False}}, False, GUIDE),
    ],
)
def test_steps_follow_from_the_options(profile: object, first: bool, steps: list[str]) -> None:
    assert ids(profile, first=first) == steps


@pytest.mark.parametrize(
    ("profile", "first", "then", "said"),
    [
        ("scn2-2013", True, "to_kitty", "spades who drew first"),  # S0-TD-11
        ("scn2-2013", False, "to_kitty", "first level card"),  # S0-TD-09
        ("online-super", False, "to_kitty", "third kitty card"),  # S1-TD-03
        ("cn-national-2d", True, "stop", "dealt again"),  # S4-TD-07
        ("nanning-4d", False, "to_kitty", "partner of the dealer names"),  # S4-TD-08
    ],
)
def test_nobody_declares(profile: str, first: bool, then: str, said: str) -> None:
    branch = step_of(profile, "declared", first=first).branch
    assert branch is not None
    assert branch.then == then
    assert said in branch.text["en"]


def test_who_deals_after_a_counter() -> None:
    """S0-TD-14, S0-TD-15: before the kitty the counterer of the first hand deals; after the burial nobody else does."""
    for first, said in ((True, "the counterer deals"), (False, "the dealer stays")):
        branch = step_of("scn2-2013", "early_counter", first=first).branch
        assert branch is not None
        assert said in branch.text["en"]
        late = step_of("scn2-2013", "late_counter", first=first).branch
        assert late is not None
        assert "The dealer stays the dealer" in late.text["en"]


@pytest.mark.parametrize("name", EVERY)
def test_every_profile_has_whole_flows(name: str) -> None:
    profile = load(name, individual=True)
    for steps in (pre_play(profile, first=True), pre_play(profile, first=False), counting(profile)):
        assert len({step.id for step in steps}) == len(steps)
        for step in steps:
            assert (step.kind == "ask") == (step.branch is not None) == (step.answer is not None)
            texts = [step.label, step.text]
            if step.branch is not None:
                texts += [step.branch.label, step.branch.text, step.branch.answer]
            for text in texts:
                assert text["en"].isascii() or "×" in text["en"] or "±" in text["en"] or "→" in text["en"]
                assert any("\u4e00" <= sign <= "\u9fff" for sign in text["zh"]), text
            clauses = [*step.clauses, *(step.branch.clauses if step.branch else ())]
            assert all(profile.clauses[clause.id] is clause for clause in clauses)
    assert pre_play(profile, first=False)[-1].kind == "end"


@pytest.mark.parametrize(
    ("profile", "rungs"),
    [
        # S0-TD-16
        ("scn2-2013", ["level1", "level2-D", "level2-C", "level2-H", "level2-S", "small2", "big2"]),
        # S4-TD-02, and jokers count only where no-trump is played
        ("online-3d", ["level1", "level2", "small2", "big2", "level3", "small3", "big3"]),
        ("cn-national-2d", ["level1", "level2"]),
        ("cn-national-1d", []),
        # trumps are named by the lowest bidder (S4-RV-25)
        ("sandayi", []),
        # S4-RV-17, S4-RV-18
        ("chaodipi", ["level1", "level2-D", "level2-C", "level2-H", "level2-S", "small2", "big2", "red_fives2"]),
        ({"base": "scn2-2013", "set": {"no_trump_allowed": False, "declare_no_trump": False}}, None),
    ],
)
def test_counter_ladder(profile: object, rungs: list[str] | None) -> None:
    found = [rung.id for rung in counter_ladder(build(profile, individual=True))]
    if rungs is None:
        assert not {"small2", "big2"} & set(found)
    else:
        assert found == rungs


def test_what_a_reinforced_declaration_keeps_out() -> None:
    kept_out = {rung.id for rung in counter_ladder(load("online-2d")) if rung.reinforced_blocks}
    assert kept_out == {"level2"}
    assert not any(rung.reinforced_blocks for rung in counter_ladder(load("scn2-2013")))


def test_jokers_that_end_the_countering() -> None:
    """S3-TD-04."""
    assert [rung.id for rung in counter_ladder(load("wiki-classic")) if rung.final] == ["small2", "big2"]


@pytest.mark.parametrize(
    ("profile", "order"),
    [
        (
            "scn2-2013",
            ["captured", "dig", "fines", "adjustments", "total", "floor", "levels", "must_play", "hook", "dealer"],
        ),
        ("wiki-classic", ["captured", "dig", "adjustments", "total", "levels", "dealer"]),
        ("nanning-4d", ["captured", "last_trick", "adjustments", "total", "levels", "dealer"]),
        (
            {"base": "online-2d", "set": {"score_cap": 200, "score_floor": -40}},
            ["captured", "dig", "fines", "adjustments", "total", "cap", "floor", "levels", "dealer"],
        ),
    ],
)
def test_order_of_counting(profile: object, order: list[str]) -> None:
    assert [step.id for step in counting(build(profile))] == order


@pytest.mark.parametrize(
    ("name", "order", "last"),
    [
        ("ersibai", ["captured", "dig", "total", "winner"], "The highest total wins; equal totals share."),
        ("sandayi", ["captured", "dig", "adjustments", "total", "bid", "stake"], "The dealer settles with each"),
        ("zhaopengyou", ["captured", "dig", "adjustments", "total", "levels", "dealer"], "contested anew"),
    ],
)
def test_order_of_counting_for_single_players(name: str, order: list[str], last: str) -> None:
    """No line to reach for the deal and no partner who deals next, where the game knows none."""
    steps = counting(load(name, individual=True))
    assert [step.id for step in steps] == order
    assert last in steps[-1].text["en"]
    assert all(step.clauses for step in steps)
