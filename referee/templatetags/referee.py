"""`{% load referee %}`: the small words and marks of the game, and the parts built from them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from referee.parts import formats, navigation, notices, rulings, states, words
from referee.parts.names import names_its_players, shown_name
from scoring.profiles import titles

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from scoring.profiles import Profile
    from tournaments.models import Tournament

register = template.Library()
register.filter("shown_name", shown_name)
register.filter("names_its_players", names_its_players)

register.filter("exact", formats.exact)
register.filter("signed", formats.signed)
register.filter("clock", formats.clock)
register.filter("age", formats.age)
register.filter("in_language", words.in_language)
register.filter("notices", notices.notices)


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
def clause(profile: object, clause_id: object, apart: bool = False) -> SafeString:
    """A chip with what the clause is called that links to its text by its id; `profile` is a Profile or its id. Of a
    clause that nobody knows the id is shown. `apart`: clauses of the profile that are called alike are numbered."""
    code = str(getattr(clause_id, "id", clause_id))
    known = getattr(profile, "clauses", None)
    found = (known.get(code) if isinstance(known, Mapping) else None) or titles.beside(code)
    called = code if found is None else words.in_language(titles.title_of(found))
    if apart and found is not None and isinstance(known, Mapping):
        alike = [one.id for one in known.values() if titles.title_of(one) == titles.title_of(found)]
        called = f"{called} {alike.index(code) + 1}" if len(alike) > 1 and code in alike else called
    return format_html(
        '<a class="clause" href="{}" title="{}">{}</a>',
        navigation.clause_address(profile, code),
        "" if found is None else words.in_language(found.text),
        called,
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
