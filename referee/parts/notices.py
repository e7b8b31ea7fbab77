"""What a page says once: that something was done, refused or needs an eye, and for a minute how it is undone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.contrib.messages.storage.base import Message
    from django.http import HttpRequest

#: The first word of the tags of a message that offers to undo something.
_UNDO: Final = "undo"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence, how weighty it is, and where a form goes that undoes what it tells of; for so many seconds more."""

    text: str
    level: str
    undo: str = ""
    left: int = 0


def offer_undo(request: HttpRequest, said: str, address: str, until: datetime) -> None:
    """Offer on the next page to undo what was just done; `said` where nothing else says that it was."""
    tags = f"{_UNDO} {address} {int(until.timestamp())}"
    messages.add_message(request, messages.SUCCESS, said, extra_tags=tags)


def notices(given: Iterable[Message] | None, now: datetime | None = None) -> list[Notice]:
    """The messages as they are shown: an offer to undo stands in the sentence that says what was done."""
    found: list[Notice] = []
    for one in given or ():  # a page that is made for everybody has none
        known = (one.extra_tags or "").split(" ")
        if known[0] != _UNDO:
            found.append(Notice(str(one.message), one.level_tag))
            continue
        found = [replace(before, undo="") for before in found]  # only the last act is offered
        left = int(known[2]) - int((now or timezone.now()).timestamp())
        said = found.pop().text if found and found[-1].level == "success" else str(one.message)
        found.append(Notice(said, "success", known[1] if left > 0 else "", left))
    return found
