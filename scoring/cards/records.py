"""The hand notation (牌谱): a text of one hand that people can read and programs can replay.

    [profile "id of the rules"]
    [level "7"]
    [dealer "S"]
    [trump "H"]

    deal
    N S2S3H4...
    kitty D5H10...

    auction
    S declare H7
    E counter S7S7
    S take_kitty
    S bury D3D4C5H5H10C2C3D6

    play
    1. S:H8H8 E:H9H9 N:H2H3 W:HAHA
    2. W:C8C8CJCQCK>CJ S:C3 E:?? N:CA    {ruling:throw_failed five cards}

    result
    captured 55
    total 105

Sections may be left out, and so may any seat of the deal: what is unknown is not written, and `?` stands for one card
that nobody saw. A leader declares how a throw is meant with `+` between its parts; `>` parts a throw that failed from
the cards that were forced. `=S` after the cards of an act names a suit. A file may hold many hands: a tag after
anything but a tag begins the next one. `{...}` is a comment; one that begins with `ruling:code` is a ruling.

In games of single players (the tag `profile` comes first and says so) places `1` to `5` stand for the seats, `levels`
are those of all places in turn, and three acts come before play: `1 bid 115`, `1 name =H`, and `3 call SA#2` for
whoever plays the second ace of spades.

`scoring.cards.record_reading.parse(write(hand)) == (hand,)`: what is printed is read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from scoring.hands.findings import Finding
from scoring.values import Card, Place, Player, Seat, Text, Trump

SECTIONS: Final = ("deal", "auction", "play", "result")
ACTS: Final = ("declare", "reinforce", "counter", "pass", "take_kitty", "bury", "flip", "name", "rebel")
#: What single players do besides.
SINGLE_ACTS: Final = (*ACTS, "bid", "call")
#: What a result line may state: whole numbers, points or levels.
FIGURES: Final = ("captured", "kitty", "factor", "fines", "last_trick", "adjustments", "total", "levels")
WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"winner": ("dealer", "attackers"), "last": ("dealer", "attackers"), "next": tuple(Seat)}
)
TAGS: Final[Mapping[str, tuple[str, ...] | None]] = MappingProxyType(
    {
        "profile": None,
        "set": None,
        "event": None,
        "date": None,
        "round": None,
        "board": None,
        "table": None,
        "hand": None,
        "north": None,
        "west": None,
        "south": None,
        "east": None,
        "level": None,
        "ns_level": None,
        "ew_level": None,
        "dealer": tuple(Seat),
        "leader": tuple(Seat),
        "first_drawer": tuple(Seat),
        "trump": tuple(Trump),
        "fixed_trump": tuple(Trump),
        "line": None,
    }
)

#: The same of single players: what each took in tricks, where everybody plays for himself, and the ally who was found.
SINGLE_FIGURES: Final = (*FIGURES, "bid", *(f"taken_{place}" for place in Place))
SINGLE_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"winner": ("dealer", "attackers"), "last": ("dealer", "attackers", *Place), "ally": tuple(Place)}
)
SINGLE_TAGS: Final[Mapping[str, tuple[str, ...] | None]] = MappingProxyType(
    {
        **{name: TAGS[name] for name in ("profile", "set", "event", "date", "round", "table", "hand")},
        **{name: TAGS[name] for name in ("level", "trump")},
        "levels": None,
        **{f"player_{place}": None for place in Place},
    }
)
#: The tags that name a player.
PLAYER_TAGS: Final = ("dealer", "leader", "first_drawer")


@dataclass(frozen=True, slots=True)
class TextPosition:
    """Where something stands in the text: line and column, from 1. Two records are equal wherever they stand."""

    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


#: One card as written; None is a card that nobody saw.
Seen = Card | None


@dataclass(frozen=True, slots=True)
class Play:
    """What one player put on the table.

    `cards` are the cards attempted, `parts` their numbers as the leader declared them (empty: not declared), `forced`
    what stayed on the table after a failed throw (None: nothing failed).
    """

    seat: Player
    cards: tuple[Seen, ...]
    parts: tuple[int, ...] = ()
    forced: tuple[Seen, ...] | None = None
    place: TextPosition = TextPosition()

    @property
    def laid(self) -> tuple[Seen, ...]:
        """The cards that stayed on the table."""
        return self.cards if self.forced is None else self.forced


@dataclass(frozen=True, slots=True)
class TrickRecord:
    """The plays of one trick in the order they were made."""

    number: int
    plays: tuple[Play, ...]
    place: TextPosition = TextPosition()


@dataclass(frozen=True, slots=True)
class ActRecord:
    """One act before play: who (None: nobody, as in a flip), what, the cards shown and the suit named.

    `number` are the points of a bid, or the copy of a card that is called.
    """

    by: Player | None
    act: str
    cards: tuple[Seen, ...] = ()
    names: Trump | None = None
    number: int | None = None
    place: TextPosition = TextPosition()

    def to_json(self) -> dict[str, object]:
        data: dict[str, object] = {"act": self.act, "cards": [card_text(card) for card in self.cards]}
        if self.by is not None:
            data["by"] = self.by.value
        if self.names is not None:
            data["names"] = self.names.value
        if self.number is not None:
            data["number"] = self.number
        return data


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark after the first `after` items of a section ("tags", "deal", …); `code` when it is a ruling."""

    section: str
    after: int
    text: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand as recorded. Whatever is missing was not recorded.

    `deal` holds the cards of a seat before the kitty was taken, `kitty` the cards that were left. `result` states what
    the table wrote down: figures by name (points, levels) and words.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    deal: Mapping[Player, tuple[Seen, ...]] = field(default_factory=dict)
    kitty: tuple[Seen, ...] | None = None
    acts: tuple[ActRecord, ...] = ()
    tricks: tuple[TrickRecord, ...] = ()
    result: Mapping[str, int | str] = field(default_factory=dict)
    comments: tuple[Comment, ...] = ()
    place: TextPosition = TextPosition()


