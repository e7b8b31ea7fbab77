"""Access beyond the matrix: assigned tables, one official for everything, offices and phones taken back, two events."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.api.client import Api
from tests.api.hall import ApiHall, api_hall, desk, phone
from tests.tournaments import factories
from tournaments.events import setup, sign_in_links
from tournaments.models import Office, Official, Tournament
from tournaments.people import accounts

pytestmark = pytest.mark.django_db


@pytest.fixture
def here(db: None) -> ApiHall:
    return api_hall(tables=2)


def hand(here: ApiHall, **more: Any) -> dict[str, Any]:
    return {"facts": here.first(), "hand_no": 1, **more}


def test_a_referee_serves_the_tables_assigned_to_it(here: ApiHall) -> None:
    first, second = here.hall.sittings
    actor = factories.official(here.event, Office.REFEREE, tables=(first.table,))
    referee, pages = desk(actor), factories.signed_in(actor)
    body = hand(here, basis="watched")
    refused = referee.post(f"sittings/{second.pk}/hands/", body)
    assert (refused.status, refused.error["code"]) == (403, "forbidden")
    assert referee.post(f"sittings/{second.pk}/preview/", {"facts": here.first()}).status == 403
    assert referee.post(f"sittings/{first.pk}/hands/", body).status == 201
    board = f"/desk/{here.event.slug}/rounds/1/tables"
    assert pages.get(f"{board}/2/enter/").status_code == 403
    assert pages.post(f"{board}/2/end/", {"end": "time"}).status_code == 403
    assert pages.get(f"{board}/1/enter/").status_code == 200
    assert pages.get(f"{board}/2/").status_code == 200
    second.refresh_from_db()
    assert (second.hand_no, second.phase) == (1, "playing")


def test_a_single_official_does_what_all_offices_may(here: ApiHall) -> None:
    entry = here.counts()
    seen = here.nobody.get(f"{here.sitting}/").headers["ETag"]
    body = {"side": "NS", "levels": -1, "reason": "late", "clause": "penalty.late.levels"}
    penalty = f"{here.sitting}/penalties/", body
    assert here.organiser.post(*penalty, If_Match=seen).status == 403
    assert here.referee.post(f"{here.path}/entrants/", {"name": "Late"}).status == 403
    Tournament.objects.filter(pk=here.event.pk).update(single_official=True)
    assert here.organiser.post(*penalty, If_Match=seen).status == 201
    assert here.referee.post(f"{here.path}/entrants/", {"name": "Late"}).status == 201
    correct = f"entries/{entry}/corrections/"
    body = {"facts": here.first(40), "reason": "misread", "treatment": "recompute"}
    seen = here.nobody.get(f"{here.sitting}/").headers["ETag"]
    assert here.organiser.post(correct, body, If_Match=seen).status == 201
    # one official does everything, but a side's own acts stay with the side, and other people stay out
    assert here.organiser.post(f"{here.sitting}/calls/", {}).status == 403
    assert desk(factories.official(factories.tournament())).get(f"{here.path}/board/").status == 403


def test_an_office_taken_back_ends_with_the_next_request(here: ApiHall) -> None:
    pages = factories.signed_in(here.hall.referee)
    board = f"/desk/{here.event.slug}/"
    assert here.referee.get(f"{here.path}/board/").status == 200
    assert pages.get(board).status_code == 200
    office = Official.objects.get(user=here.hall.referee.user)
    assert here.organiser.call("DELETE", f"{here.path}/officials/{office.pk}/").status == 204
    assert here.referee.get(f"{here.path}/board/").status == 403
    assert here.referee.post(f"{here.sitting}/hands/", hand(here, basis="watched")).status == 404
    assert pages.get(board).status_code == 404


def test_a_person_who_is_shut_out_is_out_at_once(here: ApiHall) -> None:
    pages = factories.signed_in(here.hall.referee)
    user = here.hall.referee.user
    assert user is not None
    user.is_active = False
    user.save()
    assert here.referee.get(f"{here.path}/board/").status == 401
    assert pages.get(f"/desk/{here.event.slug}/").status_code == 302


def test_a_phone_signed_out_is_out_at_once(here: ApiHall) -> None:
    device = here.hall.ns.device
    assert device is not None
    page = Client()
    page.cookies[f"place_{device.public_id}"] = f"token-of-{device.pk}"
    address = f"/table/{device.public_id}/"
    assert page.get(address).status_code == 200
    assert here.ew.call("DELETE", f"devices/{device.public_id}/").status == 403
    assert here.referee.call("DELETE", f"devices/{device.public_id}/").status == 204
    assert here.ns.post(f"{here.sitting}/hands/", hand(here)).status == 401
    assert page.get(address).status_code == 404
    assert here.ew.get(f"{here.sitting}/calls/").status == 200


def test_a_phone_is_out_when_its_round_closes(here: ApiHall) -> None:
    for sitting in here.hall.sittings:
        seen = here.nobody.get(f"sittings/{sitting.pk}/").headers["ETag"]
        here.chief.ok("POST", f"sittings/{sitting.pk}/end/", {"reason": "time"}, If_Match=seen)
    here.chief.ok("POST", f"{here.path}/rounds/1/close/")
    assert here.ns.get(f"{here.sitting}/").status == 401


def test_the_api_knows_no_sessions_and_pages_no_tokens(here: ApiHall) -> None:
    device = here.hall.ns.device
    assert device is not None
    pages = factories.signed_in(here.hall.organiser)
    pages.cookies[f"place_{device.public_id}"] = f"token-of-{device.pk}"
    by_session = Api(client=pages)
    assert by_session.get(f"{here.path}/board/").status == 403
    assert by_session.post(f"{here.path}/entrants/", {"name": "Late"}).status == 403
    assert by_session.post(f"{here.sitting}/hands/", hand(here)).status == 403
    for credential in (here.organiser.authorization, here.ns.authorization):
        answer = Client().get(f"/desk/{here.event.slug}/", headers={"Authorization": credential})
        assert answer.status_code == 302
        assert Client().get(f"/table/{device.public_id}/", headers={"Authorization": credential}).status_code == 404


@pytest.mark.parametrize("method", ["TRACE", "PUT", "LINK"])
def test_methods_without_a_meaning(here: ApiHall, method: str) -> None:
    for path in (f"{here.path}/", f"{here.sitting}/hands/", "tokens/"):
        answer = here.organiser.call(method, path)
        assert (answer.status, answer.error["code"]) == (405, "method_not_allowed")


def test_a_method_is_not_smuggled_in_a_header(here: ApiHall) -> None:
    office = Official.objects.get(user=here.hall.referee.user)
    path = f"{here.path}/officials/{office.pk}/"
    for name in ("X_HTTP_Method_Override", "X_Method_Override", "X_HTTP_Method"):
        assert here.organiser.post(path, {}, **{name: "DELETE"}).status == 405
    office.refresh_from_db()
    assert office.revoked_at is None


def numbers(answer: dict[str, Any], field: str) -> set[Any]:
    return {row[field] for row in answer["results"]}


def test_lists_of_one_event_show_nothing_of_the_other(here: ApiHall) -> None:
    other = api_hall(tables=3)
    for each in (here, other):
        entry = each.counts()
        seen = each.nobody.get(f"{each.sitting}/").headers["ETag"]
        body = {"facts": each.first(40), "reason": f"misread at {each.event.slug}", "treatment": "recompute"}
        each.chief.ok("POST", f"entries/{entry}/corrections/", body, If_Match=seen)
        each.ns.ok("POST", f"{each.sitting}/calls/", {"note": f"come to {each.event.slug}!"})
        each.organiser.ok("POST", f"{each.path}/codes/")
        each.organiser.ok("POST", f"{each.path}/publications/", {"round": 1})
    lists = ("entrants", "tables", "codes", "rounds", "officials", "corrections", "history", "board", "publications")
    for each, neighbour in ((here, other), (other, here)):
        # an organiser of both events asks for one
        both = factories.official(each.event, Office.ORGANISER)
        Official.objects.create(
            tournament=neighbour.event, user=both.user, office=Office.ORGANISER, appointed_at=factories.AT
        )
        api = desk(both)
        shown = {name: api.ok("GET", f"{each.path}/{name}/") for name in lists}
        tables = len(each.hall.sittings)
        assert len(shown["entrants"]["results"]) == 2 * tables
        assert numbers(shown["tables"], "number") == set(range(1, tables + 1))
        assert len(shown["codes"]["results"]) == 2 * tables
        assert {one["id"] for one in shown["board"]["tables"]} == {one.pk for one in each.hall.sittings}
        assert {one["reason"] for one in shown["corrections"]["results"]} == {f"misread at {each.event.slug}"}
        assert numbers(shown["history"], "sitting") <= {None, *(one.pk for one in each.hall.sittings)}
        assert numbers(shown["publications"], "number") == {1}
        text = (
            str(shown)
            + api.get(f"{each.path}/export/").raw.decode()
            + api.get(f"{each.path}/entrants.csv").raw.decode()
        )
        assert f"come to {each.event.slug}!" in text
        assert not re.search(rf"{neighbour.event.slug}(?!\d)", text)


def test_ids_of_another_event_inside_a_body(here: ApiHall) -> None:
    other = api_hall(tables=2)
    ids = [one.pk for one in other.hall.sittings]
    assert here.chief.post(f"{here.path}/rounds/1/swap/", {"sittings": ids}).status in (400, 404, 409, 422)
    assert here.chief.post(f"{here.path}/rounds/1/swap/", {"sittings": [here.hall.sitting.pk, ids[0]]}).status != 200
    other.organiser.ok("POST", f"{other.path}/publications/", {"round": 1})
    body = {"round": 1, "supersedes": 1, "reason": "theirs"}
    assert here.organiser.post(f"{here.path}/publications/", body).status == 404
    office = Official.objects.get(user=other.hall.referee.user)
    assert here.organiser.call("DELETE", f"{here.path}/officials/{office.pk}/").status == 404
    device = other.hall.ns.device
    assert device is not None
    assert here.organiser.call("DELETE", f"devices/{device.public_id}/").status in (403, 404)
    assert other.ns.get(f"{other.sitting}/").status == 200


def test_a_drafts_existence_is_no_answer_to_outsiders(here: ApiHall) -> None:
    """Unknown and forbidden sittings answer alike to who has no business with the event."""
    stranger = phone(factories.hall().ns)
    for path in (f"{here.sitting}/hands/", "sittings/999999/hands/"):
        refused = stranger.post(path, hand(here))
        assert (refused.status, refused.error["code"]) == (404, "not_found")
    known, unknown = (stranger.post(path, hand(here)).error for path in (f"{here.sitting}/hands/", "sittings/9/hands/"))
    assert known == unknown


def test_a_sign_in_link_is_used_once_and_not_by_looking(here: ApiHall) -> None:
    user, _ = accounts.make_person(username="new")
    secret = setup.new_secret()
    sign_in_links.make_for_operator(person=user, at=timezone.now(), secret=secret)
    assert Client().get(f"/desk/enter/{secret}/").status_code == 200
    assert Client().post(f"/desk/enter/{secret}/").status_code == 303
    assert Client().post(f"/desk/enter/{secret}/").status_code == 403
