"""Signing in by password and by a link that works once."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments import factories
from tournaments.events import setup, sign_in_links
from tournaments.models import User
from tournaments.people import accounts

PASSWORD = "a long walk by the lake"


@pytest.fixture
def invited(db: None) -> User:
    return accounts.make_person(username="chen", display_name="Chen Mo")[0]


@pytest.fixture
def link(invited: User) -> str:
    secret = setup.new_secret()
    sign_in_links.make_for_operator(person=invited, at=timezone.now(), secret=secret)
    return f"/desk/enter/{secret}/"


def signed_in(client: Client) -> bool:
    """Who has no password yet is sent to set one."""
    answer = client.get("/desk/")
    return answer.status_code == 200 or answer["Location"] == "/desk/welcome/"


def test_a_password_lets_in_and_signing_out_ends_it(invited: User) -> None:
    invited.set_password(PASSWORD)
    invited.save()
    client = Client()
    wrong = client.post("/desk/sign-in/", {"username": "chen", "password": "wrong"})
    assert wrong.status_code == 200
    assert b'role="alert"' in wrong.content
    right = client.post("/desk/sign-in/", {"username": "chen", "password": PASSWORD, "next": "/desk/new/"})
    assert (right.status_code, right["Location"]) == (302, "/desk/new/")
    assert signed_in(client)
    client.post("/desk/sign-out/")
    assert not signed_in(client)


def test_looking_at_a_link_does_not_use_it_up(link: str) -> None:
    for _ in range(3):
        answer = Client().get(link)
        assert answer.status_code == 200
        assert answer["Referrer-Policy"] == "strict-origin", (
            "nobody learns the link, not our own log; our own form still proves its origin"
        )
    client = Client()
    entered = client.post(link)
    assert (entered.status_code, entered["Location"]) == (303, "/desk/welcome/")
    assert signed_in(client)


def test_a_link_works_once(link: str) -> None:
    Client().post(link)
    second = Client()
    assert second.post(link).status_code == 403
    assert not signed_in(second)
    assert Client().post("/desk/enter/made-up/").status_code == 403


def test_pressed_again_a_link_leads_its_own_browser_in_and_nobody_else(link: str) -> None:
    client, other = Client(), Client()
    client.post(link)
    again = client.post(link)
    assert (again.status_code, again["Location"]) == (303, "/desk/welcome/")
    assert "You are signed in already." in client.get("/desk/welcome/").content.decode()
    assert other.post(link).status_code == 403
    client.post("/desk/sign-out/")
    assert client.post(link).status_code == 403, "who signed out needs another link"


def test_a_link_whose_first_answer_was_lost_lets_the_same_browser_in(
    link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second press without scripts: the browser sends the same form, and never has the session of the first."""
    browser, other = Client(), Client()
    form = {"key": re.findall(r'name="key" value="([^"]+)"', browser.get(link).content.decode())[0]}
    other.get(link)
    before = {name: morsel.value for name, morsel in browser.cookies.items()}
    assert browser.post(link, form).status_code == 303
    for now, client, cookies in ((303, browser, before), (403, other, None)):
        if cookies is not None:
            client.cookies.clear()
            client.cookies.load(cookies)
        assert client.post(link, form).status_code == now
        assert signed_in(client) is (now == 303)
    browser.cookies.clear()
    browser.cookies.load(before)
    monkeypatch.setattr(sign_in_links, "ANSWER_LOST", -sign_in_links.ANSWER_LOST)
    assert browser.post(link, form).status_code == 403, "the minutes are over"


def test_who_comes_by_link_sets_a_password_of_their_own(link: str, invited: User) -> None:
    client = Client()
    client.post(link)
    facts = {"display_name": "Chen Mo", "username": "chenmo", "password": "12345678"}
    weak = client.post("/desk/welcome/", facts)
    assert weak.status_code == 422
    done = client.post("/desk/welcome/", facts | {"password": PASSWORD})
    assert done.status_code == 303
    assert signed_in(client), "changing the password keeps this session"
    invited.refresh_from_db()
    assert invited.check_password(PASSWORD)


@pytest.mark.parametrize("password", ["123", "password", "12345678"])
def test_a_weak_password_is_refused_in_the_language_of_the_page(link: str, password: str) -> None:
    client = Client()
    client.cookies["django_language"] = "zh-hans"
    client.post(link)
    facts = {"display_name": "陈默", "username": "chenmo", "password": password}
    answer = client.post("/desk/welcome/", facts)
    assert answer.status_code == 422
    assert "密码" in (said := " ".join(answer.context["form"].errors["password"])), said
    assert not re.search("[A-Za-z]{4}", said), said


def test_a_name_that_is_taken_is_refused_with_the_figures_kept(link: str) -> None:
    factories.User.objects.create(username="taken")
    client = Client()
    client.post(link)
    answer = client.post("/desk/welcome/", {"display_name": "Chen Mo", "username": "taken", "password": PASSWORD})
    assert answer.status_code == 422
    assert "This name is taken" in answer.content.decode()
    assert 'value="Chen Mo"' in answer.content.decode()


def test_an_account_in_use_is_not_set_up_again(invited: User) -> None:
    invited.set_password(PASSWORD)
    invited.save()
    client = Client()
    client.force_login(invited, backend="django.contrib.auth.backends.ModelBackend")
    facts = {"display_name": "X", "username": "x", "password": "another long walk"}
    assert client.post("/desk/welcome/", facts)["Location"] == "/desk/"
    invited.refresh_from_db()
    assert (invited.username, invited.check_password(PASSWORD)) == ("chen", True)


def test_the_name_to_sign_in_with_has_one_chinese_word(db: None) -> None:
    page = Client(headers={"accept-language": "zh-hans"}).get("/desk/sign-in/").content.decode()
    assert ">登录名<" in page
    assert "用户名" not in page
