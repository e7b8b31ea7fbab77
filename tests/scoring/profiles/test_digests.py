"""A digest names what an event was played by: it moves with the rules, not with what is added to the kernel later."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring import profiles
from scoring.profiles import loader


@pytest.fixture
def _forget() -> Any:
    yield
    loader._build.cache_clear()


@pytest.mark.usefixtures("_forget")
def test_an_option_added_to_the_house_moves_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: profiles.load(name).digest for name in profiles.profile_ids()}
    read = loader._read_file

    def with_a_new_option(name: str) -> dict[str, Any]:
        data = json.loads(json.dumps(read(name)))
        if name == "_referee":
            data["options"]["rule_of_next_year"] = False
        return data

    options = loader._read_options
    monkeypatch.setattr(loader, "_read_file", with_a_new_option)
    monkeypatch.setattr(
        loader,
        "_read_options",
        lambda stated: options({name: value for name, value in stated.items() if name != "rule_of_next_year"}),
    )
    loader._build.cache_clear()
    assert {name: profiles.load(name).digest for name in profiles.profile_ids()} == before


def test_every_rule_that_is_set_moves_the_digest() -> None:
    plain = profiles.build("cn-national-2d").digest
    changed = [
        {"must_play": ["10"], "must_mode": "no_skip"},
        {"score_cap": 200},
        {"dig_trump_only": True},
        {"step": 20},
    ]
    digests = [profiles.build({"base": "cn-national-2d", "set": one}).digest for one in changed]
    assert len({plain, *digests}) == len(changed) + 1


def test_other_words_for_the_same_rules_move_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: profiles.load(name).digest for name in profiles.profile_ids()}
    read_file = loader._read_file

    def reworded(name: str) -> dict[str, Any]:
        data = read_file(name)
        data["clauses"] = [{**one, "text": {"en": "As ever.", "zh": "照旧。"}} for one in data["clauses"]]
        return data

    monkeypatch.setattr(loader, "_read_file", reworded)
    loader._build.cache_clear()
    try:
        built = {name: profiles.load(name) for name in before}
        assert {name: one.digest for name, one in built.items()} == before
        assert all(clause.text["zh"] == "照旧。" for one in built.values() for clause in one.clauses.values())
    finally:
        loader._build.cache_clear()


def test_rules_are_known_by_the_digest_they_had_while_digests_counted_words() -> None:
    earlier = "d6f3ca4a3e121809578d6d2e2f9a000747188eca34a2ef780dccb2c7801bb70d"
    assert earlier in profiles.load("cn-national-2d").earlier_digests
    changed = profiles.build({"base": "cn-national-2d", "set": {"must_play": ["10"], "must_mode": "no_skip"}})
    assert not changed.earlier_digests
