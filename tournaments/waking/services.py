"""Which push services messages are sent to: those of the setting PUSH_SERVICES, and no other."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from ..acts.text import is_among

#: Longer addresses are nobody's.
MOST: Final = 1000
_PLAIN: Final = re.compile(r"[!-~]+")


def is_listed(address: str) -> bool:
    """Whether an address belongs to a listed service: https on its usual port, or the listed origin of a local one.

    An entry is a host (``fcm.googleapis.com``), all hosts below one (``*.notify.windows.com``), or for a service on
    this machine an origin (``http://127.0.0.1:9000``).
    """
    if len(address) > MOST or not _PLAIN.fullmatch(address) or "\\" in address:
        return False
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.username is not None or parts.password is not None or not host:
        return False
    origin = f"{parts.scheme}://{parts.netloc}"
    if origin in (one for one in settings.PUSH_SERVICES if "://" in one):
        return True
    return parts.scheme == "https" and port in (None, 443) and is_among(host, settings.PUSH_SERVICES)
