"""Standings at the desk: the live table, publishing it as a numbered document, what was published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from referee.desk import find
from referee.desk.act_views import ActView, FormPage
from referee.desk.forms.house import Refusable
from referee.desk.guard import SeeOther, official
from referee.desk.presenters import publishing, stages
from referee.parts.downloads import download
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.standings import runs
from tournaments.standings.publications import chain_in, points_in
from tournaments.standings.settled import state_of
from tournaments.standings.shown import publication_list, publication_rows
from tournaments.standings.waiting import publish_later
from tournaments.transfer.paper.lists import standings_pdf
from tournaments.transfer.standings import standings_csv, standings_xlsx

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Stage


class PublishForm(Refusable, forms.Form):
    """The number of the round, typed once more, and why a table that was published is replaced."""

    reason = forms.CharField(
        label=_("Reason, published with it"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": 300, "required": True}),
    )
    round = forms.CharField(
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}), max_length=20
    )

    def __init__(self, *args: Any, number: int, again: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.number = number
        label = _("Type the number of the round (%(n)s) to publish the table after it")
        self.fields["round"].label = label % {"n": number}
        if not again:
            del self.fields["reason"]

    def clean_round(self) -> str:
        typed = str(self.cleaned_data["round"])
        if typed != str(self.number):
            raise forms.ValidationError(_("Type the number of the round, %(n)s."), params={"n": self.number})
        return typed


@official(Act.SEE_DESK)
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The live table; with ``?part=live`` only what follows the event."""
    template = "desk/_standings.html" if request.GET.get("part") == "live" else "desk/standings.html"
    return render(request, template, page(desk, "standings") | publishing.live(desk, request.GET.get("stage")))


class Publish(FormPage):
    """Read what is open, type the number of the round, publish: a minute later, unless it is stopped. A table once
    published never changes."""

    right = Act.PUBLISH
    template, current = "desk/publish.html", "standings"

    def look_up(self) -> None:
        self.open = publishing.open_questions(self.desk, self.typed("stage") or self.request.GET.get("stage"))
        super().look_up()

    def made_form(self, *sent: Any) -> PublishForm:
        started = self.open["round"]
        return PublishForm(*sent, number=started.number if started else 0, again=bool(self.open.get("supersedes")))

    def act(self) -> None:
        replaced = self.open["supersedes"]
        self.waits = publish_later(
            **self.by,
            stage_id=self.open["stage"].pk,
            round_id=self.open["round"].pk,
            expected_number=whole(self.typed("number")) if self.typed("number") else None,
            supersedes=replaced.pk if replaced else None,
            reason=self.form.cleaned_data.get("reason", ""),
        )

    def back(self) -> str:
        return reverse("desk:publishing", kwargs={"event": self.desk.tournament.slug, "job": self.waits.pk})

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What waits already is looked at on its own page."""
        waiting = [
            job for job in self.open.get("publishing", ()) if job.subject == getattr(self.open["round"], "pk", 0)
        ]
        if not waiting:
            return super().get(request, *args, **kwargs)
        self.waits = waiting[0]
        return SeeOther(self.back())

    def shown(self) -> dict[str, Any]:
        return self.open | {"form": self.form}


class Lots(ActView):
    """Record lots that were drawn by hand in the hall among those who share places."""

    right = Act.PUBLISH
    done = _("The lots are recorded.")

    def look_up(self) -> None:
        self.stage = publishing.stage_of(self.desk, self.typed("stage"))

    def act(self) -> None:
        order = [pk for drawn in stages.lots_typed(self.request.POST) for pk in drawn]
        runs.record_drawn_lots(**self.by, stage_id=self.stage.pk, order=order, reason=self.reason)

    def back(self) -> str:
        return f"{reverse('desk:standings', kwargs={'event': self.desk.tournament.slug})}?stage={self.stage.number}"

    def page(self) -> HttpResponse:
        shown = publishing.live(self.desk, str(self.stage.number))
        return render(self.request, "desk/standings.html", page(self.desk, "standings") | shown)


@official(Act.SEE_DESK)
def publications(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {"publications": publication_list(desk.tournament, desk.now)}
    return render(request, "desk/publications.html", page(desk, "publications") | shown)


@official(Act.SEE_DESK)
def publication(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    document = find.publication(desk.tournament, number)
    frozen = runs.publication_document(document)
    chain = chain_in(frozen)
    shown = {
        "publication": document,
        "replaced_by": document.tournament.publications.filter(supersedes=document).first(),
        "state": state_of(document, desk.now),
        "columns": publishing.columns(chain, points_in(frozen)),
        "rows": publishing.cells(publication_rows(document), chain),
    }
    return render(request, "desk/publication.html", page(desk, "publications") | shown)


@official(Act.SEE_DESK)
def export_csv(request: HttpRequest, desk: Desk) -> HttpResponse:
    stage = publishing.stage_of(desk, request.GET.get("stage"))
    return download(standings_csv(stage), _name(stage, "standings", "csv"), "text/csv; charset=utf-8")


@official(Act.SEE_DESK)
def export_xlsx(request: HttpRequest, desk: Desk) -> HttpResponse:
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    stage = publishing.stage_of(desk, request.GET.get("stage"))
    return download(standings_xlsx(stage), _name(stage, "standings", "xlsx"), kind)


@official(Act.SEE_DESK)
def export_pdf(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The live table of a stage on paper, marked as live."""
    stage = publishing.stage_of(desk, request.GET.get("stage"))
    return download(standings_pdf(stage), _name(stage, "live", "pdf"), "application/pdf")


def _name(stage: Stage, what: str, ending: str) -> str:
    return f"{stage.tournament.slug}-stage-{stage.number}-{what}.{ending}"


def page(desk: Desk, current: str) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": current}
