"""The locks are current and name no host; the tool that says so can say no."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tools import locks

if TYPE_CHECKING:
    from pathlib import Path


def test_locks_are_current() -> None:
    assert locks.problems() == []
    assert subprocess.run([sys.executable, "-m", "tools.locks", "check"], cwd=locks.FOLDER.parent).returncode == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("base.in", "segno\n", "segno\nqrcode\n", "base.txt was not made from its present inputs"),
        ("dev.in", "ruff\n", "", "dev.txt was not made from its present inputs"),
        ("base.txt", "amqp==", "--index-url https://index.example\namqp==", "base.txt names a host"),
        ("base.txt", "segno==", "segno==0.", "dev.txt differs from base.txt in segno"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, file: str, old: str, new: str, sentence: str) -> None:
    shutil.copytree(locks.FOLDER, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text("utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1), "utf-8")
    assert [found for found in locks.problems(tmp_path) if sentence in found]


def test_pin_without_digest_is_told(tmp_path: Path) -> None:
    shutil.copytree(locks.FOLDER, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "base.txt").open("a") as lock:
        lock.write("zzz==1.0\n")
    assert "base.txt: zzz==1.0 has no digest." in locks.problems(tmp_path)
