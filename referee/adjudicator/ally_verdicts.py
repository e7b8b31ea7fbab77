"""What is said of a call: who is the ally of the dealer, and who stands against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from scoring import wording
from scoring.cards.deck import check_cards
from scoring.hands.findings import Refused, finding
from scoring.individual.allies import find_ally
from scoring.individual.entries import Call

from .cases import seats_named
from .questions import TRICKS, first_player
from .tricks import tricks_of
from .verdicts import OPEN, PLAIN, Placed, Verdict, marked, reasons, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.individual.allies import Ally
    from scoring.values import Card, Place, Player, Text

    from .cases import Case
    from .tricks import Trick

_NTH: Final = ("first", "second", "third", "fourth")


def ally(case: Case) -> Verdict:
    """Who is on whose side after these tricks. Raises Refused."""
    profile, buried = case.profile, case.cards("buried")
    dealer = case.dealer or first_player(profile)
    call = _call(case)
    tricks, wrong = tricks_of(case, dealer)
    fields = [(name, case.cards(name)) for name in (*TRICKS, "buried")]
    wrong += check_cards(profile, fields)
    if wrong:
        raise Refused(wrong)
    placed = [[(cast("Place", player), cards) for player, cards in trick] for trick in tricks]
    found = find_ally(profile, cast("Place", dealer), call, placed, buried=buried, complete=bool(case.get("over")))
    headline, then = _said(case, dealer, call, found)
    deciding = () if found.found_in is None else tricks[found.found_in - 1]
    return Verdict(
        case.kind,
        OPEN if found.place is None else PLAIN,
        headline,
        then,
        reasons(case, found.because, [(text, "") for text in _copies(call, tricks)]),
        tuple(_drawn(deciding, call.card, found)),
        answer=found,
    )


def _call(case: Case) -> Call:
    """The call as typed. Raises Refused where it is no single card."""
    cards, reader = case.cards("call"), case.reader()
    copies = [str(number) for number in range(1, case.profile.decks + 1)]
    ordinal = reader.word("ordinal", copies) or copies[0]
    if len(cards) != 1:
        reader.findings.append(finding("call_unclear", "call", profile=case.profile, topic="ally"))
    reader.refuse_if_any()
    return Call(cards[0], int(ordinal))


def _called(call: Call) -> Text:
    card = wording.cards_named([call.card])
    return say(f"the {_NTH[call.ordinal - 1]} {card['en']}", f"第 {call.ordinal} 张 {card['zh']}")


def _said(case: Case, dealer: Player, call: Call, found: Ally) -> tuple[Text, tuple[Text, ...]]:
    who, called = wording.PLAYERS[dealer], _called(call)
    if found.place is None:
        wait = say(f"Whoever plays {called['en']} is the ally.", f"谁打出{called['zh']}，谁就是盟友。")
        return say("Nobody knows yet.", "还不知道谁是盟友。"), (wait,)
    others = [player for player in case.profile.seats if player not in (dealer, found.place)]
    against = seats_named(others)
    then = say(f"Against: {against['en']}.", f"闲家：{against['zh']}。")
    if not found.alone:
        friend = wording.PLAYERS[found.place]
        headline = say(
            f"{friend['en']} is the ally of {who['en']}, who deals.", f"{friend['zh']}家是庄家 {who['zh']}的盟友。"
        )
        return headline, (then,)
    headline = say(f"{who['en']} deals and plays alone.", f"庄家 {who['zh']}独自一方。")
    why = say(f"The dealer played {called['en']}.", f"{called['zh']}由庄家自己打出。")
    if found.found_in is None:
        why = say(f"Nobody can play {called['en']} any more.", f"{called['zh']}已不会再打出。")
    return headline, (why, then)


def _copies(call: Call, tricks: Sequence[Trick]) -> Iterator[Text]:
    """Every copy of the called card in the order of play, and whose it was."""
    card = wording.cards_named([call.card])
    copies = [player for trick in tricks for player, cards in trick for one in cards if one == call.card]
    for number, player in enumerate(copies, 1):
        who = wording.PLAYERS[player]
        yield say(f"{card['en']} no. {number}: {who['en']}.", f"第 {number} 张 {card['zh']}：{who['zh']}家。")


def _drawn(trick: Trick, called: Card, found: Ally) -> Iterator[Placed]:
    """The trick in which the card fell."""
    for number, (player, cards) in enumerate(trick, 1):
        decides = player is found.place
        note = say("the dealer himself", "庄家自己") if found.alone else say("ally", "盟友")
        raised = [card for card in cards if card == called] if decides else []
        yield Placed(player, marked(cards, raised), number, note if decides else say("", ""))
