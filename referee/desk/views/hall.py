"""The hall: the organiser arranges the tables, so many a row or one by one; the plan on paper."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from referee.desk.act_views import ActView, OwnPage, number_or_none
from referee.desk.guard import official
from referee.parts.downloads import download
from referee.parts.words import in_language
from referee.pictures.hall import drawn, thing
from tournaments.acts.access import Act
from tournaments.hall.acts import arrange, arrange_in_rows, field_of, fixture_field
from tournaments.hall.layout import Place
from tournaments.hall.reads import plan_of
from tournaments.models import FixtureKind
from tournaments.models.hall import MOST_PLACES
from tournaments.transfer.paper.hall import hall_pdf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.acts.errors import Refusal
    from tournaments.hall.layout import Plan

#: Free rows and columns on the map behind the last ones, to put a table there.
SPARE: Final = 1
#: What the fields of a table are called, before its number.
PARTS: Final = ("row", "column")
#: Lines for what else may be in the hall, at least; of doors and pillars there is always one more than there are.
LEAST_LINES: Final[Mapping[str, int]] = {FixtureKind.DOOR: 1, FixtureKind.DESK: 1, FixtureKind.PILLAR: 3}
_THING: Final = re.compile(r"row-((door|desk|pillar)-[0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Line:
    """The fields of a table or of what else is in the hall, as typed where something was refused; `wrong` says what.
    `key` names them: the number of a table, the kind of the other with a number; `kind` and `word` are of the other."""

    key: str
    row: str
    column: str
    wrong: str
    kind: str = ""
    word: str = ""

    @property
    def row_name(self) -> str:
        return f"{PARTS[0]}-{self.key}"

    @property
    def column_name(self) -> str:
        return f"{PARTS[1]}-{self.key}"

    @property
    def wrong_id(self) -> str:
        """Of what is said against the place; empty where nothing is."""
        return f"wrong-{self.key}" if self.wrong else ""


class Hall(OwnPage):
    """The map of the hall, and a row and a place for every table and for what else there is."""

    right, done = Act.SEE_DESK, gettext_lazy("The plan of the hall is saved.")
    template, current = "desk/hall.html", "setup"

    def act(self) -> object:
        numbers = [number for name in self.request.POST if (number := _number_in(name)) is not None]
        places = {number: (self.number(f"row-{number}"), self.number(f"column-{number}")) for number in numbers}
        others = [
            (kind, self.number(f"row-{key}"), self.number(f"column-{key}")) for key, kind in _sent(self.request.POST)
        ]
        # a form without their fields says nothing of them
        fixtures = others if any(map(_THING.fullmatch, self.request.POST)) else None
        return arrange(**self.by, tournament_id=self.desk.tournament.pk, places=places, fixtures=fixtures)

    def number(self, name: str) -> int:
        """What was typed as a number; 0, which is none of them, where it is none."""
        return number_or_none(self.typed(name)) or 0

    def back(self) -> str:
        return hall_address(self.desk.tournament.slug)

    def shown(self) -> dict[str, Any]:
        return shown(self.desk, self.request.POST, self.refusal)


@official(Act.SEE_DESK)
@require_safe
def paper(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The plan for the door, as PDF."""
    return download(hall_pdf(desk.tournament), f"{desk.tournament.slug}-hall.pdf", "application/pdf")


class Rows(ActView):
    """All tables so many a row."""

    right, done, looked_at = Act.ARRANGE_HALL, Hall.done, "desk:hall"

    def act(self) -> object:
        width = number_or_none(self.typed("width")) or 0
        snake = self.typed("snake") == "1"
        return arrange_in_rows(**self.by, tournament_id=self.desk.tournament.pk, width=width, snake=snake)

    def back(self) -> str:
        return hall_address(self.desk.tournament.slug)

    def page(self) -> HttpResponse:
        known = {"desk": self.desk, "tournament": self.desk.tournament, "current": Hall.current}
        return render(self.request, Hall.template, known | shown(self.desk))


def shown(desk: Desk, typed: Mapping[str, str] | None = None, refusal: Refusal | None = None) -> dict[str, Any]:
    """The map, with a line of fields for every table: as `typed`, else as it stands."""
    plan = plan_of(desk.tournament)
    others = _things(plan, typed or {}, refusal)
    return {
        "hall": drawn(plan, {}, spare=SPARE),
        "others": others,
        "things": [thing(one.kind, _place(one), key=one.key) for one in others],
        "kinds": [(kind.value, kind.label) for kind in FixtureKind],
        "lines": [_line(number, plan.places[number], typed or {}, refusal) for number in sorted(plan.places)],
        "most": MOST_PLACES,
        "width": max((place.column for place in plan.places.values()), default=1),
        "may_arrange": desk.may(Act.ARRANGE_HALL),
    }


def _line(number: int, place: Place, typed: Mapping[str, str], refusal: Refusal | None) -> Line:
    return Line(str(number), *_filled(str(number), place, typed), _said(refusal, field_of(number)))


def _things(plan: Plan, typed: Mapping[str, str], refusal: Refusal | None) -> list[Line]:
    """A line for everything else in the hall, and some for what may come, as `typed` or as it stands."""
    fields = {key: fixture_field(nth) for nth, (key, _kind) in enumerate(_sent(typed))}
    lines = []
    for kind in FixtureKind:
        there = [place for one, place in plan.fixtures if one == kind]
        for nth in range(max(len(there) + (kind != FixtureKind.DESK), LEAST_LINES[kind], _lines_of(kind, typed))):
            key, place = f"{kind}-{nth + 1}", there[nth] if nth < len(there) else ("", "")
            said = _said(refusal, fields.get(key))
            lines.append(Line(key, *_filled(key, place, typed), said, kind, str(kind.label)))
    return lines


def _filled(key: str, place: Place | tuple[str, str], typed: Mapping[str, str]) -> tuple[str, str]:
    """Row and place as typed, else as they stand."""
    row, column = (typed.get(f"{what}-{key}", str(there)) for what, there in zip(PARTS, place, strict=True))
    return row, column


def _said(refusal: Refusal | None, field: str | None) -> str:
    """What a refusal says against this field."""
    return in_language(refusal.message) if refusal is not None and field and refusal.field == field else ""


def _lines_of(kind: str, typed: Mapping[str, str]) -> int:
    """How many lines of a kind were sent."""
    return sum(found[2] == kind for found in map(_THING.fullmatch, typed) if found)


def _sent(typed: Mapping[str, str]) -> list[tuple[str, str]]:
    """Keys and kinds of what is to be there: where a row or a place was typed."""
    found = (one for one in map(_THING.fullmatch, typed) if one)
    return [(one[1], one[2]) for one in found if any(typed.get(f"{what}-{one[1]}", "").strip() for what in PARTS)]


def _place(line: Line) -> Place | None:
    """Where it stands on the map; None off it, as while what was typed is no place."""
    at = number_or_none(line.row), number_or_none(line.column)
    return None if not all(at) else Place(*(min(max(one or 1, 1), MOST_PLACES) for one in at))


def hall_address(slug: str) -> str:
    return reverse("desk:hall", kwargs={"event": slug})


def _number_in(name: str) -> int | None:
    """The number of the table whose row a field holds."""
    what, _dash, number = name.partition("-")
    return number_or_none(number) if what == "row" else None
