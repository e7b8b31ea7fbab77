"""Individual games (三打一, 二百四, 找朋友): an opening and a ledger of entries, folded into a state per player.

The verbs are those of two sides (`sittings`): `read_entry`, `check_next`, `start`, `step`, `fold`; `results_of` gives
what standings rank. Who plays with whom in a hand is the profile's `division`:

- `alone`: the lowest bidder against all others. They win with at least the bid; the dealer settles the stake with each.
- `everyone`: each player has the points of the tricks won; who wins the last trick has the kitty too.
- `ally`: the dealer and the player called against all others, each with a level of his own, by the level table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.outcomes import level_result
from scoring.hands.totals import Total, attackers_total, throw_penalty
from scoring.individual.clauses import cite
from scoring.individual.entries import (
    IndividualAdjusted,
    IndividualEnd,
    IndividualEntry,
    IndividualHand,
    PlacePenalty,
    places,
    plays_levels,
)
from scoring.individual.sentences import standing, what_happened
from scoring.individual.sheets import check_entry
from scoring.individual.states import (
    IndividualEntryResult,
    IndividualOpening,
    IndividualState,
    PlaceResult,
)
from scoring.profiles import Profile, Reason
from scoring.sittings.states import Conditions
from scoring.values import Level, Place, Points, Role

#: Until somebody passes the last level, or an official ends the table.
UNTIMED = Conditions()


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one hand gives each player. `levels` are those after it, empty where none are kept."""

    gains: Mapping[Place, int]
    winners: tuple[Place, ...]
    dealer: Place | None = None
    level: Level | None = None
    bid: Points | None = None
    ally: Place | None = None
    total: Total | None = None
    winner_role: Role | None = None
    levels_won: int = 0
    levels: Mapping[Place, Level] | None = None
    stopped_at: Mapping[Place, Level] | None = None
    passed: tuple[Place, ...] = ()
    reached: tuple[Place, ...] = ()
    because: tuple[Reason, ...] = ()


def start(profile: Profile, opening: IndividualOpening) -> IndividualState:
    """The state before the first entry."""
    table = places(profile)
    own = plays_levels(profile)
    return IndividualState(
        levels={place: opening.levels.get(place, profile.ladder.first) for place in table} if own else {},
        scores=dict.fromkeys(table, 0),
        hands_won=dict.fromkeys(table, 0),
        penalties=dict.fromkeys(table, 0),
        next_dealer=opening.first_dealer if profile.bidding is None else None,
        table_level=profile.ladder.first if profile.division == "everyone" else None,
    )


def fold(
    profile: Profile,
    opening: IndividualOpening,
    entries: Iterable[IndividualEntry],
    conditions: Conditions = UNTIMED,
    *,
    reasons: bool = False,
) -> IndividualState:
    """The state after all entries, one result per entry.

    Refused where an entry cannot be counted at all (`dealer_missing`, `bid_unknown`, `match_over`); all else that
    is odd is a discrepancy of its entry.
    """
    state, results = start(profile, opening), []
    for entry in entries:
        state, result = step(profile, conditions, state, entry, reasons=reasons)
        results.append(result)
    return replace(state, entries=tuple(results))


def step(
    profile: Profile,
    conditions: Conditions,
    state: IndividualState,
    entry: IndividualEntry,
    *,
    reasons: bool = False,
) -> tuple[IndividualState, IndividualEntryResult]:
    """The state after one more entry, and what the entry did. Its `entries` are empty: the fold gathers them."""
    impossible = _impossible(profile, state, entry)
    if impossible:
        raise Refused(impossible)
    if state.entries:
        state = replace(state, entries=())
    if isinstance(entry, IndividualHand):
        after, result = _play(profile, conditions, state, entry, reasons=reasons)
    elif isinstance(entry, IndividualAdjusted):
        after, result = _settle(profile, conditions, state, entry, _adjusted(profile, state, entry, reasons=reasons))
    elif isinstance(entry, PlacePenalty):
        after, result = _penalize(profile, state, entry, reasons=reasons)
    elif isinstance(entry, IndividualEnd):
        after = _end(profile, state, entry)
        why = cite("forfeit") if entry.reason == "forfeit" else profile.cite("end")
        result = _quiet(entry, state, after, why + profile.cite("winner") if reasons else ())
        if entry.reason == "forfeit":
            result = replace(result, gains={place: after.scores[place] - state.scores[place] for place in after.scores})
    else:
        after = state
        topic = "all_pass" if entry.reason == "all_passed" else "redeal"
        result = _quiet(entry, state, after, profile.cite(topic) if reasons else ())
    after = replace(after, entry_count=state.entry_count + 1)
    if reasons:
        line = what_happened(profile, entry, state, after, result)
        result = replace(result, sentence=line, scores_sentence=standing(profile, state, after))
    return after, result


