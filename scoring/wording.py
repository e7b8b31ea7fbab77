"""The kernel's own words in both languages. Profile clauses carry their texts themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Self

from scoring.values import Card, Level, Place, Player, Seat, Shape, Side, Text, Trump

MINUS = "\u2212"

SEATS: Mapping[Seat, Text] = {
    Seat.N: {"en": "North", "zh": "北"},
    Seat.W: {"en": "West", "zh": "西"},
    Seat.S: {"en": "South", "zh": "南"},
    Seat.E: {"en": "East", "zh": "东"},
}
SIDES: Mapping[Side, Text] = {Side.NS: {"en": "N–S", "zh": "南北方"}, Side.EW: {"en": "E–W", "zh": "东西方"}}

#: Trump suits, and no-trump.
TRUMPS: Mapping[Trump, Text] = {
    Trump.S: {"en": "spades", "zh": "黑桃"},
    Trump.H: {"en": "hearts", "zh": "红桃"},
    Trump.C: {"en": "clubs", "zh": "梅花"},
    Trump.D: {"en": "diamonds", "zh": "方块"},
    Trump.NT: {"en": "no trump", "zh": "无主"},
}

PLACES: Mapping[Place, Text] = {place: {"en": f"seat {place}", "zh": f"{place} 号位"} for place in Place}
#: Whoever plays, as sentences of play name them: in Chinese before 家.
PLAYERS: Mapping[Player, Text] = dict[Player, Text](SEATS.items()) | {
    place: {"en": f"Seat {place}", "zh": f"{place} 号"} for place in Place
}

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS_ZH = ("零", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十")


@dataclass(frozen=True, slots=True)
class Lines:
    """A piece of a sentence in both languages; pieces add up."""

    en: str
    zh: str

    @classmethod
    def same(cls, words: str) -> Self:
        return cls(words, words)

    @classmethod
    def of(cls, words: str | Text) -> Self:
        return cls(words, words) if isinstance(words, str) else cls(words["en"], words["zh"])

    def __add__(self, other: Lines) -> Lines:
        return Lines(self.en + other.en, self.zh + other.zh)

    def text(self) -> Text:
        return {"en": self.en, "zh": self.zh}


def whole(amount: int) -> str:
    """A whole number as sentences write it: a loss with a minus sign, a gain with none."""
    return f"{MINUS if amount < 0 else ''}{abs(amount)}"


def number(count: int, *, capital: bool = False) -> Text:
    """A small count in words."""
    en = _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)
    zh = _NUMBERS_ZH[count] if 0 <= count < len(_NUMBERS_ZH) else str(count)
    return {"en": en.capitalize() if capital else en, "zh": zh}


def decks(count: int) -> Text:
    return {
        "en": f"{number(count, capital=True)['en']} deck{' holds' if count == 1 else 's hold'}",
        "zh": f"{number(count)['zh']}副牌",
    }


def shape_name(shape: Shape) -> Text:
    """A shape as the sentences name it: a pair, a 13-pair tractor."""
    if shape.type == "510K":
        return {"en": "510K", "zh": "510K"}
    if shape.length >= 10**6:
        return shown(shape.length)
    if shape.length > 1:
        many = {2: "pair", 3: "triple", 4: "quad"}[shape.width]
        unit, word = {2: ("对", "连对"), 3: ("刻", "连刻"), 4: ("组四张", "连四张")}[shape.width]
        short = shape.length < len(_NUMBERS_ZH)
        zh = number(shape.length)["zh"] + word if short else f"{shape.length} {unit}的{word}"
        return {"en": f"{shape.length}-{many} tractor", "zh": zh}
    return {
        1: {"en": "single", "zh": "单张"},
        2: {"en": "pair", "zh": "对子"},
        3: {"en": "triple", "zh": "刻子"},
        4: {"en": "quad", "zh": "四张"},
    }[shape.width]


#: Levels after A: the name alone, who plays it, who has passed it.
_LEVELS_AFTER_A: Mapping[str, tuple[Text, Text, Text]] = {
    "joker": (
        {"en": "joker level", "zh": "打王"},
        {"en": "at the joker level", "zh": "打王"},
        {"en": "past the joker level", "zh": "打过王"},
    ),
    "no_trump": (
        {"en": "no-trump level", "zh": "打无主"},
        {"en": "at the no-trump level", "zh": "打无主"},
        {"en": "past the no-trump level", "zh": "打过无主"},
    ),
    "flag": (
        {"en": "flag", "zh": "扛旗"},
        {"en": "at the flag", "zh": "扛旗"},
        {"en": "flag held", "zh": "扛旗成功"},
    ),
}


def level(one: Level) -> Text:
    """A level by itself: a rank, or the name of a level after A."""
    named = _LEVELS_AFTER_A.get(one.rank)
    return {"en": one.rank, "zh": one.rank} if named is None else named[0]


def playing(one: Level) -> Text:
    """What a side at that level does: playing 5, at the flag."""
    named = _LEVELS_AFTER_A.get(one.rank)
    return {"en": f"playing {one}", "zh": f"打 {one}"} if named is None else named[1]


def shapes_named(shapes: Sequence[Shape]) -> Text:
    """Several shapes together: a pair and two singles."""
    times = Counter(shapes)
    named = {"en": list[str](), "zh": list[str]()}
    for shape, many in times.items():
        name = shape_name(shape)
        named["en"].append(name["en"] if many == 1 else f"{many} × {name['en']}")
        named["zh"].append(name["zh"] if many == 1 else f"{many} 个{name['zh']}")
    return {"en": " + ".join(named["en"]), "zh": " + ".join(named["zh"])}


def readings_named(readings: Iterable[Sequence[Shape]]) -> Text:
    """The first four of the ways to read some cards, each as its shapes."""
    named = [shapes_named(shapes) for shapes in islice(readings, 4)]
    return {"en": "; ".join(one["en"] for one in named), "zh": "；".join(one["zh"] for one in named)}


#: How many players there are, in words.
NUMBERS: Mapping[int, Text] = {4: {"en": "four", "zh": "四"}, 5: {"en": "five", "zh": "五"}}

_SUIT_SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_JOKERS: Mapping[str, Text] = {
    "JS": {"en": "small joker", "zh": "小王"},
    "JB": {"en": "big joker", "zh": "大王"},
}


def cards_due(number: int) -> Text:
    """How many cards are to be played."""
    things = "card" if number == 1 else "cards"
    return {"en": f"{number} {things} {verb_of(number)} due.", "zh": f"应出 {number} 张。"}


def verb_of(number: int) -> str:
    """The verb of so many things in an English sentence."""
    return "is" if number == 1 else "are"


def cards_named(cards: Iterable[Card]) -> Text:
    """Cards as a sentence names them: ♥10 ♥10, small joker."""
    both = [_JOKERS.get(str(card)) or Lines.same(_SUIT_SIGNS[card.suit] + card.rank).text() for card in cards]
    return {"en": " ".join(one["en"] for one in both), "zh": " ".join(one["zh"] for one in both)}


def past(one: Level) -> Text:
    """A side that has passed that level: past A, flag held."""
    named = _LEVELS_AFTER_A.get(one.rank)
    return {"en": f"past {one}", "zh": f"打过 {one}"} if named is None else named[2]


def level_list(levels: tuple[Level, ...]) -> Text:
    names = [level(one) for one in levels]
    return {"en": ", ".join(name["en"] for name in names), "zh": "、".join(name["zh"] for name in names)}


def shown(value: object) -> Text:
    """What somebody wrote, short and safe to print, whatever it is."""
    if isinstance(value, bool):
        return {"en": "true" if value else "false", "zh": "true" if value else "false"}
    if value is None:
        return {"en": "nothing", "zh": "空"}
    if isinstance(value, int):
        if abs(value) >= 10**12:
            return {"en": "a number out of all reach", "zh": "大得离谱的数"}
        text = str(int(value)).replace("-", MINUS)
        return {"en": text, "zh": text}
    if isinstance(value, float):
        text = repr(value)
        return {"en": text, "zh": text}
    if isinstance(value, str):
        text = "".join(sign if sign.isprintable() else "?" for sign in value[:40])
        return {"en": f'"{text}"', "zh": f"“{text}”"}
    if isinstance(value, Mapping):
        return {"en": "an object", "zh": "一个对象"}
    return {"en": "a list", "zh": "一个列表"}


def both(en: str, zh: str) -> Text:
    """A text in both languages."""
    return MappingProxyType({"en": en, "zh": zh})
