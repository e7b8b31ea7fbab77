"""Photos given with a call: for officials of the table and the side that gave them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from referee.parts.photos import answered
from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.evidence import acts
from tournaments.evidence.pictures import MOST_BYTES, too_large
from tournaments.evidence.reads import content_of, given_with
from tournaments.models import Call

from .answers.base import list_of
from .answers.evidence import PhotoAnswer, photo_answer
from .common.describe import described, written
from .common.strict import Body, Words
from .common.views import Endpoint, found


class PhotoParser(BaseParser):
    """The bytes of the body, whatever they are said to be: what they are is seen when they are decoded."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise too_large()
        return data


class JpegParser(PhotoParser):
    media_type = "image/jpeg"


class PngParser(PhotoParser):
    media_type = "image/png"


class WebpParser(PhotoParser):
    media_type = "image/webp"


class RemoveForm(Body):
    reason = Words(acts.REASON_LIMIT)


class Photos(Endpoint):
    parser_classes = [JpegParser, PngParser, WebpParser]

    @described("The photos of a call; a side is told of its own", name="photos_list", answer=list_of(PhotoAnswer))
    def get(self, request: Request, call_id: int) -> Response:
        call: Call = found(Call.objects.select_related("sitting__round__tournament"), pk=call_id)
        sitting = call.sitting
        if not allowed(self.actor, Act.SEE_TABLE, tournament=sitting.round.tournament, sitting=sitting):
            raise Http404
        photos = given_with([call], self.actor.side).get(call.pk, ())
        return Response({"results": [photo_answer(one.photo, kept=one.kept) for one in photos]})

    @written(
        "Give a photo with an open call",
        body=dict.fromkeys(("image/jpeg", "image/png", "image/webp"), OpenApiTypes.BINARY),
        status=201,
        answer=PhotoAnswer,
    )
    def post(self, request: Request, call_id: int) -> Response:
        file = cast(bytes, request.data or b"")
        photo = acts.attach(call_id=call_id, actor=self.actor, at=self.now, file=file)
        return Response(photo_answer(photo, kept=True), status=201)


class OnePhoto(Endpoint):
    @written("A referee removes a photo for good", body=RemoveForm, answer=PhotoAnswer)
    def delete(self, request: Request, photo_id: int) -> Response:
        return Response(photo_answer(self.act(acts.remove, RemoveForm, photo_id=photo_id), kept=False))


class PhotoFile(Endpoint):
    @described("The photo itself, as it was made anew here", media="image/jpeg")
    def get(self, request: Request, photo_id: int) -> HttpResponse:
        return answered(content_of(photo_id, self.actor))
