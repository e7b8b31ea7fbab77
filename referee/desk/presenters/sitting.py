"""A table's page: where it stands, what waits, every hand with its reasons, parties and versions, the phones."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.desk.sheets import ANNULLED, fact_words, field_words, kind_words
from referee.parts.formats import score
from referee.parts.words import SEATS, SIDES, SPECIALS, in_language, playing
from scoring import sheets, sittings
from scoring.regional import JUMPS, special_digs
from scoring.values import Role
from tournaments import queries
from tournaments.access import Act
from tournaments.models import Basis, Call, Device, EntryStatus, LedgerEntry, PartyCode, SittingPhase, User
from tournaments.services.devices import party_code_text, pin_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.desk.guard import Desk
    from scoring.findings import Finding
    from scoring.sittings import EntryResult, SittingState
    from tournaments.models import Match, Sitting
    from tournaments.queries import Hand
    from tournaments.services.errors import Refusal

PENDING = (EntryStatus.WAITING, EntryStatus.CONTESTING)
ASIDE = (EntryStatus.WITHDRAWN, EntryStatus.RETURNED, EntryStatus.OVERRULED)
CORRECTABLE = ("hand", "annulled", "adjusted")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the record. `versions` are the versions before, `because` the reasons of the kernel."""

    entry: LedgerEntry
    result: EntryResult
    versions: tuple[LedgerEntry, ...]
    parties: str
    as_dealt: str
    total_only: bool
    correctable: bool
    version_words: str

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
    state: SittingState | None


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
    beyond = [*record.beyond, *_replaced_by_nothing(sitting, record.hands)]
    people = _people([*(hand.entry for hand in record.hands), *beyond, *aside])
    may_correct = desk.may(Act.CORRECT, sitting)
    state = record.state
    return {
        "state": state,
        "levels": shown_levels(state.to_json()),
        "on_stage": str(state.on_stage or ""),
        "next_words": next_words(state),
        "result_words": result_words(sitting.match),
        "phase_state": PHASES[SittingPhase(sitting.phase)],
        "phase_word": phase_word(sitting),
        "rows": [_row(hand, people, may_correct) for hand in record.hands],
        "after_the_end": [_aside(entry, people) for entry in beyond],
        "aside": [_aside(entry, people) for entry in aside],
        "waiting": bool(pending),
        "calls": list(Call.objects.filter(sitting=sitting, closed_at=None).select_related("taken_by")),
        "places": _places(desk, sitting),
        "now": desk.now,
        "key": secrets.token_urlsafe(9),
        "may_enter": desk.may(Act.ENTER_HAND, sitting) and sitting.round.status == "running",
        "may_settle": desk.may(Act.SETTLE, sitting),
        "may_take": desk.may(Act.TAKE_CALL, sitting),
        "may_end": desk.may(Act.END_SITTING, sitting),
        "may_penalise": desk.may(Act.PENALISE, sitting),
        "may_forfeit": desk.may(Act.FORFEIT, sitting) and sitting.match.away_id is not None,
        "may_reopen": desk.may(Act.REOPEN_SITTING, sitting) and sitting.phase == SittingPhase.FINISHED,
        "may_decide": desk.may(Act.DECIDE_BY_LOT, sitting) and state.finished and sitting.match.outcome == "pending",
        "may_release": desk.may(Act.RELEASE_DEVICE, sitting),
        "may_issue": desk.may(Act.ISSUE_CODES, sitting),
        "may_set_scored_by": desk.may(Act.SET_SCORED_BY, sitting),
    } | claims(desk, sitting, pending)


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


def shown_levels(state: Mapping[str, Any]) -> dict[str, str]:
    """Levels by side as the pages write them; a side that passed the last level reads "passed"."""
    return {side: state["levels"][side] or "passed" for side in ("NS", "EW")}


