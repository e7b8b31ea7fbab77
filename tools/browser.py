"""``python -m tools.browser``: the path of a Chromium for the browser tests; installs one where it can.

In order: $CHROMIUM; one on the PATH; Debian packages when we are root; a download by Playwright; else one sentence
that says what to install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
DEBIAN_PACKAGES: Final = ("chromium-headless-shell", "fonts-wqy-microhei")
# never a call home, and no sandbox inside containers that forbid one
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ADVICE: Final = (
    "No Chromium found for the browser tests. Install one (Debian: apt-get install "
    f"{' '.join(DEBIAN_PACKAGES)}) or set CHROMIUM to the path of its program."
)


class NoBrowser(RuntimeError):
    """There is no browser, and none could be installed."""


@cache
def browser() -> str:
    """The path of a Chromium program.

    Raises:
        NoBrowser: with a sentence that says what to install.
    """
    named = os.environ.get("CHROMIUM")
    if named:
        if not shutil.which(named):
            raise NoBrowser(f"CHROMIUM names no program: {named}")
        return named
    path = _on_path() or _from_debian() or _from_playwright()
    if path is None:
        raise NoBrowser(ADVICE)
    return path


def _on_path() -> str | None:
    return next((found for found in map(shutil.which, NAMES) if found), None)


def _from_debian() -> str | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    print(f"Installing {' and '.join(DEBIAN_PACKAGES)} for the browser tests ...", file=sys.stderr)
    install = ["install", "--yes", "--no-install-recommends", *DEBIAN_PACKAGES]
    for step in (["update", "-qq"], install):
        done = subprocess.run(["apt-get", *step], capture_output=True, text=True, env=_without_questions())
        if done.returncode:
            print(done.stderr[-1000:], file=sys.stderr)
            return None
    return _on_path()


def _without_questions() -> dict[str, str]:
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def _from_playwright() -> str | None:
    print("Downloading a Chromium for the browser tests ...", file=sys.stderr)
    done = subprocess.run(
        [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"], capture_output=True, text=True
    )
    if done.returncode:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = Path(playwright.chromium.executable_path)
    shells = sorted(chromium.parents[2].glob("chromium_headless_shell-*/*/*headless*shell*"))
    return str(next((path for path in [*shells, chromium] if os.access(path, os.X_OK)), "")) or None


if __name__ == "__main__":
    try:
        print(browser())
    except NoBrowser as missing:
        sys.exit(str(missing))
