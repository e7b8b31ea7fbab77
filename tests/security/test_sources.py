"""What the sources use and what docs/security.md lists of it: chance, digests, keys, connections, limits, tables, jobs,
lines of the log; cookies; scripts; what is in the image."""

from __future__ import annotations

import ast
import importlib
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client
from structlog.stdlib import ProcessorFormatter

from referee.settings import LOG_WRITERS, LOGGING
from tests.test_access_matrix import DOORS as API_DOORS
from tournaments.acts import guessing
from tournaments.transfer.job_kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
OPERATING = " ".join((ROOT / "docs" / "operating.md").read_text("utf-8").split())
SCRIPTS = sorted((ROOT / "referee/static/referee/js").glob("*.js"))


def sources() -> Iterator[tuple[str, ast.Module]]:
    for part in ("scoring", "tournaments", "referee", "api"):
        for path in (ROOT / part).rglob("*.py"):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


TREES = dict(sources())


def imported(tree: ast.Module) -> Iterator[str]:
    """Every name imported, with its module: `hashlib`, `cryptography.fernet.Fernet`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{one.name}" for one in node.names)


def listed(title: str) -> list[list[str]]:
    """The rows of the table under a heading of the page, without its head."""
    part = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert part, title
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def files(cell: str) -> set[str]:
    return set(re.findall(r"`([\w/]+\.py)`", cell))


# Chance, digests, keys

#: What may use chance that could be guessed: draws from a seed that was committed to or is no secret, trials,
#: examples, which numbers rows get (given to it by the system's).
PLAYFUL = ("tournaments/draws/", "tournaments/advice/", "tournaments/demo/", "referee/management/commands/simulate.py",
           "referee/serving/shed.py", "tournaments/following/numbers.py",
           "tournaments/following/moving.py")  # fmt: skip
DIGESTS = {"sha256", "sha512", "file_digest"}
#: Of the library: AES and ChaCha20 with authentication, Ed25519, X25519, ECDSA over P-256, HKDF, SHA-256, certificates.
CIPHERS = {
    *("AESGCM", "ChaCha20Poly1305", "Fernet", "MultiFernet", "HKDF", "SHA256", "ECDSA", "SECP256R1"),
    *("Ed25519PublicKey", "Ed25519PrivateKey", "X25519PublicKey", "X25519PrivateKey", "EllipticCurvePublicKey", "ec"),
    *("serialization", "hashes", "x509", "NameOID", "ExtendedKeyUsageOID", "InvalidTag", "InvalidToken"),
    *("InvalidSignature", "decode_dss_signature", "encode_dss_signature"),
}


def test_secrets_are_of_the_system_s_chance() -> None:
    """6.5.3 and 11.5.1 of ASVS: chance that can be guessed is used by no room that makes a secret."""
    found = {path for path, tree in TREES.items() if any(one.split(".")[0] == "random" for one in imported(tree))}
    assert found
    assert not [path for path in found if not path.startswith(PLAYFUL)]


def test_only_approved_digests_ciphers_and_signatures() -> None:
    """11.2.3, 11.3.1, 11.3.2, 11.4.1 and 11.6.1 of ASVS. The one exception is TOTP, whose devices know SHA-1 alone."""
    digests, names = set(), set()
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "hashlib":
                digests.add(node.attr)
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in ("ec", "hashes")
            ):
                names.add(node.attr)
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("new", "digest", "file_digest"):
                digests |= {
                    one.value for one in node.args if isinstance(one, ast.Constant) and one.value in ("md5", "sha1")
                }
        names |= {one.rpartition(".")[2] for one in imported(tree) if one.startswith("cryptography")}
        assert path == "tournaments/people/second_factor.py" or "pyotp" not in set(imported(tree))
    assert digests <= DIGESTS, digests
    curves = {"ECDSA", "SECP256R1", "ECDH", "SHA256", "generate_private_key", "derive_private_key"}
    assert names - CIPHERS <= curves | {"EllipticCurvePublicKey", "EllipticCurvePrivateKey"}, names - CIPHERS


def test_every_key_is_listed() -> None:
    """11.1.2 of ASVS: each source that signs, encrypts, or makes a key stands in the table of keys."""
    using = {
        path
        for path, tree in TREES.items()
        if any(one.startswith(("cryptography", "pyotp", "webauthn", "django.core.signing")) for one in imported(tree))
        or any(
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in {("hmac", "new"), ("hmac", "digest")}
            for node in ast.walk(tree)
        )
    }
    rows = listed("Keys")
    assert all(all(row) for row in rows)
    assert files(PAGE.partition("\n## Keys\n")[2].partition("\n## ")[0]) == using


def test_signed_values_say_what_they_are_for_and_when_they_end() -> None:
    """9.1.1 to 9.2.4 of ASVS: every value signed has a salt of its use; every one that is read has an end."""
    salts, uses = [], 0
    for path, tree in TREES.items():
        if not any(one.startswith("django.core.signing") or one == "django.core.signing" for one in imported(tree)):
            continue
        for node in ast.walk(tree):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name in ("signing.loads", "signing.dumps", "Signer"):
                given = {one.arg: ast.unparse(one.value) for one in node.keywords}  # type: ignore[attr-defined]
                uses += 1
                assert "salt" in given, (path, ast.unparse(node))
                assert name != "signing.loads" or "max_age" in given, (path, ast.unparse(node))
                salts.append((path, given["salt"]))
    assert uses >= 7
    assert len({path for path, _ in salts}) == 4, "a pass to a stream has its end in it"


# Whom it talks to

OUTSIDE = {"http.client", "urllib.request", "socket", "redis", "psycopg", "subprocess", "smtplib", "ftplib", "requests"}


def test_every_connection_is_listed() -> None:
    """13.1.1 of ASVS: each source that opens a connection or runs a program stands in the table."""
    using = {
        path
        for path, tree in TREES.items()
        if any(one == name or one.startswith(f"{name}.") for one in imported(tree) for name in OUTSIDE)
    }
    assert files(PAGE.partition("\n## Whom it talks to\n")[2].partition("\n## ")[0]) == using


# What is sensitive, what is taken, what is logged, what is costly


def test_every_table_has_its_level() -> None:
    """14.1.1, 14.1.2, 8.1.2 and 14.2.4 of ASVS: each table stands once, with who reads and writes it and a test."""
    rows = listed("What is sensitive")
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row[1])]
    known = {one.__name__ for one in apps.get_models(include_auto_created=False)} - {
        "Permission",
        "Group",
        "ContentType",
    }
    assert sorted(named) == sorted(known)
    for row in rows:
        assert all(row), row
        assert re.search(r"`tests/[\w/]+\.py::test_\w+`", row[-1]), row
        for file, test in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row[-1]):
            assert f"def {test}(" in (ROOT / file).read_text("utf-8"), test


def test_limits_are_as_written() -> None:
    """2.1.3 and 5.1.1 of ASVS: each limit of the table is the one in the source."""
    rows = listed("What is taken, and how much")
    assert len(rows) > 12
    for what, figure, where in rows:
        module, _, name = re.sub(r"[`\\\\]", "", where).rpartition(".")
        value = importlib.import_module(module)
        assert getattr(value, name) == int(figure.replace(",", "").split()[0]), what


def test_limits_of_guessing_are_as_written() -> None:
    """6.1.1 of ASVS."""
    password, factor, code = guessing.PASSWORD, guessing.FACTOR, guessing.PARTY_CODE
    assert password.here
    assert password.account
    assert factor.here
    assert factor.account
    assert code.everywhere
    for sentence in (
        f"{password.here.most} wrong passwords for one name from one address in five minutes",
        f"{password.account.most} for one name from all addresses in a quarter of an hour",
        f"{password.address.most} from one address",
        f"{code.address.most} wrong ones from one address and {code.everywhere.most:,} from all in a minute",
        f"{factor.here.most} wrong codes for one name from one address in a quarter of an hour",
        f"{factor.account.most} from all addresses in an hour",
    ):
        assert sentence in OPERATING, sentence


def test_every_way_in_is_listed() -> None:
    """6.1.3 of ASVS: whatever turns a credential into somebody stands in the table."""
    from referee.once import DOORS

    ways = {*DOORS, *(name for name, _ in API_DOORS), *settings.REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"]}
    assert set(re.findall(r"`([\w.:]+)`", " ".join(row[1] for row in listed("Ways in")))) == ways


def test_every_line_of_the_log_has_its_place() -> None:
    """16.1.1 of ASVS: each source that writes to the log stands in the table."""
    using = set()
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = node.func.value
                if isinstance(of, ast.Name) and of.id in ("log", "logger") and node.func.attr in (
                    "debug", "info", "warning", "error", "exception", "critical",
                ):  # fmt: skip
                    using.add(path)
    assert files(PAGE.partition("\n## What is logged\n")[2].partition("\n## ")[0]) == using


def test_what_is_costly_is_listed() -> None:
    """15.1.3 of ASVS: each kind of job."""
    assert set(re.findall(r"`(\w+)`", " ".join(row[0] for row in listed("What is costly")))) >= set(KINDS)


# Lines of the log


def lines_of(kind: str, message: str, **extra: object) -> str:
    asked = dict(LOGGING["formatters"]["structured"])  # type: ignore[index, call-overload]
    asked.pop("()")
    asked["processors"] = [ProcessorFormatter.remove_processors_meta, *LOG_WRITERS[kind]]
    record = logging.LogRecord("tests", logging.WARNING, __file__, 1, message, None, None)
    record.__dict__.update(extra)
    return ProcessorFormatter(**asked).format(record)


@pytest.mark.parametrize("kind", ["console", "json"])
def test_a_line_is_not_forged(kind: str) -> None:
    """16.4.1 of ASVS: what somebody sent begins no line, moves no cursor and turns no direction."""
    forged = "a\n2026-01-01T00:00:00Z [error] all is lost\r\x1b[2J\u2028b\u202ec"
    written = lines_of(kind, forged, path=forged)
    assert not re.search(r"[\x00-\x1f]", written)
    assert kind == "json" or not re.search("[\u2028\u202e]", written)


@pytest.mark.parametrize("kind", ["console", "json"])
def test_times_are_utc(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """16.2.2 of ASVS: whatever zone the machine is in."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    written = lines_of(kind, "a")
    stated = json.loads(written)["timestamp"] if kind == "json" else written.split(" ")[0]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", stated)
    assert (settings.TIME_ZONE, settings.CELERY_TIMEZONE, settings.USE_TZ) == ("UTC", "UTC", True)


