"""The second factor on the pages and through the API: turned on, asked for at every way in, lost and turned off."""

from __future__ import annotations

import base64
import re
from datetime import datetime, timedelta
from io import StringIO

import pyotp
import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from tests.api.client import Api
from tests.tournaments import factories
from tournaments.acts.admission import Actor
from tournaments.acts.guessing import FACTOR
from tournaments.events import setup, sign_in_links
from tournaments.models import AccountEvent, Office, Official, RecoveryCode, User
from tournaments.people import second_factor
from tournaments.transfer.paper.share import code_svg

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the lake"
FACTOR_PAGE, CODE_PAGE = "/desk/account/factor/", "/desk/sign-in/code/"
KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def person() -> User:
    cache.clear()
    return User.objects.create_user("wu", password=PASSWORD, display_name="Wu Min")


@pytest.fixture
def recovery(person: User) -> list[str]:
    """The factor is on, since long enough for the code of now."""
    at = timezone.now() - timedelta(hours=1)
    return second_factor.turn_on(
        person=person, password=PASSWORD, key=KEY, code=pyotp.TOTP(KEY).at(at), at=at, address="192.0.2.1"
    )


def now_code(key: str = KEY, at: datetime | None = None) -> str:
    return pyotp.TOTP(key).at(at or timezone.now())


def with_password(client: Client, **more: str) -> HttpResponse:
    form = {"username": "wu", "password": PASSWORD, **more}
    return client.post("/desk/sign-in/", form)  # type: ignore[return-value]


def with_code(client: Client, code: str) -> HttpResponse:
    return client.post(CODE_PAGE, {"code": code})  # type: ignore[return-value]


def is_in(client: Client) -> bool:
    return client.get("/desk/account/").status_code == 200


def shown_codes(page: str) -> list[str]:
    return re.findall(r'<li class="mono">([0-9A-Z-]{29})</li>', page)


def test_it_is_turned_on_with_the_key_that_the_page_shows(person: User) -> None:
    client, other = Client(), Client()
    with_password(client)
    with_password(other)
    token = AuthToken.objects.create(user=person)[1]
    page = client.get(FACTOR_PAGE)
    assert "no-store" in page["Cache-Control"]
    text = page.content.decode()
    key = re.search(r'id="key">([A-Z2-7 ]+)<', text)
    assert key
    picture = re.search(r"data:image/svg\+xml;base64,([\w+/=]+)", text)
    assert picture
    plain = key[1].replace(" ", "")
    said = f"otpauth://totp/Referee:wu?secret={plain}&issuer=Referee"
    assert base64.b64decode(picture[1]).decode() == code_svg(said)
    assert plain in client.get(FACTOR_PAGE).content.decode().replace(" ", ""), "a page looked at again keeps its key"
    wrong = client.post(FACTOR_PAGE, {"password": PASSWORD, "code": "000000"})
    assert (wrong.status_code, "This code is wrong" in wrong.content.decode()) == (422, True)
    guess = client.post(FACTOR_PAGE, {"password": "guess", "code": now_code(plain)})
    assert (guess.status_code, "not your present password" in guess.content.decode()) == (422, True)
    done = client.post(FACTOR_PAGE, {"password": PASSWORD, "code": now_code(plain)})
    codes = shown_codes(done.content.decode())
    assert (done.status_code, len(codes)) == (200, 10)
    assert is_in(client)
    assert not is_in(other), "a session from before has not shown the factor"
    assert Api(f"Bearer {token}").get("tokens/").status == 401
    later = client.get(FACTOR_PAGE).content.decode()
    assert "10 recovery codes are left" in later
    assert not any(one in later for one in codes), "shown once"
    assert plain not in later.replace(" ", "")


def test_a_form_sent_again_does_not_show_the_codes_again(person: User) -> None:
    client = Client()
    with_password(client)
    key = re.search(r'id="key">([A-Z2-7 ]+)<', client.get(FACTOR_PAGE).content.decode())
    assert key
    form = {"password": PASSWORD, "code": now_code(key[1].replace(" ", "")), "key": "once"}
    first, again = client.post(FACTOR_PAGE, form), client.post(FACTOR_PAGE, form)
    assert len(shown_codes(first.content.decode())) == 10
    assert (again.status_code, shown_codes(again.content.decode())) == (409, [])


