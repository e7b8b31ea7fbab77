"""The batch protocol's doors to the auction: the turned kitty, one counter, a whole list of acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring import wording
from scoring.cards.auction import allowed, begin, play_out
from scoring.cards.auction_state import ACTS, Act, Auction, Deal, Stage, turn
from scoring.cards.bids import Bid
from scoring.cards.countering import cited, counters_on, declaration, judge_counter, standing
from scoring.cards.flip import DRAWERS, check_flip, first_drawer, judge_flip
from scoring.hands.findings import finding
from scoring.hands.outcomes import next_dealer
from scoring.hands.reading import Reader
from scoring.hands.sheets import CARDS, IN_HAND
from scoring.hands.variants import cite
from scoring.profiles import Profile
from scoring.questions.asking import Answer, reasons
from scoring.values import SUITS, Card, Level, Seat, Trump

HAND_NO = {"en": "the number of the hand", "zh": "第几副"}
MOST_HANDS = 10_000


def ask_first_drawer(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Who draws first in the first hand: a card turned by the youngest player."""
    reader = Reader(data)
    by = reader.choice("by", Seat, required=True)
    card = _one_card(reader, "card")
    reader.done()
    reader.refuse_if_any()
    assert by is not None
    assert card is not None
    seat = first_drawer(by, card)
    said: Answer = {"turn_again": True} if seat is None else {"first_drawer": seat.value}
    return {**said, "because": reasons(profile.cite("draw.first") or cite("draw.first"))}


def _one_card(reader: Reader, name: str) -> Card | None:
    try:
        return Card.parse(reader.raw(name))
    except ValueError:
        if reader.has(name):
            said = wording.shown(reader.data.get(name))
            reader.findings.append(finding("card_unknown", name, value=said))
        else:
            reader.missing(name)
        return None


