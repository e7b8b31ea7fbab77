"""The deals of a stage on boards: promised, drawn by lot, read by who is named, laid on paper, shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from referee.desk import find
from referee.desk.act_views import ActView, FormPage, number_or_none
from referee.desk.forms.house import Refusable
from referee.parts.downloads import download
from referee.parts.words import page_language
from tournaments.acts.access import Act
from tournaments.acts.text import row_number
from tournaments.deals.acts import commit_deals, draw_lot, name_reader, read_deals, show_deals
from tournaments.deals.reads import compared, dealings_of, dealt_by, planned_boards, still_played
from tournaments.events.setup import new_secret
from tournaments.models import User
from tournaments.models.events import ON_BOARDS
from tournaments.rounds.board import officials_of
from tournaments.transfer.paper.deals import slips_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.deals.reads import Compared
    from tournaments.models import Dealing, Stage


class PromiseForm(Refusable, forms.Form):
    """Boards whose deals are promised, and who may read them before they are shown."""

    first = forms.IntegerField(label=_("First board"), min_value=1, max_value=1000)
    last = forms.IntegerField(label=_("Last board"), min_value=1, max_value=1000)
    reader = forms.TypedChoiceField(
        label=_("May read the deals"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("An official who does not play. Only this person can print the slips; each reading is recorded."),
    )

    def __init__(self, *args: Any, readers: list[tuple[int, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["reader"].choices = [("", "–"), *readers]


class Deals(FormPage):
    """The page: what is promised, drawn and shown so far, with the form to promise more."""

    right = Act.SEE_DESK
    template, current = "desk/deals.html", "setup"
    form: PromiseForm

    def look_up(self) -> None:
        self.stage = _stage(self.desk, self.kwargs["number"])
        super().look_up()

    def made_form(self, *sent: Any) -> PromiseForm:
        return PromiseForm(*sent[:1], initial=self.initial(), readers=_readers(self.desk))

    def initial(self) -> dict[str, Any]:
        first = max((one.last_board for one in dealings_of(self.stage)), default=0) + 1
        return {"first": first, "last": max(first, planned_boards(self.stage)[-1])}

    def act(self) -> object:
        asked = self.form.cleaned_data
        numbers = {"first": asked["first"], "last": asked["last"], "reader_id": asked["reader"]}
        return commit_deals(**self.by, **numbers, stage_id=self.stage.pk, nonce=new_secret())

    def back(self) -> str:
        return _address(self.desk, self.stage)

    def shown(self) -> dict[str, Any]:
        return _shown(self.desk, self.stage) | {"form": self.form}


class OnDeals(ActView):
    """An act on one dealing, whose form stands on that page."""

    #: What was found in a comparison that was asked for, by the number of the dealing.
    found: tuple[int, Compared] | None = None

    def look_up(self) -> None:
        self.stage = _stage(self.desk, self.kwargs["number"])
        self.dealing = _dealing(self.stage, self.kwargs["dealing"])

    def back(self) -> str:
        return _address(self.desk, self.stage)

    def page(self) -> HttpResponse:
        known = {"desk": self.desk, "tournament": self.desk.tournament, "current": "setup"}
        form = PromiseForm(readers=_readers(self.desk))
        shown = known | _shown(self.desk, self.stage) | {"form": form, "found": self.found}
        return render(self.request, "desk/deals.html", shown)


class Lot(OnDeals):
    right, done = Act.DRAW_DEALS, _("The lot is written down. The deals can be laid now.")

    def act(self) -> object:
        return draw_lot(**self.by, dealing_id=self.dealing.pk, lot=self.typed("lot"))


class Reader(OnDeals):
    right, done = Act.NAME_READER, _("Named.")

    def act(self) -> object:
        return name_reader(**self.by, dealing_id=self.dealing.pk, reader_id=row_number(self.typed("reader")))


class Show(OnDeals):
    right, done = Act.SHOW_DEALS, _("The deals are shown to everybody.")

    def act(self) -> object:
        return show_deals(**self.by, dealing_id=self.dealing.pk)


class Slips(OnDeals):
    """The slips as PDF, which is the answer itself: nothing of it is kept."""

    right = Act.READ_DEALS
    paper: bytes | None = None

    def act(self) -> None:
        deals = read_deals(**self.by, dealing_id=self.dealing.pk, purpose="slips", boards=self.numbers)
        self.paper = slips_pdf(self.stage, deals.values(), self.desk.now)

    @property
    def numbers(self) -> list[int] | None:
        """The boards asked for; all where none are written."""
        first, last = number_or_none(self.typed("first")), number_or_none(self.typed("last"))
        if first is None and last is None:
            return None
        low, high = first or self.dealing.first_board, last or self.dealing.last_board
        return [number for number in self.dealing.boards if low <= number <= high]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = super().post(request, *args, **kwargs)
        if self.paper is None:
            return answer
        name = f"{self.desk.tournament.slug}-slips-{self.dealing.first_board}-{self.dealing.last_board}.pdf"
        return download(self.paper, name, "application/pdf")


class Check(OnDeals):
    """The records of hands held against the deals, by who may read them."""

    right = Act.READ_DEALS

    def act(self) -> None:
        deals = read_deals(**self.by, dealing_id=self.dealing.pk, purpose="check")
        self.found = (self.dealing.number, compared(self.dealing, deals))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = super().post(request, *args, **kwargs)
        return answer if self.found is None else self.page()


def _shown(desk: Desk, stage: Stage) -> dict[str, Any]:
    readers = _readers(desk)
    rows = []
    for one in dealings_of(stage):
        mine = desk.actor.user is not None and one.reader_id == desk.actor.user.pk
        waiting = still_played(one) if one.lot and not one.secret else []
        against = compared(one, dealt_by(one, bytes.fromhex(one.secret), one.boards)) if one.secret else None
        rows.append(
            {
                "dealing": one,
                "mine": mine,
                "waiting": waiting,
                "compared": against,
                "lot_id": f"lot-{one.number}",
                "reader_id": f"reader-{one.number}",
            }
        )
    known = {"language": page_language(), "event": desk.tournament.slug, "stage": stage.number}
    return {
        "stage": stage,
        "rows": rows,
        "readers": readers,
        "directs": desk.may(Act.COMMIT_DEALS),
        "public_page": reverse("public:deals", kwargs=known),
    }


def _readers(desk: Desk) -> list[tuple[int, User]]:
    """The officials of the event, each once."""
    people = {held.user_id: held.user for held in officials_of(desk.tournament)}
    return list(people.items())


def _stage(desk: Desk, number: int) -> Stage:
    stage = find.stage_numbered(desk.tournament, number)
    if stage.format not in ON_BOARDS:
        raise Http404
    return stage


def _dealing(stage: Stage, number: int) -> Dealing:
    found = next((one for one in dealings_of(stage) if one.number == number), None)
    if found is None:
        raise Http404
    return found


def _address(desk: Desk, stage: Stage) -> str:
    return reverse("desk:deals", kwargs={"event": desk.tournament.slug, "number": stage.number})
