"""What happens before the first card is played (出牌前的流程), as steps a page can draw.

Nothing here decides anything: the steps are read off a profile's options, and each names the clauses it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scoring.cards.duplicate import cite
from scoring.profiles import Clause, Profile
from scoring.profiles.option_words import say
from scoring.values import Text
from scoring.wording import both

#: Where a side branch leads: down to the next step, back to its own question, past the counters, or nowhere.
Then = Literal["on", "again", "to_kitty", "stop"]


@dataclass(frozen=True, slots=True)
class Branch:
    """What happens after the other answer to a question: `answer` is a word, `label` is short, `text` says it all."""

    answer: Text
    label: Text
    text: Text
    then: Then
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `label` fits a box of a drawing, `text` is the whole sentence.

    A question (`ask`) goes on with `answer`, or by its `branch`. `end` is the last step.
    """

    id: str
    kind: Literal["do", "ask", "end"]
    label: Text
    text: Text
    clauses: tuple[Clause, ...] = ()
    answer: Text | None = None
    branch: Branch | None = None


YES: Text = {"en": "yes", "zh": "是"}
NO: Text = {"en": "no", "zh": "否"}
NOBODY: Text = {"en": "nobody", "zh": "都不"}
SOMEBODY: Text = {"en": "somebody", "zh": "有人"}


def pre_play(profile: Profile, *, first: bool) -> tuple[Step, ...]:
    """The steps of a hand up to the first lead: the first hand of a match, or any later one."""
    return tuple(_bid_game(profile) if profile.bidding is not None else _trump_game(profile, first=first))


def spoken(profile: Profile, *topics: str) -> tuple[Clause, ...]:
    """The clauses in force on these topics, in this order; a topic nobody speaks on is left out."""
    found = (profile.topics.get(topic) for topic in topics)
    return tuple({clause.id: clause for clause in found if clause is not None}.values())


def _sentence(text: Text) -> Text:
    """Words of an option as a sentence of their own."""
    return both(f"{text['en'][:1].upper()}{text['en'][1:]}.", f"{text['zh']}。")


def _trump_game(profile: Profile, *, first: bool) -> Iterator[Step]:
    if profile.declare_order == "partner_first":
        yield from _in_turn(profile)
        return
    yield _draw(profile, first=first)
    yield _declared(profile, first=first)
    yield _declare(profile, first=first)
    if profile.counter_ranks and (first or profile.early_counter):
        yield _early_counter(profile, first=first)
    if profile.kitty_cards:
        yield _bury(profile)
        if profile.counter_ranks and profile.late_counter and (not first or profile.first_hand_late_counter):
            yield _late_counter(profile, first=first)
    if profile.rebellion:
        yield _rebellion(profile)
    yield _lead(profile)


def _in_turn(profile: Profile) -> Iterator[Step]:
    """The dealer is fixed and all cards are dealt: the partner of the dealer speaks first."""
    named = both("Partner of the dealer names trumps", "庄家同伴口头定主")
    nobody = both(
        "Nobody has declared: the partner of the dealer names the suit.", "无人亮主，由庄家同伴口头决定主牌花色。"
    )
    yield Step(
        "in_turn",
        "ask",
        both("Does somebody declare, partner of the dealer first?", "由庄家同伴开始，有人亮主吗？"),
        _sentence(say("declare_order", "partner_first")),
        (*spoken(profile, "declare"), *(reason.clause for reason in cite("partner_first", "strength", "settled"))),
        answer=YES,
        branch=Branch(NO, named, nobody, "on", tuple(reason.clause for reason in cite("named"))),
    )
    if profile.kitty_cards:
        yield _bury(profile)
    if profile.rebellion:
        yield _rebellion(profile)
    yield _lead(profile)


def _draw(profile: Profile, *, first: bool) -> Step:
    hand, kitty = profile.hand_cards, profile.kitty_cards
    starts = both("The player found by lot", "由抽定的玩家") if first else both("The dealer", "由庄家")
    rest = both(f"until {kitty} are left", f"剩 {kitty} 张为底牌") if kitty else both("until none is left", "抓完为止")
    return Step(
        "draw",
        "do",
        both(f"{starts['en']} draws first, {rest['en']}", f"{starts['zh']}先抓牌，{rest['zh']}"),
        both(
            f"{starts['en']} draws first; all draw one card at a time, counter-clockwise, {rest['en']}. "
            f"Each then holds {hand}.",
            f"{starts['zh']}先抓，逆时针每次一张，{rest['zh']}，每人手牌 {hand} 张。",
        ),
        spoken(profile, "deal", *(("draw.first",) if first else ()), "draw.order"),
    )


