"""A table's page: where it stands, what waits, every hand with its reasons, parties and versions, the phones."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.desk.presenters import players
from referee.desk.presenters.rulings import line as ruling_line
from referee.desk.sheets import ANNULLED, fact_words, field_words, kind_words, shape_choices
from referee.parts.boards import board_due, boards_of, standing
from referee.parts.clock import shown_clock
from referee.parts.formats import exact, score
from referee.parts.names import in_names, shown_name
from referee.parts.rulings import PENALTY
from referee.parts.shapes import list_words
from referee.parts.words import SEATS, SIDES, SPECIALS, in_language, playing, reached
from scoring.findings import Refused
from scoring.individual_states import IndividualEntryResult
from scoring.regional import JUMPS, special_digs
from scoring.values import Role
from tournaments import queries
from tournaments.access import Act
from tournaments.models import Basis, Call, Device, EntryKind, EntryStatus, LedgerEntry, PartyCode, SittingPhase, User
from tournaments.queries.after_time import undecided_hands
from tournaments.queries.clock import table_clock
from tournaments.queries.games import IndividualState, game_of, parties_of
from tournaments.queries.recorded_hands import hands_with_records
from tournaments.queries.rulings import clause_texts, rests_on, rulings_at
from tournaments.queries.series import games_at
from tournaments.services.devices import party_code_text, pin_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.desk.guard import Desk
    from scoring.findings import Finding
    from scoring.profiles import Profile
    from scoring.sittings import EntryResult, SittingState
    from scoring.values import Text
    from tournaments.models import Match, Ruling, Sitting
    from tournaments.queries import Hand
    from tournaments.queries.games import State
    from tournaments.queries.series import Games
    from tournaments.services.errors import Refusal
    from tournaments.services.scorekeeping import Preview

PENDING = (EntryStatus.WAITING, EntryStatus.CONTESTING)
ASIDE = (EntryStatus.WITHDRAWN, EntryStatus.RETURNED, EntryStatus.OVERRULED)
CORRECTABLE = ("hand", "annulled", "adjusted")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the record. `versions` are the versions before, `because` the reasons of the kernel."""

    entry: LedgerEntry
    result: EntryResult | IndividualEntryResult
    versions: tuple[LedgerEntry, ...]
    parties: str
    as_dealt: str
    total_only: bool
    correctable: bool
    version_words: str
    names: Mapping[str, str]
    ruling: Ruling | None = None
    recorded: bool = False

    @property
    def sentence(self) -> str:
        return in_names(self.result.sentence, self.names)

    @property
    def then(self) -> str:
        """Where everybody stands after it."""
        return in_names(after_words(self.result), self.names)

    @property
    def because(self) -> Sequence[Any]:
        return self.result.because

    @property
    def unexpected(self) -> list[str]:
        """Where the hand was played otherwise than the record before it says, in words for an official."""
        return [_unexpected(item) for item in self.result.discrepancies]


