"""What a draw says in words: why two meet, what a change costs, how a round was drawn. English and Chinese, no names:
entrants are called by their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from scoring.standings.results import score_of
from scoring.values import Text, exact
from scoring.wording import both

#: What each tier counts, by its name in documents.
TIERS: Mapping[str, Text] = MappingProxyType(
    {
        "kept_apart": both("meetings of those who must be kept apart", "必须回避者相遇"),
        "rematch": both("rematches", "重复相遇"),
        "bye": both("second byes", "重复轮空"),
        "rather_apart": both("meetings of those who are rather kept apart", "尽量回避者相遇"),
        "unit": both("meetings within a unit", "同单位相遇"),
        "bye_score": both("score of the bye above the lowest", "轮空者高于最低分"),
        "score": both("differences of score, squared", "分差平方"),
        "float": both("repeated floats", "重复浮动"),
        "seat": both("home and away out of balance", "主客不均"),
        "seeding": both("distance from the seeding", "偏离种子对位"),
        "lot": both("lot", "签号"),
    }
)
#: A tier as the reason why something is dearer.
_DEARER: Mapping[str, Text] = MappingProxyType(
    {
        "kept_apart": both("more who must be kept apart would meet", "会有更多必须回避者相遇"),
        "rematch": both("more who have met would meet again", "会有更多对手重复相遇"),
        "bye": both("somebody would have a second bye", "会有人再次轮空"),
        "rather_apart": both("more who are rather kept apart would meet", "会有更多尽量回避者相遇"),
        "unit": both("more of one unit would meet", "会有更多同单位相遇"),
        "bye_score": both("the bye would go to a higher score", "轮空会给分数更高的一方"),
        "score": both("scores further apart would meet", "分数相差更大的会相遇"),
        "float": both("those who floated before would float again", "浮动过的会再次浮动"),
        "seat": both("home and away would be less even", "主客会更不均衡"),
        "seeding": both("the pairs would be further from the seeding", "对阵会更偏离种子对位"),
        "lot": both("only the fixed order of equal pairings decides", "只差在同等对阵的固定次序"),
    }
)
_CHEAPER: Mapping[str, Text] = MappingProxyType(
    {
        "kept_apart": both("fewer who must be kept apart meet", "必须回避者相遇更少"),
        "rematch": both("fewer who have met meet again", "重复相遇更少"),
        "bye": both("fewer have a second bye", "重复轮空更少"),
        "rather_apart": both("fewer who are rather kept apart meet", "尽量回避者相遇更少"),
        "unit": both("fewer of one unit meet", "同单位相遇更少"),
        "bye_score": both("the bye goes to a lower score", "轮空给了分数更低的一方"),
        "score": both("closer scores meet", "相遇双方分数更接近"),
        "float": both("fewer float again", "再次浮动更少"),
        "seat": both("home and away are more even", "主客更均衡"),
        "seeding": both("the pairs are closer to the seeding", "对阵更接近种子对位"),
        "lot": both("only the fixed order of equal pairings decides", "只差在同等对阵的固定次序"),
    }
)
_RULES: Mapping[str, Text] = MappingProxyType(
    {
        "kept_apart": both("they must be kept apart", "双方必须回避"),
        "no_rematch": both("they have met", "双方已经相遇"),
        "one_bye": both("there has been a bye already", "已经轮空过"),
        "units_apart": both("they are of one unit", "双方同一单位"),
    }
)
_METHODS: Mapping[str, Text] = MappingProxyType(
    {
        "swiss_round": both("Swiss draw", "瑞士移位编排"),
        "danish_round": both("Danish draw, by rank", "按名次编排"),
        "groups_round": both("table of the round robin", "循环赛轮次表"),
        "knockout_round": both("knockout bracket", "淘汰赛对阵表"),
        "movement_round": both("movement", "移位"),
    }
)


BY_HAND = both("paired by hand", "手工编排")


def how_drawn(document: Mapping[str, Any]) -> Text:
    """How a round came to its pairing, in a few words."""
    if document["method"] == "hand":
        return BY_HAND
    question = document["question"]
    if question["op"] == "knockout_round" and "numbers" in question:
        return both("knockout, by draw number", "淘汰赛，按签号顺序")
    if question["op"] == "knockout_round" and "groups" in question:
        return both("knockout, groups crossed", "交叉淘汰")
    return _METHODS[question["op"]]


def checked(findings: Sequence[Mapping[str, Any]]) -> Text:
    """What the independent check says, in one line."""
    if not findings:
        return both("checked: nothing found", "独立检查：没有问题")
    return both(f"checked: {len(findings)} found", f"独立检查：{len(findings)} 处提示")


def costs_of(costs: Mapping[str, int]) -> list[tuple[Text, int]]:
    """The costs that are not nothing, from the gravest on; the lot is left out: it only tells equals apart."""
    return [(TIERS[name], costs[name]) for name in TIERS if costs.get(name) and name != "lot"]


def reasons_of(document: Mapping[str, Any], meeting: Mapping[str, Any], costs: Mapping[str, int]) -> list[Text]:
    """Why these two meet (or why this one has a bye), as far as the draw knows; `costs` are those of the meeting."""
    question = document["question"]
    if question.get("op") == "swiss_round":
        return _swiss_reasons(document, meeting, costs)
    said = []
    if meeting.get("for_place"):
        said.append(both("for the third place", "争夺第三名"))
    if meeting["away"] is None:
        said.append(_bye_reason(question))
    return said


def _bye_reason(question: Mapping[str, Any]) -> Text:
    if "numbers" in question:
        return both("bye: the highest draw number without one so far", "轮空：签号最大且尚未轮空")
    if "entrants" in question and question["op"] == "knockout_round":
        return both("bye: the bracket has room for the first in order", "轮空：对阵表有空位，排在前面的轮空")
    if "slots" in question:
        return both("goes on without an opponent", "对手空缺，直接晋级")
    if question["op"] == "danish_round":
        return both("bye: the lowest of those with the fewest byes", "轮空：轮空次数最少者中名次最低")
    return both("bye of the table", "轮次表轮空")


def _swiss_reasons(document: Mapping[str, Any], meeting: Mapping[str, Any], costs: Mapping[str, int]) -> list[Text]:
    scores = document["question"]["scores"]

    def score(id: object) -> Fraction:
        return score_of(scores.get(str(id), 0))

    home, away = meeting["home"], meeting["away"]
    said: list[Text] = []
    if away is None:
        points = exact(score(home))
        said.append(both(f"at {points} points so far, the bye", f"现积 {points} 分，轮空"))
        if costs.get("bye_score"):
            said.append(both("lower ones could not have it", "更低分的不能轮空"))
        if costs.get("bye"):
            said.append(both("a second bye", "再次轮空"))
        return said
    high, low = max(score(home), score(away)), min(score(home), score(away))
    if high == low:
        said.append(both(f"both have {exact(high)} points", f"同为 {exact(high)} 分"))
    else:
        number = document["numbers"][str(home if score(home) == high else away)]
        said.append(
            both(f"{exact(high)} against {exact(low)} points", f"{exact(high)} 分对 {exact(low)} 分"),
        )
        said.append(both(f"no. {number} floats down", f"{number} 号向下浮动"))
    if costs.get("kept_apart"):
        said.append(both("they must be kept apart", "双方必须回避"))
    if costs.get("rematch"):
        said.append(both("they have met before", "曾经相遇"))
    if costs.get("rather_apart"):
        said.append(both("rather kept apart: nothing better was left", "尽量回避：没有更好的编法"))
    if costs.get("unit"):
        said.append(both("same unit: nothing better was left", "同单位：没有更好的编法"))
    if costs.get("float"):
        said.append(both("floats again", "再次浮动"))
    return said


def costs_by_meeting(document: Mapping[str, Any]) -> dict[frozenset[Any], Mapping[str, int]]:
    """The costs of every meeting by its two sides (None: the bye); empty where the format chooses nothing."""
    listed = document.get("judged", document["answer"]).get("costs", ())
    return {frozenset((one["home"], one["away"])): one for one in listed}


def why_not_text(said: Mapping[str, Any], one: int, other: int | None) -> Text:
    """The answer to "why do these not meet?", by numbers on paper; `said` as `why_not` of the protocol with `best`."""
    en, zh = f"no. {one} and no. {other}", f"{one} 号对 {other} 号"
    if other is None:
        en, zh = f"a bye of no. {one}", f"{one} 号轮空"
    why = [_RULES[rule] for rule in said["forbidden_by"]]
    rule = both(" and ".join(w["en"] for w in why), "，且".join(w["zh"] for w in why))
    if not said["feasible"]:
        reason = said["reason"]
        return both(f"With {en} no round is possible. {reason['en']}", f"若{zh}，就无法编排。{reason['zh']}")
    tier = said["dearer_in"]
    if tier is None:
        return both(f"With {en} the round costs just the same.", f"若{zh}，整轮的编排检查结果一样。")
    best, forced = said["best"][tier], said["total"][tier]
    title = TIERS[tier]
    ruled_en, ruled_zh = (
        (f"The rules keep them apart: {rule['en']}. ", f"规则不许：{rule['zh']}。") if why else ("", "")
    )
    return both(
        f"{ruled_en}With {en}, {_DEARER[tier]['en']} ({title['en']}: {forced} instead of {best}).",
        f"{ruled_zh}若{zh}，{_DEARER[tier]['zh']}（{title['zh']}：{forced}，现为 {best}）。",
    )


def judged_text(judged: Mapping[str, Any]) -> Text:
    """What a pairing made by hand costs beside the best draw."""
    if "best" not in judged:
        return both("The draw itself finds no round here.", "按规则本轮编不出对阵。")
    tier = judged["dearer_in"]
    if tier is None:
        return both("It costs the same as the best draw.", "编排检查结果与最优编排一样。")
    title, best, made = TIERS[tier], judged["best"][tier], judged["total"][tier]
    words = _DEARER[tier] if made > best else _CHEAPER[tier]
    return both(
        f"Beside the best draw: {words['en']} ({title['en']}: {made}, best {best}).",
        f"与最优编排相比：{words['zh']}（{title['zh']}：{made}，最优 {best}）。",
    )
