"""``python -m tools.smoke make run``: start the service so, look at it, stop it; PORT says where it listens.

Passes when it is healthy within a minute, shows its front page and ends with exit code 0 after SIGTERM.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.request import urlopen

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0


def fetch(address: str) -> tuple[int, str]:
    """Status and text of a page."""
    try:
        with urlopen(address, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def wait_until_healthy(process: subprocess.Popen[bytes], address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            sys.exit(f"smoke: it ended by itself with exit code {process.returncode}")
        try:
            status, text = fetch(f"{address}/health")
        except OSError:
            time.sleep(0.1)
            continue
        if status == 200:
            return
        sys.exit(f"smoke: /health says {status}: {text}")
    sys.exit(f"smoke: not healthy after {START_SECONDS:.0f} seconds")


def service_of(pid: int) -> int:
    """The last process in the line of only children below `pid` (a recipe of make), or `pid` itself."""
    while True:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        if len(children) != 1:
            return pid
        pid = children[0]


def main(command: list[str]) -> None:
    address = f"http://127.0.0.1:{os.environ['PORT']}"
    begin = time.monotonic()
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            wait_until_healthy(process, address)
            print(f"smoke: healthy after {time.monotonic() - begin:.1f} s", flush=True)
            status, page = fetch(f"{address}/")
            if status != 200 or "<html" not in page:
                sys.exit(f"smoke: the front page answers {status}")
            # make itself would end by the signal, whatever the service does: the service gets it alone
            os.kill(service_of(process.pid), signal.SIGTERM)
            code = process.wait(STOP_SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if code != 0:
        sys.exit(f"smoke: exit code {code} after SIGTERM, not 0")
    print("smoke: stopped with exit code 0")


if __name__ == "__main__":
    main(sys.argv[1:])