def test_nobody_reads_or_changes_the_log_through_the_service() -> None:
    """16.4.2 of ASVS, as far as it is the service's: its lines go to standard error and nowhere else."""
    handlers = {name: one["class"] for name, one in LOGGING["handlers"].items()}  # type: ignore[attr-defined, index]
    assert handlers == {"stderr": "logging.StreamHandler", "counted": "referee.logs.Counted"}
    assert "\nUSER referee\n" in (ROOT / "Dockerfile").read_text("utf-8")


# Cookies


def test_every_cookie_that_is_set_says_how() -> None:
    """3.3.1, 3.3.2 and 3.3.4 of ASVS: each call in the product."""
    found = {}
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("set_cookie", "set_signed_cookie"):
                given = {one.arg: ast.unparse(one.value) for one in node.keywords}
                assert given["samesite"] == "'Lax'", path
                assert given["secure"] == "request.is_secure()", path
                assert not {"domain", "path"} & given.keys(), path
                found[path] = given["httponly"]
    readable = {path for path, said in found.items() if said != "True"}
    assert readable == {"referee/parts/views.py"}, "theme and suits, which scripts read"
    assert len(found) == 5


@pytest.mark.parametrize("variables", [{"HTTPS": "yes"}, {"TLS": "own"}])
def test_every_cookie_is_the_host_s_own_behind_tls(variables: dict[str, str], tmp_path: Path) -> None:
    """3.3.1 and 3.3.3 of ASVS: in a process that was started so."""
    script = """
import django; django.setup()
from django.conf import settings
from django.contrib.messages import storage
from referee import messages, terms
from referee.parts import known_browser, views
from referee.table import places
from referee.table.views import own_code
assert settings.MESSAGE_STORAGE == "referee.messages.Storage"
names = [settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, terms.COOKIE, known_browser.COOKIE, places.PREFIX,
         own_code.COOKIE, messages.InCookie.cookie_name, *map(views.cookie_name, views.CHOICES)]
print(all(one.startswith("__Host-") for one in names), len(set(names)), settings.SESSION_COOKIE_SECURE,
      settings.CSRF_COOKIE_SECURE, settings.LANGUAGE_COOKIE_SECURE)
"""
    known = {"PATH": "/usr/bin:/bin", "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "referee.settings"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=known | variables, capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.split() == ["True", "10", "True", "True", "True"], done.stderr


# Scripts

#: What of HTML is put into a page: what the service made, and two cards of the adjudicator's own alphabet.
HTML_OF_OURS = {
    "table-form.js": ["this.go.dataset.send", "this.hint", "seen.html", "seen.html"],
    "live.js": ["html"],
    "table-entry.js": ["old.hint"],
    "steps.js": ["html"],
    "desk-sheet.js": ["await answer.text()"],
    "adjudicator.js": ["`<svg", "html"],
    "table.js": ["go.dataset.words"],
}


def test_scripts_set_text_as_text() -> None:
    """3.2.2 of ASVS."""
    assert len(SCRIPTS) > 20
    found = {}
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        assert not re.search(
            r"outerHTML\s*=|insertAdjacentHTML|createContextualFragment|setHTML|document\.write", text
        ), path
        if put := re.findall(r"innerHTML\s*=(?!=)\s*(`<svg|[^;]+);?", text):
            found[path.name] = [one.strip() for one in put]
    assert {name: sorted(put) for name, put in found.items()} == {
        name: sorted(put) for name, put in HTML_OF_OURS.items()
    }
    cards = (ROOT / "referee/static/referee/js/adjudicator.js").read_text("utf-8")
    assert '`<svg class="suit" aria-hidden="true"><use href="#suit-${joker ? code : code[0]}"/></svg>`' in cards


#: Where a property is written whose name stands in a variable: sides, places in lists, names that the page itself has.
WRITTEN_BY_NAME = {
    "look.js": {"root.dataset[name]"},
    "table-arithmetic.js": {"next.levels[dealing]", "next.failures[dealing]", "next.failures[side]"},
    "table-required.js": {"names[name]"},
    "adjudicator.js": {"state.fields[target]"},
    "qr.js": {"EXP[power]", "LOG[value]", "rows[y][x]"},
}


def test_no_name_from_outside_becomes_a_property() -> None:
    """15.3.6 of ASVS: no prototype is written to."""
    found: dict[str, set[str]] = {}
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        assert "__proto__" not in text
        if put := set(re.findall(r"([\w.]+(?:\[\w+(?:\.\w+)*\])+) \??\??\|?\|?= ", text)):
            found[path.name] = {one for one in put if not re.fullmatch(r".*\[\d+\]", one)}
    assert {name: put for name, put in found.items() if put} == WRITTEN_BY_NAME


def test_nothing_dead_is_asked_of_a_browser() -> None:
    """3.7.1 of ASVS."""
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(
            r"<(object|embed|applet|frameset|bgsound|marquee)\b|\.(swf|xap|class)\b|javascript:", text
        ), path
    for path in SCRIPTS:
        assert not re.search(r"ActiveXObject|document\.all\b|openDatabase|showModalDialog", path.read_text("utf-8"))


# What is there to be asked


@pytest.mark.django_db
def test_nothing_is_listed() -> None:
    """13.4.3 and 13.4.1 of ASVS: no folder, no history of the sources."""
    folders = {
        f"{parent.as_posix()}/" for path in SCRIPTS for parent in path.relative_to(ROOT / "referee/static").parents
    }
    for place in ("/static/", *(f"/static/{one.lstrip('./')}" for one in folders), "/desk/../", "/.git/", "/.git/HEAD",
                  "/.env", "/manage.py", "/static/../manage.py", "/static/%2e%2e/manage.py"):  # fmt: skip
        answer = Client().get(place)
        assert answer.status_code in (301, 302, 404), place
        assert b"Index of" not in (b"" if answer.streaming else answer.content), place


def test_the_image_holds_the_service_and_nothing_else() -> None:
    """13.4.1 and 15.2.3 of ASVS: what is let into the image is named, and tests, tools and history are not."""
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert ignored[0] == "*"
    let_in = {line[1:] for line in ignored if line.startswith("!")}
    assert let_in == {
        *("CHANGELOG.md", "LICENSE", "api", "manage.py", "referee", "requirements", "scoring", "templates"),
        *("tools", "tournaments"),
    }
    docker = (ROOT / "Dockerfile").read_text("utf-8")
    assert not re.search(r"^(COPY|ADD) (\.|\*)", docker, re.MULTILINE)
    assert set(re.findall(r"tools/\S+\.py", docker)) == {"tools/__init__.py", "tools/messages.py"}
    assert "requirements/dev" not in docker
    views = [tree for path, tree in TREES.items() if "/views/" in path or path.startswith("api/")]
    assert not [one for tree in views for one in imported(tree) if one.startswith(("tournaments.demo", "tests"))]


def test_it_is_written_when_holes_of_others_are_mended() -> None:
    """15.1.1 of ASVS: within which time, by how bad it is."""
    said = PAGE.partition("\n## Holes of others\n")[2].partition("\n## ")[0]
    assert "within a week" in said
    assert "within a month otherwise" in said
    assert "before each release" in said
