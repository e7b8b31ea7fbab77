"""What a new entry of a sitting may not be, and where it differs from the ledger before it; who deals, at which level.

A finding that blocks refuses the entry; the others are asked back and recorded with it.
"""

from __future__ import annotations

from math import inf
from typing import Any

from scoring import wording
from scoring.hands.entries import Adjusted, Annulled, End, Entry, HandSheet, LevelPenalty
from scoring.hands.findings import Finding, finding
from scoring.hands.sheets import check_sheet
from scoring.hands.variants import Scoring
from scoring.profiles import Profile
from scoring.sittings.endings import hands_in_all, lead
from scoring.sittings.states import UNTIMED, Conditions, FixedHand, SittingState
from scoring.values import Level, Seat


def check_next(
    profile: Profile, state: SittingState, entry: Entry, conditions: Conditions = UNTIMED
) -> tuple[Finding, ...]:
    """Every finding on a new entry: what it shows about itself, and what the ledger before it shows."""
    own = check_sheet(profile, entry, level=level_due(profile, state, entry)) if isinstance(entry, HandSheet) else ()
    refused = impossible(profile, state, entry)
    if refused:
        return own + refused
    ledger = discrepancies(profile, state, entry) + _not_allowed(profile, conditions, state, entry)
    return own + ledger + (_hook_elsewhere(profile, state, entry) if isinstance(entry, HandSheet) else ())


def impossible(profile: Profile, state: SittingState, entry: Entry) -> tuple[Finding, ...]:
    """Why an entry cannot be counted at all: the match is over, nobody knows who deals, or it says nothing of what is
    counted."""
    if state.next_dealer is not None and not state.finished:
        return () if state.scoring is Scoring.HAND_POINTS else _not_counted(state.scoring, entry)
    if state.finished:
        return (finding("match_over", "kind", profile=profile, topic="finish"),)
    needs_dealer = isinstance(entry, HandSheet | Adjusted) or (
        isinstance(entry, Annulled) and entry.reason == "rebellion"
    )
    contested = state.next_dealer is None and getattr(entry, "dealer", None) is None
    if needs_dealer and contested and dealer_due(profile, state, entry) is None:
        return (finding("dealer_missing", "dealer", profile=profile, topic="first_deal"),)
    return () if state.scoring is Scoring.HAND_POINTS else _not_counted(state.scoring, entry)


def _not_counted(scoring: Scoring, entry: Entry) -> tuple[Finding, ...]:
    """Levels given or taken where no level is worth anything; a result in levels where points are counted."""
    if isinstance(entry, LevelPenalty):
        return (finding("levels_not_counted", "levels"),)
    if isinstance(entry, Adjusted) and scoring is Scoring.POINTS:
        return (finding("adjusted_without_points", "kind"),)
    return ()


def dealer_due(profile: Profile, state: SittingState, entry: Entry) -> Seat | None:
    """Who deals the entry's hand by the ledger before it; None while the deal is contested.

    Where a declaration needs a joker, an attacker who declared takes the stage, for the dealer side could not; and
    of a contested deal the declarer is the dealer. A fixed dealer deals, whoever declares.
    """
    declarer = entry.declared_by if isinstance(entry, HandSheet) else None
    if declarer is None or profile.joker_declare == "none":
        return state.next_dealer
    if state.next_dealer is None or (state.next_dealer.side is not declarer.side and not state.fixed):
        return declarer
    return state.next_dealer


def level_due(profile: Profile, state: SittingState, sheet: HandSheet) -> Level | None:
    """The level at which a hand counts after the ledger before it; None while nobody knows who deals."""
    dealer = sheet.dealer or dealer_due(profile, state, sheet)
    return None if dealer is None else counted_level(sheet, state.levels[dealer.side])


def _not_allowed(profile: Profile, conditions: Conditions, state: SittingState, entry: Entry) -> tuple[Finding, ...]:
    """What the rules refuse in a new entry, though a ledger that has it can be folded."""
    found = []
    if isinstance(entry, Annulled) and entry.reason == "rebellion":
        if not profile.rebellion:
            found.append(finding("rebellion_not_here", "reason", profile=profile, topic="no_rebellion"))
        dealer = entry.dealer or state.next_dealer
        if entry.by is not None and dealer is not None and entry.by.side is dealer.side:
            seat = wording.SEATS[entry.by]
            found.append(finding("rebellion_by_dealer", "by", profile=profile, topic="rebellion", seat=seat))
        facts = (entry.hand_points, entry.trump_count)
        few = (
            entry.hand_points is not None and entry.hand_points <= profile.rebellion_points,
            entry.trump_count is not None and entry.trump_count <= profile.rebellion_trumps,
        )
        if profile.rebellion and facts != (None, None) and not any(few):
            found.append(
                finding(
                    "rebellion_without_ground",
                    "hand_points",
                    profile=profile,
                    topic="rebellion",
                    points=profile.rebellion_points,
                    trumps=profile.rebellion_trumps,
                )
            )
    if isinstance(entry, End) and entry.reason == "lead":
        ahead = abs(lead(profile, state))
        if conditions.lead_levels is None:
            found.append(finding("lead_not_here", "reason", profile=profile, topic="lead"))
        elif ahead < conditions.lead_levels:
            found.append(
                finding(
                    "lead_too_small", "reason", profile=profile, topic="lead", lead=ahead, needed=conditions.lead_levels
                )
            )
    hands, played = hands_in_all(conditions), state.hands_played
    if isinstance(entry, End) and entry.reason == "hands" and played < hands < inf:
        found.append(finding("hands_too_few", "reason", profile=profile, topic="timed_tie", played=played, hands=hands))
    return tuple(found)


