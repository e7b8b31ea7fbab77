"""What a penalty of the schedule comes to for the one player at fault, in games of single players.

Nobody else at the table loses by it: points of the hand act for those the player did not play with, a hand is ruled
against the player alone, and who forfeits leaves to the others what they have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from scoring.hands.outcomes import level_result
from scoring.individual.clauses import cite
from scoring.individual.entries import places, plays_levels
from scoring.values import Place, Role, Text

if TYPE_CHECKING:
    from scoring.penalties import Case, Step
    from scoring.profiles import Profile, Reason

Entry = tuple[Literal["nothing", "sheet", "ledger", "standings"], Mapping[str, Any] | None, "tuple[Reason, ...]"]


def entry_for(
    profile: Profile,
    case: Case,
    step: Step,
    by: Place,
    *,
    why: Text,
    dealer: Place | None,
    ally: Place | None,
    cards: int | None,
) -> Entry:
    """What an official would enter, on what, and the clauses: on the ledger, the sheet or the standings."""
    if step.unit == "exclusion":
        return "standings", {"sides": [by.value], "excluded": True, "why": dict(why)}, ()
    if step.unit == "forfeit":
        entry = {"kind": "end", "reason": "forfeit", "by": by.value, "why": dict(why)}
        return "ledger", entry, cite("forfeit")
    if step.unit == "result":
        ruled = ruled_against(profile, by, dealer, ally, int(step.amount))
        gains = {place.value: gain for place, gain in ruled.items()}
        deals = {} if dealer is None else {"dealer": dealer.value}
        return "ledger", {"kind": "adjusted", **deals, "gains": gains, "why": dict(why)}, profile.cite("adjusted")
    if step.unit == "score":
        assert step.by_game is not None
        return _off(profile, by, step.by_game[profile.division], why)
    if step.unit == "profile_fine":
        return (
            "sheet",
            {"throw_failures": [{"place": by.value, "cards": cards}]},
            profile.cite("throw_fine", profile.throw_fine),
        )
    if profile.division == "everyone":
        return _off(profile, by, -int(step.amount), why)
    delta = int(step.amount) if by in (dealer, ally) else -int(step.amount)
    row = {"points": delta, "why": dict(why), "clause": case.clause}
    return "sheet", {"adjustments": [row]}, profile.cite("adjustment", delta)


def _off(profile: Profile, by: Place, amount: int, why: Text) -> Entry:
    measure, topic = ("levels", "level_penalty") if plays_levels(profile) else ("points", "penalty")
    entry = {"kind": "penalty", "place": by.value, measure: amount, "why": dict(why)}
    return "ledger", entry, profile.cite(topic, amount)


def ruled_against(
    profile: Profile, by: Place, dealer: Place | None, ally: Place | None, levels: int
) -> dict[Place, int]:
    """What each player gets of a hand that is ruled against one of them.

    One against three: the dealer at fault pays each of the others; another at fault pays the dealer for all three. With
    a friend: those the player at fault did not play with gain `levels` each. Everybody for himself: the others share
    all points, in fives.
    """
    table = places(profile)
    if profile.division == "everyone":
        share = int(profile.points_max) // (len(table) - 1) // 5 * 5
        return {place: 0 if place is by else share for place in table}
    assert dealer is not None
    if profile.division == "ally":
        together = (dealer, ally)
        return {place: levels if (place in together) is not (by in together) else 0 for place in table}
    assert profile.stake is not None
    others = len(table) - 1
    if by is dealer:
        return {place: -profile.stake * others if place is by else profile.stake for place in table}
    pays = {dealer: profile.stake * others, by: -profile.stake * others}
    return {place: pays.get(place, 0) for place in table}


def real_is_better(profile: Profile, role: Role, levels: int, total: int) -> bool:
    """Whether the hand as played gives those the player did not play with more levels than the ruling would."""
    if profile.division != "ally":
        return False
    result = level_result(profile, profile.table.settle(total))
    return result.winner_role is not role and result.levels > levels
