"""The history in words: who, when, what, to what, why, from what to what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.hands.words import compared, field_word
from referee.parts.boards import mark_words
from referee.parts.formats import event_time
from referee.parts.kept import ALL_WRONG, WRONG
from referee.parts.rulings import clause_name, reason_words
from referee.parts.words import SIDES, in_language
from scoring import profiles
from scoring.penalties import load as load_schedule
from scoring.standings.scales import SCALES
from tournaments.acts.access import Act
from tournaments.acts.text import row_number
from tournaments.models import (
    AppealState,
    Basis,
    Correction,
    DrawMethod,
    MatchOutcome,
    Office,
    RulingStatus,
    ScoredBy,
    StageFormat,
    TieRule,
    WishChoice,
)
from tournaments.rounds.board import history
from tournaments.undoing.acts import offered, undone_among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from tournaments.models import HistoryEntry, Tournament

PAGE = 50
LONGEST = 40
#: Signs of a digest that tell it from others.
DIGEST = 12
ACTS: Mapping[str, str | _StrPromise] = {
    "enter_hand": gettext_lazy("entered a hand"),
    "confirm_hand": gettext_lazy("confirmed a hand"),
    "enrol_key": gettext_lazy("gave the key of a phone"),
    "agree_by_code": gettext_lazy("took a result code"),
    "take_back": gettext_lazy("took an entry back"),
    "send_back": gettext_lazy("sent an entry back"),
    "call_referee": gettext_lazy("called a referee"),
    "object": gettext_lazy("objected to an entry"),
    "take_call": gettext_lazy("took a call"),
    "close_call": gettext_lazy("closed a call"),
    "settle": gettext_lazy("settled a hand"),
    "correct": gettext_lazy("corrected a hand"),
    "attach_record": gettext_lazy("attached the record of a hand"),
    "attach_photo": gettext_lazy("gave a photo"),
    "remove_photo": gettext_lazy("removed a photo"),
    "propose_correction": gettext_lazy("proposed a correction"),
    "approve_correction": gettext_lazy("approved a correction"),
    "refuse_correction": gettext_lazy("refused a correction"),
    "penalise": gettext_lazy("imposed a level penalty"),
    "end_sitting": gettext_lazy("ended a match"),
    "reopen_sitting": gettext_lazy("reopened a match"),
    "forfeit": gettext_lazy("ruled a forfeit"),
    "decide_by_lot": gettext_lazy("decided by lots"),
    "propose_ruling": gettext_lazy("proposed a ruling"),
    "decide_ruling": gettext_lazy("decided a ruling"),
    "cancel_ruling": gettext_lazy("cancelled a ruling"),
    "lodge_appeal": gettext_lazy("appealed against a ruling"),
    "decide_appeal": gettext_lazy("decided an appeal"),
    "create_round": gettext_lazy("made a round"),
    "pair": gettext_lazy("paired"),
    "publish_pairing": gettext_lazy("published a pairing"),
    "supersede_pairing": gettext_lazy("replaced a pairing"),
    "start_round": gettext_lazy("started or extended a round"),
    "set_clock": gettext_lazy("set the clock of the round"),
    "extra_time": gettext_lazy("gave a table extra time"),
    "agree_end": gettext_lazy("agreed that the match is over"),
    "reseat": gettext_lazy("noted who really sat at two tables"),
    "check_in": gettext_lazy("checked an entrant in or out"),
    "substitute": gettext_lazy("changed the players of an entrant"),
    "close_round": gettext_lazy("closed a round"),
    "reopen_round": gettext_lazy("took the closing of a round back"),
    "set_scored_by": gettext_lazy("changed who scores"),
    "swap_tables": gettext_lazy("moved tables"),
    "publish": gettext_lazy("published standings"),
    "stop_publishing": gettext_lazy("stopped a publication"),
    "import_entrants": gettext_lazy("imported entrants"),
    "edit_entrants": gettext_lazy("changed an entrant"),
    "set_webhooks": gettext_lazy("changed who is told what happens"),
    "keep_apart": gettext_lazy("kept two entrants apart"),
    "let_meet": gettext_lazy("let two entrants meet again"),
    "withdraw": gettext_lazy("withdrew an entrant"),
    "readmit": gettext_lazy("let an entrant back in"),
    "erase_person": gettext_lazy("erased a name"),
    "issue_codes": gettext_lazy("issued codes"),
    "release_device": gettext_lazy("signed a phone out"),
    "claim_place": gettext_lazy("joined with a phone"),
    "manage_officials": gettext_lazy("changed the officials"),
    "accept_invitation": gettext_lazy("accepted an office"),
    "decline_invitation": gettext_lazy("declined an office"),
    "set_up": gettext_lazy("changed the settings"),
    "undo": gettext_lazy("undid an act"),
    "set_boards": gettext_lazy("set boards"),
    "adjust_board": gettext_lazy("adjusted the score of a board"),
    "arrange_hall": gettext_lazy("arranged the tables in the hall"),
    "steer_screen": gettext_lazy("steered the projector"),
    "set_logos": gettext_lazy("changed the logos"),
    "set_signals": gettext_lazy("said what is asked of signals"),
    "file_signals": gettext_lazy("filed a signal card"),
    "put_aside": gettext_lazy("weighed a question of the radar"),
    "commit_deals": gettext_lazy("promised the deals of boards"),
    "draw_deals": gettext_lazy("wrote down the lot of the deals"),
    "name_reader": gettext_lazy("named who may read the deals"),
    "read_deals": gettext_lazy("read deals"),
    "show_deals": gettext_lazy("showed the deals"),
    "begin_stage": gettext_lazy("began a stage"),
    "propose_rules": gettext_lazy("proposed a change of rules"),
    "apply_rules": gettext_lazy("changed the rules"),
    "refuse_rules": gettext_lazy("refused a change of rules"),
    "pair_follower": gettext_lazy("let another laptop follow, or ended that"),
    "take_over": gettext_lazy("took over from the laptop before"),
    "move_event": gettext_lazy("moved the event to another address, or back"),
    "settle_review": gettext_lazy("looked through an act of the laptop before"),
    "create_tournament": gettext_lazy("created the event"),
    "import_event": gettext_lazy("read the event from a file"),
}


NAMES: Mapping[str, str | _StrPromise] = {
    "basis": gettext_lazy("Basis"),
    "hand_no": gettext_lazy("Hand"),
    "pairs": gettext_lazy("Pairs"),
    "number": gettext_lazy("Number"),
    "digest": gettext_lazy("Digest"),
    "provisional": gettext_lazy("Provisional"),
    "made": gettext_lazy("How many"),
    "moved": gettext_lazy("Tables placed"),
    "fixtures": gettext_lazy("What else is in the hall"),
    "shown": gettext_lazy("Takes turns on the projector"),
    "held": gettext_lazy("Shown alone"),
    "ceremony": gettext_lazy("Draw ceremony"),
    "paused": gettext_lazy("Paused"),
    "status": gettext_lazy("State"),
    "slug": gettext_lazy("Address"),
    "from": gettext_lazy("Address where it was played"),
    "to": gettext_lazy("Address where it goes on"),
    "profile": gettext_lazy("Rules"),
    "profile_digest": gettext_lazy("Digest of the rules"),
    "office": gettext_lazy("Office"),
    "link": gettext_lazy("Sign-in link made"),
    "tables": gettext_lazy("Tables"),
    "new": gettext_lazy("New"),
    "changed": gettext_lazy("Changed"),
    "same": gettext_lazy("The same"),
    "version": gettext_lazy("Version"),
    "outcome": gettext_lazy("Outcome"),
    "scored_by": gettext_lazy("Scored by"),
    "ends_at": gettext_lazy("Ends"),
    "stopped_at": gettext_lazy("Clock stopped"),
    "extra_minutes": gettext_lazy("Extra minutes"),
    "there": gettext_lazy("Checked in"),
    "missed": gettext_lazy("Rounds missed"),
    "annulled": gettext_lazy("Results annulled"),
    "pairing": gettext_lazy("Pairing no."),
    "ruling": gettext_lazy("Ruling no."),
    "clause": gettext_lazy("Clause"),
    "appeal": gettext_lazy("Appeal"),
    "penalty": gettext_lazy("Penalty"),
    "penalties": gettext_lazy("Penalties"),
    "stage": gettext_lazy("Stage"),
    "stages": gettext_lazy("Stages"),
    "extra": gettext_lazy("Extra round for ties"),
    "draw": gettext_lazy("Draw no."),
    "method": gettext_lazy("Method"),
    "order": gettext_lazy("Order"),
    "rounds": gettext_lazy("Rounds"),
    "rounds_planned": gettext_lazy("Rounds"),
    "field": gettext_lazy("Entrants"),
    "joined": gettext_lazy("Entrants that joined"),
    "fields": gettext_lazy("Changed"),
    "forfeited": gettext_lazy("Matches that became forfeits"),
    "generation": gettext_lazy("Code no."),
    "what": gettext_lazy("What is wrong"),
    "note": gettext_lazy("Note"),
    "winner_side": gettext_lazy("Who wins"),
    "ns": gettext_lazy("North–South"),
    "ew": gettext_lazy("East–West"),
    "name": gettext_lazy("Name"),
    "name_latin": gettext_lazy("Latin name"),
    "place": gettext_lazy("Venue"),
    "starts_on": gettext_lazy("Day"),
    "language": gettext_lazy("Language on paper"),
    "timezone": gettext_lazy("Time zone"),
    "single_official": gettext_lazy("One official does everything"),
    "second_factor": gettext_lazy("Organisers and chief referees need a second factor"),
    "live_public": gettext_lazy("Live standings are public"),
    "appeal_minutes": gettext_lazy("Minutes to appeal against a ruling"),
    "format": gettext_lazy("Format"),
    "minutes": gettext_lazy("Minutes a round"),
    "hands": gettext_lazy("Hands a match"),
    "match_score": gettext_lazy("Match score"),
    "tie_rule": gettext_lazy("Equal levels at the end"),
    "chain": gettext_lazy("Order of the standings"),
    "lead_levels": gettext_lazy("Levels ahead that win at once"),
    "erased": gettext_lazy("Name erased"),
    "kept": gettext_lazy("Entrants"),
    "force": gettext_lazy("How much"),
    "aside": gettext_lazy("Put aside"),
    "undone": gettext_lazy("What was undone"),
}

#: What a ruling ended with, by the unit of its penalty.
PENALTIES: Mapping[str, str | _StrPromise] = {
    "none": gettext_lazy("no penalty"),
    "warning": gettext_lazy("a warning"),
    "levels": gettext_lazy("levels"),
    "points": gettext_lazy("points on the sheet"),
    "profile_fine": gettext_lazy("the fine of the rules, on the sheet"),
    "result": gettext_lazy("an adjusted result"),
    "annul": gettext_lazy("the hand does not count"),
    "forfeit": gettext_lazy("a side forfeits the match"),
    "match_points": gettext_lazy("points of the standings"),
    "exclusion": gettext_lazy("exclusion from the event"),
}

#: Values that are names of the program, in words, by the field they stand in.
WORDS: Mapping[str, Mapping[str, str | _StrPromise]] = {
    "basis": dict(Basis.choices),
    "appeal": dict(AppealState.choices),
    "office": dict(Office.choices),
    "status": {**dict(Correction.Status.choices), **dict(RulingStatus.choices)},
    "outcome": dict(MatchOutcome.choices),
    "scored_by": dict(ScoredBy.choices),
    "method": dict(DrawMethod.choices),
    "format": dict(StageFormat.choices),
    "tie_rule": dict(TieRule.choices),
    "order": {
        "hand": gettext_lazy("by hand"),
        "drawn": gettext_lazy("by lot"),
        "lots": gettext_lazy("by lot"),
        "seeded": gettext_lazy("by seeding"),
    },
    "winner_side": SIDES,
    "what": {**ALL_WRONG, **WRONG},
    "language": dict(settings.LANGUAGES),
    "penalty": PENALTIES,
    "force": dict(WishChoice.choices),
    "undone": ACTS,
}


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One act. `changes` are (field, old words, new words)."""

    entry: HistoryEntry
    who: str
    act: str
    where: str
    reason: str
    changes: tuple[tuple[str, str, str], ...]
    can_be_undone: bool = False


