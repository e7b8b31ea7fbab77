"""What a flag says, in plain words: what was seen, and what to ask. It accuses nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.radar.seen import HandSeen, Kind
from scoring.values import Text
from scoring.wording import MINUS, both

ASK: Mapping[Kind, Text] = {
    Kind.TOTAL: both(
        "Count the sheet again with both sides: a digit too many, the other role, a kitty counted twice?",
        "请与双方核对记录：多写一位、闲庄写反、底牌算了两次？",
    ),
    Kind.CLIMB: both(
        "A strong side does this now and then. Look at the hands one by one; were they all played?",
        "强队偶尔如此。请逐副查看：每一副都打了吗？",
    ),
    Kind.DUE: both(
        "Which level was played, and who dealt? A correction puts it right.", "实际打的是几级、谁坐庄？可以更正。"
    ),
    Kind.COPY: both("Was a hand entered twice?", "是否有一副录了两次？"),
    Kind.FAST: both(
        "Were the hands entered later all at once, from memory or paper? Were they all played?",
        "是否事后凭记忆或纸条一起补录？每一副都打了吗？",
    ),
    Kind.SLOW: both(
        "A dispute, a pause, a phone without network? Ask whether the table needs time.",
        "有争议、休息、没有网络？请问该桌是否需要补时。",
    ),
    Kind.CARDS: both("The record or the sheet is wrong: which?", "牌谱和记录必有一错：是哪一个？"),
    Kind.REVOKES: both(
        "A tired player or bad light does this too. The rulings say what happened each time.",
        "疲劳、光线差也会如此。各次经过见判罚。",
    ),
    Kind.FIELD: both(
        "A bold contract, a slip on the sheet, a board dealt wrongly? Compare the sheets of this board.",
        "打法冒险、记错、牌发错？请对照这副牌各桌的记录。",
    ),
    Kind.RETURN: both(
        "Judge it at the adjudicator: the dealer may have had a reason that the record does not tell.",
        "请到裁判器判断：庄家可能有牌谱没有写出的理由。",
    ),
}


def total(hand: HandSeen, *, high: bool) -> Text:
    points = str(hand.figure).replace("-", MINUS)
    more_en, more_zh = ("or more", "或更多") if high else ("or less", "或更少")
    return both(
        f"Hand {hand.number}: a total of {points}. A total of {points} {more_en} is rare.",
        f"第 {hand.number} 副：总分 {points}。{points} 分{more_zh}很少见。",
    )


def joined(number: int, told: Sequence[Text]) -> Text:
    en, zh = " ".join(one["en"] for one in told), "".join(one["zh"] for one in told)
    return both(f"Hand {number}: {en}", f"第 {number} 副：{zh}")


def climb(hands: Sequence[HandSeen], name: Text | None, party: str, gained: int) -> Text:
    who = name or both(party, party)
    return both(
        f"{_from_to(hands)['en']}: {who['en']} gained {gained} in {len(hands)} hands.",
        f"{_from_to(hands)['zh']}：{who['zh']}在 {len(hands)} 副中共升（得）{gained}。",
    )


def copies(hands: Sequence[HandSeen]) -> Text:
    points = str(hands[0].figure).replace("-", MINUS)
    return both(
        f"{_from_to(hands)['en']}: written down alike {len(hands)} times running, each {points}.",
        f"{_from_to(hands)['zh']}：连续 {len(hands)} 副记录完全相同，都是 {points} 分。",
    )


def fast(hands: Sequence[HandSeen], seconds: int, cards: int) -> Text:
    played = len(hands) - 1
    return both(
        f"{_from_to(hands)['en']}: {played} hands were played and entered within {seconds} seconds; a hand has {cards} "
        f"cards to deal and play.",
        f"{_from_to(hands)['zh']}：{seconds} 秒之内打完并录入 {played} 副；一副要发、要打 {cards} 张牌。",
    )


def slow(hand: HandSeen, seconds: int, usual: int) -> Text:
    minutes, half = seconds // 60, max(1, round(usual / 60))
    return both(
        f"Hand {hand.number}: entered {minutes} minutes after the hand before; half of all hands here take {half} or "
        f"less.",
        f"第 {hand.number} 副：在上一副之后 {minutes} 分钟才录入；本赛事半数的副不超过 {half} 分钟。",
    )


def field(board: int, took: int, usual: int, others: int) -> Text:
    return both(
        f"Board {board}: the attackers took {took} here; half of the {others} other tables took {usual} or less."
        if took >= usual
        else f"Board {board}: the attackers took {took} here; half of the {others} other tables took {usual} or more.",
        f"第 {board} 副牌：此桌闲家得 {took} 分；其余 {others} 桌的中位数是 {usual} 分。",
    )


def revokes(entrant: int, times: int, hands: int) -> Text:
    return both(
        f"Entrant {entrant}: {times} revokes stand in the rulings, in {hands} hands so far.",
        f"{entrant} 号：至今 {hands} 副，判罚中有悔牌 {times} 次。",
    )


def _from_to(hands: Sequence[HandSeen]) -> Text:
    first, last = hands[0].number, hands[-1].number
    return both(f"Hands {first} to {last}", f"第 {first} 至 {last} 副")
