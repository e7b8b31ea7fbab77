"""The plain values of a table of an individual game: how it opens, where it stands, what came of each entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

from scoring.hands.entries import number_of, text_of
from scoring.hands.findings import Finding, finding
from scoring.hands.reading import Reader
from scoring.hands.totals import Total
from scoring.individual.entries import places, plays_levels
from scoring.profiles import Profile, Reason
from scoring.sittings.states import STORED_FORM
from scoring.standings.match_scores import PASSED
from scoring.values import RANKS, Level, Place, Points, Role, Text, exact


@dataclass(frozen=True, slots=True)
class IndividualOpening:
    """Levels before the first hand (none where no levels are kept), and who deals it (None: settled at the table)."""

    levels: Mapping[Place, Level] = field(default_factory=dict)
    first_dealer: Place | None = None

    @classmethod
    def first(cls, profile: Profile, first_dealer: Place | None = None) -> Self:
        """Every player at the first level."""
        levels = dict.fromkeys(places(profile), profile.ladder.first) if plays_levels(profile) else {}
        return cls(levels, first_dealer)

    @classmethod
    def from_json(cls, data: object, profile: Profile | None = None, *, path: str = "opening") -> Self:
        """Read `{"levels": {"1": "2", …}, "first_dealer": "3"}`; Refused with every finding.

        With a profile the places must be those of its table, the levels on its ladder, and no levels given where none
        are kept, nor a dealer where the bids decide; left out, all begin at the first level.
        """
        reader = Reader(data, path)
        table = tuple(Place) if profile is None else places(profile)
        ladder = RANKS if profile is None else [str(level) for level in profile.ladder]
        levels: dict[Place, Level] = {}
        if profile is None or plays_levels(profile):
            given = reader.has("levels")
            rows = reader.nested(reader.raw("levels") if given else {}, f"{path}.levels" if path else "levels")
            for place in table:
                rank = rows.word(place.value, ladder, required=given and profile is not None)
                if rank is not None:
                    levels[place] = Level(rank)
            rows.done()
            if profile is not None and not given:
                levels = dict(cls.first(profile).levels)
        elif not reader.data.get("levels"):
            reader.raw("levels")
        dealer = reader.word("first_dealer", [place.value for place in table])
        if dealer is not None and profile is not None and profile.bidding is not None:
            at = f"{path}.first_dealer" if path else "first_dealer"
            reader.findings.append(finding("first_dealer_by_bids", at, profile=profile, topic="bid"))
        reader.done()
        reader.refuse_if_any()
        return cls(levels, None if dealer is None else Place(dealer))

    def to_json(self) -> dict[str, Any]:
        return {"levels": _ranks(self.levels), "first_dealer": text_of(self.first_dealer)}


@dataclass(frozen=True, slots=True)
class IndividualPosition:
    """Where a table stands between two entries; a player who passed the last level stands at None."""

    levels: Mapping[Place, Level | None]
    scores: Mapping[Place, int]
    next_dealer: Place | None

    def to_json(self) -> dict[str, Any]:
        return {
            "levels": _ranks(self.levels),
            "scores": _numbers(self.scores),
            "next_dealer": text_of(self.next_dealer),
        }


@dataclass(frozen=True, slots=True)
class IndividualEntryResult:
    """What one entry did. Dealer, level and bid are as counted; reasons and sentences only when asked for.

    `gains` are what each player got or lost by it, in levels, units or points. `levels_won` is what the level table
    gives each winner, `stopped_at` the levels that cut it. `winners` won the hand: the dealer and the ally, the
    attackers, or whoever took most points.
    """

    kind: str
    before: IndividualPosition
    after: IndividualPosition
    dealer: Place | None = None
    ally: Place | None = None
    level: Level | None = None
    bid: Points | None = None
    total: Total | None = None
    winner_role: Role | None = None
    levels_won: int = 0
    winners: tuple[Place, ...] = ()
    gains: Mapping[Place, int] = field(default_factory=dict)
    stopped_at: Mapping[Place, Level] = field(default_factory=dict)
    passed: tuple[Place, ...] = ()
    finished: bool = False
    discrepancies: tuple[Finding, ...] = ()
    because: tuple[Reason, ...] = ()
    sentence: Text | None = None
    scores_sentence: Text | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "kind": self.kind,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "dealer": text_of(self.dealer),
            "ally": text_of(self.ally),
            "level": text_of(self.level),
            "bid": number_of(self.bid),
            "total": None if self.total is None else self.total.to_json(),
            "winner_role": text_of(self.winner_role),
            "levels_won": self.levels_won,
            "winners": [str(place) for place in self.winners],
            "gains": _numbers(self.gains),
            "stopped_at": _ranks(self.stopped_at),
            "passed": [str(place) for place in self.passed],
            "finished": self.finished,
            "discrepancies": [one.to_json() for one in self.discrepancies],
        }
        if self.sentence is not None:
            assert self.scores_sentence is not None
            data["because"] = [reason.to_json() for reason in self.because]
            data["sentence"] = dict(self.sentence)
            data["scores_sentence"] = dict(self.scores_sentence)
        return data


@dataclass(frozen=True, slots=True)
class IndividualState:
    """The state after a ledger. `levels` are empty where none are kept; those of who passed the last stay at it.

    `scores` are levels gained, units won, or points taken, with penalties. `table_level` is what every hand is played
    at where one level is fixed. `winners` won the table, several when they share it. Annulled hands are not in
    `hands_played`.
    """

    levels: Mapping[Place, Level]
    scores: Mapping[Place, int]
    hands_won: Mapping[Place, int]
    penalties: Mapping[Place, int]
    next_dealer: Place | None
    table_level: Level | None = None
    passed: tuple[Place, ...] = ()
    hands_played: int = 0
    finished: bool = False
    end_reason: str | None = None
    winners: tuple[Place, ...] = ()
    entry_count: int = 0
    entries: tuple[IndividualEntryResult, ...] = ()

    @property
    def contested(self) -> bool:
        """Whether the next deal is settled at the table, by declaring or bidding."""
        return self.next_dealer is None and not self.finished

    @property
    def next_level(self) -> Level | None:
        """The level of the next hand; None where there is none, or while it is open who deals."""
        if not self.levels:
            return self.table_level
        if self.next_dealer is not None:
            return self.levels[self.next_dealer]
        one = set(self.levels.values())
        return one.pop() if len(one) == 1 else None

    @property
    def position(self) -> IndividualPosition:
        levels: Mapping[Place, Level | None] = self.levels
        if self.passed:
            levels = {**levels, **dict.fromkeys(self.passed)}
        return IndividualPosition(levels, self.scores, self.next_dealer)

    def to_json(self) -> dict[str, Any]:
        return {
            **self.position.to_json(),
            "next_level": text_of(self.next_level),
            "contested": self.contested,
            "passed": [str(place) for place in self.passed],
            "hands_played": self.hands_played,
            "hands_won": _numbers(self.hands_won),
            "penalties": _numbers(self.penalties),
            "finished": self.finished,
            "end_reason": self.end_reason,
            "winners": [str(place) for place in self.winners],
            "entries": [entry.to_json() for entry in self.entries],
        }

    def stored(self) -> dict[str, Any]:
        """The state as it is kept: all that `to_json` shows but the entries, and under ``fold`` what else it takes to
        go on from it (`from_stored`)."""
        fold: dict[str, Any] = {"form": STORED_FORM, "entries": self.entry_count}
        if self.table_level is not None:
            fold["table_level"] = str(self.table_level)
        if self.passed:
            fold["levels"] = _ranks(self.levels)
        data = self.to_json()
        del data["entries"]
        return data | {"fold": fold}

    @classmethod
    def from_stored(cls, data: Mapping[str, Any]) -> Self:
        """The state that was `stored`; its entries are empty.

        KeyError, TypeError or ValueError where it was stored in another form.
        """
        fold = data["fold"]
        if fold["form"] != STORED_FORM:
            raise ValueError("another form")
        levels, table_level = fold.get("levels") or data["levels"], fold.get("table_level")
        return cls(
            levels={Place(place): Level(level) for place, level in levels.items()},
            scores=_by_place(data["scores"]),
            hands_won=_by_place(data["hands_won"]),
            penalties=_by_place(data["penalties"]),
            next_dealer=None if data["next_dealer"] is None else Place(data["next_dealer"]),
            table_level=None if table_level is None else Level(table_level),
            passed=tuple(map(Place, data["passed"])),
            hands_played=data["hands_played"],
            finished=data["finished"],
            end_reason=data["end_reason"],
            winners=tuple(map(Place, data["winners"])),
            entry_count=fold["entries"],
        )


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """What a table came to for one player: score, final level (None where none are kept), hands won, penalties."""

    place: Place
    score: Fraction
    level: Level | None
    passed: bool
    hands_won: int
    penalties: int
    winner: bool

    @property
    def level_text(self) -> str | None:
        """The final level as standings take it: a rank, or `passed`."""
        return PASSED if self.passed else text_of(self.level)

    def to_json(self) -> dict[str, Any]:
        return {
            "place": str(self.place),
            "score": exact(self.score),
            "level": self.level_text,
            "hands_won": self.hands_won,
            "penalties": self.penalties,
            "winner": self.winner,
        }


def _by_place(rows: Mapping[str, int]) -> dict[Place, int]:
    return {Place(place): value for place, value in rows.items()}


def _numbers(rows: Mapping[Place, int]) -> dict[str, int]:
    return {str(place): value for place, value in rows.items()}


def _ranks(levels: Mapping[Place, Level | None]) -> dict[str, str | None]:
    return {str(place): text_of(level) for place, level in levels.items()}
