"""No account gains anything over another: the takeover step by step, and every other way that leads there."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.api.client import Api
from tests.tournaments import factories
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor, allowed
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.events import officials, sign_in_links
from tournaments.models import HistoryEntry, Invitation, Office, Official, SignInLink, Tournament, User

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the lake"
EVENT = {"preset": "F1", "name": "Trap", "slug": "trap", "language": "en", "timezone": "UTC", "starts_on": "2026-05-01"}


def person(name: str, password: str | None = PASSWORD) -> User:
    return User.objects.create_user(username=name, password=password, display_name=name)


def browser_of(name: str) -> Client:
    client = Client()
    assert client.post("/desk/sign-in/", {"username": name, "password": PASSWORD}).status_code == 302
    return client


@pytest.fixture
def victim() -> User:
    """Came by a first link some time ago, runs an event of his own, has no password yet."""
    made = person("victim", None)
    event = factories.tournament()
    Official.objects.create(tournament=event, user=made, office=Office.ORGANISER, appointed_at=factories.AT)
    return made


@pytest.fixture
def attacker(victim: User) -> Client:
    """Signed in, with an event of his own: both are open to anybody."""
    person("attacker")
    client = browser_of("attacker")
    assert client.post("/desk/new/", EVENT).status_code == 303
    return client


def links_shown(page: str) -> list[str]:
    return re.findall(r"/desk/enter/[0-9a-f]+/", page)


def test_the_takeover_is_refused_at_every_step(victim: User, attacker: Client) -> None:
    trap = Tournament.objects.get(slug="trap")
    # he appoints the stranger: that invites him and gives nothing
    form = {"username": "victim", "display_name": "Mine now", "office": "referee"}
    assert attacker.post("/desk/trap/officials/", form).status_code == 303
    assert not trap.officials.filter(user=victim).exists()
    victim.refresh_from_db()
    assert victim.display_name == "victim"
    page = attacker.get("/desk/trap/officials/").content.decode()
    assert "victim" in page
    assert "/link/" not in page
    # he asks for a link all the same: for an office, even one that somehow stands, of an account not made for his event
    office = Official.objects.create(tournament=trap, user=victim, office=Office.REFEREE, appointed_at=factories.AT)
    refused = attacker.post(f"/desk/trap/officials/{office.pk}/link/")
    assert refused.status_code == 409
    assert links_shown(refused.content.decode()) == []
    # nor for the office that the victim holds elsewhere
    theirs = Official.objects.exclude(tournament=trap).get(user=victim)
    assert attacker.post(f"/desk/trap/officials/{theirs.pk}/link/").status_code == 404
    assert attacker.post(f"/desk/{theirs.tournament.slug}/officials/{theirs.pk}/link/").status_code == 404
    assert not SignInLink.objects.exists()


def test_nor_over_the_api(victim: User, attacker: Client) -> None:
    token = Api().post("tokens/", {"username": "attacker", "password": PASSWORD}).json["token"]
    api = Api(f"Bearer {token}")
    invited = api.post("events/trap/officials/", {"username": "victim", "office": "organiser"})
    assert invited.status == 202
    assert not Official.objects.filter(tournament__slug="trap", user=victim).exists()
    theirs = Official.objects.get(user=victim)
    assert api.post(f"events/trap/officials/{theirs.pk}/link/", {}).status == 404
    assert api.post(f"events/{theirs.tournament.slug}/officials/{theirs.pk}/link/", {}).status in (403, 404)
    # nor does he answer for him
    assert api.post(f"invitations/{invited.json['id']}/accept/", {}).status == 404
    assert api.get("invitations/").json["results"] == []


# An account that an appointment made


@pytest.fixture
def hall() -> factories.Hall:
    return factories.hall()


def made(hall: factories.Hall, name: str = "wang", office: str = "referee") -> Official:
    given = {"tournament_id": hall.event.pk, "actor": hall.organiser, "at": timezone.now()}
    done = officials.appoint(**given, username=name, display_name="王芳", office=office)
    assert isinstance(done, Official)
    return done


def link_for(hall: factories.Hall, held: Official, secret: str = "s" * 64) -> str:
    sign_in_links.make(official_id=held.pk, actor=hall.organiser, at=timezone.now(), secret=secret)
    return f"/desk/enter/{secret}/"


def works(link: str) -> bool:
    return Client().post(link).status_code == 303


def test_a_link_is_void_once_used_or_replaced(hall: factories.Hall) -> None:
    held = made(hall)
    first, second = link_for(hall, held, "1" * 64), link_for(hall, held, "2" * 64)
    assert not works(first)
    assert works(second)
    assert not works(second)


def test_a_link_is_void_once_a_password_is_set(hall: factories.Hall) -> None:
    held = made(hall)
    own = Client()
    own.post(link_for(hall, held, "1" * 64))
    later = link_for(hall, held, "2" * 64)
    facts = {"display_name": "王芳", "username": "wang", "password": PASSWORD}
    assert own.post("/desk/welcome/", facts).status_code == 303
    assert not works(later)
    with pytest.raises(Refusal, match="has_password"):
        link_for(hall, held, "3" * 64)


def test_a_link_is_void_once_the_office_ended(hall: factories.Hall) -> None:
    held = made(hall)
    link = link_for(hall, held)
    officials.revoke(official_id=held.pk, actor=hall.organiser, at=timezone.now())
    assert not works(link)
    # appointed again, the old link stays void, and a new one is for the new office
    again = made(hall)
    assert again.pk != held.pk
    assert not works(link)
    assert works(link_for(hall, again, "2" * 64))


def test_a_link_is_void_after_a_day(hall: factories.Hall) -> None:
    held = made(hall)
    then = timezone.now() - timedelta(days=1, minutes=1)
    sign_in_links.make(official_id=held.pk, actor=hall.organiser, at=then, secret="x")
    with pytest.raises(Refusal, match="link_used"):
        sign_in_links.use(secret="x", at=timezone.now())


def test_making_a_link_stands_in_the_history(hall: factories.Hall) -> None:
    held = made(hall)
    link_for(hall, held)
    row = HistoryEntry.objects.filter(tournament=hall.event).latest("pk")
    assert (row.act, row.subject, row.user) == ("manage_officials", f"official:{held.pk}", hall.organiser.user)
    assert row.new == {"user": held.user_id, "office": "referee", "link": True}


def test_who_has_only_a_link_does_nothing_outside_the_event(hall: factories.Hall) -> None:
    """Else whoever made the account could follow it into the events that it makes or joins."""
    held = made(hall)
    browser = Client()
    browser.post(link_for(hall, held))
    assert browser.get(f"/desk/{hall.event.slug}/").status_code == 200
    for page in ("/desk/", "/desk/new/", "/desk/import/", "/desk/account/"):
        assert browser.get(page)["Location"] == "/desk/welcome/", page
    assert browser.post("/desk/new/", EVENT)["Location"] == "/desk/welcome/"
    assert not Tournament.objects.filter(slug="trap").exists()
    for act in (Act.CREATE_TOURNAMENT, Act.IMPORT_EVENT, Act.ACCEPT_INVITATION):
        assert not allowed(Actor(user=held.user), act, tournament=None)
    elsewhere = factories.hall()
    waiting = officials.appoint(
        tournament_id=elsewhere.event.pk,
        actor=elsewhere.organiser,
        at=timezone.now(),
        username="wang",
        office="referee",
    )
    assert isinstance(waiting, Invitation)
    with pytest.raises(Forbidden):
        officials.accept(invitation_id=waiting.pk, actor=Actor(user=held.user), at=timezone.now())


def test_appointing_again_does_not_bring_an_account_back_that_has_a_password(hall: factories.Hall) -> None:
    held = made(hall)
    held.user.set_password(PASSWORD)
    held.user.save()
    officials.revoke(official_id=held.pk, actor=hall.organiser, at=timezone.now())
    again = officials.appoint(
        tournament_id=hall.event.pk, actor=hall.organiser, at=timezone.now(), username="wang", office="referee"
    )
    assert isinstance(again, Invitation)


# Invitations


def invite(hall: factories.Hall, who: User, office: str = "referee", tables: tuple[int, ...] = ()) -> Invitation:
    done = officials.appoint(
        tournament_id=hall.event.pk,
        actor=hall.organiser,
        at=timezone.now(),
        username=who.username,
        office=office,
        tables=tables,
    )
    assert isinstance(done, Invitation)
    return done


def test_an_invitation_is_accepted_at_the_desk(hall: factories.Hall) -> None:
    guest = person("guest")
    asked = invite(hall, guest, tables=(1,))
    assert invite(hall, guest).pk == asked.pk, "asked again it is the same invitation, with the tables of now"
    browser = browser_of("guest")
    page = browser.get("/desk/").content.decode()
    assert hall.event.name in page
    assert f"/desk/invitations/{asked.pk}/accept/" in page
    assert browser.get(f"/desk/{hall.event.slug}/").status_code == 404
    answered = browser.post(f"/desk/invitations/{asked.pk}/accept/")
    assert (answered.status_code, answered["Location"]) == (303, f"/desk/{hall.event.slug}/")
    assert browser.get(f"/desk/{hall.event.slug}/").status_code == 200
    held = hall.event.officials.get(user=guest)
    assert (held.office, list(held.tables.all())) == ("referee", [])
    row = HistoryEntry.objects.get(act="accept_invitation")
    assert (row.user, row.new) == (guest, {"user": guest.pk, "office": "referee"})
    assert f"/desk/invitations/{asked.pk}/" not in browser.get("/desk/").content.decode()


def test_an_invitation_tells_nothing_of_whom_it_asks(hall: factories.Hall) -> None:
    guest = person("guest")
    User.objects.filter(pk=guest.pk).update(display_name="Somebody Real")
    invite(hall, guest)
    page = factories.signed_in(hall.organiser).get(f"/desk/{hall.event.slug}/officials/").content.decode()
    assert "guest" in page
    assert "Somebody Real" not in page


def test_an_invitation_is_declined_or_withdrawn_and_then_over(hall: factories.Hall) -> None:
    guest = person("guest")
    me = Actor(user=guest)
    declined, withdrawn = invite(hall, guest), invite(hall, guest, "chief_referee")
    officials.decline(invitation_id=declined.pk, actor=me, at=timezone.now())
    officials.withdraw(invitation_id=withdrawn.pk, actor=hall.organiser, at=timezone.now())
    for over in (declined, withdrawn):
        with pytest.raises(Refusal, match="not_found"):
            officials.accept(invitation_id=over.pk, actor=me, at=timezone.now())
    assert not hall.event.officials.filter(user=guest).exists()
    assert invite(hall, guest).pk != declined.pk


def test_only_who_was_asked_answers_and_only_an_organiser_withdraws(hall: factories.Hall) -> None:
    guest, other = person("guest"), person("other")
    asked = invite(hall, guest)
    for act in (officials.accept, officials.decline):
        with pytest.raises(Refusal, match="not_found"):
            act(invitation_id=asked.pk, actor=Actor(user=other), at=timezone.now())
    for actor in (hall.chief, Actor(user=guest)):
        with pytest.raises(Forbidden):
            officials.withdraw(invitation_id=asked.pk, actor=actor, at=timezone.now())


def test_who_serves_here_already_gets_another_office_at_once(hall: factories.Hall) -> None:
    assert hall.referee.user is not None
    done = officials.appoint(
        tournament_id=hall.event.pk,
        actor=hall.organiser,
        at=timezone.now(),
        username=hall.referee.user.username,
        office="chief_referee",
    )
    assert isinstance(done, Official)


def test_who_was_invited_is_not_the_organiser_who_stays(hall: factories.Hall) -> None:
    invite(hall, person("guest"), "organiser")
    held = hall.event.officials.get(user=hall.organiser.user)
    with pytest.raises(Refusal, match="last_organiser"):
        officials.revoke(official_id=held.pk, actor=hall.organiser, at=timezone.now())
