"""How people stand before the pages: officials and readers who open a page, fill in its form and press its button.

The same acts go through forms alone, as Django's test client sends them, or through a real browser
(tests/browser/regulation_pages.py). A page that refuses fails the test at that step, with its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Protocol
from urllib.parse import urldefrag, urlsplit

from django.contrib.messages import ERROR, get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from referee.hands.forms import PhoneForm
from scoring.profiles import Profile
from tests.page_words import kind_of
from tests.tournaments import factories
from tournaments.acts.jobs import run
from tournaments.ledger.codes import party_code_text
from tournaments.models import Job, LedgerEntry, PartyCode, Tournament, User
from tournaments.standings.runs import recalculate
from tournaments.transfer.job_kinds import KINDS

#: What is typed into a form: a text, a text for each of several fields of that name, or a file (name, content).
Typed = Mapping[str, str | Sequence[str] | tuple[str, bytes]]
#: The button of a form that has one.
UNNAMED = ("", "")
OTHER = {"NS": "EW", "EW": "NS"}
ZH = "zh-hans"


class Person(Protocol):
    """Somebody at a page of the desk or of the public part."""

    @property
    def html(self) -> str:
        """The page that is open."""

    @property
    def address(self) -> str:
        """Where that page is: path and query."""

    def open(self, address: str) -> str:
        """Open a page: its HTML."""

    def send(self, to: str, typed: Typed | None = None, *, press: tuple[str, str] = UNNAMED) -> None:
        """Fill in the form of this page that goes to `to` and press its button, or the one of that name and value.

        What is typed into a hidden field tells forms to the same address apart.
        """

    def paper(self, to: str) -> bytes:
        """Press the button of the form that goes to `to` and answers with a file."""

    def fetch(self, address: str) -> bytes:
        """A file by its address."""

    def prove(self) -> None:
        """As if the password had been typed a moment ago."""


class Phone(Protocol):
    """One side's phone at its table."""

    def enter(self, facts: Mapping[str, Any], hand_no: int, dealer: str, *, contested: bool) -> None:
        """Type a hand and send it to the other side."""

    def rebel(self, seat: str, points: int, hand_no: int, dealer: str) -> None:
        """Say that a player rebelled, showing so many points: the hand is void."""

    def confirm(self, waiting: LedgerEntry) -> None:
        """Read what the other side sent and agree to it."""

    def say_over(self) -> None:
        """Say that the match is over."""

    def leave(self) -> None:
        """Put the phone away."""


class Front(Protocol):
    """The pages as one way of going through them."""

    language: str

    def official(self, user: User | None) -> Person:
        """An official at the desk; nobody yet: he comes in by his link."""

    def reader(self, language: str) -> Person:
        """Somebody at the public pages."""

    def phone(self, code: PartyCode) -> Phone:
        """A phone that scans the card of its table and takes the place."""

    def by_phones(self, table: int) -> bool:
        """Whether the sides of this table write their hands on phones; else a referee enters them from slips."""

    def settle(self, event: Tournament) -> None:
        """Wait for the standings to catch up with the record."""

    def jobs_done(self) -> None:
        """Wait until no long work is open."""


# Forms alone


@dataclass
class Field:
    """One control of a form."""

    name: str
    kind: str
    value: str = ""
    on: bool = True
    options: list[str] = field(default_factory=list)


