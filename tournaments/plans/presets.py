"""Forms of real events, ready to set up (赛事模板): a profile, penalties and a chain of stages as data.

Each preset states which published regulation it follows and what that regulation leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.standings.chains import CHAINS, default_chain
from scoring.standings.scales import SCALES
from scoring.values import Text

KNOCKOUT_CHAIN = ("points", "net_levels")

#: The rules that a regulation of this game leaves open are taken to be the national ones, in their common form.
NATIONAL = "cn-national-2d"


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready form: `profile` and `penalties` are specs, `stages` the fields of models.Stage, one after the other."""

    id: str
    title: Text
    about: Text
    profile: str | Mapping[str, Any]
    stages: tuple[Mapping[str, Any], ...]
    penalties: str | Mapping[str, Any] | None = None


def _form(
    id: str,
    title: tuple[str, str],
    about: tuple[str, str],
    profile: str | Mapping[str, Any],
    *stages: Mapping[str, Any],
    penalties: str | Mapping[str, Any] | None = None,
) -> Preset:
    """Titles and texts are given as (English, Chinese)."""
    return Preset(
        id=id,
        title=MappingProxyType({"en": title[0], "zh": title[1]}),
        about=MappingProxyType({"en": about[0], "zh": about[1]}),
        profile=profile,
        stages=tuple(MappingProxyType(stage) for stage in stages),
        penalties=penalties,
    )


F1 = _form(
    "F1",
    ("Timed Swiss, pairs (national rules)", "计时制瑞士移位赛，双人（国家规则）"),
    (
        "Four rounds of 40 minutes, ranked by the sum of points. The regulation does not state how a match "
        "becomes points: 2, 1, 0 is assumed, and equal levels at time are a draw.",
        "4 轮，每轮 40 分钟，按场分之和排名。规程没有写明场分怎么算：按 2、1、0 处理，到时级数相同算平。",
    ),
    NATIONAL,
    {
        "format": "swiss_timed",
        "match_score": "mp_210",
        "match_score_assumed": True,
        "tie_rule": "draw",
        "minutes": 40,
        "rounds_planned": 4,
        "chain": CHAINS["swiss"],
    },
)

F2 = _form(
    "F2",
    ("Groups, then a crossed knockout, pairs", "分组循环加交叉淘汰，双人"),
    (
        "Eight groups by draw, each a round robin; a win is worth 1, a loss 0, so nothing is drawn. Ties: the result "
        "between the tied, then one extra match. Two of each group cross over into a knockout. Assumed: the national "
        "rules, 60 minutes a match, equal levels at time go to the side on stage.",
        "抽签分 8 组单循环，胜 1 负 0，没有平局；同分先比相互胜负，再加赛一场。每组前两名出线，交叉淘汰。"
        "规程未写、按常例：国家规则，每场 60 分钟，到时同级台上方胜。",
    ),
    NATIONAL,
    {
        "format": "groups_rr",
        "match_score": "mp_10",
        "tie_rule": "on_stage",
        "minutes": 60,
        "chain": CHAINS["round_robin_extra"],
        "plan": {"order": "drawn", "groups": 8},
    },
    {
        "format": "ko_timed",
        "match_score": "mp_10",
        "tie_rule": "on_stage",
        "minutes": 60,
        "chain": KNOCKOUT_CHAIN,
        "plan": {"qualify": 2, "crossed": True},
    },
)

F3 = _form(
    "F3",
    ("Timed knockout, pairs", "计时单淘汰赛，双人"),
    (
        "A bracket by draw. Sixty minutes to pass A; five levels ahead win at once; else the higher level; equal "
        "levels: the side on stage wins. A must really be played; a declaration shows a joker of its colour.",
        "抽签排位的单淘汰。60 分钟打过 A；领先 5 级当场获胜；否则级高者胜；同级台上方胜。"
        "A 必须真正打过；亮主须带同色的王。",
    ),
    {"base": "scn2-2013", "set": {"must_play": ("A",), "must_mode": "must_defend", "joker_declare": "colour"}},
    {
        "format": "ko_timed",
        "match_score": "mp_210",
        "match_score_assumed": True,
        "tie_rule": "on_stage",
        "minutes": 60,
        "lead_levels": 5,
        "chain": KNOCKOUT_CHAIN,
        "plan": {"order": "drawn"},
    },
)

