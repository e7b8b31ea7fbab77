"""Rounds: pair, look at what the pairing costs, publish it, start the clock, close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.downloads import download
from referee.desk.giving_back import give_back
from referee.desk.guard import SeeOther, official, one_act
from referee.desk.presenters import drawing, pairing
from referee.parts.numbers import whole_number as whole
from referee.parts.printed import public_address
from tournaments.acts import jobs
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.ledger import devices
from tournaments.models import RoundStatus
from tournaments.rounds import closing, reseating, seating
from tournaments.rounds.acts import create_round, extend_round, go_on, start_round, stop_clock, swap_tables
from tournaments.rounds.drawing import pair_by_hand
from tournaments.rounds.pairing import check_pairing, publish_pairing, supersede_pairing
from tournaments.sittings.second_official import has_second_official
from tournaments.transfer.job_kinds import SCORE_SHEETS
from tournaments.transfer.paper.cards import table_cards_pdf
from tournaments.transfer.paper.lists import pairing_pdf
from tournaments.transfer.paper.sheets import score_sheets_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from referee.desk.guard import Desk
    from tournaments.models import Round


#: A pairing of more entrants is not typed row by row: the form would hold a million choices.
MOST_TYPED: Final = 200
#: More score sheets than this are work for a worker: a browser would wait for seconds.
MANY_SHEETS: Final = 100


@official(Act.SEE_DESK)
def rounds(request: HttpRequest, desk: Desk) -> HttpResponse:
    return render(request, "desk/rounds.html", page(desk) | pairing.listed(desk))


@official(Act.CREATE_ROUND, "POST")
def create(request: HttpRequest, desk: Desk) -> HttpResponse:
    try:
        extra = "extra" in request.POST
        made = create_round(tournament_id=desk.tournament.pk, actor=desk.actor, at=desk.now, extra=extra)
    except Refusal as refusal:
        return give_back(request, refusal, reverse("desk:pairing", kwargs={"event": desk.tournament.slug}))
    return SeeOther(_here("desk:pair", desk, made))


@official(Act.PAIR, "GET", "POST")
def pair(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The pairing of a round by hand: who sits where. What it costs is listed before it is published."""
    the_round = find.round_numbered(desk.tournament, number)
    if request.method == "POST":
        try:
            _keep(request, desk, the_round)
        except Refusal as refusal:
            if refusal.status in (403, 404):
                raise
            form, reason = _form(the_round, request.POST), request.POST.get("reason", "")
            shown = {"form": form, "refusal": refusal, "reason": reason}
            return _pair_page(request, desk, the_round, status=refusal.status, **shown)
        return SeeOther(_here("desk:pair", desk, the_round))
    return _pair_page(request, desk, the_round)


def _keep(request: HttpRequest, desk: Desk, the_round: Round) -> None:
    """Keep the pairing as typed: of two sides, or of single players at tables."""
    of: dict[str, Any] = {"round_id": the_round.pk, "actor": desk.actor, "at": desk.now}
    of["scored_by"] = request.POST.get("scored_by", "sides")
    if desk.tournament.individual:
        seating.seat_by_hand(**of, tables=pairing.posted_seats(the_round, request.POST))
    else:
        first_dealer = request.POST.get("first_dealer") or None
        reason = request.POST.get("reason", "")
        pair_by_hand(**of, pairs=pairing.posted(request.POST), first_dealer=first_dealer, reason=reason)


def _form(the_round: Round, data: QueryDict | None = None) -> pairing.Form | pairing.SeatForm:
    individual = the_round.tournament.individual
    return pairing.seat_form(the_round, data) if individual else pairing.form(the_round, data)


def _pair_page(request: HttpRequest, desk: Desk, the_round: Round, *, status: int = 200, **shown: Any) -> HttpResponse:
    paired = the_round.matches.filter(superseded_in=None).exists()
    context = page(desk) | {
        "round": the_round,
        "form": _form(the_round),
        "differences": [] if "form" in shown else check_pairing(the_round),
        "is_draft": the_round.status == RoundStatus.DRAFT,
        "paired": paired,
        "swappable": paired and the_round.status in (RoundStatus.DRAFT, RoundStatus.PUBLISHED, RoundStatus.RUNNING),
        # a board says who deals it
        "deals_chosen": the_round.stage.directing.boards is None,
        "seats": ("N", "W", "S", "E"),
    }
    context |= drawing.shown(desk, the_round, request.GET)
    context["by_hand_possible"] = len(context["form"].entrants) <= MOST_TYPED
    return render(request, _template(desk), context | shown, status=status)


