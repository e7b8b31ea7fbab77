"""What is said of the auction: whether a counter may be made, and what the kitty turns up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scoring import wording
from scoring.values import RANKS, Seat

from .verdicts import (
    BAD,
    CATEGORIES,
    DECIDING,
    DIM,
    OK,
    PLAIN,
    Placed,
    Reading,
    Verdict,
    cards_named,
    marked,
    reasons,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.values import Text

    from .cases import Case


# --- may this counter be made ---


def is_declaration(case: Case) -> bool:
    """Whether the cards on the table are what a declaration shows: level cards of one suit, or jokers outright.

    A joker beside them says nothing of the suit. A level without cards of its own is left to the question.
    """
    level = case.get("level")
    level_cards = {card for card in case.cards("declared") if not card.is_joker}
    if not level_cards or level not in RANKS:
        return True
    return len(level_cards) == 1 and level_cards.pop().rank == level


def counter(case: Case, answer: dict[str, Any]) -> Verdict:
    allowed = answer["allowed"]
    question = case.question()
    state, bid = question["state"], question["bid"]
    by, cards = wording.SEATS[Seat(state["declared"]["by"])], cards_named(case.texts("declared"))
    told = [(say(f"{by['en']} declared {cards['en']}.", f"{by['zh']}家亮 {cards['zh']}。"), "declare")]
    for one in state["counters"]:
        who, shown = wording.SEATS[Seat(one["by"])], cards_named(one["cards"])
        told.append(
            (say(f"{who['en']} countered with {shown['en']}.", f"{who['zh']}家反 {shown['zh']}。"), "counter.what")
        )
    lines = [Reading(text, case.profile.topics.get(topic)) for text, topic in told]
    clauses = case.profile.clauses
    for problem in answer["problems"]:
        lines.append(Reading(dict(problem["message"]), clauses.get(problem["clause"] or "")))
    seen = {line.clause.id for line in lines if line.clause is not None} if not allowed else set()
    for reason in answer["because"]:
        if reason["clause"] not in seen:
            lines.append(Reading(clauses[reason["clause"]].text, clauses[reason["clause"]]))
    who, shown = wording.SEATS[Seat(bid["by"])], cards_named(bid["cards"])
    then = say(f"{who['en']} shows {shown['en']}.", f"{who['zh']}家亮出 {shown['zh']}。")
    headline = (
        say("The counter may be made.", "可以反。") if allowed else say("The counter may not be made.", "不可以反。")
    )
    return Verdict(
        case.kind,
        OK if allowed else BAD,
        headline,
        (then,),
        tuple(lines),
        tuple(_bids_placed(case, state, bid, allowed=allowed)),
        answer=answer,
    )


def _bids_placed(case: Case, state: Mapping[str, Any], bid: Mapping[str, Any], *, allowed: bool) -> Iterable[Placed]:
    """Who showed what; a player who bid twice is drawn with the last bid."""
    shown = [(Seat(state["declared"]["by"]), case.texts("declared"), say("declared", "亮主"))]
    shown += [(Seat(one["by"]), one["cards"], say("countered", "反主")) for one in state["counters"]]
    word = say("may counter", "可以反") if allowed else say("may not counter", "不可以反")
    shown.append((Seat(bid["by"]), bid["cards"], word))
    last = {seat: number for number, (seat, _, _) in enumerate(shown, 1)}
    for number, (seat, cards, note) in enumerate(shown, 1):
        if last[seat] == number:
            final = number == len(shown)
            state_of = (DECIDING if allowed else DIM) if final else ""
            yield Placed(seat, tuple((code, state_of) for code in cards), number, note)


# --- what the kitty turns up ---


_DRAWERS: Final[Mapping[str, Text]] = {
    "first_drawer": {"en": "who draws first", "zh": "先抓牌的玩家"},
    "second_drawer": {"en": "who draws second", "zh": "第二个抓牌的玩家"},
    "third_drawer": {"en": "who draws third", "zh": "第三个抓牌的玩家"},
    "fourth_drawer": {"en": "who draws fourth", "zh": "第四个抓牌的玩家"},
}


def flip(case: Case, answer: dict[str, Any]) -> Verdict:
    codes = case.texts("kitty")
    if answer.get("redeal"):
        headline = say("The hand is dealt again; nothing is turned.", "重新发牌，不翻底。")
        return Verdict(case.kind, BAD, headline, (), reasons(case, answer, ()), row=marked(codes, ()), answer=answer)
    trump = answer["trump"]
    suit = CATEGORIES.get(trump)
    headline = (
        say("No-trump.", "打无主。")
        if suit is None
        else say(f"{suit['en'].capitalize()} are trumps.", f"主牌为{suit['zh']}。")
    )
    then = []
    if "first_dealer" in answer:
        place = _DRAWERS[answer["first_dealer"]]
        then.append(say(f"The dealer is {place['en']}.", f"由{place['zh']}坐庄。"))
    turned = answer["turned"]
    card = cards_named(codes[turned - 1 : turned])
    told = [
        (
            say(f"Card {turned} turned, {card['en']}, settles it.", f"翻到第 {turned} 张 {card['zh']} 为止。"),
            "flip.trump",
        )
    ]
    row = tuple((code, DECIDING if i == turned else DIM if i > turned else "") for i, code in enumerate(codes, 1))
    return Verdict(case.kind, PLAIN, headline, tuple(then), reasons(case, answer, told), row=row, answer=answer)
