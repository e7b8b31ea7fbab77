"""Tokens of officials: made with a password, kept hashed, revocable one by one."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.http import Http404
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from . import documents, limits
from .describe import WRITE, described
from .errors import TooFast
from .strict import Body, Words
from .views import Endpoint, found

SIGN_INS = 120
ID_LENGTH = 16


class SignInForm(Body):
    username = Words()
    password = Words(trim_whitespace=False)


def _document(token: AuthToken) -> documents.Document:
    return {
        "id": token.digest[:ID_LENGTH],
        "key": token.token_key,
        "created_at": token.created.isoformat(),
        "expires_at": token.expiry and token.expiry.isoformat(),
    }


class Tokens(Endpoint):
    @described("Your tokens (never the tokens themselves)")
    def get(self, request: Request) -> Response:
        user = self.actor.user
        if user is None:
            raise NotAuthenticated()
        return Response(
            {"results": [_document(one) for one in AuthToken.objects.filter(user=user).order_by("-created")]}
        )

    @described("Sign in: a new token, shown once", body=SignInForm, status=201, refused=WRITE)
    def post(self, request: Request) -> Response:
        limits.spend(request, "sign_in", SIGN_INS)
        fields = self.body(SignInForm)
        user = authenticate(request._request, **fields)
        if user is None:
            if getattr(request._request, "axes_locked_out", False):
                request._request.axes_locked_out = False  # type: ignore[attr-defined]  # else its page takes our answer's place
                raise TooFast(300)
            raise AuthenticationFailed()
        token, secret = AuthToken.objects.create(user=user)
        return Response(_document(token) | {"token": secret}, status=201)


class OneToken(Endpoint):
    @described("Revoke one of your tokens", status=204, empty=True)
    def delete(self, request: Request, token_id: str) -> Response:
        user = self.actor.user
        if user is None:
            raise NotAuthenticated()
        if len(token_id) != ID_LENGTH:
            raise Http404
        found(AuthToken.objects.filter(user=user), digest__startswith=token_id).delete()
        return Response(status=204)
