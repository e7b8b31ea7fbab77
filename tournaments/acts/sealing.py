"""Secrets as they may be stored: encrypted with a key derived from the server's secret, one for each purpose.

Who has only the database opens none of them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes


def sealed(text: str, purpose: str) -> str:
    """The text as it may be stored."""
    return _fernet(purpose).encrypt(text.encode()).decode()


def opened(stored: str, purpose: str) -> str | None:
    """A stored text; None where the server's secret is another one by now, or nothing is stored."""
    try:
        return _fernet(purpose).decrypt(stored.encode()).decode()
    except InvalidToken:
        return None


def _fernet(purpose: str) -> MultiFernet:
    """Encrypts with the present secret; reads what an earlier one of the settings encrypted."""
    return MultiFernet(
        [Fernet(_derived(one, purpose)) for one in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


def _derived(secret: str | bytes, purpose: str) -> bytes:
    return base64.urlsafe_b64encode(hmac.new(force_bytes(secret), purpose.encode(), hashlib.sha256).digest())
