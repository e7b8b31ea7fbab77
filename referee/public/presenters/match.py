"""A match: how it stands or ended and why, the level chart, every hand that counts with reasons and versions.

A hand that waits for confirmation is never told, only that one waits; nor is one on a board that others have to play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from referee.adjudicator import played_hand
from referee.hands.words import DESK, field_word
from referee.parts.boards import Boards, boards_of, linked, standing, told_of
from referee.parts.names import in_names
from referee.parts.recorded import steps_address
from referee.parts.rulings import overturned
from referee.parts.words import reached
from referee.pictures.plots import PlayedHand, Plot, levels_plot
from referee.public.presenters import players
from referee.public.presenters.boards import sheets_of
from referee.public.presenters.round import MatchRow, state_of
from scoring.hands import fields
from scoring.individual.states import IndividualEntryResult, IndividualPosition
from scoring.sittings.states import EntryResult, Opening, SittingState
from scoring.values import Side
from tournaments.boards.reads import kept_back, played_here
from tournaments.ledger.hands_on_record import hands_with_records, replayed
from tournaments.models import EntryKind
from tournaments.rulings.reads import rests_on
from tournaments.sittings import records
from tournaments.sittings.series import games_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from fractions import Fraction

    from django.utils.functional import _StrPromise

    from scoring.profiles import Profile, Reason
    from scoring.sittings.states import Position
    from scoring.values import Text
    from tournaments.ledger.hands_on_record import Replayed
    from tournaments.models import Entrant, LedgerEntry, Ruling, Sitting
    from tournaments.sittings.games import GameOpening
    from tournaments.sittings.records import Hand, SittingRecord

KINDS: Mapping[str, str | _StrPromise] = {
    EntryKind.HAND: gettext_lazy("hand"),
    EntryKind.ANNULLED: gettext_lazy("void hand"),
    EntryKind.ADJUSTED: gettext_lazy("adjusted hand"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """A field that a correction changed; `old` and `new` are empty where the figures need more room than a line."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Version:
    """A later version of a hand: when and why it came, and what it changed."""

    number: int
    at: datetime
    reason: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A side's level before and after."""

    side: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One entry of the record that counts. `steps` is where its cards are stepped through, empty without a record;
    `total` what the attackers came to, None where that decided nothing. `dealer` is a seat, of single players a name;
    `dealer_at` is the seat or the place."""

    entry: LedgerEntry
    sentence: Text | str | None
    because: tuple[Reason, ...]
    dealer: str
    level: str
    trump: str
    at: datetime
    moves: tuple[Move, ...]
    next_dealer: str
    versions: tuple[Version, ...]
    then: str = ""
    ruling: Ruling | None = None
    steps: str = ""
    total: int | None = None
    dealer_at: str = ""

    @property
    def overturned(self) -> str:
        return overturned(self.ruling)

    @property
    def void(self) -> bool:
        return self.entry.kind == EntryKind.ANNULLED

    @property
    def ruled(self) -> bool:
        return self.entry.kind in (EntryKind.LEVEL_PENALTY, EntryKind.PENALTY, EntryKind.ADJUSTED)


def page(sitting: Sitting) -> dict[str, Any]:
    """Everything of a match page; five queries whatever the number of hands, some more where boards are compared."""
    record = records.records([sitting])[0]
    match, round_ = sitting.match, sitting.round
    kept = kept_back(round_.stage)
    told = match.pk not in kept.matches
    names = players.names_of(match) if match.individual else {}
    ruled = rests_on([hand.entry.pk for hand in record.hands])
    recorded = hands_with_records(sitting)
    lines = [
        replace(
            line(hand, names, round_.tournament.profile, fixed=is_fixed(record)),
            ruling=ruled.get(hand.entry.pk),
            steps=steps_address(sitting, hand.entry.hand_no) if hand.entry.hand_no in recorded else "",
        )
        for hand in (() if sitting.pk in kept.sittings else record.hands)
    ]
    stands = {} if match.individual else standing(record.state.to_json(), round_.tournament.profile)
    boards = told_of(linked(boards_of(match), sheets_of(round_.stage)), kept)
    here = [] if match.individual else [_at(sitting, side, stands[side], boards, told) for side in ("NS", "EW")]
    # where two rooms are compared, no hand of one of them decides the match
    last = record.hands[-1].result if record.state.finished and record.hands and boards is None else None
    shown = {
        "sitting": sitting,
        "round": round_,
        "match": match,
        "games": games_at(sitting),
        "row": MatchRow(match, sitting, state_of(round_, match, sitting), told),
        "record": record,
        "state": record.state,
        "levels": stands,
        "here": here,
        "boards": boards,
        "lines": lines,
        "played": played_here(sitting) if sitting.pk in kept.sittings else [],
        "decided": None if last is None else last.sentence,
        "corrected": any(one.versions for one in lines),
        "waiting": record.waiting.hand_no or sitting.hand_no if record.waiting else None,
        "beyond": len(record.beyond),
        "plot": chart(record) if lines and not match.individual and not is_fixed(record) else None,
    }
    return shown | players.page(record) if match.individual else shown


@dataclass(frozen=True, slots=True)
class AtTable:
    """One side of the table: who sits there, where it stands (on boards: in the match), what its entrant has of it."""

    side: str
    entrant: Entrant | None
    stands: str
    score: Fraction | None
    won: bool


def _at(sitting: Sitting, side: str, stands: str, boards: Boards | None, told: bool) -> AtTable:
    match, at_home = sitting.match, side == sitting.home_side
    if boards is not None:
        stands = (boards.home if at_home else boards.away) or "–"
    return AtTable(
        side=side,
        entrant=sitting.north_south if side == "NS" else sitting.east_west,
        stands=stands,
        score=(match.home_score if at_home else match.away_score) if told else None,
        won=told and match.winner_side == ("NS" if at_home else "EW"),
    )


def is_fixed(record: SittingRecord) -> bool:
    """Whether the hands had levels of their own, so that no level climbed."""
    return isinstance(record.state, SittingState) and bool(record.state.fixed)


def hand_told(sitting: Sitting, hand_no: int) -> tuple[EntryLine, Replayed] | None:
    """One hand that counts and its record; None where it has none, or none that is told yet."""
    if sitting.pk in kept_back(sitting.round.stage).sittings:
        return None
    record = records.records([sitting])[0]
    hand = next((one for one in record.hands if one.entry.hand_no == hand_no), None)
    seen = None if hand is None else replayed(sitting, hand_no)
    if hand is None or seen is None:
        return None
    names = players.names_of(sitting.match) if sitting.match.individual else {}
    return line(hand, names, sitting.round.tournament.profile, fixed=is_fixed(record)), seen


def names_by_place(sitting: Sitting) -> list[tuple[str, str]]:
    """Who sits where at a table of single players; nobody where two sides play."""
    return list(players.names_of(sitting.match).items()) if sitting.match.individual else []


def hand_page(sitting: Sitting, hand_no: int) -> dict[str, Any] | None:
    """One hand that counts, card by card, all tricks below each other; None as of `hand_told`."""
    told = hand_told(sitting, hand_no)
    if told is None:
        return None
    own, seen = told
    shown = {"sitting": sitting, "round": sitting.round, "match": sitting.match, "line": own}
    shown |= {"names": names_by_place(sitting), "steps": steps_address(sitting, hand_no)}
    return shown | played_hand.shown(seen)


def line(hand: Hand, names: Mapping[str, str], profile: Profile, *, fixed: bool = False) -> EntryLine:
    """One entry with what it did; `names` are the single players by place; `fixed`: no level carries."""
    entry, result = hand.entry, hand.result
    if isinstance(result, IndividualEntryResult):
        return _line_of_players(hand, result, names)
    before, after = levels_of(result.before, profile), levels_of(result.after, profile)
    return EntryLine(
        entry=entry,
        sentence=result.sentence,
        because=_reasons(result),
        dealer=str(result.dealer or ""),
        dealer_at=str(result.dealer or ""),
        level=str(result.level or ""),
        trump=entry.facts.get("trump") or "",
        at=entry.confirmed_at or entry.entered_at,
        moves=() if fixed else tuple(Move(side, before[side], after[side]) for side in ("NS", "EW")),
        then=in_names(result.levels_sentence, names) if fixed else "",
        next_dealer="" if result.finished else str(result.after.next_dealer or ""),
        versions=tuple(_versions([*hand.earlier, entry])),
        total=None if result.total is None else result.total.raw,
    )


def _line_of_players(hand: Hand, result: IndividualEntryResult, names: Mapping[str, str]) -> EntryLine:
    """As `line`, in the names of the players."""
    entry = hand.entry
    return EntryLine(
        entry=entry,
        sentence=in_names(result.sentence, names),
        because=_reasons(result),
        dealer=names.get(str(result.dealer or ""), ""),
        dealer_at=str(result.dealer or ""),
        level=str(result.level or ""),
        trump=entry.facts.get("trump") or "",
        at=entry.confirmed_at or entry.entered_at,
        moves=(),
        next_dealer="",
        versions=tuple(_versions([*hand.earlier, entry])),
        then=in_names(result.scores_sentence, names),
    )


def _reasons(result: EntryResult | IndividualEntryResult) -> tuple[Reason, ...]:
    """Each clause once, in the order in which it spoke."""
    seen: dict[str, Reason] = {}
    for reason in result.because:
        seen.setdefault(reason.clause.id, reason)
    return tuple(seen.values())


def levels_of(position: Position | IndividualPosition, profile: Profile) -> dict[str, str]:
    """Levels by side as pages write them, past the last one in words; none of single players."""
    if isinstance(position, IndividualPosition):
        return {}
    return {str(side): reached(position.levels[side], profile) for side in Side}


def _versions(entries: Sequence[LedgerEntry]) -> Iterator[Version]:
    for old, new in pairwise(entries):
        yield Version(new.version, new.entered_at, new.reason, tuple(_changes(old.facts, new.facts)))


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for field in fields.FIELDS:
        default = EntryKind.HAND if field.name == "kind" else None
        before, after = (facts.get(field.name, default) for facts in (old, new))
        if field.open and before != after:
            yield Change(field_word(field.name), _shown(field.name, before), _shown(field.name, after))


def _shown(name: str, value: Any) -> str:
    if value is None or isinstance(value, (list, dict)):
        return ""
    return str(KINDS.get(value, value)) if name == "kind" else DESK.says(name, value)


def chart(record: SittingRecord) -> Plot:
    """Levels over the hands that count; of single players their levels or scores."""
    profile = record.sitting.round.tournament.profile
    if record.sitting.match.individual:
        return players.chart(record, players.names_of(record.sitting.match), profile)
    start, hands = opened(record.opening), played(record, profile)
    ladder = [*map(str, profile.ladder), reached(None, profile)]
    return levels_plot(ladder, start, hands, [str(one) for one in profile.must_play])


def opened(opening: GameOpening) -> dict[str, str]:
    """Both levels before the first hand."""
    assert isinstance(opening, Opening)
    return {str(side): str(opening.levels[side]) for side in Side}


def played(record: SittingRecord, profile: Profile) -> list[PlayedHand]:
    """The hands of the level chart. A level penalty belongs to the hand before it; ends move nothing."""
    hands: list[PlayedHand] = []
    for hand in record.hands:
        entry, result = hand.entry, hand.result
        levels = levels_of(result.after, profile)
        if entry.kind == EntryKind.END:
            continue
        if entry.kind == EntryKind.LEVEL_PENALTY:
            number = hands.pop().number if hands else 0
            hands.append(PlayedHand(number, levels, _("ruling"), entry.facts.get("side")))
            continue
        note, side = "", None
        if entry.kind == EntryKind.ANNULLED:
            note = pgettext("said of a hand", "Void")
        elif isinstance(result, EntryResult) and result.hook and result.dealer is not None:
            note, side = _("hook"), str(result.dealer.side)
        hands.append(PlayedHand(entry.hand_no or len(hands) + 1, levels, note, side))
    return hands
