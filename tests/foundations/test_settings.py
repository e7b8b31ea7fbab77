"""The one settings file, read in a process of its own with the environment a test asks for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.utils.translation import get_language_from_request

ROOT = Path(__file__).resolve().parents[2]
COOKIES = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "LANGUAGE_COOKIE_NAME")
OWN = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DATA_DIR", "HOST", "PORT", "DEBUG", "HTTPS", "ALLOWED_HOSTS")
SHOW = """
import json, sys
from referee import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""


def read(tmp_path: Path, names: list[str], **variables: str) -> Any:
    """The settings `names` under `variables` alone; the last line of the error text when they are refused."""
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    done = subprocess.run(
        [sys.executable, "-c", SHOW, *names],
        cwd=ROOT,
        env={**environment, "DATA_DIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


KEY = "k7!" + "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.long
def test_one_laptop_needs_no_variable(tmp_path: Path) -> None:
    told = read(tmp_path, ["DATABASES", "CELERY_BROKER_URL", "REDIS_URL", "HOST", "PORT", "DEBUG", "ALLOWED_HOSTS"])
    assert told["DATABASES"]["default"]["NAME"] == str(tmp_path / "referee.sqlite3")
    assert told["CELERY_BROKER_URL"].startswith("filesystem:")
    assert (told["REDIS_URL"], told["HOST"], told["PORT"], told["DEBUG"]) == ("", "127.0.0.1", 8000, False)
    assert told["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


@pytest.mark.long
def test_key_is_made_once_and_kept_for_its_owner(tmp_path: Path) -> None:
    first, second = (read(tmp_path, ["SECRET_KEY"])["SECRET_KEY"] for _ in range(2))
    assert first == second
    assert len(first) >= 64
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


@pytest.mark.long
def test_federation_uses_its_servers(tmp_path: Path) -> None:
    told = read(
        tmp_path,
        [
            "DATABASES",
            "CELERY_BROKER_URL",
            "CACHES",
            "SESSION_COOKIE_SECURE",
            "SECURE_HSTS_SECONDS",
            "SECURE_HSTS_INCLUDE_SUBDOMAINS",
            *COOKIES,
        ],
        DATABASE_URL="postgresql://u:p@db/cup",
        REDIS_URL="redis://cache:6379/0",
        SECRET_KEY=KEY,
        HTTPS="yes",
    )
    assert told["DATABASES"]["default"]["HOST"] == "db"
    assert told["CELERY_BROKER_URL"] == "redis://cache:6379/0"
    assert told["CACHES"]["default"]["LOCATION"] == "redis://cache:6379/0"
    assert told["SESSION_COOKIE_SECURE"] is True
    assert told["SECURE_HSTS_SECONDS"] >= 365 * 24 * 3600
    assert told["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is True
    assert [told[name] for name in COOKIES] == ["__Host-sessionid", "__Host-csrftoken", "__Host-django_language"]


@pytest.mark.long
def test_plain_http_keeps_plain_names_and_ends_can_be_set(tmp_path: Path) -> None:
    """A browser takes a name that begins with __Host- by https only: on a laptop nobody could sign in."""
    told = read(tmp_path, [*COOKIES, "SESSION_COOKIE_AGE", "SECURE_HSTS_SECONDS"], SESSION_HOURS="10")
    assert [told[name] for name in COOKIES] == ["sessionid", "csrftoken", "django_language"]
    assert (told["SESSION_COOKIE_AGE"], told["SECURE_HSTS_SECONDS"]) == (10 * 3600, 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"REDIS_URL": "redis://cache:6379/0"}, "Set SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "too easy to guess"),
        ({"SECRET_KEY": "changeme" * 8}, "too easy to guess"),
        ({"DEBUG": "yes", "HOST": "0.0.0.0"}, "loopback HOST only"),
        ({"DEBUG": "yes", "HOST": "lan"}, "loopback HOST only"),
        ({"ALLOWED_HOSTS": "*"}, "must name the hosts"),
        ({"PORT": "http"}, "PORT must be a whole number"),
        ({"LOG_FORMAT": "xml"}, "LOG_FORMAT must be one of"),
    ],
)
def test_unsafe_settings_are_refused(tmp_path: Path, variables: dict[str, str], sentence: str) -> None:
    assert sentence in read(tmp_path, [], **variables)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("zh-CN,zh;q=0.9", "zh-hans"),
        ("zh-TW", "zh-hans"),
        ("zh-HK,en;q=0.5", "zh-hans"),
        ("zh-Hant-TW", "zh-hans"),
        ("zh", "zh-hans"),
        ("zh-SG", "zh-hans"),
        ("de-DE,de;q=0.9", "en"),
        ("en-GB", "en"),
        ("fr,zh-TW;q=0.8,en;q=0.5", "zh-hans"),
        ("", "en"),
        ("xx-nonsense;;q=9", "en"),
    ],
)
def test_every_chinese_gets_simplified_chinese_and_others_english(asked: str, given: str) -> None:
    assert get_language_from_request(RequestFactory().get("/", headers={"accept-language": asked})) == given


def test_version_is_the_changelogs() -> None:
    assert f"## {settings.VERSION}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_policy_allows_nothing_inline() -> None:
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert directives["default-src"] == ["'self'"]
    assert not [word for words in directives.values() for word in words if "unsafe" in str(word)]
