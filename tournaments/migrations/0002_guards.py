"""Guards in the database itself: what was recorded is not edited and not deleted, whatever program writes.

Rows of a demonstration (tournament.demo, which can never become true later) may be deleted.

SQLite makes a table anew to alter it, and the triggers that stand on it or speak of it do not survive that. A later
migration that alters a table runs `take_down` of this module first and `set_up` last; a later guard has its own list.
"""

# ruff: noqa: S608 - statements are put together from the constants of this file

from __future__ import annotations

from dataclasses import dataclass

from django.db import migrations

LEDGER_FIXED = (
    "tournament_id", "sitting_id", "board_id", "position", "version", "kind", "hand_no", "facts", "contests_id",
    "entered_side", "entered_by_id", "entered_device_id", "entered_at", "device_time", "reason",
)  # fmt: skip
LEDGER_CONFIRMING = ("confirmed_side", "confirmed_by_id", "confirmed_device_id", "confirmed_at", "basis")
LEDGER_SENT_BACK = ("sent_back_what", "sent_back_note")
CORRECTION_FIXED = ("entry_id", "sitting_revision", "facts", "treatment", "reason", "proposed_by_id", "proposed_at")
TOURNAMENT_FIXED = ("lot_seed", "lot_commitment", "created_at")
RULE_CHANGE_FIXED = (
    "tournament_id", "old_spec", "old_digest", "new_spec", "new_digest", "reason", "differences", "needs_second",
    "proposed_by_id", "proposed_at",
)  # fmt: skip
RULING_FIXED = (
    "tournament_id", "number", "sitting_id", "entry_id", "hand_no", "side", "source", "facts", "clause", "clause_text",
    "profile_digest", "verdict", "proposal", "proposed_by_id", "proposed_at",
)  # fmt: skip
RULING_DECISION = ("penalty", "decided_by_id", "decided_at", "appeal_until")
MATCH_SEATING = ("round_id", "home_id", "away_id", "superseded_in_id")

DEMO = "(SELECT t.demo FROM tournaments_tournament t WHERE t.id = {tournament})"
OF_ROUND = "(SELECT r.tournament_id FROM tournaments_round r WHERE r.id = {row}.round_id)"
OF_ENTRANT = "(SELECT e.tournament_id FROM tournaments_entrant e WHERE e.id = {entrant})"
OF_SITTING = (
    "(SELECT r.tournament_id FROM tournaments_sitting s JOIN tournaments_round r ON r.id = s.round_id"
    " WHERE s.id = {sitting})"
)
OF_ENTRY = "(SELECT l.tournament_id FROM tournaments_ledgerentry l WHERE l.id = OLD.entry_id)"
OF_STAGE = "(SELECT s.tournament_id FROM tournaments_stage s WHERE s.id = {row}.stage_id)"
OF_RULING = "(SELECT r.tournament_id FROM tournaments_ruling r WHERE r.id = OLD.ruling_id)"
OF_RULING_ACT = (
    "(SELECT r.tournament_id FROM tournaments_ruling r"
    " JOIN tournaments_rulingact a ON a.ruling_id = r.id WHERE a.id = OLD.act_id)"
)
OF_MATCH = "(SELECT m.{column} FROM tournaments_match m WHERE m.id = NEW.match_id)"
SITTING_OF_ENTRY = "(SELECT l.sitting_id FROM tournaments_ledgerentry l WHERE l.id = NEW.entry_id)"
HAND_OF_SITTING = (
    "EXISTS (SELECT 1 FROM tournaments_ledgerentry l WHERE l.sitting_id = NEW.sitting_id AND l.hand_no = NEW.hand_no)"
)
# the newest applied change leads from the rules that stood to the rules that are written
RECORDED_CHANGE = (
    "EXISTS (SELECT 1 FROM tournaments_rulechange c WHERE c.old_digest = OLD.profile_digest"
    " AND c.new_digest = NEW.profile_digest AND c.id = (SELECT MAX(a.id) FROM tournaments_rulechange a"
    " WHERE a.tournament_id = NEW.id AND a.status = 'applied'))"
)


@dataclass(frozen=True)
class Guard:
    """Refuse `event` on a table when `refuse_if` holds (SQL over OLD and NEW; {differs} compares with nulls)."""

    name: str
    table: str
    event: str
    refuse_if: str
    why: str
    lock: str = ""


def changed(*columns: str) -> str:
    return "(" + " OR ".join(f"NEW.{column} {{differs}} OLD.{column}" for column in columns) + ")"


