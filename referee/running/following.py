"""The door of the laptop that writes for those that follow it. What comes in is read over the channel of the pairing;
who has no code and no channel learns nothing here (`tournaments.following.channel`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tournaments.acts.errors import BAD_REQUEST, NOT_FOUND, Refusal
from tournaments.following import pairing

if TYPE_CHECKING:
    from django.http import HttpRequest


@csrf_exempt
@require_POST
def pair(request: HttpRequest) -> HttpResponse:
    """The first word of a laptop that wants to follow: its key."""
    try:
        return JsonResponse(pairing.agree(str(_sent(request)["public"]), timezone.now()))
    except Refusal as refusal:
        return _said(refusal)
    except (ValueError, KeyError, TypeError):
        return HttpResponse(status=BAD_REQUEST)


@csrf_exempt
@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    """A frame of a laptop that follows, answered by another one."""
    now = timezone.now()
    try:
        said = _sent(request)
        name, once, frame = str(said["name"]), str(said["once"]), bytes.fromhex(said["frame"])
        packed = pairing.answered(pairing.opened(name, once, frame, now), now)
    except Refusal as refusal:
        return _said(refusal)
    except (ValueError, KeyError, TypeError):
        return HttpResponse(status=BAD_REQUEST)
    return HttpResponse(packed, content_type="application/octet-stream", headers={"Cache-Control": "no-store"})


def _sent(request: HttpRequest) -> Any:
    """What was sent, as JSON. ValueError for anything else, a form among it."""
    try:
        return json.loads(request.body)
    except (RawPostDataException, RecursionError) as error:
        raise ValueError(str(error)) from None


def _said(refusal: Refusal) -> HttpResponse:
    return JsonResponse({"code": refusal.code, "message": dict(refusal.message)}, status=NOT_FOUND)


app_name = "follow"
urlpatterns = [path("pair/", pair, name="pair"), path("", ask, name="ask")]
