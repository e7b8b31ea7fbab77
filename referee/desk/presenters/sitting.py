"""A table's page: where it stands, every hand with its reasons, parties and versions, the phones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from referee.desk.presenters.claims import at_table
from referee.desk.presenters.evidence import at_table as photos_at
from referee.desk.presenters.rulings import line as ruling_line
from referee.desk.presenters.settling import settling
from referee.desk.presenters.sitting_words import (
    PHASES,
    after_words,
    as_dealt,
    names_at,
    next_words,
    parties,
    phase_word,
    players_at,
    result_words,
)
from referee.hands.words import DESK, field_word
from referee.parts.boards import board_due, boards_of, standing
from referee.parts.clock import shown_clock
from referee.parts.names import in_names, shown_name
from referee.parts.rulings import overturned
from referee.parts.words import SIDES, in_language
from scoring.individual.states import IndividualEntryResult, IndividualState
from tournaments.acts.access import Act
from tournaments.acts.schedule import clause_texts
from tournaments.ledger.codes import party_code_text, pin_text
from tournaments.ledger.hands_on_record import hands_with_records
from tournaments.models import Call, Device, EntryKind, EntryStatus, LedgerEntry, PartyCode, SittingPhase, User
from tournaments.rulings.reads import clause_names, rests_on, rulings_at
from tournaments.sittings import records
from tournaments.sittings.after_time import undecided_hands
from tournaments.sittings.clock import table_clock
from tournaments.sittings.games import parties_of
from tournaments.sittings.series import games_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.desk.guard import Desk
    from scoring.hands.findings import Finding
    from scoring.profiles import Profile
    from scoring.sittings.states import EntryResult
    from tournaments.models import Ruling, Sitting
    from tournaments.sittings.records import Hand
    from tournaments.sittings.series import Games

ASIDE = (EntryStatus.WITHDRAWN, EntryStatus.RETURNED, EntryStatus.OVERRULED)
CORRECTABLE = ("hand", "annulled", "adjusted")
#: Signs of a clause where it is chosen from a list.
CLAUSE_LINE = 60


@dataclass(frozen=True, slots=True)
class EntryRow:
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
    def overturned(self) -> str:
        return overturned(self.ruling)

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
class PhoneOfSide:
    """One side's phone and code; the code's text only for those who may issue codes."""

    side: str
    device: Device | None
    code_text: str = ""
    pin: str = ""


def table(desk: Desk, sitting: Sitting) -> dict[str, Any]:
    """Everything of the page, in a number of queries that does not grow with the hands."""
    record = records.records([sitting])[0]
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
    return (
        {
            "state": state,
            "games": games,
            "players": players_at(sitting.match, state.position.to_json()),
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
            "waiting": sitting.phase in (SittingPhase.WAITING, SittingPhase.DISPUTED),
            "calls": list(Call.objects.filter(sitting=sitting, closed_at=None).select_related("taken_by")),
            "places": _places(desk, sitting),
            "now": desk.now,
            "may_enter": desk.may(Act.ENTER_HAND, sitting) and sitting.round.status == "running",
            "may_settle": desk.may(Act.SETTLE, sitting),
            **settling(desk, sitting),
            "may_take": desk.may(Act.TAKE_CALL, sitting),
            "may_end": desk.may(Act.END_SITTING, sitting),
            "may_attach_record": desk.may(Act.ATTACH_RECORD, sitting),
            "may_propose_ruling": desk.may(Act.PROPOSE_RULING, sitting)
            and sitting.round.status in ("running", "closed"),
            "may_penalise": desk.may(Act.PENALISE, sitting),
            **_choices(sitting, games),
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
        }
        | at_table(desk, sitting)
        | photos_at(desk, sitting)
    )


def _choices(sitting: Sitting, games: Games | None) -> dict[str, list[tuple[Any, Any]]]:
    """What the forms of the page let one choose from."""
    stage, match = sitting.round.stage, sitting.match
    gives_up = _("a side gives this game up") if games else _("a side gives up")
    ends = [
        ("time", _("time is over"), True),
        ("hands", _("all hands played"), stage.hands),
        ("lead", _("lead in levels"), stage.lead_levels),
        ("ruling", _("ruling"), match.individual),
        ("left", _("a player has left"), match.individual),
        ("forfeit", _("a player is absent or forfeits"), match.individual),
        ("forfeit", gives_up, not match.individual and sitting.boards is None),
    ]
    shown: dict[str, list[tuple[Any, Any]]] = {
        "ends": [(code, word) for code, word, is_possible in ends if is_possible],
        "clauses": _clauses(sitting),
    }
    if match.individual:
        return shown | {"sides": [(one.place, one.name) for one in players_at(match, {})]}
    sides = [(code, SIDES[code]) for code in ("NS", "EW")]
    paired = [one for one in (match.home, match.away) if one is not None]
    # the two rooms of a match seat them the other way round
    names = [(code, shown_name(one)) for code, one in zip(("NS", "EW"), paired, strict=False)]
    winners = sides if sitting.boards is None else names
    forfeits = zip(("home_forfeit", "away_forfeit"), (word for _code, word in winners), strict=False)
    return shown | {
        "sides": sides,
        "winners": winners,
        "forfeits": [*forfeits, ("double_forfeit", _("both"))],
        "paired": [(one.number, f"{one.number} {shown_name(one)}") for one in paired],
    }


def _clauses(sitting: Sitting) -> list[tuple[str, str]]:
    """What a penalty may cite, in a line each: first the offences of the event's schedule, then the clauses of its
    rules."""
    tournament = sitting.round.tournament
    texts = {id: in_language(text) for id, text in clause_texts(tournament).items()}
    offences = {id: f"{in_language(name)} · {texts.pop(id)}" for id, name in clause_names(tournament).items()}
    return [(id, Truncator(text).chars(CLAUSE_LINE)) for id, text in (offences | texts).items()]


#: Rounds in which something may have been played.
PLAYED = ("running", "closed")


def _waits_for_lots(sitting: Sitting) -> bool:
    """Whether a finished sitting left its match open; on boards both rooms have to be done."""
    if sitting.match.outcome != "pending":
        return False
    boards = boards_of(sitting.match) if sitting.boards is not None else None
    return boards is None or boards.finished


def _people(entries: Iterable[LedgerEntry]) -> dict[int, str]:
    wanted = {pk for entry in entries for pk in (entry.entered_by_id, entry.confirmed_by_id) if pk}
    return {user.pk: str(user) for user in User.objects.filter(pk__in=wanted)}


def _row(hand: Hand, people: Mapping[int, str], may_correct: bool, names: Mapping[str, str]) -> EntryRow:
    entry = hand.entry
    facts = entry.facts
    return EntryRow(
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
        return _("by the record the level is %(level)s") % {"level": in_language(item.params["due"])}
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
        f"{field_word(name, profile)} {DESK.says(name, entry.facts[name])}" for name in told if name in entry.facts
    ]
    return Aside(entry, " · ".join(words), parties(entry, people))


def _places(desk: Desk, sitting: Sitting) -> list[PhoneOfSide]:
    devices = {device.side: device for device in Device.objects.filter(sitting=sitting, released_at=None)}
    codes: dict[str, PartyCode] = {}
    if desk.may(Act.ISSUE_CODES, sitting):
        codes = {code.side: code for code in PartyCode.objects.filter(table=sitting.table, revoked_at=None)}
    return [
        PhoneOfSide(
            side,
            devices.get(side),
            party_code_text(codes[side]) if side in codes else "",
            pin_text(codes[side]) if side in codes else "",
        )
        for side in parties_of(desk.tournament.profile)
    ]
