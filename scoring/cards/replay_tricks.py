"""The tricks of a record judged one after another: turns, every play against its hand, throws, and who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring import wording
from scoring.cards.following import judge_follow
from scoring.cards.leads import Lead, read_lead
from scoring.cards.order import Counts, Order, are_in, without
from scoring.cards.parsing import largest_reading
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
        laid = [self._count(play.laid) for play in trick.plays]
        throw = self._check_plays(trick, lead, laid)
        verdict = self._verdict(trick, lead)
        for play, counts in zip(trick.plays, laid, strict=True):
            hand = self.hands[play.seat]
            self.hands[play.seat] = None if hand is None or counts is None else without(hand, counts)
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

    def _check_plays(
        self, trick: TrickRecord, stayed: Lead | None, laid: Sequence[Counts | None]
    ) -> ThrowVerdict | None:
        """Every play of the trick against the hand it came from; the verdict on a throw.

        `stayed` is the lead as it stayed on the table, `laid` are the cards of the plays, counted.
        """
        if not trick.plays:
            return None
        first, *_ = trick.plays
        due = len(first.laid)
        for play, counts in zip(trick.plays, laid, strict=True):
            self._check_held(play, counts)
            if len(play.laid) != due:
                words = wording.cards_due(due)
                self.notes.add("wrong_count", play.place, words["en"], words["zh"], "follow.suit")
        led = seen_cards(first.cards)
        if led is None:
            return None
        lead = stayed
        if stayed is None or first.forced is not None:
            try:
                lead = read_lead(self.order, led, _declared(self.order, first, led))
            except Refused as refused:
                self.notes.pass_on_all(refused, first.place)
                return None
        assert lead is not None
        throw = self._check_throw(first, lead) if lead.is_throw or first.forced is not None else None
        if stayed is not None:
            for play, counts in zip(trick.plays[1:], laid[1:], strict=True):
                self._check_follow(stayed, play, counts)
        return throw

    def _check_held(self, play: Play, laid: Counts | None) -> None:
        hand, shown = self.hands[play.seat], laid if play.forced is None else self._count(play.cards)
        if hand is None or shown is None or are_in(shown, hand):
            return
        cards = self.order.cards
        self.notes.not_held(play.place, play.seat, Counter(seen_cards(play.cards)) - Counter(cards(hand)))
        self.hands[play.seat] = None

    def _check_throw(self, first: Play, lead: Lead) -> ThrowVerdict | None:
        others = [self.hands[seat] for seat in in_turn(self._players, first.seat)[1:]]
        try:
            verdict = judge_counted(lead, others)
        except Refused as refused:
            self.notes.pass_on_all(refused, first.place)
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

    def _check_follow(self, lead: Lead, play: Play, laid: Counts | None) -> None:
        hand = self.hands[play.seat]
        if hand is None or laid is None or len(play.laid) != lead.size:
            return
        try:
            verdict = judge_follow(lead, hand, laid)
        except Refused as refused:
            self.notes.pass_on_all(refused, play.place)
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
            self.notes.pass_on_all(refused, trick.place)
            return None
