"""One envelope for all refusals: {"error": {"code", "field", "message": {"en", "zh"}, "findings", "current"}}."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from scoring.hands.findings import Finding, Refused
from tournaments.acts.errors import Refusal
from tournaments.acts.failures import Failure, failure_of, may_have_written
from tournaments.acts.guessing import TooManyTries

log = logging.getLogger(__name__)

Text = Mapping[str, str]

SENTENCES: Mapping[str, Text] = {
    "bad_json": {"en": "The body is not the JSON that is expected here.", "zh": "请求内容不是这里要的 JSON。"},
    "bad_body": {"en": "Something in the body is not as it should be.", "zh": "请求里有一项不对。"},
    "required": {"en": "This is needed.", "zh": "这一项必填。"},
    "unknown_field": {"en": "There is no such field here.", "zh": "这里没有这一项。"},
    "unauthenticated": {"en": "Sign in, or send a valid token.", "zh": "请登录，或使用有效的令牌。"},
    "forbidden": {"en": "You may not do this; the chief referee may.", "zh": "你没有这个权限，需要裁判长。"},
    "not_found": {"en": "There is no such thing here.", "zh": "这里没有这一项。"},
    "method_not_allowed": {"en": "This address does not take that method.", "zh": "这个地址不支持该方法。"},
    "not_acceptable": {"en": "Answers here are JSON only.", "zh": "这里只回答 JSON。"},
    "unsupported_media_type": {"en": "Only JSON is read here.", "zh": "这里只接受 JSON。"},
    "bad_request": {"en": "This request cannot be read.", "zh": "这个请求读不了。"},
    "unreadable_charset": {
        "en": "This was sent in an encoding that is not read here. Send it in UTF-8.",
        "zh": "这份内容的编码这里不读，请用 UTF-8 发送。",
    },
    "too_large": {"en": "The body is too large.", "zh": "请求内容太大。"},
}

# what the framework says of a field only in English
_IN_CHINESE: Mapping[str, str] = {
    "null": "这一项不能为空。",
    "blank": "这一项不能为空。",
    "invalid": "这一项的类型不对。",
    "invalid_choice": "没有这个选项。",
    "not_a_list": "这一项应是列表。",
    "min_length": "这一项太短。",
    "max_length": "这一项太长。",
    "min_value": "这个数太小。",
    "max_value": "这个数太大。",
}


#: What a rule decided: everything else that is raised is a failure, of which nothing stays.
DECIDED = (Refusal, Refused, Http404, PermissionDenied, exceptions.APIException)


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class BadJson(exceptions.ParseError):
    """The body cannot be read as strict JSON; `why` is told in English to the programmer behind it."""

    def __init__(self, why: str) -> None:
        super().__init__(why, "bad_json")


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
    """Any exception as one envelope; what nobody foresaw is logged and answered as a failure."""
    set_rollback()
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
        return Response(envelope("bad_request", SENTENCES["bad_request"]), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, exceptions.ValidationError):
        return Response(of_body(error.detail), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, exceptions.APIException):
        code = _CODES.get(type(error), "bad_body")
        if (challenge := getattr(error, "auth_header", None)) is not None:
            headers["WWW-Authenticate"] = challenge
        message = dict(SENTENCES[code])
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
            yield from _problems(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            inside = isinstance(inner, Mapping | list)
            yield from _problems(inner, f"{path}.{index}" if inside and path else path)
    else:
        code = getattr(detail, "code", "bad_body")
        message = SENTENCES.get(code) or {"en": str(detail), "zh": _IN_CHINESE.get(code, SENTENCES["bad_body"]["zh"])}
        yield {"code": code, "field": path or None, "blocking": True, "message": dict(message)}
