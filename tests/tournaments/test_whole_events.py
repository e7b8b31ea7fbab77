"""Presets from the first draw to the placing of the event: every table that is published can be checked again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.tournaments.playing import Event, event, sittings_of
from tournaments.exchange.events import event_document
from tournaments.models import MatchOutcome, Publication, Round, Stage
from tournaments.queries.publications import final_placing, rows_in, tables_in
from tournaments.queries.rankings import basis_of, is_over
from tournaments.services import rounds, rulings, stages, standings
from tournaments.services.audit import audit
from tournaments.services.errors import Refusal

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def play(made: Event, stage: Stage, chance: Random, *, extra: bool = False) -> Round:
    """A drawn round in which one side of every match stays away, by chance; closed and published."""
    given = {"actor": made.actor}
    round_ = rounds.create_round(
        tournament_id=made.tournament.pk, at=made.tick(), stage_id=stage.pk, extra=extra, **given
    )
    rounds.draw_round(round_id=round_.pk, at=made.tick(), **given)
    rounds.publish_pairing(round_id=round_.pk, at=made.tick(), **given)
    rounds.start_round(round_id=round_.pk, at=made.tick(), **given)
    for match in {sitting.match for sitting in sittings_of(round_)}:
        outcome = chance.choice([MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT])
        rulings.forfeit(match_id=match.pk, at=made.tick(), outcome=outcome, reason="stayed away", **given)
    rounds.close_round(round_id=round_.pk, at=made.tick(), **given)
    round_.refresh_from_db()
    return round_


def publish(made: Event, round_: Round) -> Publication:
    given = {"stage_id": round_.stage_id, "round_id": round_.pk, "actor": made.actor}
    return standings.publish(at=made.tick(), **given)


def waiting(stage: Stage) -> set[str | None]:
    """What the ties of a stage wait for that nobody decided."""
    rows = [row for table in basis_of(stage).tables() for row in table.rows()]
    return {row.undecided.by for row in rows if row.undecided is not None}


@pytest.mark.parametrize(
    ("preset", "size", "seed"),
    [
        ("F1", 7, 1),
        ("F2", 24, 2),
        ("F3", 6, 3),
        ("F5", 7, 4),
        ("F7", 8, 5),
        ("F17", 16, 6),
        ("F18", 8, 7),
        ("F19", 8, 8),
    ],
)
def test_from_the_first_draw_to_the_placing(preset: str, size: int, seed: int) -> None:
    made, chance = event(size, preset=preset), Random(seed)
    last: dict[str, Any] = {}
    for stage in made.tournament.stages.select_related("tournament").order_by("number"):
        stages.begin_stage(stage_id=stage.pk, actor=made.actor, at=made.tick())
        stage.refresh_from_db()
        while not is_over(stage):
            round_ = play(made, stage, chance)
            publication = publish(made, round_)
            assert standings.verify(publication) == {"digest": True, "rows": True}
        for _ in range(9):
            if "extra_match" not in waiting(stage):
                break
            assert not json.loads(publication.document)["final"]
            publication = publish(made, play(made, stage, chance, extra=True))
            assert standings.verify(publication) == {"digest": True, "rows": True}
        last = json.loads(publication.document)
        assert last["final"], waiting(stage)
    groups = {table["group"] for table in tables_in(last)}
    assert len(rows_in(last)) == len({row["entrant"] for row in rows_in(last)})
    assert groups
    places = final_placing(made.tournament).places
    assert sorted(int(one.entrant) for one in places) == sorted(made.ids.values())
    assert places[0].rank == 1
    if made.tournament.stages.count() > 1:
        assert [row["entrant"] for row in last["placing"]["rows"]] == [int(one.entrant) for one in places]
    standings.recalculate(tournament_id=made.tournament.pk, at=made.tick())
    made.tournament.refresh_from_db()
    assert audit(event_document(made.tournament, official=True)) == []
    with pytest.raises(Refusal):
        rounds.create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
