"""Tokens of officials and phones: kept hashed, shown once, taken back one by one, counted when guessed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.apps import apps
from django.core.cache import cache
from django.utils import timezone
from knox.models import AuthToken

from tests.api.client import Api, seated, signed_in
from tests.api.hall import api_hall
from tests.tournaments import factories
from tournaments.models import TokenGrant, TokenScope, User
from tournaments.people import tokens

pytestmark = pytest.mark.django_db

PASSWORD = "quiet-Harbour-77"


@pytest.fixture
def user(db: None) -> Iterator[User]:
    cache.clear()
    made = factories.user("referee")
    made.set_password(PASSWORD)
    made.save()
    yield made
    cache.clear()


def sign_in(user: User, password: str = PASSWORD) -> tuple[int, dict[str, str]]:
    answer = Api().post("tokens/", {"username": user.username, "password": password})
    return answer.status, answer.json


def whole_database() -> str:
    """Every value of every row, as a thief of the database would read it."""
    rows = [str(row) for model in apps.get_models() for row in model._default_manager.values_list()]
    return "\n".join(rows)


def test_a_token_is_shown_once_and_kept_hashed(user: User) -> None:
    status, made = sign_in(user)
    assert status == 201
    assert len(made["token"]) >= 64
    listed = Api(f"Bearer {made['token']}").get("tokens/")
    assert [row["id"] for row in listed.json["results"]] == [made["id"]]
    assert made["token"].encode() not in listed.raw
    kept = whole_database()
    assert made["id"] in kept
    assert made["token"] not in kept
    assert made["token"][8:40] not in kept  # the first signs are kept to find the row


def test_a_phones_token_is_kept_hashed() -> None:
    here = api_hall()
    other = factories.entrant(here.event, 3), factories.entrant(here.event, 4)
    factories.sitting(here.hall.round, *other, 2)
    codes = here.chief.ok("POST", f"{here.path}/codes/")["results"]
    code = next(one["code"] for one in codes if one["table"] == 2)
    api, made = seated(code)
    assert api.get(f"sittings/{made['sitting']}/calls/").status == 200
    kept = whole_database()
    assert made["device"] in kept
    assert made["token"] not in kept
    assert code not in kept
    assert Api(f"Device {made['device']}:{made['token'][:-1]}").get("events/").status == 401


def test_tokens_are_taken_back_one_by_one(user: User) -> None:
    first, second = (signed_in(user.username, PASSWORD) for _ in range(2))
    ids = [row["id"] for row in first.ok("GET", "tokens/")["results"]]
    assert len(ids) == 2
    newest = ids[0]
    stranger = factories.user("other")
    foreign = Api(f"Bearer {AuthToken.objects.create(user=stranger)[1]}")
    assert foreign.call("DELETE", f"tokens/{newest}/").status == 404
    assert first.call("DELETE", f"tokens/{newest[:4]}/").status == 404
    assert first.call("DELETE", f"tokens/{newest}/").status == 204
    assert second.get("tokens/").status == 401
    assert first.get("tokens/").status == 200
    assert first.call("DELETE", f"tokens/{newest}/").status == 404


def test_a_token_ends_by_itself(user: User) -> None:
    api = signed_in(user.username, PASSWORD)
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert api.get("tokens/").status == 401


def test_the_answer_does_not_tell_who_exists(user: User) -> None:
    wrong = Api().post("tokens/", {"username": user.username, "password": "x"})
    unknown = Api().post("tokens/", {"username": "nobody-of-that-name", "password": "x"})
    User.objects.filter(pk=user.pk).update(is_active=False)
    shut_out = Api().post("tokens/", {"username": user.username, "password": PASSWORD})
    assert (wrong.status, unknown.status, shut_out.status) == (401, 401, 401)
    assert wrong.raw == unknown.raw == shut_out.raw


def with_scope(person: User | None, scope: str) -> Api:
    assert person is not None
    made = tokens.make(person=person, scope=TokenScope(scope), at=timezone.now())
    return Api(f"Bearer {made[1]}")


def test_a_token_is_made_for_a_scope_and_days(user: User) -> None:
    now, signed = timezone.now(), {"username": user.username, "password": PASSWORD}
    made = Api().post("tokens/", signed | {"scope": "read", "days": 3}).json
    assert made["scope"] == "read"
    assert timedelta(days=3) <= datetime.fromisoformat(made["expires_at"]) - now <= timedelta(days=3, minutes=1)
    assert made["used_at"] is None
    (listed,) = Api(f"Bearer {made['token']}").ok("GET", "tokens/")["results"]
    assert listed["used_at"] is not None
    plain = Api().post("tokens/", signed).json
    assert plain["scope"] == "direct"
    assert timedelta(days=29) < datetime.fromisoformat(plain["expires_at"]) - now <= timedelta(days=31)


@pytest.mark.parametrize(
    "asked", [{"scope": "all"}, {"scope": None}, {"days": 0}, {"days": 91}, {"days": "7"}], ids=str
)
def test_no_other_scope_and_no_longer_end(user: User, asked: dict[str, object]) -> None:
    answer = Api().post("tokens/", {"username": user.username, "password": PASSWORD} | asked)
    assert answer.status == 400
    assert answer.error["field"] == next(iter(asked))
    assert not AuthToken.objects.exists()


def test_beyond_its_scope_it_is_refused_in_both_languages() -> None:
    here = api_hall()
    hand = {"facts": here.first(), "hand_no": 1, "basis": "watched"}
    refused = with_scope(here.hall.referee.user, "read").post(f"{here.sitting}/hands/", hand)
    assert (refused.status, refused.error["code"]) == (403, "beyond_scope")
    assert refused.error["params"] == {"scope": "read", "needed": "enter"}
    assert set(refused.error["message"]) == {"en", "zh"}
    assert with_scope(here.hall.referee.user, "enter").keyed(f"{here.sitting}/hands/", hand)["entry"]
    codes = with_scope(here.hall.organiser.user, "enter").post(f"{here.path}/codes/", {})
    assert (codes.status, codes.error["params"]["needed"]) == (403, "direct")


def test_what_is_sent_to_the_tables_notes_the_use_too() -> None:
    here = api_hall()
    api = with_scope(here.hall.referee.user, "enter")
    api.keyed(f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1, "basis": "watched"})
    assert TokenGrant.objects.get().used_at is not None


def test_a_narrow_token_ends_itself_and_no_other(user: User) -> None:
    wide, narrow = with_scope(user, "direct"), with_scope(user, "read")
    newest, oldest = (row["id"] for row in wide.ok("GET", "tokens/")["results"])
    refused = narrow.call("DELETE", f"tokens/{oldest}/")
    assert (refused.status, refused.error["code"]) == (403, "beyond_scope")
    assert narrow.call("DELETE", f"tokens/{newest}/").status == 204
    assert narrow.get("tokens/").status == 401
    assert wide.get("tokens/").status == 200
