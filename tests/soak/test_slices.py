"""The short slice of the soak that the tests take: one schedule in `make test`, the others in `make test-long`."""

from __future__ import annotations

import pytest

from tests.soak.schedules import Schedule


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.parametrize("seed", range(3))
def test_a_short_schedule_leaves_everything_sound(seed: int) -> None:
    schedule = Schedule(seed)
    schedule.run(120)
    schedule.assert_sound()
    assert {"record_hand", "confirm_hand", "replayed", "key_reused"} <= set(schedule.outcomes), schedule.outcomes