def check_next(
    profile: Profile, state: IndividualState, entry: IndividualEntry, conditions: Conditions = UNTIMED
) -> tuple[Finding, ...]:
    """Every finding on a new entry: what it shows about itself, and what the ledger folded into `state` shows."""
    own = check_entry(profile, entry)
    impossible = _impossible(profile, state, entry)
    known = {(one.code, one.field) for one in own}
    impossible = tuple(one for one in impossible if (one.code, one.field) not in known)
    if impossible:
        return own + impossible
    return own + _discrepancies(profile, state, entry) + _not_allowed(profile, conditions, state, entry)


def results_of(state: IndividualState) -> tuple[PlaceResult, ...]:
    """What the table came to for each player, in the order of places, finished or not."""
    return tuple(
        PlaceResult(
            place=place,
            score=Fraction(score),
            level=state.levels.get(place),
            passed=place in state.passed,
            hands_won=state.hands_won[place],
            penalties=state.penalties[place],
            winner=place in state.winners,
        )
        for place, score in state.scores.items()
    )


def _dealer(state: IndividualState, hand: IndividualHand) -> Place | None:
    """Who dealt: the lowest bidder, else as written, else as due."""
    return hand.bidder or hand.dealer or state.next_dealer


def _impossible(profile: Profile, state: IndividualState, entry: IndividualEntry) -> tuple[Finding, ...]:
    if state.finished:
        return (finding("match_over", "kind", profile=profile, topic="winner"),)
    if not isinstance(entry, IndividualHand) or profile.division == "everyone":
        return ()
    found = []
    if _dealer(state, entry) is None:
        found.append(finding("dealer_missing", "dealer", profile=profile, topic="dealer.each_hand"))
    if profile.bidding is not None and entry.lowest_bid is None:
        found.append(finding("bid_unknown", "bid", profile=profile, topic="bid"))
    if profile.division == "ally" and entry.ally is None:
        found.append(finding("missing", "ally", profile=profile, topic="ally"))
    return tuple(found)


def _discrepancies(profile: Profile, state: IndividualState, entry: IndividualEntry) -> tuple[Finding, ...]:
    """Where a hand and the ledger before it differ."""
    if not isinstance(entry, IndividualHand):
        return ()
    found = []
    dealer, due = _dealer(state, entry), state.next_dealer
    if due is not None and dealer is not due and dealer is not None and not entry.bids:
        found.append(
            finding(
                "dealer_unexpected",
                "dealer",
                profile=profile,
                topic="dealer.each_hand",
                blocking=False,
                wording_code="dealer_unexpected:place",
                due=wording.PLACES[due],
                dealer=wording.PLACES[dealer],
            )
        )
    level = state.table_level if dealer is None else state.levels.get(dealer, state.table_level)
    if entry.level is not None and level is not None and entry.level != level:
        found.append(
            finding(
                "level_unexpected",
                "level",
                profile=profile,
                topic="ladder",
                blocking=False,
                wording_code="level_unexpected:place",
                due=str(level),
                level=str(entry.level),
            )
        )
    return tuple(found)


def _not_allowed(
    profile: Profile, conditions: Conditions, state: IndividualState, entry: IndividualEntry
) -> tuple[Finding, ...]:
    """What is refused in a new entry, though a ledger that has it can be folded."""
    hands, played = conditions.hands or 0, state.hands_played
    if isinstance(entry, IndividualEnd) and entry.reason == "hands" and played < hands:
        return (finding("hands_too_few", "reason", profile=profile, topic="end", played=played, hands=hands),)
    return ()


def _play(
    profile: Profile, conditions: Conditions, state: IndividualState, hand: IndividualHand, *, reasons: bool
) -> tuple[IndividualState, IndividualEntryResult]:
    if profile.division == "everyone":
        return _settle(profile, conditions, state, hand, _everyone(profile, state, hand, reasons=reasons))
    dealer = _dealer(state, hand)
    assert dealer is not None
    divided = _alone if profile.division == "alone" else _allied
    return _settle(profile, conditions, state, hand, divided(profile, state, hand, dealer, reasons=reasons))


