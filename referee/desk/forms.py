"""The desk's forms: shape of what is typed. What it means is judged by the acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from referee.desk import passkeys
from referee.desk.time_zones import zones
from referee.parts.fields import Chooser
from referee.parts.known_browser import address_of, people_known, stated_browser
from referee.parts.names import shown_name
from referee.parts.signal_cards import DIRECT_RANKS
from referee.parts.words import in_language
from scoring.penalties import load as load_schedule
from scoring.penalties import schedule_ids
from tournaments.acts.text import read_json
from tournaments.events.short_names import RESERVED, short_name_for
from tournaments.models import CardAsked, Office, ReturnDuty, TokenScope, WishChoice
from tournaments.people import accounts, tokens
from tournaments.people.passkeys import NAME_LENGTH
from tournaments.transfer.whole_events import LARGEST_FILE

if TYPE_CHECKING:
    from tournaments.acts.errors import Refusal
    from tournaments.models import Entrant, Tournament


#: Widgets that are drawn otherwise than as a line to type in.
UNDRESSED = (forms.CheckboxInput, forms.CheckboxSelectMultiple, forms.RadioSelect, forms.HiddenInput, Chooser)


def dress(form: Any) -> None:
    """Give the text fields and selects of a form the look of the house."""
    for field in form.fields.values():
        if not isinstance(field.widget, UNDRESSED):
            field.widget.attrs.setdefault("class", "field")


class Refusable:
    """A form drawn like the house, which can carry the refusal of a service: by field, or above the form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def add_refusal(self: Any, refusal: Refusal) -> None:
        findings: list[tuple[str | None, Any]] = [(item.field, item.message) for item in refusal.findings]
        findings = findings or [(refusal.field, refusal.message)]
        for field, message in findings:
            self.add_error(field if field in self.fields else None, in_language(message))


class SignInForm(AuthenticationForm):
    """Name and password of an official."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # by the word that all other pages use for it
        self.fields["username"].label = _("Username")
        dress(self)

    def clean(self) -> dict[str, Any]:
        """As Django's, but wrong tries are counted. Raises TooManyTries."""
        typed = self.cleaned_data
        assert self.request is not None
        if "username" in typed and "password" in typed:
            try:
                self.user_cache = accounts.sign_in(
                    username=typed["username"],
                    password=typed["password"],
                    address=address_of(self.request),
                    known=people_known(self.request),
                    stated_browser=stated_browser(self.request),
                )
            except accounts.WrongPassword:
                raise self.get_invalid_login_error() from None
        return typed