def _declared(profile: Profile, *, first: bool) -> Step:
    level = (
        both("of the level both sides start at", "起始级的级牌")
        if first
        else both("of the level of the dealer", "庄家所打级别的级牌")
    )
    joker = both("", "") if profile.joker_declare == "none" else both(", together with a joker", "，并须同时亮王")
    countered = (
        both(" Others may counter it at once, while cards are drawn.", "抓牌过程中即可反。")
        if profile.counter_while_drawing and profile.counter_ranks
        else both("", "")
    )
    topics = [
        "declare",
        *(("declare.no_trump",) if profile.declare_no_trump else ()),
        *(("joker_declare",) if profile.joker_declare != "none" else ()),
        *(("hidden_declare",) if profile.hidden_declare else ()),
        *(("counter.drawing",) if countered["en"] else ()),
    ]
    return Step(
        "declared",
        "ask",
        both("Has somebody declared?", "有人亮主吗？"),
        both(
            f"While drawing, any player may declare by showing a card {level['en']}{joker['en']}.{countered['en']}",
            f"抓牌时，任何人都可以亮{level['zh']}{joker['zh']}，叫作亮主。{countered['zh']}",
        ),
        spoken(profile, *topics),
        answer=YES,
        branch=_nobody_declared(profile, first=first),
    )


#: What finds the trumps when nobody declares, in the few words a box has room for.
_FOUND: dict[str, Text] = {
    "flip_level": both("Turn the kitty: first level card, else first card", "翻底：首张级牌定主，没有则看第一张"),
    "third": both("Third card of the kitty is trump", "底牌第三张定主"),
    "first": both("First card of the kitty is trump", "底牌第一张定主"),
    "partner_names": both("Partner of the dealer names trumps", "庄家的对家定主"),
}


def _nobody_declared(profile: Profile, *, first: bool) -> Branch:
    if first and profile.no_declare_first == "redeal":
        return Branch(
            NO,
            both("Deal again", "重新发牌"),
            _sentence(say("no_declare_first", profile.no_declare_first)),
            "stop",
            spoken(profile, "declare.asked", "flip.first_hand"),
        )
    label, text = _FOUND[profile.no_declare], _sentence(say("no_declare", profile.no_declare))
    if first:
        dealer = _sentence(say("no_declare_first", profile.no_declare_first))
        label = both(f"{label['en']}. Suit finds the dealer", f"{label['zh']}，花色定庄")
        text = both(f"{text['en']} {dealer['en']}", f"{text['zh']}{dealer['zh']}")
    topics = ("declare.asked", "flip.trump", "flip.joker", *(("flip.first_hand",) if first else ()), "flip.final")
    return Branch(NO, label, text, "to_kitty", spoken(profile, *topics))


def _declare(profile: Profile, *, first: bool) -> Step:
    more = both(" The same card again reinforces it.", "再亮一张相同的牌为加固。")
    who = both("The declarer deals for now", "亮主者暂时坐庄") if first else both("The dealer stays", "庄家不变")
    if profile.decks == 1:
        more = both("", "")
    return Step(
        "declare",
        "do",
        both(f"Its suit is trump for now. {who['en']}", f"亮出的花色暂定为主，{who['zh']}"),
        both(
            f"The suit shown is trump unless it is countered. {who['en']}.{more['en']}",
            f"亮出的花色为主，除非被反。{who['zh']}。{more['zh']}",
        ),
        spoken(
            profile, *(("declare.first_hand", "first_deal") if first else ()), "declare.reinforce", "counter.reinforced"
        ),
    )


_RIGHTS = both("dealer, right, partner, left", "庄家、下家、对家、上家")
#: Topics on what counters what, and whose right it is.
COUNTERING = ("counter.what", "counter.order", "counter.rights", "counter.self", "counter.twice")


def special_counters(profile: Profile) -> tuple[str, ...]:
    """Topics on countering that only some profiles play."""
    played = (
        (profile.joker_counter_final, "counter.joker_final"),
        (profile.look_back, "counter.look_back"),
        (profile.dark_bids, "counter.dark"),
    )
    return tuple(topic for plays, topic in played if plays)


def _early_counter(profile: Profile, *, first: bool) -> Step:
    label = (
        both("Higher trumps hold; the counterer deals", "改主，反主者坐庄")
        if first
        else both("The higher trumps hold", "改为更大的主")
    )
    dealer = both("the counterer deals", "由反主者坐庄") if first else both("the dealer stays", "庄家不变")
    again = (
        both(" After jokers nobody counters any more.", "用王反后不能再反。")
        if profile.joker_counter_final
        else both("", "")
    )
    return Step(
        "early_counter",
        "ask",
        both(f"Does anybody counter? Asked: {_RIGHTS['en']}", f"有人反吗？依次问{_RIGHTS['zh']}"),
        both(
            f"Before the kitty is taken all are asked in this order: {_RIGHTS['en']}; until all four pass.",
            f"拿底之前依次问{_RIGHTS['zh']}是否反，四家都不反为止。",
        )
        if profile.kitty_cards
        else both(
            f"All are asked in this order: {_RIGHTS['en']}; until all four pass.",
            f"依次问{_RIGHTS['zh']}是否反，四家都不反为止。",
        ),
        spoken(profile, *COUNTERING, *special_counters(profile)),
        answer=NOBODY,
        branch=Branch(
            SOMEBODY,
            label,
            both(
                "Only something higher than what stands may counter; it fixes the trumps, "
                f"{dealer['en']}, and all are asked again.{again['en']}",
                f"只能用更大的反；反后改主，{dealer['zh']}，再依次询问。{again['zh']}",
            ),
            "again",
            spoken(profile, "counter.early"),
        ),
    )


