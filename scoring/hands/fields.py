"""What is written down of a hand: one row for each field, of two sides and of single players.

The forms of phone and desk, the link that explains a hand, the words of pages and history, the score sheet on paper
and the schema of the API are made of these rows; whoever adds a field adds one here. How a field is typed, read and
said follows from its `kind`; what the rules make of it is decided where hands are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.profiles import Profile
from scoring.values import Text


class Kind(StrEnum):
    """What a field holds."""

    ENTRY = "entry"
    REASON = "reason"
    DEALER = "dealer"
    SEAT = "seat"
    PLAYER = "player"
    LEVEL = "level"
    TRUMP = "trump"
    NUMBER = "number"
    ROLE = "role"
    SIDE = "side"
    SHAPES = "shapes"
    CATEGORY = "category"
    CARDS = "cards"
    SPECIALS = "specials"
    THROWS = "throws"
    DARK_BIDS = "dark_bids"
    ADJUSTMENTS = "adjustments"
    BY_PLACE = "by_place"
    CALL = "call"
    FLAG = "flag"
    TREATMENT = "treatment"
    TEXT = "text"


class Asked(StrEnum):
    """How far into the hand a form asks for a field."""

    ALWAYS = "always"
    #: Nobody digs at the flag, and the last trick of such a hand says nothing.
    LAST_TRICK = "last_trick"
    #: Once the attackers have dug, or where the last trick counts whoever won it.
    DIG = "dig"
    #: Of a hand that somebody rebelled in.
    REBELLION = "rebellion"
    #: Only an official writes it down.
    OFFICIAL = "official"
    #: Comes with what a program sends, and stands on no form.
    PROGRAM = "program"


#: Entries in which a field can stand.
HAND: Final = "hand"
#: A hand of which a slip has only the total.
TOTAL: Final = "total"
ANNULLED: Final = "annulled"
ADJUSTED: Final = "adjusted"
PENALTY: Final = "penalty"
#: Who plays with whom: the values of the profile's `division`.
SIDES: Final = "sides"
ALONE: Final = "alone"
ALLY: Final = "ally"
EVERYONE: Final = "everyone"
TOGETHER: Final = (SIDES, ALONE, ALLY)
ALL: Final = (SIDES, ALONE, ALLY, EVERYONE)


@dataclass(frozen=True, slots=True)
class Column:
    """Where a score sheet has a field: the column's key, its title, its share of the width, and in which games.

    Columns stand by `rank`, those of one rank in the order of the form: who deals at which level comes first.
    """

    key: str
    title: Text
    width: int = 10
    rank: int = 3
    games: tuple[str, ...] = ALL


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name in the facts, what it holds, in which games and entries it stands, and what it is called.

    `brief` is its name where there is little room, `asking` in the sentence that it is missing. In the games named by
    `silent` no form asks for it, though a sheet may hold it. `here` says whether the rules know it at all. `missing` is
    the code of what is found where it is asked and not filled in; `missing_otherwise` where each player has points of
    his own, or the last trick counts by its cards.
    """

    name: str
    kind: Kind
    word: Text
    games: tuple[str, ...] = ALL
    entries: tuple[str, ...] = (HAND,)
    asked: Asked = Asked.ALWAYS
    brief: Text | None = None
    asking: Text | None = None
    silent: tuple[str, ...] = ()
    here: Callable[[Profile], bool] = lambda _profile: True
    missing: str | None = None
    missing_otherwise: str | None = None
    #: Whether these rules ask for it at all; else it may be left empty.
    needed: Callable[[Profile], bool] = lambda _profile: True
    #: Whether a program may say it as nothing.
    null: bool = True
    #: Whether strangers are told what a correction changed in it.
    open: bool = True
    #: Whether forms ask for it by a labelled input and nothing else, so that no template has to know it.
    plain: bool = False
    #: Where a score sheet on paper has it.
    columns: tuple[Column, ...] = ()

    @property
    def short(self) -> Text:
        return self.brief or self.word

    def code(self, profile: Profile) -> str | None:
        """What is found where these rules ask for it and it is not filled in; None: it may be left empty."""
        if profile.division in self.silent or not self.needed(profile):
            return None
        if profile.division == EVERYONE or profile.last_trick != "kitty":
            return self.missing_otherwise or self.missing
        return self.missing


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh": zh}


