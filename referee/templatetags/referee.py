"""`{% load referee %}`: the small words and marks of the game, and the parts built from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from referee import static_files
from referee.hands.words import CATEGORIES
from referee.parts import formats, live, navigation, notices, printed, rulings, states, views, words
from referee.parts.names import names_its_players, shown_name
from referee.pictures.ruler import draw
from scoring.hands.variants import with_line
from scoring.profiles import titles
from scoring.values import LEVELS, Level

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from django.template.context import Context

    from referee.hands.forms import HandForm
    from scoring.profiles import Profile
    from tournaments.models import Tournament, User

register = template.Library()
register.filter("shown_name", shown_name)
register.filter("names_its_players", names_its_players)

register.filter("exact", formats.exact)
register.filter("signed", formats.signed)
register.filter("clock", formats.clock)
register.filter("age", formats.age)
register.filter("in_language", words.in_language)
register.filter("notices", notices.notices)


# The page


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


# Marks


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """A line icon of the sprite; silent unless it has a `label`."""
    return format_html('<svg class="icon" {}><use href="#i-{}"/></svg>', _spoken(label), name)


@register.simple_tag
def suit(code: object, label: bool = False) -> SafeString:
    """A suit (``S H C D``) or joker (``JS JB``) as a symbol; with `label` it is read aloud in the page's language."""
    css, word = words.SUITS[str(code)]
    return format_html(
        '<svg class="suit {}" {}><use href="#suit-{}"/></svg>', css, _spoken(str(word) if label else ""), str(code)
    )


@register.simple_tag
def trump(code: object) -> SafeString:
    """A trump as symbol and word; no-trump is the word alone."""
    if str(code) == "NT":
        return format_html("{}", words.NO_TRUMP)
    return format_html('<span class="nowrap">{} {}</span>', suit(code), words.SUITS[str(code)][1])


@register.simple_tag
def card(text: object, state: str = "") -> SafeString:
    """A playing card face (``HJ``, ``S10``, ``JB``; ``?`` is a back); `state` ``dim`` or ``deciding``."""
    code = str(text)
    if code == "?":
        return format_html('<span class="card back" role="img" aria-label="{}">?</span>', _("unknown card"))
    rank, mark, css = _card_parts(code)
    return format_html(
        '<span class="card {} {}" role="img" aria-label="{}">{}{}</span>',
        css,
        state,
        words.card_words(code),
        rank,
        mark,
    )


@register.simple_tag
def card_text(text: object) -> SafeString:
    """A card inside a sentence: its suit and rank in its colour, read in full."""
    code = str(text)
    rank, mark, css = _card_parts(code)
    return format_html(
        '<span class="card-text {}"><span aria-hidden="true">{}{}</span><span class="hidden-text">{}</span></span>',
        css,
        mark,
        rank,
        words.card_words(code),
    )


#: Characters of the longest level in a box: what is longer stands as words without one.
_LONGEST_RANK = 3


@register.simple_tag
def level(value: object, css: str = "") -> SafeString:
    """A level as a boxed rank; a level after A, or past the last, is words. `css` is ``big`` and, or, ``was``."""
    word = words.level_word(value)
    long = "past " if len(word) > _LONGEST_RANK else ""
    return format_html('<span class="level {}{}">{}</span>', long, css, word)


@register.simple_tag
def level_change(before: object, after: object) -> SafeString:
    """``4 → 6``, the old level dashed; one box where nothing changed."""
    if str(before) == str(after):
        return level(after)
    return format_html(
        '<span class="level-change">{} <span aria-hidden="true">→</span><span class="hidden-text">{}</span> {}</span>',
        level(before, "was"),
        _("to"),
        level(after),
    )


@register.simple_tag
def side(code: object, form: str = "short") -> SafeString:
    """A side: the table from above with its two seats filled, and the word; `form` ``full``, ``short`` or ``mark``.

    A place of single players is its number in a circle, and the word.
    """
    if str(code) in words.PLACES:
        word = words.PLACES[str(code)]
        if form == "mark":
            return format_html('<span class="place-mark" {}>{}</span>', _spoken(str(word)), str(code))
        return format_html('<span class="side">{}</span>', word)
    name = words.SIDES_SHORT if form == "short" else words.SIDES
    mark = format_html(
        '<svg class="side-mark" {}><use href="#side-{}"/></svg>',
        _spoken(str(words.SIDES[str(code)]) if form == "mark" else ""),
        str(code),
    )
    if form == "mark":
        return mark
    return format_html('<span class="side">{} {}</span>', mark, name[str(code)])


@register.filter
def side_word(code: object, form: str = "full") -> str:
    """North–South, or N–S with ``"short"``."""
    return str((words.SIDES_SHORT if form == "short" else words.SIDES)[str(code)])