def kept(table: str, tournament: str, *, noun: str, no_update: bool) -> list[Guard]:
    """No DELETE but of a demonstration's rows; with `no_update` no UPDATE either."""
    name = table.removeprefix("tournaments_")
    demo = DEMO.format(tournament=tournament)
    guards = [Guard(f"{name}_is_kept", table, "DELETE", f"COALESCE(NOT {demo}, {{true}})", f"{noun} is never deleted")]
    if no_update:
        guards.append(Guard(f"{name}_is_not_edited", table, "UPDATE", "{true}", f"{noun} is never edited"))
    return guards


GUARDS = [
    *kept("tournaments_ledgerentry", "OLD.tournament_id", noun="a ledger entry", no_update=False),
    *kept("tournaments_correction", OF_ENTRY, noun="a correction", no_update=False),
    *kept("tournaments_historyentry", "OLD.tournament_id", noun="history", no_update=True),
    *kept("tournaments_publication", "OLD.tournament_id", noun="a publication", no_update=True),
    *kept("tournaments_pairing", OF_ROUND.format(row="OLD"), noun="a published pairing", no_update=True),
    *kept("tournaments_rulechange", "OLD.tournament_id", noun="a change of rules", no_update=False),
    *kept("tournaments_ruling", "OLD.tournament_id", noun="a ruling", no_update=False),
    *kept("tournaments_rulingact", OF_RULING, noun="an act of a ruling", no_update=True),
    *kept("tournaments_appealmember", OF_RULING_ACT, noun="who decided an appeal", no_update=True),
    *kept("tournaments_recordedhand", "OLD.tournament_id", noun="the record of a hand", no_update=True),
    *kept("tournaments_draw", OF_ROUND.format(row="OLD"), noun="a draw", no_update=True),
    *kept("tournaments_drawnlots", OF_STAGE.format(row="OLD"), noun="a draw of lots", no_update=True),
    Guard(
        "ledgerentry_facts_stay",
        "tournaments_ledgerentry",
        "UPDATE",
        changed(*LEDGER_FIXED),
        "the facts of a ledger entry are never edited",
    ),
    Guard(
        "ledgerentry_moves_lawfully",
        "tournaments_ledgerentry",
        "UPDATE",
        "NOT (NEW.status = OLD.status"
        " OR (OLD.status = 'waiting' AND NEW.status IN ('effective', 'withdrawn', 'returned', 'overruled'))"
        " OR (OLD.status = 'contesting' AND NEW.status IN ('effective', 'overruled'))"
        " OR (OLD.status = 'effective' AND NEW.status = 'superseded'))",
        "a ledger entry does not move that way",
    ),
    Guard(
        "ledgerentry_confirmed_once",
        "tournaments_ledgerentry",
        "UPDATE",
        changed(*LEDGER_CONFIRMING) + " AND NOT (NEW.status = 'effective' AND OLD.status IN ('waiting', 'contesting'))",
        "who confirmed an entry is written when it becomes effective",
    ),
    Guard(
        "ledgerentry_sent_back_once",
        "tournaments_ledgerentry",
        "UPDATE",
        changed(*LEDGER_SENT_BACK) + " AND NOT (NEW.status = 'returned' AND OLD.status = 'waiting')",
        "what was wrong is written when an entry is sent back",
    ),
    Guard(
        "ledgerentry_in_its_tournament",
        "tournaments_ledgerentry",
        "INSERT",
        f"{OF_SITTING.format(sitting='NEW.sitting_id')} <> NEW.tournament_id",
        "a ledger entry belongs to the tournament of its sitting",
    ),
    Guard(
        "correction_facts_stay",
        "tournaments_correction",
        "UPDATE",
        changed(*CORRECTION_FIXED) + " OR OLD.status <> 'proposed'",
        "a correction is decided once and never edited",
    ),
    Guard(
        "tournament_demo_from_birth",
        "tournaments_tournament",
        "UPDATE",
        "NEW.demo AND NOT OLD.demo",
        "a tournament does not become a demonstration",
    ),
    Guard(
        "rulechange_facts_stay",
        "tournaments_rulechange",
        "UPDATE",
        changed(*RULE_CHANGE_FIXED) + " OR OLD.status <> 'proposed'",
        "a change of rules is decided once and never edited",
    ),
    Guard(
        "tournament_rules_stay",
        "tournaments_tournament",
        "UPDATE",
        changed(*TOURNAMENT_FIXED) + f" OR ({changed('profile_spec', 'profile_digest')} AND NOT {RECORDED_CHANGE})",
        "the lots of a tournament are fixed when it is created, its rules change by a recorded act only",
    ),
    *[
        Guard(
            f"match_entrants_once_{event.lower()}",
            "tournaments_match",
            event,
            "NEW.superseded_in_id IS NULL"
            + (f" AND {changed(*MATCH_SEATING)}" if event == "UPDATE" else "")
            + " AND EXISTS (SELECT 1 FROM tournaments_match m WHERE m.round_id = NEW.round_id"
            " AND m.superseded_in_id IS NULL"
            + (" AND m.id <> NEW.id" if event == "UPDATE" else "")
            + " AND (m.home_id IN (NEW.home_id, NEW.away_id) OR m.away_id IN (NEW.home_id, NEW.away_id)))",
            "an entrant meets one other in a round",
            lock="PERFORM 1 FROM tournaments_round r WHERE r.id = NEW.round_id FOR NO KEY UPDATE;",
        )
        for event in ("INSERT", "UPDATE")
    ],
    *[
        Guard(
            f"match_in_its_tournament_{event.lower()}",
            "tournaments_match",
            event,
            f"({OF_ENTRANT.format(entrant='NEW.home_id')} <> {OF_ROUND.format(row='NEW')}"
            f" OR {OF_ENTRANT.format(entrant='NEW.away_id')} <> {OF_ROUND.format(row='NEW')})"
            + (f" AND {changed('round_id', 'home_id', 'away_id')}" if event == "UPDATE" else ""),
            "a match belongs to the tournament of its entrants",
        )
        for event in ("INSERT", "UPDATE")
    ],
    Guard(
        "sitting_in_its_tournament",
        "tournaments_sitting",
        "INSERT",
        "NEW.round_id <> (SELECT m.round_id FROM tournaments_match m WHERE m.id = NEW.match_id)"
        f" OR {OF_ROUND.format(row='NEW')} <>"
        " (SELECT x.tournament_id FROM tournaments_table x WHERE x.id = NEW.table_id)",
        "a sitting belongs to the round of its match and to a table of its tournament",
    ),
    Guard(
        "round_in_its_tournament",
        "tournaments_round",
        "INSERT",
        "NEW.tournament_id <> (SELECT s.tournament_id FROM tournaments_stage s WHERE s.id = NEW.stage_id)",
        "a round belongs to the tournament of its stage",
    ),
    Guard(
        "matchplace_in_its_tournament",
        "tournaments_matchplace",
        "INSERT",
        f"NEW.round_id <> {OF_MATCH.format(column='round_id')} OR {OF_MATCH.format(column='home_id')} IS NOT NULL OR "
        f"{OF_ENTRANT.format(entrant='NEW.entrant_id')} <> {OF_ROUND.format(row='NEW')}",
        "a place belongs to the round of its match, a match of single players of one tournament",
    ),
    Guard(
        "matchplace_seating_stays",
        "tournaments_matchplace",
        "UPDATE",
        changed("match_id", "round_id", "place", "entrant_id") + " OR (NEW.active AND NOT OLD.active)",
        "who sits where is not edited: a later pairing replaces the match",
    ),
    Guard(
        "matchplace_sits_out_or_plays",
        "tournaments_matchplace",
        "INSERT",
        "NEW.active AND EXISTS (SELECT 1 FROM tournaments_match m WHERE m.round_id = NEW.round_id"
        " AND m.superseded_in_id IS NULL AND m.home_id = NEW.entrant_id)",
        "who sits out has no place in the same round",
    ),
    Guard(
        "match_sits_out_or_plays",
        "tournaments_match",
        "INSERT",
        "NEW.home_id IS NOT NULL AND EXISTS (SELECT 1 FROM tournaments_matchplace p"
        " WHERE p.round_id = NEW.round_id AND p.active AND p.entrant_id IN (NEW.home_id, NEW.away_id))",
        "who has a place does not sit out in the same round",
    ),
    Guard(
        "match_played_by_all_places",
        "tournaments_match",
        "UPDATE",
        "NEW.home_id IS NULL AND NEW.outcome = 'played' AND NOT (EXISTS (SELECT 1 FROM tournaments_matchplace p"
        " WHERE p.match_id = NEW.id) AND NOT EXISTS (SELECT 1 FROM tournaments_matchplace p"
        " WHERE p.match_id = NEW.id AND p.hundredths IS NULL))",
        "a match is played when every place has its result",
    ),
    Guard(
        "ruling_facts_stay",
        "tournaments_ruling",
        "UPDATE",
        changed(*RULING_FIXED),
        "the facts of a ruling are never edited",
    ),
    Guard(
        "ruling_decided_once",
        "tournaments_ruling",
        "UPDATE",
        changed(*RULING_DECISION) + " AND NOT (OLD.status = 'proposed' AND NEW.status = 'decided')",
        "a ruling is decided once",
    ),
    Guard(
        "ruling_moves_lawfully",
        "tournaments_ruling",
        "UPDATE",
        "NOT (NEW.status = OLD.status"
        " OR (OLD.status = 'proposed' AND NEW.status IN ('decided', 'cancelled'))"
        " OR (OLD.status = 'decided' AND NEW.status = 'cancelled' AND OLD.appeal NOT IN ('lodged', 'upheld')))"
        " OR NOT (NEW.appeal = OLD.appeal OR (NEW.status = 'decided' AND OLD.status = 'decided'"
        " AND ((OLD.appeal = 'none' AND NEW.appeal = 'lodged')"
        " OR (OLD.appeal = 'lodged' AND NEW.appeal IN ('upheld', 'rejected')))))",
        "a ruling does not move that way",
    ),
    Guard(
        "ruling_in_its_tournament",
        "tournaments_ruling",
        "INSERT",
        f"{OF_SITTING.format(sitting='NEW.sitting_id')} <> NEW.tournament_id OR {SITTING_OF_ENTRY} <> NEW.sitting_id",
        "a ruling belongs to the tournament of its sitting, and its entry to that sitting",
    ),
    Guard(
        "recordedhand_in_its_tournament",
        "tournaments_recordedhand",
        "INSERT",
        f"{OF_SITTING.format(sitting='NEW.sitting_id')} <> NEW.tournament_id OR NOT {HAND_OF_SITTING}",
        "the record of a hand belongs to the tournament of its sitting, and its hand to that sitting",
    ),
    Guard(
        "stageentrant_in_its_tournament",
        "tournaments_stageentrant",
        "INSERT",
        f"{OF_ENTRANT.format(entrant='NEW.entrant_id')} <> {OF_STAGE.format(row='NEW')}",
        "an entrant of a stage belongs to its tournament",
    ),
    Guard(
        "checkin_in_its_tournament",
        "tournaments_checkin",
        "INSERT",
        f"{OF_ENTRANT.format(entrant='NEW.entrant_id')} <> {OF_ROUND.format(row='NEW')}",
        "an entrant checks in for a round of its tournament",
    ),
    Guard(
        "boardresult_in_its_tournament",
        "tournaments_boardresult",
        "INSERT",
        f"{OF_SITTING.format(sitting='NEW.sitting_id')} <>"
        " (SELECT s.tournament_id FROM tournaments_board b JOIN tournaments_stage s ON s.id = b.stage_id"
        " WHERE b.id = NEW.board_id)",
        "a board belongs to the tournament of its sitting",
    ),
]

