"""How settled a table of standings is, live or published: the one place that says so, for pages, paper and the API.

A published table is provisional while anything in it is open or may still be appealed against, then confirmed; the
last table of a stage is then final. One that was replaced settles nothing any more. A live table is provisional while
anything in it is open; whether it is fresh, `shown.live_standings` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.db.models import Case, OuterRef, Q, Subquery, Value, When

from scoring.values import Text
from scoring.wording import both

from ..models import AppealState, Call, Publication, Round, Ruling, RulingStatus, Stage
from .results import tables_in_play


class Settled(StrEnum):
    """How settled a published table is."""

    PROVISIONAL = "provisional"
    CONFIRMED = "confirmed"
    FINAL = "final"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class State:
    """How settled a published table is at a time, and why in words. `until`: when the correction time is over;
    `waiting`: nothing but that time is waited for."""

    settled: Settled
    until: datetime
    why: Text
    waiting: bool = False

    @property
    def title(self) -> Text:
        return _TITLES[self.settled]

    @property
    def provisional(self) -> bool:
        """Whether it may still change, or was changed by a later one."""
        return self.settled in (Settled.PROVISIONAL, Settled.REPLACED)


_TITLES: Mapping[Settled, Text] = MappingProxyType(
    {
        Settled.PROVISIONAL: both("provisional", "暂定"),
        Settled.CONFIRMED: both("confirmed", "已确认"),
        Settled.FINAL: both("final", "最终"),
        Settled.REPLACED: both("replaced", "已替换"),
    }
)

_UNDECIDED = both("A ruling or an appeal is not decided yet.", "尚有判罚或申诉未决。")
#: What is open, as `open_matters` calls it, and why a table with it is provisional.
_WHY: Mapping[str, Text] = MappingProxyType(
    {
        "appeal": _UNDECIDED,
        "ruling": _UNDECIDED,
        "call": both("A referee has been called and the matter is not closed.", "尚有呼叫裁判的事项未处理完。"),
    }
)


def state_of(publication: Publication, at: datetime) -> State:
    """How settled one published table is."""
    return states_of([publication], at)[publication.pk]


def states_of(publications: Sequence[Publication], at: datetime) -> dict[int, State]:
    """How settled published tables of one event are, by id. A fixed number of queries, where they were read with what
    replaced them (`superseded_by`)."""
    matters = open_matters({one.stage_id for one in publications}) if publications else []
    states = {one.pk: _state(one, at, matters) for one in publications}
    final = _final(one for one in publications if states[one.pk].settled is Settled.CONFIRMED)
    return states | {pk: replace(states[pk], settled=Settled.FINAL) for pk in final}


def _state(one: Publication, at: datetime, matters: Iterable[Mapping[str, Any]]) -> State:
    until = one.published_at + one.tournament.appeal_time
    if hasattr(one, "superseded_by"):
        return State(Settled.REPLACED, until, both("It has been replaced.", "已被新的公布替换。"))
    if one.provisional:
        why = both("It was published while something was still open.", "公布时仍有未了结的事项。")
        return State(Settled.PROVISIONAL, until, why)
    inside = {row["phase"] for row in matters if row["stage"] == one.stage_id and row["round"] <= one.round.number}
    for phase, why in _WHY.items():
        if phase in inside:
            return State(Settled.PROVISIONAL, until, why)
    if at < until:
        why = both("Results can be corrected and appealed against until:", "更正、申诉截止：")
        return State(Settled.PROVISIONAL, until, why, waiting=True)
    return State(Settled.CONFIRMED, until, both("The correction time is over.", "更正、申诉时间已过。"))


def open_matters(stages: Iterable[Any]) -> list[dict[str, Any]]:
    """Rulings, appeals and calls of these stages (ids) that are not settled: `stage`, `round`, `table`, `phase`
    (``appeal``, ``ruling`` or ``call``), `sitting`."""
    ids = list(stages)
    undecided = Q(status=RulingStatus.PROPOSED) | Q(appeal=AppealState.LODGED)
    calls = Call.objects.filter(sitting__round__stage__in=ids, sitting__active=True, closed_at=None)
    rulings = Ruling.objects.filter(undecided, sitting__round__stage__in=ids)
    columns = ("sitting__round__stage", "sitting__round__number", "sitting__table__number", "sitting")
    appealed = Case(When(appeal=AppealState.LODGED, then=Value("appeal")), default=Value("ruling"))
    both_kinds = (
        rulings.order_by().values_list(*columns, appealed).union(calls.order_by().values_list(*columns, Value("call")))
    )
    names = ("stage", "round", "table", "sitting", "phase")
    return [dict(zip(names, row, strict=True)) for row in sorted(both_kinds)]


def open_live(stage: Stage) -> tuple[Mapping[str, Any], ...]:
    """What keeps the live table of a stage provisional: its open tables, then what officials have not settled.

    A table that is open anyway, or under appeal, is not named twice.
    """
    playing = tables_in_play(stage)
    names = ("round", "table", "phase", "sitting")
    matters = [{name: row[name] for name in names} for row in open_matters([stage.pk])]
    appeals = [row for row in matters if row["phase"] == "appeal"]
    named = {row["sitting"] for row in (*playing, *appeals)}
    more = [row for row in matters if row["sitting"] not in named]
    return (*playing, *appeals, *more)


def _final(publications: Iterable[Publication]) -> set[int]:
    """Which of these are the last table of their stage. Only documents of last rounds are read for it."""
    asked = [one.pk for one in publications]
    if not asked:
        return set()
    planned = Round.objects.filter(stage=OuterRef("stage"), extra=False).order_by("-number").values("number")[:1]
    last = Publication.objects.filter(pk__in=asked, round__number__gte=Subquery(planned))
    return {pk for pk, digest in last.values_list("pk", "digest") if _says_final(pk, digest)}


def is_final(publication: Publication) -> bool:
    """Whether a frozen table is the last one of its stage, where lots broke what nothing else did."""
    return not publication.provisional and _says_final(publication.pk, publication.digest)


@lru_cache(maxsize=256)
def _says_final(publication: int, digest: str) -> bool:
    """What the document with this id and digest, which never changes, says of itself."""
    document = Publication.objects.values_list("document", flat=True).get(pk=publication, digest=digest)
    return bool(json.loads(document)["final"])
