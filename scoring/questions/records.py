"""The batch protocol's door to the replay of a recorded hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.cards.record_reading import parse
from scoring.cards.records import TextPosition, problem
from scoring.cards.replay import Replay, profile_of, replay
from scoring.hands.findings import Refused
from scoring.hands.reading import Reader
from scoring.individual.replay import replay_single
from scoring.profiles import Profile
from scoring.questions.asking import Answer, reasons


def ask_replay(profile: Profile | None, data: Mapping[str, Any]) -> Answer:
    """Judge one recorded hand again; the rules of the question stand before those the record names."""
    reader = Reader(data)
    text = reader.raw("record")
    if text is None:
        reader.missing("record")
    reader.done()
    reader.refuse_if_any()
    hands = parse(text, profile)
    if len(hands) > 1:
        place = hands[1].place
        raise Refused([problem("one_hand", place, "One question takes one hand.", "一次只问一副。")])
    (hand,) = hands
    rules = profile if profile is not None else profile_of(hand, individual=True)
    if rules is None:
        en, zh = "Neither the question nor the record names the rules.", "问题和牌谱都没有写明规则。"
        raise Refused([problem("profile_missing", TextPosition(1, 1), en, zh)])
    if rules.game == "individual":
        single = replay_single(rules, hand)
        return {**single.to_json(), "because": reasons(() if single.result is None else single.result.because)}
    again = replay(rules, hand)
    return {**again.to_json(), "because": reasons(_because(again))}


def _because(again: Replay) -> tuple[Any, ...]:
    total = () if again.total is None else again.total.because
    return total + (() if again.result is None else again.result.because)
