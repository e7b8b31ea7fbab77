"""Who asks for the same public page while it is being made gets the next answer, together with all others who wait."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from referee.shared_answers import Shared


class Slow:
    """An application that counts its answers and makes each as slowly as the test wants."""

    def __init__(self, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        self.made = 0
        self.headers = headers or []
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.made += 1
        number = self.made
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"%d" % number})


def asking(app: Shared, path: str = "/zh/", method: str = "GET", **headers: str) -> asyncio.Task[bytes]:
    async def ask() -> bytes:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        given = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": given}
        await app(scope, lambda: asyncio.sleep(0), send)  # type: ignore[arg-type]
        return b"".join(message.get("body", b"") for message in sent)

    return asyncio.create_task(ask())


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_who_asks_meanwhile_gets_an_answer_made_after_his_question() -> None:
    async def main() -> None:
        slow = Slow()
        app = Shared(slow)
        first = asking(app)
        await soon()
        others = [asking(app, **{"user-agent": str(number)}) for number in range(50)]
        await soon()
        assert slow.made == 1
        slow.go_on.set()
        assert await first == b"1"
        assert {await one for one in others} == {b"2"}
        assert await asking(app) == b"3"
        assert slow.made == 3
        assert app._made_next == {}
        await asyncio.sleep(0.05)
        assert app._busy == {}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [("/en/", "GET", {}), ("/zh/", "HEAD", {}), ("/zh/", "GET", {"cookie": "theme=dark"})],
    ids=["another address", "another method", "another cookie"],
)
def test_another_question_is_answered_by_itself(path: str, method: str, headers: dict[str, str]) -> None:
    async def main() -> None:
        slow = Slow()
        app = Shared(slow)
        both = [asking(app), asking(app, path, method, **headers)]
        await soon()
        assert slow.made == 2
        slow.go_on.set()
        assert {await one for one in both} == {b"1", b"2"}

    asyncio.run(main())


def test_a_cookie_is_given_to_one_only() -> None:
    async def main() -> None:
        slow = Slow([(b"Set-Cookie", b"csrftoken=x")])
        slow.go_on.set()
        app = Shared(slow)
        assert {await one for one in [asking(app), asking(app), asking(app)]} == {b"1", b"2", b"3"}

    asyncio.run(main())