#: Every field, in the order in which forms ask and pages tell.
FIELDS: Final[tuple[Field, ...]] = (
    Field("kind", Kind.ENTRY, _text("Kind", "类别"), entries=(HAND, TOTAL, ANNULLED, ADJUSTED, PENALTY)),
    Field(
        "reason", Kind.REASON, _text("Reason", "原因"), entries=(ANNULLED,), missing="missing", null=False, open=False
    ),
    Field(
        "dealer",
        Kind.DEALER,
        _text("Dealer", "庄家"),
        silent=(EVERYONE,),
        missing="missing",
        entries=(HAND, TOTAL, ANNULLED, ADJUSTED),
        columns=(Column("dealer", _text("Dealer", "庄家"), 9, rank=0),),
    ),
    Field(
        "declared_by",
        Kind.SEAT,
        _text("Declared by", "亮主"),
        games=(SIDES,),
        here=lambda profile: profile.joker_declare != "none",
        entries=(HAND, TOTAL),
    ),
    Field(
        "ally",
        Kind.PLAYER,
        _text("Ally", "盟友"),
        games=(ALLY,),
        missing="missing",
        entries=(HAND, TOTAL),
        columns=(Column("ally", _text("Ally", "盟友"), 8, rank=2),),
    ),
    Field("call", Kind.CALL, _text("Called card", "所叫的牌"), games=(ALLY,), asked=Asked.PROGRAM),
    Field(
        "bid",
        Kind.NUMBER,
        _text("Bid", "叫分"),
        games=(ALONE,),
        missing="bid_unknown",
        entries=(HAND, TOTAL),
        columns=(Column("bid", _text("Bid", "叫分"), 8, rank=0),),
    ),
    Field(
        "line",
        Kind.NUMBER,
        _text("Line of the dealer", "庄家定的上台分数"),
        games=(SIDES,),
        here=lambda profile: profile.dealer_sets_line,
        entries=(HAND, TOTAL),
        missing="line_missing",
        needed=lambda profile: profile.own_line == "must",
    ),
    Field("bids", Kind.BY_PLACE, _text("Bids", "各人叫分"), games=(ALONE,), asked=Asked.PROGRAM, null=False),
    Field(
        "level",
        Kind.LEVEL,
        _text("Level", "级别"),
        games=(SIDES, ALLY),
        here=lambda profile: bool(profile.ladder),
        entries=(HAND, TOTAL),
        columns=(Column("level", _text("Level", "级别"), 8, rank=0),),
    ),
    Field(
        "trump",
        Kind.TRUMP,
        _text("Trump", "主花色"),
        silent=(EVERYONE,),
        missing="trump_missing",
        entries=(HAND, TOTAL),
        columns=(Column("trump", _text("Trump", "主"), 8, rank=0),),
    ),
    Field(
        "points", Kind.BY_PLACE, _text("Points of each", "各人得分"), games=(EVERYONE,), missing="missing", null=False
    ),
    Field(
        "captured_in_tricks",
        Kind.NUMBER,
        _text("Points in tricks", "闲家得分"),
        games=TOGETHER,
        missing="missing",
        columns=(Column("tricks", _text("In tricks", "闲家得分"), 10),),
    ),
    Field(
        "last_trick_winner",
        Kind.ROLE,
        _text("Last trick", "末圈"),
        games=TOGETHER,
        asked=Asked.LAST_TRICK,
        missing="last_trick_missing",
    ),
    Field(
        "last_trick_place",
        Kind.PLAYER,
        _text("Last trick", "末圈"),
        games=(EVERYONE,),
        missing="last_trick_place_missing",
        columns=(Column("last", _text("Last trick", "末圈"), 9),),
    ),
    Field(
        "led",
        Kind.SHAPES,
        _text("Led to the last trick", "末圈领出牌型"),
        games=TOGETHER,
        asked=Asked.DIG,
        brief=_text("Led to it", "末圈领出"),
        asking=_text("Shape led to the last trick", "末圈领出的牌型"),
        missing="shape_missing",
        missing_otherwise="last_led_missing",
    ),
    Field(
        "kitty_points",
        Kind.NUMBER,
        _text("Kitty points", "底牌分"),
        asked=Asked.DIG,
        here=lambda profile: profile.last_trick == "kitty",
        missing="kitty_missing",
        columns=(
            Column("dig", _text("Kitty × factor", "底牌分 × 倍数"), 15, games=TOGETHER),
            Column("kitty", _text("Kitty", "底牌分"), 8, games=(EVERYONE,)),
        ),
        missing_otherwise="kitty_of_all_missing",
    ),
    Field(
        "last_trick_points",
        Kind.NUMBER,
        _text("Points in the last trick", "末圈分数"),
        games=(SIDES,),
        asked=Asked.DIG,
        here=lambda profile: profile.last_trick != "kitty",
        missing="last_points_missing",
        columns=(Column("dig", _text("Last trick × cards", "末圈分 × 张数"), 15),),
    ),
    Field(
        "winning_category",
        Kind.CATEGORY,
        _text("Won with", "赢牌"),
        games=TOGETHER,
        asked=Asked.DIG,
        here=lambda profile: bool(profile.dig_trump_only),
        missing="winning_category_missing",
    ),
    Field(
        "winning_play",
        Kind.CARDS,
        _text("Cards that won the last trick", "赢末圈的牌"),
        games=(SIDES,),
        asked=Asked.DIG,
        brief=_text("Won with", "赢牌"),
        here=lambda profile: bool(profile.hook_levels),
    ),
    Field(
        "specials",
        Kind.SPECIALS,
        _text("Red fives and 510K", "红桃 5 与 510K"),
        games=(SIDES,),
        asked=Asked.LAST_TRICK,
        here=lambda profile: bool(profile.level_jumps),
        entries=(HAND, TOTAL),
        columns=(Column("special", _text("Red fives, 510K", "红五、510K"), 12),),
    ),
    Field(
        "throw_failures",
        Kind.THROWS,
        _text("Failed throws", "甩牌失败"),
        here=lambda profile: profile.throws_allowed,
    ),
    Field(
        "dark_bids",
        Kind.DARK_BIDS,
        _text("Face-down bids out of order", "暗炒乱序"),
        games=(SIDES,),
        asked=Asked.LAST_TRICK,
        here=lambda profile: bool(profile.dark_bid_fine),
    ),
    Field(
        "adjustments",
        Kind.ADJUSTMENTS,
        _text("Adjustments", "判罚分"),
        games=TOGETHER,
        asked=Asked.OFFICIAL,
        columns=(Column("fines", _text("Fines", "罚分"), 9),),
    ),
    Field(
        "total_only",
        Kind.NUMBER,
        _text("Total on the slip", "记分表总分"),
        games=TOGETHER,
        asked=Asked.OFFICIAL,
        entries=(TOTAL,),
    ),
    Field(
        "by",
        Kind.PLAYER,
        _text("Rebel", "造反者"),
        games=(SIDES,),
        entries=(ANNULLED,),
        open=False,
        asked=Asked.REBELLION,
    ),
    Field(
        "hand_points",
        Kind.NUMBER,
        _text("Points in that hand", "该家分数"),
        games=(SIDES,),
        entries=(ANNULLED,),
        open=False,
        asked=Asked.REBELLION,
    ),
    Field(
        "trump_count",
        Kind.NUMBER,
        _text("Trumps in that hand", "手中主牌数"),
        games=(SIDES,),
        entries=(ANNULLED,),
        asked=Asked.OFFICIAL,
        open=False,
    ),
    Field(
        "side", Kind.SIDE, _text("Side", "哪一方"), games=(SIDES,), entries=(ADJUSTED, PENALTY), null=False, open=False
    ),
    Field("place", Kind.PLAYER, _text("Player", "选手"), games=(ALONE, ALLY, EVERYONE), entries=(PENALTY,), null=False),
    Field("levels", Kind.NUMBER, _text("Levels", "级别"), entries=(ADJUSTED, PENALTY), null=False, open=False),
    Field(
        "gains",
        Kind.BY_PLACE,
        _text("Gains", "得失"),
        games=(ALONE, ALLY, EVERYONE),
        entries=(ADJUSTED,),
        null=False,
        missing="missing",
    ),
    Field(
        "deal_changes_hands",
        Kind.FLAG,
        _text("The deal changes hands", "换庄"),
        games=(SIDES,),
        entries=(ADJUSTED,),
        null=False,
        open=False,
    ),
    Field("treatment", Kind.TREATMENT, _text("Treatment", "处理方式"), asked=Asked.PROGRAM, open=False),
    Field(
        "why",
        Kind.TEXT,
        _text("Why", "为什么"),
        entries=(ANNULLED, ADJUSTED, PENALTY),
        null=False,
        open=False,
        asked=Asked.OFFICIAL,
    ),
)
BY_NAME: Final[Mapping[str, Field]] = {one.name: one for one in FIELDS}
_ORDER: Final = {one.name: place for place, one in enumerate(FIELDS)}


def in_order(names: Iterable[str]) -> list[str]:
    """Names of facts in the order of the form; what is none of them comes last."""
    return sorted(names, key=lambda name: (_ORDER.get(name, len(_ORDER)), name))
