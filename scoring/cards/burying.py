"""Burying the kitty (埋底): whether these cards may be laid away, and the points that then lie there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring import wording
from scoring.cards.deck import points_of
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Points


@dataclass(frozen=True, slots=True)
class Burial:
    """`problems` speak against it; `lacking` are cards laid away that were not held. `points` lie in the kitty."""

    points: Points
    lacking: tuple[Card, ...]
    problems: tuple[Finding, ...]
    because: tuple[Reason, ...]

    @property
    def allowed(self) -> bool:
        return not self.problems


def bury_count(profile: Profile, cards: Sequence[object], field: str = "cards") -> Finding | None:
    """What speaks against burying that many cards."""
    if len(cards) == profile.kitty_cards:
        return None
    words: dict[str, Any] = {"due": profile.kitty_cards, "value": len(cards)}
    return finding("bury_count", field, profile=profile, topic="deal", **words)


def judge_burial(profile: Profile, buried: Sequence[Card], held: Sequence[Card] | None) -> Burial:
    """The verdict on a burial out of `held`, the hand with the kitty taken up; None where that is not known."""
    lacking = () if held is None else tuple((Counter(buried) - Counter(held)).elements())
    found = [bury_count(profile, buried, "buried")]
    if lacking:
        found.append(_not_held(profile, lacking))
    return Burial(
        points_of(profile, buried),
        lacking,
        tuple(one for one in found if one is not None),
        profile.cite("deal") + profile.cite("kitty.bury") + profile.cite("points"),
    )


def _not_held(profile: Profile, lacking: Sequence[Card]) -> Finding:
    words: dict[str, Any] = {"cards": wording.cards_named(lacking), "verb": wording.verb_of(len(lacking))}
    return finding("card_not_held", "buried", profile=profile, topic="kitty.bury", **words)
