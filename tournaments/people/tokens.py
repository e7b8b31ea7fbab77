"""The API tokens of a person: each made for a scope and for some days, kept hashed, ended one by one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from knox.models import AuthToken, get_digest_token
from knox.settings import CONSTANTS

from ..acts.change import Add, RemoveAll
from ..acts.errors import NotFound
from ..models import AccountEventKind, TokenGrant, TokenScope, User
from .account_events import noted, write_own

#: Days after which a token ends by itself, where nothing else is asked for, and at the most.
DAYS: Final = 30
MOST_DAYS: Final = 90
ID_LENGTH: Final = 16
#: A use is noted once in this time.
USED_EVERY: Final = timedelta(minutes=5)


def make(
    *, person: User, scope: TokenScope, at: datetime, days: int = DAYS, stated_browser: str = ""
) -> tuple[AuthToken, str]:
    """A new token that ends after `days`, and its text, which nobody can tell again. Tokens that have ended go."""
    digest, text = get_digest_token()
    token = AuthToken(
        digest=digest, token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH], user=person, expiry=at + timedelta(days=days)
    )
    write_own(
        RemoveAll(AuthToken, {"user": person, "expiry__lte": at}),
        Add(token),
        Add(TokenGrant(token=token, scope=scope)),
        *noted(person.pk, AccountEventKind.TOKEN_MADE, at, stated_browser),
    )
    return token, text


def tokens_of(person: User, at: datetime) -> list[AuthToken]:
    """The tokens of this person that have not ended, the newest first, each with its grant."""
    mine = AuthToken.objects.filter(user=person).exclude(expiry__lte=at)
    return list(mine.select_related("grant").order_by("-created"))


def token_id(token: AuthToken) -> str:
    return str(token.digest[:ID_LENGTH])


def scope_of(token: AuthToken) -> TokenScope:
    """What it may do."""
    grant = _grant_of(token)
    return TokenScope.DIRECT if grant is None else TokenScope(grant.scope)


def used_at(token: AuthToken) -> datetime | None:
    """When it was used last, to within minutes; None: never, or nobody noted."""
    grant = _grant_of(token)
    return None if grant is None else grant.used_at


def note_use_of(token: AuthToken, at: datetime) -> None:
    """The token was used; of one without a grant nothing is noted."""
    grant = _grant_of(token)
    if grant is not None:
        note_use(token.digest, grant.used_at, at)


def note_use(digest: str, last: datetime | None, at: datetime) -> None:
    """The token was used, noted once in some minutes; `last`: what is noted so far."""
    if last is None or at - last >= USED_EVERY:
        TokenGrant.objects.filter(token=digest).update(used_at=at)


def revoke(*, person: User, token: str) -> None:
    """End a token of the person. Refused: `not_found`."""
    mine = {"user": person, "digest__startswith": token}
    if len(token) != ID_LENGTH or not AuthToken.objects.filter(**mine).exists():
        raise NotFound()
    write_own(RemoveAll(AuthToken, mine))


def _grant_of(token: AuthToken) -> TokenGrant | None:
    try:
        return token.grant
    except TokenGrant.DoesNotExist:
        return None
