"""A player's phone is woken (Web Push), or no more; what woke it leads to the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core import signing
from django.http import JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from referee.parts.words import in_language
from referee.table.my_table import own_place
from referee.table.places import private
from referee.table.views.own_code import kept_code
from tournaments.acts.errors import Refusal
from tournaments.people import attendance
from tournaments.waking import acts

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_POST
def wake(request: HttpRequest) -> HttpResponse:
    """Wake this phone from now on, or with `off` no more: the address and the keys that its browser made."""
    asked, address = request.POST, request.POST.get("address", "")
    try:
        code = kept_code(request)
        if asked.get("off"):
            acts.end(code_text=code, at=timezone.now(), address=address)
        else:
            acts.ask(
                code_text=code,
                at=timezone.now(),
                address=address,
                public_key=asked.get("public_key", ""),
                secret=asked.get("secret", ""),
                language=get_language() or "",
            )
    except signing.BadSignature:
        return private(redirect("table:own_code"))
    except Refusal as refusal:
        return private(JsonResponse({"refused": in_language(refusal.message)}, status=refusal.status))
    return private(JsonResponse({"woken": not asked.get("off")}))


@require_safe
def own_table(request: HttpRequest) -> HttpResponse:
    """From a message on the lock screen to the table page that this phone holds; without one to the own page."""
    try:
        entrant = attendance.entrant_of_code(kept_code(request))
    except (signing.BadSignature, Refusal):
        return private(redirect("table:own_code"))
    device = own_place(request, entrant)
    if device is None:
        return private(redirect("table:own_code"))
    return private(redirect("table:place", device.public_id))
