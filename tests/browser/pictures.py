"""``python -m tests.browser.pictures``: the pictures of the README, taken from a fresh demonstration. Run by hand.

Starts the one-laptop server on a free port with an empty data folder, goes in through the links that it prints, and
writes docs/desk.png (the board of the running round) and docs/table.png (a phone with a hand filled in).
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect, sync_playwright

from tools.browser import ARGUMENTS, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
WIDE: ViewportSize = {"width": 1280, "height": 730}
TALL: ViewportSize = {"width": 390, "height": 960}
LARGEST = 200_000  # bytes; the README loads both


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def serve(folder: str) -> tuple[subprocess.Popen[str], str, list[str]]:
    """A server with a demonstration: its process, the officials' link, the links of both sides of a table."""
    settings = {"DATA_DIR": folder, "PORT": str(free_port()), "HOST": "127.0.0.1"}
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    command = [sys.executable, "manage.py", "serve"]
    server = subprocess.Popen(command, cwd=ROOT, env=kept | settings, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    links: list[str] = []
    for line in server.stdout:
        links += re.findall(r"http://\S+/(?:desk/enter|t)/\S+", line)
        if "Ctrl-C" in line:
            break
    desk, *table = links
    return server, desk, table


def board(chromium: Browser, link: str) -> None:
    page = chromium.new_context(viewport=WIDE, locale="en", color_scheme="light").new_page()
    page.goto(link)
    page.get_by_role("button", name="Come in").click()
    page.get_by_label("Password").fill("a long walk by the lake")
    page.get_by_role("button", name="Save and go on").click()
    page.goto(re.sub(r"/desk/.*", "/desk/", link))
    page.locator(".cards-grid h2 a").click()
    expect(page.locator("[data-table='1']")).to_be_visible()
    keep(page, "desk")


def table(chromium: Browser, link: str) -> None:
    context = chromium.new_context(viewport=TALL, has_touch=True, is_mobile=True, locale="en", color_scheme="light")
    page = context.new_page()
    page.goto(link)
    page.locator(".land .btn.go").tap()
    page.locator("[name=trump][value=D]").tap()
    page.locator("#captured_in_tricks").fill("85")
    page.locator("[name=last_trick_winner][value=attackers]").tap()
    page.locator("[name=led][value=pair]").tap()
    page.locator("#kitty_points").fill("20")
    expect(page.locator("#result")).to_contain_text("next:")
    page.evaluate("scrollTo(0, 0)")
    keep(page, "table")


def keep(page: Page, name: str) -> None:
    path = DOCS / f"{name}.png"
    page.wait_for_timeout(500)
    page.screenshot(path=path, animations="disabled")
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size // 1000} kB")
    assert size < LARGEST


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="referee-pictures-") as folder:
        server, desk_link, table_links = serve(folder)
        try:
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(executable_path=browser(), args=list(ARGUMENTS))
                board(chromium, desk_link)
                table(chromium, table_links[0])
                chromium.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(15)


if __name__ == "__main__":
    main()
