"""What the cards of a recorded hand say against the hand that a table of single players wrote down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from scoring import wording
from scoring.cards.disagreements import disagreement, in_words, same
from scoring.hands.findings import Finding
from scoring.hands.totals import attackers_total
from scoring.individual.entries import Call, IndividualHand, PlaceThrow
from scoring.individual.replay import SingleReplay
from scoring.values import Place, Points, Text


def disagreements(replay: SingleReplay, hand: IndividualHand) -> tuple[Finding, ...]:
    """A finding `record_disagrees` for each field in which the hand differs from what the cards give.

    As of two sides: what the hand leaves open, or the record does not tell, disagrees with nothing, and the total is
    compared without what officials ruled.
    """
    return tuple(_disagreements(replay, hand))


def _disagreements(replay: SingleReplay, hand: IndividualHand) -> Iterator[Finding]:
    played = replay.hand
    dealer = hand.bidder or hand.dealer
    decided = [
        ("dealer", dealer, replay.dealer),
        ("level", hand.level, replay.level),
        ("trump", hand.trump, replay.trump),
        ("bid", hand.lowest_bid, played.lowest_bid),
        ("call", hand.call, played.call),
        ("ally", hand.ally, played.ally),
        ("last_trick_winner", hand.last_trick_winner, played.last_trick_winner),
        ("last_trick_place", hand.last_trick_place, played.last_trick_place),
    ]
    for name, entered, true in decided:
        if entered is not None and true is not None and entered != true:
            yield disagreement(name, _said(entered), _said(true))
    if not replay.complete:
        return
    if hand.total_only is None:
        yield from _taken(hand, played)
    true_total = replay.total
    if true_total is not None:
        entered_total = attackers_total(replay.profile, hand.sheet(dealer or replay.dealer), reasons=False)
        unruled, true_raw = entered_total.raw - entered_total.adjustments, true_total.raw - true_total.adjustments
        if unruled != true_raw:
            yield disagreement("total", same(wording.shown(unruled)["en"]), same(wording.shown(true_raw)["en"]))


def _taken(hand: IndividualHand, played: IndividualHand) -> Iterator[Finding]:
    """Points, the shapes of the last trick and failed throws."""
    for name in ("captured_in_tricks", "kitty_points"):
        entered, true = getattr(hand, name), getattr(played, name)
        if entered is not None and true is not None and entered != true:
            yield disagreement(name, same(entered), same(true))
    if hand.points and played.points and _filled(hand.points) != _filled(played.points):
        yield disagreement("points", _by_place(hand.points), _by_place(played.points))
    if hand.led and played.led and Counter(hand.led) != Counter(played.led):
        yield disagreement("led", wording.shapes_named(list(hand.led)), wording.shapes_named(list(played.led)))
    if Counter(hand.throw_failures) != Counter(played.throw_failures):
        yield disagreement("throw_failures", _throws(hand.throw_failures), _throws(played.throw_failures))


def _said(value: object) -> Text:
    if isinstance(value, Call):
        card = wording.cards_named([value.card])
        return {"en": f"{card['en']} no. {value.ordinal}", "zh": f"第 {value.ordinal} 张 {card['zh']}"}
    return in_words(value)


def _filled(points: Mapping[Place, Points]) -> dict[Place, int]:
    """Points by place without those who took none: a table may leave them out."""
    return {place: int(taken) for place, taken in points.items() if taken}


def _by_place(points: Mapping[Place, Points]) -> Text:
    rows = [(wording.PLACES[place], taken) for place, taken in sorted(points.items())]
    return {
        "en": ", ".join(f"{name['en']} {taken}" for name, taken in rows),
        "zh": "、".join(f"{name['zh']} {taken} 分" for name, taken in rows),
    }


def _throws(failures: Iterable[PlaceThrow]) -> Text:
    rows = [(wording.PLACES[one.place], one.cards) for one in sorted(failures, key=lambda one: (one.place, one.cards))]
    if not rows:
        return {"en": "none", "zh": "无"}
    return {
        "en": ", ".join(f"{name['en']} {cards}" for name, cards in rows),
        "zh": "、".join(f"{name['zh']} {cards} 张" for name, cards in rows),
    }