def _alone(profile: Profile, state: IndividualState, hand: IndividualHand, dealer: Place, *, reasons: bool) -> _Outcome:
    """The dealer settles the stake with every other player."""
    assert hand.lowest_bid is not None
    assert profile.stake is not None
    total = attackers_total(profile, hand.sheet(dealer), reasons=reasons)
    attackers_win = total.for_levels >= hand.lowest_bid
    others = tuple(place for place in places(profile) if place is not dealer)
    each = profile.stake if attackers_win else -profile.stake
    gains = {place: -each * len(others) if place is dealer else each for place in places(profile)}
    return _Outcome(
        gains=gains,
        winners=others if attackers_win else (dealer,),
        dealer=dealer,
        bid=hand.lowest_bid,
        total=total,
        winner_role=Role.ATTACKERS if attackers_win else Role.DEALER,
        because=total.because + profile.cite("bid") + profile.cite("stake", abs(each)) if reasons else (),
    )


def _everyone(profile: Profile, state: IndividualState, hand: IndividualHand, *, reasons: bool) -> _Outcome:
    """Each player has the points he took; a sheet with blocking findings still adds up."""
    gains = {place: int(hand.points.get(place, 0)) for place in places(profile)}
    kitty = int(hand.kitty_points or 0)
    if hand.last_trick_place is not None:
        gains[hand.last_trick_place] += kitty
    for one in hand.throw_failures:
        gains[one.place] += throw_penalty(profile, Role.ATTACKERS, one.cards)
    most = max(gains.values())
    because: tuple[Reason, ...] = ()
    if reasons:
        because = profile.cite("captured") + profile.cite("kitty.dig", kitty)
        because += profile.cite("throw_fine") if hand.throw_failures else ()
        because += profile.cite("winner", most)
    return _Outcome(
        gains=gains,
        winners=tuple(place for place, points in gains.items() if points == most),
        dealer=hand.dealer or state.next_dealer,
        level=state.table_level,
        because=because,
    )


def _allied(
    profile: Profile, state: IndividualState, hand: IndividualHand, dealer: Place, *, reasons: bool
) -> _Outcome:
    """Dealer and ally, or all others, climb by the level table, each on a ladder of his own.

    Only the dealer holds the deal at his level; what may be left only so stops the ally as it stops an attacker.
    """
    level = state.levels[dealer]
    because: tuple[Reason, ...] = ()
    if hand.level is not None and hand.level != level:
        because = profile.cite(hand.treatment or "recompute") if reasons else ()
        level = hand.level if hand.treatment == "let_stand" else level
    total = attackers_total(profile, hand.sheet(dealer), reasons=reasons)
    result = level_result(profile, total.for_levels, reasons=reasons)
    winners = tuple(place for place in places(profile) if hand.role(place, dealer) is result.winner_role)
    climbed = _climb(
        profile, {**state.levels, dealer: level}, dict.fromkeys(winners, result.levels), state, holding=dealer
    )
    if reasons:
        because = total.because + because + profile.cite("division") + profile.cite("ally") + result.because
        because += profile.cite("pass_a") if climbed.stopped_at else ()
        because += profile.cite("finish") if climbed.reached else ()
    return replace(
        climbed,
        winners=winners,
        dealer=dealer,
        level=level,
        ally=hand.ally,
        total=total,
        winner_role=result.winner_role,
        levels_won=result.levels,
        because=because,
    )


def _climb(
    profile: Profile,
    levels: Mapping[Place, Level],
    won: Mapping[Place, int],
    state: IndividualState,
    *,
    holding: Place | None,
) -> _Outcome:
    """Where everybody stands who won levels; gains count the steps from the levels of `state`."""
    after, stopped, passed, reached = dict(levels), dict[Place, Level](), list[Place](), list[Place]()
    for place, count in won.items():
        climb = profile.ladder.climb(levels[place], count, held=place is holding)
        if climb.level is None:
            passed.append(place)
        else:
            after[place] = climb.level
        if climb.stopped_at is not None:
            stopped[place] = climb.stopped_at
        if climb.finished:
            reached.append(place)
    index = profile.ladder.index
    gains = {place: index(None if place in passed else after[place]) - index(state.levels[place]) for place in after}
    return _Outcome(
        gains=gains,
        winners=(),
        levels=after,
        stopped_at=stopped,
        passed=tuple(passed),
        reached=tuple(reached),
    )


def _adjusted(profile: Profile, state: IndividualState, entry: IndividualAdjusted, *, reasons: bool) -> _Outcome:
    because = profile.cite("adjusted") if reasons else ()
    dealer = entry.dealer or state.next_dealer
    gains = {place: entry.gains.get(place, 0) for place in places(profile)}
    if not plays_levels(profile):
        return _Outcome(gains=gains, winners=(), dealer=dealer, level=state.table_level, because=because)
    climbed = _climb(profile, state.levels, gains, state, holding=dealer)
    level = None if dealer is None else state.levels[dealer]
    return replace(climbed, dealer=dealer, level=level, because=because)


