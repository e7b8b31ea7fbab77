"""Every address of the access matrix, asked once by somebody who may, with hostile names in the event and a hostile
`next` beside the form: what the answers say of themselves, and what became of the names."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import transaction
from django.test import Client
from openpyxl import load_workbook

from tests.access_matrix import FORM
from tests.test_access_matrix import ROOMS, World, tried
from tests.test_access_matrix import built as built  # the fixture
from tests.test_access_matrix import world as world  # the fixture
from tournaments.models import Entrant, Player, Tournament, User

#: A formula, a tag, an entity, two kinds of template, two of format strings, quotes and a line of a header.
HOSTILE = "=1+2<b onmouseover=ko>&lt;{{7*7}}{0}%s%(a)d\"'%0d%0aSet-Cookie:a"
EVIL = "https://evil.example/"
#: What scripts read; it says how pages look.
LOOKS = {"theme", "suits"}


@dataclass(frozen=True)
class Answer:
    name: str
    method: str
    address: str
    letter: str
    everybody: bool
    status: int
    headers: dict[str, str]
    body: bytes
    cookies: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.name} by {self.letter}: {self.status} {self.headers}"

    @property
    def kind(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0]


def with_next(row: Any) -> Any:
    """The row with another site as the page to go on to, in its address and in its form."""
    if row.address.startswith("/api/"):
        return row
    sent = row.body
    if row.kind == FORM:
        sent = (sent or b"") + (b"&" if sent else b"") + f"next={EVIL}".encode()
    return replace(row, address=f"{row.address}{'&' if '?' in row.address else '?'}next={EVIL}", body=sent)


_walked: list[Answer] = []


@pytest.fixture
def answers(world: World) -> list[Answer]:
    """Asked once for all tests here; what the names became is undone."""
    if not _walked:
        client = Client()
        with transaction.atomic():
            User.objects.update(display_name=HOSTILE[:80])
            Tournament.objects.update(name=HOSTILE, place=HOSTILE)
            Entrant.objects.update(name=HOSTILE[:60])
            Player.objects.update(name=HOSTILE[:60])
            for name, method, row in rows():
                letter = next(one for one in "OCRpnau" if one in row.who) if set("OCRpnau") & set(row.who) else "O"
                said = tried(world, client, method, with_next(row), letter)
                body = b"".join(said.streaming_content) if said.streaming else said.content  # type: ignore[attr-defined]
                told = (name, method, row.address, letter, "a" in row.who, said.status_code)
                _walked.append(Answer(*told, dict(said.headers), body, tuple(said.cookies.values())))
            transaction.set_rollback(True)
    assert len(_walked) > 400
    return _walked


def rows() -> Iterator[tuple[str, str, Any]]:
    for room in ROOMS.values():
        for name, methods in room.items():
            if not name.startswith("live-"):
                for method, row in methods.items():
                    yield name, method, row


BEGINS = {
    "application/pdf": b"%PDF",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": b"PK",
    "application/zip": b"PK",
    "image/jpeg": b"\xff\xd8",
    "image/png": b"\x89PNG",
}


def test_an_answer_is_what_it_says(answers: list[Answer]) -> None:
    """4.1.1 of ASVS, and 3.2.1: nothing is sniffed, nothing but a page is a page."""
    kinds = set()
    for one in answers:
        assert one.status < 500, one
        assert one.headers.get("X-Content-Type-Options") == "nosniff", one
        assert "Content-Security-Policy" in one.headers, one
        if not one.body:
            continue
        kinds.add(one.kind)
        stated = one.headers["Content-Type"].lower().replace(" ", "")
        if one.kind in BEGINS:
            assert one.body.startswith(BEGINS[one.kind]), one
        elif "json" in one.kind and "ndjson" not in one.kind:
            json.loads(one.body)
        else:
            one.body.decode("utf-8")
            assert not one.body.startswith(tuple(BEGINS.values())), one
            assert not one.kind.startswith("text/") or "charset=utf-8" in stated, one
        page = one.body.lower().lstrip().startswith((b"<!doctype html", b"<html"))
        assert not page or one.kind == "text/html", one
    assert {"text/html", "application/json", "application/pdf", "text/csv"} <= kinds


def test_names_of_files_are_ours(answers: list[Answer]) -> None:
    """5.4.1 and 5.4.2 of ASVS: letters, figures and three signs, whatever the event is called."""
    named = 0
    for one in answers:
        said = one.headers.get("Content-Disposition", "")
        file = one.kind in BEGINS or one.kind == "text/csv"
        assert said or one.status != 200 or not file, one
        if said:
            named += 1
            assert re.fullmatch(r'(inline|attachment); filename="[A-Za-z0-9][A-Za-z0-9._-]*"', said), one
    assert named > 15


def test_what_needs_a_credential_is_kept_by_nobody(answers: list[Answer]) -> None:
    """14.3.2 of ASVS."""
    wrong = [
        str(one)
        for one in answers
        if not one.everybody and one.status < 300 and "no-store" not in one.headers.get("Cache-Control", "")
    ]
    assert not wrong, "\n".join(wrong)


def test_every_cookie_is_held(answers: list[Answer]) -> None:
    """3.3.2 and 3.3.4 of ASVS."""
    names = set()
    for one in answers:
        for cookie in one.cookies:
            names.add(cookie.key)
            assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Lax", "/", ""), (str(one), cookie)
            assert cookie["httponly"] or cookie.key in LOOKS or not cookie.value, (str(one), cookie)
    assert {"sessionid", "known", "messages"} <= names


def test_nobody_is_led_away(answers: list[Answer]) -> None:
    """3.7.2 of ASVS: each was asked with another site as `next`."""
    led = [one for one in answers if "Location" in one.headers]
    assert len(led) > 100
    wrong = [str(one) for one in led if not re.match(r"/(?![/\\])|\?|#|http://testserver/", one.headers["Location"])]
    wrong += [str(one) for one in led if re.search(r"//evil", one.headers["Location"].partition("?")[0])]
    assert not wrong, "\n".join(wrong)


def test_one_can_sign_out_on_every_page(answers: list[Answer]) -> None:
    """7.4.4 of ASVS."""
    pages = [
        one for one in answers if one.address.startswith("/desk/") and b"<html" in one.body and one.letter in "ORCp"
    ]
    assert len(pages) > 60
    assert not [str(one) for one in pages if b'action="/desk/sign-out/"' not in one.body]


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.events: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on"):
                self.events.append(f"{tag} {name}")
            if name in ("href", "src", "action", "formaction", "poster", "data", "xlink:href") and tag != "use":
                self.leads.append(value or "")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_name_is_a_text_in_every_page(answers: list[Answer]) -> None:
    """1.1.2, 1.2.1 and 1.3.10 of ASVS: encoded once, at the end, and formatted by nobody."""
    seen = 0
    for one in answers:
        if one.kind != "text/html":
            continue
        text = one.body.decode()
        assert "<b onmouseover" not in text, one
        assert "&amp;amp;lt;" not in text, one
        page = Page(text)
        assert not page.events, (str(one), page.events)
        seen += any(HOSTILE[:60] in said for said in page.texts)
    assert seen > 80


def test_every_address_in_a_page_is_encoded_and_leads_to_what_is_known(answers: list[Answer]) -> None:
    """1.2.2 of ASVS."""
    wrong = []
    for one in answers:
        if one.kind == "text/html":
            for lead in Page(one.body.decode()).leads:
                known = re.match(r"$|[/#?]|[\w.-]+/?(\?|#|$)|https?://|data:image/|mailto:|\.\.?/", lead)
                if not known or re.search(r"[<>\"\s\\]", lead) or lead.startswith("//"):
                    wrong.append(f"{one.name}: {lead}")
    assert not wrong, "\n".join(wrong[:40])


def test_a_name_is_a_text_in_every_file(answers: list[Answer]) -> None:
    """1.2.1 of ASVS: CSV, XLSX, JSON and pictures. Paper is set with data: each of them is there and is a PDF."""
    seen: set[str] = set()
    for one in answers:
        if one.status != 200:
            continue
        if one.kind == "text/csv":
            for row in csv.reader(io.StringIO(one.body.decode("utf-8-sig"))):
                assert not [cell for cell in row if cell.startswith("=")], one
                seen |= {"csv" for cell in row if cell.startswith("'=1+2<b")}
        elif one.kind.endswith("spreadsheetml.sheet"):
            for row in load_workbook(io.BytesIO(one.body)).active.iter_rows():  # type: ignore[union-attr]
                assert not [cell for cell in row if cell.data_type == "f"], one
                seen |= {"xlsx" for cell in row if "1+2<b" in str(cell.value)}
        elif one.kind == "application/json":
            seen |= {"json" for _ in re.findall(re.escape(json.dumps(HOSTILE[:60])[1:-1]), one.body.decode())}
        elif one.kind == "image/svg+xml":
            ElementTree.fromstring(one.body)
            seen.add("svg")
        elif one.kind == "application/pdf":
            seen.add("pdf")
    assert {"csv", "xlsx", "json", "pdf"} <= seen


@pytest.mark.parametrize("typed", ["&lt;b&gt;", "%3Cb%3E", "%253Cb%253E", "\\u003cb\\u003e", "=3D=20", "&amp;amp;"])
def test_what_is_typed_is_decoded_once(world: World, typed: str) -> None:
    """1.1.1 of ASVS: what looks encoded within a value stays as it is, on its way in and out."""
    client, caller = Client(), world.callers["O"]
    with transaction.atomic():
        sent = client.post(
            f"/api/v1/events/{world.ids['fresh']}/entrants/",
            {"name": f"A {typed}", "players": [{"name": "X"}, {"name": typed}]},
            content_type="application/json",
            headers={"Authorization": caller.header},
        )
        assert sent.status_code == 201, sent.content
        assert sent.json()["name"] == f"A {typed}"
        assert Entrant.objects.latest("pk").name == f"A {typed}"
        transaction.set_rollback(True)