def page(desk: Desk, after: str) -> dict[str, Any]:
    """One page, newest first; `after` is the id of the last row of the page before, as text."""
    rows = history(desk.tournament, after=row_number(after), limit=PAGE + 1)
    more = len(rows) > PAGE
    undoable = _can_be_undone(desk, rows)
    lines = [_line(row, desk.tournament, can_be_undone=row.pk in undoable) for row in rows[:PAGE]]
    return {"lines": lines, "older": rows[PAGE - 1].pk if more else None, "first": not after}


def _can_be_undone(desk: Desk, rows: Sequence[HistoryEntry]) -> set[int]:
    """Those of these lines (ids) that the official can try to undo; what was built on them is looked at then."""
    found = {one.pk for one in offered(rows, desk.actor, desk.tournament, desk.now, desk.offices)}
    return found - undone_among(desk.tournament, found) if found else found


def _line(row: HistoryEntry, tournament: Tournament, *, can_be_undone: bool = False) -> HistoryLine:
    who = str(row.user) if row.user else str(SIDES.get(row.side, "")) or _("the program")
    changes = tuple(_changes(row.old, row.new, tournament))
    act = str(ACTS.get(row.act) or _("acted"))
    # why a phone was signed out is a name of the program; who did it stands beside
    reason = "" if row.act == Act.RELEASE_DEVICE else reason_words(row.reason, tournament)
    return HistoryLine(row, who, act, _where(row), reason, changes, can_be_undone)


