"""Duplicate boards at the desk: what each board fixes, both rooms of a match side by side, adjusted scores."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.act_views import ActView
from referee.desk.guard import SeeOther, official
from referee.parts.board_sheets import sheet_of
from referee.parts.boards import boards_of, linked
from referee.parts.numbers import whole_number as whole
from referee.parts.rulings import clause_name
from referee.parts.words import in_language
from scoring.hands.findings import Refused
from scoring.values import Seat, Trump
from tournaments.acts.access import Act
from tournaments.boards.reads import boards_for_all
from tournaments.draws.movements import balance
from tournaments.draws.round_questions import laid_out
from tournaments.models import BoardResult, Sitting
from tournaments.plans.plan import MovementKind
from tournaments.rounds import boards
from tournaments.rounds.draw_questions import movement_seed
from tournaments.rulings import adjusted_boards
from tournaments.standings.stage_order import field_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from scoring.penalties import Case
    from tournaments.draws.movements import Balance
    from tournaments.models import Board, Stage

#: Usual adjusted scores: what N–S and E–W get.
USUAL: Mapping[str, tuple[dict[str, str], dict[str, str]]] = {
    "average": ({"artificial": "average"}, {"artificial": "average"}),
    "ns_plus": ({"artificial": "average_plus"}, {"artificial": "average_minus"}),
    "ew_plus": ({"artificial": "average_minus"}, {"artificial": "average_plus"}),
    "both_plus": ({"artificial": "average_plus"}, {"artificial": "average_plus"}),
    "both_minus": ({"artificial": "average_minus"}, {"artificial": "average_minus"}),
}
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%")
_PART = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\s*(-?[0-9]{1,4})")


@official(Act.SEE_DESK)
def match(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """Both rooms of the match at a table, board by board."""
    return _match_page(request, desk, find.sitting_at(desk.tournament, number, table))


def _match_page(request: HttpRequest, desk: Desk, sitting: Sitting) -> HttpResponse:
    shown = linked(boards_of(sitting.match), _sheets(desk, sitting.round.stage))
    if shown is None:
        return SeeOther(_address(desk, "table", sitting))
    cases = [case for one in desk.tournament.penalty_schedule.offences.values() for case in one.cases]
    usual = _usual_words()
    return render(
        request,
        "desk/match_boards.html",
        {
            "desk": desk,
            "tournament": desk.tournament,
            "current": "board",
            "sitting": sitting,
            "round": sitting.round,
            "boards": shown,
            "adjusting": desk.may(Act.ADJUST_BOARD, sitting),
            "usual": usual,
            "usual_or_back": [*usual, ("played", _("take it back: as played"))],
            "clauses": [(one.clause, _clause_words(desk, one)) for one in cases],
        },
    )


class Adjust(ActView):
    """Give a board an adjusted score at this table, or take it back."""

    right = Act.ADJUST_BOARD

    def look_up(self) -> None:
        self.sitting = find.sitting_at(self.desk.tournament, self.kwargs["number"], self.kwargs["table"])
        self.taken_back = self.typed("how") == "played"

    def act(self) -> object:
        of = self.by | {"sitting_id": self.sitting.pk, "number": self.kwargs["board"], "reason": self.reason}
        if self.taken_back:
            return adjusted_boards.take_back_adjustment(**of, expected_revision=self.revision)
        ns, ew = _marks(self.request)
        clause = self.typed("clause")
        return adjusted_boards.adjust_board(**of, expected_revision=self.revision, ns=ns, ew=ew, clause=clause)

    def tell(self, done: object) -> None:
        again = _("The result as played counts again.")
        messages.success(self.request, again if self.taken_back else _("The adjusted score stands."))

    def back(self) -> str:
        return _address(self.desk, "match_boards", self.sitting)

    def page(self) -> HttpResponse:
        return _match_page(self.request, self.desk, self.sitting)


@official(Act.SEE_DESK)
def stage_boards(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The boards of a stage: dealer, level and trump of each, and whether it was played."""
    return _boards_page(request, desk, find.stage_numbered(desk.tournament, number))


def _boards_page(request: HttpRequest, desk: Desk, stage: Stage) -> HttpResponse:
    played = set(BoardResult.objects.filter(board__stage=stage).values_list("board_id", flat=True))
    rows = [(board, board.pk in played, _sheet(desk, stage, board.number)) for board in stage.boards.order_by("number")]
    return render(
        request,
        "desk/boards.html",
        {
            "desk": desk,
            "tournament": desk.tournament,
            "current": "setup",
            "stage": stage,
            "rows": rows,
            "some_open": not all(is_played for _board, is_played, _where in rows),
            "a_round": stage.directing.boards,
            "balance": _balance(stage),
            "seats": list(Seat),
            "trumps": list(Trump),
            "levels": [str(level) for level in desk.tournament.profile.ladder],
            "may_set": desk.may(Act.SET_BOARDS),
        },
    )


