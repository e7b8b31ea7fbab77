"""The signed log of an event, as the program `verify.py` reads it, and its feed."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.signing import public_keys
from tournaments.log.feed import MOST as MOST_LINES
from tournaments.log.feed import feed_of
from tournaments.log.reads import SHORT, Place, log_document, proofs, terms_of

from .answers.log import LogAnswer, ProofsAnswer
from .common.describe import READ, described
from .common.views import BadQuery, Endpoint

#: So many receipts are proved at once.
MOST: Final = 50
_ALLOWED: Final = (f"up to {MOST} digests of {SHORT} to 64 figures", f"至多 {MOST} 个 {SHORT} 到 64 位的摘要")
_CODE: Final = re.compile(rf"[0-9a-f]{{{SHORT},64}}")
NDJSON: Final = "application/x-ndjson"


class Log(Endpoint):
    @described(
        "The signed log of the event up to its newest head: the digest of every act, and of officials the acts",
        name="log",
        answer=LogAnswer,
        parameters=(OpenApiParameter("acts", str, description="1: with what every act wrote, for organisers"),),
    )
    def get(self, request: Request, slug: str) -> Response:
        acts = request.query_params.get("acts") == "1"
        event = self.event(slug, Act.EXPORT_NAMES) if acts else self.event(slug)
        return Response(log_document(event, acts=acts))


class Proofs(Endpoint):
    @described(
        "Proofs under the newest signed head: that acts stand in the log, and that it grew out of an earlier head",
        name="log_proofs",
        answer=ProofsAnswer,
        refused=(400, *READ),
        parameters=(
            OpenApiParameter(
                "receipt",
                str,
                many=True,
                description=f"the digest of an act, at least its first {SHORT} figures; up to {MOST} of them",
            ),
            OpenApiParameter("earlier", int, description="the size of a head that was seen before"),
        ),
    )
    def get(self, request: Request, slug: str) -> Response:
        codes = [one.lower() for one in request.query_params.getlist("receipt")]
        if len(codes) > MOST or not all(_CODE.fullmatch(one) for one in codes):
            raise BadQuery("receipt", *_ALLOWED)
        earlier = self.number_asked("earlier")
        event = self.event(slug)
        try:
            found = proofs(event, codes, earlier=earlier or 0)
        except ValueError:
            raise BadQuery("earlier", "the size of an earlier head", "先前某个签名摘要的条数") from None
        if found is None:
            return Response({"head": None, "keys": [], "receipts": [None for _ in codes], "growth": [], "terms": []})
        head = {"text": found.head.text, "signature": found.head.signature}
        told = [_told(one) for one in found.places]
        return Response(
            {"head": head, "keys": public_keys(), "receipts": told, "growth": found.growth} | {"terms": terms_of(event)}
        )


def _told(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"number": place.number, "digest": place.digest, "path": place.path}


class Feed(Endpoint):
    @described(
        "What happened, in the order of the log: a line of JSON for every act, with what of it is public; ask again"
        " with the number of the last line, at once while lines come, else when the stream of the event says something",
        name="feed",
        media=NDJSON,
        refused=(400, *READ),
        parameters=(
            OpenApiParameter("after", int, description="the number of the last line read; none: from the first act"),
            OpenApiParameter("limit", int, description=f"lines, 1 to {MOST_LINES}; else {MOST_LINES}"),
            OpenApiParameter("acts", str, description="1: with what every act wrote, for organisers"),
        ),
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        acts = request.query_params.get("acts") == "1"
        event = self.event(slug, Act.EXPORT_NAMES) if acts else self.event(slug)
        limit = self.number_asked("limit")
        if limit is not None and not 0 < limit <= MOST_LINES:
            raise BadQuery("limit", f"1-{MOST_LINES}")
        after = self.number_asked("after")
        if after is not None and after >= 2**63:
            raise BadQuery("after", "the number of a line", "某一行的编号")
        lines = feed_of(event, after, MOST_LINES if limit is None else limit, acts=acts)
        text = "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in lines)
        return HttpResponse(text, content_type=NDJSON)
