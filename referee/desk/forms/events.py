"""Forms of an event: a new one, its settings, what it asks of signals, a whole one from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from referee.desk.forms.house import Refusable
from referee.desk.time_zones import zones
from referee.parts.fields import Chooser
from referee.parts.signal_cards import DIRECT_RANKS
from referee.parts.words import in_language
from scoring.penalties import load as load_schedule
from scoring.penalties import schedule_ids
from tournaments.acts.text import read_json
from tournaments.events.short_names import RESERVED, short_name_for
from tournaments.models import CardAsked, ReturnDuty
from tournaments.transfer.whole_events import LARGEST_FILE

if TYPE_CHECKING:
    from tournaments.acts.errors import Refusal
    from tournaments.models import Tournament


class EventForm(Refusable, forms.Form):
    """A new event: a preset, or a file with the form of another event, does most of it."""

    #: Choices beside the presets: one stage that is changed by hand, or the form in the file.
    BY_HAND, FROM_FILE = "hand", "file"

    preset = forms.ChoiceField(label=_("Regulation"), widget=forms.RadioSelect)
    file = forms.FileField(
        label=_("Event template"), required=False, widget=Chooser(attrs={"accept": ".json,application/json"})
    )
    name = forms.CharField(label=_("Name"), max_length=120)
    name_latin = forms.CharField(label=_("Latin name"), max_length=120, required=False)
    slug = forms.SlugField(
        label=_("Address"),
        max_length=60,
        required=False,
        help_text=_(
            "Lower-case letters, digits and hyphens, as in chenghu-2026. Left empty, it is made from the name."
        ),
    )
    place = forms.CharField(label=_("Venue"), max_length=120, required=False)
    starts_on = forms.DateField(
        label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), input_formats=["%Y-%m-%d"]
    )
    language = forms.ChoiceField(label=_("Language on paper"), choices=settings.LANGUAGES)
    timezone = forms.ChoiceField(label=_("Time zone"), choices=zones)
    profile = forms.ChoiceField(label=_("Rules"), required=False)
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60, required=False)
    minutes = forms.IntegerField(label=_("Minutes a round"), min_value=1, max_value=600, required=False)
    hands = forms.IntegerField(label=_("Hands a round"), min_value=1, max_value=1000, required=False)
    judges = forms.BooleanField(
        label=_("I judge in it too, as chief referee"),
        required=False,
        help_text=_("So that you can settle disputes. Take the tick away where others judge, and appoint them."),
    )
    single_official = forms.BooleanField(
        label=_("One official does everything"),
        required=False,
        help_text=_(
            "For a small event: whoever holds any office may do every act, and no second official has to agree to a "
            "correction."
        ),
    )

    def __init__(
        self, *args: Any, profiles: list[tuple[str, str]], presets: list[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["preset"].choices = [*presets, (self.BY_HAND, _("By hand")), (self.FROM_FILE, _("From a file"))]
        fields["profile"].choices = [("", _("as the regulation says")), *profiles]

    def clean_slug(self) -> str:
        typed = self.cleaned_data
        slug = str(typed["slug"]).lower() or short_name_for(typed.get("name", ""), typed.get("name_latin", ""))
        if slug in RESERVED:
            raise forms.ValidationError(_("This address is reserved for a page of the desk; choose another."))
        return slug

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        if typed.get("preset") == self.FROM_FILE and not typed.get("file") and "file" not in self.errors:
            self.add_error("file", _("Choose the file."))
        return typed

    def add_refusal(self, refusal: Refusal) -> None:
        """A field of a stage is named by its place in the form, for no field of this page stands for it."""
        findings: list[Any] = list(refusal.findings) or [refusal]
        in_file = self.cleaned_data["preset"] == self.FROM_FILE
        for one in findings:
            head, _dot, name = (one.field or "").partition(".")
            field, text = (name if head == "stage" else one.field), in_language(one.message)
            if head == "stage" and (in_file or name not in self.fields):
                number = one.params.get("stage") or refusal.params.get("stage") or 1
                field, text = None, f"stages[{number - 1}].{name}: {text}"
            self.add_error(field if field in self.fields else None, text)

    def start(self) -> dict[str, Any]:
        """What the event starts from, as `create_tournament` takes it: a preset, the form in the file, or nothing.

        ValidationError when the file cannot be read.
        """
        chosen = self.cleaned_data["preset"]
        if chosen == self.BY_HAND:
            return {}
        if chosen != self.FROM_FILE:
            return {"preset": chosen}
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FORM:
            raise forms.ValidationError(_("This file is too large for an event template."))
        try:
            form = read_json(file.read().decode("utf-8-sig"))
        except ValueError:
            form = None
        if form is None:
            raise forms.ValidationError(_("This file is not an event template: it is not JSON."))
        return {"form": form}


#: Bytes; a form of eight stages with everything stated has a tenth of that.
LARGEST_FORM = 200_000


#: The choice that leaves a schedule as the event has changed it.
OWN_SCHEDULE = "own"


def chosen_schedule(tournament: Tournament) -> str:
    """The event's penalty schedule as the form names it: an id, or that it has ladders of its own."""
    spec = tournament.penalty_schedule.spec
    return spec if isinstance(spec, str) else OWN_SCHEDULE


