"""Hands played by the simulator are judged again without a finding; hands made wrong are caught at their place."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.cards.deck import points_of
from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord, write
from scoring.cards.replay import Replay, replay
from scoring.hands.findings import Refused
from scoring.profiles import Profile, build, load, profile_ids
from scoring.simulation.hand import simulate
from scoring.simulation.players import RANDOM, SENSIBLE
from scoring.simulation.single import simulate_single
from scoring.values import Level, Place, Role, Seat
from tests.scoring.cards.mutations import MUTATIONS, place_of

#: Hands of each profile: a slice of every test run, and all of the soak.
SLICE = 6
SOAK = int(os.environ.get("REFEREE_SOAK_HANDS", "100000"))
ROWS = 500


def played(profile: Profile, seed: object) -> tuple[HandRecord, Replay]:
    """A hand written down, read back and judged again."""
    habits = RANDOM if Random(f"habits/{seed}").randrange(3) == 0 else SENSIBLE
    record = simulate(profile, Random(f"{profile.id}/{seed}"), habits=habits, keep_redeals=True)
    (back,) = parse(write(record))
    assert back == record
    return back, replay(profile, back)


def check(profile: Profile, seed: object) -> None:
    record, again = played(profile, seed)
    assert not again.findings, (profile.id, seed, [one.message["en"] for one in again.findings])
    if again.redeal:
        return
    assert again.complete
    assert not again.unknown
    laid = [card for trick in record.tricks for play in trick.plays for card in play.laid]
    burials = [act.cards for act in record.acts if act.act == "bury"]
    kitty = burials[-1] if burials else record.kitty or ()
    assert set(Counter([*laid, *kitty]).values()) == {profile.decks}
    captured = sum(trick.points or 0 for trick in again.tricks)
    assert captured + points_of(profile, kitty) == profile.points_max
    assert again.dealer is not None
    own = [trick.points or 0 for trick in again.tricks if trick.winner.side is not again.dealer.side]
    last = again.sheet.last_trick_points or 0
    assert again.sheet.captured_in_tricks == sum(own) - last * (again.sheet.last_trick_winner is Role.ATTACKERS)


@pytest.mark.parametrize("name", profile_ids())
def test_a_simulated_hand_is_judged_without_a_finding(name):
    for seed in range(SLICE):
        check(load(name), seed)


@pytest.mark.parametrize(
    ("base", "changes"),
    [
        ("cn-national-2d", {"permanent_ranks": ["2"]}),
        ("online-2d", {"joker_declare": "any"}),
        ("scn2-2013", {"throw_compare": "every_part", "ruff_shape": "exact"}),
        ("cn-national-3d", {"follow_order": "tractor_before_triples"}),
        ("scn3-2026", {"must_follow_pair": False}),
    ],
)
def test_events_with_rules_of_their_own_are_played_too(base, changes):
    for seed in range(2):
        check(build({"base": base, "set": changes}), seed)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("name", ["scn2-2013", "cn-national-3d", "changzhou-4d"])
def test_a_hand_made_wrong_is_caught_with_its_clause(name, mutation):
    profile, caught = load(name), 0
    for seed in range(12):
        caught += catches(profile, seed, mutation)
        if caught == 2:
            return
    assert caught, "no hand could be made wrong in this way"


def catches(profile: Profile, seed: object, mutation) -> bool:
    """Make a hand wrong and see that it is caught; False where this hand cannot be made wrong so."""
    record, again = played(profile, seed)
    wrong = None if again.redeal else mutation(profile, record, Random(f"wrong/{seed}"))
    if wrong is None:
        return False
    (back,) = parse(write(wrong.record))
    found = replay(profile, back).findings
    clause = profile.topics.get(wrong.topic)
    named = (wrong.code, None if clause is None else clause.id, f"record:{place_of(back, wrong.spot)}")
    assert named in [(one.code, one.clause, one.field) for one in found], (profile.id, seed, mutation.__name__)
    return True


def turned(record: HandRecord) -> HandRecord:
    """Everybody one seat to the right."""
    tags = {
        name: Seat(value).right.value if name in ("dealer", "first_drawer") else value
        for name, value in record.tags.items()
    }
    tags["ns_level"], tags["ew_level"] = tags["ew_level"], tags["ns_level"]
    return replace(
        record,
        tags=tags,
        deal={seat.right: cards for seat, cards in record.deal.items()},
        acts=tuple(replace(act, by=None if act.by is None else act.by.right) for act in record.acts),
        tricks=tuple(
            replace(trick, plays=tuple(replace(play, seat=play.seat.right) for play in trick.plays))
            for trick in record.tricks
        ),
    )


@pytest.mark.parametrize("name", ["scn2-2013", "chaodipi", "nanning-4d"])
def test_seats_do_not_matter(name):
    for seed in range(3):
        record, again = played(load(name), seed)
        other = replay(load(name), turned(record))
        assert not other.findings
        assert (other.total, other.result) == (again.total, again.result)
        assert [trick.winner for trick in other.tricks] == [trick.winner.right for trick in again.tricks]


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed():
    code = (
        "from random import Random\n"
        "from scoring.cards.records import write\n"
        "from scoring.cards.replay import replay\n"
        "from scoring.simulation.hand import simulate\n"
        "from scoring.profiles import load\n"
        "for name in ('chaodipi', 'cn-national-3d'):\n"
        "    record = simulate(load(name), Random(5))\n"
        "    print(write(record), replay(load(name), record).to_json())\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(said) == 1


@pytest.mark.soak
@pytest.mark.parametrize("row", range(SOAK // ROWS))
def test_long_runs_of_hands(row):
    names = profile_ids()
    for seed in range(row * ROWS, (row + 1) * ROWS):
        profile = load(names[seed % len(names)])
        check(profile, seed)
        if seed % 5 == 0:
            catches(profile, seed, MUTATIONS[seed // 5 % len(MUTATIONS)])


@pytest.mark.parametrize(
    ("rules", "level"),
    [
        ("nanning-4d", "2"),
        ("wiki-one-deck", "2"),
        ({"base": "scn2-2013", "set": {"ladder": ["5", "10", "K"]}}, "7"),
        ("cn-national-2d", "flag"),
        ("cn-national-2d", "joker"),
    ],
)
def test_a_level_that_the_rules_lack_is_refused(rules: Any, level: str) -> None:
    with pytest.raises(Refused) as refused:
        simulate(build(rules), Random(1), level=Level(level))
    assert (refused.value.code, refused.value.findings[0].field) == ("level_not_on_ladder", "level")
    assert f"{level} is not played here" in refused.value.message["en"]


def test_levels_of_places_that_the_game_lacks_are_refused() -> None:
    friends = build("zhaopengyou", individual=True)
    for levels, field in (
        (dict.fromkeys(Place, Level("joker")), "levels.1"),
        ({Place("1"): Level("3")}, "levels.2"),
    ):
        with pytest.raises(Refused) as refused:
            simulate_single(friends, Random(1), levels=levels)
        assert refused.value.findings[0].field == field
    with pytest.raises(Refused) as refused:
        simulate_single(build("sandayi", individual=True), Random(1), levels=dict.fromkeys(Place, Level("3")))
    assert refused.value.code == "no_levels"


def test_each_kind_of_game_has_its_own_simulator() -> None:
    with pytest.raises(Refused) as refused:
        simulate(build("ersibai", individual=True), Random(1))
    assert refused.value.code == "individual_game"
    with pytest.raises(Refused) as refused:
        simulate_single(build("scn2-2013"), Random(1))
    assert refused.value.code == "not_individual"
