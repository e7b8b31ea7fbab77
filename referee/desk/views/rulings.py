"""Rulings at the desk: the log, a new one from facts, and one ruling through decision and appeal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.guard import SeeOther, official
from referee.desk.presenters.rulings import Typed, asked, case, deciding_clause, form, judged, log, one, penalty
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.models import MatchOutcome, RoundStatus
from tournaments.rulings import appeals
from tournaments.rulings.log import cancel as cancel_ruling
from tournaments.rulings.log import decide as decide_ruling
from tournaments.rulings.log import foresee, propose, propose_and_decide

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Ruling, Sitting
    from tournaments.rulings.cases import Judged


@official(Act.SEE_DESK)
def rulings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The log, open appeals first."""
    return render(request, "desk/rulings.html", _common(desk) | log(desk, request.GET))


@official(Act.PROPOSE_RULING, "GET", "POST")
def new(request: HttpRequest, desk: Desk) -> HttpResponse:
    """From an irregularity or a position of the adjudicator: first what it gives, then the log, nothing in between.

    Looking is a POST too: what was told names people, and never stands in an address.
    """
    query = request.POST if request.method == "POST" else request.GET
    typed = Typed.of(query, _sitting(desk, query), told=request.POST.get("told", ""))
    if request.method == "POST" and "look" not in request.POST:
        return _make(request, desk, typed)
    if typed.case and not typed.clause:
        typed = replace(typed, clause=deciding_clause(desk, typed))
    return _form(request, desk, typed)


def _form(request: HttpRequest, desk: Desk, typed: Typed, refusal: Refusal | None = None) -> HttpResponse:
    shown = _common(desk) | form(desk, typed) | case(desk, typed)
    asks = "look" in request.GET or "look" in request.POST
    looks = typed.sitting is not None and (typed.case or (typed.irregularity and asks) or refusal)
    if looks:
        # what could not be decided at once can still be put into the log
        try:
            shown |= judged(desk, _foresee(desk, typed, shown))
        except Refusal as found:
            refusal = refusal or found
    if refusal is not None:
        shown |= {"refusal": refusal, "findings": asked(refusal.findings)}
    # a question that lacks a fact is no failed act: the page asks for it
    status = refusal.status if refusal is not None and request.method == "POST" and not asks else 200
    return render(request, "desk/ruling_new.html", shown, status=status)


def _foresee(desk: Desk, typed: Typed, shown: dict[str, Any]) -> Judged:
    assert typed.sitting is not None
    return foresee(sitting_id=typed.sitting.pk, actor=desk.actor, **_stated(typed), **_of_case(typed, shown))


