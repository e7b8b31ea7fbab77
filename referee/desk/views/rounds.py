"""Rounds: pair, look at what the pairing costs, publish it, start the clock, close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView, OwnPage, number_or_none
from referee.desk.guard import SeeOther, official
from referee.desk.presenters import drawing, pairing
from referee.desk.views.board import OnBoard, round_page
from referee.desk.views.tables import table_address, table_page
from referee.parts.downloads import download
from referee.parts.numbers import whole_number as whole
from referee.parts.printed import public_address, trusted_first
from referee.parts.words import SEATS
from tournaments.acts import jobs
from tournaments.acts.access import Act
from tournaments.ledger import devices
from tournaments.models import RoundStatus
from tournaments.rounds import closing, reseating, seating
from tournaments.rounds.acts import create_round, extend_round, go_on, start_round, stop_clock, swap_tables
from tournaments.rounds.drawing import pair_by_hand
from tournaments.rounds.pairing import check_pairing, publish_pairing, supersede_pairing
from tournaments.sittings.second_official import has_second_official
from tournaments.transfer.job_kinds import SCORE_SHEETS
from tournaments.transfer.paper.cards import table_cards_pdf
from tournaments.transfer.paper.lists import pairing_pdf
from tournaments.transfer.paper.sheets import score_sheets_pdf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse, QueryDict

    from referee.desk.guard import Desk
    from tournaments.models import Round, Sitting


#: A pairing of more entrants is not typed row by row: the form would hold a million choices.
MOST_TYPED: Final = 200
#: More score sheets than this are work for a worker: a browser would wait for seconds.
MANY_SHEETS: Final = 100


@official(Act.SEE_DESK)
def rounds(request: HttpRequest, desk: Desk) -> HttpResponse:
    return _rounds_page(request, desk)


def _rounds_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    return render(request, "desk/rounds.html", page(desk) | pairing.listed(desk))


class Create(ActView):
    right = Act.CREATE_ROUND

    def act(self) -> None:
        extra = "extra" in self.request.POST
        self.made = create_round(**self.by, tournament_id=self.desk.tournament.pk, extra=extra)

    def back(self) -> str:
        return _here("desk:pair", self.desk, self.made)

    def page(self) -> HttpResponse:
        return _rounds_page(self.request, self.desk)

    def at(self) -> str:
        return reverse("desk:pairing", kwargs={"event": self.desk.tournament.slug})


def _form(the_round: Round, data: QueryDict | None = None) -> pairing.Form | pairing.SeatForm:
    individual = the_round.tournament.individual
    return pairing.seat_form(the_round, data) if individual else pairing.form(the_round, data)


def pair_page(request: HttpRequest, desk: Desk, the_round: Round) -> HttpResponse:
    return render(request, _template(desk), page(desk) | _pairing(request, desk, the_round))


def _pairing(request: HttpRequest, desk: Desk, the_round: Round, typed: QueryDict | None = None) -> dict[str, Any]:
    """What the page of a pairing shows: as it stands, or as it was typed and refused."""
    paired = the_round.matches.filter(superseded_in=None).exists()
    form = _form(the_round, typed)
    return drawing.shown(desk, the_round, request.GET) | {
        "round": the_round,
        "form": form,
        "differences": [] if typed else check_pairing(the_round),
        "is_draft": the_round.status == RoundStatus.DRAFT,
        "paired": paired,
        "swappable": paired and the_round.status in (RoundStatus.DRAFT, RoundStatus.PUBLISHED, RoundStatus.RUNNING),
        # a board says who deals it
        "deals_chosen": the_round.stage.directing.boards is None,
        "seats": ("N", "W", "S", "E"),
        "scorers": [("sides", _("the sides")), ("referee", _("a referee"))],
        "first_dealers": [(seat, _("%(seat)s deals") % {"seat": word}) for seat, word in SEATS.items()],
        "by_hand_possible": len(form.entrants) <= MOST_TYPED,
    }


def _template(desk: Desk) -> str:
    return "desk/seats.html" if desk.tournament.individual else "desk/pair.html"


class OfRound(OnBoard):
    """An act on a round; its form stands on the board unless something else is said."""

    round: Round

    def look_up(self) -> None:
        self.round = find.round_numbered(self.desk.tournament, self.kwargs["number"])

    @property
    def of_round(self) -> dict[str, Any]:
        return self.by | {"round_id": self.round.pk}


class Publish(OfRound):
    right = Act.PUBLISH_PAIRING
    done = gettext_lazy("The pairing is published.")

    def act(self) -> object:
        return publish_pairing(**self.of_round, accept="accept" in self.request.POST)


class ByHand(OwnPage, OfRound):
    """The pairing of a round typed by hand, of two sides or of single players at tables."""

    current = "pairing"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.template = _template(self.desk)

    @property
    def refused_form(self) -> QueryDict | None:
        return self.request.POST if self.refusal else None


class Pair(ByHand):
    """Who sits where. What it costs is listed before it is published."""

    right = Act.PAIR

    def act(self) -> object:
        of = self.of_round | {"scored_by": self.typed("scored_by") or "sides"}
        if self.desk.tournament.individual:
            return seating.seat_by_hand(**of, tables=pairing.posted_seats(self.round, self.request.POST))
        first_dealer, pairs = self.typed("first_dealer") or None, pairing.posted(self.request.POST)
        return pair_by_hand(**of, pairs=pairs, first_dealer=first_dealer, reason=self.reason)

    def back(self) -> str:
        return _here("desk:pair", self.desk, self.round)

    def shown(self) -> dict[str, Any]:
        return _pairing(self.request, self.desk, self.round, self.refused_form) | {"reason": self.reason}


class Supersede(ByHand):
    """A published pairing is never edited: a new numbered one, with a reason, replaces tables without entries."""

    right = Act.SUPERSEDE_PAIRING
    done = gettext_lazy("The new pairing is published.")

    def act(self) -> object:
        of, typed = self.of_round | {"reason": self.reason}, self.request.POST
        if self.desk.tournament.individual:
            tables = pairing.changed_seats(self.round, pairing.posted_seats(self.round, typed))
            return seating.reseat(**of, tables=tables)
        pairs = pairing.changed(self.round, pairing.posted(typed))
        return supersede_pairing(**of, pairs=pairs, accept="accept" in typed)

    def shown(self) -> dict[str, Any]:
        form = _form(self.round, self.refused_form)
        known = {"round": self.round, "form": form, "reason": self.reason}
        return known | {"superseding": True, "by_hand_possible": True}


class Start(OfRound):
    right = Act.START_ROUND
    done = gettext_lazy("The round is running.")

    def act(self) -> object:
        return start_round(**self.of_round)


class Extend(OfRound):
    """Extra time (延时): the end of the round moves."""

    right = Act.SET_CLOCK
    done = gettext_lazy("The end of the round is moved.")

    def act(self) -> object:
        return extend_round(**self.of_round, minutes=whole(self.typed("minutes")), reason=self.reason)


class Clock(OfRound):
    """Stop the clock of the hall, with a reason, or let it go on."""

    right = Act.SET_CLOCK

    def act(self) -> object:
        goes = self.typed("do") == "go"
        return go_on(**self.of_round) if goes else stop_clock(**self.of_round, reason=self.reason)

    def tell(self, done: object) -> None:
        goes = self.typed("do") == "go"
        messages.success(self.request, _("The clock goes on.") if goes else _("The clock is stopped."))


class Reseat(OfRound):
    """Two entrants sat at each other's places: say so, with a reason. The form stands at one of their tables."""

    right = Act.RESEAT
    done = gettext_lazy("It is noted who sat where. What was played stands for them.")
    fields: ClassVar[Mapping[str, str]] = {"entrants": "entrant"}
    table: Sitting | None

    def look_up(self) -> None:
        super().look_up()
        table = number_or_none(self.typed("table")) or 0
        self.table = find.sitting_or_none(self.desk.tournament, self.round.number, table)

    def act(self) -> object:
        chosen = find.entrants_written(self.desk.tournament, self.request.POST.getlist("entrant"))
        return reseating.reseat_match(**self.of_round, entrants=chosen, reason=self.reason)

    def back(self) -> str:
        return _here("desk:round_board", self.desk, self.round)

    def page(self) -> HttpResponse:
        if self.table is None:
            return round_page(self.request, self.desk, self.round.number)
        return table_page(self.request, self.desk, self.round.number, self.table.table.number)

    def at(self) -> str:
        return self.back() if self.table is None else table_address(self.desk, self.table)


