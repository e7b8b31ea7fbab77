"""My account: another password, sessions seen and ended, API tokens revoked."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.management.commands import changepassword
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from tests.api.client import Api
from tests.tournaments import factories
from tournaments.acts import guessing
from tournaments.models import AccountEvent, Office, Official, User

pytestmark = pytest.mark.django_db

PASSWORD, OTHER = "a long walk by the lake", "another walk in the rain"
HERE = "/desk/account/"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1"


@pytest.fixture
def person() -> User:
    cache.clear()
    return User.objects.create_user("wu", password=PASSWORD, display_name="Wu Min")


def browser(agent: str = "", password: str = PASSWORD) -> Client:
    client = Client(headers={"User-Agent": agent})
    assert client.post("/desk/sign-in/", {"username": "wu", "password": password}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get(HERE).status_code == 200


def page(client: Client) -> str:
    return client.get(HERE).content.decode()


def test_a_new_password_ends_every_other_session_and_every_token(person: User) -> None:
    own, other = browser(), browser()
    token = Api().post("tokens/", {"username": "wu", "password": PASSWORD}).json["token"]
    assert Api(f"Bearer {token}").get("tokens/").status == 200
    wrong = own.post(HERE, {"current": "guess", "password": OTHER})
    assert wrong.status_code == 422
    assert "not your present password" in wrong.content.decode()
    assert own.post(HERE, {"current": PASSWORD, "password": "123"}).status_code == 422
    done = own.post(HERE, {"current": PASSWORD, "password": OTHER}, follow=True)
    assert "every API token has ended" in done.content.decode()
    assert is_in(own)
    assert not is_in(other)
    assert Api(f"Bearer {token}").get("tokens/").status == 401
    assert is_in(browser(password=OTHER))


def test_a_password_set_by_the_operator_ends_them_too(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    own = browser()
    AuthToken.objects.create(user=person)
    monkeypatch.setattr(changepassword.getpass, "getpass", lambda prompt: OTHER)
    call_command("changepassword", "wu", stdout=StringIO())
    assert not is_in(own)
    assert not AuthToken.objects.exists()


@pytest.mark.long
def test_the_present_password_is_not_guessed_from_a_session(person: User) -> None:
    own = browser()
    for _ in range(guessing.PASSWORD.browser.most):
        assert own.post(HERE, {"current": "guess", "password": OTHER}).status_code == 422
    assert own.post(HERE, {"current": PASSWORD, "password": OTHER}).status_code == 429
    cache.clear()


def test_sessions_are_seen_and_ended(person: User) -> None:
    own, phone, third = browser(), browser(PHONE), browser()
    shown = page(own)
    assert "Safari · iPhone" in shown
    assert shown.count("this browser") == 1
    key = phone.session.session_key
    assert key is not None
    assert key not in shown, "a session's key would sign its reader in"
    ids = re.findall(r'name="session" value="([0-9a-f]{16})"', shown)
    assert len(ids) == 2
    own.post("/desk/account/sessions/end/", {"session": ids[0]})
    assert [is_in(one) for one in (own, phone, third)].count(True) == 2
    own.post("/desk/account/sessions/end/")
    assert [is_in(one) for one in (own, phone, third)] == [True, False, False]


def test_nobody_ends_the_sessions_and_tokens_of_another(person: User) -> None:
    theirs = browser()
    session = re.search(r'name="session" value="([0-9a-f]{16})"', page(browser()))
    assert session
    token = AuthToken.objects.create(user=person)[0].digest[:16]
    User.objects.create_user("guest", password=PASSWORD)
    guest = Client()
    guest.post("/desk/sign-in/", {"username": "guest", "password": PASSWORD})
    assert "Wu Min" not in page(guest)
    guest.post("/desk/account/sessions/end/", {"session": session[1]})
    guest.post("/desk/account/sessions/end/")
    assert guest.post("/desk/account/tokens/revoke/", {"token": token}).status_code == 404
    assert is_in(theirs)
    assert AuthToken.objects.filter(user=person).exists()


def test_tokens_are_seen_and_revoked(person: User) -> None:
    own = browser()
    assert "No program signs in as you" in page(own)
    first, secret = AuthToken.objects.create(user=person)
    AuthToken.objects.create(user=person)
    AuthToken.objects.filter(digest=first.digest).update(expiry=timezone.now())
    shown = page(own)
    assert shown.count('name="token"') == 1, "what has ended is not shown"
    assert secret not in shown
    AuthToken.objects.filter(digest=first.digest).update(expiry=None)
    own.post("/desk/account/tokens/revoke/", {"token": first.digest[:16]})
    assert not AuthToken.objects.filter(digest=first.digest).exists()
    assert AuthToken.objects.count() == 1


def happened(client: Client) -> list[str]:
    """The lines of what happened, without their times."""
    listed = page(client).partition('id="happened"')[2].partition("</section>")[0]
    lines = re.findall(r"<li>(.*?)</li>", listed, re.S)
    assert all(re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", one) for one in lines)
    words = (re.sub(r"<small.*?</small>|<[^>]+>", " ", one, flags=re.S) for one in lines)
    return [" ".join(html.unescape(one).split()) for one in words]


def test_what_happened_is_told_with_its_browser(person: User) -> None:
    own = browser(PHONE)
    stranger = Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"})
    stranger.post("/desk/sign-in/", {"username": "wu", "password": "guess"})
    stranger.post("/desk/sign-in/", {"username": "nobody", "password": "guess"})
    Api().post("tokens/", {"username": "wu", "password": PASSWORD})
    own.post(HERE, {"current": PASSWORD, "password": OTHER})
    assert happened(own) == [
        "password changed · Safari · iPhone",
        "an API token was made",
        "wrong password · Firefox · Linux",
        "signed in · Safari · iPhone",
    ]
    User.objects.create_user("guest", password=PASSWORD)
    guest = Client()
    guest.post("/desk/sign-in/", {"username": "guest", "password": PASSWORD})
    assert happened(guest) == ["signed in"], "nobody reads what happened to another account"


def test_offices_given_and_taken_are_told(person: User) -> None:
    event = factories.tournament()
    held = Official.objects.create(
        tournament=event, user=person, office=Office.CHIEF_REFEREE, appointed_at=timezone.now() - timedelta(days=400)
    )
    own = browser()
    assert happened(own) == ["signed in", f"{event.name}: appointed chief referee"]
    Official.objects.filter(pk=held.pk).update(revoked_at=timezone.now() + timedelta(seconds=1))
    assert happened(own)[0] == f"{event.name}: no longer chief referee"


def test_old_ones_go_and_the_newest_fifty_are_shown(person: User) -> None:
    long_ago = timezone.now() - timedelta(days=91)
    AccountEvent.objects.create(user=person, at=long_ago, kind="signed_in")
    for _ in range(60):
        AccountEvent.objects.create(user=person, at=timezone.now(), kind="signed_in")
    assert len(happened(browser())) == 50
    assert not AccountEvent.objects.filter(at=long_ago).exists()


def test_a_token_is_made_shown_once_and_tells_what_it_may_do(person: User) -> None:
    own = browser()
    made = own.post("/desk/account/tokens/", {"scope": "read", "days": "7", "key": "k-1"})
    assert made.status_code == 200
    (token,) = re.findall(r'id="token">([0-9a-f]{64})<', made.content.decode())
    assert "no-store" in made["Cache-Control"]
    assert "not used yet" in page(own)
    api = Api(f"Bearer {token}")
    (listed,) = api.ok("GET", "tokens/")["results"]
    assert listed["scope"] == "read"
    shown = page(own)
    assert token not in shown
    assert "last used" in shown
    assert "reads" in shown
    again = own.post("/desk/account/tokens/", {"scope": "read", "days": "7", "key": "k-1"})
    assert again.status_code == 409
    assert AuthToken.objects.count() == 1, "sent twice, it is one token"


def test_a_token_needs_password_or_code_within_minutes(person: User) -> None:
    own = browser()
    session = own.session
    session["proved_at"] = (timezone.now() - timedelta(minutes=11)).isoformat()
    session.save()
    asked = own.post("/desk/account/tokens/", {"scope": "direct", "days": "7"})
    assert asked.status_code == 403
    assert not AuthToken.objects.exists()
    own.post("/desk/account/tokens/", {"scope": "direct", "days": "7", "proof": PASSWORD})
    assert AuthToken.objects.count() == 1


@pytest.mark.parametrize("typed", [{"scope": "all", "days": "7"}, {"scope": "read", "days": "91"}, {"scope": "read"}])
def test_no_other_scope_and_no_longer_end(person: User, typed: dict[str, str]) -> None:
    assert browser().post("/desk/account/tokens/", typed).status_code == 422
    assert not AuthToken.objects.exists()
