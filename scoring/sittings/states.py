"""The plain values of a sitting: how it opens, how it ends, where it stands, what each entry did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from scoring.frozen import quickly_made
from scoring.hands.findings import Finding, finding
from scoring.hands.outcomes import HandOutcome
from scoring.hands.reading import Reader
from scoring.hands.totals import Total
from scoring.hands.variants import Scoring
from scoring.profiles import Profile, Reason
from scoring.values import LEVELS, RANKS, Level, Role, Seat, Side, Text, Trump

TIE_RULES = ("on_stage", "draw", "first_to_reach", "extra_hand", "lots")
FORMATS = ("first_past", "timed", "fixed_hands")

#: The form in which states are stored. It changes with the fields of a state, and whenever the fold itself gives
#: another state for the same ledger: what was stored in another form is not gone on from.
STORED_FORM = 1

#: What ended a sitting: a side that passed the last level, its lead, or what was counted; or what decides a tie.
DecidedBy = Literal["passed", "lead", "levels", "hand_points", "points", "wins", "tie_rule", "forfeit"]

#: To go through an enumeration costs more than what is done with its two members.
_SIDES = tuple(Side)


@dataclass(frozen=True, slots=True)
class Opening:
    """Levels before the first hand, and who deals it (None: the deal is contested, 抢庄)."""

    levels: Mapping[Side, Level]
    first_dealer: Seat | None = None

    @classmethod
    def from_json(cls, data: object, profile: Profile | None = None) -> Self:
        """Read `{"levels": {"NS": "2", "EW": "2"}, "first_dealer": "S"}`; Refused with every finding.

        With a profile the levels must be on its ladder.
        """
        reader = Reader(data, "opening")
        rows = reader.nested(reader.raw("levels") if reader.has("levels") else {}, "opening.levels")
        ladder = LEVELS if profile is None else [str(level) for level in profile.ladder]
        ranks = {side: rows.word(side.value, ladder, required=True) for side in Side}
        rows.done()
        dealer = reader.choice("first_dealer", Seat)
        reader.done()
        reader.refuse_if_any()
        return cls({side: Level(rank) for side, rank in ranks.items() if rank is not None}, dealer)

    def to_json(self) -> dict[str, Any]:
        dealer = None if self.first_dealer is None else str(self.first_dealer)
        return {"levels": _ranks(self.levels), "first_dealer": dealer}


@dataclass(frozen=True, slots=True)
class FixedHand:
    """A hand whose level, and perhaps dealer and trump suit, the regulation or a board sets (固定级)."""

    level: Level
    dealer: Seat | None = None
    trump: Trump | None = None

    @classmethod
    def read(cls, reader: Reader, profile: Profile | None = None) -> Self | None:
        """Read `{"level": "5", "dealer": "W", "trump": "S"}`; None with findings. With a profile: on its ladder."""
        level = reader.word("level", LEVELS if profile is None else map(str, profile.ladder), required=True)
        dealer, trump = reader.choice("dealer", Seat), reader.choice("trump", Trump)
        reader.done()
        return None if level is None else cls(Level(level), dealer, trump)

    def to_json(self) -> dict[str, str]:
        """The level, and what else is set."""
        data = {"level": str(self.level)}
        data |= {} if self.dealer is None else {"dealer": str(self.dealer)}
        return data | ({} if self.trump is None else {"trump": str(self.trump)})


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a sitting ends: a winning lead in levels, a number of hands, what equal levels at the end mean.

    With `fixed` hands levels do not carry and no deal is won: every hand has its level, dealers are set or rotate
    counter-clockwise, the sitting ends after the last of them, and what `scoring` counts decides.
    """

    lead_levels: int | None = None
    hands: int | None = None
    tie_rule: str = "on_stage"
    format: str = "first_past"
    fixed: tuple[FixedHand, ...] = ()
    scoring: Scoring = Scoring.HAND_POINTS

    @classmethod
    def from_json(cls, data: object, profile: Profile | None = None) -> Self:
        """Read an object with any of the six fields; Refused with every finding.

        With a profile the levels of fixed hands must be on its ladder.
        """
        reader = Reader(data, "conditions")
        levels, hands = {"en": "the lead", "zh": "领先级数"}, {"en": "the number of hands", "zh": "副数"}
        made = cls(
            lead_levels=reader.whole("lead_levels", levels, low=1, high=len(RANKS)),
            hands=reader.whole("hands", hands, low=1, high=1000),
            tie_rule=reader.word("tie_rule", TIE_RULES) or "on_stage",
            format=reader.word("format", FORMATS) or "first_past",
            fixed=reader.items("fixed", lambda row, path: FixedHand.read(reader.nested(row, path), profile)),
            scoring=reader.choice("scoring", Scoring) or Scoring.HAND_POINTS,
        )
        reader.done()
        if made.fixed and made.lead_levels is not None:
            reader.findings.append(finding("lead_of_fixed_hands", "conditions.lead_levels"))
        if made.scoring is not Scoring.HAND_POINTS and not made.fixed:
            reader.findings.append(finding("scoring_without_fixed", "conditions.scoring"))
        reader.refuse_if_any()
        return made

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"lead_levels": self.lead_levels, "hands": self.hands}
        data |= {"tie_rule": self.tie_rule, "format": self.format}
        data |= {"fixed": [one.to_json() for one in self.fixed]} if self.fixed else {}
        return data | _scoring_json(self.scoring)