F5 = _form(
    "F5",
    ("Three knockout rounds by draw number, pairs", "三轮淘汰赛按签号编排，双人"),
    (
        "Three knockout rounds of 60 minutes; whoever is a level ahead wins, equal levels go to lots. Every round is "
        "paired from the lowest draw number up; with an odd number the highest has a bye, nobody twice. Whoever is "
        "late forfeits. Eight pairs have a winner after three rounds; with more, set more rounds. Assumed: the "
        "national rules.",
        "三轮淘汰，每轮 60 分钟，级高者胜，同级抽签。每轮按签号从小到大编排；单数时签号最大者轮空，每对至多轮空一次。"
        "迟到判弃权。8 对以内三轮分出冠军，更多时请增加轮数。规程未写、按常例：国家规则。",
    ),
    NATIONAL,
    {
        "format": "ko_timed",
        "match_score": "mp_210",
        "match_score_assumed": True,
        "tie_rule": "lots",
        "minutes": 60,
        "rounds_planned": 3,
        "chain": KNOCKOUT_CHAIN,
        "plan": {"order": "drawn", "bracket": "draw_number", "late": 0},
    },
    penalties={
        "base": "standard",
        "set": {"late.levels": [{"unit": "forfeit"}], "late.warning": [{"unit": "forfeit"}]},
    },
)

F7 = _form(
    "F7",
    ("Duplicate teams of four in groups", "复式四人队式分组赛"),
    (
        "Groups of four teams by draw, three rounds of two boards; the lower draw number is the home team. A match is "
        "worth 2, 1, 0; ties: the opponents' points, the result between the tied. Places are worth 7, 5, 4, 3, 2, 1. "
        "Assumed: the national rules, then net board points and lots, and the penalties of duplicate events.",
        "抽签分组，每组四队，3 轮，每轮 2 副；签号小的为主队。胜 2 平 1 负 0；同分先比对手分，再比相互胜负。"
        "名次分 7、5、4、3、2、1。规程未写、按常例：国家规则，其后比牌副净分、抽签，处罚用复式赛处罚表。",
    ),
    NATIONAL,
    {
        "format": "dup_teams",
        "match_score": "mp_210",
        "tie_rule": "draw",
        "rounds_planned": 3,
        "chain": CHAINS["duplicate"],
        "plan": {"order": "drawn", "group_of": 4, "boards": 2, "prizes": ("7", "5", "4", "3", "2", "1")},
    },
    penalties="boards",
)

F17 = _form(
    "F17",
    ("Groups, then the qualifiers once more, pairs", "分组循环，出线者再循环，双人"),
    (
        "Round robin in groups, then a round robin of those who advance; one game a match, played to its end: J, A and "
        "the joker level must be played. A win is worth 3, a loss 0. Ties: net levels, the sum of levels, lots. "
        "An off-stage player with 15 points or less may have the cards dealt again. Assumed: the national rules "
        "otherwise, groups of four by draw of which two advance, “points” in ties are levels.",
        "分组单循环，出线者再单循环；每场一局，打完为止：J、A、王必打。胜 3 负 0。同分比净级、级数和，再抽签。"
        "台下方手上不超过 15 分可要求重发。规程未写、按常例：其余用国家规则，抽签分组，每组四对，前两名出线，"
        "同分所比的“分”按级数计。",
    ),
    {
        "base": NATIONAL,
        "set": {
            "after_A": ("joker",),
            "must_play": ("J", "A", "joker"),
            "rebellion": True,
            "rebellion_points": 15,
            "rebellion_trumps": 0,
        },
    },
    {
        "format": "groups_rr",
        "match_score": "mp_30",
        "tie_rule": "on_stage",
        "chain": ("points", "net_levels", "sum_levels", "lots"),
        "plan": {"order": "drawn", "group_of": 4},
    },
    {
        "format": "rr",
        "match_score": "mp_30",
        "tie_rule": "on_stage",
        "chain": ("points", "net_levels", "sum_levels", "lots"),
        "plan": {"qualify": 2},
    },
)

F18 = _form(
    "F18",
    ("Three rounds by score, 15 plus or minus the levels", "三轮按分编排，15 分加减级差"),
    (
        "Three rounds of 60 minutes, everybody plays all of them; the second and third are paired by score. A match is "
        "worth 15 plus or minus the difference of levels, at most 10; a forfeit gives 18. Ties: the score of the last "
        "round, then of the one before it. Assumed: four decks as played in Nanning, nobody meets twice, equal levels "
        "are 15 each, lots at the end.",
        "3 轮，每轮 60 分钟，人人打满；第 2、3 轮按分编排。每场 15 分加减级差，级差最多计 10；弃权对方得 18 分。"
        "同分先比末轮得分，再依次往前比。规程未写、按常例：四副牌南宁打法，不重复对阵，同级各 15 分，最后抽签。",
    ),
    "nanning-4d",
    {
        "format": "swiss_timed",
        "match_score": "base15",
        "tie_rule": "draw",
        "minutes": 60,
        "rounds_planned": 3,
        "chain": CHAINS["base15"],
        "plan": {"order": "drawn"},
    },
)

