"""Illegal information (非法信息): by which ways a partner may learn something, and what a referee has to ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scoring.profiles import Reason
from scoring.signals.clauses import cite
from scoring.values import Text
from scoring.wording import both

CHANNELS = ("card", "card_order", "tempo", "expression", "gesture", "speech", "shown_card", "unreasoned_play")
_CATEGORY = {"tempo": "tempo", "expression": "manner", "gesture": "manner", "speech": "other", "shown_card": "other"}
_NAMED = ("tempo", "expression", "gesture")

#: The ways in words, as a referee chooses among them.
CHANNEL_WORDS: Mapping[str, Text] = {
    "tempo": both("tempo: a card played quickly or slowly", "快慢张"),
    "expression": both("an unusual expression", "异常表情"),
    "gesture": both("an unusual movement", "异常动作"),
    "speech": both("talk", "言语"),
    "shown_card": both("a card shown to the partner on purpose", "故意让同伴看到牌"),
    "card": both("a card with a meaning", "有含义的牌张"),
    "card_order": both("the order in which cards lie", "出牌时的摆放次序"),
    "unreasoned_play": both("a play without a reason", "无道理出牌"),
}

#: What a referee asks where the record cannot tell.
ASK_CARD = (
    both(
        "Is that card, or that order of cards, on the signal card of the side?",
        "这张牌（或这种出牌次序）是否写在该方的信号约定卡上？",
    ),
    both("Has the same been seen in other hands?", "其他各副中是否出现过同样的情况？"),
)
ASK_WAY = (
    both("What was done, and when? Hear both sides.", "做了什么、在何时？听取双方说明。"),
    both(
        "What could the partner learn from it, and did the next play of the partner use it?",
        "同伴能由此得知什么？同伴下一次出牌是否利用了它？",
    ),
    both("Has it happened more than once?", "是否不止一次？"),
    both("Has the side been warned before?", "该方此前是否受过警告？"),
)
ASK_PLAY = (
    both("Hear the player first: what was to be gained by this play?", "先听该牌手说明：这样出牌想得到什么？"),
    both(
        "What could the partner learn from it, and did the next play of the partner use it?",
        "同伴能由此得知什么？同伴下一次出牌是否利用了它？",
    ),
    both("Is there a reason in the cards?", "从牌上看有没有道理？"),
    both("Has the side been warned before?", "该方此前是否受过警告？"),
)


class Judged(NamedTuple):
    """`legal` is None where the referee judges; `category` names what is illegal; `ask` are questions for him."""

    legal: bool | None
    category: str | None
    because: tuple[Reason, ...]
    ask: tuple[Text, ...] = ()


def judge_information(channel: str, *, on_card: bool | None = None, reason: bool | None = None) -> Judged:
    """Whether something was told in a legal way. `on_card`: it is agreed on an open card. `reason`: whether the referee
    found a reason in the cards (None: not judged yet)."""
    if channel in ("card", "card_order"):
        if on_card is None:
            return Judged(None, None, cite("open", "card"), ASK_CARD)
        return Judged(on_card, None if on_card else "undisclosed", cite("open"))
    if channel == "unreasoned_play":
        if reason is None:
            return Judged(None, None, cite("information"), ASK_PLAY)
        return Judged(reason, None if reason else "unreasoned_play", cite("information"))
    topics = ("information",) if channel in _NAMED else ("information.speech",)
    return Judged(False, _CATEGORY[channel], cite(*topics))


def questions_on(channel: str) -> tuple[Text, ...]:
    """What a referee asks before he rules on this way."""
    if channel in ("card", "card_order"):
        return ASK_CARD
    return ASK_PLAY if channel == "unreasoned_play" else ASK_WAY