class Close(OfRound):
    """Close the round. The board itself offers to take that back, to everybody who may."""

    right, undoable = Act.CLOSE_ROUND, False

    def act(self) -> object:
        return closing.close_round(**self.of_round)

    def tell(self, done: object) -> None:
        second = has_second_official(self.desk.tournament)
        closed = _("The round is closed. From now on a correction needs a second official.")
        messages.success(self.request, closed if second else _("The round is closed."))


class Reopen(OfRound):
    """Take the closing of a round back, within a minute and while nothing was built on it."""

    right = Act.REOPEN_ROUND
    done = gettext_lazy("The closing is taken back: the round runs on.")

    def act(self) -> object:
        return closing.reopen_round(**self.of_round)


class OnPairing(OfRound):
    """An act on a round whose form stands on the page of its pairing."""

    looked_at = "desk:pair"

    def back(self) -> str:
        return _here("desk:pair", self.desk, self.round)

    def page(self) -> HttpResponse:
        return pair_page(self.request, self.desk, self.round)


class Swap(OnPairing):
    """Two sittings of the round change their tables, with their entries."""

    right = Act.SWAP_TABLES
    done = gettext_lazy("The tables are swapped. Both sides keep their codes of the table they now sit at.")
    fields: ClassVar[Mapping[str, str]] = {"sitting_ids": "table"}

    def act(self) -> object:
        chosen = find.sittings_written(self.round, self.request.POST.getlist("table"))
        return swap_tables(**self.of_round, sitting_ids=chosen)


