"""Forms of those who play: players, entrants, lists of them, two that are kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from referee.desk.forms.house import Refusable, dress
from referee.parts.fields import Chooser
from referee.parts.names import shown_name
from tournaments.models import WishChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.acts.errors import Refusal
    from tournaments.models import Entrant


class PlayersForm(Refusable, forms.Form):
    """The players of an entrant, up to six; rows left empty are left out."""

    PLAYERS = 6
    #: What is asked of a player, and how the field's name ends, as in a table of entrants.
    PARTS: ClassVar[dict[str, str]] = {"name": "", "name_latin": "_latin", "external_id": "_id"}

    reason = forms.CharField(label=_("Reason, shown in the history"), max_length=300, required=False)
    namesakes = forms.BooleanField(label=_("Players of the same name are different people"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = {"name": _("Player"), "name_latin": _("Latin name of player"), "external_id": _("Id of player")}
        for order in range(1, self.PLAYERS + 1):
            for part, ending in self.PARTS.items():
                longest = 64 if part == "external_id" else 60
                self.fields[f"player_{order}{ending}"] = forms.CharField(
                    label=format_lazy("{} {}", labels[part], order), max_length=longest, required=False
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

    @property
    def has_more(self) -> bool:
        """Whether anything stands, or is wrong, in the fields that most forms leave empty."""
        usual = {"name", "reason", "namesakes", *(f"player_{order}" for order in range(1, self.PLAYERS + 1))}
        return any(self[name].value() or self[name].errors for name in self.fields if name not in usual)

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
        own = {name: getattr(entrant, name) for name in cls.OWN}
        if entrant.name == _called([player.name for player in entrant.players.all()]):
            own["name"] = ""  # so it follows when a partner is found
        return own | super().initial_of(entrant)

    def changes(self) -> dict[str, Any]:
        return self.facts() | super().changes()

    def facts(self) -> dict[str, Any]:
        """The entrant's own fields; without a name it is called by its players."""
        facts = {name: self.cleaned_data[name] for name in self.OWN}
        people = self.people()
        facts["name"] = facts["name"] or _called([person["name"] for person in people])
        latin = [person["name_latin"] for person in people]
        facts["name_latin"] = facts["name_latin"] or (" / ".join(latin) if all(latin) else "")
        return facts


def _called(players: Sequence[str]) -> str:
    return " / ".join(players)


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
