"""Presets from the first draw to the placing of the event: every table that is published can be checked again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger.officials_entries import forfeit
from tournaments.models import MatchOutcome, Publication, Round, Stage
from tournaments.plans.presets import PRESETS
from tournaments.rounds import closing
from tournaments.rounds.acts import create_round
from tournaments.stages.acts import begin_stage
from tournaments.stages.forms import Form
from tournaments.standings import runs
from tournaments.standings.publications import final_placing, rows_in
from tournaments.standings.rankings import basis_of, is_over

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

#: How many enter, the seed of who stays away, and for each stage its rounds and the extra rounds that ties call for.
FIELDS = {
    "F1": (7, 1, [(4, 0)]),
    "F2": (24, 2, [(3, 3), (4, 0)]),
    "F3": (6, 3, [(3, 0)]),
    "F5": (7, 4, [(3, 0)]),
    "F7": (8, 5, [(3, 0)]),
    "F17": (8, 6, [(3, 0), (3, 0)]),
    "F18": (7, 7, [(3, 0)]),
    "F19": (8, 8, [(4, 0)]),
    "F20": (8, 9, [(3, 0)]),
}


def play(made: Event, stage: Stage, chance: Random, *, extra: bool = False) -> Round:
    """A drawn round in which one side of every match stays away, by chance; closed and published."""
    given = {"actor": made.actor}
    round_ = made.begun(made.drawn(stage_id=stage.pk, extra=extra))
    for match in dict.fromkeys(sitting.match for sitting in sittings_of(round_)):
        outcome = chance.choice([MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT])
        forfeit(match_id=match.pk, at=made.tick(), outcome=outcome, reason="stayed away", **given)
    closing.close_round(round_id=round_.pk, at=made.tick(), **given)
    round_.refresh_from_db()
    return round_


def publish(made: Event, round_: Round) -> Publication:
    given = {"stage_id": round_.stage_id, "round_id": round_.pk, "actor": made.actor}
    return runs.publish(at=made.tick(), **given)


def waiting(stage: Stage) -> set[str | None]:
    """What the ties of a stage wait for that nobody decided."""
    rows = [row for table in basis_of(stage).tables() for row in table.rows()]
    return {row.undecided.by for row in rows if row.undecided is not None}


def test_every_preset_of_two_sides_is_here() -> None:
    assert set(FIELDS) == {one.id for one in PRESETS.values() if not one.id.startswith("I")}


@pytest.mark.parametrize("preset", FIELDS)
def test_from_the_first_draw_to_the_placing(preset: str) -> None:
    size, seed, counts = FIELDS[preset]
    made, chance = event(size, preset=preset), Random(seed)
    form = Form.of_event(made.tournament).text()
    last: dict[str, Any] = {}
    found = made.tournament.stages.select_related("tournament").order_by("number")
    for stage, (planned, extra) in zip(found, counts, strict=True):
        begin_stage(stage_id=stage.pk, actor=made.actor, at=made.tick())
        stage.refresh_from_db()
        assert stage.rounds_planned == planned
        while not is_over(stage):
            round_ = play(made, stage, chance)
            publication = publish(made, round_)
            assert runs.verify(publication) == {"digest": True, "rows": True}
        for _ in range(extra):
            assert "extra_match" in waiting(stage)
            assert not json.loads(publication.document)["final"]
            publication = publish(made, play(made, stage, chance, extra=True))
            assert runs.verify(publication) == {"digest": True, "rows": True}
        last = json.loads(publication.document)
        assert (last["final"], publication.provisional) == (True, False), waiting(stage)
    assert len(rows_in(last)) == len({row["entrant"] for row in rows_in(last)})
    places = final_placing(made.tournament).places
    assert sorted(int(one.entrant) for one in places) == sorted(made.ids.values())
    assert places[0].rank == 1
    if made.tournament.stages.count() > 1:
        assert [row["entrant"] for row in last["placing"]["rows"]] == [int(one.entrant) for one in places]
    runs.recalculate(tournament_id=made.tournament.pk, at=made.tick())
    made.tournament.refresh_from_db()
    assert audit(event_document(made.tournament, official=True)) == []
    # what was worked out for this field is no part of the regulation
    assert Form.of_event(made.tournament).text() == form
    with pytest.raises(Refusal, match="all_rounds_there"):
        create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())


def test_draw_numbers_pair_the_lowest_and_give_nobody_two_byes() -> None:
    made = event(7, preset="F5")
    order = [made.ids[number] for number in range(1, 8)]
    begin_stage(stage_id=made.tournament.stages.get().pk, actor=made.actor, at=made.tick(), order=order)
    round_ = made.drawn()
    met = sorted(round_.matches.values_list("home__number", "away__number"))
    assert met == [(1, 2), (3, 4), (5, 6), (7, None)]
