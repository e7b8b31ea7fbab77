"""Edits made in the database behind the service's back: rows changed, swapped, added, removed; the log bent and cut.

The attacker may write anything into the database and knows how the product works. He has neither the key that signs nor
the file of heads. Triggers and foreign keys do not hold him.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from django.db import DatabaseError, connection, models, transaction

from tournaments.acts.protected import ALL, Protected
from tournaments.models import LogHead, LogLeaf, Tournament


class _TakenBack(Exception):
    """Ends the edit."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What was done: its kind, table and column."""

    kind: str
    table: str
    column: str = ""


@contextmanager
def without_guards() -> Iterator[None]:
    """No trigger and no foreign key holds in the block, all of which is taken back."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            raise _TakenBack
    except _TakenBack:
        pass


def edited(event: Tournament, chance: Random) -> Edit | None:
    """One random edit; None where this one says nothing else than before, or the database has no such row."""
    kinds = list(_KINDS)
    kind = chance.choices(kinds, [_KINDS[one][0] for one in kinds])[0]
    try:
        with transaction.atomic():
            return _KINDS[kind][1](event, chance)
    except DatabaseError:  # a constraint on the values themselves
        return None


def _rows(event: Tournament, kept: Protected) -> models.QuerySet[Any]:
    return kept.model._default_manager.filter(**{kept.event: event.pk}).order_by("pk")


def _row(event: Tournament, chance: Random) -> tuple[Protected, Any] | None:
    kept = chance.choice(ALL)
    rows = _rows(event, kept)
    count = rows.count()
    return (kept, rows[chance.randrange(count)]) if count else None


def _change(event: Tournament, chance: Random) -> Edit | None:
    found = _row(event, chance)
    if found is None:
        return None
    kept, row = found
    column = chance.choice(kept.columns).field
    was = getattr(row, column.attname)
    new = _other(column, was, chance)
    if _put(kept, row.pk, {column.attname: new}) and new != was:
        return Edit("changed", kept.table, str(column.column))
    return None


def _swap(event: Tournament, chance: Random) -> Edit | None:
    """The values of one column of two rows."""
    found = _row(event, chance)
    if found is None:
        return None
    kept, row = found
    column = chance.choice(kept.columns).field
    other = chance.choice(list(_rows(event, kept)))
    mine, theirs = getattr(row, column.attname), getattr(other, column.attname)
    if mine == theirs:
        return None
    _put(kept, row.pk, {column.attname: theirs})
    _put(kept, other.pk, {column.attname: mine})
    return Edit("swapped", kept.table, str(column.column))


def _add(event: Tournament, chance: Random) -> Edit | None:
    """A copy of a row, something of it changed where two of it may not be."""
    found = _row(event, chance)
    if found is None or found[0].model is Tournament:
        return None
    kept, row = found
    values = {one.attname: getattr(row, one.attname) for one in kept.model._meta.concrete_fields if not one.primary_key}
    for one in (column.field for column in kept.columns):
        if one.attname != "tournament_id" and not one.is_relation and chance.random() < 0.5:
            values[one.attname] = _other(one, values[one.attname], chance)
    values["pk"] = kept.model._default_manager.order_by("-pk").values_list("pk", flat=True)[0] + 1
    kept.model._default_manager.bulk_create([kept.model(**values)])
    return Edit("added", kept.table)


def _remove(event: Tournament, chance: Random) -> Edit | None:
    found = _row(event, chance)
    if found is None or found[0].model is Tournament:
        return None
    kept, row = found
    kept.model._default_manager.filter(pk=row.pk)._raw_delete(connection.alias)
    return Edit("removed", kept.table)


def _leaves(event: Tournament) -> list[LogLeaf]:
    return list(LogLeaf.objects.filter(tournament=event, number__isnull=False).order_by("number"))


def _cut_tail(event: Tournament, chance: Random) -> Edit:
    """The last acts never were: their leaves, and the heads over them."""
    leaves = _leaves(event)
    left = chance.randrange(len(leaves))
    LogLeaf.objects.filter(pk__in=[one.pk for one in leaves[left:]])._raw_delete(connection.alias)
    LogHead.objects.filter(tournament=event, size__gt=left)._raw_delete(connection.alias)
    return Edit("tail cut", "logleaf")


def _cut_leaf(event: Tournament, chance: Random) -> Edit:
    """One act never was; those after it move up."""
    leaves = _leaves(event)
    gone = chance.randrange(len(leaves))
    LogLeaf.objects.filter(pk=leaves[gone].pk)._raw_delete(connection.alias)
    if chance.random() < 0.5:
        for one in leaves[gone + 1 :]:
            LogLeaf.objects.filter(pk=one.pk).update(number=one.number - 1)
    return Edit("leaf removed", "logleaf")


def _bend_leaf(event: Tournament, chance: Random) -> Edit | None:
    """A figure of what a leaf says is another, or it bears another's signature."""
    leaf = chance.choice(_leaves(event))
    if chance.random() < 0.3:
        other = chance.choice(_leaves(event))
        LogLeaf.objects.filter(pk=leaf.pk).update(signature=other.signature)
        return None if other.pk == leaf.pk else Edit("leaf bent", "logleaf", "signature")
    places = [place for place, figure in enumerate(leaf.body) if figure.isdigit()]
    place = chance.choice(places)
    body = leaf.body[:place] + str((int(leaf.body[place]) + chance.randint(1, 9)) % 10) + leaf.body[place + 1 :]
    LogLeaf.objects.filter(pk=leaf.pk).update(body=body)
    return Edit("leaf bent", "logleaf", "body")


