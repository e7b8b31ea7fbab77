"""Ids of events that were read from a file: those the rows have here, and those of the machine that made them.

Frozen documents keep the ids they were made with, else their digests would not hold. They are put into the ids of this
machine when they are read for a page (`document_of`), and rows into the ids of the documents when they are exported.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.db.models import Model, Q

from ..models import Entrant, Origin, Tournament
from .text import plain_number

#: ``(from, to, how many)``: ids that run on together on both sides.
Run = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Ids:
    """Which id here stands for which id of the documents, by table, and the address that the documents know.

    `own`: the event was made here, and both are one.
    """

    own: bool = True
    slug: str = ""
    outward: Mapping[str, Sequence[Run]] = field(default_factory=dict)

    def written(self, model: type[Model], column: str, value: Any) -> Any:
        """The value of a column as it stands in the documents of the event."""
        if self.own or value is None:
            return value
        target = target_of(model, column)
        return value if target is None else translated(value, self.outward[table_of(target)])

    def came(self, model: type[Model]) -> Q:
        """The rows that came with the file."""
        found = Q(pk__in=())
        for first, _, count in self.outward[table_of(model)]:
            found |= Q(pk__gte=first, pk__lt=first + count)
        return found


def ids_of(tournament: Tournament) -> Ids:
    """The ids of an event."""
    if tournament.imported_at is None:
        return Ids(slug=tournament.slug)
    origin = Origin.objects.get(tournament=tournament)
    return Ids(False, origin.slug, {table: outward(theirs) for table, theirs in origin.ids.items()})


def outward(inward: Iterable[Sequence[int]]) -> list[Run]:
    """Runs from their ids to ours, turned round."""
    return sorted((own, theirs, count) for theirs, own, count in inward)


def runs_of(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Pairs of ids as few runs, by the first id."""
    runs: list[list[int]] = []
    for first, second in sorted(pairs):
        last = runs[-1] if runs else None
        if last is not None and first == last[0] + last[2] and second == last[1] + last[2]:
            last[2] += 1
        else:
            runs.append([first, second, 1])
    return runs


def translated(value: int, runs: Sequence[Sequence[int]]) -> int:
    """The id that stands for another; KeyError when none does."""
    place = bisect_right(runs, value, key=lambda run: run[0]) - 1
    if place >= 0:
        first, other, count = runs[place]
        if value < first + count:
            return other + value - first
    raise KeyError(value)


def target_of(model: type[Model], column: str) -> type[Model] | None:
    """The model whose ids a column holds, None when it holds something else."""
    if column == "id":
        return model
    if not column.endswith("_id") or column == "external_id":
        return None
    target = model._meta.get_field(column.removesuffix("_id")).related_model
    return target if isinstance(target, type) and issubclass(target, Model) else None


def table_of(model: type[Model]) -> str:
    return str(model._meta.model_name)


class Frozen(Protocol):
    """A row with a frozen document: a publication, a pairing, a draw."""

    document: str


#: Members of documents that hold entrants: an id, a list of ids (or of pairs, or of groups), or a table by ids.
_ENTRANTS = frozenset(
    {
        "entrant", "home", "away", "winner", "opponent", "bye", "entrants", "byes", "winners", "drawn", "players",
        "pairs", "order", "gone", "annulled", "slots", "losers", "had_bye", "out", "excluded", "withdrawn", "groups",
        "apart",
    }
)  # fmt: skip
_BY_ENTRANT = frozenset(
    {
        "numbers", "scores", "levels", "hands_won", "penalties", "fines", "carried", "units", "groups", "board_points",
        "categories",
    }
)  # fmt: skip
#: What tells the costs of a pair from a pair: there the words above are tiers.
_COST = "rematch"
_PAIR = frozenset({"home", "away"})


def document_of(tournament: Tournament, row: Frozen) -> dict[str, Any]:
    """A frozen document to be read here: entrants have the ids they have on this machine."""
    if tournament.imported_at is None:
        return read_here(row.document, None)
    return read_here(row.document, Origin.objects.values_list("ids", flat=True).get(tournament=tournament))


def read_here(text: str, ids: Mapping[str, Sequence[Sequence[int]]] | None) -> dict[str, Any]:
    """The text of a frozen document to be read here; `ids` of the origin of its event, None when it was made here."""
    document: dict[str, Any] = json.loads(text)
    return document if ids is None else dict(_read_here(document, ids[table_of(Entrant)]))


def rows_here(tournament: Tournament, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table of standings, read here."""
    if tournament.imported_at is None:
        return rows
    runs = Origin.objects.values_list("ids", flat=True).get(tournament=tournament)[table_of(Entrant)]
    return [dict(_read_here(row, runs)) for row in rows]


def _read_here(value: Any, runs: Sequence[Sequence[int]]) -> Any:
    if isinstance(value, list):
        return [_read_here(one, runs) for one in value]
    if not isinstance(value, dict):
        return value
    named = _PAIR if _COST in value else _ENTRANTS
    found: dict[str, Any] = {}
    for name, held in value.items():
        if name in _BY_ENTRANT and isinstance(held, dict):
            found[name] = {_own(entrant, runs): _read_here(one, runs) for entrant, one in held.items()}
        elif name in named and not _has_objects(held):
            found[name] = _own_all(held, runs)
        elif name == "id" and "rank" in value:
            found[name] = _own(held, runs)
        else:
            found[name] = _read_here(held, runs)
    return found


def _has_objects(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(_has_objects(one) for one in value))


def _own_all(value: Any, runs: Sequence[Sequence[int]]) -> Any:
    return [_own_all(one, runs) for one in value] if isinstance(value, list) else _own(value, runs)


def _own(value: Any, runs: Sequence[Sequence[int]]) -> Any:
    """The id here of an entrant, written as a number or as a text; anything else as it is."""
    number = plain_number(value, 18) if isinstance(value, str) else value
    if type(number) is not int:
        return value
    try:
        own = translated(number, runs)
    except KeyError:
        return value
    return str(own) if isinstance(value, str) else own
