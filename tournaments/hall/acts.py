"""The organiser says where the tables stand, each by row and column or all of them so many a row, and what else is in
the hall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from scoring.values import Text
from scoring.wording import both

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import PAGES_MOVED, AddAll, Change, Line, RemoveAll, Write, carry_out
from ..acts.errors import BAD_REQUEST, UNPROCESSABLE, Refusal
from ..acts.rows import find_tournament
from ..models import FixtureKind, HallFixture, Table, TablePlace
from ..models.hall import MOST_PLACES
from .layout import Fixture, Place, Plan, completed, in_rows, out_of_the_way
from .reads import plan_of


def arrange(
    *,
    tournament_id: int,
    actor: Actor,
    at: datetime,
    places: Mapping[int, tuple[int, int]],
    fixtures: Sequence[tuple[str, int, int]] | None = None,
) -> Plan:
    """Save where tables stand, row and column by number, and the kind, row and column of everything else in the hall;
    tables that are not named stay, and so does all else where `fixtures` is None.

    Refused, each with the field of the table or the other thing: `bad_place`, `unknown_table`, `place_taken`.
    """
    for number, place in places.items():
        _check_place(place, field_of(number))
    for nth, (kind, row, column) in enumerate(fixtures or ()):
        _check_place((row, column), fixture_field(nth))
        if kind not in FixtureKind.values:
            raise Refusal("bad_place", field=fixture_field(nth), status=BAD_REQUEST)
    asked = {number: Place(*place) for number, place in places.items()}
    others = None if fixtures is None else tuple(Fixture(kind, Place(row, column)) for kind, row, column in fixtures)
    return _arranged(
        tournament_id,
        actor,
        at,
        lambda plan: Plan(dict(plan.places) | asked, fixtures=plan.fixtures if others is None else others),
    )


def arrange_in_rows(*, tournament_id: int, actor: Actor, at: datetime, width: int, snake: bool = False) -> Plan:
    """Save that all tables stand so many a row, by number; in a `snake` every other row counts from the right. What
    else is in the hall makes room for them.

    Refused: `bad_width`, also where the rows would be too many.
    """
    if type(width) is not int or not 1 <= width <= MOST_PLACES:
        raise Refusal("bad_width", field="width", status=BAD_REQUEST)

    def placed(plan: Plan) -> Plan:
        if len(plan.places) > width * MOST_PLACES:
            raise Refusal("bad_width", field="width", status=BAD_REQUEST)
        places = in_rows(list(plan.places), width, snake=snake)
        return Plan(places, fixtures=out_of_the_way(plan.fixtures, places))

    return _arranged(tournament_id, actor, at, placed)


def _check_place(place: Sequence[int], field: str) -> None:
    if not all(type(one) is int and 1 <= one <= MOST_PLACES for one in place):
        raise Refusal("bad_place", field=field, status=BAD_REQUEST)


def field_of(number: int) -> str:
    """What a refusal calls the place of a table."""
    return f"tables[{number}]"


def fixture_field(at: int) -> str:
    """What a refusal calls the place of what else is in the hall."""
    return f"fixtures[{at}]"


def _arranged(tournament_id: int, actor: Actor, at: datetime, placed: Callable[[Plan], Plan]) -> Plan:
    def decide() -> Change[Plan]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.ARRANGE_HALL, tournament=event)
        before = plan_of(event)
        after = placed(before)
        _check(before, after)
        tables = Table.objects.filter(tournament=event).in_bulk(field_name="pk")
        rows = [
            TablePlace(
                tournament=event,
                table=table,
                row=after.places[table.number].row,
                column=after.places[table.number].column,
            )
            for table in tables.values()
        ]
        moved = {n: place for n, place in after.places.items() if not before.saved or before.places[n] != place}
        writes: list[Write] = [RemoveAll(TablePlace, {"tournament": event}), AddAll(rows)]
        old: dict[str, Any] = {"moved": {str(n): list(before.places[n]) for n in moved}}
        new: dict[str, Any] = {"moved": {str(n): list(place) for n, place in moved.items()}}
        if sorted(after.fixtures) != sorted(before.fixtures):
            others = [HallFixture(tournament=event, kind=kind, **place._asdict()) for kind, place in after.fixtures]
            writes += [RemoveAll(HallFixture, {"tournament": event}), AddAll(others)]
            old["fixtures"], new["fixtures"] = _told(before.fixtures), _told(after.fixtures)
        elif not moved:
            return Change(admitted, before)
        line = Line(Act.ARRANGE_HALL, old=old, new=new)
        plan = completed(after.places, after.places, tuple(sorted(after.fixtures, key=lambda one: one.place)))
        return Change(admitted, plan, tuple(writes), (line,), PAGES_MOVED)

    return carry_out(decide, actor, at)


def _told(fixtures: Sequence[Fixture]) -> list[list[str | int]]:
    """As the history keeps them."""
    return [[kind, *place] for kind, place in sorted(fixtures)]


def _check(before: Plan, after: Plan) -> None:
    """Every table is of this event, and nothing stands where something else does."""
    taken: dict[Place, Text] = {}
    things = [(field_of(number), after.places[number], _table(number)) for number in sorted(after.places)]
    things += [(fixture_field(at), place, FIXTURES[kind]) for at, (kind, place) in enumerate(after.fixtures)]
    for number in sorted(after.places):
        if number not in before.places:
            raise Refusal("unknown_table", field=field_of(number), status=UNPROCESSABLE)
    for field, place, name in things:
        if place.row > MOST_PLACES:
            raise Refusal("bad_place", field=field, status=UNPROCESSABLE)
        if place in taken:
            raise Refusal("place_taken", field=field, message=_both(taken[place], name), status=UNPROCESSABLE)
        taken[place] = name


#: What everything else in the hall is called.
FIXTURES: Final[Mapping[str, Text]] = {
    FixtureKind.DOOR: both("the door", "入口"),
    FixtureKind.DESK: both("the desk", "裁判台"),
    FixtureKind.PILLAR: both("a pillar", "柱子"),
}


def _table(number: int) -> Text:
    return both(f"table {number}", f"{number} 桌")


def _both(one: Text, other: Text) -> Text:
    en, zh = f"{one['en']} and {other['en']} would stand at one place.", f"{one['zh']}和{other['zh']}摆在了同一个位置。"
    return both(en[0].upper() + en[1:], zh)
