"""The receipts of a table: what every act about its hands left in the signed log, for the phones at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import JsonResponse
from django.shortcuts import render

from referee.table.places import at_place, wants_json
from tournaments.log.reads import receipts_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.table.places import HeldPlace
    from tournaments.log.reads import Receipt


@at_place("GET")
def receipts(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """The page; its script asks for the same as JSON and keeps it in the phone, and ``?save=1`` is a file of it."""
    found = receipts_of(place.sitting.pk)
    saves = request.GET.get("save") == "1"
    if saves or wants_json(request):
        told = {"event": place.tournament.slug, "receipts": [_kept(one) for one in found]}
        answer = JsonResponse(told, json_dumps_params={"ensure_ascii": False})
        if saves:
            answer["Content-Disposition"] = 'attachment; filename="receipts.json"'
        return answer
    shown = {"public_id": place.device.public_id, "tournament": place.tournament, "sitting": place.sitting}
    return render(request, "table/receipts.html", {**shown, "receipts": found})


def _kept(one: Receipt) -> dict[str, Any]:
    return {"digest": one.digest, "body": one.body, "signature": one.signature}