def schedules_for(tournament: Tournament) -> list[tuple[str, str]]:
    """The penalty schedules to choose from; one with the event's own ladders stays among them."""
    schedules = [(name, load_schedule(name)) for name in schedule_ids()]
    known = [(name, in_language(one.title)) for name, one in schedules if one.individual is tournament.individual]
    own = tournament.penalty_schedule
    if chosen_schedule(tournament) == OWN_SCHEDULE:
        known.insert(0, (OWN_SCHEDULE, _("%(title)s, changed for this event") % {"title": in_language(own.title)}))
    return known


class SettingsForm(Refusable, forms.Form):
    """What may still be changed of an event; its rules and lots never."""

    name = forms.CharField(label=_("Name"), max_length=120)
    name_latin = forms.CharField(label=_("Latin name"), max_length=120, required=False)
    place = forms.CharField(label=_("Venue"), max_length=120, required=False)
    starts_on = forms.DateField(
        label=_("Day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
        required=False,
    )
    language = forms.ChoiceField(label=_("Language on paper"), choices=settings.LANGUAGES)
    timezone = forms.ChoiceField(label=_("Time zone"), choices=zones)
    single_official = forms.BooleanField(label=_("One official does everything"), required=False)
    second_factor = forms.BooleanField(
        label=_("Organisers and chief referees need a second factor"),
        required=False,
        help_text=_("Who has none is led to turn it on before doing anything here in such an office."),
    )
    live_public = forms.BooleanField(label=_("Live standings are public"), required=False)
    penalties = forms.ChoiceField(label=_("Penalties"), required=False)
    appeal_minutes = forms.IntegerField(
        label=_("Minutes to appeal against a ruling"), min_value=0, max_value=1440, required=False
    )

    FLAGS = ("single_official", "second_factor", "live_public")
    EVENT = ("name", "name_latin", "place", "starts_on", "language", "timezone", *FLAGS)
    RULING = ("penalties", "appeal_minutes")

    def __init__(self, *args: Any, schedules: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["penalties"].choices = schedules

    @classmethod
    def initial_of(cls, tournament: Tournament) -> dict[str, Any]:
        return {name: getattr(tournament, name) for name in cls.EVENT} | {
            "penalties": chosen_schedule(tournament),
            "appeal_minutes": int(tournament.appeal_time.total_seconds() // 60),
        }

    def changes(self) -> dict[str, Any]:
        """What the service is asked to change: only fields that were changed."""
        changed = {name: self.cleaned_data[name] for name in (*self.EVENT, *self.RULING) if name in self.changed_data}
        if changed.get("penalties") in ("", OWN_SCHEDULE):
            del changed["penalties"]
        return changed


class TermsForm(Refusable, forms.Form):
    """What an event asks of signals."""

    card = forms.ChoiceField(label=_("Signal cards"), choices=CardAsked.choices)
    prescribed = forms.MultipleChoiceField(
        label=_("Ranks of the prescribed system"),
        choices=[(rank, rank) for rank in DIRECT_RANKS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    return_duty = forms.ChoiceField(label=_("Duty to return the lead"), choices=ReturnDuty.choices)
    return_fine = forms.IntegerField(label=_("Fine for a return not made, points"), min_value=0, max_value=200)
    reason = forms.CharField(
        label=_("Reason"), max_length=300, required=False, help_text=_("Needed once a round has begun.")
    )


class EventFileForm(Refusable, forms.Form):
    """A whole event as its export; without an address it keeps the one it had."""

    file = forms.FileField(
        label=_("Export of an event (JSON)"),
        widget=Chooser(attrs={"accept": ".json,application/json", "data-largest": LARGEST_FILE}),
    )
    slug = forms.SlugField(
        label=_("Address here"),
        max_length=60,
        required=False,
        help_text=_("Empty: the address it had where it was played"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        too_large = _("This is too large: at most %(n)s MB.") % {"n": LARGEST_FILE // 1_000_000}
        self.fields["file"].widget.attrs["data-too-large"] = too_large


class MovedEventForm(Refusable, forms.Form):
    """An event that left another installation; without an address it keeps the one it had."""

    file = forms.FileField(label=_("File of the event that moves"), widget=Chooser(attrs={"accept": ".move"}))
    slug = forms.SlugField(
        label=_("Address here"),
        max_length=60,
        required=False,
        help_text=_("Empty: the address it had. Another one where that is taken here."),
    )