def test_signing_in_asks_for_the_code_after_the_password(recovery: list[str]) -> None:
    client = Client()
    half = with_password(client, next="/desk/new/")
    assert (half.status_code, half["Location"]) == (303, CODE_PAGE)
    assert not is_in(client)
    assert client.cookies.get("known") is None, "this browser is not known before the code"
    assert client.get(CODE_PAGE).status_code == 200
    assert with_code(client, "000000").status_code == 422
    assert not is_in(client)
    key_before = client.session.session_key
    done = with_code(client, now_code())
    assert (done.status_code, done["Location"]) == (302, "/desk/new/")
    assert is_in(client)
    assert client.session.session_key != key_before
    assert client.get(CODE_PAGE)["Location"] == "/desk/sign-in/"
    second = Client()
    with_password(second)
    assert with_code(second, now_code(at=timezone.now())).status_code == 422, "seen over a shoulder, it is used up"


def test_without_a_password_there_is_nothing_to_show_a_code_for(recovery: list[str]) -> None:
    client = Client()
    for answer in (client.get(CODE_PAGE), with_code(client, now_code()), with_code(client, recovery[0])):
        assert (answer.status_code, answer["Location"]) == (303, "/desk/sign-in/")
    client.post("/desk/sign-in/", {"username": "wu", "password": "guess"})
    assert with_code(client, now_code())["Location"] == "/desk/sign-in/"
    assert not is_in(client)
    assert RecoveryCode.objects.filter(used_at=None).count() == 10


@pytest.mark.parametrize("meanwhile", ["late", "new password", "shut out"])
def test_the_password_is_good_for_some_minutes_only(recovery: list[str], meanwhile: str) -> None:
    client = Client()
    with_password(client)
    if meanwhile == "late":
        session = client.session
        session["half_in"] |= {"since": (timezone.now() - timedelta(minutes=6)).isoformat()}
        session.save()
    elif meanwhile == "new password":
        User.objects.update(password="another")
    else:
        User.objects.update(is_active=False)
    assert with_code(client, now_code())["Location"] == "/desk/sign-in/"
    assert not is_in(client)


def test_a_recovery_code_lets_in_once(recovery: list[str]) -> None:
    for expected in (302, 422):
        client = Client()
        with_password(client)
        assert with_code(client, recovery[0]).status_code == expected


def test_codes_are_not_guessed(recovery: list[str]) -> None:
    assert FACTOR.here is not None
    client = Client()
    with_password(client)
    for _ in range(FACTOR.here.most):
        assert with_code(client, "000000").status_code == 422
    stopped = with_code(client, now_code())
    assert (stopped.status_code, stopped["Retry-After"]) == (429, str(FACTOR.here.seconds))
    api = Api().post("tokens/", {"username": "wu", "password": PASSWORD, "code": now_code()})
    assert api.status == 429, "the page and the API count together"


def test_a_sign_in_link_asks_for_the_code_too(recovery: list[str]) -> None:
    user = User.objects.get()
    user.set_unusable_password()
    user.save()
    secret = setup.new_secret()
    sign_in_links.make_for_operator(person=user, at=timezone.now(), secret=secret)
    client = Client()
    half = client.post(f"/desk/enter/{secret}/")
    assert (half.status_code, half["Location"]) == (303, CODE_PAGE)
    assert client.get("/desk/welcome/").status_code == 302
    done = with_code(client, recovery[0])
    assert (done.status_code, done["Location"]) == (303, "/desk/welcome/")
    assert client.get("/desk/welcome/").status_code == 200


def test_the_api_asks_for_the_code(recovery: list[str]) -> None:
    signed = {"username": "wu", "password": PASSWORD}
    for code in ({}, {"code": ""}):
        asked = Api().post("tokens/", signed | code)
        assert (asked.status, asked.error["code"]) == (401, "factor_code_needed")
    wrong = Api().post("tokens/", signed | {"code": "000000"})
    assert (wrong.status, wrong.error["code"]) == (401, "wrong_factor_code")
    assert not AuthToken.objects.exists()
    guess = Api().post("tokens/", {"username": "wu", "password": "guess", "code": recovery[1]})
    assert guess.status == 401
    code = now_code()
    assert Api().post("tokens/", signed | {"code": code}).status == 201
    assert Api().post("tokens/", signed | {"code": code}).status == 401
    assert Api().post("tokens/", signed | {"code": recovery[1]}).status == 201


def test_it_is_turned_off_with_password_and_code(recovery: list[str]) -> None:
    client, other = Client(), Client()
    for one, code in ((client, recovery[0]), (other, recovery[1])):
        with_password(one)
        with_code(one, code)
    off = f"{FACTOR_PAGE}off/"
    for form in ({"password": PASSWORD}, {"password": PASSWORD, "code": "000000"}, {"password": "x", "code": "1"}):
        assert client.post(off, form).status_code == 422
    done = client.post(off, {"password": PASSWORD, "code": recovery[2]}, follow=True)
    assert "turned off" in done.content.decode()
    assert is_in(client)
    assert not is_in(other)
    assert with_password(Client())["Location"] == "/desk/"


