"""My events, a new event from a preset, its settings, and the whole event as one file."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from referee.desk import choices
from referee.desk.forms import EventForm, SettingsForm
from referee.desk.guard import SeeOther, official, signed_in
from referee.parts.words import in_language, page_language
from scoring import profiles
from tournaments import queries
from tournaments.access import Act, Actor
from tournaments.exchange import whole_event
from tournaments.presets import PRESETS
from tournaments.services import setup as setting_up
from tournaments.services.errors import Refusal

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.desk.guard import Desk


@signed_in("GET")
def events(request: HttpRequest) -> HttpResponse:
    return render(request, "desk/events.html", {"mine": queries.events_of(request.user)})


@signed_in("GET", "POST")
def create(request: HttpRequest) -> HttpResponse:
    first = {"preset": "F1", "language": "zh-hans" if page_language() == "zh" else "en", "timezone": "Asia/Shanghai"}
    form = EventForm(request.POST or None, initial=first, profiles=choices.profiles(), presets=choices.presets())
    if request.method == "POST" and form.is_valid():
        facts = form.cleaned_data
        stage = {name: facts.pop(name) for name in ("minutes", "rounds_planned")}
        preset = PRESETS[facts["preset"]]
        try:
            tournament = setting_up.create_tournament(
                actor=Actor(user=request.user),
                at=timezone.now(),
                lot_seed=secrets.token_hex(16),
                stage={name: value for name, value in stage.items() if value is not None},
                **(facts | {"profile": facts["profile"] or preset.profile}),
            )
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            return SeeOther(f"/desk/{tournament.slug}/entrants/")
    shown = {"form": form, "presets": choices.preset_cards(), "profiles": choices.profile_cards()}
    return render(request, "desk/create.html", shown, status=422 if form.errors else 200)
