"""A proxy before the tests' PostgreSQL that cuts a connection exactly where a transaction is to be committed."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: How a driver ends a transaction: one simple query.
COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"
SOCKET = ".s.PGSQL.{port}"


class Cut:
    """Cuts the connection at the first COMMIT after a statement that names `table`; only once, and only when armed.

    `written`: the server gets the COMMIT and carries it out, only its answer is lost; else the COMMIT never arrives.
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
        named = False
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
                    if named and COMMIT in data and not self.done.is_set():
                        if self._written:
                            server.sendall(data)
                            server.recv(1 << 16)
                        self.done.set()
                        return
                    server.sendall(data)


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
