"""What a clause is called in a few words, where its id would say nothing: by its topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoring.profiles.clause_files import BESIDE, clauses_of
from scoring.profiles.profile import Clause
from scoring.profiles.tables import chapter_title
from scoring.values import Text
from scoring.wording import both

#: By topic, or the part of it before its dot.
_TITLES: Final[Mapping[str, Text]] = {
    "adjusted": both("Adjusted hand", "裁定结果"),
    "adjustment": both("Adjusted points", "判罚分"),
    "after_A": both("Past the last level", "末级之后"),
    "all_pass": both("All pass", "都不叫"),
    "ally": both("The ally", "盟友"),
    "bid": both("Bidding", "叫分"),
    "cap": both("Upper limit", "封顶"),
    "captured": both("Points in tricks", "得分"),
    "cards.hollow": both("Around the level", "级牌两侧"),
    "cards.joints": both("Trump tractors", "主牌拖拉机"),
    "cards.level_joker": both("Level and joker", "级牌连王"),
    "cards.nt_level_joker": both("Level and joker", "级牌连王"),
    "cards.order": both("Order of cards", "牌的大小"),
    "cards.reading": both("Reading of shapes", "牌型读法"),
    "cards.tractor": both("Tractors", "拖拉机"),
    "cards": both("Shapes", "牌型"),
    "coins": both("Coins", "金币"),
    "counter.early": both("Countering early", "拿底前反主"),
    "counter.first_hand": both("First hand countered", "首副反主"),
    "counter.late": both("Countering late", "埋底后反主"),
    "counter.order": both("Order of counters", "反主大小"),
    "counter.reinforced": both("Reinforced trump", "反加固的主"),
    "counter.rights": both("Who may counter", "反主次序"),
    "counter.self": both("One's own trump", "反自己"),
    "counter.twice": both("Countering twice", "连续反主"),
    "counter": both("Countering", "反主"),
    "dark_bid": both("Face-down bids", "暗炒"),
    "deal": both("Cards and deal", "用牌"),
    "dealer.kept": both("Deal kept", "续庄"),
    "dealer.lost": both("Deal lost", "下台换庄"),
    "dealer": both("Who deals", "轮庄"),
    "declare.no_trump": both("Declaring no-trump", "亮无主"),
    "declare.reinforce": both("Reinforcing", "加固"),
    "declare": both("Declaring", "亮主"),
    "division": both("Sides", "分组"),
    "draw": both("Drawing cards", "抓牌"),
    "end": both("End of the table", "本桌结束"),
    "finish": both("Winning the match", "获胜"),
    "first_deal": both("First hand", "首副"),
    "flag": both("Carrying the flag", "扛旗"),
    "flip": both("Turning the kitty", "翻底"),
    "floor": both("Lower limit", "保底"),
    "follow.throw": both("Following a throw", "跟甩牌"),
    "follow": both("Following", "跟牌"),
    "forfeit": both("Forfeit", "弃权"),
    "format": both("Format", "赛制"),
    "grain": both("Steps of points", "分数单位"),
    "hidden_declare": both("Declaring face down", "暗亮"),
    "hook": both("Hook", "钩到底"),
    "hook_limit": both("Limit of hooks", "钩到底次数"),
    "joker_declare": both("Joker to declare", "带王亮主"),
    "jump": both("Jumps", "直升"),
    "kitty.bury": both("Burying", "埋底"),
    "kitty.cards": both("Kitty factor", "底牌倍数"),
    "kitty.decides": both("Kitty factor", "底牌倍数"),
    "kitty.510K": both("Kitty factor", "底牌倍数"),
    "kitty.dig": both("Dig", "抠底"),
    "kitty.escape": both("Kitty held", "保底牌"),
    "kitty.trump_only": both("Dig", "抠底"),
    "kitty": both("Kitty factor", "底牌倍数"),
    "ladder": both("Ladder", "级别次序"),
    "last_trick": both("Last trick", "末圈"),
    "lead": both("Leading enough", "领先获胜"),
    "let_stand": both("Let stand", "维持级别"),
    "level_penalty": both("Level penalty", "级别处罚"),
    "level_words": both("Names of wins", "胜局名称"),
    "levels_cap": both("Levels at most", "升级上限"),
    "look": both("Looking at cards", "查看牌"),
    "must_play": both("Must be played", "必打"),
    "name": both("The name", "名称"),
    "no_hook": both("No hook", "无钩到底"),
    "no_rebellion": both("No rebellion", "不造反"),
    "no_trump": both("No-trump", "无主"),
    "own_line": both("Own line", "自定上台分"),
    "pass_a": both("Passing the last level", "打过末级"),
    "penalty": both("Penalties", "处罚"),
    "permanent_ranks": both("Always trumps", "常主"),
    "play": both("Play", "行牌"),
    "points": both("Point cards", "分牌"),
    "rebellion": both("Rebellion", "造反"),
    "rebellion.proof": both("Proof of rebellion", "造反验牌"),
    "rebellion_redeal": both("Rebellion redealt", "造反重抓"),
    "rebellion_twice": both("Rebelling twice", "连续造反"),
    "recompute": both("Due level", "应打级别"),
    "redeal": both("Dealt again", "重发"),
    "seats": both("Seats", "座位"),
    "set": both("Set by the event", "赛事规定"),
    "signal": both("Signals", "信号"),
    "stage": both("On stage", "台上"),
    "stake": both("Stake", "输赢"),
    "table": both("Level table", "升级表"),
    "throw.forced": both("Failed throw", "甩牌失败"),
    "throw": both("Throws", "甩牌"),
    "throw_fine": both("Throw fine", "甩牌罚分"),
    "throws": both("Throws", "甩牌"),
    "timed_tie": both("Time is up", "到时定胜负"),
    "total": both("Total", "总分"),
    "total_only": both("Total alone", "只录总分"),
    "tractors": both("Tractors", "拖拉机"),
    "trick.equal": both("Equal cards", "同样大小"),
    "trick.lead": both("Leading", "领出"),
    "trick.over_ruff": both("Over-ruff", "盖毙"),
    "trick.ruff": both("Ruff", "毙牌"),
    "trick": both("Winning a trick", "赢圈"),
    "winner": both("Who wins", "获胜"),
}
#: Clauses that hold beside any profile, by id, and what their subject is called.
_BESIDE: Final[Mapping[str, tuple[Clause, Text]]] = {
    clause.id: (clause, title) for package, name, title in BESIDE for clause in clauses_of(package, name).values()
}


def title_of(clause: Clause) -> Text:
    """The name of a clause: of its topic, else of its subject or chapter."""
    if clause.id in _BESIDE:
        return _BESIDE[clause.id][1]
    root = clause.topic.partition(".")[0]
    return _TITLES.get(clause.topic) or _TITLES.get(root) or chapter_title(clause.topic)


def beside(clause_id: str) -> Clause | None:
    """A clause that holds beside any profile."""
    found = _BESIDE.get(clause_id)
    return None if found is None else found[0]
