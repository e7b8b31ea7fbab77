"""What all forms of the desk share: their look, and the refusal of an act shown at its field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from referee.parts.fields import Chooser
from referee.parts.words import in_language

if TYPE_CHECKING:
    from tournaments.acts.errors import Refusal


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
