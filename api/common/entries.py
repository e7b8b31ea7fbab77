"""The two addresses a hall sends to all evening: a hand entered, a hand confirmed.

They answer as every other endpoint does. Only who asks is read by the same statement as the table, and the answer is
kept by the same statement that writes the hand (`tournaments.ledger.entry_path`).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.keys import Kept, Keyed, Repeat, is_key, repeated
from tournaments.acts.leaves import promised
from tournaments.acts.text import text_digest
from tournaments.ledger import devices
from tournaments.ledger.entry_path import Asked, carry_out_at_once, carry_out_on
from tournaments.ledger.entry_read import Credential, EntryRead, read_entry
from tournaments.ledger.recorded import Recorded
from tournaments.people import tokens

from ..answers.ledger import recorded_answer
from .auth import DEVICE_PREFIX, OfficialToken
from .strict import Body
from .views import Endpoint, answer_again


class EntryEndpoint(Endpoint):
    """Enters or confirms a hand at a sitting."""

    #: Reads all that the request depends on; None where it shows no credential.
    read: Callable[[], EntryRead] | None = None
    first: EntryRead
    keyed: Keyed | None = None

    def perform_authentication(self, request: Request) -> None:
        """Who asks, with everything else. What is no credential at all is told as everywhere."""
        credential, token = credential_of(request)
        if credential is None:
            super().perform_authentication(request)
            return
        key = request.headers.get("Idempotency-Key", "")
        key = key if is_key(key) else ""
        self.read = partial(read_entry, self.kwargs["sitting_id"], credential, key)
        self.first = self.read()
        user, device = self.first.actor.user, self.first.actor.device
        if user is not None:
            if not user.is_active or (self.first.expiry is not None and self.first.expiry < self.now):
                raise AuthenticationFailed()
        elif device is None or not hmac.compare_digest(device.token_digest, text_digest(token)):
            raise AuthenticationFailed()
        else:
            devices.note_seen(device, self.now)
        if self.first.granted:
            tokens.note_use(credential.token_digest, self.first.used_at, self.now)
        request.user, request.auth = user, self.first.actor  # type: ignore[assignment]

    def _once(self, handler: Callable[..., Response], key: str, request: Request, **of: Any) -> Response:
        if self.read is None:
            return super()._once(handler, key, request, **of)
        self.keyed = Keyed.of(self.actor.scope, key, self._sent())
        if self.first.answered is not None:
            return answer_again(repeated(self.first.answered, self.keyed, self.actor).answer or {})
        return handler(request, **of)

    def record(
        self, asking: Callable[..., Asked], form: type[Body], status: int, *, sitting_id: int, **of: Any
    ) -> Response:
        """Carry out what is asked with the fields of the body; it is answered with `status`."""
        asked = asking(**of, **self.body(form))
        if self.read is None:
            with promised() as made:
                done = carry_out_on(sitting_id, asked, self.actor, self.now)
            return Response(recorded_answer(done, made), status=status)
        return recorded_at_once(sitting_id, asked, self.read, self.first, self.now, self.keyed, status)


def credential_of(request: Request) -> tuple[Credential | None, str]:
    """What a request shows, as the statement looks for it, and the token of a phone; None where it is no credential."""
    stated = str(request.META.get("HTTP_AUTHORIZATION", "")).split()
    scheme, shown = (stated[0].lower(), stated[1]) if len(stated) == 2 else ("", "")
    public_id, _, token = shown.partition(":")
    if shown.isascii() and scheme == OfficialToken().authenticate_header(request).lower():
        return Credential(token_digest=hash_token(shown)), ""
    if shown.isascii() and scheme == DEVICE_PREFIX.lower() and token:
        return Credential(public_id=public_id), token
    return None, ""


def recorded_at_once(
    sitting_id: int,
    asked: Asked,
    read: Callable[[], EntryRead],
    first: EntryRead,
    at: datetime,
    keyed: Keyed | None,
    status: int,
) -> Response:
    """Carry out what is asked, or find that it was; see `carry_out_at_once`."""

    said: dict[str, Any] = {}

    def kept(recorded: Recorded) -> Kept:
        said.update(recorded_answer(recorded, made))
        return {"status": status, "headers": {}, "body": said}

    with promised() as made:
        done = carry_out_at_once(sitting_id, asked, read, first, at, keyed, kept)
    if isinstance(done, Repeat):
        return answer_again(done.answer or {})
    return Response(said or recorded_answer(done, made), status=status)
