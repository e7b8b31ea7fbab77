"""An application that answers every request with the same bytes: the least that the laptop's own server can do.

``CONSTANT`` names the file of the body. Its headers are those of a public page.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

BODY = Path(os.environ["CONSTANT"]).read_bytes()
HEADERS = [
    (b"Content-Type", b"text/html; charset=utf-8"),
    (b"Content-Encoding", b"gzip"),
    (b"Content-Length", str(len(BODY)).encode()),
    (b"Cache-Control", b"public, no-cache"),
    (b"ETag", b'W/"constant"'),
    (b"Vary", b"Accept-Encoding, Cookie"),
]


async def application(scope: Any, receive: Any, send: Any) -> None:
    headers = dict(scope["headers"])
    has_it = headers.get(b"if-none-match") == b'W/"constant"'
    await send(
        {"type": "http.response.start", "status": 304 if has_it else 200, "headers": HEADERS[3:] if has_it else HEADERS}
    )
    await send({"type": "http.response.body", "body": b"" if has_it else BODY})
