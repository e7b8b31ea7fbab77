"""How the schema tells what an endpoint takes and answers, the envelope of refusals included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from .strict import Body


class SentenceSchema(serializers.Serializer[Any]):
    en = serializers.CharField()
    zh = serializers.CharField()


class FindingSchema(serializers.Serializer[Any]):
    code = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    blocking = serializers.BooleanField()
    message = SentenceSchema()


class ErrorSchema(serializers.Serializer[Any]):
    code = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    message = SentenceSchema()
    findings = FindingSchema(many=True)
    params = serializers.DictField(required=False)
    current = serializers.JSONField(required=False)


class EnvelopeSchema(serializers.Serializer[Any]):
    error = ErrorSchema()


KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 255 characters; the same key and body are one act and get the same answer",
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description='the ETag of the sitting, or its revision in quotes: "7"'
)
AFTER = OpenApiParameter("after", str, description="the `next` of the page before")
LIMIT = OpenApiParameter("limit", int, description="rows a page, 1 to 200; else 50")

READ = (401, 403, 404, 429)
WRITE = (400, 401, 403, 404, 409, 412, 413, 415, 422, 429)


def described(
    summary: str,
    *,
    body: type[Body] | dict[str, Any] | None = None,
    status: int = 200,
    refused: tuple[int, ...] = READ,
    parameters: tuple[OpenApiParameter, ...] = (),
    empty: bool = False,
    media: str = "application/json",
    name: str | None = None,
) -> Callable[[Any], Any]:
    """Describe one method of an endpoint."""
    answer = OpenApiResponse(description="nothing") if empty else OpenApiResponse(OpenApiTypes.OBJECT, summary)
    if media != "application/json":
        answers: dict[Any, Any] = {(status, media): OpenApiResponse(OpenApiTypes.BINARY, summary)}
    else:
        answers = {status: answer}
    refusal = OpenApiResponse(EnvelopeSchema, "refused")
    paged = (400,) if LIMIT in parameters else ()
    for one in (*paged, *refused, 406):
        answers[(one, "application/json") if media != "application/json" else one] = refusal
    return extend_schema(
        summary=summary, request=body, responses=answers, parameters=list(parameters), operation_id=name
    )


def written(summary: str, *, body: type[Body] | None = None, status: int = 200, versioned: bool = False) -> Any:
    """Describe a write: keyed, and with `versioned` on a stated revision."""
    refused = (*WRITE, 428) if versioned else WRITE
    parameters = (KEY, IF_MATCH) if versioned else (KEY,)
    return described(summary, body=body, status=status, refused=refused, parameters=parameters)
