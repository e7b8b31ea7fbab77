"""What becomes of boards and pairings is decided from what was read: nothing here has a database."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tournaments.acts.access import Act
from tournaments.acts.admission import SYSTEM, Admitted
from tournaments.acts.change import Add, Told
from tournaments.models import Board, Pairing, Round, RoundStatus, Stage, Tournament
from tournaments.rounds.boards import missing_boards
from tournaments.rounds.steps import byes_scored, line_on, replaced_by

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
EVENT = Tournament(pk=1, slug="spring", profile_spec="scn2-2013")
STAGE = Stage(pk=2, tournament=EVENT, number=1, format="swiss_timed", match_score="mp_210", plan={})


def test_boards_are_made_by_turn_where_none_is_and_the_stage_knows_them() -> None:
    stage, own = Stage(pk=3, tournament=EVENT, number=1, plan={}), Board(number=2, dealer="W", level="5")
    stage.deals = {2: own.fixed}
    made = missing_boards(stage, range(1, 7))
    facts = [(board.number, str(board.dealer), board.level) for board in made]
    assert facts == [(1, "N", "2"), (3, "S", "4"), (4, "E", "5"), (5, "N", "6"), (6, "W", "7")]
    assert stage.deals == {2: own.fixed, **{board.number: board.fixed for board in made}}
    assert missing_boards(stage, range(1, 7)) == []


@pytest.mark.parametrize("status", [RoundStatus.PUBLISHED, RoundStatus.RUNNING])
def test_byes_of_a_pairing_in_place_of_another_score_once_the_round_runs(status: RoundStatus) -> None:
    round_ = Round(pk=5, tournament=EVENT, stage=STAGE, number=2, status=status)
    pairing, admitted = Pairing(pk=6, round=round_, number=2), Admitted(SYSTEM, Act.SUPERSEDE_PAIRING, EVENT)
    change = replaced_by(pairing, admitted, NOW, line_on(round_, Act.SUPERSEDE_PAIRING, reason="late"))
    byes = [byes_scored(round_, NOW)] if status == RoundStatus.RUNNING else []
    assert list(change.writes) == [Add(pairing), *byes]
    assert (change.stale, change.told) == (True, (Told("round", 5, 2, public=True),))
