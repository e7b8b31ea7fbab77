"""Every preset of two sides is run from its regulation alone: begun, drawn, played, published, to its last stage."""

from __future__ import annotations

import pytest

from tests.tournaments.playing import event
from tests.tournaments.test_stages import begin, play_stage, stage_of
from tournaments.exchange.forms import Form
from tournaments.models import Publication
from tournaments.presets import PRESETS
from tournaments.services import rounds, standings

pytestmark = pytest.mark.django_db

#: How many enter (enough for a Swiss draw without rematches, whatever the results), and rounds of each stage.
FIELDS = {
    "F1": (8, [4]),
    "F2": (16, [1, 4]),
    "F3": (6, [3]),
    "F5": (7, [3]),
    "F7": (8, [3]),
    "F17": (8, [3, 3]),
    "F18": (7, [3]),
    "F19": (8, [4]),
}


def test_every_preset_of_two_sides_is_here() -> None:
    assert set(FIELDS) == {one.id for one in PRESETS.values() if not one.id.startswith("I")}


@pytest.mark.parametrize("preset", FIELDS)
def test_a_preset_runs_to_its_end(preset: str) -> None:
    many, planned = FIELDS[preset]
    made = event(many, preset=preset)
    form = Form.of_event(made.tournament).text()
    for number, count in enumerate(planned, start=1):
        assert begin(made, number).rounds_planned == count
        play_stage(made, number)
        stage = stage_of(made, number)
        last = stage.rounds.order_by("-number").first()
        assert last is not None
        standings.publish(stage_id=stage.pk, round_id=last.pk, actor=made.actor, at=made.tick())
    final = Publication.objects.filter(tournament=made.tournament).order_by("-number").first()
    assert final is not None
    assert not final.provisional
    assert all(standings.verify(final).values())
    # what was worked out for this field is no part of the regulation
    made.tournament.refresh_from_db()
    assert Form.of_event(made.tournament).text() == form


def test_draw_numbers_pair_the_lowest_and_give_nobody_two_byes() -> None:
    made = event(7, preset="F5")
    begin(made, order=[made.ids[number] for number in range(1, 8)])
    round_ = rounds.create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    rounds.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    met = sorted(round_.matches.values_list("home__number", "away__number"))
    assert met == [(1, 2), (3, 4), (5, 6), (7, None)]
