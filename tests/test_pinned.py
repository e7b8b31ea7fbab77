"""Nothing that is frozen or answered changes by accident; see `tests/pinned.py`."""

from __future__ import annotations

import json

import pytest

from tests import pinned

PINNED = json.loads(pinned.FILE.read_text("utf-8"))


def test_every_answer_is_as_it_was() -> None:
    said = pinned.answers()
    # answers to ops that are new are pinned when they are written
    assert {name: said.get(name) for name in PINNED["answers"]} == PINNED["answers"]
    assert sorted(said) == sorted(PINNED["answers"])


def test_the_digest_of_every_profile_is_as_it_was() -> None:
    assert pinned.profiles() == PINNED["profiles"]


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("name", pinned.EXPORTS)
def test_what_is_made_of_an_export_is_as_it_was(name: str) -> None:
    assert pinned.made_of(name) == PINNED["exports"][name]
