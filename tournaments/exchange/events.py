"""A whole event as one JSON document: everything an auditor needs to work all results out again on another machine.

Ledger, results and publications hold ids; names stand apart under "names" and may be left out. The seed of the lots is
there once a publication has revealed it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, Model, OuterRef, QuerySet

from ..models import (
    Correction,
    EntryStatus,
    HistoryEntry,
    LedgerEntry,
    Match,
    MatchPlace,
    Official,
    Pairing,
    Player,
    Publication,
    RecordedHand,
    RoundStatus,
    RuleChange,
    Ruling,
    RulingAct,
    Sitting,
    StandingsRun,
    Tournament,
)
from .text import canonical_json

FORMAT = "referee/event/1"
_PUBLIC_STATUSES = (EntryStatus.EFFECTIVE, EntryStatus.SUPERSEDED)
_PUBLIC_ROUNDS = (RoundStatus.PUBLISHED, RoundStatus.RUNNING, RoundStatus.CLOSED)

_TOURNAMENT = (
    "id", "slug", "language", "timezone", "starts_on", "profile_spec", "profile_digest", "lot_commitment",
    "stale_number", "created_at", "closed_at",
)  # fmt: skip
_STAGE = (
    "id", "number", "name", "format", "match_score", "match_score_assumed", "tie_rule", "minutes", "hands",
    "lead_levels", "rounds_planned", "chain",
)  # fmt: skip
_ROUND = ("id", "stage_id", "number", "status", "started_at", "ends_at", "closed_at")
_MATCH = (
    "id", "round_id", "number", "home_id", "away_id", "published_in_id", "superseded_in_id", "outcome", "home_level",
    "away_level", "winner_side", "decided_by", "home_hundredths", "away_hundredths", "finished_at",
)  # fmt: skip
_PLACE = (
    "match_id", "place", "active", "entrant_id", "hundredths", "level", "hands_won", "penalties", "winner",
)  # fmt: skip
_SITTING = (
    "id", "match_id", "round_id", "table_id", "room", "active", "scored_by", "opening", "phase", "revision", "state",
    "hand_no", "changed_at",
)  # fmt: skip
_ENTRY = (
    "id", "sitting_id", "position", "version", "kind", "hand_no", "facts", "status", "contests_id", "entered_side",
    "entered_by_id", "entered_at", "confirmed_side", "confirmed_by_id", "confirmed_at", "basis",
)  # fmt: skip
_PUBLICATION = (
    "id", "stage_id", "round_id", "number", "supersedes_id", "provisional", "document", "digest", "published_at",
)  # fmt: skip
_RULE_CHANGE = (
    "id", "old_spec", "old_digest", "new_spec", "new_digest", "proposed_by_id", "proposed_at",
    "decided_by_id", "decided_at",
)  # fmt: skip
_RULING = (
    "id", "sitting_id", "number", "hand_no", "side", "clause", "clause_text", "profile_digest", "verdict", "penalty",
    "status", "appeal", "decided_at",
)  # fmt: skip
_RULING_OFFICIAL = (
    *_RULING, "entry_id", "source", "facts", "proposal", "proposed_by_id", "proposed_at", "decided_by_id",
    "appeal_until",
)  # fmt: skip
_RULING_ACT = ("id", "ruling_id", "step", "at", "user_id", "side", "reason", "entry_id", "correction_id")
_RECORDED_HAND = ("id", "sitting_id", "hand_no", "number", "text", "digest", "attached_by_id", "attached_at")
_HISTORY = ("id", "at", "user_id", "side", "sitting_id", "round_id", "act", "subject", "reason", "old", "new")


def event_document(
    tournament: Tournament, *, official: bool = False, names: bool = False, at: datetime | None = None
) -> dict[str, Any]:
    """The event as JSON.

    Without `official` it holds what is public: no hand that waits, no draft round, no live table the event hides, no
    history. `names` adds names of entrants, players and officials. `at` is when it was exported (left out when None,
    so that two exports of the same event are the same bytes).
    """
    rounds = tournament.rounds.all() if official else tournament.rounds.filter(status__in=_PUBLIC_ROUNDS)
    matches = Match.objects.filter(round__in=rounds)
    sittings = Sitting.objects.filter(round__in=rounds)
    entries = LedgerEntry.objects.filter(sitting__in=sittings)
    if not official:
        entries = entries.filter(status__in=_PUBLIC_STATUSES)
    document: dict[str, Any] = {
        "format": FORMAT,
        "tournament": _fields(tournament, _TOURNAMENT),
        "stages": _rows(tournament.stages.order_by("number"), _STAGE),
        "entrants": _rows(tournament.entrants.order_by("number"), ("id", "number", "withdrawn_at")),
        "tables": _rows(tournament.tables.order_by("number"), ("id", "number")),
        "rounds": _rows(rounds.order_by("number"), _ROUND),
        "pairings": _rows(
            Pairing.objects.filter(round__in=rounds).order_by("pk"), ("id", "round_id", "number", "published_at")
        ),
        "matches": _rows(matches.order_by("pk"), _MATCH),
        "places": _rows(MatchPlace.objects.filter(round__in=rounds).order_by("match_id", "place"), _PLACE),
        "sittings": _rows(sittings.order_by("pk"), _SITTING),
        "ledger": _rows(entries.order_by("sitting_id", "position", "version"), _ENTRY),
        "recorded_hands": _rows(_recorded_hands(entries), _RECORDED_HAND),
        "standings": _live(tournament) if official or tournament.live_public else [],
        "publications": _rows(tournament.publications.order_by("number"), _PUBLICATION),
        "rule_changes": _rows(
            tournament.rule_changes.filter(status=RuleChange.Status.APPLIED).order_by("decided_at", "pk"), _RULE_CHANGE
        ),
    }
    rulings = Ruling.objects.filter(tournament=tournament).order_by("number")
    if official:
        document["rulings"] = _rows(rulings, _RULING_OFFICIAL)
        acts = RulingAct.objects.filter(ruling__tournament=tournament).order_by("pk")
        document["ruling_acts"] = _rows(acts, _RULING_ACT)
    else:
        document["rulings"] = _rows(rulings.exclude(decided_at=None), _RULING)
    if _lots_revealed(tournament):
        document["lot_seed"] = tournament.lot_seed
    if official:
        document["corrections"] = _corrections(tournament)
        document["history"] = _rows(HistoryEntry.objects.filter(tournament=tournament).order_by("pk"), _HISTORY)
    if names:
        document["names"] = _names(tournament)
    if at is not None:
        document["exported_at"] = at.isoformat()
    return document


def event_json(
    tournament: Tournament, *, official: bool = False, names: bool = False, at: datetime | None = None
) -> bytes:
    """The document as canonical JSON in UTF-8: the same event gives the same bytes on every database."""
    return canonical_json(event_document(tournament, official=official, names=names, at=at)).encode()


def _rows(rows: QuerySet[Any], names: Iterable[str]) -> list[dict[str, Any]]:
    return [{name: _plain(value) for name, value in row.items()} for row in rows.values(*names)]


def _fields(row: Model, names: Iterable[str]) -> dict[str, Any]:
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _recorded_hands(entries: QuerySet[LedgerEntry]) -> QuerySet[RecordedHand]:
    """Records of the hands that count among these entries."""
    counting = entries.filter(sitting=OuterRef("sitting"), hand_no=OuterRef("hand_no"), status=EntryStatus.EFFECTIVE)
    return RecordedHand.objects.filter(Exists(counting)).order_by("sitting_id", "hand_no", "number")


def _live(tournament: Tournament) -> list[dict[str, Any]]:
    runs = StandingsRun.objects.filter(stage__tournament=tournament).order_by("stage__number")
    return _rows(runs, ("stage_id", "covers", "rows", "digest", "provisional"))


def _corrections(tournament: Tournament) -> list[dict[str, Any]]:
    rows = Correction.objects.filter(entry__tournament=tournament).order_by("pk")
    return _rows(
        rows,
        ("id", "entry_id", "facts", "treatment", "reason", "status", "proposed_by_id", "proposed_at", "decided_by_id",
         "decided_at"),
    )  # fmt: skip


def _lots_revealed(tournament: Tournament) -> bool:
    documents = Publication.objects.filter(tournament=tournament).values_list("document", flat=True)
    return any("seed" in json.loads(document)["question"] for document in documents)


def _names(tournament: Tournament) -> dict[str, Any]:
    players: dict[int, list[dict[str, str]]] = {}
    for player in Player.objects.filter(entrant__tournament=tournament).order_by("entrant_id", "order"):
        players.setdefault(player.entrant_id, []).append({"name": player.name, "name_latin": player.name_latin})
    officials = Official.objects.filter(tournament=tournament).select_related("user").order_by("user_id")
    return {
        "tournament": {"name": tournament.name, "name_latin": tournament.name_latin, "place": tournament.place},
        "entrants": {
            str(entrant.pk): {
                "name": entrant.name,
                "name_latin": entrant.name_latin,
                "unit": entrant.unit,
                "external_id": entrant.external_id,
                "players": players.get(entrant.pk, []),
            }
            for entrant in tournament.entrants.order_by("number")
        },
        "officials": {str(official.user_id): str(official.user) for official in officials},
    }
