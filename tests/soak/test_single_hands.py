"""Hands of single players in bulk: `make soak` judges REFEREE_SOAK_HANDS (100,000), `make test` a slice."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from scoring.cards.records import HandRecord
from tests.soak.single_hands import ONE_IN, RULES, Tally, caught, faults, main, played, run
from tests.soak.single_wrongs import KINDS, WrongHand

SOAK = int(os.environ.get("REFEREE_SOAK_HANDS", "100000"))
SEED = os.environ.get("REFEREE_SOAK_SEED", "0")


def all_wrong(name: str, *, hands: int = 40) -> Iterator[tuple[str, int, WrongHand]]:
    """Hands of every game made wrong in this kind, the first of each game that can be."""
    for game, profile in RULES.items():
        for seed in range(hands):
            record = played(profile, f"kinds/{seed}", keep_redeals=False)
            wrong = KINDS[name](profile, record, Random(f"kinds/{seed}"))
            if wrong is not None:
                yield game, seed, wrong
                break


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_wrongness_is_caught_at_its_place(name: str) -> None:
    made = list(all_wrong(name))
    assert made, "no hand of any game could be made wrong in this way"
    for game, seed, wrong in made:
        is_caught, told = caught(RULES[game], wrong)
        assert is_caught, (game, seed, wrong.code, wrong.topic, wrong.says, told)


@pytest.mark.parametrize("name", RULES)
def test_an_honest_hand_is_judged_without_a_finding(name: str) -> None:
    for seed in range(4):
        assert faults(RULES[name], played(RULES[name], f"honest/{seed}"))[1] == []


@pytest.mark.long
def test_a_slice_is_counted_and_nothing_is_missed() -> None:
    tally = run(Tally("slice"), ONE_IN * len(KINDS))
    assert tally.sound, tally.lines()
    assert sum(tally.wrong.values()) == tally.next // ONE_IN
    assert len({name.partition(": ")[2] for name in tally.caught}) > len(KINDS) // 2
    assert sum(tally.honest.values()) == tally.next - tally.next // ONE_IN


def test_a_run_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    at_once = run(Tally("7"), 20)
    path = tmp_path / "tally.json"
    assert main(["--hands", "8", "--seed", "7", "--to", str(path)]) == 0
    assert json.loads(path.read_text())["next"] == 8
    assert main(["--hands", "20", "--seed", "7", "--to", str(path)]) == 0
    assert Tally.read(path, "7") == at_once
    with pytest.raises(SystemExit):
        Tally.read(path, "8")


def test_what_is_not_caught_is_counted_as_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The figure is of hands that were caught: with a kind that changes nothing the run fails and names the hand."""
    monkeypatch.setattr("tests.soak.single_hands.KINDS", {"nothing": lambda profile, record, chance: _honest(record)})
    monkeypatch.setattr("tests.soak.single_hands.NAMES", ("nothing",))
    path = tmp_path / "tally.json"
    assert main(["--hands", str(ONE_IN), "--to", str(path)]) == 1
    tally = Tally.read(path, "0")
    assert (sum(tally.wrong.values()), sum(tally.caught.values())) == (1, 0)
    assert [number for number, _, _ in tally.missed] == [ONE_IN - 1]


def _honest(record: HandRecord) -> WrongHand:
    return WrongHand(record, None, "result_differs", "total")


@pytest.mark.soak
def test_a_hundred_thousand_hands_of_single_players() -> None:
    tally = run(Tally(SEED), SOAK)
    print("\n".join(tally.lines()))
    assert tally.sound, tally.lines()
    assert sum(tally.wrong.values()) == tally.next // ONE_IN
    used = {name.partition(": ")[2] for name in tally.caught}
    assert SOAK < 20_000 or used == {*KINDS}, {*KINDS} - used