def test_new_recovery_codes_end_the_old_ones(recovery: list[str]) -> None:
    client = Client()
    with_password(client)
    with_code(client, recovery[0])
    assert client.post(f"{FACTOR_PAGE}codes/", {"code": "000000"}).status_code == 422
    made = shown_codes(client.post(f"{FACTOR_PAGE}codes/", {"code": recovery[1]}).content.decode())
    assert len(made) == 10
    again = Client()
    with_password(again)
    assert with_code(again, recovery[2]).status_code == 422
    assert with_code(again, made[0]).status_code == 302


def test_the_operator_lets_in_who_lost_everything(recovery: list[str]) -> None:
    client = Client()
    with_password(client)
    with_code(client, recovery[0])
    call_command("forget_factor", "wu", stdout=StringIO())
    assert not is_in(client)
    assert with_password(Client())["Location"] == "/desk/"
    for name in ("wu", "nobody"):
        with pytest.raises(CommandError):
            call_command("forget_factor", name, stdout=StringIO())
    assert AccountEvent.objects.filter(kind="factor_off").count() == 1


def test_the_operators_new_password_keeps_the_factor(recovery: list[str]) -> None:
    user = User.objects.get()
    user.set_password("another walk")
    user.save()
    answer = Client().post("/desk/sign-in/", {"username": "wu", "password": "another walk"})
    assert answer["Location"] == CODE_PAGE


# An event that asks for it


def asking(person: User, office: Office = Office.ORGANISER) -> str:
    """The desk of an event that asks for it, where the person holds the office."""
    event = factories.tournament(second_factor=True)
    Official.objects.create(tournament=event, user=person, office=office, appointed_at=timezone.now())
    return f"/desk/{event.slug}/"


def test_who_has_none_is_led_to_turn_it_on_and_on_to_the_page(person: User) -> None:
    here, client = asking(person), Client()
    with_password(client)
    led = client.get(f"{here}setup/", follow=True)
    assert led.redirect_chain[-1][0].startswith(FACTOR_PAGE)
    page = led.content.decode()
    assert "Your office in this event asks for a second factor" in page
    key = re.search(r'id="key">([A-Z2-7 ]+)<', page)
    assert key
    assert f'name="next" value="{here}setup/"' in page
    form = {"password": PASSWORD, "code": now_code(key[1].replace(" ", "")), "next": f"{here}setup/"}
    done = client.post(FACTOR_PAGE, form)
    assert f'href="{here}setup/"' in done.content.decode()
    assert client.get(f"{here}setup/").status_code == 200


def test_nothing_is_done_before_it_is_on(person: User) -> None:
    here, client = asking(person), Client()
    with_password(client)
    answer = client.post(f"{here}officials/", {"username": "friend", "office": "organiser"})
    assert (answer.status_code, answer["Location"].startswith(FACTOR_PAGE)) == (303, True)
    assert not User.objects.filter(username="friend").exists()
    api = Api(f"Bearer {AuthToken.objects.create(user=person)[1]}")
    slug = here.split("/")[2]
    refused = api.post(f"events/{slug}/officials/", {"username": "friend", "office": "organiser"})
    assert (refused.status, refused.error["code"]) == (403, "second_factor_needed")
    assert "My account" in refused.error["message"]["en"]
    assert not User.objects.filter(username="friend").exists()


def test_a_referee_is_not_asked(person: User) -> None:
    here, client = asking(person, Office.REFEREE), Client()
    with_password(client)
    assert client.get(here).status_code == 200


