"""Words about a sitting that several pages show: its phase, players, result, and who stands behind an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.hands.words import DESK, kind_words
from referee.parts.formats import exact, score
from referee.parts.names import shown_name
from referee.parts.words import SEATS, SIDES, listed, playing, reached
from scoring.individual.states import IndividualEntryResult
from tournaments.models import Basis, SittingPhase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.sittings.states import EntryResult, SittingState
    from tournaments.models import LedgerEntry, Match, Sitting
    from tournaments.sittings.series import Games


PHASES = {
    SittingPhase.PLAYING: "playing",
    SittingPhase.WAITING: "waiting",
    SittingPhase.DISPUTED: "dispute",
    SittingPhase.FINISHED: "finished",
}


def phase_word(sitting: Sitting) -> str:
    if sitting.phase == SittingPhase.PLAYING:
        return _("hand %(n)s") % {"n": sitting.hand_no}
    return str(sitting.get_phase_display())


def names_at(match: Match) -> dict[str, str]:
    """Player by place at a table of single players; empty where two sides play."""
    return {row.place: name_of(row.entrant) for row in match.places.all()} if match.individual else {}


@dataclass(frozen=True, slots=True)
class Seated:
    """One player at a table of single players: level, or score, as the table stands."""

    place: str
    name: str
    level: str
    score: str
    number: int


def players_at(match: Match, position: Mapping[str, Any]) -> list[Seated]:
    """Everybody at a table of single players; empty where two sides play."""
    if not match.individual:
        return []
    levels, scores = position.get("levels") or {}, position.get("scores") or {}
    profile = match.round.tournament.profile
    return [
        Seated(
            row.place,
            name_of(row.entrant),
            reached(levels[row.place], profile) if row.place in levels else "",
            exact(scores.get(row.place, 0)),
            row.entrant.number,
        )
        for row in match.places.all()
    ]


def after_words(result: EntryResult | IndividualEntryResult) -> Any:
    """The second line of a result: where everybody stands."""
    return result.scores_sentence if isinstance(result, IndividualEntryResult) else result.levels_sentence


def name_of(entrant: Any) -> str:
    return shown_name(entrant)


def next_words(state: SittingState, board: int | None = None) -> str:
    """Who deals next at which level; on boards, which one."""
    if state.finished:
        return ""
    if state.contested:
        return _("the next deal is contested")
    words = _("%(seat)s deals, %(playing)s") % {
        "seat": SEATS[str(state.next_dealer)],
        "playing": playing(state.next_level),
    }
    return words if board is None else _("Board %(n)s: %(words)s") % {"n": board, "words": words}


def result_words(match: Match, games: Games | None = None) -> str:
    """The result of a match that has one: its points and how it was decided; of several games those won, N–S first."""
    if match.outcome == "pending":
        return ""
    if match.outcome == "bye":
        return _("bye")
    if match.individual:
        winners = [name_of(row.entrant) for row in match.places.all() if row.winner]
        return _("won by %(names)s") % {"names": listed(winners)}
    if games is not None and match.outcome == "played":
        return score(games.won["NS"], games.won["EW"])
    points = score(match.home_score, match.away_score)
    return f"{points} · {match.get_outcome_display()}" if match.outcome != "played" else points


def parties(entry: LedgerEntry, people: Mapping[int, str]) -> str:
    """Which two parties stand behind an entry, or which official on what basis."""
    if entry.entered_side:
        entered = str(SIDES[entry.entered_side])
        if not entry.confirmed_side and not entry.confirmed_by_id:
            return entered
        if entry.confirmed_side:
            return _("%(one)s entered, %(other)s confirmed") % {"one": entered, "other": SIDES[entry.confirmed_side]}
        return _("%(one)s entered, %(other)s confirmed") % {
            "one": entered,
            "other": people.get(entry.confirmed_by_id or 0, ""),
        }
    basis = Basis(entry.basis).label if entry.basis else ""
    return f"{people.get(entry.entered_by_id or 0, '')} · {basis}".strip(" ·")


def as_dealt(facts: Mapping[str, Any], result: EntryResult | IndividualEntryResult) -> str:
    """Dealer, level and trump as played, and what kind of entry this is."""
    if facts.get("kind", "hand") != "hand":
        return kind_words(facts["kind"])
    words = []
    dealer = facts.get("dealer") or (result.dealer and str(result.dealer))
    if dealer:
        words.append(_("%(seat)s dealt") % {"seat": DESK.says("dealer", str(dealer))})
    level = facts.get("level") or (result.level and str(result.level))
    if level:
        words.append(_("playing %(level)s") % {"level": level})
    if facts.get("trump"):
        words.append(DESK.says("trump", facts["trump"]))
    return " · ".join(words)