@dataclass
class Form:
    """A form as the page has it."""

    to: str
    method: str
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def fits(self, typed: Typed, press: tuple[str, str]) -> bool:
        hidden = {one.name: one.value for one in self.fields if one.kind == "hidden"}
        told_apart = all(hidden[name] == value for name, value in typed.items() if name in hidden)
        return told_apart and press in self.buttons

    def data(self, typed: Typed, press: tuple[str, str]) -> dict[str, Any]:
        """What the browser would send: what was typed, and for the rest what the page has."""
        names = {one.name for one in self.fields}
        assert names >= set(typed), f"no field {set(typed) - names} in the form to {self.to}"
        data: dict[str, Any] = {}
        for one in self.fields:
            if one.name not in typed and one.on and one.kind != "file":
                data.setdefault(one.name, []).append(one.value)
        for name, value in typed.items():
            self._offered(name, value)
            data[name] = self._sent(name, value)
        return data | (dict([press]) if press != UNNAMED else {})

    def _offered(self, name: str, value: Any) -> None:
        """What is chosen must be among what the page lets one choose."""
        choices = [option for one in self.fields if one.name == name for option in one.options]
        for one in value if isinstance(value, list) else [value]:
            assert not choices or one in choices, f"{name} offers {choices}, not {one}"

    def _sent(self, name: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return SimpleUploadedFile(*value)
        if isinstance(value, list):
            return value + [""] * (sum(one.name == name for one in self.fields) - len(value))
        return value


class Page(HTMLParser):
    """The forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._inside: Form | None = None
        self._open: Field | None = None
        self._by_id: dict[str, Form] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = Form(has.get("action", ""), has.get("method", "get"))
            self.forms.append(self._inside)
            self._by_id[has.get("id", "")] = self._inside
        if tag == "button" and "formaction" in has:
            self._button_of_its_own(has)
            return
        form = self._inside
        if tag == "button" and "formaction" in has and "form" in has:
            # a button that goes its own way, most often by the form of another place of the page
            self.forms.append(Form(has["formaction"], "post", [], [(has.get("name", ""), has.get("value", ""))]))
        if form is None or "form" in has:
            return
        name, kind = has.get("name", ""), has.get("type", "text")
        if tag == "button" and kind in ("text", "submit"):
            form.buttons.append((name, has.get("value", "")))
        elif tag == "input" and name and kind in ("radio", "checkbox"):
            value = has.get("value", "on")
            form.fields.append(Field(name, kind, value, "checked" in has, [value]))
        elif tag == "input" and name:
            form.fields.append(Field(name, kind, has.get("value", "")))
        elif tag in ("select", "textarea") and name:
            self._open = Field(name, tag)
            form.fields.append(self._open)
        elif tag == "option" and self._open is not None:
            value = has.get("value", "")
            self._open.options.append(value)
            if "selected" in has or len(self._open.options) == 1:
                self._open.value = value

    def _button_of_its_own(self, has: dict[str, str]) -> None:
        """A button that sends a form (the one it stands in, or the one it names) to another address."""
        sent = self._by_id[has["form"]] if "form" in has else self._inside
        assert sent is not None
        button = (has.get("name", ""), has.get("value", ""))
        self.forms.append(Form(has["formaction"], sent.method, sent.fields, [button]))

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._open.kind == "textarea":
            self._open.value += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = None
        if tag in ("select", "textarea"):
            self._open = None


#: The pages that were read, so many of each kind in each language: (kind, language) → HTML.
Read = dict[tuple[object, str], list[str]]
OF_A_KIND = 3


class Reader:
    """A person whose browser sends forms and shows nothing; `read` keeps some of the pages that came."""

    def __init__(self, language: str, user: User | None = None, *, read: Read) -> None:
        self.client = Client()
        self.language = language
        self.read = read
        self.client.cookies["django_language"] = ZH if language == "zh" else "en"
        if user is not None:
            self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
            factories.just_proved(self.client)
        self.html = self.address = ""

    def open(self, address: str) -> str:
        answer = self.client.get(address)
        assert answer.status_code == 200, f"{address} answered {answer.status_code}: {_words(answer)}"
        self._see(answer, address)
        return self.html

    def send(self, to: str, typed: Typed | None = None, *, press: tuple[str, str] = UNNAMED) -> None:
        answer = self._pressed(to, typed or {}, press)
        if answer.status_code == 303:
            refused = [str(one) for one in get_messages(answer.wsgi_request) if one.level >= ERROR]
            assert not refused, f"{to}: {refused}"
            self.open(urldefrag(answer["Location"]).url)
        else:
            assert answer.status_code == 200, f"{to} answered {answer.status_code}: {_words(answer)}"
            self._see(answer, to)

    def _see(self, answer: Any, address: str) -> None:
        self.html, self.address = answer.content.decode(), address
        alike = self.read.setdefault((kind_of(address), self.language), [])
        if len(alike) < OF_A_KIND:
            alike.append(self.html)

    def paper(self, to: str) -> bytes:
        answer = self._pressed(to, {}, UNNAMED)
        assert answer.status_code == 200, f"{to} answered {answer.status_code}"
        return bytes(answer.content)

    def prove(self) -> None:
        factories.just_proved(self.client)

    def fetch(self, address: str) -> bytes:
        answer = self.client.get(address)
        assert answer.status_code == 200, f"{address} answered {answer.status_code}"
        return bytes(answer.content)

    def _pressed(self, to: str, typed: Typed, press: tuple[str, str]) -> Any:
        form = self._form(to, typed, press)
        data = form.data(typed, press)
        return self.client.get(to, data) if form.method == "get" else self.client.post(to, data)

    def _form(self, to: str, typed: Typed, press: tuple[str, str]) -> Form:
        here = urlsplit(self.address).path
        # a form without an address goes to its own page
        found = [
            one
            for one in Page(self.html).forms
            if (urldefrag(one.to).url or here) == to and one.fits(typed, press) and set(typed) <= _names(one)
        ]
        assert found, f"{self.address} has no form to {to} with {sorted(typed)} and the button {press}"
        return found[0]


def _names(form: Form) -> set[str]:
    return {one.name for one in form.fields}


def _words(answer: Any) -> str:
    """What a refusing page says."""
    context = answer.context or {}
    refusal, form = context.get("refusal"), context.get("form")
    said = getattr(refusal, "message", None) or getattr(form, "errors", None)
    return f"{said} {getattr(refusal, 'findings', '')}"


class FormPhone:
    """A phone whose page sends forms."""

    def __init__(self, code: str, language: str, profile: Profile) -> None:
        self.client = Client(headers={"Accept-Language": "zh-CN" if language == "zh" else "en"})
        self.profile = profile
        assert self.client.get(f"/t/{code}/").status_code == 200
        answer = self.client.post(f"/t/{code}/")
        assert answer.status_code == 303, answer.content.decode()
        self.address = answer["Location"]

    def enter(self, facts: Mapping[str, Any], hand_no: int, dealer: str, *, contested: bool) -> None:
        sheet = {**facts, "dealer": dealer} if contested else facts
        self._act("enter", {**PhoneForm.of_facts(sheet, self.profile).values, "hand_no": hand_no})

    def rebel(self, seat: str, points: int, hand_no: int, dealer: str) -> None:
        told = {"kind": "annulled", "annulled_reason": "rebellion", "rebel": seat, "rebel_points": points}
        self._act("enter", {**told, "hand_no": hand_no})

    def confirm(self, waiting: LedgerEntry) -> None:
        assert self.client.get(self.address).status_code == 200
        self._act("confirm", {"entry": waiting.pk, "version": waiting.version})

    def say_over(self) -> None:
        self._act("over", {})

    def leave(self) -> None:
        pass

    def _act(self, name: str, data: Mapping[str, Any]) -> None:
        typed = {name: value for name, value in data.items() if value != ""}
        answer = self.client.post(f"{self.address}{name}/", typed, headers={"Accept": "application/json"})
        assert answer.status_code == 200, f"{name}: {answer.content.decode()}"


@dataclass
class Forms:
    """The pages through forms alone: every table writes on its phones."""

    language: str = "zh"
    read: Read = field(default_factory=dict)

    def official(self, user: User | None) -> Reader:
        return Reader(self.language, user, read=self.read)

    def reader(self, language: str) -> Reader:
        return Reader(language, read=self.read)

    def phone(self, code: PartyCode) -> FormPhone:
        return FormPhone(party_code_text(code), self.language, code.table.tournament.profile)

    def by_phones(self, table: int) -> bool:
        return True

    def settle(self, event: Tournament) -> None:
        """What the worker does as soon as a result moves."""
        recalculate(tournament_id=event.pk, at=timezone.now())

    def jobs_done(self) -> None:
        """What the worker does with the work that was asked for."""
        for job in Job.objects.filter(done_at=None).order_by("pk"):
            run(job_id=job.pk, kinds=KINDS, at=timezone.now())
