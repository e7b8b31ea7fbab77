"""Made-up hands: believable sheets from a seeded source of chance."""

from __future__ import annotations

from random import Random
from typing import Any

from scoring.cards.records import write
from scoring.cards.replay import replay
from scoring.profiles import Profile
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat

SEATS = ("N", "W", "S", "E")
TRUMPS = ("S", "H", "C", "D")


def hand(chance: Random, *, dealer: str | None) -> dict[str, Any]:
    """A hand of two decks as a table writes it down; `dealer` only where the deal was contested."""
    captured = min(175, max(0, 5 * round(chance.gauss(15, 7))))
    facts: dict[str, Any] = {
        "kind": "hand",
        "trump": chance.choice(TRUMPS),
        "captured_in_tricks": captured,
        "last_trick_winner": "dealer",
    }
    if dealer is not None:
        facts["dealer"] = dealer
    if chance.random() < 0.25:
        shape = chance.choices(("single", "pair", "tractor"), (5, 4, 1))[0]
        facts["last_trick_winner"] = "attackers"
        facts["led"] = [{"type": shape, "width": 2, "length": 2} if shape == "tractor" else {"type": shape}]
        facts["kitty_points"] = min(5 * chance.randint(0, 5), 175 - captured)
    if chance.random() < 0.12:
        facts["throw_failures"] = [{"side": chance.choice(("dealer", "attackers")), "cards": chance.randint(2, 5)}]
    return facts


def recorded(chance: Random, profile: Profile, *, dealer: str, level: str) -> tuple[dict[str, Any], str]:
    """A hand played out card by card: the sheet it comes to, and its record."""
    record = simulate(profile, chance, dealer=Seat(dealer), level=Level(level))
    return replay(profile, record).sheet.to_json(), write(record)


def misdeal(chance: Random, *, dealer: str | None) -> dict[str, Any]:
    """A hand that was dealt wrongly and does not count."""
    facts: dict[str, Any] = {
        "kind": "annulled",
        "reason": "misdeal",
        "why": chance.choice(("多抓一张", "One card short")),
    }
    return facts if dealer is None else {**facts, "dealer": dealer}


def misread(facts: dict[str, Any]) -> dict[str, Any]:
    """The same hand as the other side believes it was."""
    captured = facts["captured_in_tricks"]
    return {**facts, "captured_in_tricks": captured - 10 if captured >= 10 else captured + 10}
