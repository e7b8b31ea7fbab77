"""What strace says is read as it is, and the disk of the laboratory loses what it may lose and nothing else."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.soak.disk import SECTOR, Disk, Operation, operations


def hexed(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def test_a_trace_is_read(tmp_path: Path) -> None:
    a, b, of = hexed("/d/a"), hexed("/d/b"), "AT_FDCWD</>"
    trace = tmp_path / "trace"
    trace.write_text(
        f'7 openat({of}, "{a}", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 4<{a}>\n'
        f'7 openat({of}, "{b}", O_RDONLY) = -1 ENOENT (No such file or directory)\n'
        f'7 pwrite64(4<{a}>, "{hexed("one, =2")}", 7, 4096) = 7\n'
        f'7 write(4<{a}>, "{hexed("xy")}", 2) = 2\n'
        f'7 write(4<{a}>, "{hexed("z")}", 1) = 1\n'
        f"7 fdatasync(4<{a}> <unfinished ...>\n"
        f'8 write(5<{b}>, "{hexed("at the end")}", 10) = 10\n'
        "7 <... fdatasync resumed>) = 0\n"
        f"7 ftruncate(4<{a}>, 3) = 0\n"
        f'7 rename("{a}", "{b}") = 0\n'
        f'7 unlink("{b}") = 0\n'
        "7 +++ exited with 0 +++\n"
    )
    assert list(operations(trace)) == [
        Operation("make", "/d/a"),
        Operation("write", "/d/a", b"one, =2", 4096),
        Operation("write", "/d/a", b"xy", 0),
        Operation("write", "/d/a", b"z", 2),
        Operation("write", "/d/b", b"at the end", -1),
        Operation("sync", "/d/a"),
        Operation("cut", "/d/a", at=3),
        Operation("move", "/d/a", to="/d/b"),
        Operation("remove", "/d/b"),
    ]


def outcomes(tmp_path: Path, *done: Operation, file: str = "a") -> set[bytes | None]:
    """What a file can be after these, over many cuts; None where it is not there."""
    before = tmp_path / "before"
    before.mkdir(exist_ok=True)
    (before / "a").write_bytes(b"old")
    disk, seen = Disk(Path("/d"), before), set[bytes | None]()
    for one in done:
        disk.carry_out(one)
    for seed in range(200):
        disk.lose_power(tmp_path / "left", Random(seed))
        path = tmp_path / "left" / file
        seen.add(path.read_bytes() if path.exists() else None)
    return seen


NEW, SYNC, FOLDER = Operation("write", "/d/a", b"new", 0), Operation("sync", "/d/a"), Operation("sync", "/d")
MORE = Operation("write", "/d/a", b"more", -1)


@pytest.mark.parametrize(
    ("done", "left"),
    [
        ([NEW], {b"old", b"new"}),
        ([NEW, SYNC], {b"new"}),
        ([SYNC, NEW], {b"old", b"new"}),
        ([NEW, SYNC, MORE], {b"new", b"newmore", b"new\0\0\0\0"}),
        ([NEW, MORE], {b"old", b"new", b"oldmore", b"newmore", b"old\0\0\0\0", b"new\0\0\0\0"}),
        ([Operation("cut", "/d/a", at=1)], {b"old", b"o"}),
        ([Operation("cut", "/d/a", at=1), SYNC], {b"o"}),
        ([Operation("remove", "/d/a")], {b"old", None}),
        ([Operation("remove", "/d/a"), FOLDER], {None}),
        ([Operation("remove", "/d/a"), Operation("sync", "/e")], {b"old", None}),
    ],
)
def test_what_can_be_left_of_a_file(tmp_path: Path, done: list[Operation], left: set[bytes | None]) -> None:
    assert outcomes(tmp_path, *done) == left


def test_a_name_is_there_when_its_folder_is_synced(tmp_path: Path) -> None:
    made = [Operation("make", "/d/b"), Operation("write", "/d/b", b"new", 0), Operation("sync", "/d/b")]
    assert outcomes(tmp_path, *made, file="b") == {None, b"new"}
    assert outcomes(tmp_path, *made, FOLDER, file="b") == {b"new"}
    moved = [*made, Operation("move", "/d/b", to="/d/a")]
    assert outcomes(tmp_path, *moved) == {b"old", b"new"}
    assert outcomes(tmp_path, *moved, FOLDER) == {b"new"}


def test_a_write_is_torn_at_sectors(tmp_path: Path) -> None:
    seen = outcomes(tmp_path, Operation("write", "/d/a", b"x" * 3 * SECTOR, 0))
    assert {one for one in seen if one is not None and one.strip(b"x\0") not in (b"", b"old")} == set()
    assert b"x" * SECTOR + bytes(2 * SECTOR) in seen
    assert len(seen) > 6


def test_what_is_not_understood_is_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="not understood"):
        outcomes(tmp_path, Operation("truncate", "/d/a"))
