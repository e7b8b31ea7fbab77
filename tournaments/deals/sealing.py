"""The secret of a dealing, which stands nowhere until the deals are shown (封存).

It is made of the nonce of the row and of the key of the installation (`SECRET_KEY`), which is kept outside the
database: a copy of the database, an export or a log tells nothing of the deals. What it costs: without that key nobody
can open the commitment, and the deals of the session are lost.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from scoring.cards import dealing

from ..models import Dealing

_SALT: Final = "referee.deals/1"


def secret_of(nonce: str, key: str | bytes | None = None) -> bytes:
    """The 32 secret bytes that belong to a nonce; `key`: by an older key of the installation."""
    return salted_hmac(_SALT, nonce, secret=key, algorithm="sha256").digest()


def opened(one: Dealing) -> bytes | None:
    """The secret of a dealing that opens its commitment; None where the key that made it is gone."""
    if one.secret:
        return bytes.fromhex(one.secret)
    keys = (None, *settings.SECRET_KEY_FALLBACKS) if one.nonce else ()
    secrets = (secret_of(one.nonce, key) for key in keys)
    return next((secret for secret in secrets if dealing.commitment(secret) == one.commitment), None)