@dataclass(frozen=True, slots=True)
class Aside:
    """An entry that does not count: taken back, sent back, overruled, or played after the end."""

    entry: LedgerEntry
    words: str
    parties: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One account of a hand that is not settled, with what it would give."""

    entry: LedgerEntry
    sentence: Any
    state: State | None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    field: str
    cells: tuple[str, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class Place:
    """One side's phone and code; the code's text only for those who may issue codes."""

    side: str
    device: Device | None
    code_text: str = ""
    pin: str = ""


def table(desk: Desk, sitting: Sitting) -> dict[str, Any]:
    """Everything of the page, in a number of queries that does not grow with the hands."""
    record = queries.records([sitting])[0]
    pending = list(
        LedgerEntry.objects.filter(sitting=sitting, status__in=PENDING).select_related("entered_by").order_by("pk")
    )
    aside = list(LedgerEntry.objects.filter(sitting=sitting, status__in=ASIDE).select_related("entered_by"))
    gone = _replaced_by_nothing(sitting, record.hands)
    # an end is taken back by an official, whatever counts now; a hand is out only because the match is over before it
    aside += [row for row in gone if row.kind == EntryKind.END]
    beyond = [*record.beyond, *(row for row in gone if row.kind != EntryKind.END)]
    people = _people([*(hand.entry for hand in record.hands), *beyond, *aside])
    may_correct, profile = desk.may(Act.CORRECT, sitting), desk.tournament.profile
    state = record.state
    names = names_at(sitting.match)
    ruled = rests_on([hand.entry.pk for hand in record.hands])
    recorded, games = hands_with_records(sitting), games_at(sitting)
    return {
        "state": state,
        "games": games,
        "players": players_at(sitting.match, state.position.to_json(), state),
        "levels": standing(state.to_json(), profile),
        "on_stage": "" if isinstance(state, IndividualState) or state.fixed else str(state.on_stage or ""),
        "next_words": "" if isinstance(state, IndividualState) else next_words(state, board_due(sitting)),
        "result_words": result_words(sitting.match, games),
        "phase_state": PHASES[SittingPhase(sitting.phase)],
        "phase_word": phase_word(sitting),
        "rows": [
            replace(
                _row(hand, people, may_correct, names),
                ruling=ruled.get(hand.entry.pk),
                recorded=hand.entry.hand_no in recorded,
            )
            for hand in record.hands
        ],
        "rulings": [ruling_line(one) for one in rulings_at(sitting.pk)],
        "after_the_end": [_aside(entry, people, profile) for entry in beyond],
        "aside": [_aside(entry, people, profile) for entry in aside],
        "waiting": bool(pending),
        "calls": list(Call.objects.filter(sitting=sitting, closed_at=None).select_related("taken_by")),
        "places": _places(desk, sitting),
        "now": desk.now,
        "key": secrets.token_urlsafe(9),
        "may_enter": desk.may(Act.ENTER_HAND, sitting) and sitting.round.status == "running",
        "may_settle": desk.may(Act.SETTLE, sitting),
        "may_take": desk.may(Act.TAKE_CALL, sitting),
        "may_end": desk.may(Act.END_SITTING, sitting),
        "may_attach_record": desk.may(Act.ATTACH_RECORD, sitting) and not sitting.match.individual,
        "may_propose_ruling": desk.may(Act.PROPOSE_RULING, sitting) and sitting.round.status in ("running", "closed"),
        "may_penalise": desk.may(Act.PENALISE, sitting),
        "clauses": _clauses(sitting),
        "may_forfeit": desk.may(Act.FORFEIT, sitting) and sitting.match.away_id is not None,
        "may_reopen": desk.may(Act.REOPEN_SITTING, sitting) and sitting.phase == SittingPhase.FINISHED,
        "may_decide": desk.may(Act.DECIDE_BY_LOT, sitting) and state.finished and _waits_for_lots(sitting),
        "may_release": desk.may(Act.RELEASE_DEVICE, sitting),
        "may_issue": desk.may(Act.ISSUE_CODES, sitting),
        "clock": shown_clock(table_clock(sitting), desk.now),
        "off_time": undecided_hands(sitting),
        "may_extend": desk.may(Act.EXTRA_TIME, sitting),
        "may_move": desk.may(Act.SWAP_TABLES) and sitting.round.status != "closed",
        "may_reseat": desk.may(Act.RESEAT) and sitting.match.away_id is not None and sitting.round.status in PLAYED,
        "may_set_scored_by": desk.may(Act.SET_SCORED_BY, sitting),
    } | claims(desk, sitting, pending)


def _clauses(sitting: Sitting) -> list[tuple[str, Text]]:
    """What a penalty may cite: first the event's penalty schedule, then its rules."""
    texts = clause_texts(sitting.round.tournament)
    return sorted(texts.items(), key=lambda one: not one[0].startswith(PENALTY))


#: Rounds in which something may have been played.
PLAYED = ("running", "closed")


def _waits_for_lots(sitting: Sitting) -> bool:
    """Whether a finished sitting left its match open; on boards both rooms have to be done."""
    if sitting.match.outcome != "pending":
        return False
    boards = boards_of(sitting.match) if sitting.boards is not None else None
    return boards is None or boards.finished


PHASES = {
    SittingPhase.PLAYING: "playing",
    SittingPhase.WAITING: "waiting",
    SittingPhase.DISPUTED: "dispute",
    SittingPhase.FINISHED: "finished",
}


def phase_word(sitting: Sitting) -> str:
    if sitting.phase == SittingPhase.PLAYING:
        return _("hand %(n)s") % {"n": sitting.hand_no}
    return str(sitting.get_phase_display())


