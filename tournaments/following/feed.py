"""Everything that happened since, for a laptop that follows: leaves in the log's order, and the rows as they are now.

Leaves say of texts only their digests, so the rows that they touch come with them, whole, read at the same moment. What
an act wrote that stands outside the log and is needed to go on comes beside: accounts, answers to keys, earlier names.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import F, Max, Model, Q

from ..acts.protected import ALL, Protected
from ..models import Elsewhere, Entrant, LogHead, LogLeaf, Player, SavedAnswer, Tournament, User
from ..people.erasure import ERASED
from ..sittings.moments import one_moment
from .channel import in_json

#: Ids asked for in one statement.
AT_ONCE: Final = 500
LEAF: Final = ("id", "number", "digest", "body", "signature", "salts", "sitting_id")
HEAD: Final = ("size", "root", "at", "signature", "frontier")
TABLES: Final[Mapping[str, Protected]] = {one.table: one for one in ALL}
#: Earlier names, which the log does not hold.
VERSIONS: Final[Mapping[str, type[Model]]] = {"entrant": Entrant.history.model, "player": Player.history.model}


def since(said: Mapping[str, Any], at: datetime) -> dict[str, Any]:
    """What happened after what a follower says it has (`applying.have`)."""
    have = {int(event): int(size) for event, size in said.get("have", {}).items()}
    with one_moment():
        told: dict[str, Any] = {"at": at.isoformat(), "events": [], "over": _over()}
        for event in _with_news(have):
            told["events"].append(of_event(event, have.get(event, 0)))
        people = rows_of(User, User.objects.order_by("pk"))
        if (digest := _digest(people)) != said.get("people"):
            told |= {"people": people, "people_digest": digest}
        answers = SavedAnswer.objects.filter(pk__gt=int(said.get("answers", 0))).order_by("pk")
        told["answers"] = rows_of(SavedAnswer, answers)
        every = any(one["erased"] for one in told["events"])
        for name, model in VERSIONS.items():
            last = 0 if every else int(said.get("versions", {}).get(name, 0))
            told.setdefault("versions", {})[name] = rows_of(model, model._default_manager.filter(pk__gt=last))
    return told


def _over() -> list[int]:
    """Events that are not written here any more: who follows must not take over from an old one."""
    return list(Tournament.objects.filter(elsewhere=Elsewhere.OVER).values_list("pk", flat=True))


def _with_news(have: Mapping[int, int]) -> list[int]:
    sizes = LogHead.objects.values_list("tournament").annotate(size=Max("size")).order_by()
    grown = {event for event, size in sizes if size > have.get(event, 0)}
    return sorted(grown | set(LogLeaf.objects.filter(number=None).values_list("tournament", flat=True)))


def of_event(event: int, after: int) -> dict[str, Any]:
    """Leaves, heads and rows of an event since its log had so many acts."""
    new = LogLeaf.objects.filter(tournament=event).filter(Q(number__gte=after) | Q(number=None))
    leaves = list(new.order_by(F("number").asc(nulls_last=True), "pk").values_list(*LEAF))
    touched = defaultdict[str, set[int]](set)
    touched["tournament"].add(event)
    for leaf in leaves:
        for table, _how, _columns, rows in json.loads(leaf[3])["rows"]:
            touched[table].update(row[0] for row in rows)
    heads = LogHead.objects.filter(tournament=event, size__gt=after).order_by("size").values_list(*HEAD)
    people = sorted(touched.get("player", set()))
    erased = any(Player.objects.filter(pk__in=some, name=ERASED).exists() for some in _some(people))
    told = {"event": event, "leaves": leaves, "heads": list(heads), "erased": erased}
    told["rows"] = {table: _rows(TABLES[table].model, ids) for table, ids in touched.items() if table in TABLES}
    if erased:
        old = LogLeaf.objects.filter(tournament=event, number__lt=after)
        told["salts"] = dict(old.values_list("pk", "salts"))
    return told


def _rows(model: type[Model], ids: Iterable[int]) -> dict[str, Any]:
    columns, rows = columns_of(model), list[list[Any]]()
    for some in _some(sorted(ids)):
        rows += rows_of(model, model._default_manager.filter(pk__in=some))["rows"]
    return {"columns": columns, "rows": rows}


def rows_of(model: type[Model], rows: Iterable[Model]) -> dict[str, Any]:
    """Rows with every column, as JSON takes them."""
    columns = columns_of(model)
    return {"columns": columns, "rows": [[getattr(row, name) for name in columns] for row in rows]}


def columns_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def _some(ids: list[int]) -> Iterable[list[int]]:
    for place in range(0, len(ids), AT_ONCE):
        yield ids[place : place + AT_ONCE]


def _digest(said: Any) -> str:
    return hashlib.sha256(in_json(said)).hexdigest()
