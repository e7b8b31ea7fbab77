"""The demonstration: alive on first sight, lawful, removable, never into a database in use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import models, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.tournaments.factories import tournament, user
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger.hands_on_record import hands_with_records, replayed
from tournaments.models import Call, LedgerEntry, Publication, Round, Sitting, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def demo(*arguments: str) -> str:
    said = StringIO()
    call_command("demo", *arguments, stdout=said)
    return said.getvalue()


def links(said: str) -> list[str]:
    return re.findall(r"http://[^/]+(/\S+)", said)


def test_only_into_an_empty_database() -> None:
    tournament()
    with pytest.raises(CommandError, match="in use"):
        demo()
    assert demo("--if-empty") == ""
    assert Tournament.objects.count() == 1


@pytest.fixture(scope="module")
def said(django_db_setup: None, module_without_loop: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """What the command said when it made the demonstration, which stands for the tests after this."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield demo()
        transaction.set_rollback(True)


def test_stands_in_the_third_round_with_a_table_in_every_state(said: str) -> None:
    now = timezone.now()
    made = Tournament.objects.get()
    assert (made.demo, made.entrants.count(), made.stages.get().rounds_planned) == (True, 16, 4)
    assert list(Round.objects.order_by("number").values_list("status", flat=True)) == ["closed", "closed", "running"]
    assert list(Publication.objects.values_list("provisional", flat=True)) == [False, False]
    running = Round.objects.get(status="running")
    assert running.started_at < now < running.ends_at
    phases = Counter(Sitting.objects.filter(round=running).values_list("phase", flat=True))
    assert {"waiting", "disputed", "finished"} <= set(phases)
    assert phases["playing"] >= 4
    assert Call.objects.filter(closed_at=None).count() == 2
    newest = LedgerEntry.objects.aggregate(newest=models.Max("entered_at"))["newest"]
    assert now - timedelta(minutes=3) < newest <= now
    assert audit(event_document(made, official=True)) == []
    watched = Sitting.objects.get(round=running, scored_by="referee")
    told = [replayed(watched, number) for number in sorted(hands_with_records(watched))]
    assert len(told) >= 2
    assert all(one is not None and not one.disagreements and not one.replay.findings for one in told)


def test_links_open_both_sides_of_a_table_in_one_browser_and_the_desk(said: str) -> None:
    replaced, *sides = links(said)
    sign_in, *again = links(demo("--if-empty"))
    assert again == sides
    assert Client().post(replaced).status_code == 403
    browser = Client()
    pages = []
    for side in sides:
        claimed = browser.post(side)
        assert claimed.status_code == 303
        pages.append(claimed["Location"])
    assert len(set(pages)) == 2
    assert [browser.get(page).status_code for page in pages] == [200, 200]
    assert browser.post(sign_in).status_code == 303
    assert browser.get("/desk/city-open/").status_code == 200
    assert Client().post(sign_in).status_code == 403
    later = [link for link in links(demo("--if-empty")) if link.startswith("/desk/enter/")]
    assert len(later) == 1, "used, but nobody has a password yet: a lost session is no dead end"
    facts = {"display_name": "Lin", "username": "lin", "password": "a long walk by the lake"}
    assert browser.post("/desk/welcome/", facts).status_code == 303
    assert "/desk/enter/" not in demo("--if-empty")
    assert Client().post(later[0]).status_code == 403


def test_removed_it_leaves_the_organiser_and_does_not_come_back_by_itself(said: str) -> None:
    first = hands()
    own, guest = tournament(), user()
    assert "removed" in demo("--remove")
    assert list(Tournament.objects.all()) == [own]
    assert set(User.objects.values_list("username", flat=True)) == {"demo-organiser", guest.username}
    kept = {"Tournament", "User", "Recalculation", "SignInLink"}
    for model in Tournament._meta.apps.get_app_config("tournaments").get_models():
        assert model.__name__ in kept or not model.objects.exists(), model.__name__
    with pytest.raises(CommandError, match="no demonstration"):
        demo("--remove")
    own.delete()
    assert "/desk/enter/" in demo("--if-empty")
    assert not Tournament.objects.exists()
    demo()
    assert hands() == first, "same seed, same event"


def hands() -> list[object]:
    rows = LedgerEntry.objects.order_by("sitting__round__number", "sitting__table__number", "position", "version")
    return list(rows.values_list("facts", "status", "entered_side"))