def names_at(match: Match) -> dict[str, str]:
    """Player by place at a table of single players; empty where two sides play."""
    return {row.place: name_of(row.entrant) for row in match.places.all()} if match.individual else {}


@dataclass(frozen=True, slots=True)
class Seated:
    """One player at a table of single players: level, or score, as the table stands."""

    place: str
    name: str
    level: str
    score: str
    number: int


def players_at(match: Match, position: Mapping[str, Any], state: Any = None) -> list[Seated]:
    """Everybody at a table of single players; empty where two sides play."""
    if not match.individual:
        return []
    levels, scores = position.get("levels") or {}, position.get("scores") or {}
    profile = match.round.tournament.profile
    return [
        Seated(
            row.place,
            name_of(row.entrant),
            reached(levels[row.place], profile) if row.place in levels else "",
            exact(scores.get(row.place, 0)),
            row.entrant.number,
        )
        for row in match.places.all()
    ]


def after_words(result: EntryResult | IndividualEntryResult) -> Any:
    """The second line of a result: where everybody stands."""
    return result.scores_sentence if isinstance(result, IndividualEntryResult) else result.levels_sentence


def name_of(entrant: Any) -> str:
    return shown_name(entrant)


def next_words(state: SittingState, board: int | None = None) -> str:
    """Who deals next at which level; on boards, which one."""
    if state.finished:
        return ""
    if state.contested:
        return _("the next deal is contested")
    words = _("%(seat)s deals, %(playing)s") % {
        "seat": SEATS[str(state.next_dealer)],
        "playing": playing(state.next_level),
    }
    return words if board is None else _("Board %(n)s: %(words)s") % {"n": board, "words": words}


def result_words(match: Match, games: Games | None = None) -> str:
    """The result of a match that has one: its points and how it was decided; of several games those won, N–S first."""
    if match.outcome == "pending":
        return ""
    if match.outcome == "bye":
        return _("bye")
    if match.individual:
        winners = [name_of(row.entrant) for row in match.places.all() if row.winner]
        return _("won by %(names)s") % {"names": list_words(winners)}
    if games is not None and match.outcome == "played":
        return score(games.won["NS"], games.won["EW"])
    points = score(match.home_score, match.away_score)
    return f"{points} · {match.get_outcome_display()}" if match.outcome != "played" else points


def due(sitting: Sitting) -> dict[str, Any]:
    """Dealer and level of the next hand as the record has them."""
    state = sitting.state
    return {"dealer": state.get("next_dealer"), "level": state.get("next_level")}


def hand_to_enter(sitting: Sitting) -> int:
    """The number of the hand that waits or is disputed, else of the next one."""
    waiting = sitting.entries.filter(status__in=PENDING, hand_no__isnull=False).order_by("pk").first()
    return waiting.hand_no if waiting is not None and waiting.hand_no else sitting.hand_no


def _people(entries: Iterable[LedgerEntry]) -> dict[int, str]:
    wanted = {pk for entry in entries for pk in (entry.entered_by_id, entry.confirmed_by_id) if pk}
    return {user.pk: str(user) for user in User.objects.filter(pk__in=wanted)}


def _row(hand: Hand, people: Mapping[int, str], may_correct: bool, names: Mapping[str, str]) -> Row:
    entry = hand.entry
    facts = entry.facts
    return Row(
        entry=entry,
        result=hand.result,
        versions=hand.earlier,
        parties=in_names(parties(entry, people), names),
        as_dealt=in_names(as_dealt(facts, hand.result), names),
        total_only=facts.get("total_only") is not None,
        correctable=may_correct and entry.kind in CORRECTABLE,
        version_words=_("version %(n)s") % {"n": entry.version},
        names=names,
    )


def _unexpected(item: Finding) -> str:
    if item.code in ("level_unexpected", "fixed_level_unexpected"):
        return _("by the record the level is %(level)s") % {"level": item.params["due"]}
    if item.code in ("dealer_unexpected", "fixed_dealer_unexpected"):
        return _("by the record %(seat)s deals") % {"seat": in_language(item.params["due"])}
    return in_language(item.message)


