"""A server that is started again whenever it is killed, as a service manager does.

``python -m tests.soak.raised PIDFILE COMMAND …`` runs until it is told to end; PIDFILE holds the process that runs now.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any


def keep(pidfile: Path, command: Sequence[str]) -> None:
    """Start it again until SIGTERM or SIGQUIT, which it is sent too."""
    server: subprocess.Popen[bytes] | None = None
    over = 0

    def end(number: int, frame: Any) -> None:
        nonlocal over
        over = number
        if server is not None:
            server.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, end)
    while not over:
        server = subprocess.Popen(command)
        pidfile.write_text(str(server.pid))
        if over:
            server.send_signal(over)
        server.wait()
        time.sleep(0.05)


def kill(pidfile: Path) -> None:
    """SIGKILL to the server that runs now, and to all processes that it has."""
    pid = int(pidfile.read_text())
    with suppress(OSError):
        children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        for one in (pid, *children):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)


def command(pidfile: Path) -> list[str]:
    """What stands before the command of a server that is to be started again."""
    return [sys.executable, "-m", "tests.soak.raised", str(pidfile)]


if __name__ == "__main__":
    keep(Path(sys.argv[1]), sys.argv[2:])