POSTGRESQL = """
CREATE FUNCTION guard_{name}() RETURNS trigger LANGUAGE plpgsql AS $guard$
BEGIN
    {lock}
    IF {refuse_if} THEN
        RAISE EXCEPTION '{name}: {why}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN {row};
END
$guard$;
CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION guard_{name}();
"""
SQLITE = """
CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW WHEN {refuse_if}
BEGIN SELECT RAISE(ABORT, '{name}: {why}'); END;
"""


def sql(guard: Guard, vendor: str) -> str:
    """The statement that sets one guard up."""
    if vendor == "postgresql":
        template, words = POSTGRESQL, {"differs": "IS DISTINCT FROM", "true": "TRUE"}
        lock = guard.lock
        if lock and guard.event == "UPDATE":
            lock = f"IF {changed(*MATCH_SEATING).format(**words)} THEN {lock} END IF;"
    else:
        template, words, lock = SQLITE, {"differs": "IS NOT", "true": "1"}, ""
    refuse_if = guard.refuse_if.format(**words)
    row = "OLD" if guard.event == "DELETE" else "NEW"
    return template.format(
        name=guard.name, table=guard.table, event=guard.event, refuse_if=refuse_if, why=guard.why, lock=lock, row=row
    )


def set_up(apps, schema_editor):
    for guard in GUARDS:
        schema_editor.execute(sql(guard, schema_editor.connection.vendor), params=None)


def take_down(apps, schema_editor):
    for guard in GUARDS:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {guard.name} ON {guard.table}; DROP FUNCTION guard_{guard.name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER {guard.name}")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_tables")]
    operations = [migrations.RunPython(set_up, take_down)]
