"""The roll call: who is there for the event or a round, who is late, and the entrants' own codes on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.downloads import download
from referee.desk.guard import official, one_act
from referee.parts.numbers import whole_number as whole
from referee.parts.printed import public_address
from tournaments.acts.access import Act
from tournaments.models import RoundStatus
from tournaments.people import attendance, roll_call
from tournaments.transfer.paper.entrant_codes import entrant_codes_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.desk.guard import Desk
    from tournaments.models import Round


@official(Act.SEE_DESK)
def roll(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The roll call of the event, or with ``?round=`` of a round."""
    round_ = _round(desk, request.GET.get("round", ""))
    return render(request, "desk/attendance.html", _page(desk, round_) | _rows(desk, round_))


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of the roll call, fetched again whenever somebody comes."""
    round_ = _round(desk, request.GET.get("round", ""))
    return render(request, "desk/_attendance.html", _page(desk, round_) | _rows(desk, round_))


@official(Act.CHECK_IN, "POST")
def check(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Check an entrant in with one tap, or undo it. The page's script asks for an empty answer."""
    round_ = _round(desk, request.POST.get("round", ""))
    entrant = find.entrant(desk.tournament, _number(request.POST.get("entrant", "")))
    undo = request.POST.get("undo") == "1"
    act = attendance.undo_check_in if undo else attendance.check_in
    of: dict[str, Any] = {"entrant_id": entrant.pk, "round_id": round_.pk if round_ else None}
    words = {"n": entrant.number, "name": entrant.name}
    there, gone = _("%(n)s %(name)s is there."), _("%(n)s %(name)s is taken off the list again.")
    if request.headers.get("X-Requested-With") == "fetch":
        act(**of, actor=desk.actor, at=desk.now)
        return HttpResponse(status=204)
    return one_act(
        request,
        lambda: act(**of, actor=desk.actor, at=desk.now),
        done=(gone if undo else there) % words,
        back=f"{_address(desk, round_)}#e-{entrant.number}",
    )


@official(Act.PROPOSE_RULING, "POST")
def lateness(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Propose what the event's penalties say of a late side; the chief referee decides it in the log."""
    round_ = _round(desk, request.POST.get("round", ""))
    if round_ is None:
        raise Http404
    sitting = find.sitting_at(desk.tournament, round_.number, _number(request.POST.get("table", "")))
    return one_act(
        request,
        lambda: attendance.propose_lateness(
            sitting_id=sitting.pk,
            side=request.POST.get("side", ""),
            actor=desk.actor,
            at=desk.now,
        ),
        done=_("Proposed: it waits in the log of rulings for the chief referee."),
        back=f"{_address(desk, round_)}#late",
    )


@official(Act.ISSUE_CODES, "POST")
def codes(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The entrants' own codes on paper, by name, to cut and hand out. Making it issues those that do not exist yet."""
    attendance.issue_entrant_codes(tournament_id=desk.tournament.pk, actor=desk.actor, at=desk.now)
    data = entrant_codes_pdf(desk.tournament, address=public_address(request, "/me/"), printed_at=desk.now)
    return download(data, f"{desk.tournament.slug}-codes.pdf", "application/pdf")


@official(Act.ISSUE_CODES, "POST")
def new_code(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """A new code for one entrant; the old one stops working."""
    entrant = find.entrant(desk.tournament, number)
    return one_act(
        request,
        lambda: attendance.reissue_entrant_code(entrant_id=entrant.pk, actor=desk.actor, at=desk.now),
        done=_("A new code is made; print it again."),
        back=reverse("desk:entrant", kwargs={"event": desk.tournament.slug, "number": number}),
    )


def _round(desk: Desk, text: str) -> Round | None:
    return find.round_numbered(desk.tournament, _number(text)) if text else None


def _number(text: str) -> int:
    value = whole(text)
    if not isinstance(value, int) or not 0 < value < 10_000:
        raise Http404
    return value


def _address(desk: Desk, round_: Round | None) -> str:
    here = reverse("desk:attendance", kwargs={"event": desk.tournament.slug})
    return here if round_ is None else f"{here}?round={round_.number}"


def _rows(desk: Desk, round_: Round | None) -> dict[str, Any]:
    rows = roll_call.roll(desk.tournament, round_)
    return {
        "rows": rows,
        "there": sum(row.there for row in rows),
        "missing": roll_call.missing_by_table(rows),
        "late": [] if round_ is None else roll_call.late_tables(round_, desk.now),
    }


def _page(desk: Desk, round_: Round | None) -> dict[str, Any]:
    up = desk.tournament.rounds.filter(status__in=(RoundStatus.PUBLISHED, RoundStatus.RUNNING)).order_by("number")
    return {
        "desk": desk,
        "tournament": desk.tournament,
        "current": "entrants",
        "round": round_,
        "rounds_up": list(up),
        "takes": round_ is None or round_.status in (RoundStatus.PUBLISHED, RoundStatus.RUNNING),
        "now": desk.now,
        "may_check": desk.may(Act.CHECK_IN),
        "may_propose": desk.may(Act.PROPOSE_RULING),
        "may_forfeit": desk.may(Act.FORFEIT),
        "may_issue": desk.may(Act.ISSUE_CODES),
    }
