"""Phones and officials over HTTP: what they send, what they are answered, kept to be compared with the ledger."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

API = "/api/v1"


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any

    @property
    def code(self) -> str:
        return str(self.body["error"]["code"]) if self.status >= 400 else ""


@dataclass
class Phone:
    """One credential on one kept connection, made again when it breaks."""

    address: str
    credential: str = ""
    timeout: float = 30.0
    _connection: HTTPConnection | None = field(default=None, repr=False)

    def ask(self, method: str, path: str, body: Any = None, *, key: str = "", revision: int | None = None) -> Answer:
        """One request, sent again where a kept connection had been closed. Raises OSError when the service is away."""
        headers = {"Content-Type": "application/json", "Authorization": self.credential, "Idempotency-Key": key}
        if revision is not None:
            headers["If-Match"] = f'"{revision}"'
        sent = {name: value for name, value in headers.items() if value}
        kept = self._connection is not None
        try:
            return self._send(method, API + path, None if body is None else json.dumps(body), sent)
        except (HTTPException, OSError) as error:
            self._hang_up()
            # a service closes a connection that was idle for some seconds, perhaps just as the request is on its way
            if kept and (key or method == "GET"):
                return self.ask(method, path, body, key=key, revision=revision)
            raise ConnectionError(str(error)) from error

    def _send(self, method: str, address: str, body: str | None, headers: dict[str, str]) -> Answer:
        if self._connection is None:
            self._connection = HTTPConnection(urlsplit(self.address).netloc, timeout=self.timeout)
        self._connection.request(method, address, body, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        return Answer(answer.status, json.loads(text) if text else None)

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status == 200, (path, answer)
        return answer.body

    def enter(self, sitting: int, hand_no: int, captured: int, *, key: str = "", basis: str = "") -> Answer:
        facts = {"kind": "hand", "trump": "H", "captured_in_tricks": captured, "last_trick_winner": "dealer"}
        body = {"facts": facts, "hand_no": hand_no} | ({"basis": basis} if basis else {})
        return self.ask("POST", f"/sittings/{sitting}/hands/", body, key=key)

    def confirm(self, sitting: int, entry: int, *, key: str = "") -> Answer:
        return self.ask("POST", f"/sittings/{sitting}/entries/{entry}/confirm/", {}, key=key)