def discrepancies(profile: Profile, state: SittingState, entry: Entry) -> tuple[Finding, ...]:
    """Where an entry and the ledger before it differ."""
    if isinstance(entry, HandSheet) and entry.dealer is None and entry.level is None and not state.fixed:
        return ()
    if state.due is not None and isinstance(entry, HandSheet | Adjusted | Annulled):
        return _unlike_fixed(state, state.due, entry) + _rebelled_twice(profile, state, entry)
    found: list[Finding] = []
    dealer = getattr(entry, "dealer", None)
    if isinstance(entry, HandSheet) and dealer is None and entry.level is None:
        return ()
    due = dealer_due(profile, state, entry)
    if dealer is not None and due is not None and dealer is not due:
        found.append(
            finding(
                "dealer_unexpected",
                "dealer",
                profile=profile,
                topic="dealer.kept" if due.side is dealer.side else "dealer.lost",
                blocking=False,
                due=wording.SEATS[due],
                level=wording.level(state.levels[due.side]),
                playing=wording.playing(state.levels[due.side]),
                dealer=wording.SEATS[dealer],
            )
        )
    if isinstance(entry, HandSheet):
        dealer = entry.dealer or due
        assert dealer is not None
        level = state.levels[dealer.side]
        if entry.level is not None and entry.level != level:
            found.append(
                finding(
                    "level_unexpected",
                    "level",
                    profile=profile,
                    topic="ladder",
                    blocking=False,
                    due=wording.level(level),
                    playing=wording.playing(level),
                    level=wording.level(entry.level),
                )
            )
    return tuple(found) + _rebelled_twice(profile, state, entry)


def _rebelled_twice(profile: Profile, state: SittingState, entry: Entry) -> tuple[Finding, ...]:
    if isinstance(entry, Annulled) and entry.reason == "rebellion" and state.last_was_rebellion:
        return (finding("rebellion_twice", "reason", profile=profile, topic="rebellion_twice"),)
    return ()


def _unlike_fixed(state: SittingState, due: FixedHand, entry: HandSheet | Adjusted | Annulled) -> tuple[Finding, ...]:
    """Where an entry differs from what its hand is fixed to."""
    found, number = [], state.hands_played + 1
    dealer = state.next_dealer
    if dealer is not None and entry.dealer not in (None, dealer):
        assert entry.dealer is not None
        words: dict[str, Any] = {"due": wording.SEATS[dealer], "dealer": wording.SEATS[entry.dealer]}
        found.append(finding("fixed_dealer_unexpected", "dealer", blocking=False, number=number, **words))
    if not isinstance(entry, HandSheet):
        return tuple(found)
    if entry.level not in (None, due.level):
        assert entry.level is not None
        words = {"due": wording.level(due.level), "playing": wording.playing(due.level)}
        words["level"] = wording.level(entry.level)
        found.append(finding("fixed_level_unexpected", "level", blocking=False, number=number, **words))
    if due.trump is not None and entry.trump not in (None, due.trump):
        assert entry.trump is not None
        words = {"due": wording.TRUMPS[due.trump], "trump": wording.TRUMPS[entry.trump]}
        found.append(finding("trump_unexpected", "trump", blocking=False, number=number, **words))
    return tuple(found)


def _hook_elsewhere(profile: Profile, state: SittingState, sheet: HandSheet) -> tuple[Finding, ...]:
    """A notice that the card of the hook won the last trick at a level that has no hook."""
    dealer = sheet.dealer or dealer_due(profile, state, sheet)
    assert dealer is not None
    level = counted_level(sheet, state.levels[dealer.side])
    ranks = {one.rank for one in profile.hook_levels}
    if level in profile.hook_levels or not any(card.rank in ranks for card in sheet.winning_play):
        return ()
    return (
        finding(
            "hook_not_here",
            "winning_play",
            profile=profile,
            topic="hook",
            blocking=False,
            levels=wording.level_list(profile.hook_levels),
            level=wording.level(level),
            playing=wording.playing(level),
        ),
    )


def counted_level(sheet: HandSheet, due: Level) -> Level:
    """The level at which a hand counts: as recorded where that was let stand, else as due."""
    return sheet.level if sheet.treatment == "let_stand" and sheet.level is not None else due