def _settle(
    profile: Profile,
    conditions: Conditions,
    state: IndividualState,
    entry: IndividualHand | IndividualAdjusted,
    outcome: _Outcome,
) -> tuple[IndividualState, IndividualEntryResult]:
    after = replace(
        state,
        levels=state.levels if outcome.levels is None else outcome.levels,
        scores={place: score + outcome.gains[place] for place, score in state.scores.items()},
        hands_won={place: won + (place in outcome.winners) for place, won in state.hands_won.items()},
        next_dealer=None,
        passed=outcome.passed,
        hands_played=state.hands_played + 1,
    )
    if outcome.reached:
        after = replace(after, finished=True, end_reason="passed", winners=outcome.reached)
    elif conditions.hands is not None and after.hands_played >= conditions.hands:
        after = _finish(profile, after, "hands")
    return after, IndividualEntryResult(
        kind=entry.kind,
        before=state.position,
        after=after.position,
        dealer=outcome.dealer,
        ally=outcome.ally,
        level=outcome.level,
        bid=outcome.bid,
        total=outcome.total,
        winner_role=outcome.winner_role,
        levels_won=outcome.levels_won,
        winners=outcome.winners,
        gains=outcome.gains,
        stopped_at=outcome.stopped_at or {},
        passed=outcome.passed,
        finished=after.finished,
        discrepancies=_discrepancies(profile, state, entry),
        because=outcome.because,
    )


def _penalize(
    profile: Profile, state: IndividualState, entry: PlacePenalty, *, reasons: bool
) -> tuple[IndividualState, IndividualEntryResult]:
    levels, gain = state.levels, entry.amount
    topic = "penalty"
    if plays_levels(profile):
        topic = "level_penalty"
        old = levels[entry.place]
        levels = {**levels, entry.place: profile.ladder.fall(old, -entry.amount)}
        gain = profile.ladder.index(levels[entry.place]) - profile.ladder.index(old)
    took = entry.amount < 0
    after = replace(
        state,
        levels=levels,
        scores={**state.scores, entry.place: state.scores[entry.place] + gain},
        penalties={**state.penalties, entry.place: state.penalties[entry.place] + took},
    )
    result = _quiet(entry, state, after, profile.cite(topic, gain) if reasons else ())
    return after, replace(result, gains={entry.place: gain})


def _quiet(
    entry: IndividualEntry, state: IndividualState, after: IndividualState, because: tuple[Reason, ...]
) -> IndividualEntryResult:
    """The result of an entry that is no hand."""
    return IndividualEntryResult(
        kind=entry.kind, before=state.position, after=after.position, finished=after.finished, because=because
    )


def _end(profile: Profile, state: IndividualState, entry: IndividualEnd) -> IndividualState:
    """The table after its end. Who forfeits has nothing of it, neither score, hands nor levels above where it began;
    the others keep what they have, and may be awarded a score. Where no hand was played nobody wins by the absence."""
    by = entry.by
    if entry.reason != "forfeit" or by is None:
        return _finish(profile, state, entry.reason, without=by)
    gone, levels, scores = max(0, state.scores[by]), state.levels, dict(state.scores)
    won = {place: entry.award for place in places(profile) if place is not by}
    gains: Mapping[Place, int] = won
    if plays_levels(profile):
        climbed = _climb(profile, levels, won, state, holding=None)
        assert climbed.levels is not None
        levels, gains = {**climbed.levels, by: profile.ladder.fall(levels[by], gone)}, climbed.gains
    scores = {place: score - gone if place is by else score + gains[place] for place, score in scores.items()}
    after = replace(
        state,
        levels=levels,
        scores=scores,
        hands_won={**state.hands_won, by: 0},
        penalties={**state.penalties, by: state.penalties[by] + 1},
    )
    after = _finish(profile, after, entry.reason, without=by)
    return after if state.hands_played else replace(after, winners=())


def _finish(profile: Profile, state: IndividualState, reason: str, *, without: Place | None = None) -> IndividualState:
    """The table ends as it stands: the highest level wins it, or the highest score where no levels are kept.

    Who has left (`without`) keeps what he has and wins nothing by it.
    """
    rank = state.scores
    if state.levels:
        rank = {place: profile.ladder.index(level) for place, level in state.levels.items()}
    staying = {place: height for place, height in rank.items() if place is not without}
    most = max(staying.values())
    winners = tuple(place for place, height in staying.items() if height == most)
    return replace(state, finished=True, end_reason=reason, winners=winners)
