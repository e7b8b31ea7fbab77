"""Whole events as files, and the certificate of an event."""

from __future__ import annotations

from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts import jobs
from tournaments.acts.access import Act
from tournaments.acts.admission import require
from tournaments.audit.certificates import certificate_of
from tournaments.models import Job
from tournaments.transfer import uploads
from tournaments.transfer.whole_events import LARGEST_FILE, PIECE

from .answers.jobs import CertificateAnswer, CertificateComing, JobAnswer
from .common.describe import described, written
from .common.strict import TooLarge
from .common.views import Endpoint, found
from .jobs import document

#: A program that asks how far its job is may wait so long between two questions, in seconds.
ASK_AGAIN = 2


class EventParser(BaseParser):
    """An export as a file on the disk: a worker reads it, the request only hands its bytes on."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        file, size = TemporaryFile(), 0  # noqa: SIM115 (closed by the endpoint)
        while piece := stream.read(PIECE):
            size += len(piece)
            if size > LARGEST_FILE:
                file.close()
                raise TooLarge()
            file.write(piece)
        return file


class EventFiles(Endpoint):
    """The organiser's export of an event as the body. A worker checks it, which writes nothing."""

    parser_classes = [EventParser]

    @written(
        "Send a whole event, as its organiser exported it, to be checked by a worker; Location is the job to ask",
        body={"application/json": {"type": "object"}},
        status=202,
        parameters=(OpenApiParameter("slug", str, description="its address here; else the one it had"),),
        answer=JobAnswer,
    )
    def post(self, request: Request) -> Response:
        # who may not is not even read
        require(self.actor, Act.IMPORT_EVENT, tournament=None)
        with _body(request) as file:
            slug = request.query_params.get("slug") or None
            asked = uploads.send(file=file, slug=slug, actor=self.actor, at=self.now)
        return _answer(asked, status=202)


def _body(request: Request) -> BinaryIO:
    """The file that was sent; an empty one where there was no body."""
    return cast(BinaryIO, request.data) if request.data else TemporaryFile()


class OwnJob(Endpoint):
    @described(
        "How far the check or the taking of an event file is, and what it came to; its sender only", answer=JobAnswer
    )
    def get(self, request: Request, job: int) -> Response:
        one: Job = found(jobs.own(self.actor), pk=job)
        return _answer(one, status=200)


class Taking(Endpoint):
    @written(
        "Take the event that a check found good, as a record; Location is the job to ask, the same one when sent again",
        status=202,
        answer=JobAnswer,
    )
    def post(self, request: Request, job: int) -> Response:
        if not jobs.own(self.actor).filter(pk=job).exists():
            raise Http404
        return _answer(uploads.take(job_id=job, actor=self.actor, at=self.now), status=202)


def _answer(one: Job, *, status: int) -> Response:
    headers = {"Location": reverse("api:own_job", kwargs={"job": one.pk})}
    if one.done_at is None:
        headers["Retry-After"] = str(ASK_AGAIN)
    return Response(document(one), status=status, headers=headers)


class Certificate(Endpoint):
    @described(
        "What the audit of the public record of an event came to; 202 while a worker is at it",
        answer=CertificateAnswer,
        also={202: CertificateComing},
    )
    def get(self, request: Request, slug: str) -> Response:
        made = certificate_of(self.event(slug))
        if made is None:
            return Response({"format": "referee/certificate/1", "event": slug, "clean": None}, status=202)
        return Response(made.to_json())
