"""Choices that the set-up pages explain: regulations, rules, match scores by example, tie-breaks in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.parts.formats import exact
from referee.parts.formats import score as shown_score
from referee.parts.words import in_language
from referee.pictures.stage_cards import StageCard, cards_of_form
from scoring.profiles import Profile, individual_ids, load, profile_ids
from scoring.standings import match_scores, scales
from scoring.standings.match_scores import Outcome
from scoring.standings.tiebreaks import TIEBREAKS
from tournaments.plans.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.parts.words import Word

#: Boards of the match in the examples of a score that asks for their number.
_EXAMPLE_BOARDS = 8
#: Differences whose scores are shown as examples: one, three, five and twelve levels (or points of hands).
_EXAMPLES: Final = (1, 3, 5, 12)
_MEANS: Final[Mapping[str, Word]] = {
    "points": gettext_lazy("The sum of the match scores, fines taken off."),
    "wins": gettext_lazy("Matches won, forfeits counted, byes not."),
    "opponents": gettext_lazy("The final points of all opponents, added up."),
    "opponents_played": gettext_lazy("The same, but an opponent who did not come counts as a bye."),
    "head_to_head": gettext_lazy("Who won the match between the two."),
    "mini_group": gettext_lazy("Points of the matches among the tied, where all of them met."),
    "mini_net": gettext_lazy("Level differences of the matches among the tied."),
    "net_levels": gettext_lazy("Level differences of all matches, added up."),
    "sum_levels": gettext_lazy("Own levels at the end of each match, added up."),
    "last_round_back": gettext_lazy("The score of the last round, then of the one before it, and so on."),
    "best_scores": gettext_lazy("The best score of a round, then the second best, and so on."),
    "penalties": gettext_lazy("Penalties received, fewer first."),
    "board_points": gettext_lazy("The differences of all boards, added up."),
    "hands_won": gettext_lazy("Hands won at all tables."),
    "extra_match": gettext_lazy("One more match, where the place decides something."),
    "lots": gettext_lazy("Drawn from the seed committed before play, or by hand, where the place decides something."),
}


@dataclass(frozen=True, slots=True)
class Explained:
    """One choice with what it means: `lines` are sentences of the rules, `stages` the cards of a regulation."""

    id: str
    title: str
    about: str = ""
    lines: tuple[str, ...] = ()
    stages: tuple[StageCard, ...] = ()


def presets() -> list[tuple[str, str]]:
    return [(preset.id, in_language(preset.title)) for preset in PRESETS.values()]


def preset_cards() -> list[Explained]:
    return [
        Explained(
            preset.id,
            in_language(preset.title),
            in_language(preset.about),
            stages=tuple(cards_of_form(preset.stages)),
        )
        for preset in PRESETS.values()
    ]


def _offered() -> list[Profile]:
    """The rules a new event may choose."""
    known = (*profile_ids(), *individual_ids())
    return [load(name, individual=True) for name in known]


def profiles() -> list[tuple[str, str]]:
    return [(profile.id, in_language(profile.title)) for profile in _offered()]


def profile_cards() -> list[Explained]:
    return [explained(profile) for profile in _offered()]


def explained(profile: Any) -> Explained:
    """A profile's rules in words: its clauses that decide a result, in order."""
    lines = tuple(in_language(clause.text) for clause in profile.clauses.values())
    return Explained(profile.id, in_language(profile.title), lines=lines)


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """A match score with what it gives: drawn, won by so much, opponents absent, a bye."""

    id: str
    title: str
    examples: tuple[str, ...]


def scale_heads(*, draws: bool) -> list[str]:
    """The heads of the examples; `draws`: whether a match can be drawn."""
    won = [_("won by %(n)s") % {"n": difference} for difference in _EXAMPLES]
    return [*([_("drawn")] if draws else []), *won, _("others absent"), _("bye")]


def scale_rows(*, draws: bool) -> list[ScaleRow]:
    """Every match score with its examples, worked out by the kernel."""
    return [
        ScaleRow(id, in_language(scale.named(draws=draws)), _examples(id, (0, *_EXAMPLES) if draws else _EXAMPLES))
        for id, scale in scales.SCALES.items()
    ]


def _examples(scale: str, differences: tuple[int, ...]) -> tuple[str, ...]:
    levels = [level.rank for level in match_scores.STANDARD_LADDER]
    played = [
        match_scores.score(scale, home=levels[net], away=levels[0], hand_points=net, boards=_EXAMPLE_BOARDS)
        for net in differences
    ]
    unplayed = [
        match_scores.score(scale, home=None, away=None, outcome=how) for how in (Outcome.AWAY_FORFEIT, Outcome.BYE)
    ]
    *matches, bye = [*played, *unplayed]
    return (*(shown_score(one.home, one.away) for one in matches), exact(bye.home))


@dataclass(frozen=True, slots=True)
class ChainLine:
    """A tie-break of a chain with what it compares; `first` and `last` cannot move further."""

    code: str
    title: str
    means: str
    first: bool
    last: bool


def chain_lines(chain: Iterable[str]) -> list[ChainLine]:
    codes = [code for code in chain if code in TIEBREAKS]
    return [
        ChainLine(
            code,
            in_language(TIEBREAKS[code].title),
            str(_MEANS.get(code, "")),
            first=place == 0,
            last=place == len(codes) - 1,
        )
        for place, code in enumerate(codes)
    ]
