"""Small reads of the public pages beside those of `public`: progress of rounds, publications, pairings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q

from scoring.hands.entries import HandSheet
from scoring.hands.sheets import read_entry
from scoring.hands.totals import attackers_total
from scoring.profiles.loader import TWO_TEAMS

from ..boards.reads import kept_back_at
from ..models import (
    EntryKind,
    EntryStatus,
    LedgerEntry,
    MatchOutcome,
    Pairing,
    Round,
    RuleChange,
    Tournament,
)
from .public import VISIBLE_ROUNDS


@dataclass(frozen=True, slots=True)
class Progress:
    """A public round: how many of its matches are finished, byes apart."""

    round: Round
    finished: int
    matches: int


def rounds_with_progress(tournament: Tournament) -> list[Progress]:
    """Every round with a published pairing, in order; who has a bye awaits no result. One query."""
    stands = Q(matches__superseded_in=None) & ~Q(matches__outcome=MatchOutcome.BYE)
    rounds = tournament.rounds.filter(status__in=VISIBLE_ROUNDS).select_related("stage").order_by("number")
    counted = rounds.annotate(
        all_matches=Count("matches", filter=stands),
        open_matches=Count("matches", filter=stands & Q(matches__outcome=MatchOutcome.PENDING)),
    )
    return [Progress(one, one.all_matches - one.open_matches, one.all_matches) for one in counted]


def pairings_of(round_: Round) -> list[Pairing]:
    """The numbered pairings of a round, in order; those after the first have a reason."""
    return list(round_.pairings.order_by("number"))


def totals_of_hands(tournament: Tournament) -> Counter[int]:
    """How often the attackers ended a confirmed hand with each total that counted (points); one query.

    Only of rounds that are public, and of sides: single players have results of their own. Not of boards that others
    have to play.
    """
    profile = tournament.profile
    hands = LedgerEntry.objects.filter(
        tournament=tournament,
        kind=EntryKind.HAND,
        status=EntryStatus.EFFECTIVE,
        sitting__round__status__in=VISIBLE_ROUNDS,
        sitting__match__superseded_in=None,
    ).exclude(sitting__in=kept_back_at(tournament).sittings)
    totals: Counter[int] = Counter()
    if profile.game != TWO_TEAMS:
        return totals
    for facts in hands.values_list("facts", flat=True):
        sheet = read_entry(profile, facts)
        if isinstance(sheet, HandSheet):
            totals[attackers_total(profile, sheet, reasons=False).for_levels] += 1
    return totals


def rule_changes(tournament: Tournament) -> list[RuleChange]:
    """The changes of the event's rules that were applied, in order."""
    return list(tournament.rule_changes.filter(status=RuleChange.Status.APPLIED).order_by("pk").defer("differences"))
