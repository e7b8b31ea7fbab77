"""A verdict on a position of the adjudicator: its values, and the words that verdicts of every kind share.

The kernel's answer becomes a headline, numbered reasons each with its clause, and the cards around the table. Both
languages, because a ruling keeps both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.cards.burying import Burial
    from scoring.cards.countering import CounterVerdict
    from scoring.cards.declaring import Declaring
    from scoring.cards.flip import Flip
    from scoring.cards.following import FollowVerdict
    from scoring.cards.leads import CardReadings
    from scoring.cards.throwing import ThrowVerdict
    from scoring.cards.tricks import TrickVerdict
    from scoring.hands.findings import Finding
    from scoring.individual.allies import Ally
    from scoring.individual.contests import Bidding, Contest
    from scoring.profiles import Clause, Reason
    from scoring.questions.irregularities import Proposal
    from scoring.signals.answers import Said
    from scoring.signals.information import Judged
    from scoring.signals.returning import Duty
    from scoring.values import Card, Player, Text

    from .cases import Case

    Answer = (
        TrickVerdict
        | FollowVerdict
        | ThrowVerdict
        | CardReadings
        | tuple[tuple[Card, ...], ...]
        | Bidding
        | Contest
        | CounterVerdict
        | Flip
        | Declaring
        | Burial
        | Ally
        | Said
        | Duty
        | Judged
        | Proposal
    )

#: How a verdict looks: it stands, it does not, it cannot be judged, it only states who won or what is.
OK, BAD, OPEN, PLAIN = "ok", "bad", "open", "plain"
DECIDING, DIM = "deciding", "dim"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reason: what it says about these cards, and the clause it rests on."""

    text: Text
    clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """One player's cards in the drawing: `cards` with their state; `number` is the place in the order of play.

    `final` is False of a `winner` whom a play still to come may beat.
    """

    seat: Player
    cards: tuple[tuple[str, str], ...]
    number: int
    note: Text
    winner: bool = False
    final: bool = True


@dataclass(frozen=True, slots=True)
class OtherReading:
    """Another way to read what was led: its codes for the link, and its name."""

    codes: str
    name: Text


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said about a position.

    `tone` and `headline` come first, `then` is what follows from it (points, fine). `answer` is the kernel's own
    verdict. Where nothing could be judged `findings` say why, field by field of the form; `needs` are fields that are
    still empty, `unknown` players whose hands would decide.
    """

    kind: str
    tone: str
    headline: Text
    then: tuple[Text, ...] = ()
    lines: tuple[Reading, ...] = ()
    placed: tuple[Placed, ...] = ()
    held: tuple[tuple[str, str], ...] = ()
    row: tuple[tuple[str, str], ...] = ()
    units: tuple[tuple[Text, tuple[str, ...]], ...] = ()
    plays: tuple[tuple[str, ...], ...] = ()
    plays_in_all: int = 0
    winner: Player | None = None
    unknown: tuple[Player, ...] = ()
    other_readings: tuple[OtherReading, ...] = ()
    answer: Answer | None = None
    findings: tuple[Finding, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def is_judged(self) -> bool:
        return self.answer is not None

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses the verdict rests on, each once, the deciding one first."""
        return tuple({line.clause.id: line.clause for line in self.lines if line.clause is not None}.values())

    @property
    def text(self) -> Text:
        """Headline and what follows, as a ruling keeps it."""
        parts = (self.headline, *self.then)
        return {"en": " ".join(part["en"] for part in parts), "zh": "".join(part["zh"] for part in parts)}


def say(en: str, zh: str) -> Text:
    return {"en": en, "zh": zh}


#: Suits, and trumps as a whole, as a sentence names them.
CATEGORIES: Final[Mapping[str, Text]] = {
    "S": {"en": "spades", "zh": "黑桃"},
    "H": {"en": "hearts", "zh": "红桃"},
    "C": {"en": "clubs", "zh": "梅花"},
    "D": {"en": "diamonds", "zh": "方块"},
    "T": {"en": "trumps", "zh": "主牌"},
}


def reasons(case: Case, because: Iterable[Reason], told: Iterable[tuple[Text, str]]) -> tuple[Reading, ...]:
    """Sentences with the clauses of their topics; then the clauses the kernel cites beside them, in its words."""
    profile = case.profile
    lines = [Reading(text, profile.topics.get(topic)) for text, topic in told]
    used = {line.clause.id for line in lines if line.clause is not None}
    for clause in (reason.clause for reason in because):
        if clause.id not in used:
            used.add(clause.id)
            lines.append(Reading(clause.text, clause))
    return tuple(lines)


def marked(cards: Iterable[Card], raised: Iterable[Card], rest: str = "") -> tuple[tuple[str, str], ...]:
    """Cards with their states: as many of each face as in `raised` decide, the others are `rest`."""
    left = Counter(raised)
    states = []
    for card in cards:
        left[card] -= 1
        states.append((str(card), DECIDING if left[card] >= 0 else rest))
    return tuple(states)
