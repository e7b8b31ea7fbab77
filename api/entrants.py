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

from tournaments.acts.access import Act
from tournaments.acts.text import plain_number
from tournaments.models import Entrant, Player, Tournament
from tournaments.people import entrants, imports
from tournaments.people.heads import is_field
from tournaments.people.lists import Reading, read_file
from tournaments.people.withdrawals import withdraw_entrant

from .answers.base import Document, page_of
from .answers.people import EntrantAnswer, ImportAnswer, entrant_answer
from .common.describe import AFTER, LIMIT, described, unsaved, written
from .common.strict import REASON, Body, Flag, TooLarge, Whole, Words, length_of
from .common.views import BadQuery, Endpoint, found

FILE_LIMIT = 2_000_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class PlayerForm(Body):
    name = Words(length_of(Player, "name"))
    name_latin = Words(length_of(Player, "name_latin"), required=False, allow_blank=True)
    external_id = Words(length_of(Player, "external_id"), required=False, allow_blank=True)


class EntrantForm(Body):
    name = Words(length_of(Entrant, "name"))
    name_latin = Words(length_of(Entrant, "name_latin"), required=False, allow_blank=True)
    unit = Words(length_of(Entrant, "unit"), required=False, allow_blank=True)
    category = Words(length_of(Entrant, "category"), required=False, allow_blank=True)
    seed = Whole(required=False, allow_null=True)
    number = Whole(required=False, allow_null=True)
    external_id = Words(length_of(Entrant, "external_id"), required=False, allow_null=True)
    players = serializers.ListField(child=PlayerForm(), required=False, max_length=6)
    namesakes = Flag(required=False, help_text="players called like others of the same unit are other people")


class EntrantChange(Body):
    name = Words(length_of(Entrant, "name"), required=False)
    name_latin = Words(length_of(Entrant, "name_latin"), required=False, allow_blank=True)
    unit = Words(length_of(Entrant, "unit"), required=False, allow_blank=True)
    category = Words(length_of(Entrant, "category"), required=False, allow_blank=True)
    seed = Whole(required=False, allow_null=True)
    number = Whole(required=False)
    external_id = Words(length_of(Entrant, "external_id"), required=False, allow_null=True)
    players = serializers.ListField(child=PlayerForm(), required=False, max_length=6)
    namesakes = Flag(required=False, help_text="players called like others of the same unit are other people")
    reason = Words(REASON, required=False, allow_blank=True, help_text="of substitutes, once the entrant has played")


class WhyForm(Body):
    reason = Words(REASON)


class SubstituteForm(Body):
    players = serializers.ListField(child=PlayerForm(), max_length=6, help_text="all who play from now on")
    reason = Words(REASON, required=False, allow_blank=True, help_text="needed once the entrant has played")
    namesakes = Flag(required=False, help_text="players called like others of the same unit are other people")


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
    @described("Entrants by number", parameters=(AFTER, LIMIT), name="entrants_list", answer=page_of(EntrantAnswer))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        return self.page(event.entrants.prefetch_related("players"), entrant_answer, order="number")

    @written("Add an entrant", body=EntrantForm, status=201, answer=EntrantAnswer)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.EDIT_ENTRANTS)
        added = entrants.add_entrant(tournament_id=event.pk, actor=self.actor, at=self.now, **self.body(EntrantForm))
        return Response(entrant_answer(added), status=201)


def entrant_of(event: Tournament, number: int) -> Entrant:
    entrant: Entrant = found(event.entrants.prefetch_related("players"), number=number)
    return entrant


class OneEntrant(Endpoint):
    @described("An entrant", answer=EntrantAnswer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(entrant_answer(entrant_of(self.event(slug), number)))

    @written("Change an entrant", body=EntrantChange, answer=EntrantAnswer)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.EDIT_ENTRANTS), number)
        changes = self.body(EntrantChange)
        how = {name: changes.pop(name) for name in ("reason", "namesakes") if name in changes}
        changed = entrants.change_entrant(entrant_id=entrant.pk, actor=self.actor, at=self.now, changes=changes, **how)
        return Response(entrant_answer(changed))


