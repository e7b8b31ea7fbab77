"""Who gets in where: every page of the desk by office, strangers, other events, caches."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import Hall

PAGES = {
    "": "rco",
    "live/": "rco",
    "entrants/": "rco",
    "entrants/new/": "o",
    "entrants/1/": "o",
    "entrants/import/": "o",
    "entrants/import/sample.xlsx": "o",
    "entrants/export.csv": "o",
    "rounds/": "rco",
    "rounds/1/": "rco",
    "rounds/1/pair/": "co",
    "rounds/1/supersede/": "co",
    "rounds/1/pairing.pdf": "rco",
    "rounds/1/sheets.pdf": "rco",
    "rounds/1/tables/1/": "rco",
    "rounds/1/tables/1/live/": "rco",
    "rounds/1/tables/1/enter/": "rc",
    "corrections/": "rco",
    "standings/": "rco",
    "standings/publish/": "o",
    "standings/export.csv": "rco",
    "standings/export.xlsx": "rco",
    "publications/": "rco",
    "history/": "rco",
    "officials/": "o",
    "setup/": "o",
    "export.json": "o",
}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_office_sees_its_pages(hall: Hall, sign_in, page: str, language: str) -> None:
    address = f"/desk/{hall.event.slug}/{page}"
    for letter, actor in (("r", hall.referee), ("c", hall.chief), ("o", hall.organiser)):
        client = sign_in(actor)
        client.cookies["django_language"] = language
        answer = client.get(address)
        assert answer.status_code == (200 if letter in PAGES[page] else 403), (letter, answer.status_code)
        assert answer["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("page", PAGES)
def test_strangers_find_nothing_and_nobody_is_sent_to_sign_in(hall: Hall, sign_in, page: str) -> None:
    stranger = sign_in(factories.official(factories.tournament()))
    assert stranger.get(f"/desk/{hall.event.slug}/{page}").status_code == 404
    nobody = Client().get(f"/desk/{hall.event.slug}/{page}")
    assert nobody.status_code == 302
    assert nobody["Location"].startswith("/desk/sign-in/?next=/desk/")
    assert nobody["Cache-Control"] == "private, no-store"


def test_unknown_event_is_404_and_a_superuser_is_a_stranger(hall: Hall, sign_in) -> None:
    assert sign_in(hall.organiser).get("/desk/no-such-event/").status_code == 404
    root = factories.user("root")
    root.is_superuser = root.is_staff = True
    root.save()
    client = Client()
    client.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/desk/{hall.event.slug}/").status_code == 404


@pytest.mark.long
def test_ids_of_another_event_are_unknown(hall: Hall, chief: Client) -> None:
    other = factories.hall()
    slug = hall.event.slug
    device = other.ns.device
    entry = factories_entry(other)
    for address in (
        f"/desk/{slug}/hands/{entry}/correct/",
        f"/desk/{slug}/entrants/999/",
        f"/desk/{slug}/rounds/9/",
        f"/desk/{slug}/rounds/1/tables/77/",
        f"/desk/{slug}/publications/1/",
    ):
        assert chief.get(address).status_code in (403, 404)
    assert chief.get(f"/desk/{slug}/hands/{entry}/correct/").status_code == 404
    posts = [
        f"/desk/{slug}/rounds/1/tables/1/release/{device.pk}/",
        f"/desk/{slug}/rounds/1/tables/1/confirm/{entry}/",
        f"/desk/{slug}/rounds/1/tables/1/settle/?entry={entry}&revision=0",
    ]
    for address in posts:
        assert chief.post(address).status_code == 404, address
    device.refresh_from_db()
    assert device.released_at is None


def factories_entry(hall: Hall) -> int:
    from tournaments.ledger.scorekeeping import record_hand

    done = record_hand(
        sitting_id=hall.sitting.pk,
        actor=hall.referee,
        at=factories.AT,
        facts=factories.sheet(),
        hand_no=1,
        basis="watched",
    )
    return done.entry.pk


def test_a_write_without_the_page_s_token_is_refused(hall: Hall) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(hall.organiser.user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(f"/desk/{hall.event.slug}/rounds/1/close/").status_code == 403


def test_other_methods_are_refused(hall: Hall, organiser: Client) -> None:
    slug = hall.event.slug
    assert organiser.put(f"/desk/{slug}/rounds/1/close/").status_code == 405
    assert organiser.delete(f"/desk/{slug}/").status_code == 405
    assert organiser.put(f"/desk/{slug}/entrants/").status_code == 405
