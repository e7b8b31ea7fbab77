"""What is said to a reader once, in a cookie of the host's own (MESSAGE_STORAGE)."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class InCookie(CookieStorage):
    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Storage(FallbackStorage):
    """As Django's: what is too long for a cookie stands in the session."""

    storage_classes = (InCookie, SessionStorage)
