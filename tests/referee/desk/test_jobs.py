"""Long work at the desk: its page tells how far it is, what it came to, and hands out the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from referee.desk.views import rounds
from tests.markup import flat
from tests.tournaments.factories import AT
from tournaments.acts import jobs
from tournaments.models import Job
from tournaments.transfer.job_kinds import KINDS

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.factories import Hall

pytestmark = pytest.mark.django_db


def test_many_score_sheets_are_set_by_a_worker(hall: Hall, referee: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(rounds, "MANY_SHEETS", 1)
    asked = referee.get(f"/desk/{hall.event.slug}/rounds/1/sheets.pdf")
    assert asked.status_code == 303
    page = referee.get(asked["Location"])
    assert "Waiting for a free worker" in page.content.decode()
    job = Job.objects.get()
    assert jobs.run(job_id=job.pk, kinds=KINDS, at=AT)
    done = referee.get(f"{asked['Location']}live/").content.decode()
    assert "Take the file" in done
    assert f"/desk/{hall.event.slug}/rounds/1/" in done
    paper = referee.get(f"{asked['Location']}file.pdf")
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF")


def test_how_far_it_is_and_why_it_ended(hall: Hall, referee: Client) -> None:
    job = Job.objects.create(tournament=hall.event, kind="score_sheets", subject=hall.round.pk, asked_at=AT)
    cache.set(f"job:{job.pk}", ({"en": "Setting", "zh": "排版"}, 40, 100), 60)
    address = f"/desk/{hall.event.slug}/jobs/{job.pk}/"
    shown = flat(referee.get(f"{address}live/").content.decode())
    assert "Setting · 40 of 100" in shown
    assert 'max="100" value="40"' in shown
    Job.objects.filter(pk=job.pk).update(done_at=AT, refusal={"code": "x", "message": {"en": "Too few.", "zh": "太少"}})
    assert "Too few." in referee.get(address).content.decode()
    assert referee.get(f"{address}file.pdf").status_code == 404
