"""What is said of signals: what a card answers to a lead, whether its return was owed, whether it was legal to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring.cards.deck import check_cards
from scoring.hands.findings import Finding, Refused, finding
from scoring.penalties import load
from scoring.signals.answers import HELP, NOTHING, UNREADABLE, read_answer
from scoring.signals.clauses import cite
from scoring.signals.convention import POINT_RANKS
from scoring.signals.information import CHANNEL_WORDS, CHANNELS, judge_information, questions_on
from scoring.signals.returning import READINGS, USUAL_FINE, Duty, Position, return_duty
from scoring.values import RANKS, Seat, seat_of

from .questions import TRICKS
from .tricks import tricks_of
from .verdicts import BAD, CATEGORIES, OK, OPEN, PLAIN, Reading, Verdict, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.values import Card, Text

    from .cases import Case

MOST_FINE: Final = 200
#: The agreed ranks where nobody says: one of the two usual sets.
USUAL: Final = ("8", "9", "J", "Q")

_SHOWN: Final[Mapping[str, tuple[str, Text]]] = {
    HELP: (
        OK,
        say("Help: the partner shows the other top card of the suit.", "有支持：同伴表示有该门另一张最大的牌。"),
    ),
    NOTHING: (PLAIN, say("This play is no signal.", "这次跟牌不是信号。")),
    UNREADABLE: (OPEN, say("The cards alone do not tell.", "只看牌读不出来。")),
}
_READ: Final[Mapping[str, Text]] = {
    "agreed_card": say(
        "An agreed card was played to the top card of a side suit.", "同伴在副牌最大的牌上跟出了约定牌张。"
    ),
    "trump_led": say("Trumps were led; direct signals are of side suits.", "领出的是主牌；直接信号只用于副牌。"),
    "several_cards": say("Several cards were led; their order would have to be read.", "领出了多张牌，要看牌的次序。"),
    "no_question": say(
        "The card led is not the largest of its suit, so it asks nothing.", "领出的不是该门最大的牌，没有问信号。"
    ),
    "not_followed": say("The play is of another suit, or a trump.", "跟出的是别的花色或主牌。"),
    "not_agreed": say("The card played is none of the agreed ones.", "跟出的不是约定牌张。"),
}
_HEADLINES: Final[Mapping[str, tuple[str, Text]]] = {
    "fulfilled": (OK, say("The lead was returned.", "已经传牌。")),
    "excused": (OK, say("The lead need not be returned.", "可以不传牌。")),
    "breach": (BAD, say("The lead had to be returned and was not.", "应传牌而未传。")),
    "judgement": (OPEN, say("The referee judges; the cards do not tell.", "牌上看不出，由裁判判断。")),
    "open": (PLAIN, say("The return is owed; nothing is broken yet.", "仍须传牌，尚未违反。")),
    "none": (PLAIN, say("No lead has to be returned.", "没有传牌义务。")),
}
_WHY: Final[Mapping[str, Text]] = {
    "no_side_lead": say("The dealer has led trumps only.", "庄家只领出过主牌。"),
    "no_question": say("The dealer has not led the largest card of the suit alone.", "庄家没有单独领出该门最大的牌。"),
    "no_signal": say("The partner did not answer with an agreed card.", "同伴没有用约定的牌回答。"),
    "long_suit": say("The dealer told the referee of a long suit.", "庄家已向裁判说明长门。"),
    "hand_unknown": say("The cards of the dealer are not known.", "庄家的手牌未知。"),
    "several_cards": say("Several cards were led; their order would have to be read.", "领出了多张牌，要看牌的次序。"),
    "trick_unfinished": say("The trick is not finished.", "这一圈还没打完。"),
}
_EXCUSES: Final[Mapping[str, Text]] = {
    "void": say("No card of the suit is left.", "该门已断。"),
    "pair_or_tractor": say("Exactly a pair, or a tractor, is left of the suit.", "该门恰好只剩一对或一个拖拉机。"),
    "partner_void": say("The partner has shown a void.", "同伴有断门的花色。"),
    "partner_led": say("The partner has been on lead.", "同伴上过手。"),
    "partner_discarded": say("The partner has discarded the suit.", "同伴垫过该门。"),
    "points_discarded": say("An opponent has discarded points.", "对方垫出过分数。"),
}
_LEGAL: Final[Mapping[bool | None, tuple[str, Text]]] = {
    True: (OK, say("A legal way to tell something.", "合法的传递方式。")),
    False: (BAD, say("Illegal information.", "非法信息。")),
    None: (OPEN, say("The referee judges, after hearing the side.", "听取该方说明后由裁判判断。")),
}
CHANNEL_CHOICES: Final[Text] = say(", ".join(CHANNELS), "、".join(CHANNELS))


def answered(case: Case) -> Verdict:
    """What the partner's cards say to a lead. Raises Refused."""
    ranks, wrong = _ranks(case)
    order, _ = case.ground("lead", "play", wrong=wrong)
    agreed = [rank for rank in ranks if rank not in POINT_RANKS]
    said = read_answer(order, case.cards("lead"), case.cards("play"), agreed)
    tone, headline = _SHOWN[said.shows]
    lines = (*_no_signals(ranks), *(Reading(reason.clause.text, reason.clause) for reason in said.because))
    return Verdict(case.kind, tone, headline, (_READ[said.reason],), lines, answer=said)


