"""API tokens: what each scope does of every act, their ends, their uses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone
from knox.models import AuthToken

from tests.tournaments.factories import AT, Hall, hall, user
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor, admissions, admit_again, allowed, require, require_whole
from tournaments.acts.errors import BeyondScope, Forbidden, NotFound, SecondFactorNeeded
from tournaments.models import TokenGrant, TokenScope, Tournament
from tournaments.people import tokens

pytestmark = pytest.mark.django_db

READ = "see_public see_table see_desk see_history"
ENTER = (
    "enter_hand confirm_hand take_back send_back call_referee object agree_end agree_by_code attach_record attach_photo"
    " check_in"
)
#: Every act that is named here is within the scope; all others need the whole.
WITHIN: Mapping[TokenScope, frozenset[str]] = {
    TokenScope.READ: frozenset(READ.split()),
    TokenScope.ENTER: frozenset(f"{READ} {ENTER}".split()),
    TokenScope.DIRECT: frozenset(Act),
}


@pytest.fixture
def here() -> Hall:
    return hall()


@pytest.mark.parametrize("scope", TokenScope)
def test_what_each_scope_does(here: Hall, scope: TokenScope) -> None:
    """Of every act and every office: exactly what the person may and the scope holds, and why not."""
    for actor in (here.referee, here.chief, here.organiser):
        by_token = Actor(user=actor.user, token=scope)
        for act in Act:
            of = {"tournament": here.event, "sitting": here.sitting}
            may = allowed(actor, act, **of)
            assert allowed(by_token, act, **of) == (may and act in WITHIN[scope]), (scope, act)
            if not may or act in WITHIN[scope]:
                continue
            with pytest.raises(BeyondScope) as refused:
                require(by_token, act, **of)
            needed = TokenScope.ENTER if act in WITHIN[TokenScope.ENTER] else TokenScope.DIRECT
            assert refused.value.params == {"scope": scope, "needed": needed}


def test_a_scope_gives_nobody_more(here: Hall) -> None:
    """Who may not in person is told what a person is told, whatever the token."""
    for scope in TokenScope:
        with pytest.raises(Forbidden):
            require(Actor(user=user(), token=scope), Act.PUBLISH, tournament=here.event)


def test_a_second_factor_is_asked_for_before_a_wider_token(here: Hall) -> None:
    Tournament.objects.filter(pk=here.event.pk).update(second_factor=True)
    here.event.refresh_from_db()
    with pytest.raises(SecondFactorNeeded):
        require(Actor(user=here.organiser.user, token=TokenScope.READ), Act.PUBLISH, tournament=here.event)


def test_an_answer_kept_for_a_person_is_not_given_to_a_token_that_may_not(here: Hall) -> None:
    with admissions() as noted:
        require(here.organiser, Act.PUBLISH, tournament=here.event)
    admit_again(Actor(user=here.organiser.user, token=TokenScope.DIRECT), noted)
    with pytest.raises(BeyondScope):
        admit_again(Actor(user=here.organiser.user, token=TokenScope.READ), noted)


@pytest.mark.parametrize(("scope", "may"), [(None, True), ("direct", True), ("enter", False), ("read", False)])
def test_what_belongs_to_the_account_needs_the_whole(scope: str | None, may: bool) -> None:
    actor = Actor(user=user(), token=None if scope is None else TokenScope(scope))
    if may:
        require_whole(actor)
        return
    with pytest.raises(BeyondScope):
        require_whole(actor)


def test_it_is_made_for_a_scope_and_some_days_and_what_has_ended_goes() -> None:
    person = user()
    old, _ = tokens.make(person=person, scope=TokenScope.READ, at=AT, days=1)
    token, text = tokens.make(person=person, scope=TokenScope.ENTER, at=AT + timedelta(days=1), days=7)
    assert list(AuthToken.objects.all()) == [token], "the old one has ended"
    assert not TokenGrant.objects.filter(token=old.digest).exists()
    assert token.expiry == AT + timedelta(days=8)
    assert tokens.scope_of(AuthToken.objects.get()) == TokenScope.ENTER
    assert text.startswith(token.token_key)


def test_a_use_is_noted_once_in_some_minutes() -> None:
    token, _ = tokens.make(person=user(), scope=TokenScope.READ, at=AT)
    noted = []
    for minutes in (0, 4, 5, 6):
        kept = AuthToken.objects.get(pk=token.pk)
        tokens.note_use(token.digest, tokens.used_at(kept), AT + timedelta(minutes=minutes))
        noted.append(TokenGrant.objects.get().used_at)
    five = AT + timedelta(minutes=5)
    assert noted == [AT, AT, five, five]


def test_tokens_from_before_keep_what_they_could_do() -> None:
    token = AuthToken.objects.create(user=user())[0]
    assert tokens.scope_of(token) == TokenScope.DIRECT
    import_module("tournaments.migrations.0014_token_grants").keep_everything(apps, None)
    assert TokenGrant.objects.get().token_id == token.digest
    assert tokens.scope_of(AuthToken.objects.get()) == TokenScope.DIRECT


def test_nobody_ends_the_token_of_another() -> None:
    token, _ = tokens.make(person=user(), scope=TokenScope.READ, at=timezone.now())
    with pytest.raises(NotFound):
        tokens.revoke(person=user(), token=tokens.token_id(token))
    assert AuthToken.objects.exists()
