"""The knockout of a stage: its matches with levels, how each was decided, the way of who is followed, its rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.parts.boards import standing
from referee.parts.formats import score, signed
from referee.parts.names import shown_name
from referee.parts.states import STATES
from referee.parts.words import level_word, reached
from referee.pictures.bracket import Bracket, Meeting, Party, arranged
from scoring.standings.match_scores import PASSED
from scoring.values import Level
from tournaments.models import Match, MatchOutcome, RoundStatus, SittingPhase, StageFormat
from tournaments.plans.plan import Bracket as Kind
from tournaments.rounds import public
from tournaments.sittings.series import games_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from django.db.models import QuerySet

    from scoring.profiles import Profile
    from tournaments.models import Entrant, Round, Sitting, Stage
    from tournaments.sittings.series import Games

_THIRD = 3
_FORFEITS = (MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT)


@dataclass(frozen=True, slots=True)
class Way:
    """Somebody who is followed, and the way through the knockout so far, as one sentence."""

    number: int
    name: str
    sentence: str


def bracket_page(
    stage: Stage,
    rounds: Sequence[Round] | QuerySet[Round],
    address: Callable[[Match], str] | None = None,
    followed: Collection[int] = (),
) -> dict[str, Any]:
    """What a page shows of a knockout: its columns, what they show in one sentence, and the ways of those `followed`
    (ids of entrants); nothing where there is none."""
    bracket = _bracket_of(stage, rounds, address, frozenset(followed))
    if bracket is None:
        return {}
    return {"bracket": bracket, "bracket_finding": _finding_of(bracket), "bracket_ways": _ways(bracket)}


def _bracket_of(
    stage: Stage,
    rounds: Sequence[Round] | QuerySet[Round],
    address: Callable[[Match], str] | None,
    followed: frozenset[int],
) -> Bracket | None:
    """The knockout after these of its rounds, in order; None for another format or before any is drawn.

    `address` gives the page of a match, empty where it has none.
    """
    if stage.format != StageFormat.KO_TIMED or not rounds:
        return None
    tree = stage.directing.bracket is Kind.BRACKET
    meetings = []
    for column, round_ in enumerate(rounds):
        games = games_in(round_)
        for match in public.round_matches(round_):
            meetings.append(_meeting(match, round_, column, address, games, followed))
    if not meetings:
        return None
    columns = max(len(rounds), stage.rounds_planned if tree and stage.begun_at else 0, _needed(meetings) if tree else 0)
    heads = [_head(columns - 1 - column) if tree else _("Round %(n)s") % {"n": column + 1} for column in range(columns)]
    return arranged(meetings, heads)


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


def _meeting(
    match: Match,
    round_: Round,
    column: int,
    address: Callable[[Match], str] | None,
    games: dict[int, Games],
    followed: frozenset[int],
) -> Meeting:
    sitting = next(iter(match.sittings.all()), None)
    table = None if sitting is None else sitting.table.number
    series = games.get(table) if table is not None else None
    live = match.outcome == MatchOutcome.PENDING and sitting is not None and round_.status == RoundStatus.RUNNING
    upper, lower = _levels(match, sitting if live else None)
    won = _won_by(match)
    return Meeting(
        column=column,
        slot=match.slot or 0,
        upper=_party(match.home, upper, won is True, followed),
        lower=_party(match.away, lower, won is False, followed),
        note=_note(match, sitting if live else None, series),
        address=address(match) if address is not None else "",
        table=table,
        live=live,
        ended=match.outcome != MatchOutcome.PENDING,
        third=match.for_place == _THIRD,
    )


def _levels(match: Match, sitting: Sitting | None) -> tuple[str, str]:
    """Where home and away ended (points where hands are fixed), or stand by the confirmed hands at a table in play."""
    profile = match.round.tournament.profile
    if match.outcome != MatchOutcome.PENDING:
        if match.net is not None:
            return signed(match.net), signed(match.away_net)
        return reached(match.home_level, profile), reached(match.away_level, profile)
    if sitting is None or sitting.boards is not None or sitting.phase == SittingPhase.FINISHED:
        return "", ""
    here = standing(sitting.state, profile)
    home, away = ("NS", "EW") if sitting.home_side == "NS" else ("EW", "NS")
    return here.get(home, ""), here.get(away, "")


def _party(entrant: Entrant | None, level: str, won: bool, followed: frozenset[int]) -> Party:
    if entrant is None:
        return Party(None)
    return Party(entrant.pk, entrant.number, shown_name(entrant), level, won, entrant.pk in followed)


def _won_by(match: Match) -> bool | None:
    """True: home, False: away, None: nobody (yet). Nobody to meet is a bye, in a draft as well."""
    if match.away_id is None or match.outcome == MatchOutcome.AWAY_FORFEIT:
        return True
    if match.outcome == MatchOutcome.HOME_FORFEIT:
        return False
    return None if not match.winner_side else match.winner_side == "NS"


def _note(match: Match, sitting: Sitting | None, series: Games | None) -> str:
    """How it ended, or how far the table in play is; of several games how many each side has won."""
    if match.away_id is None:
        return _("bye")
    if match.outcome in _FORFEITS:
        return _("forfeit")
    if match.outcome == MatchOutcome.DOUBLE_FORFEIT:
        return _("both forfeit")
    if series is not None:
        home, away = ("NS", "EW") if series.shown.home_side == "NS" else ("EW", "NS")
        return _("games %(score)s") % {"score": score(series.won[home], series.won[away])}
    if match.outcome == MatchOutcome.PLAYED:
        return _how_decided(match)
    return "" if sitting is None else _how_far(sitting)


def _how_far(sitting: Sitting) -> str:
    said = {"n": sitting.hand_no}
    if sitting.phase == SittingPhase.DISPUTED:
        return str(STATES["dispute"].word)
    if sitting.phase == SittingPhase.WAITING:
        return _("hand %(n)s waits for confirmation") % said
    return _("hand %(n)s is being played") % said if sitting.phase == SittingPhase.PLAYING else ""


def _how_decided(match: Match) -> str:
    """Net levels of the winner; where they are equal, what decided instead."""
    if match.net is not None or not (match.home_level and match.away_level):
        return ""
    profile = match.round.tournament.profile
    net = _steps(match.home_level, profile) - _steps(match.away_level, profile)
    if net:
        return _("net levels %(n)s") % {"n": signed(abs(net))}
    return _("equal, decided by lot") if match.decided_by == "lots" else _("equal, won by the tie rule")


def _steps(level: str, profile: Profile) -> int:
    return profile.ladder.index(None if level == PASSED else Level(level))


def _finding_of(bracket: Bracket) -> str:
    """What the columns show, in one sentence."""
    final = bracket.final
    if final is not None and final.winner is not None:
        return _("%(name)s won the knockout.") % {"name": f"{final.winner.number} {final.winner.name}"}
    waiting = sum(not one.over for one in bracket.meetings)
    if waiting:
        return ngettext("%(n)s match is not decided yet.", "%(n)s matches are not decided yet.", waiting) % {
            "n": waiting
        }
    return _("The next round is not drawn yet.")


def _ways(bracket: Bracket) -> list[Way]:
    """The way of everybody who is followed, in the order in which they stand in the first round."""
    ways: dict[int, list[str]] = {}
    names: dict[int, str] = {}
    for one in bracket.meetings:
        for own, other in ((one.upper, one.lower), (one.lower, one.upper)):
            if own.followed:
                names[own.number] = own.name
                ways.setdefault(own.number, []).append(_step(one, own, other))
    return [Way(number, names[number], " · ".join(steps)) for number, steps in ways.items()]


def _step(one: Meeting, own: Party, other: Party) -> str:
    """One match of somebody followed, in a few words."""
    if other.entrant is None:
        return _("bye")
    levels = f"{level_word(own.level)} : {level_word(other.level)}" if own.level and other.level else one.note
    said = {"name": other.name, "result": levels}
    if own.won:
        return (_("beat %(name)s %(result)s") % said).strip()
    if other.won:
        return (_("lost to %(name)s %(result)s") % said).strip()
    if one.third:
        return _("plays %(name)s for the third place") % said
    return _("plays %(name)s") % said
