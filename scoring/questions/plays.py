"""The questions of the batch protocol about cards in play (docs/questions.md); each is a thin door to one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scoring import wording
from scoring.cards.deck import check_cards
from scoring.cards.following import judge_follow
from scoring.cards.leads import Lead, Made, made, read_cards, read_lead, unsaid
from scoring.cards.order import Order, by_strength, check_trump, order_of
from scoring.cards.parsing import largest_reading
from scoring.cards.plays import can_lead_to, follow_set
from scoring.cards.throwing import Forced, forced_small, judge_throw, read_throw
from scoring.cards.tricks import check_play, judge_trick
from scoring.hands.findings import Refused, finding
from scoring.hands.reading import Reader
from scoring.hands.totals import throw_penalty
from scoring.individual.entries import places
from scoring.profiles import Profile
from scoring.questions.asking import Answer, Op, reasons
from scoring.values import Card, Place, Player, Role, Seat, Shape, Side, Trump

Groups = Sequence[tuple[str, Sequence[Card]]]


class _Asked:
    """The fields that every question about cards has: the level and the trump suit, and the cards it names."""

    def __init__(self, profile: Profile, data: Mapping[str, Any]) -> None:
        self.profile = profile
        self.reader = Reader(data)
        self._level = self.reader.level("level", profile, required=True)
        self._trump = self.reader.choice("trump", Trump, required=True)
        self.reader.findings += check_trump(profile, self._trump)
        self._groups: list[tuple[str, Sequence[Card]]] = []

    def cards(self, name: str, *, together: bool = True) -> tuple[Card, ...]:
        """A list of cards that must be there; `together`: it shares the decks with the other lists."""
        if not self.reader.has(name):
            self.reader.missing(name)
        found = self.reader.cards(name)
        if together:
            self._groups.append((name, found))
        else:
            self.reader.findings += check_cards(self.profile, [(name, found)])
        return found

    def add(self, name: str, cards: Sequence[Card]) -> None:
        self._groups.append((name, cards))

    def declared(self, name: str) -> tuple[Shape, ...] | None:
        return self.reader.shapes(name) if self.reader.has(name) else None

    def order(self) -> Order:
        """The order of the hand asked about; raises Refused with everything that was wrong so far."""
        self.reader.done()
        self.reader.findings += check_cards(self.profile, self._groups)
        self.reader.refuse_if_any()
        assert self._trump is not None
        return order_of(self.profile, self._trump, self._level)


def _shown(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _units(made: Iterable[Made]) -> list[dict[str, Any]]:
    return [{**one.shape.to_json(), "cards": _shown(one.cards)} for one in made]


def _cite(profile: Profile, *topics: str) -> list[dict[str, Any]]:
    return reasons(reason for topic in topics for reason in profile.cite(topic))


def _is_tractor(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    cards = asked.cards("cards")
    order = asked.order()
    because = _cite(profile, *_tractor_topics(order, cards))
    category = order.only_category(cards)
    units = () if category is None else largest_reading(category, category.of(order.count(cards)))
    run = next((unit for unit in units if unit.length > 1), None)
    if run is None or len(units) > 1:
        return {"tractor": False, "because": because}
    return {"tractor": True, "shape": run.shape.to_json(), "because": because}


def _tractor_topics(order: Order, cards: Sequence[Card]) -> list[str]:
    """The clauses that decide whether these cards make a tractor."""
    profile = order.profile
    topics = ["cards.tractor"] if profile.tractors else ["tractors"]
    ranks = {card.rank for card in cards}
    if order.level is not None and order.level.rank in ranks and "S" in {card.rank for card in cards if card.is_joker}:
        topics.append("cards.nt_level_joker" if order.trump is Trump.NT else "cards.level_joker")
    if not profile.hollow_tractors:
        topics.append("cards.hollow")
    if profile.broken_joints or profile.short_joints:
        topics.append("cards.joints")
    return topics


def _order(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    cards = asked.cards("cards")
    groups = by_strength(asked.order(), cards)
    return {"groups": [_shown(group) for group in groups], "because": _cite(profile, "cards.order")}


def _shapes(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    cards = asked.cards("cards")
    found = read_cards(asked.order(), cards)
    return {"best": _units(found.best), "all": [_units(one) for one in found.all], "because": reasons(found.because)}


def _forced_small(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    thrown, declared = asked.cards("thrown"), asked.declared("thrown_shapes")
    rows = asked.reader.nested(asked.reader.raw("others_hold_bigger"), "others_hold_bigger")
    bigger = {
        kind: rows.flag(kind) for kind in ("single", "pair", "triple", "quad", "tractor", "510K") if rows.has(kind)
    }
    rows.done()
    lead = read_throw(asked.order(), thrown, declared)
    kinds = {unit.want: unit.shape.type for unit in lead.units}
    failed = {want for want, kind in kinds.items() if bigger.get(kind) is True}
    unknown = {want for want, kind in kinds.items() if kind not in bigger}
    because = _cite(profile, "throw.stands", "throw.forced")
    if not failed and not unknown:
        return {"stands": True, "must_play": None, "because": because}
    forced = forced_small(lead, failed.__contains__, unknown.__contains__) if failed else None
    if forced is None or not forced.known:
        missing = sorted({kinds[want] for want in unknown})
        raise Refused([finding("missing", f"others_hold_bigger.{kind}") for kind in missing])
    return {"stands": False, **_forced(forced), "because": because}


def _undeclared(lead: Lead, declared: Sequence[Shape] | None) -> tuple[Answer, list[str]]:
    """Where the leader should have said which reading is meant and did not: the others there are, and the clause."""
    others = unsaid(lead, declared)
    if others is None:
        return {}, []
    named = [_units(made(lead.category, units)) for units in others]
    return ({"other_readings": named} if named else {}), ["cards.reading"]


def _forced(forced: Forced) -> Answer:
    if forced.options:
        return {"choice_by": "next_player", "options": [_shown(option) for option in forced.options]}
    said: Answer = {"must_play": _shown(forced.must_play)}
    if forced.equals:
        said["equals"] = [_shown(one) for one in forced.equals]
    return said


def _ask_throw(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    thrown, declared = asked.cards("thrown"), asked.declared("thrown_shapes")
    others = _hands(asked)
    side = asked.reader.choice("side", Role)
    lead = read_throw(asked.order(), thrown, declared)
    verdict = judge_throw(lead, others)
    unsaid, topics = _undeclared(lead, declared)
    said: Answer = {
        **unsaid,
        "stands": verdict.stands,
        "failures": [
            {"cards": _shown(one.cards), "by": one.by, "holds": _shown(one.holds)} for one in verdict.failures
        ],
        "sentence": dict(verdict.sentence),
    }
    because = [*verdict.because, *(reason for topic in topics for reason in profile.cite(topic))]
    if verdict.forced is not None and verdict.forced.known:
        said |= _forced(verdict.forced)
    if verdict.stands is False and side is not None:
        said["fine"] = throw_penalty(profile, side, lead.size)
        because += profile.cite("throw_fine", said["fine"])
    return {**said, "because": reasons(because)}


def _hands(asked: _Asked) -> list[tuple[Card, ...] | None]:
    """The other hands in turn; null where one is not known."""
    rows = asked.reader.raw("others")
    if rows is None:
        return []
    if not isinstance(rows, list):
        _wrong_type(asked.reader, "others", "a list of hands", "各家手牌的列表", rows)
        return []
    if len(rows) >= asked.profile.players:
        wording_code = "too_many_hands:five" if asked.profile.players == 5 else None
        asked.reader.findings.append(finding("too_many_hands", "others", wording_code=wording_code))
        return []
    reader = asked.reader.nested({str(i): row for i, row in enumerate(rows)}, "others")
    hands = [None if row is None else reader.cards(str(i)) for i, row in enumerate(rows)]
    for i, hand in enumerate(hands):
        asked.add(f"others.{i}", hand or ())
    return hands


def _wrong_type(reader: Reader, field: str, en: str, zh: str, value: object) -> None:
    reader.findings.append(finding("wrong_type", field, expected=en, expected_zh=zh, value=wording.shown(value)))


def _trick(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    # single players have no sides: the field is unknown there
    side = asked.reader.choice("dealer_side", Side) if profile.game != "individual" else None
    declared = asked.declared("lead_shapes")
    plays = _plays(asked)
    order = asked.order()
    lead = read_lead(order, plays[0][1], declared, field="plays[0].cards")
    verdict = judge_trick(lead, plays)
    unsaid, topics = _undeclared(lead, declared)
    said: Answer = {
        **unsaid,
        "winner": verdict.winner.value,
        "points": int(verdict.points),
        "complete": len(plays) == profile.players,
        "plays": [one.to_json() for one in verdict.plays],
        "because": reasons(verdict.because) + _cite(profile, *topics),
    }
    if side is not None:
        said["attackers_gain"] = verdict.attackers_gain(side)
    return said


def _plays(asked: _Asked) -> list[tuple[Player, tuple[Card, ...]]]:
    """The plays so far in turn, each `[seat, cards]`, all of as many cards as the first."""
    reader = asked.reader
    rows = reader.raw("plays")
    if not isinstance(rows, list) or not 1 <= len(rows) <= asked.profile.players:
        most = wording.NUMBERS[asked.profile.players]
        _wrong_type(reader, "plays", f"a list of one to {most['en']} plays", f"一至{most['zh']}家出牌的列表", rows)
        return []
    plays: list[tuple[Player, tuple[Card, ...]]] = []
    players = _players(asked.profile, rows[0])
    for i, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != 2:
            _wrong_type(reader, f"plays[{i}]", "a seat and its cards", "座位与所出的牌", row)
            continue
        one = reader.nested({"seat": row[0], "cards": row[1]}, f"plays[{i}]")
        word, cards = one.word("seat", [player.value for player in players], required=True), one.cards("cards")
        seat = next((player for player in players if player == word), None)
        asked.add(f"plays[{i}].cards", cards)
        if seat is not None:
            reader.findings += check_play(plays, seat, cards, f"plays[{i}]", players)
            plays.append((seat, cards))
    return plays


def _players(profile: Profile, first: object) -> tuple[Player, ...]:
    """Who plays at this table: four at seats, or single players at places where the first play names one."""
    numbered = isinstance(first, list) and bool(first) and first[0] in tuple(Place)
    if profile.game == "individual" and (numbered or profile.players != len(Seat)):
        return places(profile)
    return tuple(Seat)


def _follow(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    led, declared = asked.cards("lead"), asked.declared("lead_shapes")
    hand, play = asked.cards("hand"), asked.cards("play", together=False)
    order = asked.order()
    lead = read_lead(order, led, declared)
    verdict = judge_follow(lead, order.count(hand), order.count(play))
    unsaid, topics = _undeclared(lead, declared)
    return {**verdict.to_json(), **unsaid, "because": reasons(verdict.because) + _cite(profile, *topics)}


def _follow_set(profile: Profile, data: Mapping[str, Any]) -> Answer:
    asked = _Asked(profile, data)
    led, declared = asked.cards("lead"), asked.declared("lead_shapes")
    hand = asked.cards("hand")
    prefix = asked.cards("prefix", together=False) if asked.reader.has("prefix") else None
    order = asked.order()
    lead, held = read_lead(order, led, declared), order.count(hand)
    because = _cite(profile, "follow.suit", "follow.order")
    if prefix is not None:
        return {"next": _shown(can_lead_to(lead, held, order.count(prefix))), "because": because}
    return {"plays": [_shown(play) for play in follow_set(lead, held)], "because": because}


def _door(run: Callable[[Profile, Mapping[str, Any]], Answer]) -> Op:
    return Op(run, individual=True)


#: The ops of this module, by name.
PLAY_OPS: Mapping[str, Op] = {
    "is_tractor": _door(_is_tractor),
    "order": _door(_order),
    "shapes": _door(_shapes),
    "forced_small": _door(_forced_small),
    "throw": _door(_ask_throw),
    "trick": _door(_trick),
    "follow": _door(_follow),
    "follow_set": _door(_follow_set),
}
