"""A whole event from its export: checked first, then kept as a record."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.cache import cache
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.desk.forms import EventFileForm
from referee.desk.guard import SeeOther, person, signed_in
from tournaments.access import Actor
from tournaments.exchange.whole_events import LARGEST_FILE
from tournaments.services.errors import Refusal
from tournaments.services.event_imports import import_event as importing

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

#: How long a file that was checked waits for the second tap, in seconds.
WAITS = 15 * 60


@signed_in("GET", "POST")
def import_event(request: HttpRequest) -> HttpResponse:
    """Upload, see what the file holds and what its audit says, take it. The file waits on the server meanwhile."""
    if "checked" in request.POST:
        return _take(request)
    sent = request.method == "POST"
    form = EventFileForm(request.POST if sent else None, request.FILES if sent else None)
    shown: dict[str, Any] = {"form": form}
    if sent and form.is_valid():
        file = form.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            form.add_error("file", _("The file is larger than %(n)d MB.") % {"n": LARGEST_FILE // 1_000_000})
        else:
            shown |= _checked(request, form, file.read(), form.cleaned_data["slug"])
    return render(request, "desk/import_event.html", shown, status=422 if form.errors else 200)


def _checked(request: HttpRequest, form: EventFileForm, data: bytes, slug: str) -> dict[str, Any]:
    """What taking the file would do."""
    try:
        found = importing(
            data=data, actor=Actor(user=person(request)), at=timezone.now(), slug=slug or None, dry_run=True
        )
    except Refusal as refusal:
        form.add_refusal(refusal)
        return {"refusal": refusal}
    name = hashlib.sha256(data).hexdigest()
    cache.set(_key(request, name), zlib.compress(data), WAITS)
    return {"found": found, "checked": name, "slug": found.slug}


def _take(request: HttpRequest) -> HttpResponse:
    form = EventFileForm()
    packed = cache.get(_key(request, request.POST["checked"][:64]))
    if packed is None:
        messages.error(request, _("The file has waited too long. Choose it again."))
        return SeeOther(reverse("desk:import_event"))
    try:
        made = importing(
            data=zlib.decompress(packed),
            actor=Actor(user=person(request)),
            at=timezone.now(),
            slug=request.POST.get("slug") or None,
        )
    except Refusal as refusal:
        form = EventFileForm(request.POST)
        form.is_valid()
        form.errors.clear()
        form.add_refusal(refusal)
        return render(request, "desk/import_event.html", {"form": form, "refusal": refusal}, status=422)
    messages.success(request, _("Imported."))
    return SeeOther(reverse("desk:standings", kwargs={"event": made.slug}))


def _key(request: HttpRequest, name: str) -> str:
    return f"event-file:{person(request).pk}:{name}"
