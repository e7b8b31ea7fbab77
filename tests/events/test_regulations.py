"""Real regulations from the file of entrants to the certificate, through forms: every hand played out by the simulator,
typed by one side on its phone and confirmed by the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.events.fronts import Forms
from tests.events.regulations import HallClock, Running, hall_clock
from tests.events.stories import REGULATIONS, Regulation

__all__ = ["hall_clock"]

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.timeout(900)]


@pytest.mark.parametrize("regulation", REGULATIONS, ids=lambda one: one.preset)
def test_a_regulation_from_import_to_certificate(regulation: Regulation, hall_clock: HallClock, tmp_path: Path) -> None:
    made = Running.of(
        regulation.preset,
        regulation.entrants,
        hall_clock,
        Forms(),
        seed=regulation.seed,
        players=regulation.players,
    )
    regulation.story(made)
    made.finish(tmp_path)
