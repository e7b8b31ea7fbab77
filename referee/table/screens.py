"""What one side must do now, and everything its page shows: from the sitting, its ledger and its calls."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.utils.translation import gettext as _

from referee.hands import required
from referee.hands.forms import HandForm, PhoneForm
from referee.hands.words import PHONE, Voice, field_word
from referee.parts.formats import signed
from referee.parts.kept import WRONG
from referee.parts.names import shown_name
from referee.parts.words import SIDES, SIDES_SHORT, in_language, reached
from referee.table import endings
from referee.table.hand_due import HandDue
from scoring.hands.fields import in_order
from scoring.values import Side
from tournaments.evidence.acts import MOST_PHOTOS, may_give
from tournaments.evidence.reads import given_with
from tournaments.ledger.disputes import claims_among, differing_fields
from tournaments.models import EntryStatus, RoundStatus, ScoredBy, SittingPhase
from tournaments.people.after_match import after_match
from tournaments.rulings.reads import rulings_at
from tournaments.sittings import table_pages
from tournaments.sittings.games import two_sides
from tournaments.sittings.series import games_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from referee.hands.required import Required
    from referee.parts.words import Word
    from referee.table.places import HeldPlace
    from scoring.profiles import Profile
    from scoring.sittings.states import EntryResult, SittingState
    from tournaments.evidence.reads import Given
    from tournaments.models import Call, Entrant, LedgerEntry, Ruling, Sitting
    from tournaments.people.after_match import AfterMatch
    from tournaments.sittings.series import Games

CHECK_LETTERS: Final = "ACEHJKLMNPRTUWXY"
FRESH_SECONDS: Final = 600


#: Views with a template of their own; the others share one.
OWN_TEMPLATE: Final = ("enter", "confirm", "sent", "disputed", "watch")


class View(StrEnum):
    """What the page is."""

    ENTER = "enter"
    CONFIRM = "confirm"
    SENT = "sent"
    DISPUTED = "disputed"
    WATCH = "watch"
    NOT_STARTED = "not_started"
    FINISHED = "finished"
    CLOSED = "closed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Team:
    """One side of the table on its page."""

    side: str
    name: str
    level: str
    mine: bool
    on_stage: bool
    points: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """An entry of the record with what it did."""

    entry: LedgerEntry
    result: EntryResult
    corrected: bool = False

    @property
    def sentence(self) -> str:
        return in_language(self.result.sentence)

    @property
    def levels(self) -> str:
        return in_language(self.result.levels_sentence)


@dataclass(frozen=True, slots=True)
class Difference:
    """A field in which two independent entries of one hand differ, in words."""

    field: str
    word: str
    ours: str
    theirs: str


@dataclass
class Screen:
    """The page of one place. `own` asks for the entry form though the other side has sent this hand."""

    place: HeldPlace
    own: bool = False
    typed: HandForm | None = None
    findings: Sequence[Any] = ()
    individual: ClassVar[bool] = False
    state: SittingState = field(init=False)
    entries: list[LedgerEntry] = field(init=False)
    calls: list[Call] = field(init=False)

    def __post_init__(self) -> None:
        self.entries = table_pages.entries_of(self.sitting)
        self.state = self._folded()
        self.calls = table_pages.open_calls(self.sitting)

    def _folded(self) -> SittingState:
        return two_sides(table_pages.folded(self.sitting, self.entries))

    # What it is about

    @property
    def sitting(self) -> Sitting:
        return self.place.sitting

    @property
    def side(self) -> str:
        return self.place.side

    @property
    def other(self) -> str:
        return "EW" if self.side == "NS" else "NS"

    def name_of(self, party: str) -> str:
        """What this page calls a party of the table."""
        return str(SIDES[party])

    @property
    def profile(self) -> Profile:
        return self.place.tournament.profile

    @property
    def hand_no(self) -> int:
        return self.sitting.hand_no

    @cached_property
    def view(self) -> View:
        status, phase = self.sitting.round.status, self.sitting.phase
        if not self.sitting.active:
            return View.MOVED
        if status == RoundStatus.CLOSED:
            return View.CLOSED
        if phase == SittingPhase.FINISHED:
            return View.FINISHED
        if status != RoundStatus.RUNNING:
            return View.NOT_STARTED
        if self.place.tournament.elsewhere:
            return View.WATCH
        if phase == SittingPhase.DISPUTED:
            return View.DISPUTED
        if self.waiting is not None and self.waiting.entered_side:
            return self._answering()
        return View.WATCH if self.sitting.scored_by == ScoredBy.REFEREE else View.ENTER

    def _answering(self) -> View:
        assert self.waiting is not None
        if self.waiting.entered_side == self.side:
            return View.SENT
        return View.ENTER if self.own else View.CONFIRM

    @property
    def token(self) -> str:
        """Changes when the page has something else to say: the view, who meets, what waits, what is due, the levels."""
        entry, levels = self.waiting, self.state.levels
        entering = "-".join(str(part) for part in (self.state.next_dealer, self.state.next_level, *levels.values()))
        due = entering if self.view is View.ENTER else self.sitting.revision
        match = self.sitting.match_id  # another one where others are noted to have sat here
        if self.after is not None:
            due = f"{due}.{self.after.key}"
        return f"{self.view}.{match}.{self.sitting.game}.{self.hand_no}.{entry.pk if entry else 0}.{due}"

    @property
    def rewritten(self) -> str:
        """Says why the page is another one now, read aloud and shown to somebody in the middle of an entry."""
        other = SIDES_SHORT[self.other]
        if self.view in (View.CONFIRM, View.ENTER) and self.waiting is not None:
            return _("%(side)s have entered hand %(n)s; please check it.") % {"side": other, "n": self.hand_no}
        sentences = {
            View.ENTER: _("The record has changed. Your figures are kept; look again."),
            View.SENT: _("Hand %(n)s is sent.") % {"n": self.hand_no},
            View.DISPUTED: _("A referee is called for hand %(n)s.") % {"n": self.hand_no},
            View.FINISHED: _("The match is over."),
            View.CLOSED: _("Round %(n)s is closed.") % {"n": self.sitting.round.number},
        }
        return sentences.get(self.view, _("Something changed at this table."))

    @property
    def entrant(self) -> Entrant | None:
        """Who holds this place."""
        match = self.sitting.match
        return match.home if self.side == self.sitting.home_side else match.away

    @cached_property
    def after(self) -> AfterMatch | None:
        """What happens now that the match or its round is over."""
        return after_match(self.sitting, self.entrant) if self.view in (View.FINISHED, View.CLOSED) else None

    @cached_property
    def games(self) -> Games | None:
        """The games of a match of several, and how it stands."""
        return games_at(self.sitting)

    # The two sides

    @property
    def teams(self) -> tuple[Team, Team]:
        """This side first."""
        return self.team(self.side), self.team(self.other)

    def team(self, side: str) -> Team:
        match = self.sitting.match
        entrant = match.home if side == self.sitting.home_side else match.away
        return Team(
            side=side,
            name=shown_name(entrant),
            level=reached(self.state.position.levels[Side(side)], self.profile),
            mine=side == self.side,
            on_stage=str(self.state.on_stage) == side and not self.state.fixed,
            points=signed(self.state.hand_points if side == "NS" else -self.state.hand_points)
            if self.state.fixed
            else "",
        )

    # The hand to be entered

    @property
    def due(self) -> HandDue:
        """The hand of this table now; another one once something is typed."""
        return HandDue(self.state, self.profile, self.typed, self.sitting.boards)

    @property
    def is_over(self) -> bool:
        """Whether no hand is to come: the match is over, or its round is closed."""
        return self.view in (View.FINISHED, View.CLOSED)

    @property
    def name_of_hand(self) -> str:
        """What the table calls the hand it plays: a board by its number, else the hand of the record."""
        deal = self.due.deal
        if deal is not None and deal.board is not None:
            return _("Board %(n)s") % {"n": deal.board}
        return _("Hand %(n)s") % {"n": self.hand_no}

    @property
    def template(self) -> str:
        """The template of the view."""
        kind = self.view if self.view in OWN_TEMPLATE else "over"
        return f"table/views/{'individual_' if self.individual else ''}{kind}.html"

    @property
    def wrong(self) -> Mapping[str, Word]:
        """What may be wrong with an entry, for the keys that send it back."""
        return WRONG

    def read(self, data: QueryDict | Mapping[str, Any]) -> None:
        """Take what was posted."""
        self.typed = PhoneForm.posted(data, self.profile)

    def facts(self, *, annulled: bool) -> dict[str, Any]:
        """What was typed as the protocol's ledger entry."""
        assert self.typed is not None
        self.typed.level = self.due.level
        return self.typed.turned_to("annulled" if annulled else "hand").facts()

    @cached_property
    def required(self) -> Sequence[Required]:
        """What the form of this hand has to say before it can be sent."""
        return required.of_two_sides(self.profile, contested=self.state.contested)

    @property
    def counted_level(self) -> str:
        """The level at which the hand counts."""
        return self.due.counted_level

    def left_empty(self, *, annulled: bool) -> list[Required]:
        """What is asked of what was typed, and was left empty."""
        known = {"kind": "annulled" if annulled else "hand", "level": self.counted_level}
        return required.missing(self.required, lambda name: known.get(name) or self.typed_in(name))

    def typed_in(self, name: str) -> str:
        return self.typed.get(name) if self.typed else ""

    # What waits, what came back, what was confirmed

    @cached_property
    def waiting(self) -> LedgerEntry | None:
        return self._last(EntryStatus.WAITING)

    @cached_property
    def contesting(self) -> LedgerEntry | None:
        return self._last(EntryStatus.CONTESTING)

    @cached_property
    def returned(self) -> LedgerEntry | None:
        """The entry of the present hand that was sent back, unless a newer one stands."""
        found = [entry for entry in self.entries if entry.hand_no == self.hand_no]
        return found[-1] if found and found[-1].status == EntryStatus.RETURNED else None

    @property
    def to_mend(self) -> LedgerEntry | None:
        """This side's own entry of the present hand that was sent back or taken back: its figures are kept."""
        found = [entry for entry in self.entries if entry.hand_no == self.hand_no and entry.entered_side == self.side]
        again = (EntryStatus.RETURNED, EntryStatus.WITHDRAWN)
        return found[-1] if found and found[-1].status in again else None

    @property
    def returned_words(self) -> str:
        """What the other side said when it sent the entry back."""
        back = self.returned
        if back is None:
            return ""
        what = str(WRONG.get(back.sent_back_what, back.sent_back_what))
        return f"{what} ({back.sent_back_note})" if back.sent_back_note else what

    @cached_property
    def hands(self) -> list[Hand]:
        """The record, oldest first: every entry that counts, with what it did (up to the end of the match)."""
        effective = [entry for entry in self.entries if entry.status == EntryStatus.EFFECTIVE]
        replaced = {entry.position for entry in self.entries if entry.status == EntryStatus.SUPERSEDED}
        results = zip(effective, self.state.entries, strict=False)
        return [Hand(entry, result, entry.position in replaced) for entry, result in results]

    @cached_property
    def rulings(self) -> list[Ruling]:
        """The rulings at this table that were decided, newest first."""
        return [ruling for ruling in rulings_at(self.sitting.pk) if ruling.decided_at is not None]

    @property
    def appealable(self) -> list[Ruling]:
        """Those that can still be appealed against."""
        return [one for one in self.rulings if one.appealable(self.place.now)]

    @property
    def newest_first(self) -> list[Hand]:
        return self.hands[::-1]

    @property
    def just_confirmed(self) -> Hand | None:
        """The last hand, while it is news."""
        if not self.hands or self.returned or self.waiting:
            return None
        entry = self.hands[-1].entry
        at = entry.confirmed_at or entry.entered_at
        return self.hands[-1] if (self.place.now - at).total_seconds() < FRESH_SECONDS else None

    @property
    def call(self) -> Call | None:
        return self.calls[-1] if self.calls else None

    @cached_property
    def photo_call(self) -> Call | None:
        """The newest open call with which this side gives photos."""
        return next((call for call in reversed(self.calls) if may_give(call, self.side)), None)

    @cached_property
    def photos(self) -> Sequence[Given]:
        """The photos that this side gave with it."""
        call = self.photo_call
        return () if call is None else given_with([call], self.side).get(call.pk, ())

    @property
    def may_add_photo(self) -> bool:
        return len(self.photos) < MOST_PHOTOS

    @property
    def tables_before(self) -> int:
        """How many calls of the round the referees have to take before this table's."""
        return table_pages.calls_before(self.call) if self.call is not None and self.call.taken_at is None else 0

    @property
    def voice(self) -> Voice:
        """How this page says what is written down of a hand."""
        return PHONE

    def field_word(self, name: str) -> str:
        return field_word(name, self.profile, brief=True)

    def value_words(self, name: str, entry: LedgerEntry) -> str:
        return self.voice.says(name, entry.facts.get(name))

    @property
    def check_code(self) -> str:
        """The same few signs on both phones for what waits."""
        return check_code(self.waiting) if self.waiting is not None else ""

    @property
    def differences(self) -> list[Difference]:
        """Where the two entries of a disputed hand differ, this side's figures first."""
        if len(self.claims) < 2:
            return []
        first, second = self.claims
        ours, theirs = (first, second) if first.entered_side == self.side else (second, first)
        return [
            Difference(name, self.field_word(name), self.value_words(name, ours), self.value_words(name, theirs))
            for name in in_order({*ours.facts, *theirs.facts})
            if name in differing_fields(ours.facts, theirs.facts)
        ]

    @cached_property
    def claims(self) -> tuple[LedgerEntry, ...]:
        """The accounts of a hand in dispute: those that wait, or where each was sent back, the last of each side."""
        return claims_among(self.sitting, self.entries)

    @property
    def theirs(self) -> LedgerEntry | None:
        """The other side's entry of a hand in dispute: this side may still agree to it."""
        found = (entry for entry in (self.waiting, self.contesting) if entry is not None)
        return next((entry for entry in found if entry.entered_side == self.other), None)

    @property
    def their_facts(self) -> list[tuple[str, str, str]]:
        return self._rows(self.theirs)

    @property
    def waiting_facts(self) -> list[tuple[str, str, str]]:
        """Every field of what waits, as a row: name, word, value in words."""
        return self._rows(self.waiting)

    def _rows(self, entry: LedgerEntry | None) -> list[tuple[str, str, str]]:
        return [] if entry is None else self.voice.rows(entry.facts, self.profile)

    def _last(self, status: str) -> LedgerEntry | None:
        return next((entry for entry in reversed(self.entries) if entry.status == status), None)

    # The end

    @property
    def result_words(self) -> str:
        """How the match ended, own side first, in one sentence."""
        return endings.result_words(self)

    @property
    def next_words(self) -> endings.Next | None:
        """What happens now that the match or its round is over."""
        return None if self.after is None else endings.next_words(self.after, self.entrant)


def check_code(entry: LedgerEntry) -> str:
    """A letter, a figure and two figures from the content of an entry: ``K7-40``."""
    text = json.dumps([entry.pk, entry.version, entry.facts], sort_keys=True, separators=(",", ":"))
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    letter, number = CHECK_LETTERS[number % 16], number // 16
    return f"{letter}{number % 10}-{number // 10 % 100:02d}"
