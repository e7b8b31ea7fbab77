"""The public digest of rulings: by clause, decided ones only, nobody named and nothing as told at the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.parts.rulings import clause_name, clause_page, penalty_words, stands
from tournaments.models import AppealState
from tournaments.rulings import reads
from tournaments.standings.stage_order import current_stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.utils.functional import _StrPromise as StrPromise

    from scoring.values import Text
    from tournaments.models import Ruling, Tournament
    from tournaments.rulings.reads import ByClause

#: So many squares are drawn at most; the figure beside them tells all.
MOST_SQUARES: Final = 12
#: Kinds of penalties from the mildest, each with what it is called and the units that are of it.
KINDS: Final[Sequence[tuple[str, StrPromise, frozenset[str]]]] = (
    ("none", gettext_lazy("without a penalty"), frozenset({"none"})),
    ("warning", gettext_lazy("warnings"), frozenset({"warning"})),
    ("fine", gettext_lazy("levels or points"), frozenset({"levels", "points", "profile_fine"})),
    ("result", gettext_lazy("results changed"), frozenset({"result", "annul"})),
    ("match", gettext_lazy("of a match or the event"), frozenset({"forfeit", "match_points", "exclusion"})),
)


@dataclass(frozen=True, slots=True)
class DecidedRuling:
    """One decided ruling as everybody may read it."""

    ruling: Ruling
    state: str
    state_words: str
    penalty: str


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rulings that stand have a penalty of one kind, or how many were appealed against (``appeal``)."""

    kind: str
    words: StrPromise | str
    count: int

    @property
    def squares(self) -> range:
        """One square is drawn for each, of many the first ones."""
        return range(min(self.count, MOST_SQUARES))


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    text: Text
    page: str
    lines: tuple[DecidedRuling, ...]


def digest(tournament: Tournament) -> dict[str, Any]:
    found, stage = reads.digest(tournament), current_stage(tournament)
    return {
        "clauses": [
            Clause(one.clause, one.text, clause_page(tournament, one.clause), tuple(map(line, one.rulings)))
            for one in found
        ],
        "count": sum(len(one.rulings) for one in found),
        "counted": counted(ruling for one in found for ruling in one.rulings),
        "most": _most(tournament, found),
        "schedule": (stage or tournament).penalty_schedule,
        "appeal_minutes": int(tournament.appeal_time.total_seconds() // 60),
    }


def counted(rulings: Iterable[Ruling]) -> list[Counted]:
    """How many rulings that stand there are of each kind that there is, and how many appeals."""
    decided = list(rulings)
    units = Counter((one.penalty or {"unit": "none"})["unit"] for one in decided if stands(one)[0] != "void")
    found = [Counted(kind, words, sum(units[unit] for unit in of)) for kind, words, of in KINDS]
    appeals = Counted("appeal", _("appeals"), sum(one.appeal != AppealState.NONE for one in decided))
    return [one for one in found if one.count] + [appeals]


def _most(tournament: Tournament, found: Sequence[ByClause]) -> tuple[str, int] | None:
    """The clause that was ruled on most often, and how often; None where none was more often than others."""
    often = sorted(found, key=lambda one: -len(one.rulings))
    if len(often) < 2 or len(often[0].rulings) == len(often[1].rulings):
        return None
    return clause_name(tournament, often[0].clause), len(often[0].rulings)


def line(ruling: Ruling) -> DecidedRuling:
    state, words = stands(ruling)
    return DecidedRuling(ruling, state, words, penalty_words(ruling.penalty))