F19 = _form(
    "F19",
    ("Fixed levels, eight hands a round", "定级记副赛，每轮八副"),
    (
        "Four rounds of one hour and eight hands at the levels 2, 3, 4, 5, 5, 6, 7, 8. The deal is not contested or "
        "kept: dealers take turns by seat. Ranked by the sum of hand points: attackers 1 for taking the deal and 1 for "
        "each level more, the dealer side 1 for each level. Assumed: the hand points, pairing by score, the national "
        "rules, and penalties that take no levels.",
        "4 轮，每轮一小时、8 副，依次打 2、3、4、5、5、6、7、8。不抢庄也不连庄，按座位轮流坐庄。"
        "按各副积分之和排名：闲家上台得 1 分，每多升一级加 1 分；庄家方每升一级得 1 分。"
        "规程未写、按常例：各副积分办法，按分编排，国家规则，处罚不降级。",
    ),
    NATIONAL,
    {
        "format": "swiss_timed",
        "match_score": "hand_points",
        "match_score_assumed": True,
        "tie_rule": "draw",
        "minutes": 60,
        "hands": 8,
        "rounds_planned": 4,
        "chain": default_chain(CHAINS["swiss"], SCALES["hand_points"]),
        "plan": {"order": "drawn", "fixed": tuple({"level": level} for level in "23455678")},
    },
    penalties="boards",
)
F20 = _form(
    "F20",
    ("Fixed trump without levels, eight hands a round", "固定主不升级，每轮八副"),
    (
        "Three rounds of one hour and eight hands, all at level 2 with spades as trump. Nobody climbs or keeps the "
        "deal: dealers take turns by seat. What a side takes in points as attackers counts; ranked by the sum of the "
        "differences. That trump is fixed and no levels are played is stated. Assumed: the suit, the points, pairing "
        "by score, the national rules, and penalties that take no levels.",
        "3 轮，每轮一小时、8 副，都打 2、黑桃为主。不升级也不连庄，按座位轮流坐庄。"
        "各方坐闲家时的得分累计，按净胜分之和排名。规则只写明固定主、不升级，其余为常例：花色、按得分计、按分编排、国家规则、处罚不降级。",
    ),
    NATIONAL,
    {
        "format": "swiss_timed",
        "match_score": "hand_points",
        "match_score_assumed": True,
        "tie_rule": "draw",
        "minutes": 60,
        "hands": 8,
        "rounds_planned": 3,
        "chain": default_chain(CHAINS["swiss"], SCALES["hand_points"]),
        "plan": {"order": "drawn", "fixed": ({"level": "2", "trump": "S"},) * 8, "scoring": "points"},
    },
    penalties="boards",
)


def _evening(id: str, profile: str, en: str, zh: str, about_en: str, about_zh: str, chain: str, **stage: int) -> Preset:
    """An evening of single players: seated anew each round, ranked by the sum of their own scores."""
    ending_en = " Players are seated anew each round; who sits out a round scores nothing in it."
    ending_zh = "每轮重新安排座位；轮空的一轮不计分。"
    return _form(
        id,
        (en, zh),
        (about_en + ending_en, about_zh + ending_zh),
        profile,
        {"format": "individual", "tie_rule": "draw", "chain": CHAINS[chain], **stage},
    )


I1 = _evening(
    "I1",
    "sandayi",
    "Evening of one against three",
    "三打一个人赛",
    "Three rounds of eight hands at tables of four. Each hand the lowest bidder plays alone; wins and losses add up.",
    "3 轮，每轮 8 副，四人一桌。每副叫分最低者一人打三家，按输赢累计排名。",
    "individual",
    hands=8,
    rounds_planned=3,
)
I2 = _evening(
    "I2",
    "ersibai",
    "Evening of two hundred and forty",
    "二百四个人赛",
    "Three rounds of six hands at tables of four. Everybody keeps the points he takes, 240 in each hand.",
    "3 轮，每轮 6 副，四人一桌。每副共 240 分，各得各分，按总分排名。",
    "individual",
    hands=6,
    rounds_planned=3,
)
I3 = _evening(
    "I3",
    "zhaopengyou",
    "Evening of find a friend",
    "找朋友个人赛",
    "Two rounds of 90 minutes at tables of five. Each player keeps a level; ranked by the levels gained.",
    "2 轮，每轮 90 分钟，五人一桌。每人单独记级，按升级之和排名。",
    "individual_levels",
    minutes=90,
    rounds_planned=2,
)

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {preset.id: preset for preset in (F1, F2, F3, F5, F7, F17, F18, F19, F20, I1, I2, I3)}
)

DEFAULT_CHAINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "swiss_timed": CHAINS["swiss"],
        "danish": CHAINS["swiss"],
        "rr": CHAINS["round_robin"],
        "groups_rr": CHAINS["round_robin"],
        "ko_timed": KNOCKOUT_CHAIN,
        "dup_teams": CHAINS["duplicate"],
        "dup_pairs": CHAINS["duplicate"],
        "individual": CHAINS["individual"],
    }
)


def plain(value: Any) -> Any:
    """The same data in JSON's own types (a preset is frozen; a model field wants dicts and lists)."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
