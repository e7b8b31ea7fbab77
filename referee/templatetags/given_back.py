"""`{% load given_back %}`: fields of a form that hold what was typed when it was refused, and say what is wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import template
from django.forms import Select, TextInput
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from referee.desk.act_views import CARRIED, GivenBack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.forms import Widget
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
def text_row(typed: GivenBack | None, name: str, *, usual: str = "", at: int = 0, **shown: Any) -> dict[str, Any]:
    """A labelled text field. `usual` stands in it at first; `shown`: what `_row` draws."""
    return _row(TextInput, typed, name, usual, at, **shown)


@register.inclusion_tag("forms/field.html")
def choice_row(
    typed: GivenBack | None, name: str, options: Iterable[tuple[Any, Any]], *, usual: object = "", **shown: Any
) -> dict[str, Any]:
    """A labelled list to choose from; `empty`: the words for no choice, where there is one."""
    empty = shown.pop("empty", "–")
    offered = [*([("", empty)] if empty else []), *options]
    return _row(partial(Select, choices=offered), typed, name, usual, **shown)


@register.inclusion_tag("forms/keys.html")
def key_row(
    typed: GivenBack | None,
    name: str,
    options: Iterable[tuple[Any, Any]],
    *,
    label: str,
    usual: object = "",
    optional: bool = False,
    css: str = "wrap",
) -> dict[str, Any]:
    """Keys of which one is chosen, under what they are about."""
    picked = None if typed is None else typed.value(name)
    return {
        "name": name,
        "label": label,
        "options": [(str(code), word) for code, word in options],
        "chosen": str(usual if picked is None else picked),
        "required": not optional,
        "css": css,
        "wrong": "" if typed is None else typed.wrong.get(name, ""),
    }


def _row(
    widget: Callable[..., Widget],
    typed: GivenBack | None,
    name: str,
    usual: object,
    at: int = 0,
    *,
    id: str,
    label: str,
    optional: bool = False,
    help: str = "",
    **attrs: Any,
) -> dict[str, Any]:
    """A field for the template that draws those of Django's forms; `attrs`: others of its widget, as maxlength."""
    value = None if typed is None else typed.value(name, at)
    wrong = "" if typed is None else typed.wrong.get(name, "")
    described = " ".join(f"{id}_{part}" for part, said in (("helptext", help), ("error", wrong)) if said)
    attrs |= {"class": "field", "id": id, "required": not optional, "aria-describedby": described or False}
    if wrong:
        attrs |= {"aria-invalid": "true", "autofocus": True}
    drawn = widget(attrs).render(name, usual if value is None else value)
    known = {"id_for_label": id, "auto_id": id, "label": label, "help_text": help, "as_widget": drawn}
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
