"""What is said of a throw: whether it stands, what is forced, whom the fine is for."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from scoring import wording
from scoring.cards.throwing import judge_throw, read_throw
from scoring.hands.totals import throw_penalty
from scoring.values import Role

from .cases import seats_named
from .play_verdicts import led_line, other_readings
from .verdicts import BAD, CATEGORIES, DIM, OK, OPEN, Placed, Verdict, marked, reasons, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.cards.leads import Lead
    from scoring.cards.throwing import Forced, ThrowVerdict
    from scoring.values import Card, Player, Text

    from .cases import Case


def throw(case: Case) -> Verdict:
    turn = case.in_turn
    order, declared = case.ground(*turn)
    lead = read_throw(order, case.cards(case.leader.value), declared, field=case.leader.value)
    verdict = judge_throw(lead, [case.cards(seat.value) if case.get(seat.value) else None for seat in turn[1:]])
    forced = verdict.forced if verdict.forced is not None and verdict.forced.known else None
    others, unnamed = other_readings(lead, declared)
    unknown = tuple(seat for seat in turn[1:] if not case.get(seat.value)) if _matters(verdict) else ()
    told = [led_line(case, lead)]
    for failure in verdict.failures:
        holds, part = wording.cards_named(failure.holds), wording.cards_named(failure.cards)
        who = wording.PLAYERS[turn[1 + failure.by]]
        told.append(
            (
                say(
                    f"{who['en']} holds {holds['en']}, which beats {part['en']}.",
                    f"{who['zh']}家有 {holds['zh']}，大过 {part['zh']}。",
                ),
                "throw.stands",
            )
        )
    fine = _fined(case, lead) if verdict.stands is False else None
    because = verdict.because + unnamed + (() if fine is None else case.profile.cite("throw_fine", fine))
    tone, headline, then = _throw_result(case, verdict, unknown, lead)
    if verdict.stands is False:
        then += [] if fine is None else [_fine(case, fine, lead.size)]
        told += _forced_lines(case, forced, fine, lead)
    return Verdict(
        case.kind,
        tone,
        headline,
        tuple(then),
        reasons(case, because, told),
        tuple(_throw_places(case, verdict, forced)),
        unknown=unknown,
        other_readings=others,
        answer=verdict,
    )


def _matters(verdict: ThrowVerdict) -> bool:
    """Whether hands that are not known could change the verdict."""
    return verdict.stands is None or (verdict.forced is not None and not verdict.forced.known)


def _throw_result(
    case: Case, verdict: ThrowVerdict, unknown: Sequence[Player], lead: Lead
) -> tuple[str, Text, list[Text]]:
    suit, seats = CATEGORIES[lead.category.name], seats_named(unknown)
    thrower = wording.PLAYERS[case.leader]
    missing = say(
        f"Cannot be judged without the {suit['en']} of {seats['en']}.",
        f"不知道{seats['zh']}的{suit['zh']}，无法裁定。",
    )
    if verdict.stands is None:
        return OPEN, missing, [say("Larger cards are still out.", "外面还有更大的牌。")]
    forced = verdict.forced
    if forced is None:
        return OK, say("The throw stands.", "甩牌成立。"), []
    if not forced.known:
        then = missing
    elif forced.options:
        named = [wording.cards_named(option) for option in forced.options]
        chooser = wording.PLAYERS[case.in_turn[1]]
        then = say(
            f"{chooser['en']} names what stays: {' or '.join(one['en'] for one in named)}.",
            f"由{chooser['zh']}家指定出 {' 或 '.join(one['zh'] for one in named)}。",
        )
    else:
        must, back = wording.cards_named(forced.must_play), lead.size - len(forced.must_play)
        then = say(
            f"{thrower['en']} must play {must['en']} and takes back {back}.",
            f"{thrower['zh']}必须出 {must['zh']}，其余 {back} 张收回。",
        )
    return BAD, say("The throw fails.", "甩牌不成立。"), [then]


def _fined(case: Case, lead: Lead) -> int | None:
    """The fine, signed for the attackers, or for the thrower where nobody plays together; None where it is not known
    whom it is for."""
    alone = case.profile.division == "everyone"
    role = Role.ATTACKERS if alone else case.role_of(case.leader)
    return None if role is None else throw_penalty(case.profile, role, lead.size)


def _fine(case: Case, fine: int, cards: int) -> Text:
    if not fine:
        return say("No fine.", "不罚分。")
    signed = f"+{fine}" if fine > 0 else f"{wording.MINUS}{-fine}"
    whose = say("attackers", "闲家")
    if case.profile.division == "everyone":
        who = wording.PLAYERS[case.leader]
        whose = say(who["en"], f"{who['zh']}家")
    return say(f"Fine for {cards} cards: {whose['en']} {signed}.", f"甩 {cards} 张罚分：{whose['zh']} {signed}。")


def _forced_lines(case: Case, forced: Forced | None, fine: int | None, lead: Lead) -> Iterable[tuple[Text, str]]:
    if forced is not None and forced.options:
        yield say("Several classes failed.", "不止一种牌型不成立。"), "throw.forced"
    elif forced is not None:
        must = wording.cards_named(forced.must_play)
        yield say(f"Forced: {must['en']}.", f"强制出小：{must['zh']}。"), "throw.forced"
        if forced.equals:
            same = [wording.cards_named(one) for one in forced.equals]
            yield (
                say(
                    f"{' and '.join(one['en'] for one in same)} would be as low: the thrower chooses, and the record "
                    "says which stayed.",
                    f"{'、'.join(one['zh'] for one in same)} 同样大小，由甩牌者选定，并须记明留下的是哪些牌。",
                ),
                "throw.forced",
            )
    yield from _fine_lines(case, fine, lead)
    yield (
        say("The cards of the attempt have been seen by everybody.", "甩出过的牌各家都已看到，算公开的牌。"),
        "",
    )


def _fine_lines(case: Case, fine: int | None, lead: Lead) -> Iterable[tuple[Text, str]]:
    """Whom the fine is for, and why it is so much."""
    who, cards, role = wording.PLAYERS[case.leader], lead.size, case.role_of(case.leader)
    if fine is None and case.profile.throw_fine:
        ask = say("Say who deals, to see whom the fine is for.", "请选庄家，以判定罚分归哪一方。")
        if case.dealer is not None:
            ask = say("Say who the ally is, to see whom the fine is for.", "请选盟友，以判定罚分归哪一方。")
        yield ask, "throw_fine"
    elif fine and role is None:
        en = f"{who['en']} loses {abs(fine)} points for {cards} cards thrown."
        yield say(en, f"{who['zh']}家甩出的 {cards} 张都算，扣 {abs(fine)} 分。"), "throw_fine"
    elif fine:
        dealer, fine = role is Role.DEALER, abs(fine)
        en = f"{who['en']} is of the {'dealer side' if dealer else 'attackers'}: {fine} points for {cards} cards thrown"
        zh = f"{who['zh']}家是{'庄家方' if dealer else '闲家'}，甩出的 {cards} 张都算，共 {fine} 分"
        yield (
            say(f"{en}, {'to' if dealer else 'from'} the attackers.", f"{zh}，{'加给' if dealer else '扣自'}闲家。"),
            "throw_fine",
        )


def _throw_places(case: Case, verdict: ThrowVerdict, forced: Forced | None) -> Iterable[Placed]:
    turn = case.in_turn
    stays = [] if forced is None else [*chain(*forced.options), *forced.must_play]
    thrown = marked(case.cards(turn[0].value), stays, DIM if stays else "")
    note = say(f"threw {len(thrown)}", f"甩 {len(thrown)} 张")
    yield Placed(turn[0], thrown, 1, note)
    for i, seat in enumerate(turn[1:]):
        beating = [failure for failure in verdict.failures if failure.by == i]
        if not case.get(seat.value):
            yield Placed(seat, (("?", ""),), i + 2, say("not known", "未知"))
            continue
        if case.holds_none(seat.value):
            yield Placed(seat, (), i + 2, say("none held", "缺门"))
            continue
        raised: Counter[Card] = Counter()
        for failure in beating:
            raised |= Counter(failure.holds)
        note = say("nothing larger", "没有更大的")
        if beating:
            named = [_told_apart(one.holds, one.cards) for one in beating]
            note = say(
                "; ".join(f"{high['en']} beats {low['en']}" for high, low in named),
                "；".join(f"{high['zh']} 大过 {low['zh']}" for high, low in named),
            )
        yield Placed(seat, marked(case.cards(seat.value), raised.elements()), i + 2, note)


def _ranks(cards: Sequence[Card]) -> Text:
    """Cards of one category in short, where they are drawn beside: 99, big joker."""
    named = [wording.cards_named([card]) if card.is_joker else say(card.rank, card.rank) for card in cards]
    blank = " " if any(card.is_joker for card in cards) else ""
    return say(blank.join(one["en"] for one in named), "".join(one["zh"] for one in named))


def _told_apart(holds: Sequence[Card], cards: Sequence[Card]) -> tuple[Text, Text]:
    """Two sets of cards in short; with their suits where the ranks alone are the same: main and side level cards."""
    named = _ranks(holds), _ranks(cards)
    return named if named[0] != named[1] else (wording.cards_named(holds), wording.cards_named(cards))
