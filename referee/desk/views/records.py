"""The record of a hand: paste or upload it, and see it beside the entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.guard import SeeOther, official
from referee.desk.presenters.record import page, problems
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.ledger import recorded_hands
from tournaments.ledger.hands_on_record import entry_of_hand, replayed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Sitting

FILE_LIMIT: Final = 200_000


@official(Act.SEE_DESK, "GET", "POST")
def record(request: HttpRequest, desk: Desk, number: int, table: int, hand: int) -> HttpResponse:
    """The record that stands, and a form for a better one. What was typed stays when it is refused."""
    sitting = find.sitting_at(desk.tournament, number, table)
    if request.method != "POST":
        return _page(request, desk, sitting, hand)
    desk.require(Act.ATTACH_RECORD, sitting)
    text = _text(request)
    try:
        recorded_hands.attach(
            sitting_id=sitting.pk,
            actor=desk.actor,
            at=desk.now,
            hand_no=hand,
            text=text,
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return _page(request, desk, sitting, hand, text=text, refusal=refusal)
    messages.success(request, _("The record is attached. The result stays as entered."))
    known = {"event": desk.tournament.slug, "number": number, "table": table, "hand": hand}
    return SeeOther(reverse("desk:record", kwargs=known))


def _page(
    request: HttpRequest,
    desk: Desk,
    sitting: Sitting,
    hand: int,
    *,
    text: str = "",
    refusal: Refusal | None = None,
) -> HttpResponse:
    entry = entry_of_hand(sitting, hand)
    if entry is None or sitting.match.individual:
        raise Http404
    shown = page(desk, sitting, entry, replayed(sitting, hand)) | {
        "desk": desk,
        "tournament": desk.tournament,
        "current": "board",
        "hand_no": hand,
        "text": text,
        "refusal": refusal,
    }
    if refusal is not None:
        shown["problems"] = problems(refusal, text)
    return render(request, "desk/record.html", shown, status=refusal.status if refusal else 200)


def _text(request: HttpRequest) -> str:
    """The file where one was chosen, else what was typed. The notation is ASCII; its comments may be in any code."""
    file = request.FILES.get("file")
    if file is None:
        return request.POST.get("text", "")
    data = file.read(FILE_LIMIT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", errors="replace")
