"""Passkeys on the pages: made, shown at every place that takes a code, refused where anything of them is not right."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tests.api.client import Api
from tests.authenticator import LOOKED, Device, b64
from tests.referee.desk.test_second_factor import (
    APPOINTED,
    KEY,
    PASSWORD,
    an_organiser,
    fields_of,
    is_in,
    now_code,
    shown_codes,
    some_time_ago,
)
from tournaments.acts.guessing import FACTOR
from tournaments.models import AccountEvent, Passkey, RecoveryCode, User
from tournaments.people import passkeys, second_factor

pytestmark = pytest.mark.django_db

FACTOR_PAGE, CODE_PAGE = "/desk/account/factor/", "/desk/sign-in/code/"
ADD, ASK, ASK_AT_SIGN_IN = "/desk/account/passkeys/add/", "/desk/account/passkeys/ask/", "/desk/sign-in/passkey/"


@pytest.fixture
def person() -> User:
    cache.clear()
    return User.objects.create_user("wu", password=PASSWORD, display_name="Wu Min")


def browser(**extra: Any) -> Client:
    return Client(headers={"host": "localhost"}, **extra)


def with_password(client: Client) -> HttpResponse:
    return client.post("/desk/sign-in/", {"username": "wu", "password": PASSWORD})  # type: ignore[return-value]


def asked(client: Client, what: str = "show", at: str = ASK) -> dict[str, Any]:
    answer = client.post(at, {"for": what})
    assert answer.status_code == 200, answer
    return dict(json.loads(answer.content))


def made(client: Client, device: Device, name: str = "my phone", **more: str) -> HttpResponse:
    form = {"name": name, "passkey": device.make(asked(client, "new")), **more}
    return client.post(ADD, form)  # type: ignore[return-value]


def shown(client: Client, device: Device) -> HttpResponse:
    """At sign-in, after the password."""
    form = {"code": "", "passkey": device.show(asked(client, at=ASK_AT_SIGN_IN))}
    return client.post(CODE_PAGE, form)  # type: ignore[return-value]


@pytest.fixture
def device(person: User) -> Device:
    """The second factor is on, by this passkey alone."""
    client, one = browser(), Device()
    with_password(client)
    assert made(client, one).status_code == 200
    person.refresh_from_db()
    return one


def kinds() -> list[str]:
    return list(AccountEvent.objects.order_by("pk").values_list("kind", flat=True))


def test_the_first_one_turns_the_second_factor_on(person: User) -> None:
    client, other = browser(), browser()
    for one in (client, other):
        with_password(one)
    assert "Use a passkey instead" in client.get(FACTOR_PAGE).content.decode()
    options = asked(client, "new")
    assert options["rp"]["id"] == "localhost"
    assert options["authenticatorSelection"]["userVerification"] == "preferred"
    assert b64(str(person.pk).encode()) not in options["user"]["id"]
    done = made(client, Device(), next="/desk/new/")
    page = done.content.decode()
    assert (done.status_code, len(shown_codes(page)), 'href="/desk/new/"' in page) == (200, 10, True)
    person.refresh_from_db()
    assert second_factor.is_on(person)
    assert is_in(client)
    assert not is_in(other), "a session from before has not shown the factor"
    assert with_password(browser())["Location"] == CODE_PAGE
    assert "my phone" in client.get(FACTOR_PAGE).content.decode()


def test_it_lets_in_after_the_password(device: Device) -> None:
    client = browser()
    with_password(client)
    assert "Use a passkey" in client.get(CODE_PAGE).content.decode()
    done = shown(client, device)
    assert (done.status_code, done["Location"], is_in(client)) == (302, "/desk/", True)
    assert Passkey.objects.get().used_at is not None
    page = client.get(FACTOR_PAGE).content.decode()
    assert "last used" in page


def test_without_the_password_nothing_is_asked(device: Device) -> None:
    for client in (browser(), browser()):
        assert client.post(ASK_AT_SIGN_IN)["Location"] == "/desk/sign-in/"
        assert client.get(ASK_AT_SIGN_IN)["Location"] == "/desk/sign-in/"
        client.post("/desk/sign-in/", {"username": "wu", "password": "guess"})


def test_an_answer_is_good_once_and_for_five_minutes(device: Device) -> None:
    client = browser()
    with_password(client)
    answer = device.show(asked(client, at=ASK_AT_SIGN_IN))
    session = client.session
    session["passkey_asked"] |= {"since": (timezone.now() - timedelta(minutes=6)).isoformat()}
    session.save()
    for _ in range(2):
        late = client.post(CODE_PAGE, {"passkey": answer})
        assert (late.status_code, "five minutes" in late.content.decode()) == (422, True)
    kept = asked(client, at=ASK_AT_SIGN_IN)
    assert client.post(CODE_PAGE, {"passkey": device.show(kept)}).status_code == 302
    again = browser()
    with_password(again)
    for _ in range(2):
        refused = again.post(CODE_PAGE, {"passkey": device.show(kept)})
        assert (refused.status_code, is_in(again)) == (422, False)
    assert kinds().count("wrong_code") == 0, "what came late is no guess"


def test_two_with_one_answer_are_one(device: Device, person: User) -> None:
    """The same answer twice at once, past the session: the second finds the counter moved, or the time."""
    for count in (7, None):
        device.count = count
        Passkey.objects.update(sign_count=0, used_at=None)
        site = passkeys.Site("localhost", "http://localhost")
        challenge = b64(b"c" * 32)
        answer = passkeys.Answer(device.show({"challenge": challenge}), site, challenge)
        before = Passkey.objects.get()
        passkeys.use(person.pk, answer, timezone.now(), "")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(passkeys, "_shown", lambda person, answer, before=before: before)
            with pytest.raises(passkeys.WrongPasskey):
                passkeys.use(person.pk, answer, timezone.now(), "")


@pytest.mark.parametrize(
    "wrong",
    ["another key", "another host", "another origin", "another challenge", "nobody touched it", "no json", "{}"],
)
def test_what_is_not_right_does_not_let_in(device: Device, wrong: str) -> None:
    client = browser()
    with_password(client)
    asks = asked(client, at=ASK_AT_SIGN_IN)
    if wrong == "another key":
        device.private = Device().private
    elif wrong == "another host":
        device.host = "copy.example"
    elif wrong == "another origin":
        device.origin = "https://localhost:8001"
    elif wrong == "another challenge":
        asks["challenge"] = b64(b"x" * 64)
    elif wrong == "nobody touched it":
        device.flags = LOOKED
    answer = wrong if wrong in ("no json", "{}") else device.show(asks)
    refused = client.post(CODE_PAGE, {"passkey": answer})
    assert (refused.status_code, "does not fit" in refused.content.decode()) == (422, True)
    assert not is_in(client)
    assert kinds()[-1] == "wrong_code"


@pytest.mark.parametrize(
    "wrong", ["another host", "another origin", "another challenge", "[]", '{"id": 1}', "x" * 30_000]
)
def test_what_is_not_right_is_not_registered(person: User, wrong: str) -> None:
    client, one = browser(), Device()
    with_password(client)
    asks = asked(client, "new")
    if wrong == "another host":
        one.host = "copy.example"
    elif wrong == "another origin":
        one.origin = "http://127.0.0.1"
    elif wrong == "another challenge":
        asks["challenge"] = b64(b"x" * 64)
    answer = one.make(asks) if wrong.startswith("another") else wrong
    assert client.post(ADD, {"name": "phone", "passkey": answer}).status_code == 422
    assert not Passkey.objects.exists()
    person.refresh_from_db()
    assert not second_factor.is_on(person)


def test_of_another_person_it_is_nothing(device: Device) -> None:
    other = User.objects.create_user("li", password=PASSWORD)
    second_factor.turn_on(
        person=other, password=PASSWORD, key=KEY, code=now_code(), at=timezone.now(), address="192.0.2.1"
    )
    client = browser()
    client.post("/desk/sign-in/", {"username": "li", "password": PASSWORD})
    assert "Use a passkey" not in client.get(CODE_PAGE).content.decode()
    assert shown(client, device).status_code == 422
    assert not is_in(client)
    taken = browser()
    taken.force_login(other, backend="django.contrib.auth.backends.ModelBackend")
    session = taken.session
    session["proved_at"] = timezone.now().isoformat()
    session.save()
    assert "registered already" in made(taken, device).content.decode()


def test_a_counter_that_went_back_is_a_copy(device: Device) -> None:
    client = browser()
    with_password(client)
    assert shown(client, device).status_code == 302
    for count in (-1, 0):  # counted to nought, and to one, as the real one just did
        device.count = count
        again = browser()
        with_password(again)
        refused = shown(again, device)
        assert (refused.status_code, "counter" in refused.content.decode(), is_in(again)) == (422, True, False)
    assert kinds()[-2:] == ["passkey_copied"] * 2
    assert "its counter went back" in client.get("/desk/account/").content.decode()
    device.count = 1
    real = browser()
    with_password(real)
    assert shown(real, device).status_code == 302


def test_one_that_does_not_count_is_taken(person: User) -> None:
    client, one = browser(), Device(count=None)
    with_password(client)
    made(client, one)
    for _ in range(2):
        again = browser()
        with_password(again)
        assert shown(again, one).status_code == 302


def test_wrong_ones_are_counted_with_codes(device: Device) -> None:
    assert FACTOR.here is not None
    client = browser()
    with_password(client)
    for _ in range(FACTOR.here.most):
        assert client.post(CODE_PAGE, {"code": "000000"}).status_code == 422
    assert shown(client, device).status_code == 429


# Where it is asked for once more


def test_it_is_a_proof_within_the_session(device: Device) -> None:
    _, here = an_organiser(User.objects.get())
    client = browser()
    with_password(client)
    shown(client, device)
    some_time_ago(client)
    page = client.post(f"{here}officials/", APPOINTED)
    assert (page.status_code, 'name="proof_passkey"' in page.content.decode()) == (403, True)
    typed = {name: value.replace("&lt;", "<") for name, value in fields_of(page.content.decode()).items()}
    typed.pop("proof_passkey", None)
    foreign = Device().show(asked(client))
    refused = client.post(f"{here}officials/", typed | {"proof": "", "proof_passkey": foreign})
    assert (refused.status_code, "does not fit" in refused.content.decode()) == (403, True)
    assert not User.objects.filter(username="friend").exists()
    answer = device.show(asked(client))
    done = client.post(f"{here}officials/", typed | {"proof": "", "proof_passkey": answer})
    assert done.status_code == 303
    assert User.objects.filter(username="friend").exists()


def test_it_makes_recovery_codes_and_turns_off(device: Device) -> None:
    client = browser()
    with_password(client)
    shown(client, device)
    first = set(RecoveryCode.objects.values_list("digest", flat=True))
    done = client.post(f"{FACTOR_PAGE}codes/", {"code": "", "passkey": device.show(asked(client))})
    assert len(shown_codes(done.content.decode())) == 10
    assert not first & set(RecoveryCode.objects.values_list("digest", flat=True))
    off = f"{FACTOR_PAGE}off/"
    for password, status in (("guess", 422), (PASSWORD, 303)):
        form = {"password": password, "code": "", "passkey": device.show(asked(client))}
        assert client.post(off, form).status_code == status
    assert not Passkey.objects.exists()
    assert is_in(client)
    assert with_password(browser())["Location"] == "/desk/"


def test_beside_an_app_both_let_in(person: User) -> None:
    at = timezone.now() - timedelta(hours=1)
    second_factor.turn_on(person=person, password=PASSWORD, key=KEY, code=now_code(at=at), at=at, address="192.0.2.1")
    client, one = browser(), Device()
    with_password(client)
    client.post(CODE_PAGE, {"code": now_code()})
    added = made(client, one)
    assert (added.status_code, added["Location"]) == (303, FACTOR_PAGE)
    assert is_in(client)
    other = browser()
    with_password(other)
    assert shown(other, one).status_code == 302
    removed = client.post(f"/desk/account/passkeys/{Passkey.objects.get().pk}/remove/", follow=True)
    assert "The passkey is removed" in removed.content.decode()
    assert kinds()[-1] == "passkey_removed"
    last = browser()
    with_password(last)
    assert shown(last, one).status_code == 422


def test_adding_and_removing_ask_for_a_proof(device: Device) -> None:
    client = browser()
    with_password(client)
    shown(client, device)
    some_time_ago(client)
    assert client.get(ADD).status_code == 403
    second = Device()
    assert made(client, second).status_code == 403
    assert Passkey.objects.count() == 1
    key = Passkey.objects.get().pk
    assert client.post(f"/desk/account/passkeys/{key}/remove/").status_code == 403
    proved = client.post(ADD, {"proof": PASSWORD})
    assert (proved.status_code, proved["Location"]) == (303, ADD)
    assert made(client, second, "blue key").status_code == 303
    assert client.post(f"/desk/account/passkeys/{key}/remove/").status_code == 303
    kept = client.post(f"/desk/account/passkeys/{Passkey.objects.get().pk}/remove/", follow=True)
    assert "your last passkey" in kept.content.decode()
    assert Passkey.objects.get().name == "blue key"


def test_another_persons_is_not_there(device: Device) -> None:
    other = User.objects.create_user("li", password=PASSWORD)
    client = browser()
    client.post("/desk/sign-in/", {"username": other.username, "password": PASSWORD})
    assert client.post(f"/desk/account/passkeys/{Passkey.objects.get().pk}/remove/").status_code == 404
    assert Passkey.objects.exists()


def test_twenty_are_enough(device: Device, person: User) -> None:
    row = {"user": person, "name": "one", "rp_id": "localhost", "public_key": "", "made_at": timezone.now()}
    Passkey.objects.bulk_create(Passkey(**row, credential=f"{number:04}") for number in range(passkeys.MOST - 1))
    client = browser()
    with_password(client)
    shown(client, device)
    assert "twenty passkeys" in made(client, Device()).content.decode()


def test_the_operator_takes_them_away(device: Device, person: User) -> None:
    second_factor.forget(person=person, at=timezone.now())
    assert not Passkey.objects.exists()


def test_programs_take_a_recovery_code_or_a_token_made_at_the_desk(person: User) -> None:
    client = browser()
    with_password(client)
    codes = shown_codes(made(client, Device()).content.decode())
    signed = {"username": "wu", "password": PASSWORD}
    asked_for = Api().post("tokens/", signed)
    assert (asked_for.status, asked_for.error["code"]) == (401, "factor_code_needed")
    assert Api().post("tokens/", signed | {"code": codes[0]}).status == 201
    assert "no program" not in client.post("/desk/account/tokens/", {"scope": "read", "days": "7"}).content.decode()


@pytest.mark.parametrize(
    ("host", "secure", "site"),
    [
        ("localhost:8000", False, passkeys.Site("localhost", "http://localhost:8000")),
        ("cup.example.org", True, passkeys.Site("cup.example.org", "https://cup.example.org")),
        ("Cup.example.org:8443", True, passkeys.Site("cup.example.org", "https://Cup.example.org:8443")),
        ("cup.example.org", False, None),
        ("127.0.0.1:8000", False, None),
        ("192.168.4.2:8443", True, None),
        ("[::1]:8000", True, None),
        ("[fd00::2]", True, None),
    ],
)
def test_they_are_of_host_names(host: str, secure: bool, site: passkeys.Site | None) -> None:
    assert passkeys.site_of(host, secure) == site


def test_a_bare_address_says_why_there_are_none(device: Device) -> None:
    client = Client(headers={"host": "127.0.0.1"})
    with_password(client)
    assert "Use a passkey" not in client.get(CODE_PAGE).content.decode()
    assert client.post(ASK_AT_SIGN_IN).status_code == 404
    assert client.post(CODE_PAGE, {"passkey": device.show({"challenge": b64(b"x" * 64)})}).status_code == 422
    User.objects.create_user("li", password=PASSWORD)
    other = Client(headers={"host": "127.0.0.1"})
    other.post("/desk/sign-in/", {"username": "li", "password": PASSWORD})
    for page in (FACTOR_PAGE, ADD):
        assert "browsers bind them to a host name" in other.get(page).content.decode()
    assert other.post(ASK).status_code == 404


def test_a_form_sent_again_makes_one_and_shows_no_codes(person: User) -> None:
    client, one = browser(), Device()
    with_password(client)
    form = {"name": "phone", "passkey": one.make(asked(client, "new")), "key": "once"}
    first, again = client.post(ADD, form), client.post(ADD, form)
    assert len(shown_codes(first.content.decode())) == 10
    assert (again.status_code, shown_codes(again.content.decode())) == (409, [])
    assert Passkey.objects.count() == 1
