"""`{% load frame %}`: what stands around the content of a page: its head, its bars, its streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from referee import static_files
from referee.parts import live, navigation, printed, views, words

if TYPE_CHECKING:
    from django.template.context import Context

    from tournaments.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def root_attributes(context: Context) -> SafeString:
    """``lang``, ``data-theme`` and ``data-suits`` of the root element."""
    request = context.get("request")
    return format_html(
        'lang="{}" data-theme="{}" data-suits="{}"',
        words.language_tag(),
        views.preference_of(request, "theme"),
        views.preference_of(request, "suits"),
    )


@register.simple_tag
def first_styles() -> SafeString:
    """The styles of a first screen, inside the page: it is painted before anything else has come."""
    return mark_safe(f"<style>{static_files.first_styles(settings.BASE_DIR)}</style>")  # noqa: S308 - our own files


@register.simple_tag
def module(name: str) -> SafeString:
    """A module of ours, and word of all that it imports: a browser asks for them at once, not one after another."""
    ahead = [(static(one),) for one in static_files.imports(settings.BASE_DIR, name)]
    links = format_html_join("", '<link rel="modulepreload" href="{}">', ahead)
    return format_html('{}<script type="module" src="{}"></script>', links, static(name))


@register.simple_tag
def live_event(slug: str, who: User | None = None) -> str:
    """The address of an event's live stream; `who` has been let in and hears more than strangers do."""
    address = live.event_stream(slug)
    return address if who is None else live.with_pass(address, who)


@register.simple_tag
def live_sitting(sitting_id: int, who: User | None = None) -> str:
    """The address of a sitting's live stream; `who` has been let in and hears more than strangers do."""
    address = live.sitting_stream(sitting_id)
    return address if who is None else live.with_pass(address, who)


@register.inclusion_tag("partials/codes_warning.html", takes_context=True)
def codes_warning(context: Context) -> dict[str, Any]:
    """Said where codes are printed, when the address in them opens nothing on a phone."""
    request = context.get("request")
    return {"warning": None if request is None else printed.codes_warning(request)}


@register.inclusion_tag("partials/language_switch.html", takes_context=True)
def language_switch(context: Context) -> dict[str, Any]:
    """To the same page in the other language: a link where the address carries the language, else a small form."""
    request = context.get("request")
    other = "en" if words.page_language() == "zh" else "zh"
    here = views.page_address(request) if request is not None else None
    return {
        "here": here,
        "address": navigation.in_other_language(here, other) if here else None,
        "to": "en" if other == "en" else "zh-hans",
        "tag": "en" if other == "en" else "zh-Hans",
        "short": "EN" if other == "en" else "中文",
        "name": "English" if other == "en" else "简体中文",
    }


@register.inclusion_tag("partials/preferences.html", takes_context=True)
def preferences(context: Context) -> dict[str, Any]:
    """Theme and suits as plain forms, the present choice marked."""
    request = context.get("request")
    return {
        "here": views.page_address(request) if request is not None else None,
        "theme": views.preference_of(request, "theme"),
        "suits": views.preference_of(request, "suits"),
        "themes": (("auto", _("by the system")), ("light", _("light")), ("dark", _("dark"))),
        "decks": (("two", _("two colours")), ("four", _("four colours"))),
    }


@register.inclusion_tag("partials/site_links.html")
def site_links(bar: str, event: object, current: str = "") -> dict[str, Any]:
    """The links of the ``desk`` or ``public`` bar of an event; `current` is the key of the page shown."""
    label = _("Desk") if bar == "desk" else _("Event")
    return {"links": navigation.bar_links(bar, str(getattr(event, "slug", event))), "current": current, "label": label}


@register.inclusion_tag("partials/site_links.html")
def site_bar(tournament: object, current: str = "") -> dict[str, Any]:
    """What every public page leads to, of an event or not; `current` is the key of the page shown. A script shows the
    way to the reader's own table, for only the browser knows it."""
    links = navigation.site_links(str(getattr(tournament, "slug", "")))
    return {"links": links, "current": current, "label": "Referee", "own_table": True}
