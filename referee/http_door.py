"""HTTP as it comes in: read by `httptools`, with the bounds and the strictness that its reader leaves to us.

What goes past a bound, or could be read in two ways, is answered 400 and its connection closed, before anything of the
service sees it. Source: RFC 9112, sections 2.2, 3.2, 6.3 and 7.1.
"""

from __future__ import annotations

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Bytes of an address and its headers together; of trailers; of what a connection may send that is no request yet.
MOST_HEAD: Final = 32_768
#: Requests that may wait on one connection behind the one that is being answered.
MOST_WAITING: Final = 16
_VERSIONS: Final = ("1.0", "1.1")


class _Unreadable(ValueError):
    """A request that is refused; raised inside the reader, which tells it to whoever feeds it."""


class Door(HttpToolsProtocol):
    """One connection."""

    #: Bytes since the reader last made something of them.
    _unsettled = 0
    #: Whether the headers of the request are all there; what follows its body is none of them.
    _head_is_read = False

    def data_received(self, data: bytes) -> None:
        self._unsettled += len(data)
        super().data_received(data)
        if self._unsettled > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("Too much before a request is whole.")

    def send_400_response(self, msg: str) -> None:
        """Refuse, unless somebody would take it for the answer to an earlier request: then only close."""
        cycle = self.cycle
        of_this = cycle is not None and cycle.more_body and not cycle.response_started and not self.pipeline
        if cycle is None or cycle.response_complete or of_this:
            super().send_400_response(msg)
        else:
            self.transport.close()

    def on_message_begin(self) -> None:
        self._head_is_read = False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._head_is_read:
            super().on_header(name, value.rstrip(b" \t"))

    def on_headers_complete(self) -> None:
        self._unsettled, self._head_is_read = 0, True
        names = [name for name, _ in self.headers]
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        version = self.parser.get_http_version()
        hosts = names.count(b"host")
        if size > MOST_HEAD or len(self.pipeline) >= MOST_WAITING or version not in _VERSIONS:
            raise _Unreadable
        if hosts > 1 or (not hosts and version == "1.1"):
            raise _Unreadable
        upgrades = self.parser.should_upgrade()
        # of a request that asks for another protocol the reader takes no body, and nothing after it
        if upgrades and (b"content-length" in names or b"transfer-encoding" in names):
            raise _Unreadable
        super().on_headers_complete()
        if upgrades:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._unsettled = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unsettled = 0
        super().on_message_complete()

    def _should_upgrade(self) -> bool:
        return False

    def _unsupported_upgrade_warning(self) -> None:
        """Who asks for another protocol is answered in this one; that is no news."""