def _template(desk: Desk) -> str:
    return "desk/seats.html" if desk.tournament.individual else "desk/pair.html"


@official(Act.PUBLISH_PAIRING, "POST")
def publish(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    the_round = find.round_numbered(desk.tournament, number)
    return one_act(
        request,
        lambda: publish_pairing(round_id=the_round.pk, actor=desk.actor, at=desk.now, accept="accept" in request.POST),
        done=_("The pairing is published."),
        back=reverse("desk:board", kwargs={"event": desk.tournament.slug}),
    )


@official(Act.SUPERSEDE_PAIRING, "GET", "POST")
def supersede(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """A published pairing is never edited: a new numbered one, with a reason, replaces tables without entries."""
    the_round = find.round_numbered(desk.tournament, number)
    if request.method == "POST":
        try:
            _replace(request, desk, the_round)
        except Refusal as refusal:
            if refusal.status in (403, 404):
                raise
            form = _form(the_round, request.POST)
            shown = {"form": form, "refusal": refusal, "reason": request.POST.get("reason", "")}
            return _supersede_page(request, desk, the_round, status=refusal.status, **shown)
        messages.success(request, _("The new pairing is published."))
        return SeeOther(reverse("desk:board", kwargs={"event": desk.tournament.slug}))
    return _supersede_page(request, desk, the_round)


def _replace(request: HttpRequest, desk: Desk, the_round: Round) -> None:
    of: dict[str, Any] = {"round_id": the_round.pk, "actor": desk.actor, "at": desk.now}
    of["reason"] = request.POST.get("reason", "")
    if desk.tournament.individual:
        seating.reseat(**of, tables=pairing.changed_seats(the_round, pairing.posted_seats(the_round, request.POST)))
    else:
        pairs = pairing.changed(the_round, pairing.posted(request.POST))
        supersede_pairing(**of, pairs=pairs, accept="accept" in request.POST)


def _supersede_page(
    request: HttpRequest, desk: Desk, the_round: Round, *, status: int = 200, **shown: Any
) -> HttpResponse:
    context = page(desk) | {"round": the_round, "form": _form(the_round), "superseding": True, "by_hand_possible": True}
    return render(request, _template(desk), context | shown, status=status)


@official(Act.START_ROUND, "POST")
def start(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    the_round = find.round_numbered(desk.tournament, number)
    return one_act(
        request,
        lambda: start_round(round_id=the_round.pk, actor=desk.actor, at=desk.now),
        done=_("The round is running."),
        back=reverse("desk:board", kwargs={"event": desk.tournament.slug}),
    )


@official(Act.SET_CLOCK, "POST")
def extend(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Extra time (延时): the end of the round moves."""
    the_round = find.round_numbered(desk.tournament, number)
    minutes = whole(request.POST.get("minutes", ""))
    return one_act(
        request,
        lambda: extend_round(
            round_id=the_round.pk, actor=desk.actor, at=desk.now, minutes=minutes, reason=request.POST.get("reason", "")
        ),
        done=_("The end of the round is moved."),
        back=reverse("desk:board", kwargs={"event": desk.tournament.slug}),
    )


@official(Act.SET_CLOCK, "POST")
def clock(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Stop the clock of the hall, with a reason, or let it go on."""
    the_round = find.round_numbered(desk.tournament, number)
    of: dict[str, Any] = {"round_id": the_round.pk, "actor": desk.actor, "at": desk.now}
    back = reverse("desk:board", kwargs={"event": desk.tournament.slug})
    if request.POST.get("do") == "go":
        return one_act(request, lambda: go_on(**of), done=_("The clock goes on."), back=back)
    reason = request.POST.get("reason", "")
    return one_act(request, lambda: stop_clock(**of, reason=reason), done=_("The clock is stopped."), back=back)


@official(Act.RESEAT, "POST")
def reseat(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Two entrants sat at each other's places: say so, with a reason. The form stands at one of their tables."""
    the_round = find.round_numbered(desk.tournament, number)
    table = whole(request.POST.get("table", ""))
    at = find.sitting_or_none(desk.tournament, number, table if isinstance(table, int) else 0)
    known = {"event": desk.tournament.slug, "number": number}
    chosen = find.entrants_written(desk.tournament, request.POST.getlist("entrant"))
    return one_act(
        request,
        lambda: reseating.reseat_match(
            round_id=the_round.pk,
            actor=desk.actor,
            at=desk.now,
            entrants=chosen,
            reason=request.POST.get("reason", ""),
        ),
        done=_("It is noted who sat where. What was played stands for them."),
        back=reverse("desk:round_board", kwargs=known),
        page=None if at is None else reverse("desk:table", kwargs=known | {"table": at.table.number}),
        fields={"entrants": "entrant"},
    )


@official(Act.CLOSE_ROUND, "POST")
def close(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    the_round = find.round_numbered(desk.tournament, number)
    return one_act(
        request,
        lambda: closing.close_round(round_id=the_round.pk, actor=desk.actor, at=desk.now),
        done=_("The round is closed. From now on a correction needs a second official.")
        if has_second_official(desk.tournament)
        else _("The round is closed."),
        back=reverse("desk:board", kwargs={"event": desk.tournament.slug}),
    )


@official(Act.REOPEN_ROUND, "POST")
def reopen(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Take the closing of a round back, within a minute and while nothing was built on it."""
    the_round = find.round_numbered(desk.tournament, number)
    return one_act(
        request,
        lambda: closing.reopen_round(round_id=the_round.pk, actor=desk.actor, at=desk.now),
        done=_("The closing is taken back: the round runs on."),
        back=reverse("desk:board", kwargs={"event": desk.tournament.slug}),
    )


@official(Act.SWAP_TABLES, "POST", page="desk:pair")
def swap(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Two sittings of the round change their tables, with their entries."""
    the_round = find.round_numbered(desk.tournament, number)
    chosen = find.sittings_written(the_round, request.POST.getlist("table"))
    return one_act(
        request,
        lambda: swap_tables(round_id=the_round.pk, actor=desk.actor, at=desk.now, sitting_ids=chosen),
        done=_("The tables are swapped. Both sides keep their codes of the table they now sit at."),
        back=_here("desk:pair", desk, the_round),
        fields={"sitting_ids": "table"},
    )


@official(Act.ISSUE_CODES, "POST")
def cards(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Table cards with both codes, two to a sheet. Making them issues the codes that do not exist yet."""
    the_round = find.round_numbered(desk.tournament, number)
    devices.issue_codes(tournament_id=desk.tournament.pk, actor=desk.actor, at=desk.now)
    data = table_cards_pdf(the_round, address=public_address(request, "/t/"), printed_at=desk.now)
    return download(data, f"{desk.tournament.slug}-cards.pdf", "application/pdf")


@official(Act.SEE_DESK)
def pairing_paper(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The pairing on paper: tables in order, for the wall."""
    data = pairing_pdf(find.round_numbered(desk.tournament, number))
    return download(data, f"{desk.tournament.slug}-round-{number}-pairing.pdf", "application/pdf")


@official(Act.SEE_DESK)
def score_sheets(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """A sheet for each table to write its hands down on; those of many tables are set by a worker."""
    the_round = find.round_numbered(desk.tournament, number)
    if the_round.sittings.filter(active=True).count() > MANY_SHEETS:
        asked = jobs.ask(
            tournament_id=desk.tournament.pk,
            kind=SCORE_SHEETS,
            subject=the_round.pk,
            act=Act.SEE_DESK,
            actor=desk.actor,
            at=desk.now,
        )
        return SeeOther(reverse("desk:job", kwargs={"event": desk.tournament.slug, "job": asked.pk}))
    data = score_sheets_pdf(the_round)
    return download(data, f"{desk.tournament.slug}-round-{number}-sheets.pdf", "application/pdf")


def _here(name: str, desk: Desk, the_round: Round) -> str:
    return reverse(name, kwargs={"event": desk.tournament.slug, "number": the_round.number})


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "pairing"}
