"""The signed log of an event, as the program `verify.py` reads it."""

from __future__ import annotations

import re
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.signing import public_keys
from tournaments.log.reads import SHORT, Place, log_document, proofs

from .answers.log import LogAnswer, ProofsAnswer
from .common.describe import described
from .common.views import BadQuery, Endpoint

#: So many receipts are proved at once.
MOST: Final = 50
_ALLOWED: Final = (f"up to {MOST} digests of {SHORT} to 64 figures", f"至多 {MOST} 个 {SHORT} 到 64 位的摘要")
_CODE: Final = re.compile(rf"[0-9a-f]{{{SHORT},64}}")


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
            return Response({"head": None, "keys": [], "receipts": [None for _ in codes], "growth": []})
        head = {"text": found.head.text, "signature": found.head.signature}
        told = [_told(one) for one in found.places]
        return Response({"head": head, "keys": public_keys(), "receipts": told, "growth": found.growth})


def _told(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"number": place.number, "digest": place.digest, "path": place.path}
