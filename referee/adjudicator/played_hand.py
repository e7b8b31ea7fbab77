"""A recorded hand as pages draw it: the acts before play, then the tricks in order with their cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.cards.records import card_text
from scoring.individual.replay import SingleReplay
from scoring.values import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.utils.functional import _StrPromise

    from scoring.cards.records import ActRecord, Play, Seen
    from scoring.cards.replay_tricks import TrickReplay
    from scoring.hands.findings import Finding
    from tournaments.ledger.hands_on_record import Replayed
    from tournaments.sittings.games import HandReplay

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
    "bid": _("bids"),
    "call": _("calls"),
}
#: Who bids no points; elsewhere who passes does not counter.
PASSES: Final = pgettext_lazy("in a bidding", "passes")


@dataclass(frozen=True, slots=True)
class ShownAct:
    """One act before play. `seat` is empty where nobody did it; `points` are those bid, `copy` which card is called."""

    seat: str
    words: str
    cards: tuple[str, ...]
    names: str
    points: int | None = None
    copy: int | None = None


@dataclass(frozen=True, slots=True)
class ShownPlay:
    """What one player laid; `failed` are the cards of a failed throw that went back into the hand."""

    seat: str
    cards: tuple[str, ...]
    failed: tuple[str, ...]
    wins: bool


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick in the order of play. `points` and `captured` (the attackers' points so far) are None where unknown.

    `ally` is who turned out in it to be the ally of the dealer; empty in every other.
    """

    number: int
    plays: tuple[ShownPlay, ...]
    winner: str
    points: int | None
    captured: int | None
    findings: tuple[Finding, ...]
    ally: str = ""


def shown(one: Replayed) -> dict[str, Any]:
    """Everything a page draws of a record beside its entry."""
    again = one.replay
    return {
        "hand": again,
        "acts": acts(one),
        "tricks": list(tricks(again)),
        "cards_total": None if again.total is None else again.total.raw,
        "agrees": again.result is not None and not one.disagreements,
        "disagreements": one.disagreements,
        "unknown": again.unknown,
    }


def acts(one: Replayed) -> list[ShownAct]:
    """What came before play, in order."""
    return [_act(act, bidding=one.replay.profile.bidding is not None) for act in one.record.acts]


def _act(act: ActRecord, *, bidding: bool) -> ShownAct:
    numbers = {"points": act.number} if act.act == "bid" else {"copy": act.number} if act.act == "call" else {}
    words = str(PASSES if bidding and act.act == "pass" else ACTS[act.act])
    return ShownAct(act.by or "", words, _texts(act.cards), act.names or "", **numbers)


def tricks(again: HandReplay) -> Iterator[ShownTrick]:
    """The tricks with the points that the attackers have taken after each, as long as every one is known."""
    captured: int | None = 0
    ally, found_in = (again.ally, again.found_in) if isinstance(again, SingleReplay) else (None, None)
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
            ally="" if ally is None or trick.number != found_in else ally.value,
        )


def _captured(again: HandReplay, trick: TrickReplay, before: int) -> int | None:
    role = again.role_of(trick.winner)
    if role is None or trick.points is None:
        return None
    return before + trick.points if role is Role.ATTACKERS else before


def _play(trick: TrickReplay, play: Play) -> ShownPlay:
    failed = list(_texts(play.cards)) if play.forced is not None else []
    for card in _texts(play.laid):
        if card in failed:
            failed.remove(card)
    return ShownPlay(play.seat.value, _texts(play.laid), tuple(failed), trick.winner is play.seat)


def _texts(cards: Iterable[Seen]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in cards)