@register.filter
def seat_word(code: object) -> str:
    """North, West, South, East; of single players Seat 1 to Seat 5."""
    return str(words.PLAYERS[str(code)])


@register.filter
def role_word(code: object) -> str:
    """Dealer side, attackers."""
    return str(words.ROLES[str(code)])


@register.filter
def reached(level: object, profile: Profile) -> str:
    """A final level of a match for ``{% level %}`` and ``level_word``, by the ladder of its rules."""
    return words.reached(level, profile)


@register.filter
def level_word(code: object) -> str:
    """A rank, or the name of a level after A."""
    return words.level_word(code)


@register.filter
def playing(code: object) -> str:
    """What a side at that level does: playing 5, at the flag."""
    return words.playing(code)


@register.filter
def trump_word(code: object) -> str:
    """Spades … no-trump."""
    return str(words.NO_TRUMP if str(code) == "NT" else words.SUITS[str(code)][1])


@register.filter
def card_words(code: object) -> str:
    """A card as it is read aloud."""
    return words.card_words(str(code))


register.simple_tag(words.mark)
register.filter(words.listed)


@register.filter
def clause_name(clause_id: object, tournament: Tournament) -> str:
    """A clause that a ruling of the event cites: its id, or of a penalty the offence in words."""
    return rulings.clause_name(tournament, str(clause_id))


@register.filter
def in_tongues(text: object) -> SafeString:
    """A name that may be in another language than the page: each stretch of the other one says which it is."""
    return format_html_join("", "{}", ((part,) for part in words.in_tongues(str(text))))


@register.filter
def reason_words(reason: object, tournament: Tournament) -> str:
    """Why something was recorded; of what a ruling did, its verdict in the language of the page."""
    return rulings.reason_words(str(reason), tournament)


@register.simple_tag
def status(state: str, text: object = "", tone: str | None = None) -> SafeString:
    """A state as a pill with sign and word; `text` says more (``Dispute 2:40``) and replaces the word."""
    known = states.STATES[state]
    return format_html(
        '<span class="pill {}">{}{}</span>', known.tone if tone is None else tone, icon(known.icon), text or known.word
    )


@register.simple_tag
def clause(profile: object, clause_id: object) -> SafeString:
    """A chip with what the clause is called that links to its text by its id; `profile` is a Profile or its id. Of a
    clause that nobody knows the id is shown."""
    code = str(getattr(clause_id, "id", clause_id))
    known = getattr(profile, "clauses", None)
    found = (known.get(code) if isinstance(known, Mapping) else None) or titles.beside(code)
    return format_html(
        '<a class="clause" href="{}" title="{}">{}</a>',
        navigation.clause_address(profile, code),
        "" if found is None else words.in_language(found.text),
        code if found is None else words.in_language(titles.title_of(found)),
    )


# Parts of lists


@register.simple_tag
def worded_once(template_name: str, **values: Hashable) -> SafeString:
    """A row of a long list, by its template: while its values and the language are the same, so are its words, and
    they are not made anew. The values are plain; a text is never marked as safe here and unsafe there."""
    return _worded(template_name, words.page_language(), tuple(values.items()))


