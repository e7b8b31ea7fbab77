"""A client that a generator made from the schema, as another program would have it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
from django.test import Client as Tester
from drf_spectacular.generators import SchemaGenerator

PACKAGE = "referee_client"


def generate(folder: Path) -> None:
    """Make the package in `folder`, from where it can be imported; fails where the generator leaves a shape out."""
    schema = folder / "schema.json"
    schema.write_text(json.dumps(SchemaGenerator().get_schema(request=None, public=True)), "utf-8")
    settings = folder / "settings.yml"
    settings.write_text("post_hooks: []\n", "utf-8")
    program = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    made = subprocess.run(
        [*program, "--path", schema, "--config", settings, "--output-path", folder / PACKAGE],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "Unable to process schema" not in made.stdout, made.stdout
    sys.path.insert(0, str(folder))


def model(name: str, /, **fields: Any) -> Any:
    """A body of the generated client, read as strictly as its answers."""
    return getattr(importlib.import_module(f"{PACKAGE}.models"), name).from_dict(fields)


class InProcess(httpx.BaseTransport):
    """Requests go to the whole stack in this process, as the other tests send them."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = {name: value for name, value in request.headers.items() if name not in ("host", "content-length")}
        kind = sent.pop("content-type", "application/json")
        path = request.url.raw_path.decode()
        answer = Tester().generic(request.method, path, request.read(), content_type=kind, headers=sent)
        return httpx.Response(answer.status_code, headers=dict(answer.headers.items()), content=answer.content)


class Caller:
    """The API as one party sees it through the generated client; `authorization` is the header it sends, if any."""

    def __init__(self, authorization: str = "") -> None:
        client = importlib.import_module(f"{PACKAGE}.client")
        headers = {"Authorization": authorization} if authorization else {}
        made = client.Client(base_url="http://testserver", headers=headers, httpx_args={"transport": InProcess()})
        self.client = made

    def whole(self, operation: str, *of: Any, **fields: Any) -> Any:
        """The answer with its status and headers; `operation` is the room of the package and its name."""
        called = importlib.import_module(f"{PACKAGE}.api.{operation}")
        return called.sync_detailed(*of, client=self.client, **fields)

    def __call__(self, operation: str, *of: Any, **fields: Any) -> Any:
        """The typed answer; a refusal fails."""
        answer = self.whole(operation, *of, **fields)
        assert 200 <= answer.status_code < 300, f"{operation}: {answer.status_code} {answer.content.decode()[:600]}"
        return answer.parsed