@official(Act.SEE_DESK)
def board_sheet(request: HttpRequest, desk: Desk, number: int, board: int) -> HttpResponse:
    """One board at all tables that played it."""
    stage = find.stage_numbered(desk.tournament, number)
    sheet = sheet_of(stage, board)
    if sheet is None:
        raise Http404
    return render(
        request,
        "desk/board_sheet.html",
        {
            "desk": desk,
            "tournament": desk.tournament,
            "current": "setup",
            "stage": stage,
            "sheet": sheet,
            "sheets": _sheets(desk, stage),
            "shown_to_all": board in boards_for_all(stage),
        },
    )


def _sheets(desk: Desk, stage: Stage) -> dict[int, str]:
    """The addresses of the boards of a stage at all tables, by number."""
    return {number: _sheet(desk, stage, number) for number in sorted(stage.deals)}


def _sheet(desk: Desk, stage: Stage, board: int) -> str:
    known = {"event": desk.tournament.slug, "number": stage.number, "board": board}
    return reverse("desk:board_sheet", kwargs=known)


class SetBoards(ActView):
    """Make the boards of all planned rounds, or set those of the form that differ."""

    right = Act.SET_BOARDS

    def look_up(self) -> None:
        self.stage = find.stage_numbered(self.desk.tournament, self.kwargs["number"])
        self.make = self.typed("act") == "make"

    def act(self) -> object:
        of = self.by | {"stage_id": self.stage.pk}
        if self.make:
            return boards.make_planned(**of)
        posted = _posted(self.request, self.stage)
        changed = [{"number": board.number, **facts} for board, facts in posted if facts != _facts(board)]
        return boards.set_boards(**of, changes=changed)

    def tell(self, done: object) -> None:
        made = _("The boards of all planned rounds are there.")
        messages.success(self.request, made if self.make else _("The boards are set."))

    def back(self) -> str:
        return reverse("desk:boards", kwargs={"event": self.desk.tournament.slug, "number": self.stage.number})

    def page(self) -> HttpResponse:
        return _boards_page(self.request, self.desk, self.stage)


def _balance(stage: Stage) -> Balance | None:
    """How evenly the movement of a stage of pairs compares them; None without a movement, or where it does not go."""
    plan = stage.directing
    if plan.movement is None:
        return None
    count = len(field_of(stage))
    try:
        rounds = None if plan.movement is MovementKind.HOWELL else stage.rounds_planned
        return balance(laid_out(plan.movement, count, rounds, plan.arrow, movement_seed(stage)))
    except Refused:
        return None


def _posted(request: HttpRequest, stage: Stage) -> list[tuple[Board, dict[str, str]]]:
    """What the form says of each board that it shows."""
    names = ("dealer", "level", "trump")
    return [
        (board, {name: request.POST.get(f"{name}-{board.number}", "") for name in names})
        for board in stage.boards.order_by("number")
        if f"dealer-{board.number}" in request.POST
    ]


def _facts(board: Board) -> dict[str, str]:
    return {"dealer": board.dealer, "level": board.level, "trump": board.trump}


def _marks(request: HttpRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """The marks of N–S and E–W; what E–W get is the same where nothing is written for them."""
    usual = USUAL.get(request.POST.get("how", ""))
    if usual is not None:
        return usual
    ns, ew = request.POST.get("ns", "").strip(), request.POST.get("ew", "").strip()
    return typed_mark(ns), typed_mark(ew or ns)


def typed_mark(text: str) -> dict[str, Any]:
    """A mark as an official types it: ``85`` points of the attackers, ``60 %``, or ``75 % 35 + 25 % 85``.

    What is none of them becomes an empty mark, which is refused in words.
    """
    text = text.replace("\u2212", "-").replace("\uff05", "%").replace("\uff0b", "+")
    if found := _PERCENT.fullmatch(text):
        return {"artificial": found[1]}
    parts = [_PART.fullmatch(part.strip()) for part in text.split("+")]
    if all(parts):
        rows = [{"attackers_total": int(part[2]), "weight": part[1]} for part in parts if part is not None]
        return {"weighted": rows}
    points = whole(text)
    return {"attackers_total": points} if isinstance(points, int) else {}


def _usual_words() -> list[tuple[str, str]]:
    return [
        ("average", _("50 % each")),
        ("ns_plus", _("N–S 60 %, E–W 40 %")),
        ("ew_plus", _("N–S 40 %, E–W 60 %")),
        ("both_plus", _("60 % each: neither is at fault")),
        ("both_minus", _("40 % each: both are at fault")),
        ("own", _("as written below")),
    ]


def _clause_words(desk: Desk, one: Case) -> str:
    words = Truncator(in_language(one.text)).chars(60)
    return f"{clause_name(desk.tournament, one.clause)} · {words}"


def _address(desk: Desk, name: str, sitting: Sitting) -> str:
    known = {"event": desk.tournament.slug, "number": sitting.round.number, "table": sitting.table.number}
    return reverse(f"desk:{name}", kwargs=known)
