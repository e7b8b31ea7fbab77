"""The projector: which boards take turns, and what is shown now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy

from referee.desk.act_views import ActView, OwnPage, number_or_none
from tournaments.acts.access import Act
from tournaments.models.projector import ScreenBoard
from tournaments.projector import acts
from tournaments.projector.reads import balls_of, draw_to_show, projector_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from tournaments.models import Tournament


#: What a key of the ceremony does.
CEREMONY: Final = {"begin": acts.begin_ceremony, "ball": acts.next_ball, "end": acts.end_ceremony}


@dataclass(frozen=True, slots=True)
class Line:
    """A board with the number of its turn, empty where it takes none."""

    kind: str
    word: str | _StrPromise
    place: str


class Projector(OwnPage):
    """The boards with the number of their turn, and the keys that steer the screens."""

    right, done = Act.SEE_DESK, gettext_lazy("The boards of the projector are saved.")
    template, current = "desk/projector.html", "setup"

    def act(self) -> object:
        turns = [(number_or_none(self.typed(f"turn-{kind}")), kind) for kind in ScreenBoard.values]
        boards = [kind for _turn, kind in sorted((turn, kind) for turn, kind in turns if turn is not None)]
        ticker = self.typed("ticker") == "1"
        return acts.choose(**self.by, tournament_id=self.desk.tournament.pk, boards=boards, ticker=ticker)

    def back(self) -> str:
        return projector_address(self.desk.tournament)

    def shown(self) -> dict[str, Any]:
        return shown(self.desk, self.request.POST if self.refusal else None)


class Steer(ActView):
    """One key: a board alone, all of them again, pause, go on, the next page."""

    right, looked_at = Act.STEER_SCREEN, "desk:projector"

    def act(self) -> object:
        of_event = {**self.by, "tournament_id": self.desk.tournament.pk}
        if (ceremony := CEREMONY.get(self.typed("ceremony"))) is not None:
            return ceremony(**of_event)
        if "board" in self.request.POST:
            return acts.show(**of_event, board=self.typed("board"))
        if "paused" in self.request.POST:
            return acts.pause(**of_event, paused=self.typed("paused") == "1")
        return acts.turn(**of_event)

    def back(self) -> str:
        return projector_address(self.desk.tournament)

    def page(self) -> HttpResponse:
        known = {"desk": self.desk, "tournament": self.desk.tournament, "current": Projector.current}
        return render(self.request, Projector.template, known | shown(self.desk))


def shown(desk: Desk, typed: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The boards in their order, those that take no turn last; as `typed` where something was refused."""
    row = projector_of(desk.tournament)
    turns = {kind: str(number) for number, kind in enumerate(row.boards, start=1)}
    kinds = [*row.boards, *(kind for kind in ScreenBoard.values if kind not in turns)]
    language = "en" if (get_language() or "").startswith("en") else "zh"
    draw = row.draw or draw_to_show(desk.tournament)
    return {
        "projector": row,
        "draw": draw,
        "balls": 0 if draw is None else len(balls_of(desk.tournament, draw)),
        "ticker": row.ticker if typed is None else typed.get("ticker") == "1",
        "held": ScreenBoard(row.held).label if row.held else "",
        "lines": [
            Line(kind, ScreenBoard(kind).label, (typed or turns).get(f"turn-{kind}" if typed else kind, ""))
            for kind in kinds
        ],
        "screen": reverse("public:screen", kwargs={"language": language, "event": desk.tournament.slug}),
        "may_steer": desk.may(Act.STEER_SCREEN),
    }


def projector_address(event: Tournament) -> str:
    return reverse("desk:projector", kwargs={"event": event.slug})