@official(Act.ISSUE_CODES, "POST")
def cards(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Table cards with both codes, two to a sheet. Making them issues the codes that do not exist yet."""
    the_round = find.round_numbered(desk.tournament, number)
    devices.issue_codes(tournament_id=desk.tournament.pk, actor=desk.actor, at=desk.now)
    data = table_cards_pdf(the_round, address=public_address(request, "/t/"), printed_at=desk.now, **trusted_first())
    return download(data, f"{desk.tournament.slug}-cards.pdf", "application/pdf")


@official(Act.SEE_DESK)
def pairing_paper(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The pairing on paper: tables in order, for the wall."""
    data = pairing_pdf(find.round_numbered(desk.tournament, number))
    return download(data, f"{desk.tournament.slug}-round-{number}-pairing.pdf", "application/pdf")


@official(Act.SEE_DESK)
def score_sheets(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """A sheet for each table to write its hands down on; those of many tables are set by a worker."""
    the_round = find.round_numbered(desk.tournament, number)
    if the_round.sittings.filter(active=True).count() > MANY_SHEETS:
        asked = jobs.ask(
            tournament_id=desk.tournament.pk,
            kind=SCORE_SHEETS,
            subject=the_round.pk,
            act=Act.SEE_DESK,
            actor=desk.actor,
            at=desk.now,
        )
        return SeeOther(reverse("desk:job", kwargs={"event": desk.tournament.slug, "job": asked.pk}))
    data = score_sheets_pdf(the_round)
    return download(data, f"{desk.tournament.slug}-round-{number}-sheets.pdf", "application/pdf")


def _here(name: str, desk: Desk, the_round: Round) -> str:
    return reverse(name, kwargs={"event": desk.tournament.slug, "number": the_round.number})


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "pairing"}
