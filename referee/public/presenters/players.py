"""A table of single players: how everybody stands, the chart of scores or levels, every hand that counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.parts.formats import exact, signed
from referee.parts.names import shown_name
from referee.parts.words import level_word, listed, reached
from referee.pictures.player_plots import Track, players_plot
from scoring.individual.states import IndividualState
from tournaments.models import EntryKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.pictures.plots import Plot
    from scoring.profiles import Profile
    from tournaments.models import Entrant, Match, MatchPlace
    from tournaments.sittings.records import SittingRecord


@dataclass(frozen=True, slots=True)
class Seat:
    """One player at a table: level or score as it stands or ended, and whether he won the table."""

    place: str
    entrant: Entrant
    level: str
    score: str
    won: bool

    @property
    def name(self) -> str:
        return shown_name(self.entrant)


def names_of(match: Match) -> dict[str, str]:
    """Player by place."""
    return {row.place: shown_name(row.entrant) for row in match.places.all()}


def seats(match: Match, state: Mapping[str, Any], profile: Profile) -> tuple[Seat, ...]:
    """Everybody by place, from the cached state of the sitting."""
    levels, scores = state.get("levels") or {}, state.get("scores") or {}
    return tuple(_seat(row, levels, scores, profile) for row in match.places.all())


def _seat(row: MatchPlace, levels: Mapping[str, Any], scores: Mapping[str, Any], profile: Profile) -> Seat:
    level = reached(levels[row.place], profile) if row.place in levels else ""
    score = score_words(scores.get(row.place, 0), profile.division)
    return Seat(row.place, row.entrant, level, score, bool(row.winner))


def score_words(score: int, division: str) -> str:
    """Units and levels are gains and losses; points taken are points."""
    return exact(score) if division == "everyone" else signed(score)


def page(record: SittingRecord) -> dict[str, Any]:
    """What the page of a match shows of single players, beside what every match page shows."""
    sitting = record.sitting
    profile, match = sitting.round.tournament.profile, sitting.match
    names = names_of(match)
    state = record.state
    assert isinstance(state, IndividualState)
    winners = listed(names[str(place)] for place in state.winners)
    share = _("%(names)s share the table.") if len(state.winners) > 1 else _("%(name)s wins the table.")
    return {
        "seats": seats(match, state.to_json(), profile),
        "names": names,
        "decided": share % {"names": winners, "name": winners} if state.finished else None,
        "plot": chart(record, names, profile) if any(hand.entry.hand_no for hand in record.hands) else None,
        "keeps_levels": bool(state.levels),
    }


def chart(record: SittingRecord, names: Mapping[str, str], profile: Profile) -> Plot:
    """Levels where they are kept, else scores, over the hands that count; penalties belong to the hand before."""
    levels = bool(record.state.levels)
    start = record.hands[0].result.before.to_json()
    steps: list[tuple[str, Mapping[str, Any]]] = []
    for hand in record.hands:
        after = hand.result.after.to_json()
        if hand.entry.kind == EntryKind.PENALTY and steps:
            steps[-1] = (steps[-1][0], after)
        elif hand.entry.hand_no is not None:
            steps.append((str(hand.entry.hand_no), after))
    ladder = [str(level) for level in profile.ladder]

    def height(position: Mapping[str, Any], place: str) -> int:
        if not levels:
            return int(position["scores"][place])
        level = position["levels"][place]
        return len(ladder) if level is None else ladder.index(level)

    def written(number: int) -> str:
        if not levels:
            return score_words(number, profile.division)
        return level_word(ladder[number]) if number < len(ladder) else reached(None, profile)

    tracks = [
        Track(name, tuple(height(position, place) for position in (start, *(after for _, after in steps))))
        for place, name in names.items()
    ]
    return players_plot(tracks, [number for number, _ in steps], written, most=len(ladder) if levels else None)
