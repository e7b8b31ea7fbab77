"""A copy is one file: the database, of a laptop its key, and a word about both. It is written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from ..acts import history, signing
from ..models import LedgerEntry, Tournament
from . import databases
from .errors import CopyFailed, of_disk
from .files import Copy, copies_in, name_of, not_kept

FORMAT: Final = "referee/copy/1"
KEY: Final = "secret_key"
_MANIFEST: Final = "copy.json"
_PIECE: Final = 1 << 20
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a copy says of itself. `last_act` is the newest row of the history in it, `digest` that of its database;
    `log_keys`: the public keys that signed the logs in it. Copies of older versions have no logs."""

    format: str
    version: str
    made_at: str
    database: str
    digest: str
    events: int
    entries: int
    last_act: int
    log_keys: tuple[str, ...] = ()


def make_copy(folder: Path, at: datetime) -> Copy:
    """Copy the database into a folder, while the service runs. Refused (CopyFailed) with nothing left behind."""
    target = folder / name_of(at)
    with tempfile.TemporaryDirectory(prefix="referee-copy-") as scratch:
        file = Path(scratch) / "database"
        counts = _counts()
        databases.dump(file)
        kind = databases.kind()
        databases.check(file, kind)
        keys = tuple(key.public_bytes_raw().hex() for key in signing.believed())
        said = Manifest(FORMAT, settings.VERSION, at.isoformat(), kind, _digest(file), **counts, log_keys=keys)
        try:
            _write(target, file, said)
        except OSError as error:
            raise of_disk(error) from error
    return Copy(target, at)


def forget_old(folder: Path, at: datetime) -> None:
    """Delete the copies that the rule lets go."""
    for one in not_kept(copies_in(folder), at):
        one.path.unlink(missing_ok=True)


def _counts() -> dict[str, int]:
    """Read before the database is copied: what it says last is certainly in the copy."""
    last_act = history.newest()
    return {"events": Tournament.objects.count(), "entries": LedgerEntry.objects.count(), "last_act": last_act}


def _write(target: Path, file: Path, said: Manifest) -> None:
    partial = target.with_name(f".{target.name}.partial")
    key = Path(settings.DATA_DIR, KEY)
    try:
        # for its owner only: it holds names, and of a laptop the key
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(_MANIFEST, json.dumps(asdict(said), indent=1))
                archive.write(file, databases.MEMBERS[said.database])
                if said.database == "sqlite" and key.is_file():
                    archive.write(key, KEY)
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, target)
        _sync(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Let the folder itself reach the disk: a stick may be pulled out the next moment."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError:
        pass  # not every file system of a stick or a share can
    finally:
        os.close(opened)


def manifest_of(path: Path) -> Manifest:
    """What a copy says of itself; refused (`copy_missing`, `copy_broken`) where there is none or it was cut short."""
    try:
        with zipfile.ZipFile(path) as archive:
            held: Any = json.loads(archive.read(_MANIFEST))
    except FileNotFoundError:
        raise CopyFailed("copy_missing") from None
    except OSError as error:
        raise of_disk(error) from error
    except (zipfile.BadZipFile, KeyError, ValueError):
        raise CopyFailed("copy_broken") from None
    if not isinstance(held, dict) or held.get("format") != FORMAT:
        raise CopyFailed("copy_not_read")
    try:
        return Manifest(**held | {"log_keys": tuple(map(_key, held.get("log_keys", ())))})
    except (TypeError, ValueError):
        raise CopyFailed("copy_broken") from None


def _key(text: str) -> str:
    if len(bytes.fromhex(text)) != _KEY_BYTES:
        raise ValueError(text)
    return text


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[Manifest, Path, str]]:
    """A copy taken apart in a folder of its own: what it says, its database as a file, and its key ("" where none is).

    Refused (`copy_broken`) unless every byte is as it was written.
    """
    said = manifest_of(path)
    with tempfile.TemporaryDirectory(prefix="referee-copy-") as scratch:
        file = Path(scratch) / "referee.sqlite3"
        try:
            with zipfile.ZipFile(path) as archive:
                with archive.open(databases.MEMBERS[said.database]) as held, file.open("wb") as out:
                    while piece := held.read(_PIECE):
                        out.write(piece)
                key = archive.read(KEY).decode().strip() if KEY in archive.namelist() else ""
        except (zipfile.BadZipFile, KeyError, EOFError, UnicodeDecodeError):
            raise CopyFailed("copy_broken") from None
        except OSError as error:
            raise of_disk(error) from error
        if _digest(file) != said.digest:
            raise CopyFailed("copy_broken")
        databases.check(file, said.database)
        _heads(file).mkdir()
        Path(_heads(file), "keys").write_text("".join(f"{key}\n" for key in said.log_keys), "ascii")
        yield said, file, key


def _heads(file: Path) -> Path:
    return file.with_name("heads")


def apart(file: Path) -> dict[str, str]:
    """The environment in which an unpacked copy is looked at: its own folders, and the keys that it names."""
    return {"DATA_DIR": str(file.parent), "HEADS": str(_heads(file))}


def audited(path: Path) -> str | None:
    """What the audit of a copy prints, worked out from the copy alone; None where this service may not try it out.

    Refused: `copy_broken`, `copy_differs`.
    """
    with unpacked(path) as (said, file, _key), databases.elsewhere(file, said.database) as environment:
        if environment is None:
            return None
        return databases.audit(environment | apart(file))


def _digest(file: Path) -> str:
    with file.open("rb") as held:
        return hashlib.file_digest(held, "sha256").hexdigest()
