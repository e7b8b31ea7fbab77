"""The roll call: who is there for the event or a round, who is late, and the entrants' own codes on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView
from referee.desk.guard import official
from referee.desk.views.entrants import shown_page
from referee.parts.downloads import download
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
    return _roll_page(request, desk, _round(desk, request.GET.get("round", "")))


def _roll_page(request: HttpRequest, desk: Desk, round_: Round | None) -> HttpResponse:
    return render(request, "desk/attendance.html", _page(desk, round_) | _rows(desk, round_))


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of the roll call, fetched again whenever somebody comes."""
    round_ = _round(desk, request.GET.get("round", ""))
    return render(request, "desk/_attendance.html", _page(desk, round_) | _rows(desk, round_))


class OnRoll(ActView):
    """An act whose form stands on the roll call of the event, or of a round."""

    def look_up(self) -> None:
        self.round = _round(self.desk, self.typed("round"))

    def page(self) -> HttpResponse:
        return _roll_page(self.request, self.desk, self.round)

    def at(self) -> str:
        return _address(self.desk, self.round)


class CheckIn(OnRoll):
    """Check an entrant in with one tap, or undo it. The page's script asks for an empty answer."""

    right = Act.CHECK_IN

    def look_up(self) -> None:
        super().look_up()
        self.entrant = find.entrant(self.desk.tournament, _number(self.typed("entrant")))
        self.undo = self.typed("undo") == "1"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("X-Requested-With") != "fetch":
            return super().post(request, *args, **kwargs)
        self.act()
        return HttpResponse(status=204)

    def act(self) -> None:
        act = attendance.undo_check_in if self.undo else attendance.check_in
        act(**self.by, entrant_id=self.entrant.pk, round_id=self.round.pk if self.round else None)

    def tell(self, done: object) -> None:
        there, gone = _("%(n)s %(name)s is there."), _("%(n)s %(name)s is taken off the list again.")
        words = {"n": self.entrant.number, "name": self.entrant.name}
        messages.success(self.request, (gone if self.undo else there) % words)

    def back(self) -> str:
        return f"{self.at()}#e-{self.entrant.number}"


class Lateness(OnRoll):
    """Propose what the event's penalties say of a late side; the chief referee decides it in the log."""

    right = Act.PROPOSE_RULING
    done = gettext_lazy("Proposed: it waits in the log of rulings for the chief referee.")

    def act(self) -> object:
        if self.round is None:
            raise Http404
        sitting = find.sitting_at(self.desk.tournament, self.round.number, _number(self.typed("table")))
        return attendance.propose_lateness(**self.by, sitting_id=sitting.pk, side=self.typed("side"))

    def back(self) -> str:
        return f"{self.at()}#late"


@official(Act.ISSUE_CODES, "POST")
def codes(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The entrants' own codes on paper, by name, to cut and hand out. Making it issues those that do not exist yet."""
    attendance.issue_entrant_codes(tournament_id=desk.tournament.pk, actor=desk.actor, at=desk.now)
    data = entrant_codes_pdf(desk.tournament, address=public_address(request, "/me/"), printed_at=desk.now)
    return download(data, f"{desk.tournament.slug}-codes.pdf", "application/pdf")


class NewCode(ActView):
    """A new code for one entrant; the old one stops working."""

    right = Act.ISSUE_CODES
    done = gettext_lazy("A new code is made; print it again.")

    def look_up(self) -> None:
        self.entrant = find.entrant(self.desk.tournament, self.kwargs["number"])

    def act(self) -> object:
        return attendance.reissue_entrant_code(**self.by, entrant_id=self.entrant.pk)

    def back(self) -> str:
        return reverse("desk:entrant", kwargs={"event": self.desk.tournament.slug, "number": self.entrant.number})

    def page(self) -> HttpResponse:
        return shown_page(self.request, self.desk, self.entrant)


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
