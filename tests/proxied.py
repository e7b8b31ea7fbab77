"""The proxy as it is shipped (``deploy/nginx.conf``), in a real nginx where there is one.

Only ports, paths and the name server's address are another's than where it is installed.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[1] / "deploy" / "nginx.conf"
PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@dataclass
class Names:
    """A name server on loopback: every name of the services has the address that is said here, or these in turn."""

    addresses: dict[str, str | tuple[str, ...]]
    port: int = 0

    @contextmanager
    def serving(self) -> Iterator[Names]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.bind(("127.0.0.1", 0))
            asked.settimeout(0.1)
            self.port = asked.getsockname()[1]
            stop = threading.Event()
            thread = threading.Thread(target=self._answer, args=(asked, stop), daemon=True)
            thread.start()
            try:
                yield self
            finally:
                stop.set()
                thread.join(5)

    def _answer(self, asked: socket.socket, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                question, client = asked.recvfrom(512)
            except TimeoutError:
                continue
            found = self.addresses[question[13 : 13 + question[12]].decode()]
            here = (found,) if isinstance(found, str) else found
            end = question.index(b"\0", 12) + 5
            head = question[:2] + struct.pack(">HHHHH", 0x8180, 1, len(here), 0, 0)
            records = b"".join(
                b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 600, 4) + socket.inet_aton(address) for address in here
            )
            asked.sendto(head + question[12:end] + records, client)


@dataclass
class Proxy:
    """A proxy that runs; `process` is the one that was started."""

    port: int
    log: Path
    errors: Path
    kept: Path
    process: int = 0

    @property
    def processes(self) -> list[int]:
        """The one that was started, and its workers."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text("utf-8")
        return [self.process, *map(int, children.split())]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        status, _, body = self.ask(path, **headers)
        return status, body.decode("utf-8", "replace")

    def ask(self, path: str, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path, headers={"Referer": "http://here/t/REFERRED/", **headers})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


@contextmanager
def proxy(folder: Path, names: Names, upstream_port: int, more: str = "") -> Iterator[Proxy]:
    """nginx with the shipped configuration until the block ends. `more` places stand besides those shipped."""
    made = Proxy(free_port(), folder / "access.log", folder / "errors.log", folder / "pages")
    folders = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = SHIPPED.read_text("utf-8")
    for shipped, here in (
        ("listen 80;", f"listen 127.0.0.1:{made.port};\n{more}"),
        ("resolver 127.0.0.11 ", f"resolver 127.0.0.1:{names.port} "),
        (":8000;", f":{upstream_port};"),
        ("/dev/stdout", str(made.log)),
        ("/dev/stderr", str(made.errors)),
        ("/tmp/nginx.pid", str(folder / "pid")),
        ("/tmp/pages", str(made.kept)),
        ("    include /etc/nginx/mime.types;\n", folders),
    ):
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    configuration = folder / "nginx.conf"
    configuration.write_text(text, "utf-8")
    assert PROGRAM is not None
    # what root has made here nobody else may read, not even who answers for root
    how = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
    command = [PROGRAM, "-p", str(folder), "-c", str(configuration), "-g", how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            end = time.monotonic() + 60
            while process.poll() is None and not _takes(made.port):
                assert time.monotonic() < end, "nginx does not start"
                time.sleep(0.02)
            assert process.poll() is None, process.stdout and process.stdout.read()
            made.process = process.pid
            yield made
        finally:
            process.terminate()
            process.wait(10)


def free_port(address: str = "127.0.0.1") -> int:
    with socket.create_server((address, 0)) as found:
        return int(found.getsockname()[1])


def _takes(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