@pytest.mark.parametrize("address", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_it_leads_nowhere_outside(person: User, address: str) -> None:
    client = Client()
    with_password(client)
    page = client.get(FACTOR_PAGE, {"next": address}).content.decode()
    assert address not in page


def test_an_event_asks_for_it_at_the_desk_and_through_the_api(person: User) -> None:
    event = factories.tournament()
    Official.objects.create(tournament=event, user=person, office=Office.ORGANISER, appointed_at=timezone.now())
    api = Api(f"Bearer {AuthToken.objects.create(user=person)[1]}")
    refused = api.call("PATCH", f"events/{event.slug}/", {"second_factor": True})
    assert (refused.status, refused.error["code"]) == (409, "own_factor_first")
    User.objects.update(factor_since=timezone.now())
    assert api.ok("PATCH", f"events/{event.slug}/", {"second_factor": True})["second_factor"] is True
    assert api.ok("PATCH", f"events/{event.slug}/", {"second_factor": False})["second_factor"] is False
    client = factories.signed_in(Actor(user=person))
    page = client.get(f"/desk/{event.slug}/setup/").content.decode()
    assert "Organisers and chief referees need a second factor" in page
    form = {"name": event.name, "language": event.language, "timezone": event.timezone, "second_factor": "on"}
    client.post(f"/desk/{event.slug}/setup/", form)
    event.refresh_from_db()
    assert event.second_factor
    assert (
        "Organisers and chief referees need a second factor"
        in client.get(f"/desk/{event.slug}/history/").content.decode()
    )


# Password or code once more


def some_time_ago(client: Client, minutes: int = 11) -> None:
    session = client.session
    session["proved_at"] = (timezone.now() - timedelta(minutes=minutes)).isoformat()
    session.save()


def an_organiser(person: User) -> tuple[Client, str]:
    event = factories.tournament()
    Official.objects.create(tournament=event, user=person, office=Office.ORGANISER, appointed_at=timezone.now())
    client = Client()
    with_password(client)
    return client, f"/desk/{event.slug}/"


def fields_of(page: str) -> dict[str, str]:
    """What the page that asks sends again."""
    form = page[page.index("<h1>") :].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


APPOINTED = {"username": "friend", "display_name": "A < B", "office": "referee", "tables": ""}


def test_an_open_browser_alone_appoints_nobody(person: User) -> None:
    client, here = an_organiser(person)
    some_time_ago(client)
    assert client.get(f"{here}officials/").status_code == 200
    asked = client.post(f"{here}officials/", APPOINTED | {"key": "one"})
    assert asked.status_code == 403
    assert not User.objects.filter(username="friend").exists()
    typed = {name: value.replace("&lt;", "<") for name, value in fields_of(asked.content.decode()).items()}
    assert typed == APPOINTED
    wrong = client.post(f"{here}officials/", typed | {"proof": "guess", "key": "two"})
    assert (wrong.status_code, fields_of(wrong.content.decode()).keys()) == (403, APPOINTED.keys())
    assert not User.objects.filter(username="friend").exists()
    assert client.post(f"{here}officials/", typed | {"proof": PASSWORD, "key": "three"}).status_code == 303
    assert User.objects.get(username="friend").display_name == "A < B"
    again = client.post(f"{here}officials/", APPOINTED | {"username": "other"})
    assert again.status_code == 303, "for ten minutes it is not asked again"
    assert list(AccountEvent.objects.order_by("pk").values_list("kind", flat=True)) == ["signed_in", "wrong_password"]


def test_a_proof_is_good_for_ten_minutes(person: User) -> None:
    client, here = an_organiser(person)
    for minutes, status in ((9, 303), (11, 403), (-1, 403)):
        some_time_ago(client, minutes)
        assert client.post(f"{here}officials/", APPOINTED | {"username": f"n{minutes + 2}"}).status_code == status


def test_what_else_asks_first(person: User) -> None:
    client, here = an_organiser(person)
    made = client.post(f"{here}officials/", APPOINTED)
    assert made.status_code == 303
    held = Official.objects.get(user__username="friend").pk
    some_time_ago(client)
    for address in (f"officials/{held}/link/", f"officials/{held}/revoke/", "stages/1/remove/"):
        asked = client.post(here + address)
        assert (asked.status_code, "Is it you?" in asked.content.decode()) == (403, True), address
    assert not Official.objects.exclude(revoked_at=None).exists()


def test_the_whole_event_is_handed_out_after_a_proof(person: User) -> None:
    client, here = an_organiser(person)
    assert client.get(f"{here}export.json")["Content-Type"] == "application/json"
    some_time_ago(client)
    asked = client.get(f"{here}export.json")
    assert (asked.status_code, "Is it you?" in asked.content.decode()) == (403, True)
    assert client.post(f"{here}export.json", {"proof": "guess"}).status_code == 403
    done = client.post(f"{here}export.json", {"proof": PASSWORD})
    assert (done.status_code, done["Location"]) == (303, f"{here}export.json")
    assert client.get(f"{here}export.json")["Content-Type"] == "application/json"


def test_the_code_is_a_proof_too_and_counted_like_any(recovery: list[str]) -> None:
    client, here = an_organiser(User.objects.get())
    with_code(client, recovery[0])
    some_time_ago(client)
    sent = APPOINTED | {"proof": "000000"}
    for _ in range(FACTOR.browser.most):
        assert client.post(f"{here}officials/", sent).status_code == 403
    assert client.post(f"{here}officials/", APPOINTED | {"proof": now_code()}).status_code == 429
    cache.clear()
    assert client.post(f"{here}officials/", APPOINTED | {"proof": now_code()}).status_code == 303


def test_who_came_by_a_link_sets_a_password_first(person: User) -> None:
    client, here = an_organiser(person)
    User.objects.update(password="!")
    client.force_login(User.objects.get(), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(f"{here}officials/", APPOINTED)
    assert (answer.status_code, answer["Location"]) == (302, "/desk/welcome/")
    assert not User.objects.filter(username="friend").exists()
