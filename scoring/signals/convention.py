"""The signal card (信号约定卡) of a side, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile
from scoring.signals.clauses import clause_id
from scoring.values import RANKS, Level

#: What an indirect signal may be shown by: cards and their order, nothing else.
CHANNELS = ("trump_rank", "side_rank", "level_card_led", "card_order", "follow_order")
TOPICS = ("jokers", "clear_trumps", "void", "trump_pairs", "control", "big_pair", "other")
FILED = ("before_play", "after_start")
POINT_RANKS = frozenset(("5", "10", "K"))


@dataclass(frozen=True, slots=True)
class Indirect:
    """One indirect signal: what it is about, by what it is shown, and what it means in the words of the side.

    `instead` says which rank takes over where the first is the level.
    """

    topic: str
    by: str
    ranks: tuple[str, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class SignalCard:
    """What a side has agreed: the ranks of its direct signal (any number, also none) and its indirect signals."""

    direct: tuple[str, ...]
    indirect: tuple[Indirect, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    open: bool = True


@dataclass(frozen=True, slots=True)
class SignalRules:
    """What an event asks: a card `required` before play, or the ranks `prescribed` for all (None: free)."""

    required: bool = False
    prescribed: tuple[str, ...] | None = None


def check_card(card: SignalCard | None, rules: SignalRules, filed: str | None = None) -> tuple[Finding, ...]:
    """What is wrong with a card; `filed` says when it was handed in (None: not)."""
    found: list[Finding] = []
    if card is not None:
        found += _check_ranks(card.direct)
        if rules.prescribed is not None and set(card.direct) != set(rules.prescribed):
            words = {"ranks": " ".join(rules.prescribed)}
            found.append(_told("not_the_prescribed_system", "card.direct", "card", **words))
    if rules.required and (filed is None or card is None):
        found.append(_told("not_filed", "filed", "card"))
    elif rules.required and filed == "after_start":
        found.append(_told("filed_late", "filed", "card"))
    if card is not None:
        if not card.open:
            found.append(_told("not_open", "card.open", "open"))
        for number, line in enumerate(card.indirect):
            if line.by not in CHANNELS:
                found.append(_told("illegal_channel", f"card.indirect[{number}].by", "information"))
    return tuple(found)


def _check_ranks(direct: Sequence[str]) -> list[Finding]:
    at, found = "card.direct", list[Finding]()
    wrong = [rank for rank in direct if rank not in RANKS]
    if wrong:
        found.append(_told("unknown_rank", at, "ranks", value=", ".join(wrong)))
    if len(set(direct)) < len(direct):
        again = sorted({rank for rank in direct if direct.count(rank) > 1})
        found.append(_told("twice", at, "ranks", value=", ".join(again)))
    points = [rank for rank in direct if rank in POINT_RANKS]
    if points:
        found.append(_told("point_card", at, "no_points", ranks=", ".join(points)))
    return found


def _told(code: str, at: str, topic: str, **words: str) -> Finding:
    return replace(finding(code, at, **words), clause=clause_id(topic))  # type: ignore[arg-type]


def usable(profile: Profile, card: SignalCard, level: Level | None) -> tuple[str, ...]:
    """The direct ranks that can be side cards at this level; one that is the level gives way to what the card names."""
    ranks = []
    for rank in card.direct:
        if level is not None and rank == level.rank:
            rank = card.instead.get(rank, rank)
        if (level is None or rank != level.rank) and rank not in profile.permanent_ranks and rank not in ranks:
            ranks.append(rank)
    return tuple(ranks)
