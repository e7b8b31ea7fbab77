"""Typed readers of environment variables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ImproperlyConfigured

from referee import environment

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1", True),
        ("TRUE", True),
        (" yes ", True),
        ("on", True),
        ("0", False),
        ("no", False),
        ("Off", False),
        ("", True),
    ],
)
def test_flag_reads_yes_and_no(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("X", value)
    assert environment.flag("X", default=True) is expected


@pytest.mark.parametrize("value", ["maybe", "2", "是"])
def test_flag_refuses_nonsense(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match="X must be yes or no"):
        environment.flag("X")


@pytest.mark.parametrize(("value", "expected"), [("", 8000), ("0", 0), ("65535", 65535), (" 80 ", 80)])
def test_number_reads_whole_numbers(monkeypatch: pytest.MonkeyPatch, value: str, expected: int) -> None:
    monkeypatch.setenv("X", value)
    assert environment.number("X", 8000, 0, 65535) == expected


@pytest.mark.parametrize("value", ["-1", "65536", "8e3", "80.0", "８０", "port", "1_000"])
def test_number_refuses_the_rest(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match="X must be a whole number from 0 to 65535"):
        environment.number("X", 8000, 0, 65535)


def test_words_drop_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", " a.example , ,b.example,")
    assert environment.words("X") == ["a.example", "b.example"]


def test_one_of_refuses_an_unknown_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "xml")
    with pytest.raises(ImproperlyConfigured, match="console, json"):
        environment.one_of("X", ("console", "json"))


def test_folder_is_made_for_its_owner_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("X", str(tmp_path / "a" / "b"))
    made = environment.folder("X", tmp_path)
    assert made == tmp_path / "a" / "b"
    assert made.stat().st_mode & 0o777 == 0o700


def test_folder_under_a_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("X", str(tmp_path / "file" / "b"))
    with pytest.raises(ImproperlyConfigured, match="X: cannot use the folder"):
        environment.folder("X", tmp_path)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://ann:s%40crt@db.example:5433/cup", ("cup", "ann", "s@crt", "db.example", "5433")),
        ("postgres://ann@%2Ftmp%2FSock/cup", ("cup", "ann", "", "/tmp/Sock", "")),
        ("postgresql:///cup", ("cup", "", "", "", "")),
        ("postgresql://ann:pw@[::1]:5432/cup", ("cup", "ann", "pw", "::1", "5432")),
    ],
)
def test_database_reads_postgresql(tmp_path: Path, url: str, expected: tuple[str, ...]) -> None:
    read = environment.database(url, tmp_path / "x")
    assert tuple(read[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")) == expected
    assert "statement_timeout=30s" in read["OPTIONS"]["options"]


def test_database_passes_query_to_the_driver(tmp_path: Path) -> None:
    assert environment.database("postgresql://h/cup?sslmode=require", tmp_path / "x")["OPTIONS"]["sslmode"] == "require"


@pytest.mark.parametrize("url", ["mysql://h/cup", "postgresql://h/", "postgresql://h", "cup.sqlite3"])
def test_database_refuses_others(tmp_path: Path, url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=re.escape("DATABASE_URL must be postgresql://")):
        environment.database(url, tmp_path / "x")


@pytest.mark.parametrize("url", ["", "sqlite:////var/x/cup.sqlite3"])
def test_database_on_sqlite_is_durable_and_takes_turns(tmp_path: Path, url: str) -> None:
    read = environment.database(url, tmp_path / "cup.sqlite3")
    assert read["NAME"] == ("/var/x/cup.sqlite3" if url else str(tmp_path / "cup.sqlite3"))
    assert read["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in read["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://cache:6379/2", "redis://cache:6379/2"),
        ("unix:///run/r.sock", "redis+socket:///run/r.sock"),
        ("unix:///run/r.sock?db=3", "redis+socket:///run/r.sock?virtual_host=3"),
    ],
)
def test_broker_is_spelled_for_celery(url: str, expected: str) -> None:
    assert environment.celery_broker(url) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("lan", False),
        ("192.168.1.5", False),
        ("localhost.example.org", False),
    ],
)
def test_is_loopback(host: str, expected: bool) -> None:
    assert environment.is_loopback(host) is expected


@pytest.mark.parametrize(
    ("host", "venue", "expected"),
    [
        ("lan", "192.168.1.5", ["192.168.1.5"]),
        ("lan", "", []),
        ("127.0.0.1", "", []),
        ("0.0.0.0", "", []),
        ("cup.example", "", ["cup.example"]),
    ],
)
def test_names_of(host: str, venue: str, expected: list[str]) -> None:
    assert environment.names_of(host, venue) == expected


@pytest.mark.parametrize(
    ("value", "usual", "expected"),
    [
        ("", False, ()),
        ("", True, environment.MAKERS),
        ("no", True, ()),
        ("push.example.org, *.Example.com", False, ("push.example.org", "*.example.com")),
        ("http://127.0.0.1:9000", False, ("http://127.0.0.1:9000",)),
    ],
)
def test_push_services(monkeypatch: pytest.MonkeyPatch, value: str, usual: bool, expected: tuple[str, ...]) -> None:
    monkeypatch.setenv("PUSH_SERVICES", value)
    assert environment.push_services("PUSH_SERVICES", usual) == expected


@pytest.mark.parametrize("value", ["*", "https://example.org", "http://127.0.0.1:80", "a b.org"])
def test_hosts(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.delenv("WEBHOOK_HOSTS", raising=False)
    assert environment.hosts("WEBHOOK_HOSTS") == ()
    monkeypatch.setenv("WEBHOOK_HOSTS", "Club.example, *.example.org")
    assert environment.hosts("WEBHOOK_HOSTS") == ("club.example", "*.example.org")
    monkeypatch.setenv("WEBHOOK_HOSTS", value)
    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_HOSTS"):
        environment.hosts("WEBHOOK_HOSTS")


@pytest.mark.parametrize("value", ["*", "*.", "https://example.org", "http://example.org:80", "a b.org", "localhost"])
def test_push_services_refuses_the_rest(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PUSH_SERVICES", value)
    with pytest.raises(ImproperlyConfigured, match="PUSH_SERVICES"):
        environment.push_services("PUSH_SERVICES", usual=True)
