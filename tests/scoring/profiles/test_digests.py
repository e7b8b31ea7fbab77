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
