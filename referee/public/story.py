"""What was remarkable about a match, in one sentence made of its ledger. Nothing is added that the hands do not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.parts.words import level_word
from scoring.sittings.states import EntryResult
from scoring.values import Side
from tournaments.models import EntryKind

if TYPE_CHECKING:
    from scoring.profiles import Profile
    from tournaments.sittings.records import Hand

#: From how many levels on a fall, a lead that was made up, and a gain in one hand are worth telling.
FALL: Final = 2
BEHIND: Final = 3
GAIN: Final = 3
PLAYED: Final = frozenset({EntryKind.HAND, EntryKind.ADJUSTED})
#: From how many hands on gaining levels in each of them is.
RUNNING: Final = 3


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence without its full stop, and the hand that it is about, if it is about one."""

    sentence: str
    hand: Hand | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """One entry that counts, with both levels before and after it as heights on the ladder."""

    hand: Hand
    before: Mapping[Side, int]
    after: Mapping[Side, int]

    @property
    def played(self) -> bool:
        return self.hand.entry.kind in PLAYED

    def gain(self, side: Side) -> int:
        return self.after[side] - self.before[side]


@dataclass(frozen=True, slots=True)
class _Match:
    steps: Sequence[_Step]
    winner: Side
    loser: Side
    ladder: Sequence[str]

    def level(self, height: int) -> str:
        return level_word(self.ladder[height])

    @property
    def last(self) -> _Step:
        return self.steps[-1]

    @property
    def open_until_last(self) -> bool:
        """Whether the winner was not ahead before the last hand."""
        return self.last.played and self.last.before[self.winner] <= self.last.before[self.loser]

    @property
    def behind_until_last(self) -> bool:
        return self.open_until_last and self.last.before[self.winner] < self.last.before[self.loser]


def of_match(hands: Sequence[Hand], winner: Side | None, profile: Profile) -> Told:
    """The one thing that is told of a finished match of two sides whose levels climb."""
    steps = [step for hand in hands if (step := _step(hand, profile)) is not None]
    number = sum(step.played for step in steps)
    if winner is None or not steps:
        return Told(ngettext("%(n)s hand, nobody ahead", "%(n)s hands, nobody ahead", number) % {"n": number})
    ladder = [str(level) for level in profile.ladder]
    match = _Match(steps, winner, Side.EW if winner is Side.NS else Side.NS, ladder)
    told = next(filter(None, (tell(match) for tell in _TOLD)), None)
    return told or Told(ngettext("Decided in %(n)s hand", "Decided in %(n)s hands", number) % {"n": number})


def _step(hand: Hand, profile: Profile) -> _Step | None:
    result = hand.result
    if not isinstance(result, EntryResult) or hand.entry.kind == EntryKind.END:
        return None
    ladder = [str(level) for level in profile.ladder]

    def heights(levels: Mapping[Side, object]) -> dict[Side, int]:
        # a side that passed the last level stands above it
        return {side: len(ladder) if levels[side] is None else ladder.index(str(levels[side])) for side in Side}

    return _Step(hand, heights(result.before.levels), heights(result.after.levels))


def _fell_back(match: _Match) -> Told | None:
    """The loser lost most of its levels in one hand."""
    worst = min(match.steps, key=lambda step: step.gain(match.loser))
    if worst.gain(match.loser) > -FALL:
        return None
    said = {"high": match.level(worst.before[match.loser]), "low": match.level(worst.after[match.loser])}
    return Told(_("The opponents had reached %(high)s and fell back to %(low)s in one hand") % said, worst.hand)


def _dug_at_last(match: _Match) -> Told | None:
    result = match.last.hand.result
    if not match.open_until_last or not isinstance(result, EntryResult) or result.total is None:
        return None
    if result.total.bonus <= 0 or result.dealer is None or result.dealer.side is match.winner:
        return None
    if match.behind_until_last:
        return Told(_("Came from behind by digging the kitty in the last hand"), match.last.hand)
    return Told(_("Digging the kitty in the last hand decided"), match.last.hand)


def _decided_at_last(match: _Match) -> Told | None:
    if not match.open_until_last:
        return None
    if match.behind_until_last:
        return Told(_("Came from behind in the last hand"), match.last.hand)
    return Told(_("The last hand decided"), match.last.hand)


def _came_back(match: _Match) -> Told | None:
    behind = max(step.after[match.loser] - step.after[match.winner] for step in match.steps)
    if behind < BEHIND:
        return None
    return Told(ngettext("Won from %(n)s level down", "Won from %(n)s levels down", behind) % {"n": behind})


def _shut_out(match: _Match) -> Told | None:
    gained = any(step.gain(match.loser) > 0 for step in match.steps)
    return None if gained else Told(_("Did not let the opponents gain a level"))


def _ran(match: _Match) -> Told | None:
    played = [step for step in match.steps if step.played]
    runs = [len(list(run)) for up, run in groupby(played, lambda step: step.gain(match.winner) > 0) if up]
    longest = max(runs, default=0)
    if longest < RUNNING:
        return None
    return Told(_("Gained levels in %(n)s hands running") % {"n": longest})


def _gained_much(match: _Match) -> Told | None:
    best = max(match.steps, key=lambda step: step.gain(match.winner))
    if best.gain(match.winner) < GAIN:
        return None
    said = {"n": best.gain(match.winner), "hand": best.hand.entry.hand_no}
    return Told(_("Gained %(n)s levels in hand %(hand)s") % said, best.hand)


#: What is told, the most remarkable first.
_TOLD: Final[Sequence[Callable[[_Match], Told | None]]] = (
    _fell_back,
    _dug_at_last,
    _decided_at_last,
    _came_back,
    _shut_out,
    _ran,
    _gained_much,
)
