"""Tokens of officials: made with a password, kept hashed, revocable one by one."""

from __future__ import annotations

from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import AccountEventKind
from tournaments.people import account_events, accounts, second_factor

from .answers.base import Document, list_of
from .answers.events import NewToken, TokenAnswer
from .common.describe import described, unsaved, written
from .common.strict import Body, Words
from .common.views import Endpoint


class SignInForm(Body):
    username = Words()
    password = Words(trim_whitespace=False)
    code = Words(
        required=False,
        allow_blank=True,
        help_text="of the second factor, or a recovery code, where the account asks for one",
    )


def _document(token: AuthToken) -> Document:
    return {
        "id": accounts.token_id(token),
        "key": token.token_key,
        "created_at": token.created.isoformat(),
        "expires_at": token.expiry and token.expiry.isoformat(),
    }


class Tokens(Endpoint):
    door = True

    @described("Your tokens (never the tokens themselves)", answer=list_of(TokenAnswer))
    def get(self, request: Request) -> Response:
        user = self.actor.user
        if user is None:
            raise NotAuthenticated()
        return Response({"results": [_document(one) for one in accounts.tokens_of(user, self.now)]})

    @unsaved("Sign in again with a new key for another token.", "请用新的键再登录一次，取得新的令牌。")
    @written("Sign in: a new token, shown once", body=SignInForm, status=201, answer=NewToken)
    def post(self, request: Request) -> Response:
        fields = self.body(SignInForm)
        code, program = fields.pop("code", ""), request.headers.get("User-Agent", "")
        try:
            user = accounts.sign_in(**fields, address=self.address, stated_browser=program)
        except accounts.WrongPassword:
            raise AuthenticationFailed() from None
        if second_factor.is_on(user):
            second_factor.show(person=user, code=code, at=self.now, address=self.address, browser=program)
        token, secret = AuthToken.objects.create(user=user)
        account_events.note(user.pk, AccountEventKind.TOKEN_MADE, self.now, program)
        return Response(_document(token) | {"token": secret}, status=201)


class OneToken(Endpoint):
    @written("Revoke one of your tokens", status=204, empty=True)
    def delete(self, request: Request, token_id: str) -> Response:
        user = self.actor.user
        if user is None:
            raise NotAuthenticated()
        accounts.revoke_token(person=user, token=token_id)
        return Response(status=204)
