"""Entrants: list, add, change, withdraw, import from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.access import Act
from tournaments.exchange import entrants as files
from tournaments.models import Entrant, Tournament
from tournaments.services import entrants as services

from . import documents
from .describe import AFTER, LIMIT, WRITE, described
from .errors import TooLarge
from .strict import Body, Flag, Whole, Words
from .views import BadQuery, Endpoint, found

FILE_LIMIT = 2_000_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class PlayerForm(Body):
    name = Words()
    name_latin = Words(required=False, allow_blank=True)
    external_id = Words(required=False, allow_blank=True)


class EntrantForm(Body):
    name = Words()
    name_latin = Words(required=False, allow_blank=True)
    unit = Words(required=False, allow_blank=True)
    category = Words(required=False, allow_blank=True)
    seed = Whole(required=False, allow_null=True)
    number = Whole(required=False, allow_null=True)
    external_id = Words(required=False, allow_null=True)
    players = serializers.ListField(child=PlayerForm(), required=False, max_length=6)
    namesakes = Flag(required=False, help_text="players called like others of the same unit are other people")


class EntrantChange(Body):
    name = Words(required=False)
    name_latin = Words(required=False, allow_blank=True)
    unit = Words(required=False, allow_blank=True)
    category = Words(required=False, allow_blank=True)
    seed = Whole(required=False, allow_null=True)
    number = Whole(required=False)
    external_id = Words(required=False, allow_null=True)
    players = serializers.ListField(child=PlayerForm(), required=False, max_length=6)
    namesakes = Flag(required=False, help_text="players called like others of the same unit are other people")
    reason = Words(required=False, allow_blank=True, help_text="of substitutes, once the entrant has played")


class WhyForm(Body):
    reason = Words()


class FileParser(BaseParser):
    """A table as a file: the bytes of the body."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        data = stream.read(FILE_LIMIT + 1)
        if len(data) > FILE_LIMIT:
            raise TooLarge()
        return data


class CsvParser(FileParser):
    media_type = "text/csv"


class XlsxParser(FileParser):
    media_type = XLSX


class Entrants(Endpoint):
    @described("Entrants by number", parameters=(AFTER, LIMIT), name="entrants_list")
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        return self.page(event.entrants.prefetch_related("players"), documents.entrant, order="number")

    @described("Add an entrant", body=EntrantForm, status=201, refused=WRITE)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.EDIT_ENTRANTS)
        added = services.add_entrant(tournament_id=event.pk, actor=self.actor, at=self.now, **self.body(EntrantForm))
        return Response(documents.entrant(added), status=201)


def entrant_of(event: Tournament, number: int) -> Entrant:
    entrant: Entrant = found(event.entrants.prefetch_related("players"), number=number)
    return entrant


class OneEntrant(Endpoint):
    @described("An entrant")
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(documents.entrant(entrant_of(self.event(slug), number)))

    @described("Change an entrant", body=EntrantChange, refused=WRITE)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.EDIT_ENTRANTS), number)
        changes = self.body(EntrantChange)
        how = {name: changes.pop(name) for name in ("reason", "namesakes") if name in changes}
        changed = services.change_entrant(entrant_id=entrant.pk, actor=self.actor, at=self.now, changes=changes, **how)
        return Response(documents.entrant(changed))


class Withdraw(Endpoint):
    @described("An entrant leaves the event; what it has not played is forfeited", body=WhyForm, refused=WRITE)
    def post(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.WITHDRAW), number)
        gone = services.withdraw_entrant(entrant_id=entrant.pk, actor=self.actor, at=self.now, **self.body(WhyForm))
        return Response(documents.entrant(gone))


class Import(Endpoint):
    """A CSV or XLSX file as the body. Without `plan` a dry run; with the dry run's digest as `plan` it is applied."""

    parser_classes = [CsvParser, XlsxParser]

    @described(
        "Import entrants: a dry run first, then the same file with the plan's digest",
        body={"text/csv": OpenApiTypes.BINARY, XLSX: OpenApiTypes.BINARY},
        refused=WRITE,
        parameters=(
            OpenApiParameter("plan", str, description="the digest of the dry run to apply"),
            OpenApiParameter("encoding", str, enum=["utf-8", "gb18030"]),
        ),
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.IMPORT_ENTRANTS)
        encoding = request.query_params.get("encoding", "utf-8")
        if encoding not in ("utf-8", "gb18030"):
            raise BadQuery("encoding", "utf-8, gb18030")
        data = cast(bytes, request.data or b"")
        name = "entrants.csv" if request.content_type.startswith("text/csv") else "entrants.xlsx"
        rows, problems = files.read_table(data, name, encoding=encoding)
        plan = request.query_params.get("plan")
        if plan is None:
            return Response(_plan(files.dry_run(event, rows, problems)))
        done = services.import_entrants(
            tournament_id=event.pk, actor=self.actor, at=self.now, rows=rows, problems=problems, plan_digest=plan
        )
        return Response(_plan(done))


def _plan(plan: files.ImportPlan) -> documents.Document:
    return {
        "plan": plan.digest,
        "new": [{"row": row.row, "name": row.name} for row in plan.new],
        "changed": [
            {"row": one.row.row, "fields": {name: list(pair) for name, pair in one.fields.items()}}
            for one in plan.changed
        ],
        "same": [{"row": row.row, "name": row.name} for row in plan.same],
        "problems": [
            {"row": one.row, "code": one.code, "field": one.field, "message": dict(one.message)}
            for one in plan.problems
        ],
    }


class EntrantsFile(Endpoint):
    @described("The entrants as a file that can be imported again", media="text/csv")
    def get(self, request: Request, slug: str) -> HttpResponse:
        event = self.event(slug, Act.EXPORT_NAMES)
        headers = {"Content-Disposition": f'attachment; filename="{event.slug}-entrants.csv"'}
        return HttpResponse(files.entrants_csv(event), content_type="text/csv; charset=utf-8", headers=headers)
