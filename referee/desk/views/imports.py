"""A list of entrants from a file or out of a spreadsheet: read at once, looked at, put right on the page, imported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core import signing
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk.forms.entrants import ImportForm
from referee.desk.guard import SeeOther, official
from referee.desk.presenters import importing
from referee.parts.downloads import download
from referee.parts.words import in_language
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.acts.text import plain_number
from tournaments.people import entrants
from tournaments.people.heads import Layout, guess
from tournaments.people.imports import dry_run
from tournaments.people.lists import read_list
from tournaments.people.spreadsheets import MAX_BYTES, MAX_CELL, TableProblem, read_cells, write_xlsx

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.http import HttpRequest, HttpResponse, QueryDict

    from referee.desk.guard import Desk
    from tournaments.people.lists import Reading

SALT = "referee.desk.import"
#: How long a page with a list on it may lie open, in seconds.
WAITS = 12 * 3600
#: Characters that a list may have on its page; a form takes no more than some two million.
LARGEST_PAGE = 2_000_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CELL = re.compile(r"cell-([1-9][0-9]{0,3})-([0-9]{1,2})")


@official(Act.IMPORT_ENTRANTS, "GET", "POST")
def import_list(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The cells travel signed in the page, so nothing waits on the server; what is done about them is plain fields."""
    if "cells" in request.POST:
        return _looked_at(request, desk)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, desk, {"form": form}, status=422 if form.errors else 200)
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    name = file.name if file else ""
    try:
        # no more is taken into memory than may be read
        data = file.read(MAX_BYTES + 1) if file else text.encode("utf-8", "replace")
        cells = read_cells(data, name, encoding=form.cleaned_data["encoding"] or None)
    except TableProblem as problem:
        form.add_error("file" if file else "text", in_language(problem.message))
        return _page(request, desk, {"form": form}, status=422)
    return _shown(request, desk, name, cells, guess(cells, _numbers(desk)))


def _looked_at(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What was on the page comes back: read again as it says, or imported when it is what was shown."""
    try:
        name, cells = signing.loads(request.POST["cells"], salt=f"{SALT}:{desk.tournament.pk}", max_age=WAITS)
    except signing.BadSignature:
        return SeeOther(reverse("desk:import", kwargs={"event": desk.tournament.slug}))
    for field in request.POST:
        if place := _CELL.fullmatch(field):
            _put(cells, int(place[1]), int(place[2]), request.POST.get(field, "").strip()[:MAX_CELL])
    left_out = {line for line in map(plain_number, request.POST.getlist("leave")) if line}
    layout = _layout(request.POST, cells, _numbers(desk))
    found = read_list(cells, layout, left_out)
    namesakes = _namesakes(request.POST, found)
    if "look" in request.POST:
        return _shown(request, desk, name, cells, layout, left_out, namesakes)
    try:
        entrants.import_entrants(
            tournament_id=desk.tournament.pk,
            actor=desk.actor,
            at=desk.now,
            rows=found.rows,
            problems=found.problems,
            plan_digest=request.POST.get("plan", ""),
            namesakes=namesakes,
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        if not isinstance(refusal, entrants.ImportRefused):
            messages.error(request, in_language(refusal.message))
        # what the list would do now, so that it need not be chosen again
        return _shown(request, desk, name, cells, layout, left_out, namesakes, status=refusal.status)
    messages.success(request, _("Imported."))
    return SeeOther(reverse("desk:entrants", kwargs={"event": desk.tournament.slug}))


def _namesakes(posted: QueryDict, found: Reading) -> set[int]:
    """The lines that bring somebody else of the same name: those chosen, or all of them with one button."""
    if posted.get("look") == "namesakes":
        return {row.row for row in found.rows}
    return {line for line in map(plain_number, posted.getlist("two")) if line}


def _put(cells: list[list[str]], line: int, column: int, value: str) -> None:
    if line <= len(cells):
        row = cells[line - 1]
        row.extend([""] * (column + 1 - len(row)))
        row[column] = value


def _layout(posted: QueryDict, cells: list[list[str]], taken: set[int]) -> Layout:
    """The layout as the page states it; guessed anew where another line of heads was chosen, or nothing is stated."""
    if "head" not in posted:
        return guess(cells, taken)
    head = plain_number(posted.get("head", "")) or 0
    head = min(head, len(cells))
    if str(head) != posted.get("head_was", ""):
        return guess(cells, taken, head)
    width = max(map(len, cells), default=0)
    return Layout(head or None, tuple(posted.get(f"column-{at}", "")[:20] for at in range(width)))


def _numbers(desk: Desk) -> set[int]:
    return set(desk.tournament.entrants.values_list("number", flat=True))


def _shown(
    request: HttpRequest,
    desk: Desk,
    name: str,
    cells: list[list[str]],
    layout: Layout,
    left_out: Collection[int] = (),
    namesakes: Collection[int] = (),
    *,
    status: int = 200,
) -> HttpResponse:
    packed = signing.dumps([name, cells], salt=f"{SALT}:{desk.tournament.pk}", compress=True)
    form = ImportForm()
    if len(packed) > LARGEST_PAGE:
        form = ImportForm({})
        form.is_valid()
        form.errors.clear()
        form.add_error(
            "file", _("The list is too long for one page. Delete the columns that are not needed, or split it.")
        )
        return _page(request, desk, {"form": form}, status=422)
    found = read_list(cells, layout, left_out)
    plan = dry_run(desk.tournament, found.rows, found.problems, namesakes)
    shown = importing.page(cells, found, plan, left_out) | {"form": form, "packed": packed, "file_name": name}
    return _page(request, desk, shown, status=422 if plan.problems and status == 200 else status)


def _page(request: HttpRequest, desk: Desk, shown: dict[str, Any], *, status: int = 200) -> HttpResponse:
    known = {"desk": desk, "tournament": desk.tournament, "current": "entrants"}
    return render(request, "desk/import.html", known | shown, status=status)


@official(Act.IMPORT_ENTRANTS)
def sample(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A list to fill in, with heads that are understood."""
    rows = importing.sample_rows(1 if desk.tournament.profile.division != "sides" else 2)
    data = write_xlsx(rows, title=_("Entrants"))
    return download(data, f"{desk.tournament.slug}-entrants-sample.xlsx", XLSX)
