"""The short name of an event in addresses, made of its name: Chinese is written as it is spoken, sign by sign."""

from __future__ import annotations

from itertools import count
from typing import Final

from slugify import slugify

from ..models import Tournament

#: Addresses of the desk that no event can have.
RESERVED: Final = frozenset({"new", "import", "enter", "sign-in", "sign-out", "welcome", "account", "invitations"})
#: Signs; leaves room for a number where the name is taken.
LONGEST: Final = 56


def short_name_for(name: str, name_latin: str = "") -> str:
    """A short name that no event has yet; of the Latin name where there is one. Empty for an empty name."""
    if not (name_latin or name).strip():
        return ""
    wanted = slugify(name_latin or name, max_length=LONGEST, word_boundary=True) or "event"
    taken = set(Tournament.objects.filter(slug__startswith=wanted).values_list("slug", flat=True)) | RESERVED
    if wanted not in taken:
        return wanted
    return next(one for number in count(2) if (one := f"{wanted}-{number}") not in taken)
