"""The knockout of a stage as a picture: its published matches with levels, who won, and the words of its rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.parts.names import shown_name
from referee.parts.words import level_word, reached
from referee.pictures.bracket import Bracket, Meeting, Party, draw
from tournaments.models import Match, MatchOutcome, StageFormat
from tournaments.plans.plan import Bracket as Kind
from tournaments.rounds import public

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.models import Entrant, Round, Stage

_THIRD = 3


def bracket_page(
    stage: Stage, rounds: Sequence[Round], address: Callable[[Match], str] | None = None
) -> dict[str, Any]:
    """What a page shows of a knockout: the picture, and what it shows in one sentence; nothing where there is none."""
    bracket = _bracket_of(stage, rounds, address)
    return {} if bracket is None else {"bracket": bracket, "bracket_finding": _finding_of(bracket)}


def _bracket_of(stage: Stage, rounds: Sequence[Round], address: Callable[[Match], str] | None) -> Bracket | None:
    """The picture of a knockout after these of its rounds, in order; None for another format or before any is drawn.

    `address` gives the page of a match, empty where it has none.
    """
    if stage.format != StageFormat.KO_TIMED or not rounds:
        return None
    tree = stage.directing.bracket is Kind.BRACKET
    meetings = [
        _meeting(match, column, address)
        for column, round_ in enumerate(rounds)
        for match in public.round_matches(round_)
    ]
    if not meetings:
        return None
    columns = max(len(rounds), stage.rounds_planned if tree and stage.begun_at else 0, _needed(meetings) if tree else 0)
    heads = [_head(columns - 1 - column) if tree else _("Round %(n)s") % {"n": column + 1} for column in range(columns)]
    return draw(meetings, heads)


def _needed(meetings: Sequence[Meeting]) -> int:
    """Rounds until one is left, by the slots of the first round."""
    most = max((one.slot << one.column for one in meetings if not one.third), default=1)
    return (most - 1).bit_length() + 1


def _head(until_final: int) -> str:
    """The word of a round by how many follow it."""
    if until_final == 0:
        return _("Final")
    if until_final == 1:
        return _("Semi-finals")
    if until_final == 2:
        return _("Quarter-finals")
    return _("Last %(n)s") % {"n": 2 << until_final}


def _meeting(match: Match, column: int, address: Callable[[Match], str] | None) -> Meeting:
    profile = match.round.tournament.profile
    return Meeting(
        column=column,
        slot=match.slot or 0,
        upper=_party(match.home, reached(match.home_level, profile), won=_won_by(match) is True),
        lower=_party(match.away, reached(match.away_level, profile), won=_won_by(match) is False),
        note=_note(match),
        address=address(match) if address is not None else "",
        third=match.for_place == _THIRD,
    )


def _party(entrant: Entrant | None, level: str, *, won: bool) -> Party:
    if entrant is None:
        return Party(None)
    return Party(entrant.pk, f"{entrant.number} {shown_name(entrant)}", level_word(level) if level else "", won)


def _won_by(match: Match) -> bool | None:
    """True: home, False: away, None: nobody (yet). Nobody to meet is a bye, in a draft as well."""
    if match.away_id is None or match.outcome == MatchOutcome.AWAY_FORFEIT:
        return True
    if match.outcome == MatchOutcome.HOME_FORFEIT:
        return False
    return None if not match.winner_side else match.winner_side == "NS"


def _note(match: Match) -> str:
    if match.away_id is None:
        return _("bye")
    if match.outcome in (MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT):
        return _("forfeit")
    if match.outcome == MatchOutcome.DOUBLE_FORFEIT:
        return _("both forfeit")
    return ""


def _finding_of(bracket: Bracket) -> str:
    """What the picture shows, in one sentence."""
    played = [one for _word, meetings in bracket.rounds for one in meetings]
    _final, last = bracket.rounds[-1]
    finals = [one for one in last if not one.third]
    if len(finals) == 1 and (finals[0].upper.won or finals[0].lower.won):
        winner = finals[0].upper if finals[0].upper.won else finals[0].lower
        return _("%(name)s won the knockout.") % {"name": winner.name}
    waiting = sum(1 for one in played if not (one.upper.won or one.lower.won))
    if waiting:
        return ngettext("%(n)s match is not decided yet.", "%(n)s matches are not decided yet.", waiting) % {
            "n": waiting
        }
    return _("The next round is not drawn yet.")
