"""A form that was refused comes back with what was typed: the page that holds it is asked for anew, and fills it in.

The page knows its forms by the address they are sent to; its template asks with ``{% typed_at address as typed %}``.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import QueryDict
from django.urls import resolve

from referee.desk.presenters.refusals import place_of
from referee.parts.words import in_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest, HttpResponse

    from scoring.hands.findings import Finding
    from tournaments.acts.errors import Refusal

#: The attribute of a request for a page under which a form given back travels to the template.
CARRIED: Final = "given_back"


@dataclass(frozen=True, slots=True)
class GivenBack:
    """A refused form: where it was sent, its values by name, and what is wrong with a field, by its name."""

    address: str
    values: Mapping[str, Sequence[str]]
    wrong: Mapping[str, str]

    def value(self, name: str, at: int = 0) -> str | None:
        """What was typed into the field of that name, None where it was not sent; `at` counts fields of one name."""
        typed = self.values.get(name, ())
        return typed[at] if at < len(typed) else None


def give_back(
    request: HttpRequest,
    refusal: Refusal,
    page: str,
    fields: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The page at the address `page` with the sentence of the refusal and the form as it was typed.

    `fields`: names of the form for fields that the service calls otherwise; `words`: what the page calls a field that
    the sentence names by its key. What may not be seen or done at all stays an error.
    """
    if refusal.status in (403, 404):
        raise refusal
    called = words or {}
    messages.error(request, _said(refusal, called))
    asked = _asking_for(request, page)
    setattr(asked, CARRIED, GivenBack(request.path, dict(request.POST.lists()), _wrong(refusal, fields or {}, called)))
    view = resolve(asked.path_info)
    response: HttpResponse = view.func(asked, *view.args, **view.kwargs)
    if response.status_code == 200:
        response.status_code = refusal.status
    return response


def _wrong(refusal: Refusal, fields: Mapping[str, str], words: Mapping[str, str]) -> dict[str, str]:
    """The sentences of a refusal by the field of the form that each is about."""
    found: Sequence[Refusal | Finding] = [one for one in refusal.findings if one.blocking] or [refusal]
    said = {place_of(one.field or ""): _said(one, words) for one in found}
    return {fields.get(place, place): sentence for place, sentence in said.items() if place}


def _said(found: Refusal | Finding, words: Mapping[str, str]) -> str:
    """The sentence, with the word of the page where it names its field by the key."""
    sentence, field = in_language(found.message), found.field or ""
    return sentence.replace(field, words[field]) if field in words else sentence


def _asking_for(request: HttpRequest, page: str) -> HttpRequest:
    """The same browser's request for a page by GET."""
    address = urlsplit(page)
    asked = copy(request)
    asked.method = "GET"
    asked.path = asked.path_info = address.path
    asked.META = request.META | {"REQUEST_METHOD": "GET", "QUERY_STRING": address.query}
    asked.GET = QueryDict(address.query)
    asked.POST = QueryDict()
    return asked
