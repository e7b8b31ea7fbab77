"""The batch protocol's doors to signals: the card of a side, an answer, the duty to return, illegal information."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from scoring import wording
from scoring.cards.deck import check_cards
from scoring.cards.order import Order, check_trump, order_of
from scoring.cards.tricks import check_play
from scoring.hands.findings import Finding, finding
from scoring.hands.reading import Reader
from scoring.profiles import Profile
from scoring.questions.asking import Answer, Op, reasons
from scoring.signals.answers import read_answer
from scoring.signals.clauses import cite
from scoring.signals.convention import FILED, TOPICS, Indirect, SignalCard, SignalRules, check_card, usable
from scoring.signals.information import CHANNELS, judge_information
from scoring.signals.returning import READINGS, USUAL_FINE, Position, return_duty
from scoring.values import Card, Seat, Trump

_FINE = {"en": "the fine", "zh": "罚分"}
_TRICK = {"en": "the number of the trick", "zh": "第几圈"}
_MOST_FINE, _MOST_TRICKS = 200, 60


def ask_signal_card(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """What is wrong with a signal card, and with a level which of its direct ranks can be played in such a hand."""
    reader = Reader(data)
    given = reader.raw("card")
    card = None if given is None else _card(reader.nested(given, "card"))
    filed, level = reader.word("filed", FILED), reader.level("level", profile)
    rows = reader.nested({} if reader.raw("event") is None else reader.raw("event"), "event")
    ranks = rows.items("prescribed", lambda row, path: _rank(row, path, rows.findings))
    rules = SignalRules(rows.flag("required") is True, ranks if rows.has("prescribed") else None)
    rows.done()
    reader.done()
    reader.refuse_if_any()
    found = check_card(card, rules, filed)
    topics = ("open", "card", "no_points") if card is None or level is None else ("open", "card", "no_points", "ranks")
    said: Answer = {
        "valid": not found,
        "findings": [one.code for one in found],
        "told": [one.to_json() for one in found],
        "because": reasons(cite(*topics)),
    }
    return said if card is None or level is None else said | {"usable": list(usable(profile, card, level))}


def _card(rows: Reader) -> SignalCard:
    direct = rows.items("direct", lambda row, path: _rank(row, path, rows.findings))
    lines = rows.items("indirect", lambda row, path: _line(row, path, rows))
    instead, shown = _instead(rows), rows.flag("open")
    rows.done()
    return SignalCard(direct, lines, instead, open=shown is not False)


def _line(row: object, path: str, reader: Reader) -> Indirect | None:
    rows = reader.nested(row, path)
    if not isinstance(row, Mapping):
        return None
    topic, by = rows.word("topic", TOPICS, required=True), rows.raw("by")
    if not isinstance(by, str):
        rows.missing("by")
    ranks = rows.items("ranks", lambda one, at: _rank(one, at, rows.findings))
    instead, meaning = _instead(rows), rows.raw("meaning")
    rows.done()
    return Indirect(str(topic), str(by), ranks, instead, meaning if isinstance(meaning, str) else "")


def _instead(rows: Reader) -> dict[str, str]:
    given = rows.raw("instead")
    if given is None:
        return {}
    if isinstance(given, Mapping) and all(isinstance(one, str) for pair in given.items() for one in pair):
        return dict(given)
    en, zh = "pairs of ranks", "成对的点数"
    rows.findings.append(
        finding("wrong_type", f"{rows.path}.instead", value=wording.shown(given), expected=en, expected_zh=zh)
    )
    return {}


def _rank(row: object, path: str, findings: list[Finding]) -> str | None:
    """A rank as it stands on a card; whether there is one of that name is for the card's own checks."""
    if isinstance(row, str) and 0 < len(row) <= 2:
        return row
    en, zh = "a rank", "点数"
    findings.append(finding("wrong_type", path, value=wording.shown(row), expected=en, expected_zh=zh))
    return None


