"""The links of the bars at the top of pages, and the address of a page in the other language."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from referee.parts.words import page_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.parts.words import Word

DESK: Final[tuple[tuple[str, Word], ...]] = (
    ("board", _("Board")),
    ("pairing", _("Pairing")),
    ("standings", _("Standings")),
    ("entrants", _("Entrants")),
    ("rulings", _("Rulings")),
    ("publications", _("Publications")),
    ("history", _("History")),
    ("officials", _("Officials")),
    ("setup", _("Settings")),
)
PUBLIC: Final[tuple[tuple[str, Word], ...]] = (
    ("event", pgettext_lazy("the page of one event", "Event")),
    ("rounds", _("Rounds")),
    ("standings", _("Standings")),
    ("entrants", _("Entrants")),
    ("event_rules", _("Rules")),
)
#: What every public page leads to.
SITE: Final[tuple[tuple[str, Word], ...]] = (
    ("events", _("Events")),
    ("rules", _("Rules")),
    ("adjudicator", _("Adjudicator")),
)
BARS: Final[Mapping[str, tuple[tuple[str, Word], ...]]] = {"desk": DESK, "public": PUBLIC}

_LANGUAGE_PREFIX: Final = re.compile(r"^/(zh|en)(?=/|$)")


@dataclass(frozen=True, slots=True)
class Link:
    key: str
    label: Word
    address: str


def bar_links(bar: str, slug: str) -> tuple[Link, ...]:
    """Links of the ``desk`` or ``public`` bar of one event; a page that is not routed has no link."""
    known = {"event": slug} if bar == "desk" else {"event": slug, "language": page_language()}
    links = []
    for key, label in BARS[bar]:
        try:
            links.append(Link(key, label, reverse(f"{bar}:{key}", kwargs=known)))
        except NoReverseMatch:
            continue
    return tuple(links)


def site_links(slug: str = "") -> tuple[Link, ...]:
    """Links to all events, the rules and the adjudicator; at an event its own bar leads to its rules, and questions are
    put by them."""
    return tuple(
        Link(key, label, reverse(f"public:{key}", kwargs={"language": page_language()}) + _at_event(key, slug))
        for key, label in SITE
        if key != "rules" or not slug
    )


def _at_event(key: str, slug: str) -> str:
    return f"?event={slug}" if slug and key == "adjudicator" else ""


def rules_address(profile: object, part: str = "") -> str:
    """The page of a profile (or of a profile's id) in the language of the page, or a `part` of it such as ``explain/``.

    What an event changes goes along.
    """
    address = f"/{page_language()}/rules/{getattr(profile, 'id', profile)}/{part}"
    changed = getattr(profile, "changed", None)
    return f"{address}?{urlencode({'set': changes_written(profile)})}" if changed else address


def changes_written(profile: object) -> str:
    """What an event changes of a profile, as addresses carry it; empty where nothing is changed."""
    changed = getattr(profile, "changed", None)
    return json.dumps(dict(changed), sort_keys=True) if changed else ""


def clause_address(profile: object, clause_id: str) -> str:
    """Where a clause of a profile (or of a profile's id) can be read, in the language of the page."""
    return f"{rules_address(profile)}#{clause_id}"


def in_other_language(address: str, language: str) -> str | None:
    """The same public page in `language` (``zh`` or ``en``); None where the address does not carry one."""
    swapped, found = _LANGUAGE_PREFIX.subn(f"/{language}", address, count=1)
    return swapped if found else None
