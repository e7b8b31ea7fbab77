"""What goes over the wire: packed, and what pages load named by its hash and kept."""

from __future__ import annotations

import gzip
import re
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from tests.tournaments.playing import event

if TYPE_CHECKING:
    from tests.conftest import LiveServer

YEAR = 365 * 24 * 3600


def ask(server: LiveServer, path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """One answer as it came over the socket."""
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    try:
        connection.request(method, path, headers={"Accept-Encoding": "gzip", **headers})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


@pytest.mark.long
def test_pages_files_and_json_are_packed(live_server: LiveServer) -> None:
    slug = event(8).tournament.slug
    page = f"/zh/e/{slug}/entrants/"
    status, headers, body = ask(live_server, page)
    assert (status, headers["content-encoding"]) == (200, "gzip")
    text = gzip.decompress(body).decode()
    assert len(body) < len(text) / 2
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
    assert len(files) > 5
    for address in files:
        assert re.search(r"\.[0-9a-f]{12}\.(css|js|svg)$", address), address
        status, headers, body = ask(live_server, address)
        assert status == 200
        assert headers["content-encoding"] == "gzip"
        assert "immutable" in headers["cache-control"]
        assert int(re.findall(r"max-age=(\d+)", headers["cache-control"])[0]) >= YEAR
        assert gzip.decompress(body)
    status, headers, body = ask(live_server, f"/api/v1/events/{slug}/entrants/")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert body.startswith(b"\x1f\x8b")


@pytest.mark.long
def test_who_refuses_gzip_is_not_sent_it(live_server: LiveServer) -> None:
    slug = event(8).tournament.slug
    for path in (f"/zh/e/{slug}/entrants/", f"/api/v1/events/{slug}/entrants/", "/desk/sign-in/"):
        for encodings in ("gzip;q=0", "br, gzip; q=0.0", ""):
            status, headers, body = ask(live_server, path, **{"Accept-Encoding": encodings})
            assert (status, "content-encoding" in headers) == (200, False), (path, encodings)
            assert body.decode()


@pytest.mark.long
def test_the_head_of_a_page_is_told_as_the_page_is(live_server: LiveServer) -> None:
    page = f"/zh/e/{event(8).tournament.slug}/entrants/"
    (status, head, nothing), (_, whole, body) = (ask(live_server, page, method=one) for one in ("HEAD", "GET"))
    assert (status, nothing) == (200, b"")
    assert head["content-length"] == str(len(body))
    assert head["etag"] == whole["etag"]
    for method in ("GET", "HEAD"):
        assert ask(live_server, page, method=method, **{"If-None-Match": "*"})[0] == 304


@pytest.mark.long
def test_a_packed_page_is_known_again(live_server: LiveServer) -> None:
    page = f"/zh/e/{event(8).tournament.slug}/entrants/"
    _, headers, _ = ask(live_server, page)
    assert ask(live_server, page, **{"If-None-Match": headers["etag"]})[0] == 304


def test_modules_import_one_another_by_their_hashed_names() -> None:
    imported = 0
    for file in Path(settings.STATIC_ROOT, "referee/js").glob("*.*.js"):
        for name in re.findall(r"""(?:from|import)\s*\(?["'](\.[^"']+)["']""", file.read_text("utf-8")):
            imported += 1
            assert re.search(r"\.[0-9a-f]{12}\.js$", name), (file.name, name)
            assert (file.parent / name).is_file()
    assert imported >= 7


@pytest.mark.long
@pytest.mark.parametrize("name", ["collected", "collecting"])
def test_files_are_collected_once_by_whoever_comes_first(name: str, tmp_path: Path, settings: Any) -> None:
    from referee import static_files

    settings.STATIC_ROOT = root = tmp_path / "staticfiles" / "abc"
    if name == "collected":
        root.mkdir(parents=True)
        static_files.collect()
        assert list(root.iterdir()) == []
        return
    static_files.collect()
    assert (root / "staticfiles.json").is_file()
    assert [one.name for one in root.parent.iterdir()] == ["abc"]