class Substitute(Endpoint):
    @written("Other players play for an entrant from now on", body=SubstituteForm, answer=EntrantAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.SUBSTITUTE), number)
        fields = self.body(SubstituteForm)
        players = {"players": fields.pop("players")}
        changed = entrants.change_entrant(
            entrant_id=entrant.pk, actor=self.actor, at=self.now, changes=players, **fields
        )
        return Response(entrant_answer(changed))


class Withdraw(Endpoint):
    @written(
        "An entrant leaves the event; what it has not played is forfeited",
        body=WhyForm,
        answer=EntrantAnswer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.WITHDRAW), number)
        gone = withdraw_entrant(entrant_id=entrant.pk, actor=self.actor, at=self.now, **self.body(WhyForm))
        return Response(entrant_answer(gone))


class Import(Endpoint):
    """A CSV or XLSX file as the body. Without `plan` a dry run; with the dry run's digest as `plan` it is applied."""

    parser_classes = [CsvParser, XlsxParser]

    @unsaved("GET entrants/ for who is entered.", "请用 GET 取 entrants/，看已有的参赛方。")
    @written(
        "Import entrants: a dry run first, then the same file with the plan's digest",
        body={"text/csv": OpenApiTypes.BINARY, XLSX: OpenApiTypes.BINARY},
        parameters=(
            OpenApiParameter("plan", str, description="the digest of the dry run to apply"),
            OpenApiParameter("encoding", str, enum=["utf-8", "gb18030"], description="found out when it is left out"),
            OpenApiParameter(
                "columns",
                str,
                description="what the columns hold, in order, with commas: number,player1,player2,,unit; else their "
                "heads are guessed; a column without a word is not taken over",
            ),
            OpenApiParameter(
                "namesakes",
                str,
                description="rows with commas, or `all`: who is called there like somebody before is somebody else; "
                "left out, a `namesake` is a problem",
            ),
        ),
        answer=ImportAnswer,
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.IMPORT_ENTRANTS)
        encoding = request.query_params.get("encoding")
        if encoding not in (None, "utf-8", "gb18030"):
            raise BadQuery("encoding", "utf-8, gb18030")
        columns = request.query_params.get("columns")
        fields = None if columns is None else [one.strip() for one in columns.split(",")]
        if fields is not None and not all(one == "" or is_field(one) for one in fields):
            raise BadQuery("columns", "names of columns", "列的名称")
        data = cast(bytes, request.data or b"")
        name = "entrants.csv" if request.content_type.startswith("text/csv") else "entrants.xlsx"
        taken = set(event.entrants.values_list("number", flat=True))
        found = read_file(data, name, encoding=encoding, fields=fields, taken=taken)
        namesakes = self._namesakes(found)
        plan = request.query_params.get("plan")
        if plan is None:
            return Response(_plan(imports.dry_run(event, found.rows, found.problems, namesakes), found))
        done = entrants.import_entrants(
            tournament_id=event.pk,
            actor=self.actor,
            at=self.now,
            rows=found.rows,
            problems=found.problems,
            plan_digest=plan,
            namesakes=namesakes,
        )
        return Response(_plan(done, found))

    def _namesakes(self, found: Reading) -> set[int]:
        asked = self.request.query_params.get("namesakes", "")
        if asked == "all":
            return {row.row for row in found.rows}
        rows = [plain_number(one) for one in asked.split(",") if one]
        if None in rows:
            raise BadQuery("namesakes", "numbers of rows, or all", "行号，或 all")
        return {row for row in rows if row}


def _plan(plan: imports.ImportPlan, found: Reading) -> Document:
    return {
        "plan": plan.digest,
        "head": found.layout.head,
        "columns": [name or None for name in found.layout.fields],
        "not_taken": list(found.not_taken),
        "skipped": [{"row": row, "what": what} for row, what in sorted(found.skipped.items())],
        "new": [{"row": row.row, "name": row.name} for row in plan.new],
        "changed": [
            {"row": one.row.row, "fields": {name: list(pair) for name, pair in one.fields.items()}}
            for one in plan.changed
        ],
        "same": [{"row": row.row, "name": row.name} for row in plan.same],
        "namesakes": [one.row for one in plan.namesakes],
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
        return HttpResponse(imports.entrants_csv(event), content_type="text/csv; charset=utf-8", headers=headers)
