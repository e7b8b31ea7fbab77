"""Strangers in numbers: open pages of one address, each with its stream, or asking slowly where it was refused one."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

#: As `live.js` asks, in seconds: while it is refused a stream; after an answer, when something was announced meanwhile.
ASKS_EVERY = (15.0, 20.0)
BREATH = 1.5


@dataclass
class Crowd:
    """`pages` open pages of one event. `statuses`: how their streams were answered, 0 for no answer at all."""

    address: str
    slug: str
    pages: int
    statuses: Counter[int] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    heard: int = 0

    @property
    def settled(self) -> bool:
        return self.statuses.total() == self.pages

    async def _page(self) -> None:
        status, reader, writer = await self._get(f"/live/event/{self.slug}/")
        self.statuses[status] += 1
        if status == 200 and reader is not None:
            news = asyncio.Event()
            following = asyncio.create_task(self._follow(news))
            async for line in reader:
                if line.startswith(b"data: "):
                    self.heard += 1
                    news.set()
            following.cancel()
            return
        if writer is not None:
            writer.close()
        while True:
            await asyncio.sleep(random.uniform(*ASKS_EVERY))
            await self._ask()

    async def _follow(self, news: asyncio.Event) -> None:
        while True:
            await news.wait()
            news.clear()
            await self._ask()
            await asyncio.sleep(BREATH)

    async def _ask(self) -> None:
        """Ask for what the page shows, as the page does."""
        status, reader, writer = await self._get(f"/zh/e/{self.slug}/?part=live")
        self.asked[status] += 1
        if reader is not None and writer is not None:
            await reader.read()
            writer.close()

    async def _get(self, path: str) -> tuple[int, asyncio.StreamReader | None, asyncio.StreamWriter | None]:
        host = urlsplit(self.address)
        try:
            reader, writer = await asyncio.open_connection(host.hostname, host.port)
            asked = f"GET {path} HTTP/1.1\r\nHost: {host.netloc}\r\nConnection: close\r\n\r\n"
            writer.write(asked.encode())
            status = int((await reader.readline()).split()[1])
        except (OSError, IndexError):
            return 0, None, None
        return status, reader, writer

    async def _open(self) -> None:
        await asyncio.gather(*(self._page() for _ in range(self.pages)))


@contextmanager
def crowd(address: str, slug: str, pages: int, until: Callable[..., None]) -> Iterator[Crowd]:
    """The pages, open while the block runs, on a thread of their own."""
    made = Crowd(address, slug, pages)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="crowd", daemon=True)
    thread.start()
    opened = asyncio.run_coroutine_threadsafe(made._open(), loop)
    try:
        until(lambda: made.settled, 120)
        yield made
    finally:
        opened.cancel()
        asyncio.run_coroutine_threadsafe(_end_all(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


async def _end_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