def _make(request: HttpRequest, desk: Desk, typed: Typed) -> HttpResponse:
    """Put it into the log; with the other button the chief referee decides it in the same breath: both or neither."""
    shown = case(desk, typed)
    if typed.sitting is None:
        return _form(request, desk, typed)
    at_once = "decide" in request.POST
    act = propose_and_decide if at_once else propose
    try:
        done = act(
            sitting_id=typed.sitting.pk,
            actor=desk.actor,
            at=desk.now,
            **_stated(typed),
            **_of_case(typed, shown),
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return _form(request, desk, typed, refusal)
    if at_once:
        return _done(request, desk, done.ruling, _("Decided."))
    messages.success(request, _("It is in the log. The chief referee decides."))
    return SeeOther(_address(desk, done.ruling))


def _stated(typed: Typed) -> dict[str, Any]:
    return {"facts": typed.facts(), "side": typed.side, "hand_no": typed.hand_no}


def _of_case(typed: Typed, shown: dict[str, Any]) -> dict[str, Any]:
    """The clause and the sentence of a position, which the adjudicator gives anew."""
    return {"clause": typed.clause, "verdict": shown.get("verdict_text")} if typed.case else {}


@official(Act.SEE_DESK)
def ruling(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    return _page(request, desk, find.ruling(desk.tournament, number))


@official(Act.DECIDE_RULING, "POST")
def decide(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    found = find.ruling(desk.tournament, number)
    return _act(
        request,
        desk,
        found,
        lambda: decide_ruling(
            ruling_id=found.pk,
            **_seen(request, desk),
            penalty=penalty(request.POST, found),
            treatment=request.POST.get("treatment", ""),
            reason=request.POST.get("reason", ""),
        ),
        _("Decided. The record of the table says so."),
    )


@official(Act.CANCEL_RULING, "POST")
def cancel(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    found = find.ruling(desk.tournament, number)
    return _act(
        request,
        desk,
        found,
        lambda: cancel_ruling(
            ruling_id=found.pk,
            **_seen(request, desk),
            treatment=request.POST.get("treatment", ""),
            reason=request.POST.get("reason", ""),
        ),
        _("Cancelled."),
    )


@official(Act.LODGE_APPEAL, "POST")
def lodge(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """An official takes the written appeal of a side."""
    found = find.ruling(desk.tournament, number)
    return _act(
        request,
        desk,
        found,
        lambda: appeals.lodge_appeal(
            ruling_id=found.pk,
            actor=desk.actor,
            at=desk.now,
            side=request.POST.get("side", ""),
            reason=request.POST.get("reason", ""),
        ),
        _("The appeal is lodged. Play goes on, the standings are provisional."),
    )


@official(Act.DECIDE_APPEAL, "POST")
def answer(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    found = find.ruling(desk.tournament, number)
    return _act(
        request,
        desk,
        found,
        lambda: appeals.decide_appeal(
            ruling_id=found.pk,
            **_seen(request, desk),
            upheld=request.POST.get("answer") == "uphold",
            committee=request.POST.getlist("committee"),
            treatment=request.POST.get("treatment", ""),
            reason=request.POST.get("reason", ""),
        ),
        _("The appeal is decided."),
    )


def _act(request: HttpRequest, desk: Desk, ruling: Ruling, act: Callable[[], object], done: str) -> HttpResponse:
    """Run one act; refused, the page comes back with the reason and everything as typed."""
    try:
        act()
    except Refusal as refusal:
        if refusal.status in (403, 404) and refusal.code != "second_official_same":
            raise
        return _page(request, desk, find.ruling(desk.tournament, ruling.number), refusal)
    return _done(request, desk, ruling, done)


def _done(request: HttpRequest, desk: Desk, ruling: Ruling, done: str) -> HttpResponse:
    messages.success(request, done)
    sitting = find.ruling(desk.tournament, ruling.number).sitting
    if sitting.round.status == RoundStatus.CLOSED and sitting.match.outcome == MatchOutcome.PENDING:
        messages.warning(request, _("The round is closed: end the match with what was played, or rule on it."))
    return SeeOther(_address(desk, ruling))


def _page(request: HttpRequest, desk: Desk, ruling: Ruling, refusal: Refusal | None = None) -> HttpResponse:
    shown = _common(desk) | one(desk, ruling)
    typed = request.POST if refusal is not None else QueryDict()
    shown["typed_committee"] = typed.getlist("committee")
    shown |= {"typed": typed, "refusal": refusal}
    if refusal is not None:
        shown["findings"] = refusal.findings
    return render(request, "desk/ruling.html", shown, status=refusal.status if refusal else 200)


def _seen(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    seen = whole(request.POST.get("revision", ""))
    return {
        "actor": desk.actor,
        "at": desk.now,
        "expected_revision": seen if isinstance(seen, int) else None,
    }


def _sitting(desk: Desk, query: QueryDict) -> Sitting | None:
    """The table of the form, as round.table (``2.7``); None where none is chosen or there is none such."""
    number, _dot, table = query.get("at", "").partition(".")
    at_round, at_table = whole(number), whole(table)
    if not isinstance(at_round, int) or not isinstance(at_table, int):
        return None
    return find.sitting_or_none(desk.tournament, at_round, at_table)


def _address(desk: Desk, ruling: Ruling) -> str:
    return reverse("desk:ruling", kwargs={"event": desk.tournament.slug, "number": ruling.number})


def _common(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "rulings", "now": desk.now}
