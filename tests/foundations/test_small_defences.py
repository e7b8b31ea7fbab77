"""What is small and has to stay so: headers of every answer, passwords as they are typed, no code made of texts."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import global_settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.test import Client

from referee import settings as ours
from referee.desk.forms.accounts import NewPasswordForm
from referee.sessions import SessionStore
from tournaments.models import User

ROOT = Path(__file__).resolve().parents[2]
#: Makes a method of our own words, as `dataclasses` does.
MADE_OF_OUR_WORDS = ("scoring/frozen.py",)
PAGES = ("/", "/en/", "/desk/sign-in/", "/t/", "/api/v1/events/", "/api/v1/nothing/", "/health", "/nothing/")
#: A sentence of seventy signs with spaces at both ends, letters of three scripts and marks.
LONG = " Zwölf 红桃 «трефы» <b>%s</b> '\"\\ ; -- {{ 7*7 }} correct horse battery stap "


def product() -> Iterator[Path]:
    for part in ("scoring", "tournaments", "referee", "api"):
        yield from (ROOT / part).rglob("*.py")


def test_no_code_is_made_of_texts() -> None:
    """1.3.2 of ASVS."""
    found = set()
    for path in product():
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
                found.add(where)
            if isinstance(node, ast.Import) and any(one.name in ("pickle", "marshal") for one in node.names):
                found.add(where)
    assert found == set(MADE_OF_OUR_WORDS)
    scripts = [path.read_text("utf-8") for path in (ROOT / "referee/static/referee/js").glob("*.js")]
    assert len(scripts) > 20
    assert not [
        one for one in scripts if re.search(r"\beval\(|new Function\b|setTimeout\(\s*['\"`]|document\.write", one)
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_every_answer_is_taken_as_what_it_is_and_framed_by_nobody(path: str) -> None:
    """3.4.4 and 3.4.6 of ASVS."""
    answer = Client().get(path)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_no_request_is_sent_back_to_who_asks(path: str) -> None:
    """13.4.4 of ASVS."""
    answer = Client().trace(path, headers={"X-Secret": "said by the browser"})
    assert answer.status_code >= 400
    assert b"said by the browser" not in answer.content


@pytest.mark.django_db
def test_a_password_is_taken_as_it_is_typed() -> None:
    """6.2.5, 6.2.8 and 6.2.9 of ASVS: any signs, more than sixty-four, nothing cut off or changed."""
    assert len(LONG) > 64
    person = User.objects.create_user("wu")
    form = NewPasswordForm({"password": LONG}, user=person)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["password"] == LONG
    person.set_password(LONG)
    person.save()
    for typed, is_in in ((LONG.strip(), False), (LONG.lower(), False), (LONG[:64], False), (LONG, True)):
        browser = Client()
        browser.post("/desk/sign-in/", {"username": "wu", "password": typed})
        assert ("_auth_user_id" in browser.session) is is_in


def test_passwords_are_masked_and_can_be_pasted() -> None:
    """6.2.6 and 6.2.7 of ASVS."""
    fields = list[str]()
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text("utf-8")
        fields += re.findall(r"<input[^>]*name=\"(?:password|current)\"[^>]*>", text)
        assert "onpaste" not in text
    assert all('type="password"' in one for one in fields)
    for name, field in NewPasswordForm.base_fields.items():
        assert name != "password" or field.widget.input_type == "password"  # type: ignore[attr-defined]
    for path in (ROOT / "referee/static/referee/js").glob("*.js"):
        assert not re.search(r"['\"]paste['\"]", path.read_text("utf-8")), path


def test_passwords_are_hashed_slowly() -> None:
    """11.4.2 of ASVS: PBKDF2 with SHA-256, 600,000 rounds at least."""
    assert not hasattr(ours, "PASSWORD_HASHERS")
    assert global_settings.PASSWORD_HASHERS[0].endswith(".PBKDF2PasswordHasher")
    assert (PBKDF2PasswordHasher.algorithm, PBKDF2PasswordHasher.iterations >= 600_000) == ("pbkdf2_sha256", True)


@pytest.mark.django_db
def test_the_key_of_a_session_is_not_guessed() -> None:
    """7.2.3 of ASVS: 128 bits at least."""
    key = SessionStore()._get_new_session_key()
    assert set(key) <= set(VALID_KEY_CHARS)
    assert len(key) * math.log2(len(VALID_KEY_CHARS)) >= 128
