from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ladder import Ladder
from scoring.values import RANKS, Level

ALL = tuple(Level(rank) for rank in RANKS)


def ladder(must="", mode="none", finish="pass_A", pass_a="held", ranks=RANKS, after=()):
    levels = tuple(Level(rank) for rank in (*ranks, *after))
    return Ladder(levels, tuple(Level(rank) for rank in must.split()), mode, finish, pass_a, levels[len(ranks) :])


# must-play, mode, finish, pass_a, level, won, held -> next level ("-": past the last), stopped at, finished
CLIMBS = [
    # nothing must be played
    ("", "none", "pass_A", "any", "2", 0, False, "2", None, False),
    ("", "none", "pass_A", "any", "2", 3, True, "5", None, False),
    ("", "none", "pass_A", "any", "K", 2, False, "-", None, True),
    ("", "none", "pass_A", "any", "A", 1, True, "-", None, True),
    ("", "none", "pass_A", "any", "2", 33_554_433, False, "-", None, True),
    # A is passed only by holding it
    ("", "none", "pass_A", "held", "K", 1, False, "A", None, False),
    ("", "none", "pass_A", "held", "K", 2, False, "A", "A", False),
    ("", "none", "pass_A", "held", "Q", 33_554_433, True, "A", "A", False),
    ("", "none", "pass_A", "held", "A", 2, False, "A", "A", False),
    ("", "none", "pass_A", "held", "A", 0, False, "A", None, False),
    ("", "none", "pass_A", "held", "A", 1, True, "-", None, True),
    # no_skip: not jumped over
    ("10 K", "no_skip", "pass_A", "held", "9", 1, False, "10", None, False),
    ("10 K", "no_skip", "pass_A", "held", "9", 2, False, "10", "10", False),
    ("10 K", "no_skip", "pass_A", "held", "9", 2, True, "10", "10", False),
    ("10 K", "no_skip", "pass_A", "held", "10", 1, False, "J", None, False),
    ("10 K", "no_skip", "pass_A", "held", "10", 3, True, "K", None, False),
    ("10 K", "no_skip", "pass_A", "held", "10", 4, True, "K", "K", False),
    ("10 K", "no_skip", "pass_A", "held", "2", 33_554_433, False, "10", "10", False),
    ("10 K", "no_skip", "pass_A", "held", "K", 1, False, "A", None, False),
    # must_defend: dealt and passed
    ("10", "must_defend", "pass_A", "held", "10", 1, False, "10", "10", False),
    ("10", "must_defend", "pass_A", "held", "10", 2, True, "Q", None, False),
    ("10", "must_defend", "pass_A", "held", "9", 2, True, "10", "10", False),
    ("A", "must_defend", "pass_A", "any", "K", 3, False, "A", "A", False),
    ("A", "must_defend", "pass_A", "any", "A", 1, False, "A", "A", False),
    ("A", "must_defend", "pass_A", "any", "A", 1, True, "-", None, True),
    ("2 A", "must_defend", "pass_A", "held", "2", 2, False, "2", "2", False),
    # reach_A
    ("", "none", "reach_A", "held", "K", 1, True, "A", None, True),
    ("", "none", "reach_A", "held", "9", 7, False, "A", None, True),
    ("", "none", "reach_A", "held", "Q", 1, False, "K", None, False),
    ("J", "no_skip", "reach_A", "held", "9", 7, False, "J", "J", False),
    # wrap
    ("", "none", "wrap", "held", "A", 1, True, "2", None, False),
    ("", "none", "wrap", "held", "Q", 6, False, "5", None, False),
    ("", "none", "wrap", "held", "2", 33_554_433, False, RANKS[33_554_433 % 13], None, False),
    ("3", "no_skip", "wrap", "held", "K", 6, False, "3", "3", False),
    ("K", "no_skip", "wrap", "held", "K", 14, False, "K", "K", False),
]


@pytest.mark.parametrize(("must", "mode", "finish", "pass_a", "level", "won", "held", "to", "stop", "over"), CLIMBS)
def test_climbing(must, mode, finish, pass_a, level, won, held, to, stop, over):
    climb = ladder(must, mode, finish, pass_a).climb(Level(level), won, held=held)
    assert (str(climb.level) if climb.level else "-") == to
    assert (climb.stopped_at and str(climb.stopped_at)) == stop
    assert climb.finished == over


