"""Whole events as files, and the certificate of an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.access import Act, require
from tournaments.exchange.whole_events import LARGEST_FILE
from tournaments.services.certificates import certificate_of
from tournaments.services.event_imports import ImportedEvent, import_event

from . import documents
from .describe import WRITE, described
from .errors import TooLarge
from .views import Endpoint


class EventParser(BaseParser):
    """An export as the bytes it has: they are read strictly by what takes them."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        data = stream.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise TooLarge()
        return data


class EventFiles(Endpoint):
    """The organiser's export of an event as the body. Without `import=1` a dry run, which writes nothing."""

    parser_classes = [EventParser]

    @described(
        "Take a whole event from its export, as a record: a dry run first, then with import=1",
        body={"application/json": {"type": "object"}},
        refused=WRITE,
        parameters=(
            OpenApiParameter("slug", str, description="its address here; else the one it had"),
            OpenApiParameter("import", str, enum=["1"], description="take it; left out: a dry run"),
        ),
    )
    def post(self, request: Request) -> Response:
        # who may not is not even read
        require(self.actor, Act.IMPORT_EVENT, tournament=None)
        wanted = request.query_params.get("import") == "1"
        made = import_event(
            data=cast(bytes, request.data or b""),
            actor=self.actor,
            at=self.now,
            slug=request.query_params.get("slug") or None,
            dry_run=not wanted,
        )
        return Response(_document(made), status=201 if wanted else 200)


def _document(made: ImportedEvent) -> documents.Document:
    return {
        "slug": made.slug,
        "imported": made.tournament is not None,
        "record_digest": made.digest,
        "counts": dict(made.counts),
        "certificate": made.certificate.to_json(),
    }


class Certificate(Endpoint):
    @described("What the audit of the public record of an event came to; 202 while a worker is at it")
    def get(self, request: Request, slug: str) -> Response:
        made = certificate_of(self.event(slug))
        if made is None:
            return Response({"format": "referee/certificate/1", "event": slug, "clean": None}, status=202)
        return Response(made.to_json())
