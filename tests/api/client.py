"""A reader and writer of the REST API for tests: real requests through the whole stack, JSON in and out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.test import Client

BASE = "/api/v1/"
_keys = count(1)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def error(self) -> dict[str, Any]:
        error: dict[str, Any] = self.json["error"]
        return error


@dataclass
class Api:
    """The API as one party sees it; `authorization` is the header it sends, if any."""

    authorization: str = ""
    client: Client = field(default_factory=Client)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        kind: str = "application/json",
        **headers: str,
    ) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.authorization:
            sent.setdefault("Authorization", self.authorization)
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        response = self.client.generic(method, BASE + path, data, content_type=kind, headers=sent)
        content = b"".join(response.streaming_content) if response.streaming else response.content
        return Answer(response.status_code, dict(response.headers.items()), content)

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def ok(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer's document; any refusal fails the test with its envelope."""
        answer = self.call(method, path, body, **headers)
        assert 200 <= answer.status < 300, f"{method} {path}: {answer.status} {answer.raw.decode()[:600]}"
        return answer.json if answer.raw else None

    def keyed(self, path: str, body: Any = None, **headers: str) -> Any:
        """A write under a key of its own."""
        return self.ok("POST", path, body, Idempotency_Key=f"key-{next(_keys)}", **headers)


def signed_in(username: str, password: str) -> Api:
    token = Api().ok("POST", "tokens/", {"username": username, "password": password})["token"]
    return Api(f"Bearer {token}")


def seated(code: str) -> tuple[Api, dict[str, Any]]:
    """The API as the phone that shows a party code, and what it was given."""
    made = Api().ok("POST", "devices/", {"code": code})
    return Api(f"Device {made['device']}:{made['token']}"), made