def _ranks(case: Case) -> tuple[tuple[str, ...], list[Finding]]:
    """The agreed ranks as typed, the usual ones where nothing is, and the first that is no rank."""
    ranks = tuple(case.get("ranks").replace(",", " ").replace("，", " ").upper().split()) or USUAL
    return ranks, [finding("unknown_rank", "ranks", value=rank[:12]) for rank in ranks if rank not in RANKS][:1]


def returned(case: Case) -> Verdict:
    """Whether the dealer owed the return of a lead, judged from the tricks as typed. Raises Refused."""
    dealer = seat_of(case.dealer or Seat.S)
    found, wrong = tricks_of(case, dealer)
    tricks = [tuple((seat_of(player), cards) for player, cards in trick) for trick in found]
    hand = case.cards("hand") or None
    played = [(name, _of_others(case, trick, dealer, hand)) for name, trick in zip(TRICKS, tricks, strict=False)]
    wrong += check_cards(case.profile, [("hand", hand or ()), *played])
    ranks, unknown = _ranks(case)
    order, _ = case.ground(wrong=[*wrong, *unknown])
    reading = case.get("reading") if case.get("reading") in READINGS else "normal"
    agreed = tuple(rank for rank in ranks if rank not in POINT_RANKS)
    position = Position(order, dealer, agreed, hand, tricks, (), bool(case.get("told")))
    try:
        duty = return_duty(position, reading=reading, fine=_fine(case))
    except Refused as refused:
        at = next((one.field for one in refused.findings if one.field.startswith("tricks[")), "tricks[0]")
        name = TRICKS[int(at.removeprefix("tricks[").partition("]")[0])]
        raise Refused([_at(one, name) for one in refused.findings]) from None
    tone, headline = _HEADLINES[duty.duty]
    lines = (*_no_signals(ranks), *_big_first(duty, position), *_lines(duty))
    return Verdict(case.kind, tone, headline, tuple(_then(duty)), lines, answer=duty)


def told_how(case: Case) -> Verdict:
    """Whether the partner was told something in a legal way, what the schedule says of it, and what to ask first."""
    channel = case.get("channel")
    if channel not in CHANNELS:
        raise Refused([finding("unknown_value", "channel", value=channel[:20], choices=CHANNEL_CHOICES)])
    said = {"yes": True, "no": False}
    judged = judge_information(channel, on_card=said.get(case.get("on_card")), reason=said.get(case.get("reasoned")))
    lines = [Reading(reason.clause.text, reason.clause) for reason in judged.because]
    if judged.legal is False:
        offence = load("standard").offences["illegal_information"]
        ruled = next(one for one in offence.cases if channel in one.when.get("channel", (channel,)))
        ladder = ruled.whole_text()
        lines.append(Reading(say(f"The usual schedule: {ladder['en']}", f"通用处罚表：{ladder['zh']}")))
    if judged.legal is not True:
        lines += [Reading(say(f"Ask: {one['en']}", f"裁判要问：{one['zh']}")) for one in questions_on(channel)]
    tone, headline = _LEGAL[judged.legal]
    return Verdict(case.kind, tone, headline, (CHANNEL_WORDS[channel],), tuple(lines), answer=judged)


