"""Named kinds of wrongness of a recorded hand of single players, and where each must be found.

Each follows from the rules without asking the judge: an act, a play, a tag or a stated figure is changed, and the
finding it must give is known beforehand. A kind says None where this hand cannot be made wrong so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scoring.cards.records import ActRecord, HandRecord, TextPosition
from scoring.profiles import Profile
from scoring.values import Card, Place, Trump
from tests.scoring.cards import mutations
from tests.scoring.cards.mutations import Mutation, Wrong, known, order_in, with_play


@dataclass(frozen=True, slots=True)
class WrongHand:
    """A record made wrong, and the finding it must give: its code, the topic of its clause, where it stands.

    `spot`: a trick and a play from 0, an act as (-1, number), None for the record as a whole; `says` is the field that
    a finding on the whole record must name.
    """

    record: HandRecord
    spot: tuple[int, int] | None
    code: str
    topic: str
    says: str = ""

    def place(self, back: HandRecord) -> TextPosition:
        """Where it must be found in the record as it was read back."""
        if self.spot is None:
            return back.place
        if self.spot[0] < 0:
            return back.acts[self.spot[1]].place
        return back.tricks[self.spot[0]].plays[self.spot[1]].place


Kind = Callable[[Profile, HandRecord, Random], WrongHand | None]


def _of_play(mutation: Mutation) -> Kind:
    """A kind that hands of two sides know too."""

    def kind(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
        wrong = mutation(profile, record, chance)
        if wrong is None or isinstance(wrong, WrongHand):
            return wrong
        assert isinstance(wrong, Wrong)
        return WrongHand(wrong.record, wrong.spot, wrong.code, wrong.topic)

    kind.__doc__ = mutation.__doc__
    return kind


# --- before play ---


def _acts(record: HandRecord, *names: str) -> list[int]:
    return [i for i, act in enumerate(record.acts) if act.act in names]


def _with_act(record: HandRecord, which: int, **new: Any) -> HandRecord:
    acts = list(record.acts)
    acts[which] = replace(acts[which], **new)
    return replace(record, acts=tuple(acts))


def _with_more(record: HandRecord, number: int, act: ActRecord) -> HandRecord:
    return replace(record, acts=(*record.acts[:number], act, *record.acts[number:]))


def bid_no_lower(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A player bids as much as the one before."""
    bids = _acts(record, "bid")
    if len(bids) < 2:
        return None
    i = chance.randrange(1, len(bids))
    wrong = _with_act(record, bids[i], number=record.acts[bids[i - 1]].number)
    return WrongHand(wrong, (-1, bids[i]), "not_lower", "bid")


