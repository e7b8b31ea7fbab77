"""Whether the answers of the API are what its schema says: the schema compiled once, closed, asked for every answer.

Closed: an object whose fields the schema names has no others. An answer that the schema does not know is a failure too.
"""

from __future__ import annotations

import gzip
import json
import re
from functools import cache, lru_cache
from typing import Any

import pytest
from django.contrib.admindocs.views import simplify_regex
from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import Draft202012Validator

from api.common.schema import MAKING

BASE = "/api/v1/"
#: Any address can fail for a reason that is none of its own: these are not listed for each.
ANYWHERE = (405, 408, 500, 503, 507)
_CONVERTED = re.compile(r"<(?:\w+:)?(\w+)>")


@lru_cache(maxsize=1)
def _schema() -> Any:
    return _closed(SchemaGenerator().get_schema(request=None, public=True))


def schema() -> Any:
    with MAKING:
        return _schema()


def _closed(node: Any) -> Any:
    if isinstance(node, dict):
        made = {name: _closed(inner) for name, inner in node.items()}
        if made.get("type") in ("object", ["object", "null"]) and isinstance(made.get("properties"), dict):
            made.setdefault("additionalProperties", False)
        return made
    return [_closed(inner) for inner in node] if isinstance(node, list) else node


@cache
def _validator(path: str, method: str, status: int) -> Draft202012Validator | None:
    """Of the answer with this status; None where it has no body of JSON. Raises KeyError where the schema has none."""
    responses = schema()["paths"][path][method]["responses"]
    if str(status) not in responses and status in ANYWHERE:
        held: Any = {"$ref": "#/components/schemas/EnvelopeSchema"}
    else:
        held = responses[str(status)].get("content", {}).get("application/json", {}).get("schema")
    return held and Draft202012Validator({**held, "components": schema()["components"]})


def check(response: Any) -> None:
    """Fail when an answer of the API is not as the schema says of its address, method and status."""
    method, address = response.request["REQUEST_METHOD"].lower(), response.request["PATH_INFO"]
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if not address.startswith(BASE) or kind != "application/json" or response.streaming:
        return
    path = _CONVERTED.sub(r"{\1}", simplify_regex(resolve(address).route))
    if method not in schema()["paths"].get(path, {}):
        return  # OPTIONS, HEAD, an address that does not exist: no operation
    said = f"{method.upper()} {path} {response.status_code}"
    try:
        validator = _validator(path, method, response.status_code)
    except KeyError:
        raise AssertionError(f"{said}: the schema knows no such answer") from None
    packed = response.headers.get("Content-Encoding") == "gzip"
    body = json.loads(gzip.decompress(response.content) if packed else response.content)
    wrong = [] if validator is None else list(validator.iter_errors(body))
    told = [f"{'/'.join(map(str, one.instance_path))}: {one.message[:300]}" for one in wrong[:8]]
    assert not told, "\n".join([f"{said}: not as the schema says", *told])


def checked_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every answer that Django's test client gets is checked."""
    plain = Client.request

    def request(client: Client, **of: Any) -> Any:
        response = plain(client, **of)
        check(response)
        return response

    monkeypatch.setattr(Client, "request", request)