class NewPasswordForm(Refusable, forms.Form):
    """A new password of `user`, held to the rules for passwords."""

    password = forms.CharField(
        label=_("New password"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password = self.cleaned_data["password"]
        validate_password(password, self.user)
        return str(password)


class WelcomeForm(NewPasswordForm):
    """What a person who came by a one-use link sets: the name shown and a password of their own."""

    display_name = forms.CharField(label=_("Your name"), max_length=80)
    username = forms.SlugField(label=_("Name to sign in with"), max_length=60)
    field_order = ("display_name", "username", "password")


class PasswordForm(NewPasswordForm):
    """Another password, by who knows the present one."""

    current = forms.CharField(
        label=_("Present password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )
    field_order = ("current", "password")


class CodeForm(Refusable, forms.Form):
    """The code of a second factor as its device shows it, or a recovery code."""

    code = forms.CharField(
        label=_("Verification code"),
        max_length=40,
        help_text=_("Six figures from your device, or a recovery code."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "class": "field mono", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.data.get(passkeys.FIELD):
            self.fields["code"].required = False


class FactorForm(CodeForm):
    """What turns a second factor off: the password and a code."""

    password = forms.CharField(
        label=_("Present password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )
    field_order = ("password", "code")


class FactorOnForm(FactorForm):
    """What turns it on: the first code of the device."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The six figures that your device shows now.")


class PasskeyForm(Refusable, forms.Form):
    """What a new passkey is called."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_LENGTH, help_text=_("By which you know it again: my phone, blue key.")
    )


class TokenForm(Refusable, forms.Form):
    """What a new API token may do, and for how long."""

    scope = forms.ChoiceField(label=_("What it may do"), choices=TokenScope.choices, initial=TokenScope.READ)
    days = forms.IntegerField(
        label=_("Days until it ends"),
        min_value=1,
        max_value=tokens.MOST_DAYS,
        initial=tokens.DAYS,
        help_text=format_lazy(_("At most {most}."), most=tokens.MOST_DAYS),
    )


class ProofForm(Refusable, forms.Form):
    """Password or code, once more."""

    NAME: ClassVar = "proof"

    proof = forms.CharField(
        label=_("Password, or the code of your device"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        strip=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.data.get(passkeys.PROOF_FIELD):
            self.fields[self.NAME].required = False


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


class PlayersForm(Refusable, forms.Form):
    """The players of an entrant, up to six; rows left empty are left out."""

    PLAYERS = 6
    #: What is asked of a player, and how the field's name ends, as in a table of entrants.
    PARTS: ClassVar[dict[str, str]] = {"name": "", "name_latin": "_latin", "external_id": "_id"}

    reason = forms.CharField(label=_("Reason, shown in the history"), max_length=300, required=False)
    namesakes = forms.BooleanField(label=_("Players of the same name are different people"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = {"name": _("Player"), "name_latin": _("Latin name"), "external_id": _("External id")}
        for order in range(1, self.PLAYERS + 1):
            for part, ending in self.PARTS.items():
                longest = 64 if part == "external_id" else 60
                self.fields[f"player_{order}{ending}"] = forms.CharField(
                    label=labels[part], max_length=longest, required=False
                )
        dress(self)

    @classmethod
    def initial_of(cls, entrant: Entrant) -> dict[str, Any]:
        return {
            f"player_{order}{ending}": getattr(player, part)
            for order, player in enumerate(entrant.players.all(), start=1)
            for part, ending in cls.PARTS.items()
        }

    def people(self) -> list[dict[str, str]]:
        rows = (
            {part: self.cleaned_data[f"player_{order}{ending}"] for part, ending in self.PARTS.items()}
            for order in range(1, self.PLAYERS + 1)
        )
        return [row for row in rows if any(row.values())]

    def changes(self) -> dict[str, Any]:
        """What the form changes of an entrant."""
        return {"players": self.people()}

    def how(self) -> dict[str, Any]:
        return {"reason": self.cleaned_data["reason"], "namesakes": self.cleaned_data["namesakes"]}

    @property
    def player_rows(self) -> list[tuple[Any, ...]]:
        return [
            tuple(self[f"player_{order}{ending}"] for ending in self.PARTS.values())
            for order in range(1, self.PLAYERS + 1)
        ]

    def add_refusal(self, refusal: Refusal) -> None:
        super().add_refusal(refusal)
        if refusal.code in ("namesake", "reason_missing"):
            self.asks = refusal.code

    asks = ""


class EntrantForm(PlayersForm):
    """One entrant with its players."""

    OWN = ("number", "name", "name_latin", "unit", "category", "seed", "external_id")

    number = forms.IntegerField(label=_("Number"), min_value=1, max_value=9999, required=False)
    name = forms.CharField(label=_("Name"), max_length=80, required=False, help_text=_("Empty: named by the players"))
    name_latin = forms.CharField(label=_("Latin name"), max_length=80, required=False)
    unit = forms.CharField(label=_("Unit"), max_length=80, required=False)
    category = forms.CharField(label=_("Category"), max_length=40, required=False)
    seed = forms.IntegerField(
        label=_("Seed"), min_value=1, max_value=9999, required=False, help_text=_("1 is the strongest; empty: unseeded")
    )
    external_id = forms.CharField(label=_("External id"), max_length=64, required=False)

    @classmethod
    def initial_of(cls, entrant: Entrant) -> dict[str, Any]:
        return {name: getattr(entrant, name) for name in cls.OWN} | super().initial_of(entrant)

    def changes(self) -> dict[str, Any]:
        return self.facts() | super().changes()

    def facts(self) -> dict[str, Any]:
        """The entrant's own fields; without a name it is called by its players."""
        facts = {name: self.cleaned_data[name] for name in self.OWN}
        people = self.people()
        facts["name"] = facts["name"] or " / ".join(person["name"] for person in people)
        latin = [person["name_latin"] for person in people]
        facts["name_latin"] = facts["name_latin"] or (" / ".join(latin) if all(latin) else "")
        return facts


class PublishForm(Refusable, forms.Form):
    """The number of the round, typed once more, and why a table that was published is replaced."""

    reason = forms.CharField(
        label=_("Reason, published with it"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": 300, "required": True}),
    )
    round = forms.CharField(
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}), max_length=20
    )

    def __init__(self, *args: Any, number: int, again: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.number = number
        label = _("Type the number of the round (%(n)s) to publish the table after it")
        self.fields["round"].label = label % {"n": number}
        if not again:
            del self.fields["reason"]

    def clean_round(self) -> str:
        typed = str(self.cleaned_data["round"])
        if typed != str(self.number):
            raise forms.ValidationError(_("Type the number of the round, %(n)s."), params={"n": self.number})
        return typed


class ImportForm(Refusable, forms.Form):
    """A list of entrants to look at: a file, or what was copied out of a spreadsheet."""

    file = forms.FileField(
        label=_("CSV or XLSX file"),
        required=False,
        widget=Chooser(attrs={"accept": ".csv,.txt,.xlsx", "required": True, "data-send": True}),
    )
    text = forms.CharField(
        label=_("Paste the list here"),
        widget=forms.Textarea(
            attrs={
                "rows": 6,
                "cols": False,
                "required": True,
                "placeholder": _("Copy the cells there, paste them here"),
            }
        ),
        required=False,
    )
    encoding = forms.ChoiceField(
        label=_("Letters of a CSV file"),
        choices=[("", _("detected automatically")), ("utf-8", "UTF-8"), ("gb18030", "GB18030")],
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        sent: dict[str, Any] = super().clean() or {}
        if not sent.get("file") and not sent.get("text") and not self.errors:
            self.add_error("file", _("Choose a file, or paste the list."))
        return sent


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


class OfficialForm(Refusable, forms.Form):
    """Who gets an office; a name that nobody has makes a new person, anybody else is invited."""

    username = forms.SlugField(label=_("Name to sign in with"), max_length=60)
    display_name = forms.CharField(label=_("Name"), max_length=80, required=False)
    office = forms.ChoiceField(label=_("Office"), choices=Office.choices)
    tables = forms.RegexField(
        label=_("Tables"),
        regex=r"^[0-9]{1,4}([ ,]+[0-9]{1,4})*$",
        required=False,
        help_text=_("For a referee: numbers, as in 1, 2, 3; empty: all tables"),
    )

    def table_numbers(self) -> tuple[int, ...]:
        text = self.cleaned_data["tables"]
        return tuple(int(part) for part in text.replace(",", " ").split()) if text else ()


class PromiseForm(Refusable, forms.Form):
    """Boards whose deals are promised, and who may read them before they are shown."""

    first = forms.IntegerField(label=_("First board"), min_value=1, max_value=1000)
    last = forms.IntegerField(label=_("Last board"), min_value=1, max_value=1000)
    reader = forms.TypedChoiceField(
        label=_("May read the deals"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("An official who does not play. Only this person can print the slips; each reading is recorded."),
    )

    def __init__(self, *args: Any, readers: list[tuple[int, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["reader"].choices = [("", "–"), *readers]


class ApartForm(Refusable, forms.Form):
    """Two entrants to be kept apart, by number; chosen from a list where there are no more than `LISTED`."""

    LISTED: ClassVar[int] = 100

    one = forms.CharField(label=_("Entrant"), max_length=4)
    other = forms.CharField(label=_("Kept apart from"), max_length=4)
    force = forms.ChoiceField(label=_("How much"), choices=WishChoice.choices)
    reason = forms.CharField(label=_("Reason"), max_length=300)

    def __init__(self, *args: Any, entrants: list[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        names = [("", "–"), *((str(one.number), f"{one.number} {shown_name(one)}") for one in entrants)]
        for name in ("one", "other"):
            if len(entrants) <= self.LISTED:
                fields[name].widget = forms.Select(choices=names, attrs={"class": "field"})
            else:
                fields[name].help_text = _("The number of the entrant.")
                fields[name].widget.attrs["inputmode"] = "numeric"


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
