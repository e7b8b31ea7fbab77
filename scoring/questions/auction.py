"""The batch protocol's doors to the auction: the turned kitty, one counter, a whole list of acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring import wording
from scoring.cards.auction import allowed, begin, play_out, problems
from scoring.cards.auction_state import ACTS, Act, Auction, Deal, Stage, parted, turn
from scoring.cards.bids import Bid, kind_of, reinforced, strength_of, trump_of
from scoring.cards.deck import check_cards
from scoring.cards.flip import DRAWERS, first_drawer, flip
from scoring.hands.findings import Finding, finding
from scoring.hands.outcomes import next_dealer
from scoring.hands.reading import Reader
from scoring.hands.sheets import CARDS, KITTY
from scoring.profiles import Profile, Reason
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
    return {**said, "because": reasons(profile.cite("draw"))}


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
    reader.findings += check_cards(profile, [("kitty_top_first", kitty)])
    again = hand_no == 1 and profile.no_declare_first == "redeal"
    if profile.no_declare == "partner_names" and not again:
        reader.findings.append(finding("flip_not_here", "op", profile=profile, topic="flip.trump"))
    if len(kitty) > profile.kitty_cards:
        reader.findings.append(
            finding(
                "flip_too_many",
                "kitty_top_first",
                profile=profile,
                topic="deal",
                due=profile.kitty_cards,
                value=len(kitty),
            )
        )
    reader.refuse_if_any()
    assert level is not None
    said = flip(profile, level, kitty, first_hand=hand_no == 1)
    if not said.is_decided:
        reader.findings.append(finding("flip_more", "kitty_top_first", profile=profile, topic="flip.trump"))
        reader.refuse_if_any()
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
    act = _act(reader.raw("bid"), "bid", reader, "counter")
    if level is not None:
        auction = _counter_state(profile, level, rows)
    rows.done()
    reader.done()
    reader.refuse_if_any()
    assert act is not None
    found = problems(auction, act)
    topics = ("counter.what", "counter.order") if not found else ()
    because = tuple(reason for topic in topics for reason in profile.cite(topic)) or _cited(profile, found)
    return {
        "allowed": not found,
        "problems": [one.to_json() for one in found],
        "because": reasons(because),
    }


def _cited(profile: Profile, found: tuple[Finding, ...]) -> tuple[Reason, ...]:
    """The clauses that findings rest on, each once."""
    ids = dict.fromkeys(one.clause for one in found if one.clause is not None)
    return tuple(Reason(profile.clauses[clause]) for clause in ids)


def _counter_state(profile: Profile, level: Level, rows: Reader) -> Auction:
    """The state that a question describes; which window it is follows from the rules where it is not said."""
    hand_no = rows.whole("hand_no", HAND_NO, low=1, high=MOST_HANDS)
    after_burial, flipped = rows.flag("after_burial"), rows.flag("flipped")
    dealer, buried_by = rows.choice("dealer", Seat), rows.choice("buried_by", Seat)
    first = hand_no == 1
    if after_burial is None:
        after_burial = not (profile.early_counter or first)
    bids = _bids(profile, level, rows)
    if after_burial and buried_by is None and len(bids) < 2:
        buried_by = dealer
    deal = Deal(profile, level, dealer, first_hand=first)
    state = begin(deal)
    stage = Stage.EARLY
    if after_burial:
        stage = Stage.LATE if profile.late_counter else Stage.PLAY
        if first and not profile.first_hand_late_counter:
            stage = Stage.PLAY
    return replace(
        state,
        stage=stage,
        bids=bids,
        trump=bids[-1].trump if bids else None,
        buried=(buried_by,) if after_burial and buried_by is not None else (),
        flipped=(Card("J", "S"),) if flipped else (),
    )


def _bids(profile: Profile, level: Level, rows: Reader) -> tuple[Bid, ...]:
    """The declaration and the counters of a question, taken as facts."""
    given = rows.raw("declared")
    bids: list[Bid] = []
    if given is not None:
        said = rows.nested(given, "state.declared")
        by, suit = said.choice("by", Seat, required=True), said.word("suit", SUITS, required=True)
        strong = said.flag("reinforced")
        said.done()
        if by is not None and suit is not None:
            cards = (Card(suit, level.rank),) * (2 if strong else 1)
            bids.append(Bid(by, cards, Trump(suit), reinforced(profile, level, cards)))
    acts = rows.items("counters", lambda row, path: _act(row, path, rows, "counter"))
    for i, act in enumerate(acts):
        bid = _bid(profile, level, act, bids)
        if bid is None:
            path = f"state.counters[{i}].cards"
            rows.findings.append(
                finding("counter_cards", path, profile=profile, topic="counter.what", level=str(level))
            )
        else:
            bids.append(bid)
    if acts and given is None:
        rows.missing("declared")
    return tuple(bids)


def _bid(profile: Profile, level: Level, act: Act, before: list[Bid]) -> Bid | None:
    """A counter of a question; one by the declarer that restored the suit stands above what it answered."""
    probe = replace(begin(Deal(profile, level, None)), bids=tuple(before))
    core, jokers = parted(probe, act.cards)
    kind, strength = kind_of(profile, level, core), strength_of(profile, level, core)
    if kind is None or strength is None or act.by is None:
        return None
    trump = trump_of(core, kind, act.names)
    if before and strength <= before[-1].strength and before[0].by is act.by:
        strength = before[-1].strength._replace(place=before[-1].strength.place + 1)
    return None if trump is None else Bid(act.by, core, trump, strength, jokers)


def _act(data: object, path: str, reader: Reader, kind: str | None = None) -> Act | None:
    """One act; `kind` where the question says which it is."""
    rows = reader.nested(data, path)
    if not isinstance(data, Mapping):
        return None
    name = kind or rows.word("act", ACTS, required=True)
    by = rows.choice("by", Seat, required=name not in (None, "flip"))
    cards = rows.cards("cards")
    names = rows.choice("names", Trump)
    points = rows.whole("hand_points", KITTY, low=0)
    trumps = rows.whole("trump_count", CARDS, low=0)
    rows.done()
    return None if name is None else Act(name, by, cards, names, points, trumps)


def ask_auction(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """A whole auction: the acts in order -> the trumps, the dealer, who buried, what was refused, what may follow."""
    reader = Reader(data)
    level = reader.level("level", profile, required=True)
    hand_no = reader.whole("hand_no", HAND_NO, low=1, high=MOST_HANDS)
    dealer, first = reader.choice("dealer", Seat), reader.choice("first_drawer", Seat)
    attackers = reader.level("attackers_level", profile)
    before, complete = reader.flag("previous_hand_was_rebellion"), reader.flag("complete")
    acts = reader.items("acts", lambda row, path: _act(row, path, reader))
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
    )
    state, refused = play_out(begin(deal), acts)
    because = state.because + tuple(
        one for one in _cited(profile, tuple(found for _, found in refused)) if one not in state.because
    )
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
