"""The wheel holds all that the service reads: no file that git knows is left out, and what is compiled is in it."""

from __future__ import annotations

import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("scoring", "tournaments", "api", "referee", "templates")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Its files by their names; built by the tool that pip would call, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    with ZipFile(made) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def of_metadata(wheel: dict[str, bytes], name: str) -> bytes:
    (found,) = [content for path, content in wheel.items() if path.endswith(f".dist-info/{name}")]
    return found


@pytest.mark.long
def test_it_holds_every_file_of_the_rooms(wheel: dict[str, bytes]) -> None:
    known = subprocess.run(["git", "ls-files", *ROOMS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    expected = {f"referee/{name}" if name.startswith("templates/") else name for name in known.splitlines()}
    assert len(expected) > 500
    assert expected - wheel.keys() == set()
    assert wheel["referee/locale/zh_Hans/LC_MESSAGES/django.mo"].startswith(b"\xde\x12\x04\x95")


def test_it_states_the_dependencies_of_the_locks_and_its_command(wheel: dict[str, bytes]) -> None:
    told = message_from_bytes(of_metadata(wheel, "METADATA"))
    lines = (ROOT / "requirements" / "base.in").read_text("utf-8").splitlines()
    asked = {str(Requirement(line)) for line in lines if line and not line.startswith("#")}
    assert {str(Requirement(line)) for line in told.get_all("Requires-Dist", [])} == asked
    assert b"referee = referee.__main__:main" in of_metadata(wheel, "entry_points.txt")
