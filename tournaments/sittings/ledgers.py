"""The ledger of a sitting, read once for an act: its rows, what they hold as kernel values, and their fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from scoring.profiles import Profile
from scoring.sittings.states import Conditions

from ..acts.change import Add, Move, Write
from ..acts.errors import NotFound
from ..models import EntryStatus, LedgerEntry, Match, Sitting, Stage, Tournament
from ..models import Round as RoundRow
from ..plans.boards import Marks
from .games import Entry, GameOpening, State, game_of
from .records import conditions_of, fold_of, opening_of, read_entries

Row = TypeVar("Row", LedgerEntry, Sitting)
_READ = "_read_as"
#: In a stored state what only the fold goes on from.
FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Stored:
    """The state that a sitting keeps, and the entries that counted when it was kept (their ids, by position).

    Both were read in one moment, so that what follows may be judged by going on from it. Whoever writes entries writes
    the state of all that count with them; the audit alone folds it again from nothing.
    """

    state: Mapping[str, Any]
    entries: tuple[int, ...]

    @classmethod
    def of(cls, sitting: Sitting, rows: Iterable[LedgerEntry]) -> Stored:
        return cls(sitting.state, tuple(row.pk for row in rows if row.status == EntryStatus.EFFECTIVE))


@dataclass(slots=True)
class Ledger:
    """A sitting with everything its judging needs. `rows` are all versions of all entries, by position and version.

    `games` are the sittings of a match of several games in order, where they are not to be read from the database;
    `marks` what officials put in place of results of its boards, likewise. `stored` is there where it was read with the
    entries in one moment.
    """

    sitting: Sitting
    match: Match
    rows: list[LedgerEntry]
    games: list[Sitting] | None = None
    marks: Mapping[int, Marks] | None = None
    stored: Stored | None = None

    @property
    def round(self) -> RoundRow:
        return self.match.round

    @property
    def stage(self) -> Stage:
        return self.match.round.stage

    @property
    def tournament(self) -> Tournament:
        return self.match.round.tournament

    @property
    def profile(self) -> Profile:
        return self.tournament.profile

    @property
    def opening(self) -> GameOpening:
        return opening_of(self.sitting)

    @property
    def conditions(self) -> Conditions:
        return conditions_of(self.sitting)

    @property
    def effective(self) -> list[LedgerEntry]:
        return [row for row in self.rows if row.status == EntryStatus.EFFECTIVE]

    @property
    def waiting(self) -> LedgerEntry | None:
        return next((row for row in self.rows if row.status == EntryStatus.WAITING), None)

    @property
    def contesting(self) -> LedgerEntry | None:
        return next((row for row in self.rows if row.status == EntryStatus.CONTESTING), None)

    @property
    def pending(self) -> list[LedgerEntry]:
        return [row for row in self.rows if row.status in (EntryStatus.WAITING, EntryStatus.CONTESTING)]

    def row(self, entry_id: int) -> LedgerEntry:
        for row in self.rows:
            if row.pk == entry_id:
                return row
        raise NotFound()

    def position_of_hand(self, hand_no: int) -> int:
        """Where a new version of this hand stands: its earlier versions keep its place."""
        for row in self.rows:
            if row.hand_no == hand_no:
                return row.position
        return self.next_position

    @property
    def next_position(self) -> int:
        return max((row.position for row in self.rows), default=0) + 1

    def next_version(self, position: int) -> int:
        return max((row.version for row in self.rows if row.position == position), default=0) + 1

    def next_hand_no(self) -> int:
        numbers = {row.hand_no for row in self.effective if row.hand_no is not None}
        return next(number for number in range(1, len(numbers) + 2) if number not in numbers)

    def read(self, row: LedgerEntry) -> Entry:
        return self._read([row])[0]

    def _read(self, rows: Iterable[LedgerEntry]) -> list[Entry]:
        """What rows hold, as kernel values. A row keeps its own: its facts never change, only the rules may."""
        profile, entries = self.profile, list[Entry]()
        for row in rows:
            by, entry = row.__dict__.get(_READ, (None, None))
            if by is not profile or entry is None:
                entry = read_entries(self.sitting, [row.facts])[0]
                row.__dict__[_READ] = (profile, entry)
            entries.append(entry)
        return entries

    def placed(self, *, without: int | None = None) -> list[tuple[int, Entry]]:
        """Effective entries with their positions, in order; `without` leaves one position out."""
        rows = [row for row in self.effective if row.position != without]
        entries = self._read(rows)
        return [(row.position, entry) for row, entry in zip(rows, entries, strict=True)]

    def fold(self, *, reasons: bool = False) -> State:
        return fold_of(self.sitting, [entry for _, entry in self.placed()], reasons=reasons)[0]

    def fold_on(self) -> State:
        """As `fold`, but what each entry did is known only where the result of the match is made of it."""
        state = self._on_from_stored(self.effective)
        return self.fold() if state is None else state

    def fold_before(self, position: int) -> State:
        """The state before a position; what each entry did is not always known."""
        rows = [row for row in self.effective if row.position < position]
        state = self._on_from_stored(rows)
        return fold_of(self.sitting, self._read(rows))[0] if state is None else state

    def _on_from_stored(self, rows: Sequence[LedgerEntry]) -> State | None:
        """The state after these entries, gone on from the stored one with those that it does not hold yet.

        None where the state is to be folded from nothing: another entry counts than when it was stored, it was stored
        in another form, or the end of the match has come, which looks at all entries; boards always do.
        """
        stored = self.stored
        if stored is None or self.sitting.boards is not None:
            return None
        held = len(stored.entries)
        if tuple(row.pk for row in rows[:held]) != stored.entries:
            return None
        profile, conditions = self.profile, self.conditions
        game = game_of(profile)
        try:
            state: State = game.read_state(stored.state, conditions)
        except (KeyError, TypeError, ValueError):
            return None
        if state.entry_count != held:  # after a correction a match may be over before its last entries
            return None
        for entry in self._read(rows[held:]):
            if state.finished:
                return None
            state = game.step(profile, conditions, state, entry)[0]
        return None if state.finished else state

    def after(self, *writes: Write) -> Ledger:
        """The ledger as it would be after these writes; nothing is written, and no row of this one is touched."""
        moved = {id(one.row): one.to for one in writes if isinstance(one, Move)}
        rows = [as_moved(row, moved[id(row)]) if id(row) in moved else row for row in self.rows]
        rows += [one.row for one in writes if isinstance(one, Add) and isinstance(one.row, LedgerEntry)]
        return replace(self, rows=sorted(rows, key=lambda one: (one.position, one.version)))

    def entry(self, **fields: Any) -> LedgerEntry:
        """A row for this ledger, not stored yet."""
        return LedgerEntry(tournament=self.tournament, sitting=self.sitting, **fields)


def as_moved(row: Row, to: Mapping[str, Any]) -> Row:
    """A copy of a row with other values."""
    row = copy(row)
    for name, value in to.items():
        setattr(row, name, value)
    return row


def open_ledger(sitting_id: int, *, lock: bool) -> Ledger:
    """The ledger of a sitting; with `lock` its row is held until the transaction ends.

    What the act depends on is read after the lock is held, so that it is what stands when the act is judged.
    """
    rows = Sitting.objects.select_for_update(no_key=True) if lock else Sitting.objects
    try:
        sitting = rows.get(pk=sitting_id)
    except (Sitting.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    match = Match.objects.select_related("round__stage", "round__tournament").get(pk=sitting.match_id)
    sitting.match, sitting.round = match, match.round
    entries = list(LedgerEntry.objects.filter(sitting=sitting.pk).order_by("position", "version"))
    return Ledger(sitting, match, entries, stored=Stored.of(sitting, entries) if lock else None)


def open_ledger_of_entry(entry_id: int, *, lock: bool) -> tuple[Ledger, LedgerEntry]:
    """The ledger that holds an entry, and the entry."""
    try:
        sitting_id = LedgerEntry.objects.values_list("sitting_id", flat=True).get(pk=entry_id)
    except (LedgerEntry.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=lock)
    return ledger, ledger.row(entry_id)


def current_of(ledger: Ledger) -> dict[str, Any]:
    """What a refused writer should look at again."""
    return {
        "sitting": ledger.sitting.pk,
        "revision": ledger.sitting.revision,
        "hand_no": ledger.sitting.hand_no,
        "phase": str(ledger.sitting.phase),
        "pending": [row.pk for row in ledger.pending],
    }


def cached_state(state: State) -> dict[str, Any]:
    """What a sitting keeps of its fold: the state without the results of single entries, and what it takes to go on
    from it."""
    return state.stored()


def shown_state(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a sitting keeps of its fold what is told of it."""
    return {name: value for name, value in stored.items() if name != FOLD}
