"""The end at the table in words: how the match ended, and what happens now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.parts.formats import score
from referee.parts.names import shown_name
from referee.parts.words import SIDES_SHORT, level_word, listed
from scoring.hands.variants import Scoring
from scoring.values import Side
from tournaments.boards.reads import others_play
from tournaments.models import StageFormat, TieRule
from tournaments.people.after_match import Now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.parts.words import Word
    from referee.table.screens import Screen
    from tournaments.models import Entrant, Publication
    from tournaments.people.after_match import AfterMatch


@dataclass(frozen=True, slots=True)
class Next:
    """What happens now: `head` in large, `body` below it; `side` where they sit at their next table; `published` is the
    table to look at."""

    head: str
    body: str = ""
    side: str = ""
    published: Publication | None = None


def next_words(after: AfterMatch, entrant: Entrant | None) -> Next:
    """What happens now for who held this place."""
    words = {"n": after.round}
    if after.now is Now.TABLE:
        return _table(after, entrant)
    if after.now is Now.OVER:
        return _over(after)
    heads = {
        Now.PLAYING: (
            _("Round %(n)s is still going on") % words,
            _("The next pairing is made when it is closed. This page shows your table then."),
        ),
        Now.BYE: (_("Round %(n)s: you have a bye") % words, _("You play again in the round after it.")),
        Now.NOT_PAIRED: (
            _("Round %(n)s is paired without you") % words,
            _("You are not in this round. For questions see the desk."),
        ),
        Now.DRAWING: (
            _("The organiser is drawing round %(n)s") % words,
            _("This page shows your table as soon as the pairing is published."),
        ),
        Now.NEXT_STAGE: (
            _("Stage %(n)s is over") % words,
            _("The organiser begins the next stage. This page shows whether you play and where."),
        ),
        Now.TABLE_TO_COME: (_("All rounds are played"), _("The final standings are still to be published.")),
    }
    return Next(*heads[after.now])


def _table(after: AfterMatch, entrant: Entrant | None) -> Next:
    """The next table, against whom, and whether the round has begun."""
    assert after.sitting is not None
    begun = _("It has begun: go there and scan the card of that table.")
    against = _("Against %(names)s.") % {"names": _others(after, entrant)}
    waits = _("It has not begun yet. Scan the card of that table there.")
    return Next(
        _("Round %(n)s: table %(t)s") % {"n": after.round, "t": after.sitting.table.number},
        f"{against} {begun if after.running else waits}",
        side=_side(after, entrant),
    )


def _side(after: AfterMatch, entrant: Entrant | None) -> str:
    match = after.sitting.match if after.sitting is not None else None
    if match is None or entrant is None:
        return ""
    if match.individual:
        return next((row.place for row in match.places.all() if row.entrant_id == entrant.pk), "")
    assert after.sitting is not None
    own = after.sitting.home_side
    return own if match.home_id == entrant.pk else {"NS": "EW", "EW": "NS"}[own]


def _others(after: AfterMatch, entrant: Entrant | None) -> str:
    assert after.sitting is not None
    match = after.sitting.match
    them = [row.entrant for row in match.places.all()] if match.individual else [match.home, match.away]
    return listed(shown_name(one) for one in them if one is not None and one != entrant)


def _over(after: AfterMatch) -> Next:
    """The place at the end of the event."""
    over = _("The event is over")
    if after.rank is None:
        return Next(over, _("The final standings are published."), published=after.published)
    place = _("You share place %(n)s of %(count)s.") if after.shared else _("You finished in place %(n)s of %(count)s.")
    return Next(over, place % {"n": after.rank, "count": after.count}, published=after.published)


def result_words(screen: Screen) -> str:
    """How a match of two sides ended, own side first, in one sentence."""
    winner, state = screen.state.winner, screen.state
    if screen.sitting.boards is not None:
        return _room_words(screen)
    if state.fixed:
        return _points_words(screen)
    mine, theirs = screen.teams
    levels = f"{level_word(mine.level)}\u00a0:\u00a0{level_word(theirs.level)}"
    if winner is not None:
        side = SIDES_SHORT[str(winner)]
        return _("%(levels)s: %(side)s win.") % {"levels": levels, "side": side}
    if state.undecided == TieRule.LOTS:
        return _("%(levels)s: lots decide.") % {"levels": levels}
    if state.undecided:
        return _("%(levels)s: one more hand decides.") % {"levels": levels}
    return _("%(levels)s: a draw.") % {"levels": levels}


def _points_words(screen: Screen) -> str:
    """How a match of fixed hands ended, in what is counted."""
    points, scoring = screen.state.hand_points, screen.state.scoring
    if points == 0:
        return str(_EQUAL[scoring])
    words = {"side": SIDES_SHORT[str(Side.NS if points > 0 else Side.EW)], "n": abs(points)}
    if scoring is Scoring.POINTS:
        return ngettext("%(side)s win by %(n)s point.", "%(side)s win by %(n)s points.", abs(points)) % words
    if scoring is Scoring.WINS:
        return ngettext("%(side)s win by %(n)s hand.", "%(side)s win by %(n)s hands.", abs(points)) % words
    return _("%(side)s win by %(n)s hand points.") % words


_EQUAL: Final[Mapping[Scoring, Word]] = {
    Scoring.HAND_POINTS: gettext_lazy("Hand points level."),
    Scoring.POINTS: gettext_lazy("Points level."),
    Scoring.WINS: gettext_lazy("Both sides won as many hands."),
}


def _room_words(screen: Screen) -> str:
    """What a table on boards can say: a match of teams is decided in both rooms, one of pairs over all tables."""
    match, pairs = screen.sitting.match, screen.sitting.round.stage.format == StageFormat.DUPLICATE_PAIRS
    if match.home_score is None or match.away_score is None:
        if pairs:
            return _("This table has played its boards.")
        return _("This room is done. The match is over when the other room is.")
    own, other = match.home_score, match.away_score
    if screen.side != screen.sitting.home_side:
        own, other = other, own
    words = _score_of_pairs(screen) if pairs else _("The match is over: %(score)s points for your team.")
    return words % {"score": score(own, other)}


def _score_of_pairs(screen: Screen) -> str:
    """The sentence of a pair's score, which moves with what the other tables make of its boards."""
    if not others_play(screen.sitting):
        return _("The match is over: %(score)s points for your pair.")
    return _(
        "This table is done: %(score)s points for your pair, which may still change while other tables"
        " play these boards."
    )
