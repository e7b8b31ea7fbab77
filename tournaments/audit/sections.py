"""What an event document holds: one table for the way out (`record`) and the way in (`transfer.whole_events`).

Every section is a member of the document, a list of rows of one model. `public` columns are in every export,
`official` ones in the export of officials only. Columns are named as the database names them: ids end in `_id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Model

from ..models import (
    AppealMember,
    Board,
    BoardResult,
    CheckIn,
    Correction,
    Dealing,
    Draw,
    DrawnLots,
    Entrant,
    HallFixture,
    HistoryEntry,
    KeptApart,
    LedgerEntry,
    Match,
    MatchPlace,
    Official,
    Pairing,
    Projector,
    Publication,
    PutAside,
    RecordedHand,
    Round,
    RuleChange,
    Ruling,
    RulingAct,
    SignalCard,
    SignalTerms,
    Sitting,
    Stage,
    StageEntrant,
    StandingsRun,
    Table,
    TablePlace,
)

#: Columns of the event itself; those of officials say how it is run.
EVENT_PUBLIC = (
    "id", "slug", "language", "timezone", "starts_on", "profile_spec", "profile_digest", "penalties", "appeal_minutes",
    "lot_commitment", "stale_number", "created_at", "closed_at",
)  # fmt: skip
EVENT_OFFICIAL = ("single_official", "live_public", "created_by_id")


@dataclass(frozen=True, slots=True)
class Section:
    """A list of rows: its member of the document, its model, the way from a row to its event, order and columns.

    A section without public columns is in the export of officials only. `always` are members of every row that say the
    same in each: they keep the form, and with it the digests, of exports from before their columns went. A `later`
    section came after the format: it stands in the document only where it has rows, and older exports have none.
    """

    name: str
    model: type[Model]
    event: str
    order: tuple[str, ...]
    public: tuple[str, ...] = ()
    official: tuple[str, ...] = ()
    always: Mapping[str, None] = field(default_factory=dict)
    later: bool = False

    def columns(self, *, official: bool) -> tuple[str, ...]:
        return (*self.public, *self.official) if official else self.public


#: In an order in which they can be written: what is pointed at before what points.
SECTIONS: tuple[Section, ...] = (
    Section(
        "stages", Stage, "tournament", ("number",),
        ("id", "number", "name", "format", "match_score", "match_score_assumed", "tie_rule", "minutes", "hands",
         "lead_levels", "rounds_planned", "chain", "plan", "begun_at"),
    ),
    Section(
        "entrants", Entrant, "tournament", ("number",),
        ("id", "number", "seed", "category", "withdrawn_at", "annulled_in_id"),
        # who is ruled out follows from the rulings that stand
        always={"excluded_at": None},
    ),
    Section(
        "stage_entrants", StageEntrant, "stage__tournament", ("stage__number", "order"),
        ("id", "stage_id", "entrant_id", "order", "group", "from_group", "from_rank", "joined_at"),
    ),
    Section(
        "kept_apart", KeptApart, "tournament", ("number",),
        ("id", "number", "one_id", "other_id", "force", "set_at", "revoked_at"),
        ("reason", "set_by_id", "revoked_by_id", "revoked_why"),
        later=True,
    ),
    Section(
        "signal_terms", SignalTerms, "tournament", ("number",),
        ("id", "number", "card", "prescribed", "return_duty", "return_fine", "set_at"), ("reason", "set_by_id"),
        later=True,
    ),
    Section(
        "signal_cards", SignalCard, "entrant__tournament", ("entrant__number", "number"),
        ("id", "entrant_id", "number", "direct", "instead", "indirect", "system", "notes", "after_start", "filed_at"),
        ("reason", "filed_by_id"),
        later=True,
    ),
    Section("tables", Table, "tournament", ("number",), ("id", "number")),
    Section(
        "table_places", TablePlace, "tournament", ("table__number",), ("id", "table_id", "row", "column"), later=True
    ),
    Section(
        "hall_fixtures", HallFixture, "tournament", ("row", "column"), ("id", "kind", "row", "column"), later=True
    ),
    Section(
        "rounds", Round, "tournament", ("number",),
        ("id", "stage_id", "number", "status", "started_at", "ends_at", "stopped_at", "closed_at", "extra"),
    ),
    Section(
        "check_ins", CheckIn, "entrant__tournament", ("pk",), (),
        ("id", "entrant_id", "round_id", "arrived_at", "noted_by_id", "undone_at", "undone_by_id"),
    ),
    Section(
        "draws", Draw, "round__tournament", ("pk",),
        ("id", "round_id", "number", "method", "document", "digest", "drawn_at"), ("reason", "drawn_by_id"),
    ),
    Section(
        "projectors", Projector, "tournament", ("pk",),
        ("id", "boards", "held", "paused", "ticker", "turned", "draw_id", "begun_at", "balls"),
        later=True,
    ),
    Section(
        "pairings", Pairing, "round__tournament", ("pk",),
        ("id", "round_id", "number", "draw_id", "document", "digest", "published_at"), ("reason", "published_by_id"),
    ),
    Section(
        "matches", Match, "round__tournament", ("pk",),
        ("id", "round_id", "number", "home_id", "away_id", "published_in_id", "superseded_in_id", "outcome",
         "home_level", "away_level", "winner_side", "decided_by", "home_hundredths", "away_hundredths",
         "net_hundredths", "away_net_hundredths", "finer_scores", "finished_at", "group", "slot", "for_place"),
    ),
    Section(
        "places", MatchPlace, "round__tournament", ("match_id", "place"),
        ("id", "match_id", "round_id", "place", "active", "entrant_id", "hundredths", "level", "hands_won",
         "penalties", "winner"),
    ),
    Section(
        "sittings", Sitting, "round__tournament", ("pk",),
        ("id", "match_id", "round_id", "table_id", "room", "game", "home_side", "boards", "extra_minutes", "active",
         "scored_by", "opening", "phase", "revision", "state", "hand_no", "changed_at",
         "decided_side"),
    ),
    Section(
        "boards", Board, "stage__tournament", ("stage__number", "number"),
        ("id", "stage_id", "number", "dealer", "level", "trump"),
    ),
    Section(
        "deals", Dealing, "stage__tournament", ("stage__number", "number"),
        ("id", "stage_id", "number", "first_board", "last_board", "decks", "commitment", "committed_at", "lot",
         "lot_at", "secret", "shown_at"),
        ("committed_by_id", "reader_id", "lot_by_id", "shown_by_id"),
        later=True,
    ),
    Section(
        "board_results", BoardResult, "board__stage__tournament", ("sitting_id", "board__number"),
        ("id", "sitting_id", "board_id", "dealer_side", "hand_points", "attackers_points", "ns_mark", "ew_mark"),
    ),
    Section(
        "ledger", LedgerEntry, "tournament", ("sitting_id", "position", "version"),
        ("id", "sitting_id", "board_id", "position", "version", "kind", "hand_no", "facts", "status", "contests_id",
         "entered_side", "entered_by_id", "entered_at", "confirmed_side", "confirmed_by_id", "confirmed_at", "basis"),
        ("reason", "device_time", "sent_back_what", "sent_back_note"),
    ),
    Section(
        "recorded_hands", RecordedHand, "tournament", ("sitting_id", "hand_no", "number"),
        ("id", "sitting_id", "hand_no", "number", "text", "digest", "attached_by_id", "attached_at"),
    ),
    Section(
        "put_aside", PutAside, "tournament", ("number",), (),
        ("id", "number", "flag", "aside", "note", "put_at", "put_by_id"),
        later=True,
    ),
    Section(
        "drawn_lots", DrawnLots, "stage__tournament", ("stage__number", "number"),
        ("id", "stage_id", "number", "order", "reason", "drawn_at"), ("drawn_by_id",),
    ),
    Section(
        "standings", StandingsRun, "stage__tournament", ("stage__number",),
        ("stage_id", "covers", "rows", "digest", "provisional"), ("id", "computed_at"),
    ),
    Section(
        "publications", Publication, "tournament", ("number",),
        ("id", "stage_id", "round_id", "number", "supersedes_id", "provisional", "document", "digest", "published_at"),
        ("reason", "published_by_id"),
    ),
    Section(
        "rule_changes", RuleChange, "tournament", ("pk",),
        ("id", "old_spec", "old_digest", "new_spec", "new_digest", "proposed_by_id", "proposed_at", "decided_by_id",
         "decided_at", "status"),
        ("reason", "differences", "needs_second"),
    ),
    Section(
        "corrections", Correction, "entry__tournament", ("pk",), (),
        ("id", "entry_id", "sitting_revision", "facts", "treatment", "reason", "status", "proposed_by_id",
         "proposed_at", "decided_by_id", "decided_at"),
    ),
    Section(
        "rulings", Ruling, "tournament", ("number",),
        ("id", "sitting_id", "number", "hand_no", "side", "clause", "clause_text", "profile_digest", "verdict",
         "penalty", "status", "appeal", "decided_at"),
        ("entry_id", "source", "facts", "proposal", "proposed_by_id", "proposed_at", "decided_by_id", "appeal_until"),
    ),
    Section(
        "ruling_acts", RulingAct, "ruling__tournament", ("pk",), (),
        ("id", "ruling_id", "step", "at", "user_id", "side", "reason", "entry_id", "correction_id"),
    ),
    Section("appeal_members", AppealMember, "act__ruling__tournament", ("pk",), (), ("id", "act_id", "user_id")),
    Section(
        "officials", Official, "tournament", ("pk",), (), ("id", "user_id", "office", "appointed_at", "revoked_at"),
    ),
    Section(
        "history", HistoryEntry, "tournament", ("pk",), (),
        ("id", "at", "user_id", "side", "sitting_id", "round_id", "act", "subject", "reason", "old", "new"),
    ),
)  # fmt: skip

BY_MODEL: Mapping[type[Model], Section] = {section.model: section for section in SECTIONS}
