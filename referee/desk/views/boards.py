"""Duplicate boards at the desk: what each board fixes, both rooms of a match side by side, adjusted scores."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.guard import SeeOther, official, one_act
from referee.parts.board_sheets import sheet_of
from referee.parts.boards import boards_of, linked
from referee.parts.numbers import whole_number as whole
from scoring.hands.findings import Refused
from scoring.values import Seat, Trump
from tournaments.acts.access import Act
from tournaments.boards.reads import boards_for_all
from tournaments.draws.movements import arrow_switched, balance, howell, mitchell
from tournaments.models import BoardResult, Sitting
from tournaments.plans.plan import MovementKind
from tournaments.rounds import boards
from tournaments.rulings import adjusted_boards
from tournaments.standings.chain import field_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
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
    sitting = find.sitting_at(desk.tournament, number, table)
    shown = linked(boards_of(sitting.match), _sheets(desk, sitting.round.stage))
    if shown is None:
        return SeeOther(_address(desk, "table", sitting))
    may_adjust = desk.may(Act.ADJUST_BOARD, sitting)
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
            "adjusting": may_adjust,
            "usual": _usual_words(),
            "clauses": [case for one in desk.tournament.penalty_schedule.offences.values() for case in one.cases],
        },
    )


@official(Act.ADJUST_BOARD, "POST")
def adjust(request: HttpRequest, desk: Desk, number: int, table: int, board: int) -> HttpResponse:
    """Give a board an adjusted score at this table, or take it back."""
    sitting = find.sitting_at(desk.tournament, number, table)
    of: dict[str, Any] = {
        "sitting_id": sitting.pk,
        "number": board,
        "actor": desk.actor,
        "at": desk.now,
        "expected_revision": _revision(request),
        "reason": request.POST.get("reason", ""),
    }
    back = _address(desk, "match_boards", sitting)
    if request.POST.get("how") == "played":
        done = _("The result as played counts again.")
        return one_act(request, lambda: adjusted_boards.take_back_adjustment(**of), done=done, back=back)
    ns, ew = _marks(request)
    return one_act(
        request,
        lambda: adjusted_boards.adjust_board(**of, ns=ns, ew=ew, clause=request.POST.get("clause", "")),
        done=_("The adjusted score stands."),
        back=back,
    )


@official(Act.SEE_DESK)
def stage_boards(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The boards of a stage: dealer, level and trump of each, and whether it was played."""
    stage = find.stage_numbered(desk.tournament, number)
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


@official(Act.SET_BOARDS, "POST")
def set_boards(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Make the boards of all planned rounds, or set those of the form that differ."""
    stage = find.stage_numbered(desk.tournament, number)
    back = reverse("desk:boards", kwargs={"event": desk.tournament.slug, "number": number})
    if request.POST.get("act") == "make":
        return one_act(
            request,
            lambda: boards.make_planned(stage_id=stage.pk, actor=desk.actor, at=desk.now),
            done=_("The boards of all planned rounds are there."),
            back=back,
        )
    changed = [{"number": board.number, **facts} for board, facts in _posted(request, stage) if facts != _facts(board)]
    return one_act(
        request,
        lambda: boards.set_boards(stage_id=stage.pk, actor=desk.actor, at=desk.now, changes=changed),
        done=_("The boards are set."),
        back=back,
    )


def _balance(stage: Stage) -> Balance | None:
    """How evenly the movement of a stage of pairs compares them; None without a movement, or where it does not go."""
    plan = stage.directing
    if plan.movement is None:
        return None
    count = len(field_of(stage))
    try:
        made = mitchell(count, stage.rounds_planned) if plan.movement is MovementKind.MITCHELL else howell(count)
        return balance(arrow_switched(made, plan.arrow))
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
    ]


def _revision(request: HttpRequest) -> int | None:
    value = whole(request.POST.get("revision", ""))
    return value if isinstance(value, int) else None


def _address(desk: Desk, name: str, sitting: Sitting) -> str:
    known = {"event": desk.tournament.slug, "number": sitting.round.number, "table": sitting.table.number}
    return reverse(f"desk:{name}", kwargs=known)