def ask_signal_read(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """What the partner's cards say to a lead."""
    reader = Reader(data)
    level, trump = reader.level("level", profile, required=True), reader.choice("trump", Trump, required=True)
    reader.findings += check_trump(profile, trump)
    lead, play = _some(reader, "lead"), _some(reader, "play")
    direct = reader.items("direct", lambda row, path: _rank(row, path, reader.findings))
    reader.done()
    reader.findings += check_cards(profile, [("lead", lead), ("play", play)])
    reader.refuse_if_any()
    assert trump is not None
    said = read_answer(order_of(profile, trump, level), lead, play, direct)
    return {"shows": said.shows, "reason": said.reason, "because": reasons(said.because)}


def _some(reader: Reader, name: str) -> tuple[Card, ...]:
    cards = reader.cards(name)
    if not cards and not reader.findings:
        reader.missing(name)
    return cards


def ask_return_duty(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Whether the dealer owed the return of a lead, and what became of it."""
    reader = Reader(data)
    level, trump = reader.level("level", profile, required=True), reader.choice("trump", Trump, required=True)
    reader.findings += check_trump(profile, trump)
    dealer = reader.choice("dealer", Seat, required=True)
    direct = reader.items("direct", lambda row, path: _rank(row, path, reader.findings))
    rows = reader.nested({} if reader.raw("event") is None else reader.raw("event"), "event")
    reading = rows.word("return_duty", READINGS) or "normal"
    fine = rows.whole("return_fine", _FINE, low=0, high=_MOST_FINE)
    rows.done()
    hand = reader.cards("hand") if reader.has("hand") else None
    buried = reader.cards("buried")
    reader.cards("partner_hand")  # what the partner held never changes the duty
    said = reader.items("statements", lambda row, path: _statement(row, path, reader))
    tricks = reader.items("tricks", lambda row, path: _trick(row, path, reader))
    reader.done()
    played = [card for trick in tricks for seat, cards in trick for card in cards if hand is None or seat is not dealer]
    reader.findings += check_cards(profile, [("hand", hand or ()), ("buried", buried), ("tricks", played)])
    if hand is not None and dealer is not None and not reader.findings:
        reader.findings += _not_held(hand, dealer, tricks)
    reader.refuse_if_any()
    assert trump is not None
    assert dealer is not None
    order: Order = order_of(profile, trump, level)
    long_suit = any(by is dealer for by, _ in said)
    position = Position(order, dealer, direct, hand, tricks, buried, long_suit)
    duty = return_duty(position, reading=reading, fine=USUAL_FINE if fine is None else fine)
    answer: Answer = {"duty": duty.duty}
    for name in ("reason", "suit", "asked_in", "by_trick", "fine", "push"):
        value = getattr(duty, name)
        if value is not None:
            answer[name] = value
    if duty.proofs:
        answer["excused_by"] = list(duty.excused_by)
        answer["evidence"] = [
            {
                "code": proof.code,
                "by": proof.seat.value,
                "trick": proof.trick,
                "cards": [str(card) for card in proof.cards],
                "sentence": dict(proof.text),
            }
            for proof in duty.proofs
        ]
    if duty.ask:
        answer["ask"] = [dict(one) for one in duty.ask]
    return {**answer, "because": reasons(duty.because)}


def _statement(row: object, path: str, reader: Reader) -> tuple[Seat, int] | None:
    """What somebody told the referee: of a long suit, after which trick."""
    rows = reader.nested(row, path)
    if not isinstance(row, Mapping):
        return None
    by = rows.choice("by", Seat, required=True)
    after = rows.whole("after_trick", _TRICK, low=0, high=_MOST_TRICKS, required=True)
    rows.word("kind", ("long_suit",), required=True)
    rows.done()
    return None if by is None or after is None else (by, after)


def _trick(row: object, path: str, reader: Reader) -> tuple[tuple[Seat, tuple[Card, ...]], ...] | None:
    """One trick as a list of `[seat, cards]` in turn, all of as many cards as the first."""
    if not isinstance(row, list) or not 1 <= len(row) <= len(Seat):
        reader.findings.append(_no_trick(path, row))
        return None
    plays: list[tuple[Seat, tuple[Card, ...]]] = []
    for number, play in enumerate(row):
        at = f"{path}[{number}]"
        if not isinstance(play, list) or len(play) != 2:
            reader.findings.append(_no_trick(at, play))
            continue
        rows = reader.nested({"seat": play[0], "cards": play[1]}, at)
        seat, cards = rows.choice("seat", Seat, required=True), rows.cards("cards")
        if seat is None:
            continue
        if not cards:
            rows.missing("cards")
        reader.findings += check_play(plays, seat, cards, at)
        plays.append((seat, cards))
    return tuple(plays) or None


def _no_trick(path: str, value: object) -> Finding:
    en, zh = "a list of one to four plays, each a seat and its cards", "一至四家出牌的列表，每家为座位与牌"
    return finding("wrong_type", path, value=wording.shown(value), expected=en, expected_zh=zh)


def _not_held(hand: tuple[Card, ...], dealer: Seat, tricks: tuple[Any, ...]) -> list[Finding]:
    """Cards that the dealer played and did not hold."""
    played = Counter(card for trick in tricks for seat, cards in trick for card in cards if seat is dealer)
    missing = played - Counter(hand)
    if not missing:
        return []
    cards, verb = wording.cards_named(missing.elements()), wording.verb_of(missing.total())
    return [finding("card_not_held", "hand", cards=cards, verb=verb)]


def ask_information(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Whether something reached the partner in a legal way."""
    reader = Reader(data)
    channel = reader.word("channel", CHANNELS, required=True)
    on_card, reason = reader.flag("on_card"), reader.flag("reason")
    reader.done()
    reader.refuse_if_any()
    assert channel is not None
    judged = judge_information(channel, on_card=on_card, reason=reason)
    answer: Answer = {"legal": judged.legal, "category": judged.category}
    if judged.ask:
        answer["ask"] = [dict(one) for one in judged.ask]
    return {**answer, "because": reasons(judged.because)}


SIGNAL_OPS: Mapping[str, Op] = {
    "signal_card": Op(ask_signal_card),
    "signal_read": Op(ask_signal_read),
    "return_duty": Op(ask_return_duty),
    "information": Op(ask_information),
}
