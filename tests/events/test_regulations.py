"""Real regulations from the file of entrants to the certificate, through forms: every hand played out by the simulator,
typed by one side on its phone and confirmed by the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.events.fronts import Forms, Reader
from tests.events.regulations import DESK_PAGES, REASONS, HallClock, Running, hall_clock
from tests.events.stories import REGULATIONS, Regulation
from tests.page_words import slips, typed_words

__all__ = ["hall_clock"]

pytestmark = [pytest.mark.long, pytest.mark.django_db, pytest.mark.timeout(2700)]


@pytest.mark.parametrize("regulation", REGULATIONS, ids=lambda one: one.preset)
def test_a_regulation_from_import_to_certificate(regulation: Regulation, hall_clock: HallClock, tmp_path: Path) -> None:
    front = Forms()
    made = Running.of(
        regulation.preset,
        regulation.entrants,
        hall_clock,
        front,
        seed=regulation.seed,
        players=regulation.players,
    )
    regulation.story(made)
    made.finish(tmp_path)
    in_words(front, made)


def in_words(front: Forms, made: Running) -> None:
    """What was read on the way, and the desk in English, holds no raw value, id, or word of the other language."""
    organiser = Reader("en", made.event.officials.get(office="organiser").user, read=front.read)
    for address in (*DESK_PAGES, "rules/"):
        organiser.open(f"{made.desk}{address}")
    typed = typed_words() | {why for words in REASONS.values() for why in words.values()} | {"pairs.csv"}
    found = {
        f"{kind}: {slip}"
        for (kind, language), alike in front.read.items()
        for html in alike
        for slip in slips(html, language, typed)
    }
    assert not found, "\n".join(sorted(found))
