"""A difference that the audit found, as a sentence: where it is, what is stored, what the record gives instead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from scoring.values import Text, exact
from scoring.wording import both

from ..acts.errors import SENTENCES
from ..acts.text import canonical_json

LANGUAGES = ("en", "zh")
#: Characters of a value in a sentence; the JSON beside it has it whole.
LONGEST = 160

#: The parts of a place, `{}` being what stands behind the word.
_PLACES: Mapping[str, Text] = MappingProxyType(
    {
        "field of stage": both("field of stage {}", "第 {} 阶段名单"),
        "standings of stage": both("live standings of stage {}", "第 {} 阶段实时名次"),
        "rule change": both("change of rules {}", "规则变更 {}"),
        "publication": both("standings no. {}", "公布的名次第 {} 号"),
        "ruling": both("ruling {}", "判罚 {}"),
        "round": both("round {}", "第 {} 轮"),
        "table": both("table {}", "{} 桌"),
        "game": both("game {}", "第 {} 局"),
        "board": both("board {}", "{} 号牌"),
        "hand": both("hand {}", "第 {} 副"),
        "record": both("its record {}", "牌谱 {}"),
        "entry": both("entry {} of its record", "第 {} 条记录"),
        "place": both("place {}", "{} 号位"),
        "bye": both("bye of entrant id {}", "轮空（参赛方 id {}）"),
        "draw": both("draw {}", "抽签 {}"),
        "pairing": both("pairing {}", "编排 {}"),
        "match": both("match {}", "第 {} 场"),
        "entrant": both("entrant id {}", "参赛方 id {}"),
        "open": both("open room", "开室"),
        "closed": both("closed room", "闭室"),
    }
)
_PLACE = re.compile(rf"({'|'.join(one for one in _PLACES if one not in ('open', 'closed'))}) (\S+)|(open|closed) room")
_THE_EVENT = both("the event", "赛事")

#: What is compared, as people call it; columns without a word here keep their name.
_WHAT: Mapping[str, Text] = MappingProxyType(
    {
        "levels": both("levels", "级别"),
        "on_stage": both("side on stage", "台上方"),
        "next_dealer": both("next dealer", "下一副庄家"),
        "finished": both("whether it is over", "是否结束"),
        "winner": both("winner", "胜方"),
        "winner_side": both("winner", "胜方"),
        "outcome": both("outcome", "结局"),
        "decided_by": both("what decided it", "由何决定"),
        "home_hundredths": both("score of the home side", "主队场分"),
        "away_hundredths": both("score of the away side", "客队场分"),
        "net_hundredths": both("net points of the home side", "主队净分"),
        "away_net_hundredths": both("net points of the away side", "客队净分"),
        "home_level": both("final level of the home side", "主队最终级别"),
        "away_level": both("final level of the away side", "客队最终级别"),
        "hand_points": both("hand points", "各副积分"),
        "hands_played": both("hands played", "已打副数"),
        "hand_no": both("number of the next hand", "下一副序号"),
        "phase": both("phase", "阶段"),
        "ledger": both("ledger", "记录"),
        "kind": both("kind of entry", "记录类别"),
        "parties": both("parties behind it", "作证各方"),
        "effective versions": both("versions that count", "有效版本数"),
        "effective entries": both("entries that count", "有效记录数"),
        "board": both("result of the board", "这副牌的成绩"),
        "result": both("result", "赛果"),
        "rows": both("rows of the table", "名次表各行"),
        "covers": both("how far it had come", "算到哪一步"),
        "next_level": both("next level", "下一副级别"),
        "end_reason": both("why it ended", "结束原因"),
        "draw": both("whether it is drawn", "是否平局"),
        "undecided": both("what is undecided", "未决事项"),
        "contested": both("whether it is contested", "是否有异议"),
        "hooked": both("hooks", "钩到底次数"),
        "flag_failures": both("failures at the flag", "扛旗失败次数"),
        "last_was_rebellion": both("whether the last hand was a rebellion", "上一副是否造反"),
        "passed": both("who passed the last level", "打过末级的一方"),
        "count": both("which time it is", "第几次"),
        "points": both("points", "分数"),
        "digest": both("digest", "摘要码"),
        "number": both("number", "编号"),
        "document": both("document", "文件"),
        "question": both("question it was made from", "所依据的问题"),
        "placing": both("placing of the event", "总名次"),
        "provisional": both("whether it was provisional", "是否暂定"),
        "matches": both("matches", "场次"),
        "who meets": both("who meets whom", "对阵"),
        "order": both("order", "次序"),
        "entrants": both("entrants", "参赛方"),
        "acts": both("acts", "各步"),
        "entry": both("entry", "记录"),
        "record": both("record of the hand", "牌谱"),
        "text": both("text", "文本"),
        "profile": both("rules", "规则"),
        "profile_digest": both("digest of the rules", "规则摘要码"),
        "rule changes": both("chain of rules", "规则变更的衔接"),
        "rules of publication": both("rules it names", "所写规则"),
        "value_changed": both("a value that no act put there", "不是任何操作写入的值"),
        "row_added": both("a row that no act wrote", "不是任何操作写入的行"),
        "row_gone": both("a row that no act removed", "不是任何操作删除的行"),
        "leaf_not_signed": both("a line of the log that was not signed here", "不是本处签名的日志行"),
        "leaf_missing": both("a line of the log that does not follow the one before", "与前一条不相接的日志行"),
        "head_differs": both("a head of the log that does not fit", "不相符的签名摘要"),
        "log_cut": both("lines of the log that were cut off", "被截去的日志行"),
        "seed of the lots": both("seed of the lots", "抽签种子"),
        "lot_commitment": both("commitment of the lots", "抽签承诺值"),
    }
)
#: Values that are words, those that the audit itself gives among them; codes of refusals have their sentences.
_WORDS: Mapping[str, Text] = MappingProxyType(
    {
        "NS": both("N–S", "南北方"),
        "EW": both("E–W", "东西方"),
        "pending": both("not finished", "未完"),
        "played": both("played", "已打"),
        "home_forfeit": both("the home side forfeits", "主队弃权"),
        "away_forfeit": both("the away side forfeits", "客队弃权"),
        "double_forfeit": both("both forfeit", "双方弃权"),
        "bye": both("a bye", "轮空"),
        "playing": both("playing", "进行中"),
        "waiting": both("waiting for confirmation", "待确认"),
        "disputed": both("in dispute", "有争议"),
        "finished": both("finished", "已结束"),
        "not finished": both("not finished", "未结束"),
        "hand": both("a hand", "牌局"),
        "annulled": both("an annulled hand", "作废的牌局"),
        "level_penalty": both("a level penalty", "罚级"),
        "penalty": both("a penalty", "处罚"),
        "adjusted": both("an adjusted hand", "裁定结果"),
        "end": both("the end", "结束"),
        "time": both("time", "时间到"),
        "levels": both("levels", "级别"),
        "tie_rule": both("the rule of ties", "同级规则"),
        "forfeit": both("a forfeit", "弃权"),
        "dealer": both("the dealer side", "庄家方"),
        "attackers": both("the attackers", "闲家方"),
        "evidence": both("evidence", "证据"),
        "one": both("one", "一方"),
        "two, or an official with a basis": both("two, or an official with a basis", "两方，或有依据的裁判"),
        "entries that count": both("entries that count", "有效的记录"),
        "a result": both("a result", "有成绩"),
        "not played here": both("not played here", "没在这里打过"),
        "one that counts": both("one that counts", "有效的一条"),
        "a hand that can be judged": both("a hand that can be judged", "可以判定的一副牌"),
        "results that can be ranked": both("results that can be ranked", "可以排名的赛果"),
        "one that can be answered": both("one that can be answered", "可以回答的问题"),
        "another placing": both("another placing", "另一个总名次"),
        "another spelling": both("another spelling", "另一种写法"),
        "canonical JSON": both("canonical JSON", "规范写法"),
        "somebody twice": both("somebody twice", "有人出现两次"),
        "everybody once": both("everybody once", "每方一次"),
    }
)
_NOTHING, _YES, _NO = both("nothing", "无"), both("yes", "是"), both("no", "否")


def sentence(where: str, what: str, recorded: Any, recomputed: Any) -> Text:
    """The sentence of a difference in both languages; the log's findings are sentences already."""
    if _is_text(recomputed):
        return both(recomputed["en"], recomputed["zh"])
    stored, given = _apart(recorded, recomputed)
    place, named = _place(where), _WHAT.get(what, both(what.replace("_", " "), what))
    stored_text, given_text = _value(what, stored), _value(what, given)
    head = place["en"][0].upper() + place["en"][1:]
    return both(
        f"{head}, {named['en']}: stored is {stored_text['en']}, the record gives {given_text['en']}.",
        f"{place['zh']}，{named['zh']}：存的是 {stored_text['zh']}，按记录应为 {given_text['zh']}。",
    )


