"""Whom somebody met, round by round, in words from one side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.formats import exact
from referee.parts.words import level_word, mark, reached
from scoring.individual.standings import IndividualResult
from scoring.standings.match_scores import Outcome
from scoring.standings.results import Result
from scoring.values import exact as written
from scoring.values import readable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from scoring.profiles import Profile

AnyResult = Result | IndividualResult


@dataclass(frozen=True, slots=True)
class Met:
    """One round from one side: levels, or points where no levels are kept; opponent; ``won``, ``drawn``, ``lost``."""

    round: int
    text: str
    how: str
    said: str
    title: str


def meetings(
    results: Iterable[AnyResult],
    names: Mapping[Any, str],
    of: Collection[Any] | None = None,
    profile: Profile | None = None,
) -> dict[Any, list[Met]]:
    """Entrant id -> its rounds in order; of everybody, or of those named alone. `profile` has names for
    levels past the last."""
    met: dict[Any, list[Met]] = defaultdict(list)
    said = Meetings(names, profile)
    for result in sorted(results, key=lambda one: one.round):
        if isinstance(result, IndividualResult):
            # in a document ids are texts where they are names of members
            for entrant in result.scores:
                if of is None or int(entrant) in of:
                    met[int(entrant)].append(said.at_table(result, entrant))
            continue
        for side in (result.home, result.away):
            if side is not None and (of is None or side in of):
                met[side].append(said.of(result, side))
    return met


def in_columns(met: Mapping[Any, Sequence[Met]]) -> dict[Any, tuple[Met, ...]]:
    """Each result under its round: a dash for rounds that somebody missed, but none after the last one played."""
    rounds = sorted({one.round for played in met.values() for one in played})
    return {entrant: tuple(_with_gaps(played, rounds)) for entrant, played in met.items()}


def _with_gaps(played: Sequence[Met], rounds: Sequence[int]) -> Iterator[Met]:
    at = {number: list(inside) for number, inside in groupby(played, key=lambda one: one.round)}
    for number in rounds:
        if number > played[-1].round:
            return
        yield from at.get(number) or [Met(number, "–", "missed", "", _("Round %(n)s") % {"n": number})]


class Meetings:
    """Rounds in words from one side. Every word is looked up once, however many meetings there are."""

    def __init__(self, names: Mapping[Any, str], profile: Profile | None = None) -> None:
        self._names, self._profile = names, profile
        self._said = {"won": _("won"), "drawn": pgettext("result of a match", "drawn"), "lost": _("lost")}
        self._bye, self._forfeit, self._colon = _("bye"), _("forfeit"), mark(":")
        self._rounds: dict[int, str] = {}
        self._levels: dict[str | None, str] = {}
        self._pairs: dict[tuple[str | None, str | None], str] = {}

    def at_table(self, result: IndividualResult, entrant: Any) -> Met:
        """One round of a single player: his score, or the level he came to, and whether he won the table."""
        won = entrant in result.winners
        how = ("drawn" if len(result.winners) > 1 else "won") if won else "lost"
        text = self._level(result.levels[entrant]) if entrant in result.levels else exact(result.scores[entrant])
        return Met(result.round, text, how, self._said[how], self._round(result.round))

    def of(self, result: Result, entrant: Any) -> Met:
        """One round of a side: levels, or points where no levels are kept."""
        at_home = entrant == result.home
        opponent = result.away if at_home else result.home
        levels = (result.home_level, result.away_level)
        own, other = levels if at_home else (levels[1], levels[0])
        how = "drawn" if result.winner is None else "won" if result.winner == entrant else "lost"
        said = self._said[how]
        if result.outcome == Outcome.BYE:
            how, text, said = "won", self._bye, ""
        elif result.outcome != Outcome.PLAYED:
            how, text = ("lost" if result.outcome == Outcome.DOUBLE_FORFEIT else how), self._forfeit
            said = self._said["lost"] if how == "lost" else said
        elif own is None and other is None and (result.winner is None or result.home_score != result.away_score):
            scores = (result.home_score, result.away_score)
            text = ":".join(exact(readable(written(one))) for one in (scores if at_home else scores[::-1]))
        else:
            text = self._both(own, other)
        title = self._round(result.round)
        if opponent is not None:
            title += f"{self._colon}{self._names.get(opponent, '')}"
        return Met(result.round, text, how, said, title)

    def _round(self, number: int) -> str:
        if number not in self._rounds:
            self._rounds[number] = _("Round %(n)s") % {"n": number}
        return self._rounds[number]

    def _both(self, own: str | None, other: str | None) -> str:
        if (own, other) not in self._pairs:
            # the ratio sign stands before a level in Chinese words, as before 打过王
            words = (self._level(own), self._level(other))
            sign = "∶" if any(sign >= "\u3400" for word in words for sign in word) else ":"
            self._pairs[own, other] = sign.join(words)
        return self._pairs[own, other]

    def _level(self, level: str | None) -> str:
        if level not in self._levels:
            named = reached(level, self._profile) if level and self._profile else level
            self._levels[level] = level_word(named) if named else "–"
        return self._levels[level]
