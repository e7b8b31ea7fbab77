"""Full standings after twelve rounds: from the database, and as their worker writes them, beside the fold alone.

Processor time of the process that works them out.
"""

from __future__ import annotations

import time
from itertools import count
from random import Random

from django.utils import timezone

from scoring.standings import match_scores, ranking
from tests.bench.report import Figure, in_turn
from tests.tournaments.factories import stage as new_stage
from tests.tournaments.factories import tournament
from tournaments.acts.doorbell import mark_stale
from tournaments.models import Entrant, Match, MatchOutcome, Round, Sitting, SittingPhase, Stage, StandingsRun, Table
from tournaments.standings import remembered
from tournaments.standings.results import results_of
from tournaments.standings.runs import live_rows, recalculate

SIZES, ROUNDS = (100, 1_000, 4_000), 12
#: The size whose ratio has an aim.
AIMED = 1_000
LEVELS = "23456789"


def measure() -> list[Figure]:
    return [figure for size in SIZES for figure in _standings(size)]


def _standings(size: int) -> list[Figure]:
    stage = played_stage(size)
    event = stage.tournament
    results, at = results_of(stage), timezone.now()
    entrants = list(event.entrants.order_by("number").values_list("pk", flat=True))
    assert len(results) == size // 2 * ROUNDS

    def from_database() -> None:
        live_rows(stage)

    def in_memory() -> None:
        rows = ranking.rank(stage.chain, entrants, results, ladder=event.profile.ladder)
        [row.to_json() for row in rows]

    moves = count()

    def one_moves() -> None:
        """The result of one match of the last round is another one than before."""
        home = next(moves) % 3
        sitting, match = last[next(moves) % len(last)]
        Match.objects.filter(pk=match).update(home_hundredths=100 * home, away_hundredths=200 - 100 * home)
        nothing_moves(sitting)

    def nothing_moves(sitting: int | None = None) -> None:
        """A recalculation that finds every result as it was."""
        mark_stale(event.pk, last[0][0] if sitting is None else sitting)
        assert recalculate(tournament_id=event.pk, at=at)

    def from_nothing() -> None:
        """As a worker that has just begun, for a table that is not there yet."""
        remembered.forget()
        StandingsRun.objects.filter(stage=stage).delete()
        nothing_moves()

    last = list(Sitting.objects.filter(round__stage=stage, round__number=ROUNDS).values_list("pk", "match"))
    from_database()
    from_nothing()
    ours, one, none, all_, limit = in_turn(
        from_database, one_moves, nothing_moves, from_nothing, in_memory, times=9, clock=time.process_time
    )
    known = f"{size:,} x {ROUNDS} rounds"
    aimed = size == AIMED
    return [
        Figure(
            f"P3 standings of {known}, database / fold alone",
            *_beside(ours, limit),
            1.3 if aimed else None,
            less=True,
        ),
        Figure(f"P3 all of its task, {known} / fold alone", *_beside(all_, limit), less=True),
        Figure(
            f"P4 one changed match of {known} / all of its task",
            *_beside(one, all_),
            0.05 if aimed else None,
            less=True,
        ),
        Figure(f"P4b an act that moves no result, {known} / all of its task", *_beside(none, all_), less=True),
    ]


def _beside(ours: float, limit: float) -> tuple[str, str, float]:
    return f"{ours * 1000:.0f} ms", f"{limit * 1000:.0f} ms", ours / limit


def played_stage(size: int, rounds: int = ROUNDS) -> Stage:
    """Closed rounds whose matches have results, paired at random."""
    at, chance = timezone.now(), Random(2)
    event = tournament()
    stage = new_stage(event, rounds_planned=rounds)
    Entrant.objects.bulk_create(
        Entrant(tournament=event, number=number, name=f"Pair {number}") for number in range(1, size + 1)
    )
    ids = list(event.entrants.values_list("pk", flat=True))
    tables = Table.objects.bulk_create(Table(tournament=event, number=number + 1) for number in range(size // 2))
    for number in range(1, rounds + 1):
        round_ = Round.objects.create(
            tournament=event, stage=stage, number=number, status="closed", started_at=at, closed_at=at
        )
        order = chance.sample(ids, len(ids))
        pairs = enumerate(zip(order[::2], order[1::2], strict=True))
        matches = Match.objects.bulk_create(_match(round_, place, *pair, chance) for place, pair in pairs)
        played = {"round": round_, "opening": {}, "phase": SittingPhase.FINISHED}
        Sitting.objects.bulk_create(
            Sitting(match=match, table=table, **played) for match, table in zip(matches, tables, strict=True)
        )
    return stage


def _match(round_: Round, place: int, home: int, away: int, chance: Random) -> Match:
    levels = (chance.choice(LEVELS), chance.choice(LEVELS))
    score = match_scores.score("mp_210", home=levels[0], away=levels[1])
    side = "" if score.winner is None else "NS" if score.home > score.away else "EW"
    return Match(
        round=round_,
        number=place + 1,
        home_id=home,
        away_id=away,
        outcome=MatchOutcome.PLAYED,
        home_level=levels[0],
        away_level=levels[1],
        winner_side=side,
        decided_by="levels",
        home_hundredths=int(score.home * 100),
        away_hundredths=int(score.away * 100),
        finished_at=round_.closed_at,
    )