def _where(row: HistoryEntry) -> str:
    if row.sitting is not None:
        return _("round %(r)s, table %(t)s") % {"r": row.sitting.round.number, "t": row.sitting.table.number}
    if row.round is not None:
        return _("round %(r)s") % {"r": row.round.number}
    return ""


def _changes(old: Any, new: Any, tournament: Tournament) -> list[tuple[str, str, str]]:
    """Old against new where both are records, the facts of a sheet in the words of the sheet. What has no name for
    people (ids of rows, counts of revisions) is left out; the export has it."""
    before, after = (_told(_as_end(_flat(one)), tournament) for one in (old, new))
    profile = tournament.profile
    sheet = [(field, one, two) for field, one, two, changed in compared(before, after, profile) if changed]
    known = {field for field, *_rest in sheet}
    others = [
        (str(NAMES[name]), _plain(name, before.get(name), tournament), _plain(name, after.get(name), tournament))
        for name in dict.fromkeys([*before, *after])
        if name in NAMES
        and before.get(name) != after.get(name)
        and after.get(name) != ""
        and field_word(name, profile) not in known
        and field_word(name) == name
    ]
    # what is only counted may be as many as before
    return sheet + [(name, "–" if was == now else was, now) for name, was, now in others]


def _flat(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {} if value is None else {"value": value}
    facts = value.get("facts")
    if isinstance(facts, dict):
        return {name: item for name, item in value.items() if name != "facts"} | facts
    return value


def _as_end(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of an end, where `by` is no rebel but the side that gave up or is ahead."""
    if facts.get("kind") != "end" or "by" not in facts:
        return facts
    return {"side" if name == "by" else name: value for name, value in facts.items()}


def _told(facts: dict[str, Any], tournament: Tournament) -> dict[str, Any]:
    """The facts with their reason in the language of the page."""
    why = facts.get("why")
    return {**facts, "why": reason_words(why, tournament)} if isinstance(why, str) else facts


def _plain(name: str, value: Any, tournament: Tournament) -> str:
    """A value of the history in a few words: names of the program in words, digests short, lists counted."""
    if value in (None, ""):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "profile":
        return _rules(value)
    if name == "penalties":
        return in_language(load_schedule(value).title)
    if name == "clause":
        return clause_name(tournament, str(value))
    if name == "match_score":
        return in_language(SCALES[value].title) if value in SCALES else str(value)
    if name in ("ns", "ew"):
        return mark_words(value)
    if name in ("ends_at", "stopped_at"):
        return event_time(datetime.fromisoformat(value), tournament)
    if name in ("digest", "profile_digest"):
        return f"{str(value)[:DIGEST]}…"
    if isinstance(value, list | dict):
        return str(len(value))
    known = WORDS.get(name, {}).get(str(value))
    text = field_word(str(value)) if known is None and name == "what" else str(known or value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _rules(spec: Any) -> str:
    """The title of the rules that a spec means; its base where this program cannot build them."""
    try:
        return in_language(profiles.build(spec, individual=True).title)
    except profiles.ProfileError:
        return str(spec.get("base") if isinstance(spec, dict) else spec)
