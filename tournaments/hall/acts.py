"""The organiser says where the tables stand: each by row and column, or all of them so many a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import AddAll, Change, Line, RemoveAll, Told, carry_out
from ..acts.errors import BAD_REQUEST, UNPROCESSABLE, Refusal
from ..acts.rows import find_tournament
from ..models import Table, TablePlace
from ..models.hall import MOST_PLACES
from .layout import Place, Plan, completed, in_rows
from .reads import plan_of


def arrange(*, tournament_id: int, actor: Actor, at: datetime, places: Mapping[int, tuple[int, int]]) -> Plan:
    """Save where tables stand, row and column by number; tables that are not named stay.

    Refused, each with the field of the table: `bad_place`, `unknown_table`, `place_taken`.
    """
    for number, place in places.items():
        if not all(type(one) is int and 1 <= one <= MOST_PLACES for one in place):
            raise Refusal("bad_place", field=field_of(number), status=BAD_REQUEST)
    asked = {number: Place(*place) for number, place in places.items()}
    return _arranged(tournament_id, actor, at, lambda plan: dict(plan.places) | asked)


def arrange_in_rows(*, tournament_id: int, actor: Actor, at: datetime, width: int, snake: bool = False) -> Plan:
    """Save that all tables stand so many a row, by number; in a `snake` every other row counts from the right.

    Refused: `bad_width`, also where the rows would be too many.
    """
    if type(width) is not int or not 1 <= width <= MOST_PLACES:
        raise Refusal("bad_width", field="width", status=BAD_REQUEST)

    def placed(plan: Plan) -> Mapping[int, Place]:
        if len(plan.places) > width * MOST_PLACES:
            raise Refusal("bad_width", field="width", status=BAD_REQUEST)
        return in_rows(list(plan.places), width, snake=snake)

    return _arranged(tournament_id, actor, at, placed)


def field_of(number: int) -> str:
    """What a refusal calls the place of a table."""
    return f"tables[{number}]"


def _arranged(tournament_id: int, actor: Actor, at: datetime, placed: Callable[[Plan], Mapping[int, Place]]) -> Plan:
    def decide() -> Change[Plan]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.ARRANGE_HALL, tournament=event)
        before = plan_of(event)
        after = placed(before)
        _check(before, after)
        tables = Table.objects.filter(tournament=event).in_bulk(field_name="pk")
        rows = [
            TablePlace(tournament=event, table=table, row=after[table.number].row, column=after[table.number].column)
            for table in tables.values()
        ]
        moved = {n: place for n, place in after.items() if not before.saved or before.places[n] != place}
        old = {str(n): list(before.places[n]) for n in moved}
        new = {str(n): list(place) for n, place in moved.items()}
        line = Line(Act.ARRANGE_HALL, old={"moved": old}, new={"moved": new})
        if not moved:
            return Change(admitted, before)
        writes = (RemoveAll(TablePlace, {"tournament": event}), AddAll(rows))
        return Change(admitted, completed(after, after), writes, (line,), (Told("board", public=True),))

    return carry_out(decide, actor, at)


def _check(before: Plan, after: Mapping[int, Place]) -> None:
    """Every table is of this event, and none stands where another does."""
    taken: dict[Place, int] = {}
    for number in sorted(after):
        if number not in before.places:
            raise Refusal("unknown_table", field=field_of(number), status=UNPROCESSABLE)
        if after[number].row > MOST_PLACES:
            raise Refusal("bad_place", field=field_of(number), status=UNPROCESSABLE)
        if after[number] in taken:
            message = _both(taken[after[number]], number)
            raise Refusal("place_taken", field=field_of(number), message=message, status=UNPROCESSABLE)
        taken[after[number]] = number


def _both(one: int, other: int) -> dict[str, str]:
    return {
        "en": f"Tables {one} and {other} would stand at one place.",
        "zh": f"{one} 桌和 {other} 桌摆在了同一个位置。",
    }
