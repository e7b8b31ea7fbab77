"""A state is read back from what is stored as it was, and going on from it is as good as beginning again."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands.sheets import read_entry
from scoring.individual import fold as individual
from scoring.individual import sheets
from scoring.individual.states import IndividualOpening, IndividualState
from scoring.profiles import build, individual_ids, profile_ids
from scoring.sittings.fold import start, step
from scoring.sittings.states import STORED_FORM, Conditions, FixedHand, SittingState
from scoring.values import Level, Seat
from tests.scoring.making import opening
from tests.scoring.test_laws import began, conditions_of, entries, games, ledger_rows, places
from tests.slow.chances import played
from tests.slow.players import evening
from tests.slow.tables import PROFILES

SEED = int(os.environ.get("REFEREE_SOAK_SEED", "0"))


def through_json(state, conditions=None):
    """The state after being written down and read again."""
    text = json.dumps(state.stored())
    if isinstance(state, IndividualState):
        return IndividualState.from_stored(json.loads(text))
    return SittingState.from_stored(json.loads(text), conditions)


def goes_on(begun, take, conditions, ledger):
    """Every state on the way is read back as it is, and taken up again from there gives the same."""
    state = begun
    assert through_json(state, conditions) == state
    for entry in ledger:
        if state.finished:
            break
        again, _ = take(through_json(state, conditions), entry)
        state, _ = take(state, entry)
        assert again == state
        assert through_json(state, conditions) == replace(state, entries=())


@settings(max_examples=100)
@given(games(), places, places, st.sampled_from("NWSE"), ledger_rows, conditions_of)
def test_whatever_an_event_sets_upon_a_profile(profile, ns, ew, seat, rows, conditions):
    ledger = entries(profile, *rows)
    goes_on(
        start(began(profile, ns, ew, seat)),
        lambda state, one: step(profile, conditions, state, one),
        conditions,
        ledger,
    )


@pytest.mark.parametrize("rules", PROFILES, ids=lambda rules: rules.name)
def test_every_profile_of_two_teams(rules):
    chance, profile = Random(f"{SEED} stored {rules.name}"), build(rules.name)
    for _ in range(25):
        begun, rows, _ = played(rules, chance)
        ledger = [read_entry(profile, row) for row in rows]
        at = start(opening(begun["levels"]["NS"], begun["levels"]["EW"], begun["first_dealer"]))
        goes_on(at, lambda state, one: step(profile, Conditions(), state, one), Conditions(), ledger)


@given(ledger_rows, st.sampled_from("NWSE"))
def test_fixed_hands(rows, seat):
    profile = build("cn-national-2d")
    fixed = tuple(FixedHand(Level(rank), Seat(dealer)) for rank, dealer in zip("25JA", "NWSE", strict=True))
    conditions = Conditions(fixed=fixed)
    goes_on(
        start(opening("2", "2", seat), conditions),
        lambda state, one: step(profile, conditions, state, one),
        conditions,
        entries(profile, *rows),
    )


@pytest.mark.parametrize("game", individual_ids())
def test_every_individual_game(game):
    chance, profile = Random(f"{SEED} stored {game}"), build(game, individual=True)
    for _ in range(25):
        _, begun, rows = evening(game, chance)
        opens = IndividualOpening.from_json({} if begun is None else {"levels": begun}, profile)
        kept = "levels" if begun else "points"
        taken = {"kind": "penalty", "place": chance.choice("1234"), kept: -1}
        rows.insert(chance.randint(0, len(rows)), taken)
        at = individual.start(profile, opens)
        ledger = [sheets.read_entry(profile, row) for row in rows]
        goes_on(at, lambda state, one: individual.step(profile, Conditions(), state, one), None, ledger)


def test_all_profiles_are_tried():
    assert sorted(rules.name for rules in PROFILES) == sorted(profile_ids())


@pytest.mark.parametrize(
    "bent",
    [
        lambda data: data.pop("fold"),
        lambda data: data["fold"].update(form=STORED_FORM + 1),
        lambda data: data["fold"].pop("reached_at"),
        lambda data: data.update(levels={"NS": "2"}),
        lambda data: data.update(levels={"NS": "2", "EW": "one"}),
        lambda data: data.update(next_dealer="X"),
        lambda data: data.update(hooked=None),
    ],
)
def test_another_form_is_not_read(bent):
    data = start(opening()).stored()
    bent(data)
    with pytest.raises((KeyError, TypeError, ValueError)):
        SittingState.from_stored(data)
