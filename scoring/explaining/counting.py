"""How a sheet is counted (计分顺序), as steps a page can draw, read off a profile's options."""

from __future__ import annotations

from collections.abc import Iterator

from scoring import wording
from scoring.explaining.flows import Step, spoken
from scoring.profiles import Profile
from scoring.values import Text
from scoring.wording import both


def counting(profile: Profile) -> tuple[Step, ...]:
    """The order in which a sheet is counted, from points in tricks to the next dealer."""
    if profile.division == "everyone":
        return tuple(_each_for_himself(profile))
    if profile.division == "alone":
        return (*_summed(profile), *_settled(profile), *_against_the_bid(profile))
    return (*_summed(profile), *_settled(profile), *_going_up(profile))


def _each_for_himself(profile: Profile) -> Iterator[Step]:
    """A hand in which every player counts what he took."""
    tricks = both("The points of the tricks each player won.", "各家所赢各圈中的分。")
    yield _do(profile, "captured", both("Points in tricks", "各家得分"), tricks, "captured")
    kitty = both(
        "Who won the last trick gets the kitty points, once: nothing is multiplied.", "末圈大者得底牌分数，不翻倍。"
    )
    yield _do(profile, "dig", both("+ kitty", "＋ 底牌分"), kitty, "kitty.dig")
    if profile.throw_fine:
        fines = both(
            "The fine of a failed throw is taken from the player who threw.", "甩牌失败的罚分从甩牌者得分中扣除。"
        )
        yield _do(profile, "fines", both("- throw fines", "－ 甩牌罚分"), fines, "throw_fine")
    check = both("All of these together are every point of the decks.", "各家合计即全部分数。")
    yield _do(profile, "total", both("= check", "＝ 核对"), check, "total")
    best = both("The highest total wins; equal totals share.", "得分最高者胜，相同则并列。")
    yield _do(profile, "winner", both("Who wins", "胜负"), best, "winner", "winner.shared")


def _against_the_bid(profile: Profile) -> Iterator[Step]:
    """What the total leads to where one player bid for the deal and played alone."""
    held = both("The others win with at least the bid; below it the dealer wins.", "达到所叫分数闲家胜，不到则庄家胜。")
    yield _do(profile, "bid", both("Against the bid", "与叫分相比"), held, "bid")
    paid = both("The dealer settles with each of the others.", "庄家与其余每家分别结算。")
    yield _do(profile, "stake", both("What it is worth", "结算"), paid, "stake")


def _do(profile: Profile, name: str, label: Text, text: Text, *topics: str) -> Step:
    return Step(name, "do", label, text, spoken(profile, *topics))


def _summed(profile: Profile) -> Iterator[Step]:
    """What is added up to the total."""
    yield _do(
        profile,
        "captured",
        both("Points in tricks", "闲家得分"),
        both("The points in tricks the attackers won.", "闲家赢得的各圈中的分。"),
        "captured",
    )
    if profile.last_trick == "kitty":
        yield _do(
            profile,
            "dig",
            both("+ kitty × factor", "＋ 底牌分 × 倍数"),
            both(
                "If the attackers won the last trick: the kitty points times the factor.",
                "闲家赢得末圈：加底牌分乘倍数。",
            ),
            "kitty.dig",
            "kitty.decides",
            "kitty.escape",
        )
    else:
        yield _do(
            profile,
            "last_trick",
            both("± last trick × cards", "± 末圈分 × 张数"),
            both(
                "The points of the last trick times the cards led to it, for the attackers or against them.",
                "末圈分数乘领出张数，闲家赢则加，庄家方赢则减。",
            ),
            "last_trick",
        )
    if profile.throw_fine:
        yield _do(
            profile,
            "fines",
            both("± throw fines", "± 甩牌罚分"),
            both(
                "Fines of failed throws: plus for those of the dealer side, minus for those of the attackers.",
                "甩牌失败的罚分：庄家方甩错加，闲家甩错减。",
            ),
            "throw_fine",
        )
    yield _do(
        profile,
        "adjustments",
        both("± rulings", "± 判罚"),
        both("Points given or taken by a ruling.", "裁判判给或扣除的分。"),
        "adjustment",
    )
    yield _do(
        profile,
        "total",
        both("= total", "＝ 总分"),
        both("The sum of all these is the total.", "以上之和为总分。"),
        "total",
    )


def _going_up(profile: Profile) -> Iterator[Step]:
    """What the total leads to: levels, their limits, and who deals next."""
    yield _do(
        profile,
        "levels",
        both("→ levels", "→ 升级"),
        both(
            f"The table of levels gives the gain; {profile.threshold} points take the deal.",
            f"按升级表得出升级数；{profile.threshold} 分上台。",
        ),
        "table.negative",
        "table.zero",
        "table.below",
        "table.line",
        "table.above",
        "levels_cap",
    )
    if profile.must_play and profile.must_mode != "none":
        yield _do(
            profile,
            "must_play",
            both("Must-play cut", "必打"),
            both("A level that must be played may cut the gain.", "遇到必打的级别，升级到此为止。"),
            "must_play",
        )
    if profile.hook_levels:
        yield _do(
            profile,
            "hook",
            both("Hook", "钩到底"),
            both("Then the hook, whatever the levels were.", "再看是否钩到底，不论升几级。"),
            "hook",
            "hook_limit",
        )
    if profile.division == "ally":
        anew = both("The next deal is contested anew, by declaring.", "下一副重新亮牌争夺庄家。")
        yield _do(profile, "dealer", both("Next dealer", "下一副庄家"), anew, "dealer.each_hand")
        return
    yield _do(
        profile,
        "dealer",
        both("Next dealer", "下一副庄家"),
        both(
            "At last the next dealer: the partner when the deal was kept, the right-hand neighbour when it was lost.",
            "最后定下一副庄家：保庄由对家，下台由下家。",
        ),
        "dealer.kept",
        "dealer.lost",
    )


def _settled(profile: Profile) -> Iterator[Step]:
    """Cap and floor of the total, where the profile has them."""
    cap, floor = profile.score_cap, profile.score_floor
    if cap is not None:
        text = both(f"A total above {cap} counts as {cap}.", f"总分超过 {cap} 按 {cap} 计。")
        yield Step("cap", "do", both("Cap", "封顶"), text, spoken(profile, "cap"))
    if profile.negative_total == "floor_zero":
        floor = 0
    if floor is not None:
        shown = wording.shown(floor)
        text = both(
            f"A total below {shown['en']} counts as {shown['en']}.", f"总分低于 {shown['zh']} 按 {shown['zh']} 计。"
        )
        yield Step("floor", "do", both("Floor", "保底"), text, spoken(profile, "floor"))
