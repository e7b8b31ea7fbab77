"""What a phone installs to open pages without network: the worker, its files, the sign."""

from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from referee.parts import offline
from tools import icon

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


def test_the_worker_names_files_that_are_there() -> None:
    answer = Client().get("/worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache", "a browser asks for it again, so that a new version is heard of"
    known = dict(line.removeprefix("const ").rstrip(";").split(" = ", 1) for line in answer.text.splitlines()[:5])
    shell = json.loads(known["SHELL"])
    assert shell == offline.shell()
    assert {Client().get(address).status_code for address in shell} == {200}
    assert any("/table." in one for one in shell)
    assert not [one for one in shell if "desk" in one]
    assert json.loads(known["VERSION"]) == offline.version()


@pytest.mark.django_db
def test_what_is_not_for_every_eye_is_not_marked() -> None:
    for path in ("/", "/en/", "/desk/", "/api/v1/events/", "/offline/", "/table/", "/me/"):
        assert Client().get(path).get(offline.HEADER) in (None, "forget"), path
    for path in ("/en/rules/", "/zh/rules/scn2-2013/", "/en/adjudicator/", "/en/adjudicator/follow/"):
        assert Client().get(path)[offline.HEADER] == "rules", path


def test_switched_off_it_ends_itself(settings: SettingsWrapper) -> None:
    settings.OFFLINE = False
    assert "registration.unregister()" in Client().get("/worker.js").text
    assert 'name="offline" content=""' in Client().get("/offline/").text


@pytest.mark.parametrize(("language", "tag"), [("zh-CN", "zh-Hans"), ("en", "en")])
def test_the_manifest_leads_to_pictures(language: str, tag: str) -> None:
    answer = Client(headers={"Accept-Language": language}).get("/app.webmanifest")
    told = answer.json()
    assert (answer["Content-Type"], told["lang"], told["start_url"]) == ("application/manifest+json", tag, "/me/")
    for one in told["icons"]:
        width, height = struct.unpack(">II", Client().get(one["src"]).getvalue()[16:24])
        assert one["sizes"] == f"{width}x{height}"


@pytest.mark.parametrize("name", icon.FILES)
def test_the_pictures_are_drawn_by_the_tool(name: str) -> None:
    pixels, whole = icon.FILES[name]
    assert unpacked((icon.FOLDER / name).read_bytes()) == unpacked(icon.png(pixels, whole_ground=whole))


def unpacked(data: bytes) -> bytes:
    return zlib.decompress(data[data.index(b"IDAT") + 4 : -16])


def test_the_sign() -> None:
    def pixel(data: bytes, side: int, x: int, y: int) -> tuple[int, ...]:
        rows = unpacked(data)
        at = y * (4 * side + 1) + 1 + 4 * x
        return tuple(rows[at : at + 4])

    small = icon.png(28)
    assert pixel(small, 28, 0, 0)[3] == 0, "round corners"
    assert pixel(small, 28, 8, 21) == (255, 255, 255, 255), "the stairs"
    assert pixel(small, 28, 22, 20) == (0xF1, 0xD2, 0x97, 255), "the point"
    assert pixel(small, 28, 14, 4) == (0x1F, 0x4A, 0x9C, 255)
    assert pixel(icon.png(28, whole_ground=True), 28, 0, 0) == (0x1F, 0x4A, 0x9C, 255)
