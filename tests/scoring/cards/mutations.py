"""Simulated hands made wrong on purpose, each in one way that follows from the rules without asking the judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from scoring.cards.order import Order, order_of
from scoring.cards.records import HandRecord, Play, TextPosition
from scoring.profiles import Profile
from scoring.values import Card, Level, Trump

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wrong:
    """A record made wrong at a trick and play (from 0), and the finding it must give: code and topic of the clause."""

    record: HandRecord
    spot: Spot | None
    code: str
    topic: str


def with_play(record: HandRecord, spot: Spot, play: Play) -> HandRecord:
    tricks = list(record.tricks)
    plays = list(tricks[spot[0]].plays)
    plays[spot[1]] = play
    tricks[spot[0]] = replace(tricks[spot[0]], plays=tuple(plays))
    return replace(record, tricks=tuple(tricks))


def revoke(profile: Profile, record: HandRecord, chance: Random) -> Wrong | None:
    """A follower keeps a card of the suit led and plays one of another category that was played later."""
    order = order_in(profile, record)
    spots = []
    for i, trick in enumerate(record.tricks):
        led = trick.plays[0].laid
        if len(led) != 1:
            continue
        for j, play in enumerate(trick.plays[1:], 1):
            if order.category(known(play.laid[0])) is not order.category(known(led[0])):
                continue
            for k, later in enumerate(record.tricks[i + 1 :], i + 1):
                for m, other in enumerate(later.plays):
                    if m and other.seat is play.seat and len(other.laid) == 1:
                        strange = order.category(known(other.laid[0])) is not order.category(known(led[0]))
                        spots += [((i, j), (k, m))] * strange
    if not spots:
        return None
    first, second = chance.choice(spots)
    here = record.tricks[first[0]].plays[first[1]]
    there = record.tricks[second[0]].plays[second[1]]
    wrong = with_play(record, first, replace(here, cards=there.cards))
    return Wrong(with_play(wrong, second, replace(there, cards=here.cards)), first, "suit_held", "follow.suit")


def stranger(profile: Profile, record: HandRecord, chance: Random) -> Wrong:
    """A card that its player never held."""
    spot = chance.randrange(len(record.tricks)), chance.randrange(len(profile.seats))
    play = record.tricks[spot[0]].plays[spot[1]]
    # who takes the kitty after another picks up what that one buried
    his = {*record.deal[play.seat], *record.kitty, *(card for act in record.acts for card in act.cards)}
    card = next(card for seat in profile.seats for card in record.deal[seat] if card not in his)
    return Wrong(
        with_play(record, spot, replace(play, cards=(card, *play.cards[1:]), forced=None)),
        spot,
        "card_not_held",
        "follow.suit",
    )


def wrong_leader(profile: Profile, record: HandRecord, chance: Random) -> Wrong:
    """The next player leads a trick that another has won."""
    i = chance.randrange(1, len(record.tricks))
    trick = record.tricks[i]
    turned = replace(trick, plays=(*trick.plays[1:], trick.plays[0]))
    tricks = (*record.tricks[:i], turned, *record.tricks[i + 1 :])
    return Wrong(replace(record, tricks=tricks), (i, 0), "wrong_leader", "trick.lead")


def wrong_total(profile: Profile, record: HandRecord, chance: Random) -> Wrong:
    """Five points more than were captured."""
    name = "captured" if "captured" in record.result else "taken_1"
    captured = record.result[name]
    assert isinstance(captured, int)
    result = {**record.result, name: captured + 5}
    return Wrong(replace(record, result=result), None, "result_differs", "total")


def kept_throw(profile: Profile, record: HandRecord, chance: Random) -> Wrong | None:
    """A throw that failed is left on the table as if it stood."""
    spots = [i for i, trick in enumerate(record.tricks) if trick.plays[0].forced is not None]
    if not spots:
        return None
    i = chance.choice(spots)
    play = record.tricks[i].plays[0]
    return Wrong(with_play(record, (i, 0), replace(play, forced=None)), (i, 0), "throw_fails", "throw.stands")


def wrong_forced(profile: Profile, record: HandRecord, chance: Random) -> Wrong | None:
    """After a failed throw the largest card stays instead of what was forced."""
    for i, trick in enumerate(record.tricks):
        play = trick.plays[0]
        if play.forced is not None and len(play.forced) == 1:
            order = order_in(profile, record)
            top = max((known(card) for card in play.cards), key=lambda card: order.place[card])
            if order.place[top][:2] == order.place[known(play.forced[0])][:2]:
                continue
            wrong = with_play(record, (i, 0), replace(play, forced=(top,)))
            return Wrong(wrong, (i, 0), "wrong_forced", "throw.forced")
    return None


def order_in(profile: Profile, record: HandRecord) -> Order:
    """The order of the hand; single players play at the level of the dealer, at the only one there is, or at none."""
    tags = record.tags
    level = tags.get("level") or (str(profile.ladder.first) if profile.ladder else None)
    if "levels" in tags:
        level = tags["levels"].split()[int(tags["dealer"]) - 1]
    return order_of(profile, Trump(tags["trump"]), None if level is None else Level(level))


def known(card: Card | None) -> Card:
    assert card is not None
    return card


Mutation = Callable[[Profile, HandRecord, Random], Wrong | None]
MUTATIONS: tuple[Mutation, ...] = (revoke, stranger, wrong_leader, wrong_total, kept_throw, wrong_forced)


def place_of(record: HandRecord, spot: Spot | None) -> TextPosition:
    return record.place if spot is None else record.tricks[spot[0]].plays[spot[1]].place