def next_words(state: SittingState) -> str:
    if state.finished:
        return ""
    if state.contested:
        return _("the next deal is contested")
    return _("%(seat)s deals, %(playing)s") % {
        "seat": SEATS[str(state.next_dealer)],
        "playing": playing(state.next_level),
    }


def result_words(match: Match) -> str:
    """The result of a match that has one: its points and how it was decided."""
    if match.outcome == "pending":
        return ""
    if match.outcome == "bye":
        return _("bye")
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


def _row(hand: Hand, people: Mapping[int, str], may_correct: bool) -> Row:
    entry = hand.entry
    facts = entry.facts
    return Row(
        entry=entry,
        result=hand.result,
        versions=hand.earlier,
        parties=parties(entry, people),
        as_dealt=as_dealt(facts, hand.result),
        total_only=facts.get("total_only") is not None,
        correctable=may_correct and entry.kind in CORRECTABLE,
        version_words=_("version %(n)s") % {"n": entry.version},
    )


def _unexpected(item: Finding) -> str:
    if item.code == "level_unexpected":
        return _("by the record the level is %(level)s") % {"level": item.params["due"]}
    if item.code == "dealer_unexpected":
        return _("by the record %(seat)s deals") % {"seat": in_language(item.params["due"])}
    return in_language(item.message)


def _replaced_by_nothing(sitting: Sitting, hands: Sequence[Hand]) -> list[LedgerEntry]:
    """Entries that a correction took out of the record without putting another in their place."""
    standing = [hand.entry.position for hand in hands]
    rows = LedgerEntry.objects.filter(sitting=sitting, status=EntryStatus.SUPERSEDED).exclude(position__in=standing)
    newest = {row.position: row for row in rows.order_by("position", "version")}
    return list(newest.values())


def _aside(entry: LedgerEntry, people: Mapping[int, str]) -> Aside:
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
    words = [f"{field_words(name)} {fact_words(name, entry.facts[name])}" for name in told if name in entry.facts]
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


def as_dealt(facts: Mapping[str, Any], result: EntryResult) -> str:
    """Dealer, level and trump as played, and what kind of entry this is."""
    if facts.get("kind", "hand") != "hand":
        return kind_words(facts["kind"])
    words = []
    dealer = facts.get("dealer") or (result.dealer and str(result.dealer))
    if dealer:
        words.append(_("%(seat)s dealt") % {"seat": SEATS[str(dealer)]})
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
    judged = [judge(sitting, entry) for entry in pending]
    names = [name for name, *_rest in _fields(pending)]
    differing = queries.differing_fields(pending[0].facts, pending[-1].facts) if len(pending) > 1 else ()
    rows = [
        ClaimRow(
            field_words(name),
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
        "difference_words": difference_words(pending, matters=matters(judged)),
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
    try:
        read = sheets.read_entry(profile, entry.facts)
        state = sittings.fold(
            profile,
            queries.opening_of(sitting),
            (*queries.ledger_entries(sitting), read),
            queries.conditions_of(sitting.round.stage),
            reasons=True,
        )
    except sheets.Refused as refused:
        return Claim(entry, refused.message, None)
    return Claim(entry, state.entries[-1].sentence, state)


def matters(judged: Sequence[Claim]) -> bool | None:
    """Whether the accounts lead to different levels, dealers or ends; None when one of them cannot be judged."""
    states = [claim.state for claim in judged]
    if len(states) < 2 or any(state is None for state in states):
        return None
    ends = [(state.position, state.finished, state.winner) for state in states if state is not None]
    return ends[0] != ends[1]


def difference_words(pending: Sequence[LedgerEntry], *, matters: bool | None) -> str:
    """What differs between two accounts, and whether it changes the result."""
    if len(pending) < 2:
        return ""
    words = [
        _("%(field)s: %(one)s or %(other)s")
        % {
            "field": field_words(name),
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
        for side in ("NS", "EW")
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


def sheet_context(desk: Desk) -> dict[str, Any]:
    """What the sheet's selects and keys offer."""
    profile = desk.tournament.profile
    return {
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
