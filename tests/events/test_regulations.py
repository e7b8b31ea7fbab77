"""Real regulations from the file of entrants to the certificate, every hand typed by one side and confirmed by the
other: each run meets a tie decided by that regulation's own rule, a forfeit, a ruling and a correction.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.events.regulations import HallClock, Running, hall_clock
from tournaments.models import MatchOutcome, Round
from tournaments.queries.publications import final_placing

__all__ = ["hall_clock"]

pytestmark = pytest.mark.django_db


def byes(round_: Round) -> list[int]:
    return list(round_.matches.filter(outcome=MatchOutcome.BYE).values_list("home__number", flat=True))


def test_f1_timed_swiss(hall_clock: HallClock, tmp_path: Path) -> None:
    """Seven pairs, four rounds: a bye in each, equal levels are a draw, ties go to the opponents' points."""
    made = Running.of("F1", 7, hall_clock, seed=11)
    stage = made.begin(1)
    rested = []
    for number in range(1, 5):
        round_ = made.round()
        rested += byes(round_)
        first, *others = made.sittings(round_)
        made.cards(first)
        made.cards(first)
        for sitting in others:
            made.win(sitting, "NS", captured=made.chance.choice((0, 35)))
        if number == 1:
            made.correct(others[0], 1, captured_in_tricks=20)
        made.over(round_)
        made.close(round_)
        published = made.publish(stage)
        assert published["final"] == (number == 4)
    assert len(set(rested)) == 4
    assert "opponents" in made.split_by(stage)
    made.read_everything()
    made.certify(tmp_path)
    assert len(final_placing(made.event).places) == 7
