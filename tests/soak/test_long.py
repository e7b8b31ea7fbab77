"""The long runs: `make soak`. REFEREE_SOAK_SCHEDULES (200) says how many, REFEREE_SOAK_SEED (0) where they begin."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
import redis
from django.conf import settings

from tests.reliability.conftest import Workers
from tests.reliability.conftest import workers as workers  # the fixture
from tests.reliability.test_workers import HEALED_WITHIN, few_recalculations, sweeping
from tests.soak.schedules import Schedule
from tests.tournaments.entry_facts import FACTS, Fact
from tests.tournaments.log.test_checking import tampered
from tests.tournaments.test_entry_path import races
from tournaments.acts.doorbell import stale_number
from tournaments.models import Recalculation, Tournament

pytestmark = [pytest.mark.soak, pytest.mark.postgres]

SCHEDULES = int(os.environ.get("REFEREE_SOAK_SCHEDULES", "200"))
FIRST_SEED = int(os.environ.get("REFEREE_SOAK_SEED", "0"))
EDITS, EDITS_AT_ONCE = int(os.environ.get("REFEREE_SOAK_EDITS", "10000")), 500
Until = Callable[..., None]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + SCHEDULES))
def test_a_long_schedule_leaves_everything_sound(seed: int) -> None:
    schedule = Schedule(seed)
    for _ in range(3):
        schedule.run(150)
        schedule.assert_sound()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + max(1, SCHEDULES // 20)))
def test_workers_die_and_redis_forgets(seed: int, workers: Workers, until: Until) -> None:
    """While acts go on workers are killed and Redis is emptied; the sweep heals within ten seconds of a worker."""
    schedule, chance = Schedule(seed), Random(seed)
    worker = workers.start()
    with sweeping(), redis.Redis.from_url(settings.REDIS_URL) as client:
        for _ in range(8):
            schedule.run(chance.randint(10, 60))
            misfortune = chance.choice(("kill", "empty", "both", "none"))
            if misfortune in ("empty", "both"):
                client.flushdb()
            if misfortune in ("kill", "both"):
                workers.kill(worker)
                schedule.run(chance.randint(0, 10))
                worker = workers.start()
            until(lambda: _fresh(schedule), HEALED_WITHIN)
    covered = Recalculation.objects.get(tournament=schedule.event).covered_number
    schedule.assert_sound()
    assert Recalculation.objects.get(tournament=schedule.event).covered_number == covered, "nothing was left to do"


@pytest.mark.django_db(transaction=True)
def test_a_thousand_entries_cause_few_recalculations(celery_worker: None, until: Until) -> None:
    took, count = few_recalculations(until, entries=1_000)
    print(f"1,000 entries in {took:.1f} s: {count} recalculations")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_nothing_that_an_entry_rests_on_changes_under_it(fact: Fact, capsys: pytest.CaptureFixture[str]) -> None:
    """Races of every fact: five times REFEREE_SOAK_SCHEDULES. How they ended is printed."""
    ended = Counter(races(fact, range(FIRST_SEED, FIRST_SEED + 5 * SCHEDULES)))
    stood = sum(times for one, times in ended.items() if one.stands)
    changed = sum(times for one, times in ended.items() if one.changed)
    with capsys.disabled():
        print(f"\n{fact}: {ended.total()} races, {stood} entries stand, the fact changed in {changed}")


def _fresh(schedule: Schedule) -> bool:
    event = Tournament.objects.get(pk=schedule.event.pk)
    return bool(Recalculation.objects.get(tournament=event).covered_number == stale_number(event.pk))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + EDITS // EDITS_AT_ONCE))
def test_edits_behind_the_back_of_the_service_are_found(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """REFEREE_SOAK_EDITS (10,000) in all, some to an event; what was edited is printed."""
    seen = tampered(seed, EDITS_AT_ONCE)
    with capsys.disabled():
        kinds = Counter(kind for kind, _, _ in seen.elements())
        columns = len({(table, column) for _, table, column in seen if column})
        print(f"seed {seed}: {seen.total()} edits, all found, {columns} columns: {dict(sorted(kinds.items()))}")
