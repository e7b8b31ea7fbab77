"""A person's own account: the name shown, the name to sign in with, the password."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from ..exchange.text import TextProblem, clean_line
from ..models import User
from .errors import NotFound, Refusal


class LongEnough(MinimumLengthValidator):
    """The shortest password taken. Django's own sentence has no Chinese in this release."""

    def get_error_message(self) -> str:
        return gettext("This password is too short; use at least %(count)s characters.") % {"count": self.min_length}


def introduce(*, user_id: int, display_name: str, username: str, password: str) -> User:
    """Set the name shown, the name to sign in with and a password. Other sessions of the person end with it."""
    try:
        display_name = clean_line(display_name, max_length=80, required=True)
        username = clean_line(username, max_length=60, required=True)
    except TextProblem as problem:
        raise Refusal(problem.code, field="display_name", message=dict(problem.message), status=400) from None
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=user_id)
            user.display_name = display_name
            user.username = username
            user.set_password(password)
            user.save(update_fields=["display_name", "username", "password"])
    except User.DoesNotExist:
        raise NotFound() from None
    except IntegrityError:
        raise Refusal(
            "username_taken",
            field="username",
            message={"en": "This name is taken. Choose another.", "zh": "这个名字已被使用，请换一个。"},
            status=409,
        ) from None
    return user
