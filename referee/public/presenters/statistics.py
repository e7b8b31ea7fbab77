"""What the hands of an event were like: who kept the deal, what was gained, digs, pace; pictures with their numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.pictures.bars import Bars, bars, percent, share_of
from referee.pictures.ruler import outcome_words
from scoring.profiles import Band
from scoring.values import Role
from tournaments.boards.reads import kept_back_at
from tournaments.sittings.figures import HandFigures, figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.models import Tournament

#: Minutes a hand took, in steps; the last one is open.
PACE: Final = (0, 3, 5, 7, 9, 12)
_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class Remarkable:
    """A figure with the hand that it comes from."""

    title: str
    number: str
    hand: HandFigures


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round: hands, share of hands in which the deal was kept, digs, usual minutes of a hand."""

    number: int
    hands: int
    kept: str
    digs: int
    minutes: str


def page(tournament: Tournament) -> dict[str, Any]:
    """Everything of the page; `hands` is empty before a hand counts and where no levels climb."""
    hands = figures_of(tournament, kept_back_at(tournament).sittings)
    if not hands:
        return {"hands": []}
    return {
        "hands": hands,
        "facts": _facts(hands),
        "pictures": [one for one in (_outcomes(hands), _pace(hands)) if one is not None],
        "remarkable": list(_remarkable(hands)),
        "rounds": [_round(number, of_round) for number, of_round in _by_round(hands).items()],
    }


def _facts(hands: Sequence[HandFigures]) -> list[tuple[str, str]]:
    kept = sum(not hand.deal_changes_hands for hand in hands)
    digs = sum(hand.dug > 0 for hand in hands)
    gained = sum(hand.levels for hand in hands)
    facts = [
        (_("Hands that count"), str(len(hands))),
        (_("The dealer side kept the deal"), percent(share_of(kept, len(hands)))),
        (_("Points of the attackers, half of the hands up to"), str(median_low(hand.total for hand in hands))),
        (_("Levels gained in ten hands"), str((20 * gained + len(hands)) // (2 * len(hands)))),
        (_("Hands in which the kitty was dug"), percent(share_of(digs, len(hands)))),
    ]
    if hooks := sum(hand.hooked for hand in hands):
        facts.append((_("Sides that fell by a hook"), str(hooks)))
    times = _times(hands)
    if times:
        facts.append((_("Minutes a hand, half of them up to"), _minutes(median_low(times))))
    return facts


def _outcomes(hands: Sequence[HandFigures]) -> Bars:
    """How often each result of the level table came up, from the best of the dealers to the best of the attackers."""
    counted = Counter((hand.winner, hand.levels, hand.deal_changes_hands) for hand in hands)

    def order(what: tuple[Role, int, bool]) -> tuple[int, int]:
        winner, levels, changes = what
        return (0, -levels) if winner is Role.DEALER else (1 + changes, levels)

    rows = [
        (outcome_words(Band(0, 0, *what)), share_of(counted[what], len(hands))) for what in sorted(counted, key=order)
    ]
    return _scaled(_("What came of the hands"), _("Of all hands that count."), rows)


def _pace(hands: Sequence[HandFigures]) -> Bars | None:
    times = _times(hands)
    if not times:
        return None
    rows = []
    for low, high in pairwise(PACE):
        count = sum(low * _MINUTE <= one < high * _MINUTE for one in times)
        label = _("%(low)s to under %(high)s min") % {"low": low, "high": high}
        rows.append((label, share_of(count, len(times))))
    more = sum(one >= PACE[-1] * _MINUTE for one in times)
    rows.append((_("%(low)s min and more") % {"low": PACE[-1]}, share_of(more, len(times))))
    note = _("From the hand before to this one at the same table, %(n)s hands; the first hand of a match is not timed.")
    return _scaled(_("How long a hand took"), note % {"n": len(times)}, rows)


def _scaled(title: str, note: str, rows: Sequence[tuple[str, int]]) -> Bars:
    """The largest share takes the whole width: they are compared with one another."""
    return bars(title, note, rows, longest=max(share for _label, share in rows))


def _remarkable(hands: Sequence[HandFigures]) -> Iterable[Remarkable]:
    """The largest figures, each with the first hand that had it."""
    most = max(hands, key=lambda hand: hand.total)
    yield Remarkable(_("Most points of the attackers"), str(most.total), most)
    gained = max(hands, key=lambda hand: hand.levels)
    if gained.levels:
        number = ngettext("%(n)s level", "%(n)s levels", gained.levels) % {"n": gained.levels}
        yield Remarkable(_("Most levels in one hand"), number, gained)
    dug = max(hands, key=lambda hand: hand.dug)
    if dug.dug > 0:
        yield Remarkable(_("Largest dig"), str(dug.dug), dug)
    timed = [hand for hand in hands if hand.seconds is not None]
    if timed:
        longest = max(timed, key=lambda hand: hand.seconds or 0)
        yield Remarkable(_("Longest hand"), _("%(n)s min") % {"n": _minutes(longest.seconds or 0)}, longest)


def _by_round(hands: Sequence[HandFigures]) -> dict[int, list[HandFigures]]:
    found: dict[int, list[HandFigures]] = defaultdict(list)
    for hand in hands:
        found[hand.round].append(hand)
    return dict(sorted(found.items()))


def _round(number: int, hands: Sequence[HandFigures]) -> RoundLine:
    times = _times(hands)
    return RoundLine(
        number=number,
        hands=len(hands),
        kept=percent(share_of(sum(not hand.deal_changes_hands for hand in hands), len(hands))),
        digs=sum(hand.dug > 0 for hand in hands),
        minutes=_minutes(median_low(times)) if times else "–",
    )


def _times(hands: Iterable[HandFigures]) -> list[int]:
    return [hand.seconds for hand in hands if hand.seconds is not None]


def _minutes(seconds: int) -> str:
    """Whole minutes, rounded half up."""
    return str((seconds + _MINUTE // 2) // _MINUTE)
