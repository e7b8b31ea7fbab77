"""What a person reads on a page, and what should never stand there: values nobody worded, ids, the other language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Final, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from django.apps import apps
from django.test import Client
from django.urls import Resolver404, resolve

#: Attributes that are read aloud or shown.
SPOKEN: Final = ("alt", "aria-label", "aria-description", "aria-valuetext", "placeholder", "title")
#: What is no reading matter: programs, looks, what people type, quoted code.
SILENT: Final = frozenset({"script", "style", "code", "pre", "textarea", "template"})
#: Elements that never have an end tag.
VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split(" "))  # noqa: SIM905
#: Classes of elements whose text is meant to be an id.
IDS: Final = frozenset({"clause", "mono"})

CHINESE: Final = re.compile(r"[\u3400-\u9fff]+")
LATIN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2,}(?![A-Za-z0-9])")
#: Values of the program that nobody put into words.
RAW: Final = re.compile(
    r"\{['\"%]|['\"]\}|\{\w*\}|%\(|\b(?:None|True|False|null|undefined|NaN)\b|</?[a-z]+[ >/]|&[a-z]+;"
    r"|\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b(?:Decimal|Fraction|datetime)\(|object at 0x|\[\]|\(\)|\b[0-9a-f]{16,}"
)
DOTTED: Final = re.compile(r"\b[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*\.[a-z0-9_.-]*[a-z0-9]\b")
#: What has dots and is no id: files and addresses.
NAMED: Final = re.compile(r"\.(?:json|csv|xlsx|pdf|local|cn|org|com)$")
#: Words in Latin letters that a Chinese page has on purpose: kinds of files and their letters, keys, cards as they are
#: typed, a language of programs, a standard, how pages travel, the store that carries messages, units, the guide whose
#: rules a profile holds, an address given as an example.
SHARED: Final = frozenset(
    "Referee SCN CSV XLSX Excel JSON PDF PNG JPEG WebP UTF UTC PIN IMP QR API IP http https "  # noqa: SIM905
    "Python RFC Redis GB MB Enter Ctrl Esc AA KK HJ JS JB JQK chenghu".split(" ")
)
#: In Chinese a mark after a character or before one is full-width; so is a comma alone between two pieces.
HALF: Final = re.compile(r"[\u3400-\u9fff）”][,;:?!](?=\s|$)|(?:^|[^A-Za-z.])[,;:?!]\s*[\u3400-\u9fff]|^\s*[,;]\s*$")
#: Each language by its own name.
OWN_NAMES: Final = ("简体中文", "English")
#: Time zones that have no name in Chinese stand by their name in the tz database.
ZONE: Final = re.compile(r"^[A-Z]\w+/.+\(UTC[^)]*\)$")

#: What people type, by model and field: names and reasons are in whatever language they are.
TYPED: Final = {
    "Tournament": ("name", "name_latin", "place", "slug"),
    "Entrant": ("name", "name_latin", "unit", "category", "external_id"),
    "Player": ("name", "name_latin"),
    "User": ("username", "display_name"),
    "Stage": ("name",),
}


class Piece(NamedTuple):
    """A stretch of text, and its language where the page marks one."""

    text: str
    language: str


class Reading(HTMLParser):
    """The pieces of a page in the order they are read, and where its links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pieces: list[Piece] = []
        self.links: list[str] = []
        # of each element that is open: tag, language, whether its text is silent, whether it is meant to be an id
        self._open: list[tuple[str, str, bool, bool]] = [("", "", False, False)]
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        _, language, silent, is_id = self._open[-1]
        language = has.get("lang", language)[:2]
        if tag == "a" and "download" not in has:
            self.links.append(has.get("href", ""))
        spoken = [has[name] for name in SPOKEN if name in has]
        if has.get("type") in ("submit", "button"):
            spoken.append(has.get("value", ""))
        self.pieces += [Piece(text, language) for text in spoken]
        is_id = is_id or bool(IDS & set(has.get("class", "").split()))
        if tag not in VOID:
            self._open.append((tag, language, silent or tag in SILENT, is_id))

    def handle_endtag(self, tag: str) -> None:
        while len(self._open) > 1 and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        _, language, silent, is_id = self._open[-1]
        # a clause of the rules has its id on its chip; a penalty has words
        if not silent and not (is_id and not data.strip().startswith("penalty.")):
            self.pieces.append(Piece(data, language))


def slips(html: str, language: str, typed: Iterable[str] = ()) -> list[str]:
    """What stands on a page and should not, one line each; `typed` is what people entered, in any language."""
    known = sorted({text for text in (*typed, *OWN_NAMES) if text.strip()}, key=len, reverse=True)
    names = re.compile("|".join(map(re.escape, known)))
    found = []
    for piece in Reading(html).pieces:
        text = " ".join(names.sub("~", piece.text).split())
        other = piece.language not in ("", language)
        found += [f"{what} in {text[:160]!r}" for what in _slips(text, "" if other else language)]
    return found


def _slips(text: str, language: str) -> Iterator[str]:
    yield from (f"raw {one[0]!r}" for one in RAW.finditer(text))
    yield from (f"id {one[0]!r}" for one in DOTTED.finditer(text) if not NAMED.search(one[0]))
    if language == "en":
        yield from (f"Chinese {one[0]!r}" for one in CHINESE.finditer(text))
    if language == "zh":
        words = (one[0] for one in LATIN.finditer(ZONE.sub("", text)))
        yield from (f"English {word!r}" for word in words if word not in SHARED)
        yield from (f"half-width {one[0]!r}" for one in HALF.finditer(text))


def typed_words() -> set[str]:
    """The names and reasons of all people in the database."""
    models = apps.get_app_config("tournaments")
    rows = (row for name, fields in TYPED.items() for row in models.get_model(name).objects.values_list(*fields))
    return {part for row in rows for text in row if text for part in (text, *text.split(" / ")) if len(part) > 1}


class Walk(NamedTuple):
    """Somebody who follows the links of pages, to so many pages of each kind."""

    client: Client
    most: int = 1

    def pages(self, *start: str) -> Iterator[tuple[str, str]]:
        """(address, HTML) of each kind of page that links lead to."""
        ways, seen, times = list(start), set(start), Counter[object]()
        while ways:
            address = ways.pop(0)
            kind = kind_of(address)
            if kind is None or times[kind] >= self.most:
                continue
            answer = self.client.get(address, follow=True)
            times[kind] += 1
            if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
                continue
            html = answer.content.decode()
            yield address, html
            base = answer.redirect_chain[-1][0] if answer.redirect_chain else address
            links = [urldefrag(urljoin(base, link)).url for link in Reading(html).links if link]
            language = base.split("/")[1]
            ways += [
                link
                for link in dict.fromkeys(links)
                if link not in seen and {language, link.split("/")[1]} != {"en", "zh"}
            ]
            seen.update(links)


def kind_of(address: str) -> object:
    """What pages that are made alike have in common; None for what is no page of this service."""
    parts = urlsplit(address)
    try:
        found = None if parts.netloc else resolve(parts.path)
    except Resolver404:
        found = None
    return found and (found.view_name, found.kwargs.get("kind"))
