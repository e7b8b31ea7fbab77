"""Forms of real events, ready to set up (赛事模板): a profile and one stage as data.

Each preset states which published regulation it follows and what that regulation leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scoring.tiebreaks import CHAINS
from scoring.values import Text

KNOCKOUT_CHAIN = ("points", "net_levels")


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready form: `profile` is a profile spec, `stage` the fields of models.Stage."""

    id: str
    title: Text
    about: Text
    profile: str | Mapping[str, Any]
    stage: Mapping[str, Any] = field(default_factory=dict)


F1 = Preset(
    id="F1",
    title=MappingProxyType({"en": "Timed Swiss, pairs (national rules)", "zh": "计时制瑞士移位赛，双人（国家规则）"}),
    about=MappingProxyType(
        {
            "en": "Four rounds of 40 minutes, ranked by the sum of points. The regulation does not state how a match "
            "becomes points: 2, 1, 0 is assumed, and equal levels at time are a draw.",
            "zh": "4 轮，每轮 40 分钟，按场分之和排名。规程没有写明场分怎么算：按 2、1、0 处理，到时级数相同算平。",
        }
    ),
    profile="cn-national-2d",
    stage=MappingProxyType(
        {
            "format": "swiss_timed",
            "match_score": "mp_210",
            "match_score_assumed": True,
            "tie_rule": "draw",
            "minutes": 40,
            "rounds_planned": 4,
            "chain": CHAINS["swiss"],
        }
    ),
)

F3 = Preset(
    id="F3",
    title=MappingProxyType({"en": "Timed knockout, pairs", "zh": "计时单淘汰赛，双人"}),
    about=MappingProxyType(
        {
            "en": "Sixty minutes to pass A; five levels ahead win at once; else the higher level; "
            "equal levels: the side on stage wins. A must really be played.",
            "zh": "60 分钟打过 A；领先 5 级当场获胜；否则级高者胜；同级台上方胜。A 必须真正打过。",
        }
    ),
    profile=MappingProxyType(
        {"base": "scn2-2013", "set": MappingProxyType({"must_play": ("A",), "must_mode": "must_defend"})}
    ),
    stage=MappingProxyType(
        {
            "format": "ko_timed",
            "match_score": "mp_210",
            "match_score_assumed": True,
            "tie_rule": "on_stage",
            "minutes": 60,
            "lead_levels": 5,
            "rounds_planned": 1,
            "chain": KNOCKOUT_CHAIN,
        }
    ),
)


def _evening(id: str, profile: str, en: str, zh: str, about_en: str, about_zh: str, chain: str, **stage: int) -> Preset:
    """An evening of single players: seated anew each round, ranked by the sum of their own scores."""
    ending_en = " Players are seated anew each round; who sits out a round scores nothing in it."
    ending_zh = "每轮重新安排座位；轮空的一轮不计分。"
    return Preset(
        id=id,
        title=MappingProxyType({"en": en, "zh": zh}),
        about=MappingProxyType({"en": about_en + ending_en, "zh": about_zh + ending_zh}),
        profile=profile,
        stage=MappingProxyType({"format": "individual", "tie_rule": "draw", "chain": CHAINS[chain], **stage}),
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

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.id: preset for preset in (F1, F3, I1, I2, I3)})

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
