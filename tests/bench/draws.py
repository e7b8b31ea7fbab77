"""A Swiss round of a thousand entrants beside networkx on the same graph, rounds of up to four thousand, and what a
draw costs from the database to the tables."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random

import networkx
from django.utils import timezone

from tests.bench.report import Figure, seconds
from tests.bench.standings import ROUNDS as PLAYED
from tests.bench.standings import played_stage
from tests.tournaments.factories import official
from tournaments.draws.danish import danish_round
from tournaments.draws.documents import answer_of
from tournaments.draws.matching import best_matching, plain
from tournaments.draws.swiss import WIDTH, swiss_round
from tournaments.draws.swiss_field import Earlier, Field, Standing
from tournaments.models import Draw, Office, Round, Stage
from tournaments.rounds.drawing import document_of, draw_round

SIZES, ROUNDS = (100, 1_000, 4_000), 3
#: networkx takes minutes on wider graphs.
NARROW = 12


def measure() -> list[Figure]:
    return [
        _beside_networkx(1_000),
        *(_whole_round(size) for size in SIZES),
        *(_as_a_task(size) for size in SIZES),
    ]


def _beside_networkx(size: int) -> Figure:
    """From the edges of one graph to its pairs: everything we do to them beside networkx on the plain costs."""
    edges = _field(size).edges(NARROW)
    cost = {(one, other): number for one, other, number in plain(size, edges)}
    most = max(cost.values())
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, most - number) for (one, other), number in cost.items())
    began = time.perf_counter()
    theirs = networkx.max_weight_matching(graph, maxcardinality=True)
    limit = time.perf_counter() - began
    ours = best_matching(size, edges)
    assert ours is not None
    assert sum(cost[pair] for pair in ours) == sum(cost[min(pair), max(pair)] for pair in theirs)
    taken = min(seconds(lambda: best_matching(size, edges)) for _ in range(5))
    return Figure(
        f"matching of {size:,}, networkx / ours, equal cost",
        f"{taken * 1000:.0f} ms",
        f"{limit * 1000:.0f} ms",
        limit / taken,
        40.0,
    )


def _whole_round(size: int) -> Figure:
    """A round from standings to pairs; the limit is to look at every edge of its first graph once."""
    field = _field(size)
    taken = seconds(lambda: swiss_round(field))
    limit = seconds(lambda: field.edges(WIDTH))
    return Figure(
        f"Swiss round {ROUNDS + 1} of {size:,} / its edges alone",
        f"{taken * 1000:.0f} ms",
        f"{limit * 1000:.0f} ms",
        taken / limit,
        less=True,
    )


def _as_a_task(size: int) -> Figure:
    """The draw as its worker does it, from the record of twelve rounds to the tables; the limit is the draw alone.

    Processor time of the process that draws.
    """
    stage = played_stage(size)
    event, number = stage.tournament, PLAYED + 1
    Stage.objects.filter(pk=stage.pk).update(rounds_planned=number)
    round_ = Round.objects.create(tournament=event, stage=stage, number=number, status="draft")
    actor = official(event, Office.ORGANISER)
    clock = time.process_time
    taken = seconds(lambda: draw_round(round_id=round_.pk, actor=actor, at=timezone.now()), clock)
    question = document_of(Draw.objects.get(round=round_))["question"]
    limit = seconds(lambda: answer_of(question), clock)
    if size == SIZES[-1]:
        return Figure(f"P15 draw of {size:,} as a task", f"{taken:.2f} s", "3 s", taken / 3, 1, less=True)
    return Figure(
        f"round {number} of {size:,}, from the record to tables / alone",
        f"{taken * 1000:.0f} ms",
        f"{limit * 1000:.0f} ms",
        taken / limit,
        less=True,
    )


def _field(size: int) -> Field:
    """Before the fourth round, the first three by standings alone, with results by chance."""
    chance = Random(size)
    scores = dict.fromkeys(range(size), Fraction(0))
    earlier: list[Earlier] = []
    for _ in range(ROUNDS):
        drawn = danish_round(sorted(scores, key=lambda one: (-scores[one], one)), [one.pairing for one in earlier])
        earlier.append(Earlier(drawn, dict(scores)))
        for home, away in drawn.pairs:
            won = chance.choice([0, 1, 2])
            scores[home] += won
            scores[away] += 2 - won
    return Field([Standing(i, i, scores[i], f"u{i % 40}") for i in range(size)], earlier)