def _replaced_by_nothing(sitting: Sitting, hands: Sequence[Hand]) -> list[LedgerEntry]:
    """Entries that a correction took out of the record without putting another in their place."""
    standing = [hand.entry.position for hand in hands]
    rows = LedgerEntry.objects.filter(sitting=sitting, status=EntryStatus.SUPERSEDED).exclude(position__in=standing)
    newest = {row.position: row for row in rows.order_by("position", "version")}
    return list(newest.values())


def _aside(entry: LedgerEntry, people: Mapping[int, str], profile: Profile) -> Aside:
    told = (
        "trump",
        "captured_in_tricks",
        "last_trick_winner",
        "kitty_points",
        "total_only",
        "reason",
        "side",
        "levels",
    )
    words = [
        f"{field_words(name, profile)} {fact_words(name, entry.facts[name])}" for name in told if name in entry.facts
    ]
    return Aside(entry, " · ".join(words), parties(entry, people))


def parties(entry: LedgerEntry, people: Mapping[int, str]) -> str:
    """Which two parties stand behind an entry, or which official on what basis."""
    if entry.entered_side:
        entered = str(SIDES[entry.entered_side])
        if not entry.confirmed_side and not entry.confirmed_by_id:
            return entered
        if entry.confirmed_side:
            return _("%(one)s entered, %(other)s confirmed") % {"one": entered, "other": SIDES[entry.confirmed_side]}
        return _("%(one)s entered, %(other)s confirmed") % {
            "one": entered,
            "other": people.get(entry.confirmed_by_id or 0, ""),
        }
    basis = Basis(entry.basis).label if entry.basis else ""
    return f"{people.get(entry.entered_by_id or 0, '')} · {basis}".strip(" ·")


def as_dealt(facts: Mapping[str, Any], result: EntryResult | IndividualEntryResult) -> str:
    """Dealer, level and trump as played, and what kind of entry this is."""
    if facts.get("kind", "hand") != "hand":
        return kind_words(facts["kind"])
    words = []
    dealer = facts.get("dealer") or (result.dealer and str(result.dealer))
    if dealer:
        words.append(_("%(seat)s dealt") % {"seat": fact_words("dealer", str(dealer))})
    level = facts.get("level") or (result.level and str(result.level))
    if level:
        words.append(_("playing %(level)s") % {"level": level})
    if facts.get("trump"):
        words.append(fact_words("trump", facts["trump"]))
    return " · ".join(words)


def claims(desk: Desk, sitting: Sitting, pending: Sequence[LedgerEntry]) -> dict[str, Any]:
    """What waits or is disputed: the accounts side by side, which fields differ, and whether that matters."""
    if not pending:
        return {"claims": []}
    profile = sitting.round.tournament.profile
    judged = [judge(sitting, entry) for entry in pending]
    names = [name for name, *_rest in _fields(pending)]
    differing = queries.differing_fields(pending[0].facts, pending[-1].facts) if len(pending) > 1 else ()
    rows = [
        ClaimRow(
            field_words(name, profile),
            tuple(fact_words(name, entry.facts.get(name)) for entry in pending),
            name in differing,
        )
        for name in names
    ]
    entered_by_me = pending[0].entered_by_id == desk.actor.user.pk if desk.actor.user else False
    return {
        "claims": judged,
        "claim_rows": rows,
        "differing": differing,
        "difference_words": difference_words(pending, profile, matters=matters(judged)),
        "may_confirm": len(pending) == 1
        and bool(pending[0].entered_side)
        and not entered_by_me
        and desk.may(Act.CONFIRM_HAND, sitting),
    }


def _fields(pending: Sequence[LedgerEntry]) -> list[tuple[str, ...]]:
    both: dict[str, Any] = {}
    for entry in pending:
        both |= entry.facts
    both.pop("kind", None)
    return [(name,) for name in both]


def judge(sitting: Sitting, entry: LedgerEntry) -> Claim:
    """What an account would give after the ledger as it stands."""
    profile = sitting.round.tournament.profile
    game = game_of(profile)
    try:
        read = game.read_entry(profile, entry.facts)
        conditions = queries.conditions_of(sitting)
        before = queries.sitting_state(sitting, reasons=False)
        state, result = game.step(profile, conditions, before, read, reasons=True)
    except Refused as refused:
        return Claim(entry, refused.message, None)
    return Claim(entry, in_names(result.sentence, names_at(sitting.match)), state)