def _reorder(event: Tournament, chance: Random) -> Edit | None:
    """Two acts stand in each other's place, or an act is said twice."""
    leaves = _leaves(event)
    first, second = chance.sample(leaves, 2)
    if chance.random() < 0.5:
        last = LogLeaf.objects.order_by("-pk").values_list("pk", flat=True)[0]
        copy = LogLeaf(pk=last + 1, tournament=event, body=first.body, signature=first.signature, salts=first.salts)
        LogLeaf.objects.bulk_create([copy])
        return Edit("leaf repeated", "logleaf")
    LogLeaf.objects.filter(pk=first.pk).update(number=None)
    LogLeaf.objects.filter(pk=second.pk).update(number=first.number)
    LogLeaf.objects.filter(pk=first.pk).update(number=second.number)
    return Edit("leaves reordered", "logleaf", "number")


def _bend_head(event: Tournament, chance: Random) -> Edit:
    head = chance.choice(list(LogHead.objects.filter(tournament=event)))
    rows = LogHead.objects.filter(pk=head.pk)
    column = chance.choice(["root", "size", "at", "signature", "frontier", ""])
    if not column:
        rows._raw_delete(connection.alias)
        return Edit("head removed", "loghead")
    new: Mapping[str, Callable[[], Any]] = {
        "root": lambda: head.root[::-1],
        "size": lambda: head.size + 1000,
        "at": lambda: head.at + timedelta(seconds=1),
        "signature": lambda: head.signature[::-1],
        "frontier": lambda: json.dumps([one[::-1] for one in json.loads(head.frontier)]),
    }
    rows.update(**{column: new[column]()})
    return Edit("head bent", "loghead", column)


#: Kinds of edits with how often each is made.
_KINDS: Mapping[str, tuple[int, Callable[[Tournament, Random], Edit | None]]] = {
    "change": (60, _change),
    "swap": (10, _swap),
    "add": (10, _add),
    "remove": (10, _remove),
    "cut tail": (2, _cut_tail),
    "cut leaf": (2, _cut_leaf),
    "bend leaf": (2, _bend_leaf),
    "reorder": (2, _reorder),
    "bend head": (2, _bend_head),
}


def _put(kept: Protected, pk: int, values: Mapping[str, Any]) -> int:
    return kept.model._default_manager.filter(pk=pk).update(**values)


def _other(column: models.Field[Any, Any], was: Any, chance: Random) -> Any:
    """Another value that the column could hold."""
    if was is not None and column.null and chance.random() < 0.1:
        return None
    if isinstance(column, models.BooleanField):
        return not was
    if isinstance(column, models.JSONField):
        return _other_json(was, chance)
    if isinstance(column, models.DateTimeField):
        return (was or datetime.fromisoformat("2026-01-01T00:00:00+00:00")) + timedelta(
            microseconds=chance.choice((1, 10**6))
        )
    if isinstance(column, models.DateField):
        return (was or date(2026, 1, 1)) + timedelta(days=1)
    if isinstance(column, models.CharField | models.TextField):
        others = [key for key, _ in column.flatchoices if key != was]
        return chance.choice(others) if others else _other_text(was or "", column, chance)
    return (was or 0) + chance.choice((1, 2, 3))


def _other_text(was: str, column: models.Field[Any, Any], chance: Random) -> str:
    place = chance.randrange(len(was) + 1)
    new = was[:place] + chance.choice("0a是X ") + was[place + 1 :]
    return new[: column.max_length] if column.max_length else new


def _other_json(was: Any, chance: Random) -> Any:
    """The value with one figure or truth in it turned, else wrapped."""
    if isinstance(was, dict) and was:
        name = chance.choice(sorted(was))
        return {**was, name: _other_json(was[name], chance)}
    if isinstance(was, list) and was:
        place = chance.randrange(len(was))
        return [*was[:place], _other_json(was[place], chance), *was[place + 1 :]]
    if isinstance(was, bool):
        return not was
    return was + 1 if isinstance(was, int) else [was]
