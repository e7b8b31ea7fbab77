"""Rulings at the desk: the log, a new one from facts, and one ruling through decision and appeal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView, OwnPage
from referee.desk.guard import official
from referee.desk.presenters.ruling import one, penalty
from referee.desk.presenters.rulings import Typed, asked, case, deciding_clause, form, judged, log
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.models import MatchOutcome, RoundStatus
from tournaments.rulings import appeals
from tournaments.rulings.cases import EVIDENCE
from tournaments.rulings.log import cancel as cancel_ruling
from tournaments.rulings.log import decide as decide_ruling
from tournaments.rulings.log import foresee, propose

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Ruling, Sitting


@official(Act.SEE_DESK)
def rulings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The log, open appeals first."""
    return render(request, "desk/rulings.html", _common(desk) | log(desk, request.GET))


class OfRulings(ActView):
    """An act of the log of rulings."""

    made: Ruling

    def tell(self, done: object) -> None:
        messages.success(self.request, self.done)
        sitting = find.ruling(self.desk.tournament, self.made.number).sitting
        if sitting.round.status == RoundStatus.CLOSED and sitting.match.outcome == MatchOutcome.PENDING:
            still_open = _("The round is closed: end the match with what was played, or rule on it.")
            messages.warning(self.request, still_open)

    def back(self) -> str:
        return reverse("desk:ruling", kwargs={"event": self.desk.tournament.slug, "number": self.made.number})


class New(OwnPage, OfRulings):
    """From an irregularity or a position of the adjudicator: first what it gives, then the log, nothing in between.

    Looking is a POST too: what was told names people, and never stands in an address.
    """

    right = Act.PROPOSE_RULING
    template, current = "desk/ruling_new.html", "rulings"
    done = gettext_lazy("Decided.")

    def look_up(self) -> None:
        sent = self.request.method == "POST"
        query = self.request.POST if sent else self.request.GET
        self.asks = "look" in query
        evidence = {name: self.typed(name).strip() for name in EVIDENCE}
        sitting = _sitting(self.desk, query)
        self.stated = Typed.of(query, sitting, told=self.typed("told"), evidence=evidence)
        if self.stated.case and not self.stated.clause and (self.asks or not sent):
            self.stated = replace(self.stated, clause=deciding_clause(self.desk, self.stated))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        looks = self.asks or self.stated.sitting is None
        return self.page() if looks else super().post(request, *args, **kwargs)

    def act(self) -> None:
        """Put it into the log; with the other button the chief referee decides it at once: both or neither."""
        self.made = propose(**self.by, **self._of(case(self.desk, self.stated)), at_once=self._at_once).ruling

    @property
    def _at_once(self) -> bool:
        return "decide" in self.request.POST

    def _of(self, shown: dict[str, Any]) -> dict[str, Any]:
        """What is stated; of a position the clause too, and the sentence, which the adjudicator gives anew."""
        stated = self.stated
        assert stated.sitting is not None
        of = {"sitting_id": stated.sitting.pk, "facts": stated.facts(), "side": stated.side, "hand_no": stated.hand_no}
        return of | ({"clause": stated.clause, "verdict": shown.get("verdict_text")} if stated.case else {})

    def tell(self, done: object) -> None:
        if self._at_once:
            super().tell(done)
        else:
            messages.success(self.request, _("It is in the log. The chief referee decides."))

    def shown(self) -> dict[str, Any]:
        desk, stated, refusal = self.desk, self.stated, self.refusal
        shown = {"now": desk.now} | form(desk, stated) | case(desk, stated)
        if stated.sitting is not None and (stated.case or (stated.irregularity and self.asks) or refusal):
            # what could not be decided at once can still be put into the log
            try:
                shown |= judged(desk, foresee(actor=desk.actor, **self._of(shown)), stated)
            except Refusal as found:
                refusal = refusal or found
        return shown if refusal is None else shown | {"refusal": refusal, "findings": asked(refusal.findings)}


@official(Act.SEE_DESK)
def ruling(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    return _page(request, desk, number)


def _page(request: HttpRequest, desk: Desk, number: int, refusal: Refusal | None = None) -> HttpResponse:
    """One ruling; with what was refused of its forms, as typed."""
    typed = QueryDict() if refusal is None else request.POST
    shown = _common(desk) | one(desk, find.ruling(desk.tournament, number))
    shown |= {"typed": typed, "typed_committee": typed.getlist("committee"), "refusal": refusal}
    return render(request, "desk/ruling.html", shown | {"findings": refusal.findings if refusal else ()})


class OnRuling(OfRulings):
    """An act on one ruling, whose form stands on its page."""

    def look_up(self) -> None:
        self.made = find.ruling(self.desk.tournament, self.kwargs["number"])

    def is_error(self, refusal: Refusal) -> bool:
        return refusal.code != "second_official_same" and super().is_error(refusal)

    def given_back(self, refusal: Refusal) -> HttpResponse:
        return self.page()

    def page(self) -> HttpResponse:
        return _page(self.request, self.desk, self.kwargs["number"], self.refusal)

    @property
    def of_ruling(self) -> dict[str, Any]:
        return self.by | {"ruling_id": self.made.pk, "reason": self.reason}

    @property
    def seen(self) -> dict[str, Any]:
        """The record of the table as the form showed it, and what becomes of its later hands."""
        return {"expected_revision": self.revision, "treatment": self.typed("treatment")}


class Decide(OnRuling):
    right = Act.DECIDE_RULING
    done = gettext_lazy("Decided. The record of the table says so.")

    def act(self) -> object:
        return decide_ruling(**self.of_ruling, **self.seen, penalty=penalty(self.request.POST, self.made))


class Cancel(OnRuling):
    right = Act.CANCEL_RULING
    done = gettext_lazy("Cancelled.")

    def act(self) -> object:
        return cancel_ruling(**self.of_ruling, **self.seen)


class Lodge(OnRuling):
    """An official takes the written appeal of a side."""

    right = Act.LODGE_APPEAL
    done = gettext_lazy("The appeal is lodged. Play goes on, the standings are provisional.")

    def act(self) -> object:
        return appeals.lodge_appeal(**self.of_ruling, side=self.typed("side"))


class Answer(OnRuling):
    right = Act.DECIDE_APPEAL
    done = gettext_lazy("The appeal is decided.")

    def act(self) -> object:
        upheld, committee = self.typed("answer") == "uphold", self.request.POST.getlist("committee")
        return appeals.decide_appeal(**self.of_ruling, **self.seen, upheld=upheld, committee=committee)


def _sitting(desk: Desk, query: QueryDict) -> Sitting | None:
    """The table of the form, as round.table (``2.7``); None where none is chosen or there is none such."""
    number, _dot, table = query.get("at", "").partition(".")
    at_round, at_table = whole(number), whole(table)
    if not isinstance(at_round, int) or not isinstance(at_table, int):
        return None
    return find.sitting_or_none(desk.tournament, at_round, at_table)


def _common(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "rulings", "now": desk.now}
