"""The hall: the organiser arranges the tables, so many a row or one by one; the plan on paper."""

from __future__ import annotations

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
from referee.pictures.hall import drawn
from tournaments.acts.access import Act
from tournaments.hall.acts import arrange, arrange_in_rows, field_of
from tournaments.hall.reads import plan_of
from tournaments.models.hall import MOST_PLACES
from tournaments.transfer.paper.hall import hall_pdf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.acts.errors import Refusal
    from tournaments.hall.layout import Place

#: Free rows and columns on the map behind the last ones, to put a table there.
SPARE: Final = 1
#: What the fields of a table are called, before its number.
PARTS: Final = ("row", "column")


@dataclass(frozen=True, slots=True)
class Line:
    """The fields of a table, as typed where something was refused; `wrong` says what."""

    number: int
    row: str
    column: str
    wrong: str

    @property
    def row_name(self) -> str:
        return f"{PARTS[0]}-{self.number}"

    @property
    def column_name(self) -> str:
        return f"{PARTS[1]}-{self.number}"

    @property
    def wrong_id(self) -> str:
        """Of what is said against the place; empty where nothing is."""
        return f"wrong-{self.number}" if self.wrong else ""


class Hall(OwnPage):
    """The map of the hall, and a row and a place for every table."""

    right, done = Act.SEE_DESK, gettext_lazy("The plan of the hall is saved.")
    template, current = "desk/hall.html", "setup"

    def act(self) -> object:
        numbers = [number for name in self.request.POST if (number := _number_in(name)) is not None]
        places = {number: (self.number(f"row-{number}"), self.number(f"column-{number}")) for number in numbers}
        return arrange(**self.by, tournament_id=self.desk.tournament.pk, places=places)

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
    return {
        "hall": drawn(plan, {}, spare=SPARE),
        "lines": [_line(number, plan.places[number], typed or {}, refusal) for number in sorted(plan.places)],
        "most": MOST_PLACES,
        "width": plan.columns,
        "may_arrange": desk.may(Act.ARRANGE_HALL),
    }


def _line(number: int, place: Place, typed: Mapping[str, str], refusal: Refusal | None) -> Line:
    wrong = in_language(refusal.message) if refusal is not None and refusal.field == field_of(number) else ""
    row, column = (typed.get(f"{what}-{number}", str(there)) for what, there in zip(PARTS, place, strict=True))
    return Line(number, row, column, wrong)


def hall_address(slug: str) -> str:
    return reverse("desk:hall", kwargs={"event": slug})


def _number_in(name: str) -> int | None:
    """The number of the table whose row a field holds."""
    what, _dash, number = name.partition("-")
    return number_or_none(number) if what == "row" else None
