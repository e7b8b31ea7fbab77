"""Tokens of officials: made with a password for a scope and some days, kept hashed, revocable one by one."""

from __future__ import annotations

from knox.models import AuthToken
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.admission import require_whole
from tournaments.models import TokenScope, User
from tournaments.people import accounts, second_factor, tokens

from .answers.base import Document, list_of
from .answers.events import NewToken, TokenAnswer
from .common.describe import described, unsaved, written
from .common.entries import credential_of
from .common.strict import Body, Whole, Words, length_of
from .common.views import Endpoint


class SignInForm(Body):
    username = Words(length_of(User, "username"))
    password = Words(4_096, trim_whitespace=False)
    code = Words(
        200,
        required=False,
        allow_blank=True,
        help_text="of the second factor, or a recovery code, where the account asks for one",
    )
    scope = serializers.ChoiceField(
        required=False,
        choices=TokenScope.values,
        help_text="read; enter: and hands; direct: whatever its person may do, where nothing is asked for",
    )
    days = Whole(
        required=False,
        min_value=1,
        max_value=tokens.MOST_DAYS,
        help_text=f"after which it ends; {tokens.DAYS} where nothing is asked for",
    )


def _document(token: AuthToken) -> Document:
    used = tokens.used_at(token)
    return {
        "id": tokens.token_id(token),
        "key": token.token_key,
        "scope": tokens.scope_of(token).value,
        "created_at": token.created.isoformat(),
        "expires_at": token.expiry and token.expiry.isoformat(),
        "used_at": used and used.isoformat(),
    }


class Tokens(Endpoint):
    door = True

    @described("Your tokens (never the tokens themselves)", answer=list_of(TokenAnswer))
    def get(self, request: Request) -> Response:
        user = self.actor.user
        if user is None:
            raise NotAuthenticated()
        return Response({"results": [_document(one) for one in tokens.tokens_of(user, self.now)]})

    @unsaved("Sign in again with a new key for another token.", "请用新的键再登录一次，取得新的令牌。")
    @written("Sign in: a new token, shown once", body=SignInForm, status=201, answer=NewToken)
    def post(self, request: Request) -> Response:
        fields = self.body(SignInForm)
        code, program = fields.pop("code", ""), request.headers.get("User-Agent", "")
        scope, days = TokenScope(fields.pop("scope", TokenScope.DIRECT)), fields.pop("days", tokens.DAYS)
        try:
            user = accounts.sign_in(**fields, address=self.address, stated_browser=program)
        except accounts.WrongPassword:
            raise AuthenticationFailed() from None
        if second_factor.is_on(user):
            second_factor.show(person=user, code=code, at=self.now, address=self.address, browser=program)
        token, secret = tokens.make(person=user, scope=scope, days=days, at=self.now, stated_browser=program)
        return Response(_document(token) | {"token": secret}, status=201)


class OneToken(Endpoint):
    @written("Revoke one of your tokens; any token may end itself", status=204, empty=True)
    def delete(self, request: Request, token_id: str) -> Response:
        user = self.actor.user
        if user is None:
            raise NotAuthenticated()
        shown = credential_of(request)[0]
        if shown is None or shown.token_digest[: tokens.ID_LENGTH] != token_id:
            require_whole(self.actor)
        tokens.revoke(person=user, token=token_id)
        return Response(status=204)
