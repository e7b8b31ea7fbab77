"""A list of entrants on its page: what was recognised, what each column is taken for, and the lines to look at."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.people.heads import FIELDS, MAX_PLAYERS, PLAYER_FIELD, SEARCHED
from tournaments.people.imports import NAMESAKE
from tournaments.people.lists import BLANK, HEADS, LEFT_OUT, NOTE, TITLE, TOTAL, head_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from django.utils.functional import _StrPromise as StrPromise

    from tournaments.people.imports import ChangedEntrant, ImportPlan, RowProblem
    from tournaments.people.lists import Reading

NAMES: Final[Mapping[str, StrPromise]] = {
    "number": gettext_lazy("Number"),
    "name": gettext_lazy("Name of the entrant"),
    "name_latin": gettext_lazy("Latin name"),
    "unit": gettext_lazy("Unit"),
    "category": gettext_lazy("Category"),
    "seed": gettext_lazy("Seed"),
    "external_id": gettext_lazy("External id"),
    "players": gettext_lazy("All players"),
}
KINDS: Final[Mapping[str, StrPromise]] = {
    TITLE: gettext_lazy("title, skipped"),
    HEADS: gettext_lazy("heads of the columns"),
    BLANK: gettext_lazy("blank, skipped"),
    TOTAL: gettext_lazy("total, skipped"),
    NOTE: gettext_lazy("note, skipped"),
    LEFT_OUT: gettext_lazy("left out"),
}
#: So many lines stand on the page at once; of a longer list those to look at and the first ones, the others folded.
MOST_LINES: Final = 40
FIRST_LINES: Final = 8
#: Of what is not taken over nobody needs more on the screen than to know it by.
_LONG_NUMBER: Final = re.compile(r"([0-9]{3})[0-9]{3,}([0-9]{4})")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a line; `name` is its field in the form, and `taken` says whether its column is taken over."""

    text: str
    name: str
    taken: bool


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of the list: what became of it, and what there is to say of it."""

    number: int
    cells: tuple[Cell, ...]
    kind: str = ""
    skipped: StrPromise | str = ""
    problems: tuple[RowProblem, ...] = ()
    lonely: bool = False
    change: ChangedEntrant | None = None
    left_out: bool = False
    settled: RowProblem | None = None

    @property
    def state(self) -> str:
        """How the line is marked."""
        if self.problems:
            return "bad"
        return "skipped" if self.skipped else "wait" if self.lonely or self.change or self.settled else ""

    @property
    def to_look_at(self) -> bool:
        return bool(self.problems) or self.lonely or self.left_out or bool(self.change or self.settled)

    @property
    def to_put_right(self) -> bool:
        """Its cells can be typed anew."""
        return bool(self.problems) or self.lonely

    @property
    def namesake(self) -> RowProblem | None:
        """The question whether a name that is there already means somebody else, answered or not."""
        return self.settled or next((one for one in self.problems if one.code == NAMESAKE), None)


def page(cells: Sequence[Sequence[str]], found: Reading, plan: ImportPlan, left_out: Collection[int]) -> dict[str, Any]:
    """Everything `desk/import.html` shows of a list."""
    lines = _lines(cells, found, plan, left_out)
    short = len(lines) <= MOST_LINES
    shown = lines if short else [line for line in lines if line.to_look_at or line.number <= FIRST_LINES]
    of_lines = {line.number for line in lines}
    return {
        "plan": plan,
        "found": found,
        "players": sum(len(row.players) for row in found.rows),
        "recognised": _recognised(found),
        "columns": _columns(cells, found),
        "heads": range(1, min(len(cells), SEARCHED) + 1),
        "lines": shown,
        "other_lines": [] if short else lines,
        "namesakes": sum(one.code == NAMESAKE for one in plan.problems),
        "general": [one for one in plan.problems if one.row not in of_lines],
        "first_problem": next((one for one in plan.problems if one.row in of_lines), None),
    }


def _lines(
    cells: Sequence[Sequence[str]], found: Reading, plan: ImportPlan, left_out: Collection[int]
) -> list[ListLine]:
    fields = found.layout.fields
    changes = {change.row.row: change for change in plan.changed}
    settled = {one.row: one for one in plan.namesakes}
    lines = []
    for number, row in enumerate(cells, start=1):
        kind = found.skipped.get(number, "")
        if not any(row) and not kind:
            continue
        lines.append(
            ListLine(
                number,
                tuple(
                    Cell(_shown(row[at] if at < len(row) else "", bool(name)), f"cell-{number}-{at}", bool(name))
                    for at, name in enumerate(fields)
                ),
                kind,
                KINDS.get(kind, ""),
                tuple(one for one in plan.problems if one.row == number),
                number in found.lonely,
                changes.get(number),
                number in left_out,
                settled.get(number),
            )
        )
    return [line for line in lines if line.kind != BLANK or any(cell.text for cell in line.cells)]


def _shown(text: str, taken: bool) -> str:
    return text if taken else _LONG_NUMBER.sub(r"\1····\2", text)


def _recognised(found: Reading) -> list[str]:
    """What was made of the file, in words."""
    if not found.layout.fields:
        return []
    said = [
        _("Line %(n)s holds the heads.") % {"n": found.layout.head}
        if found.layout.head
        else _("No line of heads: the columns are guessed from what they hold.")
    ]
    kinds = Counter(kind for kind in found.skipped.values() if kind in (TITLE, TOTAL, NOTE))
    if skipped := sum(kinds.values()):
        said.append(
            ngettext(
                "%(n)s line of titles, totals or notes skipped.",
                "%(n)s lines of titles, totals or notes skipped.",
                skipped,
            )
            % {"n": skipped}
        )
    if found.put_right:
        said.append(
            ngettext(
                "Full-width signs and spaces put right in %(n)s cell.",
                "Full-width signs and spaces put right in %(n)s cells.",
                found.put_right,
            )
            % {"n": found.put_right}
        )
    if found.not_taken:
        said.append(_("Not taken over: %(heads)s.") % {"heads": _(", ").join(found.not_taken)})
    return said


def _columns(cells: Sequence[Sequence[str]], found: Reading) -> list[dict[str, Any]]:
    """For each column its head, the field it is taken for, and what it may be taken for."""
    layout = found.layout
    heads = cells[layout.head - 1] if layout.head else ()
    players = [int(match[1]) for name in layout.fields if (match := PLAYER_FIELD.fullmatch(name))]
    most = min(max([*players, 3]) + 1, MAX_PLAYERS)
    choices = [("", _("not taken over")), *((name, NAMES[name]) for name in FIELDS if name != "players")]
    choices += [(f"player{order}", _("Player %(n)s") % {"n": order}) for order in range(1, most + 1)]
    choices += [("players", NAMES["players"])]
    for name in layout.fields:
        if (match := PLAYER_FIELD.fullmatch(name)) and match[2]:
            part = NAMES["name_latin" if match[2] == "_latin" else "external_id"]
            choices.append((name, _("Player %(n)s: %(part)s") % {"n": match[1], "part": part}))
    return [
        {"at": at, "head": head_of(heads, at), "field": name, "choices": choices}
        for at, name in enumerate(layout.fields)
    ]


def sample_rows(players: int) -> list[list[object]]:
    """A list to fill in: heads and two lines that show how."""
    names = [_("Player %(n)s") % {"n": order} for order in range(1, players + 1)]
    heads: list[object] = [_("Number"), *names, _("Unit"), _("Category"), _("Seed")]
    example = [["林晓", "周航"], ["Alice Harris", "Bob Okafor"]]
    return [heads, *([at, *pair[:players], "", "", ""] for at, pair in enumerate(example, start=1))]
