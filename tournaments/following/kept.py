"""What an installation keeps of following, in its data folder and outside the database: a copy must not hold it.

``followers.json``: who may receive everything from here; ``follow_code.json``: the code that lets one more do so.
``following.json``: from whom this one receives it;
``followed.json``: from whom it did, until it took over. ``terms.json``: the terms that began here, each signed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.conf import settings

FOLLOWERS: Final = "followers.json"
CODE: Final = "follow_code.json"
FOLLOWING: Final = "following.json"
FOLLOWED: Final = "followed.json"
TERMS: Final = "terms.json"


def read(name: str) -> dict[str, Any]:
    """What is kept under a name; nothing where nothing is."""
    try:
        held = json.loads(Path(settings.DATA_DIR, name).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def write(name: str, said: Mapping[str, Any]) -> None:
    """Keep it, for the owner only, whole or not at all."""
    put_text(name, json.dumps(said))


def forget(name: str) -> None:
    Path(settings.DATA_DIR, name).unlink(missing_ok=True)


def put_text(name: str, text: str) -> None:
    """Keep a text under a name, in the same way."""
    put_bytes(Path(settings.DATA_DIR, name), text.encode())


def put_bytes(path: Path, data: bytes) -> None:
    """Write a file, for its owner only, whole or not at all."""
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


def has_copy() -> bool:
    """Whether the copy of the laptop that is followed has come whole."""
    return bool(read(FOLLOWING).get("copied"))


def is_following() -> bool:
    """Whether this installation only receives what another one writes."""
    return Path(settings.DATA_DIR, FOLLOWING).exists()


def has_followed() -> bool:
    """Whether this installation took over from one that it followed."""
    return Path(settings.DATA_DIR, FOLLOWED).exists()


def end_following() -> None:
    """From now on this one writes; whom it followed stays known, to be told."""
    here = Path(settings.DATA_DIR, FOLLOWING)
    if here.exists():
        here.rename(here.with_name(FOLLOWED))
