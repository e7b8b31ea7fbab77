"""The game of an event: two sides, or single players. The one door to the kernel's two folds (`profile.game`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.cards.disagreements import disagreements
from scoring.cards.records import HandRecord
from scoring.cards.replay import Replay, replay
from scoring.hands import sheets
from scoring.hands.entries import Adjusted, Annulled, HandSheet
from scoring.hands.entries import Entry as TeamEntry
from scoring.hands.findings import Finding
from scoring.individual import entries, fold
from scoring.individual.disagreements import disagreements as disagreements_of_players
from scoring.individual.entries import IndividualAdjusted, IndividualAnnulled, IndividualEntry, IndividualHand
from scoring.individual.replay import SingleReplay, replay_single
from scoring.individual.sheets import check_entry as check_entry_of_players
from scoring.individual.sheets import read_entry as read_entry_of_players
from scoring.individual.states import IndividualEntryResult, IndividualOpening, IndividualState
from scoring.profiles import Profile
from scoring.sittings import checks
from scoring.sittings.fold import start as start_sides
from scoring.sittings.fold import step as step_sides
from scoring.sittings.states import Conditions, EntryResult, Opening, SittingState
from scoring.values import Side

from ..models import SideChoice

Entry = TeamEntry | IndividualEntry
State = SittingState | IndividualState
GameOpening = Opening | IndividualOpening
#: A recorded hand judged again.
HandReplay = Replay | SingleReplay


@dataclass(frozen=True, slots=True)
class Game:
    """One fold of the kernel: the same verbs over its own openings, entries and states."""

    read_opening: Callable[[Any], Any]
    read_entry: Callable[[Profile, object], Any]
    check_entry: Callable[[Profile, Any], tuple[Finding, ...]]
    start: Callable[[Profile, Any, Conditions], Any]
    step: Callable[..., tuple[Any, Any]]
    check_next: Callable[..., tuple[Finding, ...]]
    read_state: Callable[[Any, Conditions], Any]
    replay: Callable[[Profile, HandRecord], Any]
    disagreements: Callable[[Any, Any], tuple[Finding, ...]]


def _check_team_entry(profile: Profile, entry: TeamEntry) -> tuple[Finding, ...]:
    return sheets.check_sheet(profile, entry) if isinstance(entry, HandSheet) else ()


def _check_individual_entry(profile: Profile, entry: IndividualEntry) -> tuple[Finding, ...]:
    return check_entry_of_players(profile, entry) if isinstance(entry, IndividualHand) else ()


_TWO_TEAMS = Game(
    read_opening=Opening.from_json,
    read_entry=sheets.read_entry,
    check_entry=_check_team_entry,
    start=lambda profile, opening, conditions: start_sides(opening, conditions),
    step=step_sides,
    check_next=checks.check_next,
    read_state=SittingState.from_stored,
    replay=replay,
    disagreements=disagreements,
)
_INDIVIDUAL = Game(
    read_opening=IndividualOpening.from_json,
    read_entry=read_entry_of_players,
    check_entry=_check_individual_entry,
    start=lambda profile, opening, conditions: fold.start(profile, opening),
    step=fold.step,
    check_next=fold.check_next,
    read_state=lambda stored, conditions: IndividualState.from_stored(stored),
    replay=replay_single,
    disagreements=disagreements_of_players,
)
_GAMES = {"two_teams": _TWO_TEAMS, "individual": _INDIVIDUAL}


def game_of(profile: Profile) -> Game:
    """The fold that a profile is played by."""
    return _GAMES[profile.game]


def parties_of(profile: Profile) -> tuple[str, ...]:
    """Who stands behind entries at a table: the two sides, or the places of the single players."""
    if game_of(profile) is _INDIVIDUAL:
        return tuple(str(place) for place in entries.places(profile))
    return tuple(SideChoice.values)


def first_opening(profile: Profile) -> GameOpening:
    """Everybody at the first level, the first deal contested."""
    if game_of(profile) is _INDIVIDUAL:
        return IndividualOpening.first(profile)
    return Opening(dict.fromkeys(Side, profile.ladder.first))


def entry_results(state: State) -> Sequence[EntryResult | IndividualEntryResult]:
    """What each entry of a fold did."""
    return state.entries


def two_sides(state: State) -> SittingState:
    """The state of a match of two sides, where nothing else can stand."""
    assert isinstance(state, SittingState)
    return state


def replay_hand(profile: Profile, record: HandRecord) -> HandReplay:
    """A record judged by the rules of its game. Refused where they lack its level."""
    again: HandReplay = game_of(profile).replay(profile, record)
    return again


def disagreements_with(profile: Profile, again: HandReplay, facts: Mapping[str, Any]) -> tuple[Finding, ...]:
    """What the cards say against the facts of an entry; nothing where the entry is no sheet."""
    game = game_of(profile)
    entered = game.read_entry(profile, facts)
    return game.disagreements(again, entered) if isinstance(entered, HandSheet | IndividualHand) else ()


def as_played(profile: Profile, entry: Entry, state: State) -> Entry:
    """The entry with dealer and level written down: where the table left them out, they were as due."""
    if isinstance(state, IndividualState):
        return _as_played_alone(entry, state)
    if not isinstance(entry, HandSheet | Adjusted | Annulled):
        return entry
    dealer = entry.dealer or checks.dealer_due(profile, state, entry)
    if dealer is None:
        return entry
    if isinstance(entry, HandSheet):
        return replace(entry, dealer=dealer, level=entry.level or state.levels[dealer.side])
    return replace(entry, dealer=dealer)


def _as_played_alone(entry: Entry, state: IndividualState) -> Entry:
    if not isinstance(entry, IndividualHand | IndividualAdjusted | IndividualAnnulled):
        return entry
    if not isinstance(entry, IndividualHand):
        return replace(entry, dealer=entry.dealer or state.next_dealer)
    dealer = entry.bidder or entry.dealer or state.next_dealer
    level = entry.level or (state.levels.get(dealer) if dealer is not None else None)
    return replace(entry, dealer=dealer, level=level)
