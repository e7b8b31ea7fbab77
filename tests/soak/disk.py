"""A disk as the power leaves it: what was synced, and any part of what was not.

`operations` reads what strace saw of a process (`STRACE`); `Disk` follows it. What was written to a file may be lost
until the file is synced: every write whole, in part (sectors of 512 bytes) or not at all, in any choice. Names (made,
removed, moved) are lost from the last one backwards until their folder is synced, as a journal of a file system does.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

SECTOR: Final = 512
CALLS: Final = (
    "open,openat,creat,write,pwrite64,writev,pwritev,lseek,fsync,fdatasync,ftruncate,truncate,fallocate,"
    "unlink,unlinkat,rename,renameat,renameat2,link,linkat,mkdir,mkdirat"
)
STRACE: Final = ("strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", "1000000000", "-e", f"trace={CALLS}", "-o")
_LINE: Final = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
_BEGUN: Final = re.compile(r"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
_ENDED: Final = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
_QUOTED: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE: Final = re.compile(r"^(\d+)<([^>]*)>")
#: Calls that this reader does not understand: a recording that has one is refused, it would be wrong.
UNKNOWN: Final = {"writev", "pwritev", "truncate", "fallocate", "renameat", "renameat2"}


@dataclass(frozen=True, slots=True)
class Operation:
    """One call that changed something. `at`: where data begins, or a length; -1: where the file was written last."""

    kind: str
    path: str
    data: bytes = b""
    at: int = 0
    to: str = ""


def _plain(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def operations(trace: Path) -> Iterator[Operation]:
    """What happened, in its order. A sync counts from its end, all else from its beginning."""
    begun: dict[str, str] = {}
    places: dict[str, int] = {}
    for line in trace.read_text("ascii").splitlines():
        if (half := _BEGUN.match(line)) is not None:
            begun[half[1]] = f"{half[1]} {half[2]}({half[3]}"
            continue
        if (half := _ENDED.match(line)) is not None:
            line = begun.pop(half[1]) + half[3]
        if (whole := _LINE.match(line)) is not None and int(whole[4]) >= 0:
            yield from _operation(whole, places)


def _operation(line: re.Match[str], places: dict[str, int]) -> Iterator[Operation]:
    """`places`: where the next write to an open file goes; not there: at its end."""
    name, given, result = line[2], line[3], int(line[4])
    quoted = [_plain(one) for one in _QUOTED.findall(given)]
    file = _FILE.match(given)
    path = _plain(file[2]).decode() if file is not None and file[2].startswith("\\x") else ""
    if name in ("open", "openat", "creat"):
        opened = quoted[0].decode() if quoted[0].startswith(b"/") else _plain(line[5]).decode()
        places.pop(str(result), None)
        if "O_APPEND" not in given:
            places[str(result)] = 0
        if "O_CREAT" in given:
            yield Operation("make", opened)
        if "O_TRUNC" in given:
            yield Operation("cut", opened, at=0)
    elif name == "pwrite64":
        yield Operation("write", path, quoted[0][:result], int(given.rpartition(", ")[2]))
    elif name == "write" and file is not None:
        at = places.get(file[1], -1)
        if at >= 0:
            places[file[1]] = at + result
        yield Operation("write", path, quoted[0][:result], at)
    elif name == "lseek" and file is not None and file[1] in places:
        places[file[1]] = result
    elif name in ("fsync", "fdatasync"):
        yield Operation("sync", path)
    elif name == "ftruncate":
        yield Operation("cut", path, at=int(given.rpartition(", ")[2]))
    elif name in ("unlink", "unlinkat"):
        yield Operation("remove", quoted[0].decode())
    elif name == "rename":
        yield Operation("move", quoted[0].decode(), to=quoted[1].decode())
    elif name in ("link", "linkat"):
        yield Operation("link", quoted[0].decode(), to=quoted[1].decode())
    elif name in ("mkdir", "mkdirat"):
        yield Operation("folder", quoted[0].decode())
    elif name in UNKNOWN:
        yield Operation(name, path or (quoted[0].decode() if quoted else ""))


@dataclass
class File:
    """Its bytes on the disk, and what was written since it was synced."""

    synced: bytes = b""
    waiting: list[Operation] = field(default_factory=list)
    size: int = 0

    def sync(self) -> None:
        self.synced = self.after(None)
        self.waiting = []

    def after(self, chance: Random | None, share: float = 0.5) -> bytes:
        """The bytes: with all that waits, or with what the power left of it."""
        made = bytearray(self.synced)
        for one in self.waiting:
            if one.kind == "cut":
                if chance is None or chance.random() < share:
                    made = made[: one.at].ljust(one.at, b"\0")
            elif chance is None or chance.random() < share:
                _put(made, one.at, one.data)
            elif chance.random() < 0.5:
                _torn(made, one, chance)
        return bytes(made)


def _put(made: bytearray, at: int, data: bytes) -> None:
    if len(made) < at:
        made.extend(bytes(at - len(made)))
    made[at : at + len(data)] = data


def _torn(made: bytearray, one: Operation, chance: Random) -> None:
    """Some sectors of a write; the file may have grown over those that are missing."""
    end = one.at + len(one.data)
    if chance.random() < 0.5 and len(made) < end:
        made.extend(bytes(end - len(made)))
    at = one.at
    while at < end:
        upto = min(end, at - at % SECTOR + SECTOR)
        if chance.random() < 0.5:
            _put(made, at, one.data[at - one.at : upto - one.at])
        at = upto


class Disk:
    """The files under one folder while operations are carried out on them."""

    def __init__(self, folder: Path, before: Path) -> None:
        """`before`: what the folder held at first, all of it on the disk."""
        self.folder = str(folder)
        self.names: dict[str, File] = {}
        for path in before.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                self.names[str(folder / path.relative_to(before))] = File(data, size=len(data))
        self.synced_names = dict(self.names)
        self.waiting: list[tuple[str, dict[str, File | None]]] = []

    def carry_out(self, one: Operation) -> None:
        if not one.path.startswith(self.folder):
            return
        assert one.kind not in UNKNOWN, f"{one.kind} of {one.path} was recorded, which is not understood"
        if one.kind == "make":
            if one.path not in self.names:
                self._name({one.path: File()})
        elif one.kind == "remove":
            self._name({one.path: None})
        elif one.kind == "move":
            self._name({one.path: None, one.to: self.names[one.path]})
        elif one.kind == "link":
            self._name({one.to: self.names[one.path]})
        elif one.kind == "sync":
            if one.path in self.names:
                self.names[one.path].sync()
            else:
                self._sync_folder(one.path)
        elif (file := self.names.get(one.path)) is not None:
            self._change(file, one)

    def _change(self, file: File, one: Operation) -> None:
        if one.kind == "cut":
            file.size = one.at
            file.waiting.append(one)
        elif one.kind == "write":
            at = file.size if one.at < 0 else one.at
            file.size = max(file.size, at + len(one.data))
            file.waiting.append(Operation("write", one.path, one.data, at))

    def _name(self, change: dict[str, File | None]) -> None:
        _rename(self.names, change)
        self.waiting.append((str(Path(next(iter(change))).parent), change))

    def _sync_folder(self, folder: str) -> None:
        """What is before it in the journal is on the disk with it."""
        last = max((place for place, (of, _) in enumerate(self.waiting) if of == folder), default=-1)
        for _, change in self.waiting[: last + 1]:
            _rename(self.synced_names, change)
        del self.waiting[: last + 1]

    @property
    def waits(self) -> int:
        """How much of what was done can be lost now."""
        return sum(len(file.waiting) for file in self.names.values()) + len(self.waiting)

    def lose_power(self, to: Path, chance: Random) -> None:
        """Put what the power left into a folder."""
        names = dict(self.synced_names)
        for _, change in self.waiting[: chance.randint(0, len(self.waiting))]:
            _rename(names, change)
        share = chance.choice((0.0, 0.2, 0.5, 0.8, 1.0))
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir()
        for name, file in names.items():
            path = to / Path(name).relative_to(self.folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.after(chance, share))


def _rename(names: dict[str, File], change: dict[str, File | None]) -> None:
    for path, file in change.items():
        if file is None:
            names.pop(path, None)
        else:
            names[path] = file
