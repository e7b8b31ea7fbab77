"""Who asks: an official with a revocable token, or a table's device with the token it got for its party code."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tournaments.acts.admission import Actor
from tournaments.ledger import devices
from tournaments.people import tokens

DEVICE_PREFIX = "Device"


class OfficialToken(TokenAuthentication):
    """`Authorization: Bearer <token>`: hashed in the database, revoked or expired tokens are 401."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        found = super().authenticate(request)
        if found is None:
            return None
        user, token = found
        tokens.note_use_of(token, timezone.now())
        return user, Actor(user=user, token=tokens.scope_of(token))

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Whether it has ended; what has ended goes when its person makes the next one (`tokens.make`)."""
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class DeviceToken(BaseAuthentication):
    """`Authorization: Device <id>:<token>`: one side's place at one sitting until the round ends."""

    def authenticate(self, request: Request) -> tuple[None, Actor] | None:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        prefix, _, credential = header.partition(" ")
        if prefix.lower() != DEVICE_PREFIX.lower():
            return None
        public_id, _, token = credential.partition(":")
        now = timezone.now()
        device = devices.device_for(public_id=public_id, token=token, at=now, with_place=False) if token else None
        if device is None:
            raise AuthenticationFailed()
        return None, Actor(device=device)

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def actor_of(request: Request) -> Actor:
    """The actor behind a request; nobody in particular when no credential came."""
    _ = request.user  # which reads the credential
    return request.auth if isinstance(request.auth, Actor) else Actor()


def actor_if_known(request: Request) -> Actor:
    """The actor behind a request whose address takes everybody: a token that is over is nobody's, and not refused."""
    for scheme in (OfficialToken(), DeviceToken()):
        with suppress(AuthenticationFailed):
            if (found := scheme.authenticate(request)) is not None:
                return found[1]
    return Actor()


class _OfficialScheme(OpenApiAuthenticationExtension):
    target_class = OfficialToken
    name = "official"
    priority = 1

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An official's token (POST tokens/)."}


class _DeviceScheme(OpenApiAuthenticationExtension):
    target_class = DeviceToken
    name = "device"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "Device <id>:<token>, got for a party code (POST devices/).",
        }
