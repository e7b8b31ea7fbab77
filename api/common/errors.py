"""One envelope for all refusals: {"error": {"code", "field", "message": {"en", "zh"}, "findings", "current"}}."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from scoring.hands.findings import Finding, Refused
from tournaments.acts import errors, meters
from tournaments.acts.errors import Refusal
from tournaments.acts.failures import Failure, failure_of, may_have_written
from tournaments.acts.guessing import TooManyTries

from .strict import BadJson, TooLarge

log = logging.getLogger(__name__)

Text = Mapping[str, str]

SENTENCES: Mapping[str, Text] = {
    **errors.SENTENCES,
    **json.loads(Path(__file__).with_name("refusals.json").read_text("utf-8")),
}

#: What a reader of JSON is told of codes that forms of pages have too.
_HERE: Mapping[str, Text] = {
    "unknown_field": {"en": "There is no such field here.", "zh": "这里没有这一项。"},
    "forbidden": {"en": "You may not do this; the chief referee may.", "zh": "你没有这个权限，需要裁判长。"},
    "not_found": {"en": "There is no such thing here.", "zh": "这里没有这一项。"},
    "too_large": {"en": "The body is too large.", "zh": "请求内容太大。"},
}
#: Of these the framework says more in English.
_OF_THE_FRAMEWORK = (
    *("null", "blank", "empty", "invalid", "invalid_choice"),
    *("min_length", "max_length", "min_value", "max_value"),
)


def sentence_of(code: str) -> Text:
    """What a code means, in both languages."""
    return _HERE.get(code) or SENTENCES[code]


#: What a rule decided: everything else that is raised is a failure, of which nothing stays.
DECIDED = (Refusal, Refused, Http404, PermissionDenied, exceptions.APIException)


def envelope(
    code: str,
    message: Text,
    *,
    field: str | None = None,
    findings: Iterable[Mapping[str, Any]] = (),
    current: Any = None,
    params: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code, "field": field, "message": dict(message), "findings": list(findings)}
    if params:
        error["params"] = dict(params)
    if current is not None:
        error["current"] = current
    return {"error": error}


def of_refusal(refusal: Refusal) -> dict[str, Any]:
    findings = [one.to_json() if isinstance(one, Finding) else dict(one) for one in refusal.findings]
    return envelope(
        refusal.code,
        refusal.message,
        field=refusal.field,
        findings=findings,
        current=refusal.current,
        params={name: value for name, value in refusal.params.items() if isinstance(value, str | int | list)},
    )


def of_failure(failure: Failure) -> dict[str, Any]:
    return envelope(failure.code, failure.message)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Any exception as one envelope; what a rule decided is counted, what nobody foresaw logged and answered as a
    failure."""
    set_rollback()
    answer = _answer_to(error, context)
    if isinstance(error, Refusal):
        meters.refused(error)
    elif answer.status_code < status.HTTP_500_INTERNAL_SERVER_ERROR:
        meters.refused_with(answer.data["error"]["code"])
    return answer


def _answer_to(error: Exception, context: Mapping[str, Any]) -> Response:
    headers: dict[str, str] = {}
    if isinstance(error, TooManyTries):
        headers["Retry-After"] = str(error.wait)
    if isinstance(error, Refusal):
        return Response(of_refusal(error), status=error.status, headers=headers)
    if isinstance(error, Refused):
        rows = [one.to_json() for one in error.findings]
        body = envelope(error.code, rows[0]["message"], field=error.field, findings=rows)
        return Response(body, status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, RequestDataTooBig):
        error = TooLarge()
    elif isinstance(error, SuspiciousOperation):  # a thousand parameters, say
        return Response(envelope("bad_request", sentence_of("bad_request")), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, exceptions.ValidationError):
        return Response(of_body(error.detail), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, exceptions.APIException):
        code = _CODES.get(type(error), "bad_body")
        if (challenge := getattr(error, "auth_header", None)) is not None:
            headers["WWW-Authenticate"] = challenge
        message = dict(sentence_of(code))
        if isinstance(error, BadJson):
            message["en"] = f"{message['en']} {error.detail}"
        return Response(envelope(code, message), status=error.status_code, headers=headers)
    log.exception("unforeseen failure", exc_info=error)
    failure = failure_of(error, wrote=may_have_written(context["request"]))
    if failure.wait is not None:
        headers["Retry-After"] = str(failure.wait)
    return Response(of_failure(failure), status=failure.status, headers=headers)


_CODES: Mapping[type[Exception], str] = {
    exceptions.ParseError: "bad_json",
    BadJson: "bad_json",
    exceptions.AuthenticationFailed: "unauthenticated",
    exceptions.NotAuthenticated: "unauthenticated",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    TooLarge: "too_large",
}


def of_body(detail: Any) -> dict[str, Any]:
    """A body with wrong fields: every problem is a finding, the first one names the field."""
    rows = list(_problems(detail, ""))
    first = rows[0]
    return envelope(first["code"], first["message"], field=first["field"], findings=rows)


def _problems(detail: Any, path: str) -> Iterable[dict[str, Any]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if name == api_settings.NON_FIELD_ERRORS_KEY:  # what is wrong with the object as a whole
                yield from _problems(inner, path)
            else:
                yield from _problems(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            inside = isinstance(inner, Mapping | list)
            yield from _problems(inner, f"{path}.{index}" if inside and path else path)
    else:
        code = getattr(detail, "code", "bad_body")
        code = code if code in SENTENCES else "invalid"
        message = dict(sentence_of(code))
        if code in _OF_THE_FRAMEWORK:
            message["en"] = str(detail)
        elif code == "text_too_long":
            message = errors.at_most(str(detail))
        yield {"code": code, "field": path or None, "blocking": True, "message": dict(message)}
