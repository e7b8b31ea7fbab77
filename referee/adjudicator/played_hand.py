"""A recorded hand as pages draw it: the acts before play, then the tricks in order with their cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from scoring.cards.records import card_text
from scoring.values import side_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.utils.functional import _StrPromise

    from scoring.cards.records import HandRecord, Play, Seen
    from scoring.cards.replay import Replay
    from scoring.cards.replay_tricks import TrickReplay
    from scoring.hands.findings import Finding
    from tournaments.ledger.hands_on_record import Replayed

ACTS: Final[Mapping[str, _StrPromise]] = {
    "declare": _("declares"),
    "reinforce": _("reinforces"),
    "counter": _("counters"),
    "pass": _("passes"),
    "take_kitty": _("takes the kitty"),
    "bury": _("buries"),
    "flip": _("turned from the top"),
    "name": _("names the suit"),
    "rebel": _("rebels"),
}


@dataclass(frozen=True, slots=True)
class ShownAct:
    """One act before play. `seat` is empty where nobody did it."""

    seat: str
    words: str
    cards: tuple[str, ...]
    names: str


@dataclass(frozen=True, slots=True)
class ShownPlay:
    """What one player laid; `failed` are the cards of a failed throw that went back into the hand."""

    seat: str
    cards: tuple[str, ...]
    failed: tuple[str, ...]
    wins: bool


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick in the order of play. `points` and `captured` (the attackers' points so far) are None where unknown."""

    number: int
    plays: tuple[ShownPlay, ...]
    winner: str
    points: int | None
    captured: int | None
    findings: tuple[Finding, ...]


def shown(one: Replayed) -> dict[str, Any]:
    """Everything a page draws of a record beside its entry."""
    again = one.replay
    return {
        "hand": again,
        "acts": acts(one.record),
        "tricks": list(tricks(again)),
        "cards_total": None if again.total is None else again.total.raw,
        "disagreements": one.disagreements,
        "unknown": again.unknown,
    }


def acts(record: HandRecord) -> list[ShownAct]:
    """What came before play, in order."""
    return [ShownAct(act.by or "", str(ACTS[act.act]), _texts(act.cards), act.names or "") for act in record.acts]


def tricks(again: Replay) -> Iterator[ShownTrick]:
    """The tricks with the points that the attackers have taken after each, as long as every one is known."""
    captured: int | None = 0
    for trick in again.tricks:
        if captured is not None:
            captured = _captured(again, trick, captured)
        yield ShownTrick(
            number=trick.number,
            plays=tuple(_play(trick, play) for play in trick.plays),
            winner=trick.winner or "",
            points=trick.points,
            captured=captured,
            findings=trick.findings,
        )


def _captured(again: Replay, trick: TrickReplay, before: int) -> int | None:
    if trick.winner is None or trick.points is None or again.dealer is None:
        return None
    return before if side_of(trick.winner) is again.dealer.side else before + trick.points


def _play(trick: TrickReplay, play: Play) -> ShownPlay:
    failed = list(_texts(play.cards)) if play.forced is not None else []
    for card in _texts(play.laid):
        if card in failed:
            failed.remove(card)
    return ShownPlay(play.seat.value, _texts(play.laid), tuple(failed), trick.winner is play.seat)


def _texts(cards: Iterable[Seen]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in cards)