def _fine(case: Case) -> int:
    """The fine of the event as a link carries it, in points; else the usual one."""
    text = case.get("fine")
    return min(int(text), MOST_FINE) if text.isascii() and text.isdigit() and len(text) < 5 else USUAL_FINE


def _of_others(
    case: Case, trick: Iterable[tuple[Seat, tuple[Card, ...]]], dealer: Seat, hand: tuple[Card, ...] | None
) -> tuple[Card, ...]:
    """The cards of a trick that do not come out of the dealer's hand as it was told."""
    return tuple(card for seat, cards in trick if hand is None or seat is not dealer for card in cards)


def _at(one: Finding, name: str) -> Finding:
    return Finding(one.code, name, one.blocking, one.clause, one.message, one.params)


def _then(duty: Duty) -> Iterable[Text]:
    if duty.suit is not None and duty.asked_in is not None:
        suit = CATEGORIES[duty.suit]
        yield say(
            f"The dealer asked in {suit['en']} in trick {duty.asked_in}.",
            f"庄家在第 {duty.asked_in} 圈问{suit['zh']}。",
        )
    if duty.by_trick is not None and duty.duty == "fulfilled":
        yield say(f"The lead of trick {duty.by_trick} returned it.", f"第 {duty.by_trick} 圈已经传回。")
    if duty.by_trick is not None and duty.duty == "breach":
        yield say(f"The lead of trick {duty.by_trick} broke the duty.", f"第 {duty.by_trick} 圈的领出违反了传牌义务。")
    if duty.fine is not None:
        yield say(f"Fine for the attackers: {duty.fine} points.", f"罚分记给闲家：{duty.fine} 分。")


def _no_signals(ranks: Iterable[str]) -> Iterable[Reading]:
    """That a point card among the agreed ranks counts for nothing, where there is one."""
    points = [rank for rank in ranks if rank in POINT_RANKS]
    if points:
        (reason,) = cite("no_points")
        en = f"A point card cannot be agreed ({', '.join(points)}); as an answer it is no signal."
        yield Reading(say(en, f"分数牌不能作约定牌张（{'、'.join(points)}），跟出它不算信号。"), reason.clause)


def _big_first(duty: Duty, at: Position) -> Iterable[Reading]:
    """Which leads of the dealer between the question and the end of the duty were big cards of other suits."""
    if duty.asked_in is None or duty.duty == "none":
        return
    end = len(at.tricks) if duty.by_trick is None else duty.by_trick - 1
    leads = [number for number in range(duty.asked_in + 1, end + 1) if at.tricks[number - 1][0][0] is at.dealer]
    if not leads:
        return
    (reason,) = cite("return.big_first")
    zh = f"第 {'、'.join(map(str, leads))} 圈先出的是大牌，可以先出。"
    en = f"The lead of trick {leads[0]} was a big card, which may come first."
    if len(leads) > 1:
        listed = f"{', '.join(map(str, leads[:-1]))} and {leads[-1]}"
        en = f"The leads of tricks {listed} were big cards, which may come first."
    yield Reading(say(en, zh), reason.clause)


def _lines(duty: Duty) -> Iterable[Reading]:
    """What holds here, with the cards that prove it; what a referee asks; then the clauses."""
    if duty.reason is not None and duty.reason in _WHY:
        yield Reading(_WHY[duty.reason])
    clauses = {reason.clause.topic: reason.clause for reason in duty.because}
    told = set()
    for proof in duty.proofs:
        clause = clauses.get(f"return.{proof.code}")
        why, cards = _EXCUSES[proof.code], proof.text
        told.add(proof.code)
        if proof.code == "void":  # its proof says the same, and whose suit it is
            yield Reading(cards, clause)
            continue
        yield Reading(say(f"{why['en']} {cards['en']}", f"{why['zh']}{cards['zh']}"), clause)
    if duty.push is not None:
        reasonable = duty.push == "reasonable"
        yield Reading(
            say("The small card led back was reasonable.", "推牌合理。")
            if reasonable
            else say("Whether the small card led back was reasonable is for the referee.", "推牌是否合理由裁判判断。"),
            clauses.get("push"),
        )
    for one in duty.ask:
        yield Reading(say(f"Ask: {one['en']}", f"裁判要问：{one['zh']}"))
    for reason in duty.because:
        if reason.clause.topic.removeprefix("return.") not in told and reason.clause.topic != "push":
            yield Reading(reason.clause.text, reason.clause)
