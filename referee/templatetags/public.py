"""`{% load public %}`: names in the language of the page, and addresses of public pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from django import template
from django.urls import reverse

from referee.hands.words import field_word
from referee.parts import navigation, words
from referee.parts.formats import day_words
from referee.parts.printed import public_address
from referee.parts.words import page_language
from referee.public.rulebook import rules
from scoring.hands import fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

    from scoring.hands.findings import Finding
    from scoring.profiles import Clause
    from tournaments.models import Tournament

register = template.Library()
register.filter("day_words", day_words)

#: Fields as the kernel names them, in words of the page.
FIELD_WORDS: Final = {
    **{name: one.word for name, one in fields.BY_NAME.items() if "_" in name and one.open},
    "opening.first_dealer": fields.BY_NAME["dealer"].word,
    **{f"opening.levels.{side}": word for side, word in words.SIDES.items()},
}


@register.simple_tag
def address(name: str, tournament: Tournament | None = None, **known: Any) -> str | SafeString:
    """A public page in the language of this one: ``{% address "round" tournament number=3 %}``."""
    if tournament is not None:
        known["event"] = tournament.slug
    return reverse(f"public:{name}", kwargs={"language": page_language(), **known})


@register.simple_tag(takes_context=True)
def full_address(context: Mapping[str, Any], path: str) -> str:
    """An address with its host, for those who are not on this site."""
    return public_address(context["request"], path)


@register.simple_tag
def asked_for(**pairs: object) -> str:
    """The query of an address: each name with its value; what is empty is left out."""
    return urlencode({name: value for name, value in pairs.items() if value}, quote_via=quote, safe="/")


@register.simple_tag
def rules_address(profile: object, part: str = "") -> str:
    """The page of a profile, with what the event changed; `part` is ``explain/``."""
    return navigation.rules_address(profile, part)


@register.filter
def changes_written(profile: object) -> str:
    """What an event changes of a profile, for a hidden field."""
    return navigation.changes_written(profile)


@register.filter
def source_line(clause: Clause) -> str:
    """The document and section a clause comes from."""
    return rules.source_line(clause)


@register.filter
def base_field(field: str) -> str:
    """The field of a form that a finding belongs to: ``throw_failures[0].cards`` → ``throw_failures``."""
    return field.partition("[")[0].partition(".")[0]


@register.filter
def finding_words(found: Finding) -> str:
    """The sentence of a finding, with the words of the page where the kernel writes the name of a field."""
    text = words.in_language(found.message)
    for name in sorted(FIELD_WORDS, key=len, reverse=True):
        text = text.replace(name, words.in_language(FIELD_WORDS[name]))
    # a name that is also a word is a name only where the sentence begins with it
    first, _blank, rest = text.partition(" ")
    return f"{field_word(first)} {rest}" if first in fields.BY_NAME and fields.BY_NAME[first].open else text
