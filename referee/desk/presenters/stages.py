"""Setting up stages: the formats there are, what a new one starts with, and the field of one that begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from referee.desk.presenters.refusals import refusal as shown_refusal
from referee.parts import stage_words
from referee.parts.numbers import whole_number as whole
from referee.pictures.stages import Picture, picture_of
from tournaments.acts.errors import Refusal
from tournaments.acts.text import ROW_FIGURES
from tournaments.models import RoundStatus, Stage, StageFormat
from tournaments.stages.fields import foresee_field
from tournaments.standings.stage_order import stage_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from tournaments.models import Entrant, Tournament


def formats_for(tournament: Tournament) -> list[tuple[str, str, Picture]]:
    """The formats that the event's rules allow, each with its picture."""
    alone = tournament.individual
    return [
        (form.value, str(form.label), picture_of(Stage(format=form.value, plan={})))
        for form in StageFormat
        if (form is StageFormat.INDIVIDUAL) == alone
    ]


_ORDER: Final = re.compile(rf"order-([0-9]{{1,{ROW_FIGURES}}})")
#: What a new stage starts with where its format cannot do without; the form comes next.
_USUAL_BOARDS = 2
_USUAL_GROUP = 4


def usual_plan(form: str, before: Stage | None) -> dict[str, Any]:
    """The plan that a new stage starts with: groups of four, two boards; two of each group cross into a knockout."""
    if form == StageFormat.GROUPS:
        return {"group_of": _USUAL_GROUP}
    if form in (StageFormat.DUPLICATE_TEAMS, StageFormat.DUPLICATE_PAIRS):
        return {"boards": _USUAL_BOARDS}
    if form == StageFormat.KO_TIMED and before is not None and before.directing.groups:
        return {"qualify": 2, "crossed": before.directing.groups % 2 == 0}
    return {}


@dataclass(frozen=True, slots=True)
class Placed:
    """An entrant in the field with its group; `came` says where from. `typed` are draw number and group as they stand
    in the form for a draw by hand."""

    entrant: Entrant
    group: int | None
    came: str
    typed: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """The entrants of one group in order; `number` None: the stage has no groups."""

    number: int | None
    places: tuple[Placed, ...]


def field_page(stage: Stage, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The field of a stage: the one fixed, else the one that would be; or why it cannot begin yet."""
    begun = stage.begun_at is not None
    shown: dict[str, Any] = {
        "begun": begun,
        "published": stage.rounds.exclude(status=RoundStatus.DRAFT).exists(),
        "later": stage_before(stage) is not None,
        "by_hand": asked.get("how") == "by_hand",
        "replacing": asked.get("replace", ""),
        "picture": picture_of(stage),
        "title": stage_words.title_of(stage),
    }
    if begun:
        rows = stage.field.select_related("entrant").order_by("order")
        field = [(row.entrant, row.group, _came(row.from_group, row.from_rank)) for row in rows]
        return shown | {"groups": _groups(field, asked), "count": len(field)}
    try:
        foreseen = foresee_field(stage, replace_withdrawn=replacing(asked))
    except Refusal as refusal:
        return shown | {"groups": [], "asks_to_replace": refusal.code == "qualifier_left"} | shown_refusal(refusal)
    known = {one.pk: one for one in stage.tournament.entrants.all()}
    field = [(known[one.entrant], one.group, _came(one.from_group, one.from_rank)) for one in foreseen]
    return shown | {"groups": _groups(field, asked), "count": len(field)}


def _groups(field: Iterable[tuple[Entrant, int | None, str]], asked: Mapping[str, Any]) -> list[Group]:
    """The field by groups, each in order; draw numbers count inside a group."""
    found: dict[int | None, list[Placed]] = {}
    for entrant, group, came in field:
        places = found.setdefault(group, [])
        order, named = str(len(places) + 1), "" if group is None else str(group)
        typed = (asked.get(f"order-{entrant.pk}", order), asked.get(f"group-{entrant.pk}", named))
        places.append(Placed(entrant, group, came, typed))
    return [Group(number, tuple(found[number])) for number in sorted(found, key=lambda number: number or 0)]


def _came(group: int | None, rank: int | None) -> str:
    """Where an entrant comes from in the stage before: its group and place there."""
    if rank is None:
        return ""
    if group is None:
        return _("place %(n)s") % {"n": rank}
    return _("group %(group)s, place %(n)s") % {"group": group, "n": rank}


def replacing(asked: Mapping[str, Any]) -> bool | None:
    """Whether the next comes in for a qualifier who left: as answered, None while nobody answered."""
    return {"yes": True, "no": False}.get(asked.get("replace", ""))


def by_hand(stage: Stage, typed: Mapping[str, Any]) -> dict[str, Any]:
    """The draw typed by hand as `begin_stage` takes it: draw numbers, and groups where the stage has them."""
    if typed.get("how") != "by_hand":
        return {}
    grouped = any(key.startswith("group-") for key in typed)
    lists = lots_typed(typed, grouped=grouped)
    return {"groups": lists} if grouped else {"order": lists[0] if lists else []}


def lots_typed(typed: Mapping[str, Any], *, grouped: bool = False) -> list[list[int]]:
    """Ids of entrants in the order of the numbers typed beside them (`order-<id>`), by the groups typed (`group-<id>`).

    Refused: a number that is none, or is there twice in its group; a group that is no number.
    """
    drawn: dict[int, dict[int, int]] = {}
    for key, text in typed.items():
        if not (field := _ORDER.fullmatch(key)):
            continue
        number = whole(text)
        group = whole(typed.get(f"group-{field[1]}", "")) if grouped else 0
        if type(number) is not int or type(group) is not int or number in drawn.setdefault(group, {}):
            raise _bad_draw(text)
        drawn[group][number] = int(field[1])
    return [[pk for _number, pk in sorted(drawn[group].items())] for group in sorted(drawn)]


def _bad_draw(text: str) -> Refusal:
    message = {
        "en": f"Draw numbers are whole numbers, each once in its group; you wrote {text}.",
        "zh": f"签号是整数，同组不能重复；你写的是 {text}。",
    }
    return Refusal("bad_draw_number", field="order", message=message, status=400, params={"value": text})
