"""One table in one round: its hands with reasons, entering from slips, rulings, the end, its devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.giving_back import give_back
from referee.desk.guard import SeeOther, official, one_act
from referee.desk.presenters import sheet_form
from referee.desk.presenters.players import Sheet, posted_sheet, sheet_of
from referee.desk.presenters.refusals import refusal as shown_refusal
from referee.desk.presenters.refusals import shown_findings
from referee.desk.presenters.sitting import table as shown_table
from referee.desk.presenters.sitting_words import players_at
from referee.parts.numbers import whole_number as whole
from referee.parts.rulings import scheduled_otherwise
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.ledger import devices, officials_entries, previewing, scorekeeping
from tournaments.models import Basis, SittingPhase
from tournaments.rounds.acts import add_time, move_sitting, set_scored_by, swap_tables
from tournaments.rulings import given_penalties

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Sitting


@official(Act.SEE_DESK)
def table(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table, request.GET.get("game"))
    return render(request, "desk/table.html", page(desk, sitting) | shown_table(desk, sitting))


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """The inside of the page that changes while the table plays."""
    sitting = find.sitting_at(desk.tournament, number, table, request.GET.get("game"))
    return render(request, "desk/_table.html", page(desk, sitting) | shown_table(desk, sitting))


@official(Act.ENTER_HAND, "GET", "POST")
def enter(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """A hand from a slip, an annulled or an adjusted one; where a hand waits or is disputed, this settles it."""
    sitting = find.sitting_at(desk.tournament, number, table)
    desk.require(Act.ENTER_HAND, sitting)
    if request.method != "POST":
        scorekeeping.look_whether_open(sitting_id=sitting.pk)
        form = sheet_of({}, desk.tournament.profile).turned_to(request.GET.get("kind"))
        if claim := request.GET.get("from"):
            form = sheet_of(find.entry(desk.tournament, _id(claim)).facts, desk.tournament.profile)
        return _enter_page(request, desk, sitting, form)
    form = posted_sheet(request.POST, desk.tournament.profile)
    try:
        if request.POST.get("settles"):
            scorekeeping.settle(
                **_at_sitting(request, desk, sitting),
                facts=form.facts(),
                reason=request.POST.get("reason", ""),
                hand_no=whole(request.POST.get("hand_no", "")),
            )
        else:
            scorekeeping.record_hand(
                **_by(desk),
                sitting_id=sitting.pk,
                facts=form.facts(),
                hand_no=whole(request.POST.get("hand_no", "")),
                basis=request.POST.get("basis", ""),
                reason=request.POST.get("reason", ""),
            )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return _enter_page(request, desk, sitting, form, refusal=refusal)
    return SeeOther(_table(desk, sitting))


def _enter_page(
    request: HttpRequest, desk: Desk, sitting: Sitting, form: Sheet, refusal: Refusal | None = None
) -> HttpResponse:
    settles = sitting.phase in (SittingPhase.WAITING, SittingPhase.DISPUTED)
    shown = (
        page(desk, sitting)
        | sheet_form.sheet_context(desk)
        | {"players": players_at(sitting.match, sitting.state)}
        | {
            "form": form,
            "settles": settles,
            "hand_no": request.POST.get("hand_no") or sheet_form.hand_to_enter(sitting),
            "revision": request.POST.get("revision") or sitting.revision,
            "basis": request.POST.get("basis", ""),
            "reason": request.POST.get("reason", ""),
            "bases": [(Basis.WATCHED.value, Basis.WATCHED.label), (Basis.SIGNED_SHEET.value, Basis.SIGNED_SHEET.label)],
            "due": sheet_form.due(sitting),
        }
    )
    if refusal is not None:
        shown |= shown_refusal(refusal)
    return render(request, "desk/enter_hand.html", shown, status=refusal.status if refusal else 200)


@official(Act.ENTER_HAND, "POST")
def preview(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """What the sheet as typed would give: total, outcome, levels, next dealer, and every finding. Reads only."""
    sitting = find.sitting_at(desk.tournament, number, table)
    desk.require(Act.ENTER_HAND, sitting)
    form = posted_sheet(request.POST, desk.tournament.profile)
    try:
        seen = previewing.preview(sitting_id=sitting.pk, actor=desk.actor, facts=form.facts())
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return render(request, "desk/_preview.html", shown_refusal(refusal))
    return render(
        request,
        "desk/_preview.html",
        {"findings": shown_findings(seen.findings)} | sheet_form.preview_words(sitting, seen),
    )


@official(Act.SETTLE, "POST")
def settle(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """Settle a dispute by taking one of the two claims as it stands ("Set 95")."""
    sitting = find.sitting_at(desk.tournament, number, table)
    claim = find.entry(desk.tournament, _id(request.GET.get("entry", "")))
    return one_act(
        request,
        lambda: scorekeeping.settle(
            **_by(desk),
            sitting_id=sitting.pk,
            expected_revision=_or_none(request.GET.get("revision", "")),
            facts=claim.facts,
            reason=request.POST.get("reason") or _("settled at the table"),
            hand_no=claim.hand_no or 0,
        ),
        done=_("Settled."),
        back=_back(request, desk, sitting),
    )


@official(Act.CONFIRM_HAND, "POST")
def confirm(request: HttpRequest, desk: Desk, number: int, table: int, entry: int) -> HttpResponse:
    """An official confirms what one side entered."""
    sitting = find.sitting_at(desk.tournament, number, table)
    waiting = find.entry(desk.tournament, entry)
    return one_act(
        request,
        lambda: scorekeeping.confirm_hand(
            sitting_id=sitting.pk, actor=desk.actor, at=desk.now, entry_id=waiting.pk, version=waiting.version
        ),
        done=_("Confirmed."),
        back=_back(request, desk, sitting),
    )


@official(Act.SET_SCORED_BY, "POST")
def scored_by(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table)
    return one_act(
        request,
        lambda: set_scored_by(
            sitting_id=sitting.pk, actor=desk.actor, at=desk.now, scored_by=request.POST.get("scored_by", "")
        ),
        done=_("Changed who scores this table."),
        back=_table(desk, sitting),
    )


@official(Act.EXTRA_TIME, "POST")
def extra_time(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """Extra time for this table alone."""
    sitting = find.sitting_at(desk.tournament, number, table)
    return one_act(
        request,
        lambda: add_time(
            sitting_id=sitting.pk,
            actor=desk.actor,
            at=desk.now,
            minutes=whole(request.POST.get("minutes", "")),
            reason=request.POST.get("reason", ""),
        ),
        done=_("The table sees its extra time."),
        back=_table(desk, sitting),
    )


@official(Act.SWAP_TABLES, "POST")
def move(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """They sit at another table: the match moves there with its entries; who plays there comes here instead."""
    sitting = find.sitting_at(desk.tournament, number, table)
    to = whole(request.POST.get("table", ""))
    there = find.sitting_or_none(desk.tournament, number, to if isinstance(to, int) else 0)
    of: dict[str, Any] = {"actor": desk.actor, "at": desk.now}
    try:
        if there is None:
            move_sitting(**of, sitting_id=sitting.pk, table=to)
        else:
            swap_tables(**of, round_id=sitting.round_id, sitting_ids=[sitting.pk, there.pk])
    except Refusal as refusal:
        return give_back(request, refusal, _table(desk, sitting), {"sitting_ids": "table"})
    messages.success(request, _("The tables are changed. Both sides use the code of the table they now sit at."))
    sitting.refresh_from_db()
    return SeeOther(_table(desk, sitting))


@official(Act.PENALISE, "POST")
def penalty(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table)
    why: dict[str, Any] = {"reason": request.POST.get("reason", ""), "clause": request.POST.get("clause", "")}
    who, amount = request.POST.get("side", ""), whole(request.POST.get("levels", ""))
    at = _at_sitting(request, desk, sitting)
    try:
        given = (
            given_penalties.penalise_player(**at, **why, place=who, amount=amount)
            if sitting.match.individual
            else given_penalties.penalise_level(**at, **why, side=who, levels=amount)
        )
    except Refusal as refusal:
        return give_back(request, refusal, _table(desk, sitting), {"amount": "levels", "place": "side"})
    said = _("The penalty stands in the record, as ruling no. %(n)s.")
    messages.success(request, said % {"n": given.ruling.number})
    if otherwise := scheduled_otherwise(given.ruling):
        messages.warning(request, otherwise)
    return SeeOther(_table(desk, sitting))


@official(Act.END_SITTING, "POST")
def end(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table)
    return one_act(
        request,
        lambda: officials_entries.end_sitting(
            **_at_sitting(request, desk, sitting),
            reason=request.POST.get("end", ""),
            by=request.POST.get("by") or None,
            why=request.POST.get("why", ""),
        ),
        done=_("The match at this table is over."),
        back=_back(request, desk, sitting),
        fields={"reason": "end"},
        words={"by": _("Who has left") if sitting.match.individual else _("Side (for a lead or giving up)")},
    )


@official(Act.FORFEIT, "POST")
def forfeit(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table)
    return one_act(
        request,
        lambda: officials_entries.forfeit(
            **_by(desk),
            match_id=sitting.match_id,
            outcome=request.POST.get("outcome", ""),
            reason=request.POST.get("reason", ""),
        ),
        done=_("The forfeit stands."),
        back=_table(desk, sitting),
    )


@official(Act.REOPEN_SITTING, "POST")
def reopen(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """Take back an end or a forfeit that was ruled by mistake."""
    sitting = find.sitting_at(desk.tournament, number, table, request.GET.get("game"))
    return one_act(
        request,
        lambda: officials_entries.reopen_sitting(
            **_at_sitting(request, desk, sitting),
            reason=request.POST.get("reason", ""),
        ),
        done=_("The match goes on where it stood."),
        back=_table(desk, sitting),
        page=f"{_table(desk, sitting)}?{request.GET.urlencode()}",
    )


@official(Act.DECIDE_BY_LOT, "POST")
def decide(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """Decide a match that ended level: by the lots committed before play, or by a draw made by hand."""
    sitting = find.sitting_at(desk.tournament, number, table)
    return one_act(
        request,
        lambda: officials_entries.decide_by_lot(
            **_by(desk),
            match_id=sitting.match_id,
            reason=request.POST.get("reason", ""),
            winner_side=request.POST.get("winner") or None,
        ),
        done=_("The match is decided."),
        back=_table(desk, sitting),
        fields={"winner_side": "winner"},
    )


@official(Act.RELEASE_DEVICE, "POST")
def release(request: HttpRequest, desk: Desk, number: int, table: int, device: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table)
    held = find.device(desk.tournament, device)
    return one_act(
        request,
        lambda: devices.release(device_id=held.pk, actor=desk.actor, at=desk.now, why="desk"),
        done=_("The phone is signed out. The code lets another one in."),
        back=_table(desk, sitting),
    )


@official(Act.ISSUE_CODES, "POST")
def reissue(request: HttpRequest, desk: Desk, number: int, table: int, side: str) -> HttpResponse:
    """A new code for one side; the old one stops working. It is shown here until the card is printed again."""
    sitting = find.sitting_at(desk.tournament, number, table)
    return one_act(
        request,
        lambda: devices.reissue(table_id=sitting.table_id, side=side, actor=desk.actor, at=desk.now),
        done=_("A new code is made; print the card again."),
        back=_table(desk, sitting),
    )


def _by(desk: Desk) -> dict[str, Any]:
    """Who acts, and when."""
    return {"actor": desk.actor, "at": desk.now}


def _at_sitting(request: HttpRequest, desk: Desk, sitting: Sitting) -> dict[str, Any]:
    """An act on a sitting as the form showed it."""
    seen = _or_none(request.POST.get("revision", ""))
    return _by(desk) | {"sitting_id": sitting.pk, "expected_revision": seen}


def _table(desk: Desk, sitting: Sitting) -> str:
    known = {"event": desk.tournament.slug, "number": sitting.round.number, "table": sitting.table.number}
    return reverse("desk:table", kwargs=known)


def _back(request: HttpRequest, desk: Desk, sitting: Sitting) -> str:
    if request.POST.get("to") == "board":
        return reverse("desk:board", kwargs={"event": desk.tournament.slug})
    return _table(desk, sitting)


def _id(text: str) -> int:
    value = whole(text)
    return value if isinstance(value, int) else 0


def _or_none(text: str) -> int | None:
    value = whole(text)
    return value if isinstance(value, int) else None


def page(desk: Desk, sitting: Sitting) -> dict[str, Any]:
    return {
        "desk": desk,
        "tournament": desk.tournament,
        "current": "board",
        "sitting": sitting,
        "round": sitting.round,
        "home": sitting.match.home,
        "away": sitting.match.away,
        "here": _table(desk, sitting),
    }