def _place(where: str) -> Text:
    found = [(match[1] or match[3], match[2] or "") for match in _PLACE.finditer(where)]
    if not found or _PLACE.sub("", where).strip():
        return _THE_EVENT
    told = {one: [_PLACES[word][one].format(value) for word, value in found] for one in LANGUAGES}
    return both(", ".join(told["en"]), " ".join(told["zh"]))


def _apart(recorded: Any, recomputed: Any) -> tuple[Any, Any]:
    """Of two values with parts only what differs, so that it is seen."""
    if isinstance(recorded, Mapping) and isinstance(recomputed, Mapping):
        names = [name for name in {**recorded, **recomputed} if recorded.get(name) != recomputed.get(name)]
        return {name: recorded.get(name) for name in names}, {name: recomputed.get(name) for name in names}
    if _is_list(recorded) and _is_list(recomputed) and len(recorded) == len(recomputed):
        for one, other in zip(recorded, recomputed, strict=True):
            if one != other:
                return _apart(one, other)
    return recorded, recomputed


def _is_text(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == set(LANGUAGES)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _value(what: str, value: Any) -> Text:
    if what.endswith("_hundredths") and type(value) is int:
        return both(exact(Fraction(value, 100)), exact(Fraction(value, 100)))
    if isinstance(value, Mapping) and not any(isinstance(one, Mapping) or _is_list(one) for one in value.values()):
        parts = [(_WHAT.get(name) or _value("", name), _value("", one)) for name, one in value.items()]
        told = {one: [f"{name[one]} {part[one]}" for name, part in parts] for one in LANGUAGES}
        return both(_short(", ".join(told["en"])), _short("、".join(told["zh"])))
    if value is None or value == "":
        return _NOTHING
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, str):
        return _WORDS.get(value) or _named(value)
    text = _short(canonical_json(value))
    return both(text, text)


def _named(value: str) -> Text:
    """The sentence of a code; anything else as it is."""
    found = SENTENCES.get(value)
    return (
        both(_short(value), _short(value)) if found is None else both(found["en"].rstrip("."), found["zh"].rstrip("。"))
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
