"""My events, a new event from a preset, its settings, and the whole event as one file."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy

from referee.desk import choices
from referee.desk.act_views import FormPage
from referee.desk.forms.events import EventForm, SettingsForm, schedules_for
from referee.desk.guard import SeeOther, official, person, signed_in
from referee.desk.presenters import stages
from referee.parts.downloads import download
from referee.parts.words import page_language
from referee.pictures.stage_cards import cards_of
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Refusal
from tournaments.audit.record import event_json
from tournaments.copies.automatic import state_of_copies
from tournaments.events.setup import create_tournament, update_tournament
from tournaments.events.short_names import short_name_for
from tournaments.plans.presets import PRESETS
from tournaments.rounds.board import events_of, invitations_for
from tournaments.stages.forms import Form
from tournaments.stages.trying import can_be_tried

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.desk.guard import Desk

#: Where a new event takes place, until somebody says otherwise.
TIMEZONE: Final = "Asia/Shanghai"


@signed_in("GET")
def events(request: HttpRequest) -> HttpResponse:
    me = person(request)
    shown = {"mine": events_of(me), "invitations": invitations_for(me)}
    return render(request, "desk/events.html", shown)


@signed_in("GET", "POST")
def create(request: HttpRequest) -> HttpResponse:
    language = "zh-hans" if page_language() == "zh" else "en"
    today = timezone.localdate(timezone=ZoneInfo(TIMEZONE))
    first = {"preset": "F1", "language": language, "timezone": TIMEZONE, "starts_on": today, "judges": True}
    form = EventForm(
        request.POST or None,
        request.FILES or None,
        initial=first,
        profiles=choices.profiles(),
        presets=choices.presets(),
    )
    if request.method == "POST" and form.is_valid() and (made := _created(request, form)):
        return made
    shown = {"form": form, "presets": choices.preset_cards(), "profiles": choices.profile_cards()}
    return render(request, "desk/create.html", shown, status=422 if form.errors else 200)


@signed_in("GET")
def short_name(request: HttpRequest) -> HttpResponse:
    """The short name that an event of this name would get, for the form of a new one."""
    asked = request.GET
    found = short_name_for(asked.get("name", "")[:120], asked.get("latin", "")[:120])
    return HttpResponse(found, content_type="text/plain; charset=utf-8")


def _created(request: HttpRequest, form: EventForm) -> HttpResponse | None:
    """The new event: with a preset on to its entrants, else on to its stages. None when it was refused."""
    facts = dict(form.cleaned_data)
    stage = {name: facts.pop(name) for name in ("minutes", "hands", "rounds_planned")}
    profile = facts.pop("profile")
    ready = facts.pop("preset") in PRESETS
    del facts["file"]
    try:
        tournament = create_tournament(
            actor=Actor(user=person(request)),
            at=timezone.now(),
            lot_seed=secrets.token_hex(16),
            stage={name: value for name, value in stage.items() if value is not None},
            profile=profile or None,
            **(facts | form.start()),
        )
    except ValidationError as unreadable:
        form.add_error("file", unreadable)
    except Refusal as refusal:
        form.add_refusal(refusal)
    else:
        return SeeOther(f"/desk/{tournament.slug}/{'entrants' if ready else 'setup'}/")
    return None


class Setup(FormPage):
    right = Act.SET_UP
    done = gettext_lazy("Saved.")
    template, current = "desk/setup.html", "setup"

    def made_form(self, *sent: Any) -> SettingsForm:
        return _settings(self.desk, *sent)

    def act(self) -> object:
        return update_tournament(**self.by, tournament_id=self.desk.tournament.pk, changes=self.form.changes())

    def back(self) -> str:
        return self.request.path

    def shown(self) -> dict[str, Any]:
        return _setup(self.desk, self.form)


def _settings(desk: Desk, *sent: Any) -> SettingsForm:
    event = desk.tournament
    return SettingsForm(*sent, initial=SettingsForm.initial_of(event), schedules=schedules_for(event))


def setup_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    known = {"desk": desk, "tournament": desk.tournament, "current": "setup"}
    return render(request, "desk/setup.html", known | _setup(desk, _settings(desk)))


def _setup(desk: Desk, form: SettingsForm) -> dict[str, Any]:
    return {
        "form": form,
        "cards": cards_of(desk.tournament),
        "triable": [one.pk for one in desk.tournament.stages.all() if can_be_tried(one)],
        "formats": stages.formats_for(desk.tournament),
        "rules": choices.explained(desk.tournament.profile),
        "may_export": desk.may(Act.EXPORT_NAMES),
        "may_move": desk.may(Act.MOVE_EVENT),
        "may_webhooks": desk.may(Act.SET_WEBHOOKS),
        "copies": state_of_copies(),
        "now": desk.now,
    }


@official(Act.SET_UP)
def form_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The regulation of the event as a file: rules, penalties, stages; no names. A new event can start from it."""
    text = Form.of_event(desk.tournament).text()
    return download(text.encode(), f"{desk.tournament.slug}-form.json", "application/json")


@official(Act.EXPORT_NAMES, "GET", "POST", proof="GET")
def export(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The whole event as one JSON file, for the record and for `audit` elsewhere."""
    data = event_json(desk.tournament, official=True, names=True)
    return download(data, f"{desk.tournament.slug}.json", "application/json")
