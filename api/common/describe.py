"""How the schema tells what an endpoint takes and answers, the envelope of refusals included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api.answers.base import Answer, Sentence, a_word
from api.answers.facts import FindingAnswer, Params
from api.answers.words import REFUSAL
from tournaments.acts.keys import KEY_LIMIT, KEY_PATTERN

from .strict import BODY_LIMIT, Body


class ErrorSchema(Answer):
    code = a_word(REFUSAL)
    field = serializers.CharField(allow_null=True)
    message = Sentence()
    findings = FindingAnswer(many=True)
    params = Params(required=False)
    current = serializers.JSONField(required=False)


class EnvelopeSchema(Answer):
    error = ErrorSchema()


KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": KEY_LIMIT, "pattern": f"^{KEY_PATTERN}$"},
    OpenApiParameter.HEADER,
    description="1 to 255 plain characters (ASCII, blanks only inside), new for every act; the same key and body are"
    " one act and get the same answer for a week, another body with it is 422",
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description='the ETag of the sitting, or its revision in quotes: "7"'
)
AFTER = OpenApiParameter("after", str, description="the `next` of the page before")
LIMIT = OpenApiParameter("limit", int, description="rows a page, 1 to 200; else 50")

READ = (401, 403, 404, 429)
#: Of a question with a body: what is asked can be unreadable (400), or have no answer as things stand (409).
ASKED = (400, 401, 403, 404, 409, 411, 413, 415, 429)
WRITE = (400, 401, 403, 404, 409, 411, 412, 413, 415, 422, 429)


def described(
    summary: str,
    *,
    answer: Any = None,
    also: Mapping[int, Any] = MappingProxyType({}),
    body: type[Body] | dict[str, Any] | None = None,
    status: int = 200,
    refused: tuple[int, ...] = READ,
    parameters: tuple[OpenApiParameter, ...] = (),
    empty: bool = False,
    media: str = "application/json",
    name: str | None = None,
) -> Callable[[Any], Any]:
    """Describe one method of an endpoint: in the schema, and as OPTIONS tells it (`summary`).

    `answer` is the shape of what it answers (see `api.answers`), `also` that of other statuses.
    """
    if media != "application/json":
        answers: dict[Any, Any] = {(status, media): OpenApiResponse(OpenApiTypes.BINARY, summary)}
    else:
        answers = {one: OpenApiResponse(shape, summary) for one, shape in {status: answer, **also}.items()}
    if empty:
        answers = {status: OpenApiResponse(description="nothing")}
    refusal = OpenApiResponse(EnvelopeSchema, "refused")
    paged = (400,) if LIMIT in parameters else ()
    for one in (*paged, *refused, 406):
        answers[(one, "application/json") if media != "application/json" else one] = refusal
    in_schema = extend_schema(
        summary=summary,
        description=f"{summary}.",
        request=body,
        responses=answers,
        parameters=list(parameters),
        operation_id=name,
    )

    return lambda method: told(summary)(in_schema(method))


def told(summary: str) -> Callable[[Any], Any]:
    """What OPTIONS tells of one method of an endpoint."""

    def tell(method: Any) -> Any:
        method.summary = summary
        return method

    return tell


def written(
    summary: str, *, versioned: bool = False, parameters: tuple[OpenApiParameter, ...] = (), **more: Any
) -> Callable[[Any], Any]:
    """Describe a write: keyed, and with `versioned` on a stated revision. For the rest see `described`."""
    refused = (*WRITE, 428) if versioned else WRITE
    keyed = (KEY, IF_MATCH) if versioned else (KEY,)
    return described(summary, refused=refused, parameters=(*keyed, *parameters), **more)


def asked(summary: str, *, refused: tuple[int, ...] = WRITE, **more: Any) -> Callable[[Any], Any]:
    """Describe a question that needs a body: it writes nothing, so it takes no key."""

    def mark(method: Any) -> Any:
        method.asked = True
        return method

    return lambda method: mark(described(summary, refused=refused, **more)(method))


def unsaved(en: str, zh: str) -> Callable[[Any], Any]:
    """A write whose answer holds a secret, or names that nobody else has: it is not kept for a repeat, which is told
    that it was done and, by this sentence, how to get a new one."""

    def mark(method: Any) -> Any:
        method.unsaved = {"en": en, "zh": zh}
        return method

    return mark


def longest(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every text of a body says its greatest length: what its field does not bound, the body does."""
    shapes = result.get("components", {}).get("schemas", {})
    seen = set[str]()

    def bound(node: Any) -> None:
        if isinstance(node, list):
            for one in node:
                bound(one)
        elif isinstance(node, dict):
            if (name := str(node.get("$ref", "")).rpartition("/")[2]) and name not in seen:
                seen.add(name)
                bound(shapes[name])
            if "string" in node.get("type", ()) and not node.keys() & {"enum", "const", "format", "maxLength"}:
                node["maxLength"] = BODY_LIMIT
            for one in node.values():
                bound(one)

    for methods in result["paths"].values():
        for operation in methods.values():
            bound(operation.get("requestBody"))
    return result


def any_of(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """One of several shapes is any of them: a longer one may hold all that a shorter one has."""
    for shape in result.get("components", {}).get("schemas", {}).values():
        if "discriminator" not in shape and any("$ref" in one for one in shape.get("oneOf", ())):
            shape["anyOf"] = shape.pop("oneOf")
    return result
