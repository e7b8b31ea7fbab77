"""Reading the hand notation (records.py): every hand of a text, or every problem with its line and column."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final, cast

from scoring.cards.records import (
    ACTS,
    FIGURES,
    PLAYER_TAGS,
    SECTIONS,
    SINGLE_ACTS,
    SINGLE_FIGURES,
    SINGLE_TAGS,
    SINGLE_WORDS,
    TAGS,
    WORDS,
    ActRecord,
    Comment,
    HandRecord,
    Play,
    Seen,
    TextPosition,
    TrickRecord,
    problem,
)
from scoring.hands.findings import Finding, Refused
from scoring.profiles import Profile, individual_ids, load
from scoring.values import Card, Place, Player, Seat, Trump

#: A text longer than this is no record of hands.
MOST_CHARACTERS: Final = 2_000_000
MOST_PROBLEMS: Final = 100

_CARD = re.compile(r"J[SB]|[SHCD](?:10|[2-9JQKA])|\?")
_TAG = re.compile(r'\s*\[\s*([A-Za-z_]+[0-9]?)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_WORD = re.compile(r"\{|[^\s{]+")
_TRICK = re.compile(r"(\d{1,3})\.", re.ASCII)
_NUMBER = re.compile(r"[-\u2212]?\d{1,18}", re.ASCII)
_NAME = re.compile(r"[a-z_]{1,40}", re.ASCII)
#: Where a problem of the whole text stands.
_START: Final = TextPosition(1, 1)


def parse(text: object, profile: Profile | None = None) -> tuple[HandRecord, ...]:
    """Every hand of a text, in order; Refused with all problems, each with line and column.

    `profile` says who sits at the table; without it the tags of each hand do.
    """
    if not isinstance(text, str):
        raise Refused([problem("wrong_type", _START, "A record is a text.", "牌谱应是一段文字。")])
    if len(text) > MOST_CHARACTERS:
        raise Refused([problem("too_large", _START, "The text is too long.", "文字太长。")])
    reader = _Reader(profile)
    reader.read(text)
    if not reader.problems and not reader.hands:
        reader.note("empty_record", _START, "There is no hand in it.", "里面没有一副牌。")
    if reader.problems:
        raise Refused(reader.problems[:MOST_PROBLEMS])
    return tuple(reader.hands)


@dataclass(slots=True)
class _Open:
    """The hand being read."""

    place: TextPosition
    players: tuple[Player, ...]
    section: str = "tags"
    tags: dict[str, str] = field(default_factory=dict)
    deal: dict[Player, list[Seen]] = field(default_factory=dict)
    kitty: list[Seen] | None = None
    acts: list[ActRecord] = field(default_factory=list)
    tricks: list[TrickRecord] = field(default_factory=list)
    result: dict[str, int | str] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)

    @property
    def single(self) -> bool:
        """Whether single players sit at this table."""
        return self.players[0] is Place.P1

    def player(self, word: str) -> Player | None:
        """The player of this table whom a word names."""
        return next((player for player in self.players if player == word), None)

    @property
    def items(self) -> int:
        holders = len(self.deal) + (self.kitty is not None)
        counts = {"tags": len(self.tags), "deal": holders, "auction": len(self.acts), "play": len(self.tricks)}
        return counts.get(self.section, len(self.result))

    def closed(self) -> HandRecord:
        return HandRecord(
            tags=self.tags,
            deal={seat: tuple(cards) for seat, cards in self.deal.items()},
            kitty=None if self.kitty is None else tuple(self.kitty),
            acts=tuple(self.acts),
            tricks=tuple(self.tricks),
            result=self.result,
            comments=tuple(self.comments),
            place=self.place,
        )


class _Reader:
    def __init__(self, profile: Profile | None) -> None:
        self._profile = profile
        self.hands: list[HandRecord] = []
        self.problems: list[Finding] = []
        self._hand: _Open | None = None
        #: what a card or play without a holder of its own belongs to
        self._holder: Player | str | None = None

    def note(self, code: str, place: TextPosition, en: str, zh: str) -> None:
        self.problems.append(problem(code, place, en, zh))

    def read(self, text: str) -> None:
        comment: list[str] | None = None
        opened = TextPosition()
        for number, line in enumerate(text.splitlines(), 1):
            if comment is None and (tag := _TAG.fullmatch(line)) is not None:
                self._tag(tag[1].lower(), _unquoted(tag[2]), TextPosition(number, line.index("[") + 1))
                continue
            at = 0
            while True:
                if comment is not None:
                    end = line.find("}", at)
                    comment.append(line[at:] if end < 0 else line[at:end])
                    if end < 0:
                        break
                    self._comment(" ".join(" ".join(comment).split()), opened)
                    comment, at = None, end + 1
                    continue
                match = _WORD.search(line, at)
                if match is None:
                    break
                at = match.end()
                if match[0] == "{":
                    comment, opened = [], TextPosition(number, match.start() + 1)
                else:
                    self._word(match[0], TextPosition(number, match.start() + 1))
        if comment is not None:
            self.note("comment_open", opened, "This comment has no end.", "这条注释没有结束。")
        self._close()

    def _close(self) -> None:
        if self._hand is not None:
            self.hands.append(self._hand.closed())
        self._hand = self._holder = None

    def _open(self, place: TextPosition) -> _Open:
        if self._hand is None:
            self._hand = _Open(place, tuple(Seat) if self._profile is None else self._profile.seats)
        return self._hand

    def _tag(self, name: str, value: str, place: TextPosition) -> None:
        if self._hand is not None and self._hand.section != "tags":
            self._close()
        hand = self._open(place)
        known = SINGLE_TAGS if hand.single else TAGS
        if name == "profile" and self._profile is None and value in individual_ids():
            hand.players = load(value, individual=True).seats
        if name in PLAYER_TAGS and hand.single:
            known = {name: hand.players}
        if name not in known:
            self.note("tag_unknown", place, f"There is no tag {name}.", f"没有 {name} 这个标签。")
        elif name in hand.tags:
            self.note("tag_twice", place, f"The tag {name} is there twice.", f"标签 {name} 写了两次。")
        elif (choices := known[name]) is not None and value not in choices:
            words = ", ".join(choices)
            self.note("tag_value", place, f"The tag {name} is one of {words}.", f"标签 {name} 应为 {words} 之一。")
        else:
            hand.tags[name] = value

    def _comment(self, text: str, place: TextPosition) -> None:
        hand = self._open(place)
        head, _, rest = text.partition(" ")
        if head.startswith("ruling:") and _NAME.fullmatch(head[7:]):
            hand.comments.append(Comment(hand.section, hand.items, rest, head[7:]))
        else:
            hand.comments.append(Comment(hand.section, hand.items, text))

    def _word(self, word: str, place: TextPosition) -> None:
        hand = self._open(place)
        if word in SECTIONS:
            if hand.section != "tags" and SECTIONS.index(word) <= SECTIONS.index(hand.section):
                self.note("section_order", place, f"{word} comes too late or twice.", f"{word} 重复或次序不对。")
            hand.section, self._holder = word, None
            return
        if hand.section == "tags":
            self.note(
                "unreadable", place, f"{word[:20]} is no tag and no section.", f"{word[:20]} 不是标签，也不是段落名。"
            )
        elif hand.section == "deal":
            self._deal(hand, word, place)
        elif hand.section == "auction":
            self._auction(hand, word, place)
        elif hand.section == "play":
            self._play(hand, word, place)
        else:
            self._result(hand, word, place)

    def _deal(self, hand: _Open, word: str, place: TextPosition) -> None:
        player = hand.player(word)
        if player is not None or word == "kitty":
            taken = hand.kitty is not None if player is None else player in hand.deal
            if taken:
                self.note("holder_twice", place, f"{word} is dealt twice.", f"{word} 的牌写了两次。")
            elif player is None:
                hand.kitty = []
            else:
                hand.deal[player] = []
            self._holder = word if player is None else player
            return
        cards = self._cards(word, place)
        if self._holder is None:
            self.note("holder_missing", place, "Whose cards are these?", "没有写明是谁的牌。")
        elif self._holder == "kitty":
            assert hand.kitty is not None
            hand.kitty += cards
        else:
            hand.deal[cast(Player, self._holder)] += cards

    def _auction(self, hand: _Open, word: str, place: TextPosition) -> None:
        player = hand.player(word)
        if hand.single and self._holder is None and self._bids(hand, word):
            return
        if player is not None or word == "-":
            if self._holder is not None:
                self.note("act_missing", place, "The act before has no word.", "前一项没有写做了什么。")
            self._holder = word if player is None else player
        elif word in (SINGLE_ACTS if hand.single else ACTS):
            if self._holder is None:
                self.note("holder_missing", place, f"Who did this: {word}?", f"没有写明是谁：{word}。")
            by = None if self._holder in (None, "-") else cast(Player, self._holder)
            hand.acts.append(ActRecord(by, word, place=place))
            self._holder = None
        elif self._holder is not None or not hand.acts:
            self.note("unreadable", place, f"{word[:20]} is no act.", f"{word[:20]} 不是叫牌的动作。")
        else:
            hand.acts[-1] = self._shown(hand.acts[-1], word, place)

    def _bids(self, hand: _Open, word: str) -> bool:
        """Whether a word is the points of the bid before it."""
        if not hand.acts or hand.acts[-1].act != "bid" or hand.acts[-1].number is not None or not word.isascii():
            return False
        if not word.isdecimal() or len(word) > 4:
            return False
        hand.acts[-1] = replace(hand.acts[-1], number=int(word))
        return True

    def _shown(self, act: ActRecord, word: str, place: TextPosition) -> ActRecord:
        """An act with the cards or the suit of one more word."""
        text, named, suit = word.partition("=")
        names, number = act.names, act.number
        if act.act == "call":
            text, copies, copy = text.partition("#")
            if copy in ("1", "2", "3", "4"):
                number = int(copy)
            elif copies:
                self.note("copy_unknown", place, f"{copy[:10]} is no number of a copy.", f"{copy[:10]} 不是第几张。")
        if named:
            if suit in tuple(Trump):
                names = Trump(suit)
            else:
                self.note("suit_unknown", place, f"{suit[:10]} is no suit.", f"{suit[:10]} 不是花色。")
        cards = self._cards(text, place) if text else []
        return ActRecord(act.by, act.act, act.cards + tuple(cards), names, number, act.place)

    def _play(self, hand: _Open, word: str, place: TextPosition) -> None:
        if (number := _TRICK.fullmatch(word)) is not None:
            due = len(hand.tricks) + 1
            if int(number[1]) != due:
                self.note("trick_number", place, f"Trick {due} is due here.", f"此处应是第 {due} 圈。")
            hand.tricks.append(TrickRecord(due, (), place))
            return
        name, colon, text = word.partition(":")
        seat = hand.player(name)
        if not colon or seat is None:
            self.note("play_unreadable", place, f"{word[:20]} is no play.", f"{word[:20]} 不是一手牌。")
            return
        if not hand.tricks:
            self.note("trick_missing", place, "A trick begins with its number.", "每圈先写圈号。")
            return
        trick = hand.tricks[-1]
        if any(play.seat == seat for play in trick.plays):
            self.note("seat_twice", place, f"{seat} played to this trick before.", f"{seat} 本圈已经出过牌。")
            return
        play = self._one_play(seat, text, place)
        hand.tricks[-1] = TrickRecord(trick.number, (*trick.plays, play), trick.place)

    def _one_play(self, seat: Player, text: str, place: TextPosition) -> Play:
        thrown, failed, kept = text.partition(">")
        at = place.column + len(seat) + 1
        parts: list[int] = []
        cards: list[Seen] = []
        for part in thrown.split("+"):
            found = self._cards(part, TextPosition(place.line, at))
            cards += found
            parts.append(len(found))
            at += len(part) + 1
        if not thrown:
            self.note("play_empty", place, "No cards are written.", "没有写牌。")
        forced = tuple(self._cards(kept, TextPosition(place.line, at))) if failed else None
        return Play(seat, tuple(cards), tuple(parts) if len(parts) > 1 else (), forced, place)

    def _result(self, hand: _Open, word: str, place: TextPosition) -> None:
        figures, words = (SINGLE_FIGURES, SINGLE_WORDS) if hand.single else (FIGURES, WORDS)
        if self._holder is None:
            if word not in figures and word not in words:
                self.note(
                    "figure_unknown", place, f"{word[:20]} is no figure of a result.", f"{word[:20]} 不是结果项。"
                )
            elif word in hand.result:
                self.note("figure_twice", place, f"{word} is there twice.", f"{word} 写了两次。")
            self._holder = word
            return
        name, self._holder = str(self._holder), None
        if name in words and word in words[name]:
            hand.result[name] = word
        elif name in figures and _NUMBER.fullmatch(word):
            hand.result[name] = int(word.replace("\u2212", "-"))
        elif name in figures or name in words:
            self.note("figure_value", place, f"{word[:20]} is no value of {name}.", f"{name} 不能是 {word[:20]}。")

    def _cards(self, text: str, place: TextPosition) -> list[Seen]:
        cards: list[Seen] = []
        at = 0
        while at < len(text):
            match = _CARD.match(text, at)
            if match is None:
                spot = TextPosition(place.line, place.column + at)
                self.note("card_unknown", spot, f"{text[at : at + 6]} is no card.", f"{text[at : at + 6]} 不是牌。")
                return cards
            cards.append(None if match[0] == "?" else Card.parse(match[0]))
            at = match.end()
        return cards


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