@lru_cache(maxsize=4096)
def _worded(template_name: str, language: str, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return render_to_string(template_name, dict(values))


# Figures and times


@register.simple_tag
def score(own: object, other: object) -> SafeString:
    """``2 : 0`` with no-break spaces."""
    return format_html('<span class="score">{}</span>', formats.score(own, other))


@register.filter
def event_time(moment: datetime | None, where: object) -> SafeString:
    """``14:30`` in the zone of `where` (a tournament, a zone or its name)."""
    return _time(moment, formats.event_time, where)


@register.filter
def event_date(moment: datetime | None, where: object) -> SafeString:
    """``16 May`` · ``5 月 16 日``."""
    return _time(moment, formats.event_date, where)


@register.filter
def event_date_time(moment: datetime | None, where: object) -> SafeString:
    """``16 May, 14:30`` · ``5 月 16 日 14:30``."""
    return _time(moment, formats.event_date_time, where)


@register.simple_tag
def ago(then: datetime, now: datetime) -> SafeString:
    """An age as a ``<time>``: ``4 min ago`` · ``4 分前``."""
    return format_html('<time datetime="{}">{}</time>', then.isoformat(), formats.age(then, now))


@register.simple_tag
def remaining(span: timedelta | int) -> SafeString:
    """A clock: ``34:48``."""
    return format_html('<span class="nowrap">{}</span>', formats.clock(span))


# Drawings


@register.inclusion_tag("partials/ruler.html")
def ruler(
    profile: Any,
    total: int | None = None,
    *,
    name: str = "",
    value: int | None = None,
    label: str = "",
    follow: bool = False,
    low: int | None = None,
    high: int | None = None,
    counts: Mapping[int, int] | None = None,
    level: str = "",
    line: int | None = None,
) -> dict[str, Any]:
    """A profile's level table (of a hand at `level`, where it matters) to scale with the flag at `total`; `line`: as
    the dealer of the hand set it.

    With `name` it carries a slider called ``<name>-slider`` at `value`, tied by script to the number field of that
    `name`; `follow` lets the flag follow the slider (a calculator), else the page's script moves it. `counts` are
    hands per total, as bars.
    """
    played = Level(level) if level in LEVELS else None
    rules = with_line(profile, line) if line else profile
    drawn = draw(
        lambda least, most: rules.bands(least, most, played),
        points_max=int(profile.points_max),
        total=total,
        low=low,
        high=high,
        counts=counts,
    )
    words_for_label = label or _("Points in tricks")
    return {"ruler": drawn, "name": name, "value": value, "label": words_for_label, "follow": follow}


@register.inclusion_tag("partials/stepper.html")
def stepper(
    name: str, value: object = "", *, step: int = 5, low: int = 0, high: int | None = None, error: str = ""
) -> dict[str, Any]:
    """A number with keys −`step` and +`step` beside it (script ties them; the plain field works without)."""
    return {
        "name": name,
        "value": "" if value is None else value,
        "step": step,
        "low": low,
        "high": high,
        "error": error,
    }


#: What a form offers by codes alone, in words.
_SAID: Final[Mapping[str, Callable[[object], str]]] = {
    "seat": seat_word,
    "role": role_word,
    "side": side_word,
    "level": level_word,
    "trump": trump_word,
    "category": lambda code: str(CATEGORIES[str(code)]),
}


def _offered(options: Iterable[Any], said: str) -> list[tuple[str, str]]:
    """Code and word of each: of a pair its word in the language of the page, of a code alone the word `said` has."""
    pairs = (one[:2] if isinstance(one, tuple | list) else (one, _SAID[said](one)) for one in options)
    return [(str(code), words.in_language(word)) for code, word in pairs]


@register.inclusion_tag("partials/keys.html")
def keys(
    name: str,
    options: Iterable[Any],
    chosen: object = "",
    *,
    said: str = "",
    empty: str | None = None,
    css: str = "",
    required: bool = False,
) -> dict[str, Any]:
    """Keys of which one can be chosen. `options` are pairs of code and word, or codes `said` as ``seat``, ``role``, …;
    `empty` is the word of the key that chooses nothing."""
    none = [] if empty is None else [("", empty)]
    return {
        "name": name,
        "options": none + _offered(options, said),
        "chosen": "" if chosen is None else str(chosen),
        "said": said,
        "css": css,
        "required": required,
    }


@register.inclusion_tag("partials/key.html")
def key(name: str, value: str, word: object, chosen: object = "", *, required: bool = False) -> dict[str, Any]:
    """One key of several that no list holds."""
    return {"name": name, "value": value, "word": word, "chosen": chosen, "required": required}


@register.inclusion_tag("partials/options.html")
def options(offered: Iterable[Any], chosen: object = "", *, said: str = "", empty: str | None = None) -> dict[str, Any]:
    """What a ``<select>`` offers, as `keys` takes it."""
    return {"options": _offered(offered, said), "chosen": "" if chosen is None else str(chosen), "empty": empty}


@register.inclusion_tag("table/number.html")
def number(name: str, label: str, typed: HandForm, errors: Mapping[str, list[str]], *, high: int) -> dict[str, Any]:
    """A number of a hand on the phone: its label and keys, what was typed, and what is wrong with it."""
    found = errors.get(name, []) if errors else []
    return {"name": name, "label": label, "value": typed.get(name), "sentences": found, "high": high}


@register.inclusion_tag("partials/plot.html")
def plot(drawn: object, title: str, name: str = "plot") -> dict[str, Any]:
    """A plot of `referee.pictures.plots` as a figure: title, finding, drawing, the numbers as a table."""
    return {"plot": drawn, "title": title, "name": name}


def _spoken(label: str) -> SafeString:
    if not label:
        return mark_safe('aria-hidden="true"')
    return format_html('role="img" aria-label="{}"', label)


def _card_parts(code: str) -> tuple[str, SafeString, str]:
    """Rank shown, symbol, class of a card face."""
    if code in ("JS", "JB"):
        return "", suit(code), "big-joker" if code == "JB" else "small-joker"
    return code[1:], suit(code[0]), words.SUITS[code[0]][0]


def _time(moment: datetime | None, write: Any, where: object) -> SafeString:
    if moment is None:
        return SafeString("")
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), write(moment, where))
