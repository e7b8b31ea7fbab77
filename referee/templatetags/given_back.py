"""`{% load given_back %}`: fields of a form that hold what was typed when it was refused, and say what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.forms import TextInput
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from referee.desk.act_views import CARRIED, GivenBack

if TYPE_CHECKING:
    from django.template.context import Context
    from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def typed_at(context: Context, address: str, **sent: object) -> GivenBack | None:
    """The form sent to that address, if it was refused just now; `sent` tells forms of one address apart."""
    given: GivenBack | None = getattr(context.get("request"), CARRIED, None)
    if given is None or given.address != address:
        return None
    return given if all(given.value(name) == str(value) for name, value in sent.items()) else None


@register.inclusion_tag("forms/field.html")
def text_row(
    typed: GivenBack | None,
    name: str,
    *,
    id: str,
    label: str,
    at: int = 0,
    usual: str = "",
    optional: bool = False,
    help: str = "",
    **attrs: Any,
) -> dict[str, Any]:
    """A labelled text field, drawn as those of Django's forms. `usual` stands in it at first; `attrs`: others of the
    input, as maxlength."""
    value = None if typed is None else typed.value(name, at)
    wrong = "" if typed is None else typed.wrong.get(name, "")
    described = " ".join(f"{id}_{part}" for part, said in (("helptext", help), ("error", wrong)) if said)
    attrs |= {"class": "field", "id": id, "required": not optional, "aria-describedby": described or False}
    if wrong:
        attrs |= {"aria-invalid": "true", "autofocus": True}
    widget = TextInput(attrs).render(name, usual if value is None else value)
    known = {"id_for_label": id, "auto_id": id, "label": label, "help_text": help, "as_widget": widget}
    return {"field": known | {"errors": [wrong] if wrong else []}}


@register.simple_tag
def chosen(typed: GivenBack | None, name: str, value: object, *, usual: object = None, word: str = "selected") -> str:
    """``selected`` (or `word`) on the option that was chosen; `usual`: the one that stands at first."""
    picked = None if typed is None else typed.value(name)
    return word if str(value) == str(usual if picked is None else picked) else ""


@register.simple_tag
def wrong(typed: GivenBack | None, name: str) -> SafeString:
    """What is wrong with a choice, under it."""
    said = "" if typed is None else typed.wrong.get(name, "")
    return format_html('<span class="field-error">{}</span>', said) if said else mark_safe("")