def card_text(card: Seen) -> str:
    """The text of a card, `?` for one that nobody saw."""
    return "?" if card is None else str(card)


def cards_text(cards: Iterable[Seen]) -> str:
    return "".join(map(card_text, cards))


def problem(
    code: str, place: TextPosition, en: str, zh: str, *, blocking: bool = True, clause: str | None = None
) -> Finding:
    """A finding at a place of the text."""
    return Finding(
        code=code,
        field=f"record:{place}",
        blocking=blocking,
        clause=clause,
        message={
            "en": f"Line {place.line}, column {place.column}: {en}",
            "zh": f"第 {place.line} 行第 {place.column} 列：{zh}",
        },
        params=MappingProxyType({"line": place.line, "column": place.column}),
    )


def write(hand: HandRecord) -> str:
    """The hand in the notation, canonically: `parse` reads it back to an equal record."""
    return "\n".join(_lines(hand)) + "\n"


def write_all(hands: Iterable[HandRecord]) -> str:
    """Many hands in one text."""
    return "\n".join(map(write, hands))


def _lines(hand: HandRecord) -> Iterator[str]:
    for name in sorted(hand.tags, key=(*TAGS, *SINGLE_TAGS).index):
        value = hand.tags[name].replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{value}"]'
    sections: dict[str, list[str]] = {
        "tags": [],
        "deal": [f"{seat} {cards_text(cards)}".rstrip() for seat, cards in hand.deal.items()],
        "auction": [_act_line(act) for act in hand.acts],
        "play": [_trick_line(trick) for trick in hand.tricks],
        "result": [f"{name} {value}" for name, value in hand.result.items()],
    }
    if hand.kitty is not None:
        sections["deal"].append(f"kitty {cards_text(hand.kitty)}".rstrip())
    for name, rows in sections.items():
        remarks = [comment for comment in hand.comments if comment.section == name]
        if not rows and not remarks:
            continue
        if name != "tags":
            yield ""
            yield name
        for done in range(len(rows) + 1):
            if done:
                yield rows[done - 1]
            yield from (_comment_line(one) for one in remarks if min(one.after, len(rows)) == done)


def _act_line(act: ActRecord) -> str:
    shown = cards_text(act.cards) + (f"={act.names}" if act.names is not None else "")
    if act.number is not None:
        shown += f"#{act.number}" if act.cards else str(act.number)
    return f"{act.by or '-'} {act.act} {shown}".rstrip()


def _trick_line(trick: TrickRecord) -> str:
    return f"{trick.number}. " + " ".join(_play_text(play) for play in trick.plays)


def _play_text(play: Play) -> str:
    if play.parts:
        edges = [sum(play.parts[:i]) for i in range(len(play.parts) + 1)]
        cards = "+".join(cards_text(play.cards[low:high]) for low, high in pairwise(edges))
    else:
        cards = cards_text(play.cards)
    return f"{play.seat}:{cards}" + ("" if play.forced is None else f">{cards_text(play.forced)}")


def _comment_line(comment: Comment) -> str:
    head = "" if comment.code is None else f"ruling:{comment.code} "
    return "{" + (head + comment.text).rstrip() + "}"


def told(hand: HandRecord, players: tuple[Player, ...] = tuple(Seat)) -> Mapping[str, Text]:
    """What the record does not tell, by part: what a replay can therefore not judge."""
    missing: dict[str, Text] = {}
    if len(hand.deal) < len(players):
        seats = " ".join(player for player in players if player not in hand.deal)
        missing["deal"] = {"en": f"The cards of {seats} are not recorded.", "zh": f"没有记录 {seats} 的手牌。"}
    if hand.kitty is None:
        missing["kitty"] = {"en": "The kitty is not recorded.", "zh": "没有记录底牌。"}
    if not any(act.act == "bury" for act in hand.acts):
        missing["burial"] = {"en": "The burial is not recorded.", "zh": "没有记录扣底。"}
    return missing
