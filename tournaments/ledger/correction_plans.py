"""What a correction leads to under each lawful treatment: the state, the match, the places, hand by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from scoring.hands.entries import Adjusted, HandSheet
from scoring.individual.entries import IndividualAdjusted, IndividualHand
from scoring.individual.states import IndividualEntryResult, IndividualState
from scoring.profiles import Profile
from scoring.sittings.checks import dealer_due
from scoring.sittings.states import EntryResult
from scoring.values import Text

from ..acts.errors import BAD_REQUEST
from ..models import LedgerEntry
from ..sittings.games import Entry, State, entry_results, game_of
from ..sittings.ledgers import Ledger
from ..sittings.next_games import change_of_series
from ..sittings.records import fold_of
from ..sittings.results import match_result, place_results
from ..standings.rankings import basis_of, with_result
from .judging import refusal

RECOMPUTE: Final = "recompute"
LET_STAND: Final = "let_stand"
ADJUST: Final = "adjust"


@dataclass(frozen=True, slots=True)
class HandEffect:
    """One place of the ledger: the result as recorded, and as judged after the correction (None: no longer counts)."""

    position: int
    hand_no: int | None
    facts: Mapping[str, Any]
    recorded: EntryResult | IndividualEntryResult
    judged: EntryResult | IndividualEntryResult | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a treatment makes of a sitting, its match and the places.

    `match` are the columns of the match's result, with those of each place in an individual game; `places` maps
    entrant ids to (rank now, rank then) where one of them plays the match or the rank moves; `hands` is every place
    from the corrected one on; `games` what it means for the games of a match of several.
    """

    state: State
    match: Mapping[str, Any]
    places: Mapping[int, tuple[int, int]]
    hands: tuple[HandEffect, ...]
    games: Text | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The entries after a correction, by position, and how many of them count."""

    state: State
    entries: tuple[tuple[int, Entry], ...]
    counted: int


def changes_between(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Field → (recorded, corrected) where they differ."""
    return {name: (old.get(name), new.get(name)) for name in [*old, *new] if old.get(name) != new.get(name)}


def plans(ledger: Ledger, row: LedgerEntry, entry: Entry, *, reasons: bool = False) -> dict[str, Plan]:
    """The lawful treatments of a correction with what they lead to."""
    placed = sorted([*ledger.placed(without=row.position), (row.position, entry)], key=lambda pair: pair[0])
    recomputed = _plan(ledger, placed, reasons=reasons)
    if isinstance(entry, Adjusted | IndividualAdjusted):
        return {ADJUST: recomputed}
    treatments = {RECOMPUTE: recomputed}
    standing = _let_later_hands_stand(ledger, row.position, placed)
    if standing is not None:
        treatments[LET_STAND] = _plan(ledger, standing, reasons=reasons)
    return treatments


def _plan(ledger: Ledger, placed: list[tuple[int, Entry]], *, reasons: bool) -> Plan:
    state, counted = fold_of(ledger.sitting, [entry for _, entry in placed], reasons=reasons)
    return Plan(state, tuple(placed), counted)


def _let_later_hands_stand(
    ledger: Ledger, position: int, placed: list[tuple[int, Entry]]
) -> list[tuple[int, Entry]] | None:
    """The entries with later hands let stand wherever the correction changes what was due for them.

    None when the match is over before the last of them: what was played after its end cannot stand.
    """
    recorded = {place: result for (place, _), result in zip(ledger.placed(), entry_results(ledger.fold()), strict=True)}
    game = game_of(ledger.profile)
    state, standing = game.start(ledger.profile, ledger.opening, ledger.conditions), []
    for place, entry in placed:
        if state.finished:
            return None
        if place > position and isinstance(entry, HandSheet | IndividualHand):
            moved = recorded[place].before != state.position
            if moved and _played_otherwise(ledger.profile, entry, state):
                entry = replace(entry, treatment=LET_STAND)
        state, _ = game.step(ledger.profile, ledger.conditions, state, entry)
        standing.append((place, entry))
    return standing


def _played_otherwise(profile: Profile, entry: HandSheet | IndividualHand, state: State) -> bool:
    """Whether a hand was played at another level, or dealt by another, than the state has it due."""
    if isinstance(entry, IndividualHand):
        # the deal is settled anew in every hand, so only a level of one's own can be another
        assert isinstance(state, IndividualState)
        return entry.dealer is not None and entry.level != state.levels.get(entry.dealer, entry.level)
    assert not isinstance(state, IndividualState)
    due = state.levels[entry.dealer.side] if entry.dealer is not None else None
    return entry.level != due or entry.dealer is not dealer_due(profile, state, entry)


def fold_into_one(treatments: Mapping[str, Plan]) -> bool:
    """Whether the treatments end in the same state, so that none has to be chosen."""
    states = [replace(cast(Any, plan.state), entries=()) for plan in treatments.values()]
    return all(state == states[0] for state in states)


def chosen(treatments: Mapping[str, Plan], treatment: str) -> str:
    """The treatment to apply; refused when it is not lawful here, or when it is missing and they differ."""
    if treatment in treatments:
        return treatment
    if not treatment and fold_into_one(treatments):
        return next(iter(treatments))
    raise refusal(
        "treatment_missing" if not treatment else "treatment_not_here",
        "Choose how to treat the hands played after this one.",
        "请选择怎样处理这一副之后的各副。",
        status=BAD_REQUEST,
        field="treatment",
        params={"treatments": list(treatments)},
    )


def effect_of(ledger: Ledger, row: LedgerEntry, before: State, plan: Plan) -> Effect:
    """What a plan makes of the sitting, the match and the places; `before` is the state as recorded."""
    recorded = dict(zip([place for place, _ in ledger.placed()], entry_results(before), strict=True))
    judged = dict(zip([place for place, _ in plan.entries], entry_results(plan.state), strict=False))
    hands = tuple(
        HandEffect(one.position, one.hand_no, one.facts, recorded[one.position], judged.get(one.position))
        for one in ledger.effective
        if one.position >= row.position
    )
    result = match_result(ledger, plan.state)
    of_places = place_results(plan.state)
    if of_places:
        result |= {"places": of_places}
    return Effect(plan.state, result, _places(ledger, result), hands, change_of_series(ledger, before, plan.state))


def _places(ledger: Ledger, result: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    """Ranks now and with this result, for the entrants of the match and whoever moves."""
    match = ledger.match
    basis = basis_of(ledger.stage)
    now, then = basis.ranks(), with_result(basis, match, result).ranks()
    here = {match.home_id, match.away_id} | {place.entrant_id for place in match.places.all()}
    return {
        entrant: (rank, then[entrant])
        for entrant, rank in now.items()
        if entrant in then and (rank != then[entrant] or entrant in here)
    }
