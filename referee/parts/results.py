"""One match from the side of one entrant, in words that every front end uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.parts.formats import exact, signed
from referee.parts.words import BETWEEN, level_word, reached

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.people.entrant_page import EntrantMatch


def how_it_went(one: EntrantMatch) -> str:
    """``won``, ``drawn`` or ``lost`` of a finished match."""
    return "drawn" if one.won is None else "won" if one.won else "lost"


def record_words(hows: Iterable[str]) -> str:
    """``4 wins, 2 draws, 1 loss`` of ``won``, ``drawn``, ``lost``; nothing where there is none."""
    hows = list(hows)
    words = {
        "won": ngettext("%(n)s win", "%(n)s wins", hows.count("won")),
        "drawn": ngettext("%(n)s draw", "%(n)s draws", hows.count("drawn")),
        "lost": ngettext("%(n)s loss", "%(n)s losses", hows.count("lost")),
    }
    joint = pgettext("joins parts of a sentence", ", ")
    return joint.join(word % {"n": hows.count(how)} for how, word in words.items() if how in hows)


def result_of(one: EntrantMatch) -> str:
    """``5 : 2``, own side first: levels, else points; of a single player his level or score."""
    profile = one.round.tournament.profile
    if one.match.outcome.endswith("forfeit"):
        return _("forfeit")
    if one.place is not None:
        return level_word(reached(one.own_level, profile)) if one.own_level else signed(one.own_score)
    if one.own_level or one.opponent_level:
        return BETWEEN.join(level_word(reached(level, profile)) for level in (one.own_level, one.opponent_level))
    return BETWEEN.join(exact(score) for score in (one.own_score, one.opponent_score) if score is not None)