def bid_not_here(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A bid that is not on the list: too high, too low, or between two."""
    bids = _acts(record, "bid")
    if not bids:
        return None
    i = chance.choice(bids)
    return WrongHand(_with_act(record, i, number=chance.choice((125, 75, 97))), (-1, i), "bid_not_here", "bid")


def bid_out_of_turn(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """Who begins bids a second time before the others have spoken."""
    if not _acts(record, "bid"):
        return None
    wrong = _with_more(record, 1, replace(record.acts[0], act="pass", number=None))
    return WrongHand(wrong, (-1, 1), "out_of_turn", "bid")


def bid_after_the_end(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """Somebody bids when the bidding is over."""
    said = _acts(record, "bid", "pass")
    if not _acts(record, "bid"):
        return None
    wrong = _with_more(record, said[-1] + 1, replace(record.acts[said[0]], act="bid", number=80))
    return WrongHand(wrong, (-1, said[-1] + 1), "bidding_over", "bid")


def bid_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """The result states another bid than the lowest one."""
    bids = _acts(record, "bid")
    if not bids:
        return None
    lowest = record.acts[bids[-1]].number
    other = chance.choice([bid for bid in range(80, 125, 5) if bid != lowest])
    return _stated(record, "bid", other)


def declared_stranger(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A level card is declared that the player does not hold."""
    for i in _acts(record, "declare"):
        act = record.acts[i]
        suits = [suit for suit in "SHCD" if Card(suit, _rank(profile, record, act.by)) not in record.deal[act.by]]
        if suits:
            card = Card(chance.choice(suits), _rank(profile, record, act.by))
            return WrongHand(_with_act(record, i, cards=(card,)), (-1, i), "card_not_held", "declare")
    return None


def declared_other_rank(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A card is declared that is not of the player's own level."""
    declared = _acts(record, "declare")
    if not declared:
        return None
    i = declared[0]
    rank = _rank(profile, record, record.acts[i].by)
    held = [card for card in record.deal[record.acts[i].by] if not known(card).is_joker and known(card).rank != rank]
    return WrongHand(_with_act(record, i, cards=(chance.choice(held),)), (-1, i), "not_own_level", "ladder")


def declared_twice(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A second player declares instead of countering."""
    declared = _acts(record, "declare")
    if not declared:
        return None
    i = declared[0]
    other = chance.choice([place for place in profile.seats if place is not record.acts[i].by])
    wrong = _with_more(record, i + 1, replace(record.acts[i], by=other))
    return WrongHand(wrong, (-1, i + 1), "declared_already", "declare")


def counters_himself(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """The declarer counters the own declaration."""
    declared = _acts(record, "declare")
    if not declared:
        return None
    i = declared[0]
    wrong = _with_more(record, i + 1, replace(record.acts[i], act="counter", cards=record.acts[i].cards * 2))
    return WrongHand(wrong, (-1, i + 1), "own_counter", "counter.self")


def counter_no_higher(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """One level card counters one level card or more."""
    declared = _acts(record, "declare")
    if not declared:
        return None
    i = declared[0]
    others = [place for place in profile.seats if place is not record.acts[i].by]
    other = chance.choice(others)
    card = Card(chance.choice("SHCD"), _rank(profile, record, other))
    wrong = _with_more(record, i + 1, ActRecord(other, "counter", (card,)))
    return WrongHand(wrong, (-1, i + 1), "not_higher", "counter.order")


def one_joker_declares(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A single joker is declared."""
    declared = _acts(record, "declare")
    if not declared:
        return None
    joker = Card(*chance.choice((("J", "S"), ("J", "B"))))
    wrong = _with_act(record, declared[0], cards=(joker,))
    return WrongHand(wrong, (-1, declared[0]), "single_joker", "declare.no_trump")


def _rank(profile: Profile, record: HandRecord, place: Any) -> str:
    """The rank of a player's level cards."""
    if "levels" not in record.tags:
        return str(profile.ladder.first)
    return record.tags["levels"].split()[int(place) - 1]


def other_buries(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """Somebody else than the dealer buries."""
    (i,) = _acts(record, "bury")
    other = chance.choice([place for place in profile.seats if place is not record.acts[i].by])
    return WrongHand(_with_act(record, i, by=other), (-1, i), "not_the_dealer", "division")


def buried_stranger(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """A card is buried that the dealer never held."""
    (i,) = _acts(record, "bury")
    act = record.acts[i]
    card = _not_held(profile, record, act.by)
    return WrongHand(_with_act(record, i, cards=(card, *act.cards[1:])), (-1, i), "card_not_held", "follow.suit")


def _not_held(profile: Profile, record: HandRecord, by: Any) -> Card:
    his = {*record.deal[by], *(record.kitty or ())}
    return next(known(card) for place in profile.seats for card in record.deal[place] if card not in his)


def buried_too_few(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """The dealer buries a card too few."""
    (i,) = _acts(record, "bury")
    return WrongHand(_with_act(record, i, cards=record.acts[i].cards[1:]), (-1, i), "bury_count", "deal")


def fourth_copy(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """The dealer calls a copy that three decks do not have."""
    calls = _acts(record, "call")
    if not calls:
        return None
    return WrongHand(_with_act(record, calls[0], number=4), (-1, calls[0]), "call_unclear", "ally")


def other_calls(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """Somebody else than the dealer calls the friend."""
    calls = _acts(record, "call")
    if not calls:
        return None
    other = chance.choice([place for place in profile.seats if place is not record.acts[calls[0]].by])
    return WrongHand(_with_act(record, calls[0], by=other), (-1, calls[0]), "not_the_dealer", "division")


def other_dealer(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """Another is written down as the dealer than the acts made one."""
    other = chance.choice([place for place in profile.seats if place != record.tags["dealer"]])
    wrong = replace(record, tags={**record.tags, "dealer": other.value})
    return WrongHand(wrong, None, "dealer_differs", "division", other.value)


def other_trump(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """Another suit is written down as the trumps than was declared or named."""
    other = chance.choice([suit for suit in "SHCD" if suit != record.tags["trump"]])
    wrong = replace(record, tags={**record.tags, "trump": Trump(other).value})
    return WrongHand(wrong, None, "trump_differs", "declare", other)


def card_dealt_twice(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """A card is dealt more often than the decks have it, in place of another."""
    times = Counter(card for cards in record.deal.values() for card in cards)
    often = chance.choice([card for card, many in sorted(times.items(), key=str) if many == profile.decks])
    place = chance.choice([one for one in profile.seats if set(record.deal[one]) != {often}])
    at = next(i for i, card in enumerate(record.deal[place]) if card != often)
    cards = record.deal[place]
    wrong = replace(record, deal={**record.deal, place: (*cards[:at], often, *cards[at + 1 :])})
    return WrongHand(wrong, None, "card_too_often", "deal")


def card_too_few(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """One player was dealt a card too few."""
    place = chance.choice(profile.seats)
    wrong = replace(record, deal={**record.deal, place: record.deal[place][1:]})
    return WrongHand(wrong, None, "hand_size", "deal", str(place))


# --- play ---


def pair_kept(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A pair that is owed is kept, and two other cards of the suit are played; the pair is torn later."""
    order = order_in(profile, record)
    for i, j in _following(record, 2, chance):
        play, led = record.tricks[i].plays[j], record.tricks[i].plays[0].laid
        category = order.category(known(led[0]))
        if led[0] != led[1] or play.laid[0] != play.laid[1] or order.category(known(play.laid[0])) is not category:
            continue
        # a single card of the suit that the same player plays later, alone, changes places with one of the pair
        for k, later in enumerate(record.tricks[i + 1 :], i + 1):
            for m, other in enumerate(later.plays):
                single = m > 0 and other.seat is play.seat and len(other.laid) == 1
                if single and order.category(known(other.laid[0])) is category and other.laid[0] != play.laid[0]:
                    wrong = with_play(record, (i, j), replace(play, cards=(play.laid[0], other.laid[0])))
                    wrong = with_play(wrong, (k, m), replace(other, cards=(play.laid[0],)))
                    return WrongHand(wrong, (i, j), "shape_owed", "follow.order")
    return None


def card_too_many(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A follower plays a card too many, one that is played later."""
    for i, j in _following(record, 1, chance):
        play = record.tricks[i].plays[j]
        if i + 1 == len(record.tricks):
            continue
        later = next(one for one in record.tricks[i + 1].plays if one.seat is play.seat)
        more = replace(play, cards=(*play.laid, later.laid[0]), forced=None)
        return WrongHand(with_play(record, (i, j), more), (i, j), "wrong_count", "follow.suit")
    return None


def turns_swapped(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """The second and the third player play in the wrong order."""
    i = chance.randrange(len(record.tricks))
    plays = record.tricks[i].plays
    trick = replace(record.tricks[i], plays=(plays[0], plays[2], plays[1], *plays[3:]))
    wrong = replace(record, tricks=(*record.tricks[:i], trick, *record.tricks[i + 1 :]))
    return WrongHand(wrong, (i, 1), "out_of_turn", "trick.lead")


def _following(record: HandRecord, size: int, chance: Random) -> Iterator[tuple[int, int]]:
    """Plays of so many cards behind the leader, in a random order."""
    spots = [
        (i, j)
        for i, trick in enumerate(record.tricks)
        if len(trick.plays[0].laid) == size
        for j in range(1, len(trick.plays))
    ]
    yield from chance.sample(spots, len(spots))


# --- what the table wrote down ---


def _stated(record: HandRecord, name: str, value: int | str) -> WrongHand:
    wrong = replace(record, result={**record.result, name: value})
    return WrongHand(wrong, None, "result_differs", "total", name)


def points_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """Five points more or less than were taken: of the attackers, or of one player."""
    name = chance.choice([name for name in record.result if name.startswith(("captured", "taken_"))])
    taken = record.result[name]
    assert isinstance(taken, int)
    return _stated(record, name, taken + chance.choice((-5, 5)))


def kitty_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand:
    """The kitty is stated to hold ten points more."""
    kitty = record.result["kitty"]
    assert isinstance(kitty, int)
    return _stated(record, "kitty", kitty + 10)


def friend_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """Another is written down as the friend."""
    if "ally" not in record.result:
        return None
    return _stated(record, "ally", chance.choice([one.value for one in Place if one.value != record.result["ally"]]))


def last_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """Another is written down as the winner of the last trick."""
    if "last" not in record.result:
        return None
    others = [one.value for one in profile.seats if one.value != record.result["last"]]
    return _stated(record, "last", chance.choice(others))


def winner_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """The wrong side is written down as the winner, where the points in the tricks alone say who won: the attackers
    reach the line without the kitty, or the kitty has no points, and nobody is fined."""
    line = {"alone": record.result.get("bid"), "ally": profile.threshold}.get(profile.division)
    if profile.division == "alone":
        line = record.acts[_acts(record, "bid")[-1]].number
    if line is None or any(play.forced is not None for trick in record.tricks for play in trick.plays):
        return None
    captured, kitty = record.result["captured"], record.result["kitty"]
    assert isinstance(captured, int)
    if captured >= int(line):
        return _stated(record, "winner", "dealer")
    return None if kitty else _stated(record, "winner", "attackers")


def levels_stated_wrong(profile: Profile, record: HandRecord, chance: Random) -> WrongHand | None:
    """A level more is written down than such points can give: where nobody is fined and the kitty has no points."""
    if profile.division != "ally" or record.result["kitty"]:
        return None
    if any(play.forced is not None for trick in record.tricks for play in trick.plays):
        return None
    captured, line, step = record.result["captured"], int(profile.threshold), int(profile.step)
    assert isinstance(captured, int)
    below = 1 + line // step if not captured else -(-(line - captured) // step)
    levels = (captured - line) // step if captured >= line else below
    return _stated(record, "levels", levels + 1)


#: Every kind by its name.
KINDS: dict[str, Kind] = {
    "card not held": _of_play(mutations.stranger),
    "revoke": _of_play(mutations.revoke),
    "pair kept": pair_kept,
    "card too many": card_too_many,
    "wrong winner of a trick": _of_play(mutations.wrong_leader),
    "turns swapped": turns_swapped,
    "failed throw kept": _of_play(mutations.kept_throw),
    "wrong cards forced": _of_play(mutations.wrong_forced),
    "bid no lower": bid_no_lower,
    "bid not on the list": bid_not_here,
    "bid out of turn": bid_out_of_turn,
    "bid after the end": bid_after_the_end,
    "wrong bid stated": bid_stated_wrong,
    "declared card not held": declared_stranger,
    "declared card of another level": declared_other_rank,
    "declared twice": declared_twice,
    "countered oneself": counters_himself,
    "counter no higher": counter_no_higher,
    "single joker declared": one_joker_declares,
    "buried by another": other_buries,
    "buried card not held": buried_stranger,
    "buried too few": buried_too_few,
    "copy that does not exist called": fourth_copy,
    "friend called by another": other_calls,
    "wrong dealer": other_dealer,
    "wrong trumps": other_trump,
    "card dealt too often": card_dealt_twice,
    "hand too small": card_too_few,
    "wrong points": points_stated_wrong,
    "wrong kitty": kitty_stated_wrong,
    "wrong friend": friend_stated_wrong,
    "wrong winner of the last trick": last_stated_wrong,
    "wrong winner of the hand": winner_stated_wrong,
    "wrong levels": levels_stated_wrong,
}
