"""The tricks of a record judged one after another: turns, every play against its hand, throws, and who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring import wording
from scoring.cards.following import judge_follow
from scoring.cards.order import Counts, Order, are_in, without
from scoring.cards.parsing import Lead, largest_reading, read_lead
from scoring.cards.records import Play, Seen, TrickRecord, cards_text, problem
from scoring.cards.replay_notes import Hands, Notes, counted, seen_cards
from scoring.cards.throwing import ThrowVerdict, judge_counted
from scoring.cards.tricks import TrickVerdict, judge_trick
from scoring.hands.findings import Finding, Refused
from scoring.values import Card, Player, Shape, in_turn


@dataclass(frozen=True, slots=True)
class TrickReplay:
    """One trick judged again: who won it and what it was worth, None where a card was not seen."""

    number: int
    plays: tuple[Play, ...]
    verdict: TrickVerdict | None
    throw: ThrowVerdict | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def winner(self) -> Player | None:
        return None if self.verdict is None else self.verdict.winner

    @property
    def points(self) -> int | None:
        return None if self.verdict is None else int(self.verdict.points)

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "winner": None if self.winner is None else self.winner.value,
            "points": self.points,
            "findings": [one.to_json() for one in self.findings],
        }


def judge_tricks(notes: Notes, order: Order, hands: Hands, dealer: Player | None) -> tuple[TrickReplay, ...]:
    """Every trick of the record; the dealer leads the first one unless the record says who did."""
    held = {seat: None if hand is None else order.count(hand.elements()) for seat, hand in hands.items()}
    return _Playing(notes, order, held).tricks(dealer)


def lead_of(order: Order, first: Play) -> Lead | None:
    """The lead as it stayed on the table, declared as its leader did; None where it cannot be read."""
    cards = seen_cards(first.laid)
    if cards is None:
        return None
    try:
        declared = _declared(order, first, cards) if first.forced is None else None
        return read_lead(order, cards, declared)
    except Refused:
        return None


def _declared(order: Order, first: Play, cards: Sequence[Card]) -> tuple[Shape, ...] | None:
    """The shapes the leader declared by parting the cards; None when nothing was declared."""
    if not first.parts:
        return None
    shapes, at = [], 0
    for size in first.parts:
        part = cards[at : at + size]
        at += size
        category = order.only_category(part)
        units = () if category is None else largest_reading(category, category.of(order.count(part)))
        shapes += [unit.shape for unit in units]
    return tuple(shapes)


def _left(hand: Counts, laid: Counts) -> Counts:
    """What is left of a hand; a card that was not in it is not missed."""
    if are_in(laid, hand):
        return without(hand, laid)
    return bytes(max(0, held - gone) for held, gone in zip(hand, laid, strict=True))


@dataclass(slots=True)
class _Playing:
    """The play of one record; `hands` are those before the trick that is judged. Cards leave them as they are laid."""

    notes: Notes
    order: Order
    hands: dict[Player, Counts | None]

    @property
    def _players(self) -> tuple[Player, ...]:
        return self.notes.profile.seats

    def tricks(self, dealer: Player | None) -> tuple[TrickReplay, ...]:
        said = self.notes.record.tags.get("leader")
        leader = dealer if said is None else next(player for player in self._players if player == said)
        done = []
        for i, trick in enumerate(self.notes.record.tricks):
            judged = self._trick(leader, trick, last=i == len(self.notes.record.tricks) - 1)
            done.append(judged)
            leader = judged.winner if len(trick.plays) == len(self._players) else None
        return tuple(done)

    def _trick(self, leader: Player | None, trick: TrickRecord, *, last: bool) -> TrickReplay:
        before = len(self.notes.findings)
        self._check_turns(trick, leader, last=last)
        lead = lead_of(self.order, trick.plays[0]) if trick.plays else None
        throw = self._check_plays(trick, lead)
        verdict = self._verdict(trick, lead)
        for play in trick.plays:
            hand, laid = self.hands[play.seat], self._count(play.laid)
            self.hands[play.seat] = None if hand is None or laid is None else _left(hand, laid)
        return TrickReplay(trick.number, trick.plays, verdict, throw, tuple(self.notes.findings[before:]))

    def _count(self, cards: Sequence[Seen]) -> Counts | None:
        """The cards counted; None when one of them was not seen."""
        seen = seen_cards(cards)
        return None if seen is None else self.order.count(seen)

    def _check_turns(self, trick: TrickRecord, leader: Player | None, *, last: bool) -> None:
        notes = self.notes
        if not trick.plays:
            notes.add("trick_short", trick.place, "Nobody plays to this trick.", "本圈没有人出牌。", "trick.lead")
            return
        first = trick.plays[0]
        if leader is not None and first.seat is not leader:
            en = f"{wording.PLAYERS[leader]['en']} leads this trick."
            notes.add("wrong_leader", first.place, en, f"本圈应由{wording.PLAYERS[leader]['zh']}领出。", "trick.lead")
        for play, seat in zip(trick.plays, in_turn(self._players, first.seat), strict=False):
            if play.seat is not seat:
                en = f"It is the turn of {wording.PLAYERS[seat]['en']}."
                notes.add("out_of_turn", play.place, en, f"此时轮到{wording.PLAYERS[seat]['zh']}出牌。", "trick.lead")
                break
        if len(trick.plays) < len(self._players) and not last:
            notes.add("trick_short", trick.place, "Not everybody played.", "本圈没有出齐。", "trick.lead")

    def _check_plays(self, trick: TrickRecord, laid: Lead | None) -> ThrowVerdict | None:
        """Every play of the trick against the hand it came from; the verdict on a throw. `laid` is what was led."""
        if not trick.plays:
            return None
        first = trick.plays[0]
        for play in trick.plays:
            self._check_held(play)
            if len(play.laid) != len(first.laid):
                en, zh = f"{len(first.laid)} cards are due.", f"应出 {len(first.laid)} 张。"
                self.notes.add("wrong_count", play.place, en, zh, "follow.suit")
        led = seen_cards(first.cards)
        if led is None:
            return None
        lead = laid
        if laid is None or first.forced is not None:
            try:
                lead = read_lead(self.order, led, _declared(self.order, first, led))
            except Refused as refused:
                self.notes.pass_on(refused.findings[0], first.place)
                return None
        assert lead is not None
        throw = self._check_throw(first, lead) if lead.is_throw or first.forced is not None else None
        for play in trick.plays[1:]:
            self._check_follow(laid, play)
        return throw

    def _check_held(self, play: Play) -> None:
        hand, shown = self.hands[play.seat], seen_cards(play.cards)
        if hand is None or shown is None or are_in(self.order.count(shown), hand):
            return
        self.notes.not_held(play.place, play.seat, Counter(shown) - Counter(self.order.cards(hand)))
        self.hands[play.seat] = None

    def _check_throw(self, first: Play, lead: Lead) -> ThrowVerdict | None:
        others = [self.hands[seat] for seat in in_turn(self._players, first.seat)[1:]]
        try:
            verdict = judge_counted(lead, others)
        except Refused as refused:
            self.notes.pass_on(refused.findings[0], first.place)
            return None
        if first.forced is not None:
            self._check_forced(first, verdict)
        elif verdict.stands is False:
            self.notes.add("throw_fails", first.place, verdict.sentence["en"], verdict.sentence["zh"], "throw.stands")
        return verdict

    def _check_forced(self, first: Play, verdict: ThrowVerdict) -> None:
        assert first.forced is not None
        if verdict.stands:
            self.notes.add("throw_stood", first.place, verdict.sentence["en"], verdict.sentence["zh"], "throw.stands")
            return
        forced, kept = verdict.forced, counted(first.forced)
        if forced is None or kept is None:
            return
        choices = [forced.must_play, *forced.equals] if forced.must_play else [*forced.options]
        if forced.known and kept not in [Counter(cards) for cards in choices]:
            words = " / ".join(cards_text(cards) for cards in choices)
            self.notes.add("wrong_forced", first.place, f"{words} must stay.", f"应强制出 {words}。", "throw.forced")

    def _check_follow(self, lead: Lead | None, play: Play) -> None:
        hand, cards = self.hands[play.seat], self._count(play.laid)
        if lead is None or hand is None or cards is None or len(play.laid) != lead.size or sum(hand) < lead.size:
            return
        if not are_in(cards, hand):
            return
        try:
            verdict = judge_follow(lead, hand, cards)
        except Refused as refused:
            self.notes.pass_on(refused.findings[0], play.place)
            return
        if not verdict.legal:
            clause = verdict.because[0].clause.id if verdict.because else None
            self.notes.findings.append(
                problem(verdict.code, play.place, verdict.sentence["en"], verdict.sentence["zh"], clause=clause)
            )

    def _verdict(self, trick: TrickRecord, lead: Lead | None) -> TrickVerdict | None:
        if len(trick.plays) < len(self._players):
            return None
        plays = [(play.seat, seen_cards(play.laid)) for play in trick.plays]
        known = [(seat, cards) for seat, cards in plays if cards is not None]
        if lead is None or len(known) < len(plays):
            return None
        try:
            return judge_trick(lead, known)
        except Refused as refused:
            self.notes.pass_on(refused.findings[0], trick.place)
            return None
