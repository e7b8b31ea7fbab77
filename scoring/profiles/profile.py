"""A profile (规则): a named, versioned, immutable set of rules with its clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.ladder import Ladder
from scoring.profiles.kitty import SCHEMES, Factor
from scoring.profiles.level_table import Band, LevelTable
from scoring.values import FLAG, Level, Place, Player, Points, Seat, Shape, Text


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule (条款): its id, its text, where it comes from and whether the source states it.

    source: {"title", "section", "items"} with inventory items; params: option values the text speaks of; `stated`
    False marks a default by analogy.
    """

    id: str
    topic: str
    text: Text
    source: Mapping[str, Any]
    params: Mapping[str, Any]
    stated: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "text": dict(self.text),
            "source": dict(self.source),
            "params": dict(self.params),
            "stated": self.stated,
        }

    def rule_json(self) -> dict[str, Any]:
        """What of it a digest counts: all but its words, which may be put better without becoming another rule."""
        return {name: value for name, value in self.to_json().items() if name != "text"}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a clause that decided, and the amount it gave, if any (points or levels, signed)."""

    clause: Clause
    amount: int | None = None

    def to_json(self) -> dict[str, Any]:
        reason: dict[str, Any] = {"clause": self.clause.id, "text": dict(self.clause.text)}
        if self.amount is not None:
            reason["amount"] = self.amount
        return reason


_SEATS, _PLACES = tuple(Seat), tuple(Place)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Options carry the names of their data files; points are whole card points, levels are ladder steps.

    `game` is `two_teams`, or `individual` where every player has results of his own; `division` says who plays with
    whom in one hand, `stake` what each attacker wins or loses against a lone dealer.

    `about` says in a sentence what the profile is for, `family` whose rules they are (guide, national, online,
    encyclopedia, regional, single): neither is a rule, so neither is in the digest.

    Two profiles are equal when their digests are. The words of a clause are in no digest; `earlier_digests` are those
    that these same rules had while they were.
    """

    id: str
    game: str
    version: int
    title: Text
    family: str
    about: Text
    digest: str
    earlier_digests: frozenset[str]
    clauses: Mapping[str, Clause]
    topics: Mapping[str, Clause]
    options: Mapping[str, Any]
    changed: Mapping[str, Any]

    decks: int
    players: int
    division: str
    stake: int | None
    deal_sizes: Mapping[int, tuple[int, int]]
    own_line: str
    table: LevelTable
    flag_table: LevelTable
    win_names: Mapping[str, tuple[int, int]]
    ladder: Ladder
    kitty_scheme: str
    kitty_pattern: str
    dig_trump_only: bool
    dig_single_x1: bool
    permanent_ranks: tuple[str, ...]
    last_trick: str
    level_jumps: tuple[str, ...]
    bidding: Mapping[str, int] | None
    jokers_worth: int
    coins_per_counter: int | None
    coins_throw_share: int | None
    dark_bid_fine: int
    flag_line: int | None
    flag_failures: int
    tractors: bool
    tractor_level_joker: bool
    tractor_nt_level_joker: bool
    hollow_tractors: bool
    broken_joints: tuple[str, ...]
    short_joints: tuple[str, ...]
    shape_510k: bool
    parse: str
    must_follow_pair: bool
    follow_order: str
    longer_tuples: str
    tractor_from_throw: bool
    shorter_run_owed: bool
    ruff_shape: str
    throw_compare: str
    throw_checked_against: str
    forced_small: str
    throw_mixed: bool
    throws_allowed: bool
    throw_fine: int
    throw_fine_per: str
    hook_levels: tuple[Level, ...]
    hook_card: str
    hook_needs_takeover: bool
    hook_limit: int | None
    no_trump_allowed: bool
    joker_declare: str
    hidden_declare: bool
    declare_no_trump: bool
    declare_order: str
    no_declare: str
    no_declare_first: str
    flip_any_joker: bool
    counter_ranks: tuple[str, ...]
    counter_suit_order: tuple[str, ...]
    joker_counter_final: bool
    counter_while_drawing: bool
    early_counter: bool
    late_counter: bool
    first_hand_late_counter: bool
    self_protect: str
    reinforced_blocks: str
    look_back: bool
    dark_bids: bool
    rebellion: bool
    rebellion_points: int
    rebellion_trumps: int
    timed_tie: str

    def is_known_as(self, digest: str) -> bool:
        """Whether a record that holds this digest was kept under these rules, whatever their words were then."""
        return digest == self.digest or digest in self.earlier_digests

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Profile {self.id} {self.digest[:8]}>"

    @property
    def threshold(self) -> Points:
        """Points with which the attackers take the deal."""
        return Points(self.table.threshold)

    @property
    def step(self) -> Points:
        return Points(self.table.step)

    @property
    def dealer_sets_line(self) -> bool:
        """Whether a dealer may set the points that take the deal, in this hand alone (庄家自定上台分数)."""
        return self.decks == 1 and self.division == "sides" and self.own_line != "none"

    @property
    def negative_total(self) -> str:
        return self.table.negative_total

    @property
    def score_cap(self) -> int | None:
        return self.table.score_cap

    @property
    def score_floor(self) -> int | None:
        return self.table.score_floor

    @property
    def levels_cap(self) -> int | None:
        return self.table.levels_cap

    @property
    def must_play(self) -> tuple[Level, ...]:
        return self.ladder.must_play

    @property
    def must_mode(self) -> str:
        return self.ladder.must_mode

    @property
    def finish(self) -> str:
        return self.ladder.finish

    @property
    def pass_a(self) -> str:
        return self.ladder.pass_a

    @property
    def hand_cards(self) -> int:
        return self.deal_sizes[self.decks][0]

    @property
    def kitty_cards(self) -> int:
        return self.deal_sizes[self.decks][1]

    def table_at(self, level: Level | None) -> LevelTable:
        """The level table of a hand at that level (None: any but the flag)."""
        return self.flag_table if self.flag_line is not None and level == FLAG else self.table

    @property
    def seats(self) -> tuple[Player, ...]:
        """Who sits at a table, in turn: the four seats of two sides, or the places of single players."""
        return _PLACES[: self.players] if self.game == "individual" else _SEATS

    def deal_at(self, level: Level | None) -> tuple[int, int]:
        """Cards in hand and in the kitty at that level (None: any but the flag); at the flag all cards are dealt."""
        return (54 * self.decks // 4, 0) if level == FLAG else (self.hand_cards, self.kitty_cards)

    @property
    def points_max(self) -> Points:
        """All card points of the decks."""
        return Points((100 + 2 * self.jokers_worth) * self.decks)

    @property
    def kitty_max(self) -> Points:
        """The most points the kitty can hold: tens and kings first, then fives."""
        jokers = 2 * self.decks
        tens = min(self.kitty_cards, 8 * self.decks + (jokers if self.jokers_worth == 10 else 0))
        fives = min(self.kitty_cards - tens, 4 * self.decks + (jokers if self.jokers_worth == 5 else 0))
        return Points(10 * tens + 5 * fives)

    def spec(self) -> Any:
        """JSON that `build` turns into this profile again."""
        return self.id if not self.changed else {"base": self.id, "set": dict(self.changed)}

    def bands(self, low: int, high: int, level: Level | None = None) -> tuple[Band, ...]:
        """Bands of totals that tile `low` to `high` in steps of 5 (both multiples of 5), for the ruler of a level."""
        return self.table_at(level).bands(low, high)

    def kitty_factor(self, shapes: Sequence[Shape]) -> Factor:
        """The multiplier for the deciding cards of the last trick (at least one shape)."""
        if self.last_trick != "kitty":
            return Factor(sum(shape.cards for shape in shapes), "last_trick")
        factor, single = SCHEMES[self.kitty_scheme].decide(shapes), Shape(1)
        if self.dig_single_x1 and (factor.shape == single or tuple(shapes) == (single,)):
            return Factor(1, "kitty.single", single)
        return factor

    def cite(self, topic: str, amount: int | None = None) -> tuple[Reason, ...]:
        """The clause on a topic as a reason; empty where the profile has none."""
        clause = self.topics.get(topic)
        return () if clause is None else (Reason(clause, amount),)
