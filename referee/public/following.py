"""Whom a reader follows: numbers of entrants in the address, so that it works as a link and for everybody alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.public import find
from tournaments.acts.text import plain_number
from tournaments.models import Entrant, StageFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tournaments.models import Stage, Tournament

#: Entrants that one address follows, at most.
MOST: Final = 24


def numbers_in(text: str) -> list[int]:
    """``3,7`` as numbers, each once, in their order, the first `MOST`; what is no number is passed over."""
    found = (plain_number(one.strip()) for one in text.split(",")[: 4 * MOST])
    return list(dict.fromkeys(one for one in found if one))[:MOST]


def too_many(text: str) -> bool:
    """Whether an address names more entrants than are shown."""
    return text.count(",") >= MOST


def written(asked: Mapping[str, Any]) -> str:
    """The followed numbers of an address, as an address has them."""
    return joined(numbers_in(asked.get("follow", "")))


def joined(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def marked(tournament: Tournament, stage: Stage, asked: Mapping[str, Any]) -> frozenset[int]:
    """The ids of those whose way through a knockout is marked: who is followed, and who is searched for."""
    if stage.format != StageFormat.KO_TIMED:
        return frozenset()
    numbers, text = numbers_in(asked.get("follow", "")), find.wanted(asked.get("q", ""))
    entrants: list[Entrant] = []
    if numbers:
        entrants += Entrant.objects.filter(tournament=tournament, number__in=numbers)
    if text:
        entrants += find.matching(text, tournament.entrants.prefetch_related("players"))
    return frozenset(one.pk for one in entrants)
