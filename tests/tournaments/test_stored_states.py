"""Entries go on from the state stored with the sitting; what stands is always what the whole ledger folds to."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.tournaments.factories import Hall, hall, sheet
from tests.tournaments.test_corrections import assert_folds, correct, end, penalise
from tests.tournaments.test_scorekeeping import enter, now, play
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.models import LedgerEntry, Sitting
from tournaments.sittings import ledgers
from tournaments.sittings.ledgers import FOLD, shown_state

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries each fold from nothing took."""
    seen = list[int]()

    def counted(sitting: Any, entries: Any, **more: Any) -> Any:
        entries = list(entries)
        seen.append(len(entries))
        return fold_of(sitting, entries, **more)

    fold_of = ledgers.fold_of
    monkeypatch.setattr(ledgers, "fold_of", counted)
    return seen


def stored(here: Hall, state: dict[str, Any]) -> None:
    Sitting.objects.filter(pk=here.sitting.pk).update(state=state)


def found(here: Hall) -> list[str]:
    return [one.what for one in audit(event_document(here.event))]


def test_a_hand_that_follows_folds_nothing_anew(folds: list[int]) -> None:
    here = hall()
    play(here, sheet(35), sheet(60), sheet(80))
    assert folds == []
    assert_folds(here)


def test_a_correction_of_an_earlier_hand_folds_from_nothing(folds: list[int]) -> None:
    here = hall()
    first, _ = play(here, sheet(35), sheet(60))
    assert folds == []
    correct(here, first, sheet(120))
    assert folds
    assert_folds(here)
    folds.clear()
    play(here, sheet(40))
    assert folds == []
    assert_folds(here)


@pytest.mark.parametrize(
    "state",
    [
        lambda state: shown_state(state),
        lambda state: state | {FOLD: {**state[FOLD], "form": 0}},
        lambda state: state | {FOLD: {**state[FOLD], "entries": 1}},
        lambda state: {},
    ],
    ids=["older", "another form", "of fewer entries", "nothing"],
)
def test_what_cannot_be_gone_on_from_is_folded(folds: list[int], state: Any) -> None:
    here = hall()
    play(here, sheet(35), sheet(60))
    stored(here, state(now(here).state))
    play(here, sheet(80))
    assert folds[-1] == 3
    assert_folds(here)
    assert found(here) == []


def test_a_state_of_an_older_version_is_no_finding_and_a_bent_one_is() -> None:
    here = hall()
    play(here, sheet(35), sheet(60))
    state = now(here).state
    stored(here, shown_state(state))
    assert found(here) == []
    for bent in ({"entries": 3}, {"reached_at": {"NS": 0, "EW": 0}}, {"form": 2}):
        stored(here, state | {FOLD: {**state[FOLD], **bent}})
        assert found(here) == [FOLD], bent


def any_act(here: Hall, chance: Random) -> None:
    """Something that officials do at a table."""
    rows = list(LedgerEntry.objects.filter(sitting=here.sitting.pk, status="effective", kind="hand"))
    points = 5 * chance.randrange(0, 30)
    turn = chance.random()
    if turn < 0.15 and rows:
        correct(here, chance.choice(rows), sheet(points))
    elif turn < 0.25:
        penalise(here, -chance.randint(1, 2), chance.choice(["NS", "EW"]))
    elif turn < 0.3:
        end(here)
    elif turn < 0.4:
        facts = {"kind": "annulled", "reason": chance.choice(["misdeal", "rebellion"])}
        enter(here, here.referee, facts, hand_no=now(here).hand_no, basis="watched")
    else:
        enter(here, here.referee, sheet(points), hand_no=now(here).hand_no, basis="watched")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_what_stands_is_the_fold(seed: int) -> None:
    chance, here = Random(seed), hall()
    for _ in range(14):
        try:
            any_act(here, chance)
        except Refusal:  # the match is over, or the level may not be taken
            continue
        assert_folds(here)
    assert found(here) == []
