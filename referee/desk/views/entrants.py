"""Entrants: the list, one at a time, from a file with a dry run first, and out again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core import signing
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.downloads import download
from referee.desk.forms import EntrantForm, ImportForm, PlayersForm
from referee.desk.guard import SeeOther, official, one_act
from referee.parts.words import in_language
from tournaments import queries
from tournaments.access import Act
from tournaments.exchange.entrants import EntrantRow, PlayerRow, dry_run, entrants_csv, read_table
from tournaments.services import entrants as entering
from tournaments.services.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Entrant

SALT = "referee.desk.import"
LARGEST_FILE = 2_000_000


@official(Act.SEE_DESK)
def entrants(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {
        "entrants": queries.entrants_of(desk.tournament),
        "may_edit": desk.may(Act.EDIT_ENTRANTS),
        "may_import": desk.may(Act.IMPORT_ENTRANTS),
        "may_export": desk.may(Act.EXPORT_NAMES),
        "may_substitute": desk.may(Act.SUBSTITUTE),
    }
    return render(request, "desk/entrants.html", page(desk) | shown)


@official(Act.EDIT_ENTRANTS, "GET", "POST")
def add(request: HttpRequest, desk: Desk) -> HttpResponse:
    form = EntrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = entering.add_entrant(
                tournament_id=desk.tournament.pk,
                actor=desk.actor,
                at=desk.now,
                players=form.people(),
                namesakes=form.cleaned_data["namesakes"],
                **form.facts(),
            )
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("%(n)s %(name)s is entered.") % {"n": made.number, "name": made.name})
            again = "desk:entrant_add" if "again" in request.POST else "desk:entrants"
            return SeeOther(reverse(again, kwargs={"event": desk.tournament.slug}))
    return render(request, "desk/entrant.html", page(desk) | {"form": form}, status=422 if form.errors else 200)


@official(Act.EDIT_ENTRANTS, "GET", "POST")
def change(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    entrant = find.entrant(desk.tournament, number)
    form = EntrantForm(request.POST or None, initial=EntrantForm.initial_of(entrant))
    shown = {"form": form, "may_issue": desk.may(Act.ISSUE_CODES)}
    return _changed(request, desk, entrant, form) or _one(request, desk, entrant, shown)


@official(Act.SUBSTITUTE, "GET", "POST")
def substitute(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Other people play for an entrant: the chief referee allows it, with a reason."""
    entrant = find.entrant(desk.tournament, number)
    form = PlayersForm(request.POST or None, initial=PlayersForm.players_of(entrant))
    shown = {"form": form, "substituting": True}
    return _changed(request, desk, entrant, form) or _one(request, desk, entrant, shown)


def _changed(request: HttpRequest, desk: Desk, entrant: Entrant, form: PlayersForm) -> HttpResponse | None:
    """Change an entrant as the form says, and on to the list; None where nothing was sent or it was refused."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        entering.change_entrant(
            entrant_id=entrant.pk, actor=desk.actor, at=desk.now, changes=form.changes(), **form.how()
        )
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None
    return SeeOther(reverse("desk:entrants", kwargs={"event": desk.tournament.slug}))


def _one(request: HttpRequest, desk: Desk, entrant: Entrant, shown: dict[str, Any]) -> HttpResponse:
    """The page of one entrant: a form, and the withdrawal for those who may."""
    shown |= page(desk) | {"entrant": entrant, "may_withdraw": desk.may(Act.WITHDRAW)}
    return render(request, "desk/entrant.html", shown, status=422 if shown["form"].errors else 200)


@official(Act.WITHDRAW, "POST")
def withdraw(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Withdraw an entrant; the form stands on the page of whatever else one may do with it."""
    entrant = find.entrant(desk.tournament, number)
    page = "desk:entrant" if desk.may(Act.EDIT_ENTRANTS) else "desk:substitute"
    return one_act(
        request,
        lambda: entering.withdraw_entrant(
            entrant_id=entrant.pk, actor=desk.actor, at=desk.now, reason=request.POST.get("reason", "")
        ),
        done=_("Withdrawn. Matches already paired stay, as forfeits."),
        back=reverse("desk:entrants", kwargs={"event": desk.tournament.slug}),
        page=reverse(page, kwargs={"event": desk.tournament.slug, "number": number}),
    )


@official(Act.IMPORT_ENTRANTS, "GET", "POST")
def import_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Upload, look at what it would do, apply. The rows travel signed in the page, so nothing waits on the server."""
    if "rows" in request.POST:
        return _apply(request, desk)
    form = ImportForm(request.POST or None, request.FILES or None)
    shown: dict[str, Any] = {"form": form}
    status = 200
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            form.add_error("file", _("The file is larger than 2 MB."))
        else:
            rows, problems = read_table(file.read(), file.name, encoding=form.cleaned_data["encoding"] or "utf-8")
            plan = dry_run(desk.tournament, rows, problems)
            shown |= {"plan": plan, "file_name": file.name}
            if not plan.problems:
                shown["rows"] = _packed(desk, rows)
            status = 422 if plan.problems else 200
    if form.errors:
        status = 422
    return render(request, "desk/import.html", page(desk) | shown, status=status)


def _apply(request: HttpRequest, desk: Desk) -> HttpResponse:
    here = reverse("desk:import", kwargs={"event": desk.tournament.slug})
    try:
        rows = _unpacked(desk, request.POST["rows"])
    except signing.BadSignature:
        return SeeOther(here)
    plan_digest = request.POST.get("plan", "")
    try:
        entering.import_entrants(
            tournament_id=desk.tournament.pk, actor=desk.actor, at=desk.now, rows=rows, plan_digest=plan_digest
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        # what the file would do now, so that it need not be chosen again
        messages.error(request, in_language(refusal.message))
        plan = dry_run(desk.tournament, rows)
        shown = page(desk) | {"form": ImportForm(), "plan": plan, "rows": request.POST["rows"]}
        shown["file_name"] = request.POST.get("file_name", "")
        return render(request, "desk/import.html", shown, status=refusal.status)
    messages.success(request, _("Imported."))
    return SeeOther(reverse("desk:entrants", kwargs={"event": desk.tournament.slug}))


def _packed(desk: Desk, rows: Sequence[EntrantRow]) -> str:
    return signing.dumps([asdict(row) for row in rows], salt=f"{SALT}:{desk.tournament.pk}", compress=True)


def _unpacked(desk: Desk, text: str) -> list[EntrantRow]:
    rows = signing.loads(text, salt=f"{SALT}:{desk.tournament.pk}", max_age=3600)
    return [EntrantRow(**row | {"players": tuple(PlayerRow(**player) for player in row["players"])}) for row in rows]


@official(Act.EXPORT_NAMES)
def export(request: HttpRequest, desk: Desk) -> HttpResponse:
    return download(entrants_csv(desk.tournament), f"{desk.tournament.slug}-entrants.csv", "text/csv; charset=utf-8")


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "entrants"}