def _bury(profile: Profile) -> Step:
    kitty = profile.kitty_cards
    return Step(
        "kitty",
        "do",
        both(f"The dealer takes the kitty and buries {kitty}", f"庄家拿底，埋 {kitty} 张"),
        both(
            f"The dealer takes the {kitty} cards of the kitty and buries any {kitty} face down. "
            "Only who buried them may look at them.",
            f"庄家拿起 {kitty} 张底牌，再扣下任意 {kitty} 张。只有埋底的人可以看。",
        ),
        spoken(profile, "kitty.bury", "look.kitty"),
    )


def _late_counter(profile: Profile, *, first: bool) -> Step:
    topics = COUNTERING if not (first or profile.early_counter) else ("counter.rights", "counter.twice")
    return Step(
        "late_counter",
        "ask",
        both(f"Does anybody counter now? Asked: {_RIGHTS['en']}", f"埋底后有人反吗？依次问{_RIGHTS['zh']}"),
        both(
            f"After the burial all are asked, in this order: {_RIGHTS['en']}; until all four pass.",
            f"埋底之后依次问{_RIGHTS['zh']}是否反，四家都不反为止。",
        ),
        spoken(profile, *topics, *special_counters(profile)),
        answer=NOBODY,
        branch=Branch(
            SOMEBODY,
            both("The counterer takes the kitty and buries again", "反主者抄底，重新埋底"),
            both(
                "The higher trumps hold; the counterer takes the kitty and buries again. The dealer stays the dealer.",
                "改主，反主者拿起底牌重新埋底（抄底），庄家不变。",
            ),
            "again",
            spoken(profile, "counter.late", *(("counter.first_hand",) if first else ())),
        ),
    )


def _rebellion(profile: Profile) -> Step:
    points, trumps = profile.rebellion_points, profile.rebellion_trumps
    return Step(
        "rebellion",
        "ask",
        both("Does an attacker rebel?", "闲家有人造反吗？"),
        both(
            f"After all countering an attacker who did not bury may rebel with at most {points} points, "
            f"or at most {trumps} trumps, and shows the whole hand.",
            f"反主结束后，没有埋过底的闲家手上不超过 {points} 分，或主牌不超过 {trumps} 张，可亮牌造反。",
        ),
        spoken(profile, "rebellion", "rebellion.proof", "rebellion_twice"),
        answer=NO,
        branch=Branch(
            YES,
            both("Void: partner of the dealer deals", "作废，庄家的对家重新坐庄"),
            both(
                "The hand does not count; the partner of the dealer deals the next one.",
                "本副作废，由庄家的对家坐庄，重新抓牌。",
            ),
            "stop",
            spoken(profile, "rebellion_redeal"),
        ),
    )


def _lead(profile: Profile) -> Step:
    hand = profile.hand_cards
    return Step(
        "lead",
        "end",
        both("The dealer leads", "庄家首先出牌"),
        both(f"All hold {hand} cards; the dealer leads to the first trick.", f"每人 {hand} 张，庄家首先出牌。"),
        spoken(profile, "lead"),
    )


def _bid_game(profile: Profile) -> Iterator[Step]:
    assert profile.bidding is not None
    high, low, step = (profile.bidding[name] for name in ("high", "low", "step"))
    yield _draw(profile, first=True)
    yield Step(
        "bid",
        "ask",
        both(f"Does anybody bid lower? {high} to {low}", f"有人叫得更低吗？{high} 到 {low} 分"),
        both(
            f"The players bid in turn, from {high} down to {low} in steps of {step}, or pass.",
            f"轮流叫分，{high} 分起，{step} 分一档，最低 {low} 分，也可不叫。",
        ),
        spoken(profile, "bid"),
        answer=NOBODY,
        branch=Branch(
            SOMEBODY,
            both("That is the bid to go under", "以此为准继续叫"),
            both("A bid must be lower than the one before.", "后叫的必须比前面的低。"),
            "again",
        ),
    )
    yield Step(
        "names",
        "do",
        both("The lowest bidder deals, plays alone and names trumps", "叫分最低者坐庄，独打并定主"),
        both(
            "The lowest bidder deals, names the trump suit and plays alone against the others.",
            "叫分最低者坐庄，自定主花色，一人对其余各家。",
        ),
        spoken(profile, "no_trump"),
    )
    if profile.kitty_cards:
        yield _bury(profile)
    yield _lead(profile)
