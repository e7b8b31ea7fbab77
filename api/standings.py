"""Live and published standings, and the event's exports."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.parts.downloads import download
from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.acts.errors import Refusal
from tournaments.acts.text import digest_of
from tournaments.audit.record import event_json
from tournaments.boards.reads import kept_back, results_later
from tournaments.models import Job, Publication, Stage, Tournament
from tournaments.standings import shown
from tournaments.standings.runs import publish, record_drawn_lots
from tournaments.standings.settled import state_of, states_of
from tournaments.standings.stage_order import current_stage
from tournaments.standings.waiting import PUBLISH, publish_later, publish_now, stop
from tournaments.transfer import standings
from tournaments.transfer.paper import lists

from . import jobs
from .answers.base import list_of, page_of
from .answers.documents import EXPORT
from .answers.jobs import JobAnswer
from .answers.standings import (
    LiveTable,
    LotsAnswer,
    PublicationAnswer,
    PublicationWhole,
    drawn_lots_answer,
    publication_answer,
    published_answer,
    standing_answer,
)
from .common.describe import AFTER, LIMIT, described, written
from .common.strict import REASON, Body, Flag, Whole, Words
from .common.views import Endpoint, found, tagged

PDF = "application/pdf"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class PublishForm(Body):
    round = Whole(help_text="publish the table after this round")
    covers = Whole(required=False, allow_null=True, help_text="`covers` of the live table you saw")
    supersedes = Whole(required=False, allow_null=True, help_text="number of the publication it replaces")
    reason = Words(REASON, required=False, allow_blank=True)
    wait = Flag(required=False, help_text="wait a minute, in which it can be stopped: 202 and the job")


class LotsForm(Body):
    order = serializers.ListField(child=Whole(), max_length=1_000, help_text="entrant numbers, the first drawn first")
    reason = Words(REASON, help_text="why and how the lots were drawn")


def _live_stage(endpoint: Endpoint, slug: str, number: int | None) -> Stage:
    """The stage whose live table is asked for: the one in play by default. Hidden tables are for officials, as are
    those that count boards which others have to play."""
    event = endpoint.event(slug)
    official = allowed(endpoint.actor, Act.SEE_DESK, tournament=event)
    if not event.live_public and not official:
        raise Http404
    stages = event.stages.select_related("tournament")
    stage: Stage | None = stages.filter(number=number).first() if number else current_stage(event)
    if stage is None:
        raise Http404
    if not official and kept_back(stage).results:
        raise BoardsWait(stage, live=event.live_public)
    return stage


class BoardsWait(Refusal):
    """The live table counts boards that others have to play: the public waits for it."""

    def __init__(self, stage: Stage, *, live: bool) -> None:
        super().__init__("boards_wait", message=dict(results_later(stage, live=live)), status=409)


class Live(Endpoint):
    @described("The live table of a stage; always provisional while something is open", answer=LiveTable)
    def get(self, request: Request, slug: str, stage: int | None = None) -> Response:
        table = shown.live_standings(_live_stage(self, slug, stage))
        document = {
            "covers": table.number,
            "fresh": table.fresh,
            "waiting": table.waiting,
            "provisional": table.provisional,
            "open": [dict(one) for one in table.open],
            "computed_at": table.run and table.run.computed_at.isoformat(),
            "rows": [standing_answer(row) for row in table.rows],
        }
        return tagged(request, document, digest_of(document), public=self.actor.user is None)


class LiveCsv(Endpoint):
    @described("The live table as CSV", media="text/csv")
    def get(self, request: Request, slug: str) -> HttpResponse:
        data = standings.standings_csv(_live_stage(self, slug, None))
        return download(data, f"{slug}-live.csv", "text/csv; charset=utf-8")


class LivePdf(Endpoint):
    @described("The live table on paper, marked as live", media=PDF)
    def get(self, request: Request, slug: str) -> HttpResponse:
        return download(lists.standings_pdf(_live_stage(self, slug, None)), f"{slug}-live.pdf", PDF)


class LiveXlsx(Endpoint):
    @described("The live table as XLSX", media=XLSX)
    def get(self, request: Request, slug: str) -> HttpResponse:
        return download(standings.standings_xlsx(_live_stage(self, slug, None)), f"{slug}-live.xlsx", XLSX)


def _publications(event: Tournament) -> QuerySet[Publication]:
    rows = Publication.objects.filter(tournament=event)
    return rows.select_related("round", "stage", "supersedes", "superseded_by", "tournament")


class Lots(Endpoint):
    @described(
        "Lots drawn by hand in a stage, in order; the newest holds for whoever is in it",
        name="lots_list",
        answer=list_of(LotsAnswer),
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        event = self.event(slug)
        draws = found(event.stages.all(), number=stage).drawn_lots.order_by("number")
        numbers = dict(event.entrants.values_list("pk", "number"))
        return Response({"results": [drawn_lots_answer(one, numbers) for one in draws]})

    @written(
        "Record lots drawn by hand among all who share a place",
        body=LotsForm,
        status=201,
        answer=LotsAnswer,
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        event = self.event(slug, Act.PUBLISH)
        fields = self.body(LotsForm)
        numbers = dict(event.entrants.values_list("pk", "number"))
        ids = {number: pk for pk, number in numbers.items()}
        made = record_drawn_lots(
            stage_id=found(event.stages.all(), number=stage).pk,
            actor=self.actor,
            at=self.now,
            # a number that nobody has stays one that nobody has
            order=[ids.get(number, 0) for number in fields["order"]],
            reason=fields["reason"],
        )
        return Response(drawn_lots_answer(made, numbers), status=201)


class Publications(Endpoint):
    @described(
        "Published tables, newest first",
        parameters=(AFTER, LIMIT),
        name="publications_list",
        answer=page_of(PublicationAnswer),
    )
    def get(self, request: Request, slug: str) -> Response:
        found, cursor = self.cut(_publications(self.event(slug)), "-number")
        states = states_of(found, self.now)
        return Response({"results": [publication_answer(one, states[one.pk]) for one in found], "next": cursor})

    @written(
        "Publish the table after a round: frozen, numbered, with its digest",
        body=PublishForm,
        status=201,
        answer=PublicationAnswer,
        also={202: JobAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.PUBLISH)
        fields = self.body(PublishForm)
        round_ = found(event.rounds.all(), number=fields["round"])
        replaced = fields.get("supersedes")
        asked: dict[str, Any] = {
            "stage_id": round_.stage_id,
            "round_id": round_.pk,
            "actor": self.actor,
            "at": self.now,
            "expected_number": fields.get("covers"),
            "supersedes": None if replaced is None else found(event.publications.all(), number=replaced).pk,
            "reason": fields.get("reason", ""),
        }
        if fields.get("wait"):
            return Response(jobs.document(publish_later(**asked)), status=202)
        made = publish(**asked)
        return Response(publication_answer(made, state_of(made, self.now)), status=201)


class PublishNow(Endpoint):
    @written("Publish at once what waits its minute", answer=JobAnswer)
    def post(self, request: Request, slug: str, job: int) -> Response:
        waits: Job = found(Job.objects.filter(tournament=self.event(slug, Act.PUBLISH), kind=PUBLISH), pk=job)
        return Response(jobs.document(publish_now(job_id=waits.pk, actor=self.actor, at=self.now)))


class StopPublishing(Endpoint):
    @written("Stop a publication that waits its minute: nothing is published", answer=JobAnswer)
    def post(self, request: Request, slug: str, job: int) -> Response:
        event = self.event(slug, Act.STOP_PUBLISHING)
        waits: Job = found(Job.objects.filter(tournament=event, kind=PUBLISH), pk=job)
        return Response(jobs.document(stop(job_id=waits.pk, actor=self.actor, at=self.now)))


class OnePublication(Endpoint):
    @described(
        "A published table: its document never changes; how settled it is, and the names shown with it, may",
        answer=PublicationWhole,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        publication = self.publication(slug, number)
        state = state_of(publication, self.now)
        document = published_answer(publication, state, shown.publication_rows(publication))
        return tagged(request, document, digest_of(document))

    def publication(self, slug: str, number: int) -> Publication:
        publication: Publication = found(_publications(self.event(slug)), number=number)
        return publication


class PublicationCsv(OnePublication):
    @described("A published table as CSV", media="text/csv")
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        data = standings.standings_csv(self.publication(slug, number))
        return download(data, f"{slug}-{number}.csv", "text/csv; charset=utf-8")


class PublicationXlsx(OnePublication):
    @described("A published table as XLSX", media=XLSX)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return download(standings.standings_xlsx(self.publication(slug, number)), f"{slug}-{number}.xlsx", XLSX)


class PublicationPdf(OnePublication):
    @described("A published table on paper: the same bytes every time", media=PDF)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return download(lists.publication_pdf(self.publication(slug, number)), f"{slug}-{number}.pdf", PDF)


class Export(Endpoint):
    @described(
        "The whole event as one JSON document; officials get everything, organisers the names too",
        answer=EXPORT,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        event = self.event(slug)
        official = allowed(self.actor, Act.SEE_DESK, tournament=event)
        names = allowed(self.actor, Act.EXPORT_NAMES, tournament=event)
        data = event_json(event, official=official, names=names)
        return download(data, f"{slug}.json", "application/json")