def ask_flip(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """What the turned kitty decides: the trumps, and in the first hand the dealer."""
    reader = Reader(data)
    hand_no = reader.whole("hand_no", HAND_NO, low=1, high=MOST_HANDS, required=True)
    level = reader.level("level", profile, required=True)
    kitty = reader.cards("kitty_top_first")
    reader.done()
    first = hand_no == 1
    reader.findings += check_flip(profile, kitty, first_hand=first, field="kitty_top_first")
    reader.refuse_if_any()
    assert level is not None
    said = judge_flip(profile, level, kitty, first_hand=first, field="kitty_top_first")
    because = reasons(said.because)
    if said.redeal:
        return {"redeal": True, "because": because}
    assert said.trump is not None
    answer: Answer = {"trump": said.trump.value, "turned": said.turned}
    if said.dealer_place is not None:
        answer["first_dealer"] = DRAWERS[said.dealer_place]
    return {**answer, "because": because}


def ask_counter(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Whether one counter may be made on what was declared and countered before."""
    reader = Reader(data)
    level = reader.level("level", profile, required=True)
    rows = reader.nested(reader.raw("state"), "state")
    act = _act(profile, reader.raw("bid"), "bid", reader, "counter")
    if level is not None:
        auction = _counter_state(profile, level, rows)
    rows.done()
    reader.done()
    reader.refuse_if_any()
    assert act is not None
    verdict = judge_counter(auction, act)
    return {
        "allowed": verdict.allowed,
        "problems": [one.to_json() for one in verdict.problems],
        "because": reasons(verdict.because),
    }


def _counter_state(profile: Profile, level: Level, rows: Reader) -> Auction:
    """The state that a question describes."""
    hand_no = rows.whole("hand_no", HAND_NO, low=1, high=MOST_HANDS)
    after_burial, flipped = rows.flag("after_burial"), rows.flag("flipped")
    dealer, buried_by = rows.choice("dealer", Seat), rows.choice("buried_by", Seat)
    deal = Deal(profile, level, dealer, first_hand=hand_no == 1)
    bids = _bids(profile, level, rows)
    return standing(deal, bids, after_burial=after_burial, buried_by=buried_by, flipped=flipped is True)


def _bids(profile: Profile, level: Level, rows: Reader) -> tuple[Bid, ...]:
    """The declaration and the counters of a question."""
    given, declared = rows.raw("declared"), None
    if given is not None:
        said = rows.nested(given, "state.declared")
        by, suit = said.choice("by", Seat, required=True), said.word("suit", SUITS, required=True)
        strong = said.flag("reinforced")
        said.done()
        if by is not None and suit is not None:
            declared = declaration(profile, level, by, suit, strong=strong is True)
    acts = rows.items("counters", lambda row, path: _act(profile, row, path, rows, "counter"))
    told = [(f"state.counters[{i}].cards", act) for i, act in enumerate(acts)]
    bids = counters_on(profile, level, declared, told, rows.findings)
    if acts and given is None:
        rows.missing("declared")
    return bids


def _act(profile: Profile, data: object, path: str, reader: Reader, kind: str | None = None) -> Act | None:
    """One act; `kind` where the question says which it is."""
    rows = reader.nested(data, path)
    if not isinstance(data, Mapping):
        return None
    name = kind or rows.word("act", ACTS, required=True)
    by = rows.choice("by", Seat, required=name not in (None, "flip"))
    cards = rows.cards("cards")
    names = rows.choice("names", Trump)
    points = rows.whole("hand_points", IN_HAND, low=0, high=int(profile.points_max))
    trumps = rows.whole("trump_count", CARDS, low=0, high=profile.hand_cards)
    rows.done()
    return None if name is None else Act(name, by, cards, names, points, trumps)


def ask_auction(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """A whole auction: the acts in order -> the trumps, the dealer, who buried, what was refused, what may follow."""
    reader = Reader(data)
    level = reader.level("level", profile, required=True)
    hand_no = reader.whole("hand_no", HAND_NO, low=1, high=MOST_HANDS)
    dealer, first = reader.choice("dealer", Seat), reader.choice("first_drawer", Seat)
    attackers = reader.level("attackers_level", profile)
    fixed = reader.choice("fixed_trump", Trump)
    before, complete = reader.flag("previous_hand_was_rebellion"), reader.flag("complete")
    acts = reader.items("acts", lambda row, path: _act(profile, row, path, reader))
    reader.done()
    first_hand = hand_no == 1 or dealer is None
    reader.refuse_if_any()
    assert level is not None
    deal = Deal(
        profile,
        level,
        dealer,
        first_hand=first_hand,
        first_drawer=first or dealer,
        attackers_level=attackers,
        after_rebellion=before is True,
        complete=complete is True,
        fixed_trump=fixed,
    )
    state, refused = play_out(begin(deal), acts)
    because = state.because + tuple(
        one for one in cited(profile, [found for _, found in refused]) if one not in state.because
    )
    if not because:
        because = profile.cite("first_deal" if first_hand else "declare")
    return {
        **auction_json(state),
        "problems": [{"act_no": i + 1, **one.to_json()} for i, one in refused],
        "allowed": [offer.to_json() for offer in allowed(state)],
        "because": reasons(because),
    }


def auction_json(auction: Auction) -> Answer:
    """A state as JSON, without its reasons."""
    asked = turn(auction)
    fined = {bid.by.side.value for bid in auction.bids if not bid.in_order}
    return {
        "stage": auction.stage.value,
        "level": str(auction.level),
        "trump": None if auction.trump is None else auction.trump.value,
        "dealer": None if auction.dealer is None else auction.dealer.value,
        "declared_by": auction.bids[0].by.value if auction.bids else None,
        "reinforced": bool(auction.bids) and len(auction.bids[0].cards) > 1,
        "counters": [
            {"by": bid.by.value, "cards": [str(card) for card in bid.cards], "late": bid.late, "in_order": bid.in_order}
            for bid in auction.bids[1:]
        ],
        "buried_by": auction.buried[-1].value if auction.buried else None,
        "turn": None if asked is None else asked.value,
        "redeal": auction.stage is Stage.REDEAL,
        "rebel": None if auction.rebel is None else auction.rebel.value,
        "next_dealer": next_dealer(auction.dealer, "rebellion").value if auction.rebel and auction.dealer else None,
        "out_of_order": {
            side: sum(not bid.in_order for bid in auction.bids if bid.by.side.value == side) for side in sorted(fined)
        },
    }
