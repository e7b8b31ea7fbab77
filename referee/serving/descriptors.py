"""How many files and connections this process may hold open at once."""

from __future__ import annotations

import sys
from contextlib import suppress

WANTED = 65_536
#: Where the system names no limit.
UNKNOWN = 8_192


def raised() -> int:
    """Raise the limit as far as this user may, and say what it is now. Many systems begin at 1,024 or less."""
    if sys.platform == "win32":
        return UNKNOWN
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return WANTED
    # some systems promise more than they give: then less is asked for
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    while wanted > soft:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
        wanted //= 2
    return soft
