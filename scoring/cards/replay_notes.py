"""What judging a record writes down as it goes, and the cards of a record as far as they were seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from scoring import wording
from scoring.cards.records import HandRecord, Seen, TextPosition, problem
from scoring.hands.findings import Finding, Refused
from scoring.profiles import Profile
from scoring.values import Card, Player, Text

#: What each player holds; None where it is not known.
Hands = dict[Player, Counter[Card] | None]


@dataclass(slots=True)
class Notes:
    """The record that is judged, by which rules; `findings` and `unknown` grow, faults and what cannot be judged."""

    profile: Profile
    record: HandRecord
    findings: list[Finding] = field(default_factory=list)
    unknown: list[Text] = field(default_factory=list)

    def problem(self, code: str, place: TextPosition, en: str, zh: str, topic: str) -> Finding:
        clause = self.profile.topics.get(topic)
        return problem(code, place, en, zh, clause=None if clause is None else clause.id)

    def add(self, code: str, place: TextPosition, en: str, zh: str, topic: str) -> None:
        self.findings.append(self.problem(code, place, en, zh, topic))

    def pass_on(self, found: Finding, place: TextPosition) -> None:
        """A finding of another part of the kernel, at its place in the text."""
        self.findings.append(problem(found.code, place, found.message["en"], found.message["zh"], clause=found.clause))

    def pass_on_all(self, refused: Refused, place: TextPosition) -> None:
        for found in refused.findings:
            self.pass_on(found, place)

    def not_held(self, place: TextPosition, seat: Player, lacking: Counter[Card], topic: str = "follow.suit") -> None:
        cards, name = wording.cards_named(tuple(lacking.elements())), wording.PLAYERS[seat]
        en = f"{name['en']} does not hold {cards['en']}."
        self.add("card_not_held", place, en, f"{name['zh']}手中没有 {cards['zh']}。", topic)


def counted(cards: Sequence[Seen] | None) -> Counter[Card] | None:
    """Cards as a multiset; None when they were not recorded or one of them was not seen."""
    seen = None if cards is None else seen_cards(cards)
    return None if seen is None else Counter(seen)


def seen_cards(cards: Sequence[Seen]) -> tuple[Card, ...] | None:
    """The cards, None when one of them was not seen."""
    return None if None in cards else cast(tuple[Card, ...], tuple(cards))
