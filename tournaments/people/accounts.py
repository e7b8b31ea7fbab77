"""A person's own account: names, password, sessions.

A new password ends every session, API token and sign-in link of the person (`User.ways_in`); the model sees to it too,
for Django's own commands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Final

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from ..acts.change import Add, Move, RemoveAll, Write
from ..acts.errors import UNAUTHENTICATED, NotFound, Refusal
from ..acts.guessing import PASSWORD, WrongGuess, one_try
from ..acts.text import TextProblem, clean_line, same_reading, text_digest
from ..models import AccountEventKind, Session, Tournament, User
from .account_events import note, noted, write_own

ID_LENGTH = 16

#: What everybody here would try first: the product and its game. The names of the events of a person are added.
WORDS_OF_THE_PLACE: Final = (
    *("referee", "shengji", "tractor", "tuolaji", "sheng ji", "tournament", "organiser", "organizer", "80 points"),
    *("升级", "拖拉机", "双升", "裁判", "裁判长", "比赛"),
)


class LongEnough(MinimumLengthValidator):
    """The shortest password taken. Django's own sentence has no Chinese in this release."""

    def get_error_message(self) -> str:
        return gettext("This password is too short; use at least %(count)s characters.") % {"count": self.min_length}


class NotOfThisPlace:
    """A password is long enough without the words that everybody here knows."""

    LEAST: Final = 8

    def validate(self, password: str, user: User | None = None) -> None:
        left = same_reading(password)
        for word in sorted(_words_around(user), key=len, reverse=True):
            left = left.replace(word, "")
        if len(left) < self.LEAST <= len(password):
            raise ValidationError(self.get_help_text(), code="password_of_this_place")

    def get_help_text(self) -> str:
        return gettext("Take a password that is long enough without the names of this game and of your events.")


def _words_around(user: User | None) -> Iterator[str]:
    """The words that stand for nothing in a password of this person, as they read; each of three letters at least, or
    two characters of Chinese."""
    events = Tournament.objects.filter(officials__user=user.pk) if user is not None and user.pk else ()
    names = [text for event in events for text in (event.name, event.name_latin, event.slug, event.place)]
    for text in (*WORDS_OF_THE_PLACE, *names):
        whole = same_reading(text)
        yield from {one for one in (whole, *re.split(r"[\W_]+", whole)) if len(one) > (2 if one.isascii() else 1)}


class WrongPassword(WrongGuess):
    """No such name with this password; which of the two was wrong is not told."""

    def __init__(self) -> None:
        super().__init__(
            "wrong_password",
            message={"en": "Name or password is wrong.", "zh": "登录名或密码不对。"},
            status=UNAUTHENTICATED,
        )


class WrongPresentPassword(WrongGuess):
    """Who changes a password, or the second factor, has to know the present one."""

    def __init__(self, field: str = "current") -> None:
        super().__init__(
            "wrong_password",
            field=field,
            message={"en": "This is not your present password.", "zh": "当前密码不对。"},
        )


def sign_in(
    *, username: str, password: str, address: str, known: Collection[int] = (), stated_browser: str = ""
) -> User:
    """Who has this name and password; a second factor is still to be shown (`second_factor`).

    `known` are the ids of the people who signed in on this browser before; `stated_browser`: what it says of itself.
    Refused: `WrongPassword`; `TooManyTries`.
    """
    person = User.objects.filter(username=username).values_list("pk", flat=True).first()
    browser = f"user:{person}" if person in known else ""
    with one_try(PASSWORD, address=address, account=username, browser=browser):
        user = authenticate(username=username, password=password)
        if user is None:
            if person is not None:
                note(person, AccountEventKind.WRONG_PASSWORD, timezone.now(), stated_browser)
            raise WrongPassword()
    return user


def person_of(user_id: int) -> User | None:
    """Who this is, while the account is in use."""
    return User.objects.filter(pk=user_id, is_active=True).first()


def named(username: str) -> User | None:
    """Who signs in by this name."""
    return User.objects.filter(username=username).first()


def called(username: str, display_name: str = "") -> User:
    """Who has this name, as it is; else a new person without a password, not stored yet."""
    try:
        username = clean_line(username, max_length=60, required=True)
        display_name = clean_line(display_name, max_length=80)
    except TextProblem as problem:
        raise Refusal(problem.code, field="username", message=dict(problem.message), status=400) from None
    person = User.objects.filter(username=username).first()
    if person is None:
        person = User(username=username, display_name=display_name)
        person.set_unusable_password()
    return person


def make_person(*, username: str, display_name: str = "") -> tuple[User, bool]:
    """Who has this name, made where nobody has; and whether it is new. For commands."""
    person = called(username, display_name)
    if is_new := person._state.adding:
        write_own(Add(person))
    return person, is_new


def anybody_has_password() -> bool:
    """Whether this installation is in use: somebody can sign in by name and password."""
    without = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX) | Q(password="")
    return User.objects.filter(is_active=True).exclude(without).exists()


def change_password(*, person: User, current: str, new: str, address: str, stated_browser: str = "") -> None:
    """Set another password; whoever knows the present one may. Every session and API token ends with it.

    Refused: `wrong_password`; `TooManyTries`.
    """
    with one_try(PASSWORD, address=address, account=person.username, browser=f"user:{person.pk}"):
        if not person.check_password(current):
            raise WrongPresentPassword()
    changed = noted(person.pk, AccountEventKind.PASSWORD_CHANGED, timezone.now(), stated_browser)
    write_own(*_password(person, new), *changed, over=(person,))


def _password(person: User, password: str, **columns: str) -> tuple[Write, ...]:
    """The person has this password, and comes in by nothing else that was there."""
    ended = (RemoveAll(rows, where) for rows, where in person.ways_in())
    return Move(person, {**columns, "password": make_password(password)}), *ended


def sessions_of(person: User, at: datetime) -> list[Session]:
    """Where this person is signed in, the newest first."""
    return list(person.sessions.filter(expire_date__gt=at).order_by("-started_at", "-expire_date"))


def session_id(session_key: str | None) -> str:
    """What a page may show of a session: its key would sign whoever reads it in."""
    return text_digest(session_key or "")[:ID_LENGTH]


def end_sessions(*, person: User, ids: Collection[str]) -> int:
    """End these sessions of the person; how many there were."""
    found = [one.session_key for one in person.sessions.all() if session_id(one.session_key) in ids]
    write_own(RemoveAll(Session, {"user": person, "session_key__in": found}), over=(person,))
    return len(found)


def introduce(*, user_id: int, display_name: str, username: str, password: str) -> User:
    """Set the name shown, the name to sign in with and a password. Other sessions of the person end with it."""
    try:
        display_name = clean_line(display_name, max_length=80, required=True)
        username = clean_line(username, max_length=60, required=True)
    except TextProblem as problem:
        raise Refusal(problem.code, field="display_name", message=dict(problem.message), status=400) from None
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotFound()
    try:
        write_own(*_password(user, password, display_name=display_name, username=username), over=(user,))
    except IntegrityError:
        raise Refusal("username_taken", field="username", status=409) from None
    return user
