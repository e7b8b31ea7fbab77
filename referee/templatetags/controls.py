"""`{% load controls %}`: what is tapped and typed into: keys, numbers, choices, and the ruler of points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.utils.translation import gettext as _

from referee.hands.words import CATEGORIES
from referee.parts import words
from referee.pictures.ruler import draw
from referee.templatetags.referee import level_word, role_word, seat_word, side_word, trump_word
from scoring.hands.variants import with_line
from scoring.values import LEVELS, Level

if TYPE_CHECKING:
    from referee.hands.forms import HandForm

register = template.Library()


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