#: Until one side passes the last level.
UNTIMED = Conditions()


@dataclass(frozen=True, slots=True)
class Position:
    """Where a sitting stands between two entries; a side that passed the last level stands at None."""

    levels: Mapping[Side, Level | None]
    on_stage: Side | None
    next_dealer: Seat | None

    def to_json(self) -> dict[str, Any]:
        return {
            "levels": _ranks(self.levels),
            "on_stage": None if self.on_stage is None else str(self.on_stage),
            "next_dealer": None if self.next_dealer is None else str(self.next_dealer),
        }


@quickly_made
@dataclass(frozen=True, slots=True)
class EntryResult:
    """What one entry did. Dealer and level are as counted; reasons and sentences only when asked for.

    `was` and `now` are the states before and after it, `outcome` is what a hand did to the one for the other.
    """

    kind: str
    was: SittingState
    now: SittingState
    dealer: Seat | None = None
    level: Level | None = None
    total: Total | None = None
    outcome: HandOutcome | None = None
    discrepancies: tuple[Finding, ...] = ()
    because: tuple[Reason, ...] = ()
    sentence: Text | None = None
    levels_sentence: Text | None = None

    @property
    def before(self) -> Position:
        return self.was.position

    @property
    def after(self) -> Position:
        return self.now.position

    @property
    def finished(self) -> bool:
        return self.now.finished

    @property
    def winner_role(self) -> Role | None:
        return None if self.outcome is None else self.outcome.winner_role

    @property
    def levels_won(self) -> int:
        """Those of the level table, though a jump takes their place."""
        return 0 if self.outcome is None else self.outcome.levels_won

    @property
    def deal_changes_hands(self) -> bool:
        return self.outcome is not None and self.outcome.deal_changes_hands

    @property
    def hook(self) -> bool:
        return self.outcome is not None and self.outcome.hooked is not None

    @property
    def stopped_at(self) -> Level | None:
        return None if self.outcome is None else self.outcome.stopped_at

    @property
    def jump(self) -> Side | None:
        """The side that a special play sent up to the last ordinary level while the other fell to the first."""
        return None if self.outcome is None else self.outcome.jump

    @property
    def flag_failed(self) -> bool:
        return self.outcome is not None and self.outcome.flag_failed

    @property
    def passed(self) -> Side | None:
        return None if self.outcome is None else self.outcome.passed

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "kind": self.kind,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "dealer": None if self.dealer is None else str(self.dealer),
            "level": None if self.level is None else str(self.level),
            "total": None if self.total is None else self.total.to_json(),
            "winner_role": None if self.winner_role is None else str(self.winner_role),
            "levels_won": self.levels_won,
            "deal_changes_hands": self.deal_changes_hands,
            "hook": self.hook,
            "stopped_at": None if self.stopped_at is None else str(self.stopped_at),
            "jump": None if self.jump is None else str(self.jump),
            "flag_failed": self.flag_failed,
            "passed": None if self.passed is None else str(self.passed),
            "finished": self.finished,
            "discrepancies": [one.to_json() for one in self.discrepancies],
        }
        if self.sentence is not None:
            assert self.levels_sentence is not None
            data["because"] = [reason.to_json() for reason in self.because]
            data["sentence"] = dict(self.sentence)
            data["levels_sentence"] = dict(self.levels_sentence)
        return data


