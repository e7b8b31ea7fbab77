"""A recorded hand in steps: the deal and what came before play, every trick with the hands it came from, and the end.

Each step is judged when it is asked for. What the replay finds fault with is told nowhere here: a play against the
rules is a matter of officials until they have ruled, and a throw that was put down otherwise than it stood is as well.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from referee.hands.shapes import code_of
from scoring import wording
from scoring.cards.deck import FACES
from scoring.cards.order import TRUMPS, order_of
from scoring.cards.records import cards_text
from scoring.cards.replay_notes import counted
from scoring.cards.replay_tricks import lead_of
from scoring.individual.replay import SingleReplay
from scoring.values import SUITS, Role, in_turn

from .cases import Case
from .judging import judge
from .played_hand import tricks
from .questions import TRICK
from .verdicts import DIM, PLAIN, Placed, Reading, Verdict, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoring.cards.order import Order
    from scoring.cards.records import Seen
    from scoring.cards.replay_tricks import TrickReplay
    from scoring.values import Card, Player, Text
    from tournaments.ledger.hands_on_record import Replayed
    from tournaments.sittings.games import HandReplay

    from .played_hand import ShownTrick

KITTY: Final = "kitty"


@dataclass(frozen=True, slots=True)
class Group:
    """The cards of one category in one place, from the highest; each with whether it is played now. `suit` is empty
    of trumps, whose cards are of all suits."""

    suit: str
    cards: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Pocket:
    """The cards of a seat or of the ``kitty``. `unseen`: so many more that nobody saw."""

    name: str
    groups: tuple[Group, ...]
    number: int
    unseen: int = 0


@dataclass(frozen=True, slots=True)
class TrickStep:
    """One trick: the verdict on it with the cards around the table, its throw, and the hands before it, as far as they
    are known. `query` is the position for the adjudicator, empty where it cannot be laid out there."""

    shown: ShownTrick
    verdict: Verdict
    throw: Reading | None
    pockets: tuple[Pocket, ...]
    query: str


@dataclass(frozen=True, slots=True)
class Gain:
    """A trick that brought the attackers points, and what they had after it."""

    number: int
    points: int
    sum: int


def dealt(one: Replayed) -> tuple[Pocket, ...]:
    """The hands as they were dealt and the kitty that was left, as far as the record or its plays tell them."""
    order, record, hands = _order(one.replay), one.record, one.replay.hands
    buriers = {act.by for act in record.acts if act.act == "bury"} | {one.replay.dealer}
    pockets = []
    for seat in one.replay.profile.seats:
        held = hands.get(seat)
        cards: Iterable[Seen] | None = record.deal.get(seat)
        if cards is None and held is not None and seat not in buriers:
            cards = held.elements()
        if cards is not None:
            pockets.append(_pocket(order, seat.value, list(cards)))
    if record.kitty is not None:
        pockets.append(_pocket(order, KITTY, record.kitty))
    return tuple(pockets)


def buried(one: Replayed) -> Pocket | None:
    """What lay in the kitty while the hand was played; None where it is not known or there is none."""
    cards = one.replay.buried
    return _pocket(_order(one.replay), KITTY, cards) if cards else None


def trick(one: Replayed, number: int) -> TrickStep:
    """The step of a trick of the record, from 1."""
    again = one.replay
    played = again.tricks[number - 1]
    shown = list(tricks(again))[number - 1]
    case = _case(again, played)
    verdict = None if case is None else judge(case)
    if verdict is None or not verdict.is_judged or verdict.winner is not played.winner:
        case, verdict = None, _without_reasons(played)
    failed = {play.seat: play.failed for play in shown.plays if play.failed}
    placed = tuple(_with_failed(at, failed.get(at.seat.value, ())) for at in verdict.placed)
    return TrickStep(
        shown=shown,
        verdict=replace(verdict, placed=placed, then=tuple(_points(again, played))),
        throw=_throw(played),
        pockets=tuple(_held_before(again, number)),
        query="" if case is None else case.query,
    )


def gains(seen: Replayed) -> tuple[Gain, ...] | None:
    """The tricks that brought the attackers points, without a last one that is counted by its cards; None where not
    every trick tells them."""
    again = seen.replay
    if again.dealer is None or not again.complete:
        return None
    counted_apart = again.profile.last_trick == "cards_times_points"
    in_tricks = again.tricks[:-1] if counted_apart else again.tricks
    against = [one for one in in_tricks if again.role_of(one.winner) is Role.ATTACKERS]
    won = [(one.number, one.points) for one in against if one.points]
    sums = accumulate(points for _, points in won)
    return tuple(Gain(number, points, total) for (number, points), total in zip(won, sums, strict=True))


# --- one trick ---


def _case(again: HandReplay, played: TrickReplay) -> Case | None:
    """The position of the adjudicator; None where the cards or the turns are not those of a whole trick."""
    seats = tuple(play.seat for play in played.plays)
    if played.verdict is None or again.trump is None or seats != in_turn(again.profile.seats, seats[0]):
        return None
    first = played.plays[0]
    lead = lead_of(_known_order(again), first) if first.parts and first.forced is None else None
    params = {
        "level": "" if again.level is None else str(again.level),
        "trump": again.trump.value,
        "leader": first.seat.value,
        "dealer": "" if again.dealer is None else again.dealer.value,
        "ally": (again.ally or "") if isinstance(again, SingleReplay) else "",
        "shapes": "" if lead is None else ",".join(code_of(unit.shape) for unit in lead.units),
        **{play.seat.value: cards_text(play.laid) for play in played.plays},
    }
    return Case.of(TRICK, again.profile, params)


def _without_reasons(played: TrickReplay) -> Verdict:
    """A trick as it lies on the table, where nothing can be said of why; who won it is said where that is known."""
    placed = []
    for number, play in enumerate(played.plays, 1):
        note = say("led", "领出") if number == 1 else say("followed", "跟出")
        cards = tuple((cards_text([card]), "") for card in play.laid)
        placed.append(Placed(play.seat, cards, number, note, winner=play.seat is played.winner))
    headline = say("Who wins cannot be told from this record.", "按这份牌谱看不出这一圈谁赢。")
    if played.winner is not None:
        who = wording.PLAYERS[played.winner]
        headline = say(f"{who['en']} wins the trick.", f"{who['zh']}家赢得这一圈。")
    return Verdict(TRICK, PLAIN, headline, placed=tuple(placed), winner=played.winner)


def _with_failed(at: Placed, failed: tuple[str, ...]) -> Placed:
    """A play with the cards of a failed throw that went back into the hand, which its note says as well."""
    if not failed:
        return at
    many = len(failed)
    note = say(f"{at.note['en']}, {many} taken back", f"{at.note['zh']}，收回 {many} 张")
    return replace(at, cards=at.cards + tuple((card, DIM) for card in failed), note=note)


def _points(again: HandReplay, played: TrickReplay) -> Iterator[Text]:
    """What the trick is worth, and to whom."""
    points = played.points
    if played.verdict is None or points is None:
        return
    role = again.role_of(played.winner)
    if role is None or not points:
        yield say(f"{points} points in it." if points else "No points in it.", f"本圈 {points} 分。")
    elif role is Role.ATTACKERS:
        yield say(f"The attackers gain {points} points.", f"闲家得 {points} 分。")
    else:
        yield say(f"The dealer side keeps {points} points.", f"庄家方收下 {points} 分，闲家得 0 分。")


def _throw(played: TrickReplay) -> Reading | None:
    """The verdict on the throw that was led, where the cards on the table agree with it."""
    throw, first = played.throw, played.plays[0] if played.plays else None
    if throw is None or first is None or throw.stands is None:
        return None
    if throw.stands is (first.forced is not None) or (first.forced is not None and not _is_forced(played)):
        return None
    reasons = throw.because
    return Reading(throw.sentence, reasons[0].clause if reasons else None)


def _is_forced(played: TrickReplay) -> bool:
    """Whether what stayed of a throw that failed is what had to stay."""
    throw, stayed = played.throw, counted(played.plays[0].laid)
    forced = None if throw is None else throw.forced
    if forced is None or stayed is None or not forced.known:
        return False
    choices = [forced.must_play, *forced.equals] if forced.must_play else forced.options
    return stayed in [Counter(cards) for cards in choices]


# --- hands ---


def _held_before(again: HandReplay, number: int) -> Iterator[Pocket]:
    """The hands that are known before a trick; what is played to it is marked."""
    order = _order(again)
    for seat in again.profile.seats:
        held = again.hands.get(seat)
        for trick in again.tricks[: number - 1]:
            held = _less(held, trick, seat)
        if held is None:
            continue
        laid = (play.laid for play in again.tricks[number - 1].plays if play.seat is seat)
        now = Counter(card for cards in laid for card in cards)
        yield _pocket(order, seat.value, list(held.elements()), now)


def _less(held: Counter[Card] | None, trick: TrickReplay, seat: Player) -> Counter[Card] | None:
    """A hand without what was played of it; None from the first card on that nobody saw."""
    for play in trick.plays:
        if play.seat is seat and held is not None:
            laid = counted(play.laid)
            held = None if laid is None else held - laid
    return held


def _order(again: HandReplay) -> Order | None:
    return None if again.trump is None else _known_order(again)


def _known_order(again: HandReplay) -> Order:
    assert again.trump is not None
    return order_of(again.profile, again.trump, again.level)


def _pocket(order: Order | None, name: str, cards: Sequence[Seen], now: Counter[Seen] | None = None) -> Pocket:
    """Cards by category, trumps first, each category from its highest card; `now` are those that are played."""
    seen = [card for card in cards if card is not None]
    groups: dict[str, list[Card]] = {suit: [] for suit in (TRUMPS, *SUITS)}
    for card in seen:
        groups[_category(order, card)].append(card)
    left = Counter(now or ())
    shown = []
    for suit, own in groups.items():
        own.sort(key=lambda card: _height(order, card), reverse=True)
        if own:
            shown.append(Group("" if suit == TRUMPS else suit, tuple(_marked(own, left))))
    return Pocket(name, tuple(shown), len(cards), len(cards) - len(seen))


def _marked(cards: Iterable[Card], left: Counter[Seen]) -> Iterator[tuple[str, bool]]:
    for card in cards:
        left[card] -= 1
        yield str(card), left[card] >= 0


def _category(order: Order | None, card: Card) -> str:
    """The category of a card; by its face where trumps are not known, jokers by themselves."""
    if order is not None:
        return order.category(card).name
    return TRUMPS if card.is_joker else card.suit


def _height(order: Order | None, card: Card) -> tuple[int, int]:
    if order is not None:
        place = order.place[card]
        return place.rung, -place.face
    return FACES.index(card), 0
