"""What is said of cards led and played: who wins a trick, a follow, how cards are read."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from referee.hands.shapes import code_of
from scoring import wording
from scoring.cards.deck import check_cards
from scoring.cards.following import judge_follow
from scoring.cards.leads import made, read_cards, read_lead, unsaid
from scoring.cards.order import by_strength
from scoring.cards.plays import follow_set
from scoring.cards.tricks import LED, OVER_RUFFS, RUFFS, RUFFS_LOW, check_play, claim, claim_of_lead, judge_trick
from scoring.cards.units import unit_cards
from scoring.hands.findings import Refused
from scoring.values import Role

from .cases import seats_named
from .verdicts import (
    BAD,
    CATEGORIES,
    DIM,
    OK,
    PLAIN,
    OtherReading,
    Placed,
    Verdict,
    marked,
    reasons,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoring.cards.leads import Lead, Made
    from scoring.cards.order import Counts
    from scoring.cards.tricks import TrickVerdict
    from scoring.profiles import Reason
    from scoring.values import Card, Player, Shape, Text

    from .cases import Case

#: Legal plays that are shown; the others are counted.
MOST_SHOWN: Final = 12


def other_readings(lead: Lead, declared: Sequence[Shape]) -> tuple[tuple[OtherReading, ...], tuple[Reason, ...]]:
    """What else a throw could be read as whose leader should have said it, and the clause that says so."""
    others = unsaid(lead, declared)
    if others is None:
        return (), ()
    told = []
    for units in others:
        codes = ",".join(code_of(unit.shape) for unit in units)
        told.append(OtherReading(codes, _reading_named(made(lead.category, units))))
    return tuple(told), lead.order.profile.cite("cards.reading")


def _reading_named(units: Iterable[Made]) -> Text:
    return _parts_named(wording.cards_named(unit.cards) for unit in units)


def _parts_named(cards: Iterable[Text]) -> Text:
    """The cards of each shape written together, the shapes apart: ♥9♥9 + ♥K."""
    named = list(cards)
    return {language: " + ".join(one[language].replace(" ", "") for one in named) for language in ("en", "zh")}


def led_line(case: Case, lead: Lead) -> tuple[Text, str]:
    """How what was led is read: the first of the reasons."""
    named = wording.shapes_named(tuple(unit.shape for unit in lead.units))
    cards = _parts_named(wording.cards_named(lead.cards_of(unit)) for unit in lead.units)
    suit, who = CATEGORIES[lead.category.name], wording.PLAYERS[case.leader]
    text = say(
        f"{who['en']} leads {suit['en']}: {named['en']} ({cards['en']}).",
        f"{who['zh']}家领出{suit['zh']}：{named['zh']}（{cards['zh']}）。",
    )
    if lead.is_throw:
        return text, "throw.what"
    return text, "cards.tractor" if lead.units[0].length > 1 and lead.units[0].width > 1 else "cards.shapes"


# --- who wins the trick ---


def trick(case: Case) -> Verdict:
    seats = tuple(takewhile(lambda seat: case.get(seat.value), case.in_turn))
    plays = [(seat, case.cards(seat.value)) for seat in seats]
    wrong = [
        one
        for i, (seat, cards) in enumerate(plays)
        for one in check_play(plays[:i], seat, cards, seat.value, case.profile.seats)
    ]
    order, declared = case.ground(*seats, wrong=wrong)
    lead = read_lead(order, plays[0][1], declared, field=case.leader.value)
    verdict = judge_trick(lead, plays)
    others, unnamed = other_readings(lead, declared)
    who, complete = wording.PLAYERS[verdict.winner], len(plays) == len(case.in_turn)
    headline = (
        say(f"{who['en']} wins the trick.", f"{who['zh']}家赢得这一圈。")
        if complete
        else say(f"{who['en']} is winning so far.", f"到此为止{who['zh']}家最大。")
    )
    then = [_taken(case, verdict, complete=complete)]
    to_come = case.in_turn[len(plays) :]
    late = [seat for seat in to_come if case.get(seat.value)]
    if late:
        named, missing = seats_named(late), wording.PLAYERS[to_come[0]]
        then.append(
            say(
                f"{named['en']} not counted yet: the cards of {missing['en']}, whose turn is before, are missing.",
                f"{named['zh']}家的牌尚未计入：还没有轮在前面的{missing['zh']}家的牌。",
            )
        )
    told = [led_line(case, lead)]
    told += [(dict(play.sentence), _topic(play.part, lead)) for play in verdict.plays if play.part != LED]
    told += _compared_lines(case, lead, verdict)
    return Verdict(
        case.kind,
        PLAIN,
        headline,
        tuple(then),
        reasons(case, verdict.because + unnamed, told),
        tuple(_trick_places(lead, verdict, to_come)),
        winner=verdict.winner,
        unknown=to_come,
        other_readings=others,
        answer=verdict,
    )


def _taken(case: Case, verdict: TrickVerdict, *, complete: bool) -> Text:
    """To whom the points of the trick go: the attackers, the dealer side, or the winner where nobody plays together."""
    points, who = verdict.points, wording.PLAYERS[verdict.winner]
    if complete and case.profile.division == "everyone":
        return say(f"{who['en']} takes {points} points.", f"{who['zh']}家得 {points} 分。")
    role = case.role_of(verdict.winner) if complete else None
    if role is None:
        return say(f"{points} points on the table.", f"这一圈 {points} 分。")
    if role is Role.DEALER and points:
        return say(f"The dealer side wins {points} points.", f"庄家方赢得 {points} 分，闲家得 0 分。")
    gain = points if role is Role.ATTACKERS else 0
    return say(f"The attackers gain {gain} points.", f"闲家得 {gain} 分。")


def _compared_lines(case: Case, lead: Lead, verdict: TrickVerdict) -> Iterable[tuple[Text, str]]:
    """Which cards of the winning ruff were compared, where several ruffed a throw and its highest class decides."""
    ruffs = [play for play in verdict.plays if play.part in (RUFFS, OVER_RUFFS, RUFFS_LOW)]
    if not lead.is_throw or len(ruffs) < 2 or case.profile.throw_compare != "highest_class":
        return
    best = next(play.cards for play in ruffs if play.seat is verdict.winner)
    compared = wording.cards_named(_deciding(lead, best, leads=False))
    yield (
        say(
            f"Compared is the highest class led: {compared['en']} are the largest; the other cards do not count.",
            f"只比领出牌型中最高的一种：{compared['zh']} 最大，其余的牌不比。",
        ),
        "trick.over_ruff",
    )


def _topic(part: str, lead: Lead) -> str:
    if part in (OVER_RUFFS, RUFFS_LOW) and lead.is_throw:
        return "trick.over_ruff"
    return "trick.ruff" if part in (RUFFS, OVER_RUFFS, RUFFS_LOW) else "trick.wins"


_PARTS: Final[Mapping[str, Text]] = {
    "led": {"en": "led", "zh": "领出"},
    "beats": {"en": "larger", "zh": "更大"},
    "follows": {"en": "not larger", "zh": "不大过"},
    "ruffs": {"en": "ruffs", "zh": "毙"},
    "over_ruffs": {"en": "over-ruffs", "zh": "盖毙"},
    "ruffs_too_low": {"en": "ruff too low", "zh": "毙不大"},
    "discards": {"en": "discard", "zh": "垫牌"},
}


def _trick_places(lead: Lead, verdict: TrickVerdict, to_come: Sequence[Player]) -> Iterable[Placed]:
    for number, play in enumerate(verdict.plays, 1):
        wins = play.seat is verdict.winner
        raised = _deciding(lead, play.cards, leads=number == 1) if wins else ()
        cards = marked(play.cards, raised)
        yield Placed(play.seat, cards, number, _PARTS[play.part], winner=wins, final=not to_come)
    for number, seat in enumerate(to_come, len(verdict.plays) + 1):
        yield Placed(seat, (), number, say("has not played", "未出牌"))


def _deciding(lead: Lead, cards: tuple[Card, ...], *, leads: bool) -> tuple[Card, ...]:
    """The cards of the winning play that are compared: those of its highest class."""
    answered = claim_of_lead(lead) if leads else claim(lead, cards)
    if answered is None or not answered.units:
        return cards
    return unit_cards(answered.category, answered.units[0])


# --- was the follow legal ---


def follow(case: Case) -> Verdict:
    played = case.cards("play")
    order, declared = case.ground("lead", "hand", wrong=check_cards(case.profile, [("play", played)]))
    lead = read_lead(order, case.cards("lead"), declared)
    hand = order.count(case.cards("hand"))
    verdict = judge_follow(lead, hand, order.count(played))
    others, unnamed = other_readings(lead, declared)
    legal = verdict.legal
    who = wording.PLAYERS[case.follower]
    headline = say("The play is legal.", "跟牌合法。") if legal else say("The play is not legal.", "跟牌不合法。")
    held = lead.category.of(hand)
    suit = CATEGORIES[lead.category.name]
    told = [led_line(case, lead)]
    told.append(
        (
            say(
                f"{who['en']} holds {sum(held)} {suit['en']} to {lead.size} led.",
                f"{who['zh']}手中有 {sum(held)} 张{suit['zh']}，领出 {lead.size} 张。",
            ),
            "follow.suit",
        )
    )
    topics = {"wrong_count": "follow.suit", "suit_held": "follow.suit", "shape_owed": "follow.order"}
    if not legal:
        told.append((dict(verdict.sentence), topics[verdict.code]))
    plays, in_all = _legal_plays(lead, hand)
    witness = verdict.witness or (() if legal or not plays else plays[0])
    then: tuple[Text, ...] = ()
    if witness:
        cards = wording.cards_named(witness)
        then = (say(f"Owed, for example: {cards['en']}.", f"例如应跟：{cards['zh']}。"),)
    return Verdict(
        case.kind,
        OK if legal else BAD,
        headline,
        then,
        reasons(case, verdict.because + unnamed, told),
        (
            Placed(case.leader, marked(case.cards("lead"), ()), 1, _PARTS["led"]),
            Placed(
                case.follower,
                marked(played, (), "" if legal else DIM),
                case.in_turn.index(case.follower) + 1,
                say("legal", "合法") if legal else say("not legal", "不合法"),
            ),
        ),
        held=_hand_marked(lead, case.cards("hand"), witness or played),
        plays=tuple(tuple(map(str, play)) for play in plays),
        plays_in_all=in_all,
        other_readings=others,
        answer=verdict,
    )


def _hand_marked(lead: Lead, hand: Sequence[Card], raised: Iterable[Card]) -> tuple[tuple[str, str], ...]:
    """The hand, the category led first: what was owed stands out, or what was played where that is legal."""
    order = lead.order
    return marked(sorted(hand, key=lambda card: (order.category(card) is not lead.category, order.place[card])), raised)


def _legal_plays(lead: Lead, hand: Counts) -> tuple[tuple[tuple[Card, ...], ...], int]:
    """Some of the legal plays and how many there are."""
    try:
        plays = follow_set(lead, hand)
    except Refused as refused:
        many = refused.findings[0].params["count"] if refused.code == "too_many_plays" else 0
        return (), int(many)
    return plays[:MOST_SHOWN], len(plays)


# --- does the throw stand ---


# --- how cards are read ---


def shapes(case: Case) -> Verdict:
    order, _ = case.ground("cards")
    found = read_cards(order, case.cards("cards"))
    best = found.best
    named = wording.shapes_named([one.shape for one in best])
    others = [units for units in found.all if units != best]
    thrown = say(" Led together they are a throw.", "一起领出即为甩牌。") if len(best) > 1 else say("", "")
    told = [(say(f"Read as {_reading_named(best)['en']}.", f"读作 {_reading_named(best)['zh']}。"), "cards.tractor")]
    told += [
        (say(f"Or as {one['en']}.", f"也可读作 {one['zh']}。"), "cards.reading") for one in map(_reading_named, others)
    ]
    return Verdict(
        case.kind,
        PLAIN,
        say(f"{named['en'][:1].upper()}{named['en'][1:]}.{thrown['en']}", f"{named['zh']}。{thrown['zh']}"),
        (),
        reasons(case, found.because, told[: 1 + MOST_SHOWN]),
        units=tuple((wording.shape_name(one.shape), tuple(map(str, one.cards))) for one in best),
        answer=found,
    )


# --- which card is larger ---


def order(case: Case) -> Verdict:
    """The cards from the weakest to the strongest. Raises Refused: `not_comparable` of several side suits."""
    ground, _ = case.ground("cards")
    groups = by_strength(ground, case.cards("cards"))
    best = wording.cards_named(tuple(dict.fromkeys(groups[-1])))
    equal = len(set(groups[-1])) > 1
    headline = (
        say(f"Largest, and equal: {best['en']}.", f"最大且同样大：{best['zh']}。")
        if equal
        else say(f"The largest is {best['en']}.", f"最大的是 {best['zh']}。")
    )
    rising = [wording.cards_named(tuple(dict.fromkeys(group))) for group in groups]
    told = [
        (
            say(" < ".join(one["en"] for one in rising) + ".", " < ".join(one["zh"] for one in rising) + "。"),
            "cards.order",
        )
    ]
    trumps = tuple(dict.fromkeys(card for card in case.cards("cards") if ground.category(card).is_trumps))
    if trumps:
        named = wording.cards_named(trumps)
        told.append((say(f"Trumps: {named['en']}.", f"其中主牌：{named['zh']}。"), "permanent_ranks"))
    if any(len(set(group)) > 1 for group in groups):
        told.append((say("Of equal cards the first played wins.", "同样大小的牌，先出者为大。"), "trick.equal"))
    return Verdict(
        case.kind,
        PLAIN,
        headline,
        (),
        reasons(case, (), told),
        row=marked([card for group in groups for card in group], groups[-1]),
        answer=groups,
    )