@quickly_made
@dataclass(frozen=True, slots=True)
class SittingState:
    """The state after a ledger. `levels` of a side that passed the last level stay at it; `passed` says so.

    `on_stage` is the side that deals next, `contested` that the next deal is; annulled hands are not in
    `hands_played`. `flag_failures` are the failures running of a side at the flag. `reached_at` is
    the number of the entry with which a side last changed its level. With `fixed` hands both levels are those of the
    next hand, nobody wins the deal, and `hand_points` is what N–S are ahead in what `scoring` counts.
    """

    levels: Mapping[Side, Level]
    next_dealer: Seat | None
    hooked: Mapping[Side, int] = field(default_factory=lambda: {Side.NS: 0, Side.EW: 0})
    flag_failures: Mapping[Side, int] = field(default_factory=lambda: {Side.NS: 0, Side.EW: 0})
    passed: Side | None = None
    hands_played: int = 0
    finished: bool = False
    end_reason: str | None = None
    winner: Side | None = None
    decided_by: DecidedBy | None = None
    draw: bool = False
    undecided: Literal["extra_hand", "lots"] | None = None
    last_was_rebellion: bool = False
    reached_at: Mapping[Side, int] = field(default_factory=lambda: {Side.NS: 0, Side.EW: 0})
    entry_count: int = 0
    fixed: tuple[FixedHand, ...] = ()
    hand_points: int = 0
    scoring: Scoring = Scoring.HAND_POINTS
    entries: tuple[EntryResult, ...] = ()

    @property
    def on_stage(self) -> Side | None:
        """The side that deals next (台上); None while the deal is contested."""
        return None if self.next_dealer is None else self.next_dealer.side

    @property
    def next_entry(self) -> int:
        """The number of the next entry, counted from 1."""
        return self.entry_count + 1

    @property
    def contested(self) -> bool:
        return self.next_dealer is None and not self.finished

    @property
    def next_level(self) -> Level | None:
        """The level of the next hand; None when the deal is contested at different levels."""
        if self.next_dealer is not None:
            return self.levels[self.next_dealer.side]
        return self.levels[Side.NS] if self.levels[Side.NS] == self.levels[Side.EW] else None

    @property
    def due(self) -> FixedHand | None:
        """The fixed hand to be played next; None after the last, and where no hand is fixed."""
        return self.fixed[self.hands_played] if self.hands_played < len(self.fixed) else None

    @property
    def position(self) -> Position:
        levels: Mapping[Side, Level | None] = self.levels
        if self.passed is not None:
            levels = {**levels, self.passed: None}
        return Position(levels, self.on_stage, self.next_dealer)

    def to_json(self) -> dict[str, Any]:
        """The state with the results of its entries; `fixed_hands` and `hand_points` only where hands are fixed, and
        `scoring` only where something else than hand points is counted."""
        data = self._common_json()
        data |= {"fixed_hands": len(self.fixed), "hand_points": self.hand_points} if self.fixed else {}
        return data | _scoring_json(self.scoring)

    def stored(self) -> dict[str, Any]:
        """The state as it is kept: all that `to_json` shows but the entries, and under ``fold`` what else it takes to
        go on from it (`from_stored`)."""
        fold: dict[str, Any] = {"form": STORED_FORM, "entries": self.entry_count, "reached_at": _times(self.reached_at)}
        if self.passed is not None:
            fold["levels"] = _ranks(self.levels)
        data = self.to_json()
        del data["entries"]
        return data | {"fold": fold}

    @classmethod
    def from_stored(cls, data: Mapping[str, Any], conditions: Conditions = UNTIMED) -> Self:
        """The state that was `stored`, at a table with these conditions; its entries are empty.

        KeyError, TypeError or ValueError where it was stored in another form.
        """
        fixed = conditions.fixed
        fold = data["fold"]
        if fold["form"] != STORED_FORM:
            raise ValueError("another form")
        levels = fold.get("levels") or data["levels"]
        return cls(
            levels={side: Level(levels[side]) for side in _SIDES},
            next_dealer=_seat(data["next_dealer"]),
            hooked=_by_side(data["hooked"]),
            flag_failures=_by_side(data["flag_failures"]),
            passed=_side(data["passed"]),
            hands_played=data["hands_played"],
            finished=data["finished"],
            end_reason=data["end_reason"],
            winner=_side(data["winner"]),
            decided_by=data["decided_by"],
            draw=data["draw"],
            undecided=data["undecided"],
            last_was_rebellion=data["last_was_rebellion"],
            reached_at=_by_side(fold["reached_at"]),
            entry_count=fold["entries"],
            fixed=fixed,
            hand_points=data["hand_points"] if fixed else 0,
            scoring=conditions.scoring,
        )

    def _common_json(self) -> dict[str, Any]:
        return {
            **self.position.to_json(),
            "next_level": None if self.next_level is None else str(self.next_level),
            "contested": self.contested,
            "passed": None if self.passed is None else str(self.passed),
            "hands_played": self.hands_played,
            "finished": self.finished,
            "end_reason": self.end_reason,
            "winner": None if self.winner is None else str(self.winner),
            "decided_by": self.decided_by,
            "draw": self.draw,
            "undecided": self.undecided,
            "last_was_rebellion": self.last_was_rebellion,
            "flag_failures": _times(self.flag_failures),
            "hooked": _times(self.hooked),
            "entries": [entry.to_json() for entry in self.entries],
        }


def _scoring_json(scoring: Scoring) -> dict[str, str]:
    """What is counted, where it is not what is usual: so what was stored keeps its bytes."""
    return {} if scoring is Scoring.HAND_POINTS else {"scoring": str(scoring)}


def _ranks(levels: Mapping[Side, Level | None]) -> dict[str, str | None]:
    return {str(side): None if level is None else str(level) for side, level in levels.items()}


def _times(counted: Mapping[Side, int]) -> dict[str, int]:
    return {str(side): times for side, times in counted.items()}


def _by_side(counted: Mapping[str, int]) -> dict[Side, int]:
    return {side: counted[side] for side in _SIDES}


def _side(said: str | None) -> Side | None:
    return None if said is None else Side(said)


def _seat(said: str | None) -> Seat | None:
    return None if said is None else Seat(said)
