"""A copy put back in the place of the database: tried out and audited first, and what was there is kept beside it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection

from ..acts import signing
from ..log import heads
from ..models import Tournament
from . import databases
from .errors import CopyFailed
from .making import KEY, Manifest, apart, manifest_of, unpacked

_LOCK: Final = "in_use"


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Hold the data folder of one laptop: one service at a time, and no restoring beneath it. The system lets go when
    the process ends, however it ends. Refused: `folder_in_use`."""
    with (folder / _LOCK).open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CopyFailed("folder_in_use") from None
        yield


def restore(path: Path, at: datetime, *, replace: bool = False) -> tuple[Manifest, str]:
    """Put a copy in the place of the database; what it says of itself, and what the audit of it printed.

    Refused, with nothing changed: `copy_broken`, `copy_not_read`, `copy_differs`, `copy_other_database`,
    `folder_in_use`, and `database_has_events` unless `replace` is asked for. Of a laptop the old database and key stay
    beside the new ones, with the time in their names.
    """
    if manifest_of(path).database != databases.kind():
        raise CopyFailed("copy_other_database")
    with unpacked(path) as (said, file, key):
        if not replace and _has_events():
            raise CopyFailed("database_has_events")
        put = _into_laptop if said.database == "sqlite" else _into_server
        return said, put(said, file, key, at)


def _has_events() -> bool:
    if databases.kind() == "sqlite" and not Path(settings.DATABASES["default"]["NAME"]).exists():
        return False  # to look into it would make it
    if Tournament._meta.db_table not in connection.introspection.table_names():
        return False
    return Tournament.objects.filter(demo=False).exists()


def _into_laptop(said: Manifest, file: Path, key: str, at: datetime) -> str:
    folder, target = Path(settings.DATA_DIR), Path(settings.DATABASES["default"]["NAME"])
    connection.close()
    with in_use(folder):
        environment = {"DATABASE_URL": f"sqlite:///{file}", **apart(file)}
        databases.migrate(environment)
        told = databases.audit(environment)
        stamp = _stamp(at)
        fresh = target.with_name(f".{target.name}.{stamp}")
        shutil.copyfile(file, fresh)
        _flush(fresh)
        for end in ("", "-wal", "-shm"):
            old = Path(f"{target}{end}")
            if old.exists():
                old.rename(f"{target}.before-{stamp}{end}")
        fresh.rename(target)
        if key and not os.environ.get("SECRET_KEY", "").strip():
            _put_key(folder / KEY, key, stamp)
        _take_over_log(said, stamp)
    return told


def _stamp(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"


def _take_over_log(said: Manifest, stamp: str) -> None:
    """The heads kept so far are of another database; what signed the logs of the copy is believed from now on."""
    heads.put_aside(stamp)
    signing.write_down(said.log_keys)


def _put_key(kept: Path, key: str, stamp: str) -> None:
    """The key of the copy: with another one its table cards, own codes and sealed deals would be void."""
    if kept.exists() and kept.read_text("utf-8").strip() != key:
        kept.rename(kept.with_name(f"{KEY}.before-{stamp}"))
    with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write(key)


def _flush(file: Path) -> None:
    with file.open("rb+") as held:
        os.fsync(held.fileno())


def _into_server(said: Manifest, file: Path, key: str, at: datetime) -> str:
    name: Any = settings.DATABASES["default"]["NAME"]
    connection.close()
    with databases.elsewhere(file, "postgresql") as environment:
        if environment is not None:
            databases.migrate(environment | apart(file))
            databases.audit(environment | apart(file))
    databases.load(file, str(name))
    _take_over_log(said, _stamp(at))
    databases.migrate({})
    return databases.audit({})