# must-play, finish, pass_a, levels after A, level, won, held -> next level ("-": past the last), stopped at, finished
AFTER_A = [
    # held: A and each level after it is left only by holding the deal at it, and none is jumped over
    ("", "pass_A", "held", "joker no_trump", "A", 1, True, "joker", None, False),
    ("", "pass_A", "held", "joker no_trump", "A", 3, True, "joker", "joker", False),
    ("", "pass_A", "held", "joker no_trump", "A", 1, False, "A", "A", False),
    ("", "pass_A", "held", "joker no_trump", "K", 3, False, "A", "A", False),
    ("", "pass_A", "held", "joker no_trump", "joker", 2, False, "joker", "joker", False),
    ("", "pass_A", "held", "joker no_trump", "joker", 1, True, "no_trump", None, False),
    ("", "pass_A", "held", "joker no_trump", "no_trump", 1, True, "-", None, True),
    ("", "pass_A", "held", "no_trump", "no_trump", 1, False, "no_trump", "no_trump", False),
    # any: climbed like the others, unless one must be played
    ("", "pass_A", "any", "joker no_trump", "K", 2, False, "joker", None, False),
    ("", "pass_A", "any", "joker no_trump", "K", 4, False, "-", None, True),
    ("", "pass_A", "any", "joker", "joker", 1, False, "-", None, True),
    ("joker", "pass_A", "any", "joker", "joker", 1, False, "joker", "joker", False),
    ("joker", "pass_A", "any", "joker", "K", 5, True, "joker", "joker", False),
    # the flag is held under either
    ("", "pass_A", "any", "flag", "K", 5, False, "flag", "flag", False),
    ("", "pass_A", "any", "flag", "flag", 1, False, "flag", "flag", False),
    ("", "pass_A", "any", "joker flag", "joker", 2, True, "flag", "flag", False),
    ("", "pass_A", "held", "joker flag", "joker", 1, True, "flag", None, False),
    ("", "pass_A", "any", "flag", "flag", 1, True, "-", None, True),
    # levels go round through them
    ("", "wrap", "held", "joker", "K", 2, False, "joker", None, False),
    ("", "wrap", "held", "joker", "joker", 2, True, "3", None, False),
]


@pytest.mark.parametrize(("must", "finish", "pass_a", "after", "level", "won", "held", "to", "stop", "over"), AFTER_A)
def test_levels_after_a(must, finish, pass_a, after, level, won, held, to, stop, over):
    rungs = ladder(must, "must_defend", finish, pass_a, after=after.split())
    climb = rungs.climb(Level(level), won, held=held)
    assert (str(climb.level) if climb.level else "-") == to
    assert (climb.stopped_at and str(climb.stopped_at)) == stop
    assert climb.finished == over
    assert (rungs.top, str(rungs.last)) == (Level("A"), after.split()[-1])


@pytest.mark.parametrize(
    ("after", "level", "levels", "to"),
    [
        ("joker", "K", -5, "joker"),
        ("joker", "joker", 1, "A"),
        ("flag", "K", -5, "A"),
        ("joker flag", "K", -5, "joker"),
        ("flag", "flag", -1, "flag"),
        ("flag", "flag", 1, "A"),
        ("flag", "flag", 20, "2"),
    ],
)
def test_level_penalties_after_a(after, level, levels, to):
    assert ladder(after=after.split()).fall(Level(level), levels) == Level(to)


def test_steps_are_steps_of_the_ladder():
    short = ladder(ranks=("5", "10", "K"))
    assert short.climb(Level("5"), 2, held=False).level == Level("K")
    assert short.index(Level("K")) == 2
    assert short.index(None) == 3


@pytest.mark.parametrize(
    ("level", "levels", "to"),
    [("7", 1, "6"), ("2", 1, "2"), ("3", 99, "2"), ("K", -1, "A"), ("K", -5, "A"), ("5", -2, "7")],
)
def test_falling_stays_on_the_ladder(level, levels, to):
    assert ladder(must="10", mode="no_skip").fall(Level(level), levels) == Level(to)


def test_a_loss_is_no_gain():
    with pytest.raises(AssertionError):
        ladder().climb(Level("2"), -1, held=True)


ladders = st.builds(
    ladder,
    must=st.sets(st.sampled_from(RANKS), max_size=4).map(lambda ranks: " ".join(sorted(ranks, key=RANKS.index))),
    mode=st.sampled_from(["no_skip", "must_defend"]),
    finish=st.sampled_from(["pass_A", "reach_A"]),
    pass_a=st.sampled_from(["held", "any"]),
)


@given(ladders, st.sampled_from(ALL), st.integers(0, 40), st.booleans())
def test_one_level_more_never_leads_lower(rungs, level, won, held):
    less, more = (rungs.climb(level, gain, held=held) for gain in (won, won + 1))
    assert rungs.index(less.level) <= rungs.index(more.level)


@given(ladders, st.sampled_from(ALL), st.integers(0, 40), st.booleans())
def test_no_climb_passes_over_a_level_that_must_be_played(rungs, level, won, held):
    end = rungs.index(rungs.climb(level, won, held=held).level)
    start = rungs.index(level)
    assert not [must for must in rungs.must_play if start < rungs.index(must) < end]


@given(ladders, st.sampled_from(ALL), st.integers(0, 40), st.booleans())
def test_climbing_agrees_with_walking(rungs, level, won, held):
    """A slow second way: one level at a time, stopping where the rules say so."""
    here, stopped = rungs.index(level), None
    only_held = (rungs.must_mode == "must_defend" and level in rungs.must_play) or (
        level == rungs.last and rungs.finish == "pass_A" and rungs.pass_a == "held"
    )
    last = len(rungs) - 1
    for left in range(won, 0, -1):
        at_start = left == won
        if at_start and only_held and not held:
            stopped = level
            break
        if here > last or (rungs.finish == "reach_A" and here == last):
            break
        rung = rungs.levels[here]
        must = rung in rungs.must_play or (here == last and rungs.finish == "pass_A" and rungs.pass_a == "held")
        if must and not at_start:
            stopped = rung
            break
        here += 1
    climb = rungs.climb(level, won, held=held)
    assert rungs.index(climb.level) == here
    if rungs.finish == "pass_A":
        assert climb.stopped_at == stopped
