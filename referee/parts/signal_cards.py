"""The signal card of an entrant on pages: its words, and the form by which it is filed at the desk and on a phone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from referee.parts.words import in_language
from scoring.signals.convention import POINT_RANKS
from scoring.signals.words import CHANNELS, TOPICS
from scoring.values import RANKS
from tournaments.signals.acts import MEANING_LENGTH, NOTES_LENGTH, SYSTEM_LENGTH, Agreement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.values import Text
    from tournaments.acts.errors import Refusal
    from tournaments.models import SignalCard

#: The ranks that a direct signal may have, high to low; cards that are worth points are none.
DIRECT_RANKS: Final = tuple(rank for rank in reversed(RANKS) if rank not in POINT_RANKS)
LINES: Final = 4
_PAIR: Final = re.compile(r"(10|[2-9JQKA])\s*(?:=|→|->|:|：|＝)\s*(10|[2-9JQKA])")
_RANK: Final = re.compile("10|[2-9JQKAjqka]")


@dataclass(frozen=True, slots=True)
class Line:
    """One indirect signal in words."""

    topic: str
    by: str
    ranks: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A card as everybody sees it; `instead` are pairs of ranks, the level first."""

    card: SignalCard
    direct: tuple[str, ...]
    instead: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]


def shown_card(card: SignalCard) -> Shown:
    lines = tuple(
        Line(
            in_language(TOPICS[one["topic"]]), in_language(CHANNELS[one["by"]]), " ".join(one["ranks"]), one["meaning"]
        )
        for one in card.indirect
    )
    return Shown(card, tuple(card.direct), tuple(card.instead.items()), lines)


def _offered(words: Mapping[str, Text]) -> list[tuple[str, str]]:
    return [("", "–"), *((code, in_language(text)) for code, text in words.items())]


class CardForm(forms.Form):
    """A signal card to fill in. Where the event prescribes a system its ranks are there already."""

    direct = forms.MultipleChoiceField(
        label=_("Direct signal: played to a side ace, these cards say that the other ace is here"),
        choices=[(rank, rank) for rank in DIRECT_RANKS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    instead = forms.CharField(
        label=_("When one of them is the level, which rank takes over?"),
        help_text=_("For example 8 = 7. Left empty, nothing takes over."),
        max_length=60,
        required=False,
    )
    system = forms.CharField(label=_("Name of the system"), max_length=SYSTEM_LENGTH, required=False)
    notes = forms.CharField(
        label=_("Anything else the opponents should know"),
        max_length=NOTES_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, prescribed: Sequence[str] = (), reasoned: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prescribed = tuple(prescribed)
        for at in range(LINES):
            self.fields[f"topic{at}"] = forms.ChoiceField(label=_("About"), choices=_offered(TOPICS), required=False)
            self.fields[f"by{at}"] = forms.ChoiceField(label=_("Shown"), choices=_offered(CHANNELS), required=False)
            self.fields[f"ranks{at}"] = forms.CharField(label=_("Ranks"), max_length=40, required=False)
            self.fields[f"meaning{at}"] = forms.CharField(
                label=pgettext_lazy("of a signal", "Meaning"), max_length=MEANING_LENGTH, required=False
            )
        if reasoned:
            self.fields["reason"] = forms.CharField(label=_("Reason, shown in the history"), max_length=300)
        for field in self.fields.values():
            if not isinstance(field.widget, forms.CheckboxSelectMultiple):
                field.widget.attrs.setdefault("class", "field")

    @classmethod
    def initial_of(cls, card: SignalCard | None, prescribed: Sequence[str]) -> dict[str, Any]:
        """What stands in the fields at first: the card that holds."""
        if card is None:
            return {"direct": list(prescribed)}
        known = {
            "direct": card.direct,
            "instead": ", ".join(f"{one} = {other}" for one, other in card.instead.items()),
            "system": card.system,
            "notes": card.notes,
        }
        for at, one in enumerate(card.indirect[:LINES]):
            known |= {
                f"topic{at}": one["topic"],
                f"by{at}": one["by"],
                f"ranks{at}": " ".join(one["ranks"]),
                f"meaning{at}": one["meaning"],
            }
        return known

    @property
    def line_rows(self) -> list[tuple[list[Any], Any]]:
        """The fields of each further signal; what it means stands on a line of its own."""
        return [
            ([self[f"{name}{at}"] for name in ("topic", "by", "ranks")], self[f"meaning{at}"]) for at in range(LINES)
        ]

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        if typed.get("instead") and not _PAIR.search(typed["instead"].upper()):
            self.add_error("instead", _("Write it as 8 = 7."))
        for at in range(LINES):
            if typed.get(f"topic{at}") and not typed.get(f"by{at}"):
                self.add_error(f"by{at}", _("Say how it is shown."))
            if typed.get(f"by{at}") and not typed.get(f"topic{at}"):
                self.add_error(f"topic{at}", _("Say what it is about."))
        return typed

    def agreement(self) -> Agreement:
        """The card as the act takes it."""
        typed = self.cleaned_data
        lines = [
            {
                "topic": typed[f"topic{at}"],
                "by": typed[f"by{at}"],
                "ranks": _RANK.findall(typed[f"ranks{at}"].upper()),
                "meaning": typed[f"meaning{at}"],
            }
            for at in range(LINES)
            if typed[f"topic{at}"]
        ]
        return Agreement(
            direct=list(typed["direct"]),
            instead=dict(_PAIR.findall(typed["instead"].upper())),
            indirect=lines,
            system=typed["system"],
            notes=typed["notes"],
        )

    def add_refusal(self, refusal: Refusal) -> None:
        """What the act refused, above the form or at its field."""
        for one in refusal.findings or [refusal]:
            field = (one.field or "").removeprefix("card.")
            self.add_error(field if field in self.fields else None, in_language(one.message))
