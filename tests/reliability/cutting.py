"""A proxy before the tests' PostgreSQL that cuts a connection exactly where what was written is to be committed.

That is the COMMIT of a transaction, or the one statement of a hand, which commits by itself.
"""

from __future__ import annotations

import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: How a driver ends a transaction: one simple query.
COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"
BEGIN = b"Q\x00\x00\x00\nBEGIN\x00"
#: How it has a statement carried out that was sent or prepared before.
EXECUTE = b"E\x00\x00\x00\x09\x00"
#: What the server says when nothing is open any more.
DONE = b"Z\x00\x00\x00\x05I"
SOCKET = ".s.PGSQL.{port}"


class Cut:
    """Cuts the connection at the first COMMIT after a statement that names `table`, or at a statement outside of any
    transaction that writes to it; only once, and only when armed.

    `written`: the server gets it and carries it out, only its answer is lost; else it never arrives.
    """

    def __init__(self, target: str, folder: Path, port: str) -> None:
        self.target = target
        self.done = threading.Event()
        self._table = b""
        self._written = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET.format(port=port)))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, table: str, *, written: bool) -> None:
        self._table, self._written = table.encode(), written

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.target)
            threading.Thread(target=self._carry, args=(client, server), daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        named = inside = False
        prepared: set[bytes] = set()
        with client, server, suppress(OSError):
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    if not data:
                        return
                    if source is server:
                        client.sendall(data)
                        continue
                    named = named or (bool(self._table) and self._table in data)
                    inside = (inside or BEGIN in data) and COMMIT not in data
                    prepared |= self._prepared(data)
                    alone = not inside and EXECUTE in data and any(b"\x00" + one + b"\x00" in data for one in prepared)
                    if self._table and ((named and COMMIT in data) or alone) and not self.done.is_set():
                        if self._written:
                            server.sendall(data)
                            while not server.recv(1 << 16).endswith(DONE):
                                pass
                        self.done.set()
                        return
                    server.sendall(data)

    def _prepared(self, data: bytes) -> set[bytes]:
        """The names of statements in it that write to the table; one that is carried out at once has no name."""
        named = re.findall(rb"P.{4}([^\x00]*)\x00([^\x00]*)\x00", data, re.DOTALL)
        return {name for name, text in named if b"INSERT INTO " + self._table in text and self._table}


@contextmanager
def cutting(folder: Path) -> Iterator[Cut]:
    """Django's connection goes through the proxy until the block ends."""
    from django.db import connection

    here = connection.settings_dict
    host, port = here["HOST"], str(here["PORT"] or 5432)
    made = Cut(str(Path(host) / SOCKET.format(port=port)), folder, port)
    connection.close()
    here["HOST"] = str(folder)
    try:
        yield made
    finally:
        connection.close()
        here["HOST"] = host
        made.close()