def matters(judged: Sequence[Claim]) -> bool | None:
    """Whether the accounts lead to different levels, dealers or ends; None when one of them cannot be judged."""
    states = [claim.state for claim in judged]
    if len(states) < 2 or any(state is None for state in states):
        return None
    ends = [(state.position, state.finished) for state in states if state is not None]
    return ends[0] != ends[1]


def difference_words(pending: Sequence[LedgerEntry], profile: Profile, *, matters: bool | None) -> str:
    """What differs between two accounts, and whether it changes the result."""
    if len(pending) < 2:
        return ""
    words = [
        _("%(field)s: %(one)s or %(other)s")
        % {
            "field": field_words(name, profile),
            "one": fact_words(name, pending[0].facts.get(name)),
            "other": fact_words(name, pending[1].facts.get(name)),
        }
        for name in queries.differing_fields(pending[0].facts, pending[1].facts)
    ]
    end = {
        True: _("The difference changes the result."),
        False: _("No level and no dealer changes."),
        None: "",
    }[matters]
    differing = _("; ").join(words)
    return _("%(differing)s. %(verdict)s") % {"differing": differing, "verdict": end} if end else differing


def _places(desk: Desk, sitting: Sitting) -> list[Place]:
    devices = {device.side: device for device in Device.objects.filter(sitting=sitting, released_at=None)}
    codes: dict[str, PartyCode] = {}
    if desk.may(Act.ISSUE_CODES, sitting):
        codes = {code.side: code for code in PartyCode.objects.filter(table=sitting.table, revoked_at=None)}
    return [
        Place(
            side,
            devices.get(side),
            party_code_text(codes[side]) if side in codes else "",
            pin_text(codes[side]) if side in codes else "",
        )
        for side in parties_of(desk.tournament.profile)
    ]


@dataclass(frozen=True, slots=True)
class Found:
    """A finding where it belongs on the form: `place` is the name of the field."""

    place: str
    message: Mapping[str, str]
    clause: str | None
    blocking: bool = True


def refusal(refused: Refusal) -> dict[str, Any]:
    """A refusal for the page: all findings at once, each by its field."""
    found = shown_findings([item for item in refused.findings if item.blocking])
    if not found:
        found = [Found(_place(refused.field or ""), refused.message, None)]
    return {"refusal": refused, "findings": found, "bad": {item.place for item in found}}


def shown_findings(findings: Iterable[Any]) -> list[Found]:
    """Findings for a form; where the kernel's sentence names a field by its key, the form's name stands instead."""
    return [Found(_place(item.field), _named(item), item.clause, item.blocking) for item in findings]


def _named(item: Any) -> dict[str, str]:
    return {tongue: text.replace(item.field, field_words(item.field)) for tongue, text in item.message.items()}


def _place(field: str) -> str:
    return field.split(".")[0].split("[")[0]


def preview_words(sitting: Sitting, seen: Preview) -> dict[str, str]:
    """What a sheet would do, in two lines; none where it does not count."""
    if seen.result is None or seen.result.sentence is None:
        return {}
    names = names_at(sitting.match)
    return {"sentence": in_names(seen.result.sentence, names), "then": in_names(after_words(seen.result), names)}


def sheet_context(desk: Desk) -> dict[str, Any]:
    """What the sheet's selects and keys offer."""
    if desk.tournament.individual:
        return players.sheet_context(desk.tournament.profile)
    profile = desk.tournament.profile
    return {
        "sheet": "desk/_sheet.html",
        "shapes": shape_choices(desk.tournament.profile),
        "seats": ("N", "W", "S", "E"),
        "suits": ("S", "H", "C", "D"),
        "annulled": [(code, str(word)) for code, word in ANNULLED.items()],
        "levels": [str(level) for level in profile.ladder],
        "roles": [role.value for role in Role],
        "by_cards": profile.last_trick != "kitty",
        "declares_red_fives": JUMPS["red_fives_declared"] in profile.level_jumps,
        "special_digs": [(event, SPECIALS[event]) for event in special_digs(profile)],
        "kinds": [
            ("hand", _("Full sheet")),
            ("total", _("Only the total is on the slip")),
            ("annulled", _("Void hand")),
            ("adjusted", _("Adjusted result")),
        ],
    }
