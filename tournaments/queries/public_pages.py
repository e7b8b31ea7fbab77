"""Small reads of the public pages beside those of `public`: progress of rounds, publications, pairings."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count, Q

from scoring.entries import HandSheet
from scoring.profiles.loader import TWO_TEAMS
from scoring.sheets import read_entry
from scoring.totals import attackers_total

from ..models import (
    EntryKind,
    EntryStatus,
    LedgerEntry,
    MatchOutcome,
    Pairing,
    Publication,
    Round,
    RuleChange,
    Stage,
    Tournament,
)
from .boards import kept_back_at
from .origins import read_here
from .public import VISIBLE_ROUNDS
from .publications import rows_in


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


def newest_publication(tournament: Tournament, stage: Stage | None = None) -> Publication | None:
    """The newest publication that no other replaces."""
    rows = tournament.publications.filter(superseded_by=None).select_related("round").defer("document")
    if stage is not None:
        rows = rows.filter(stage=stage)
    return rows.order_by("-number").first()


def publications(tournament: Tournament) -> list[Publication]:
    """All publications, newest first, each with what replaced it; without the documents."""
    rows = tournament.publications.select_related("round", "stage", "superseded_by", "supersedes")
    return list(rows.defer("document", "superseded_by__document", "supersedes__document").order_by("-number"))


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


Places = dict[int, tuple[tuple[int, int, bool], ...]]


def places_until(publication: Publication) -> Places:
    """Entrant id -> (round number, rank, shared) as they stood when a publication appeared: by each round's newest
    publication up to that number. One query.
    """
    rows = Publication.objects.filter(
        stage=publication.stage_id, number__lte=publication.number, round__number__lte=publication.round.number
    ).order_by("number")
    found = rows.values_list("round__number", "document", "tournament__origin__ids")
    newest = {number: (document, ids) for number, document, ids in found}
    places: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for number, (document, ids) in sorted(newest.items()):
        for row in rows_in(read_here(document, ids)):
            if row["rank"] is not None:
                places[int(row["entrant"])].append((number, row["rank"], row["shared"]))
    return {entrant: tuple(found) for entrant, found in places.items()}


def rule_changes(tournament: Tournament) -> list[RuleChange]:
    """The changes of the event's rules that were applied, in order."""
    return list(tournament.rule_changes.filter(status=RuleChange.Status.APPLIED).order_by("pk").defer("differences"))
