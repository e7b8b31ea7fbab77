"""Phones on a bad Wi-Fi, by seeds: nothing lost, nothing doubled, nothing called saved that is not.

`make soak` runs REFEREE_FLAKY_SEEDS of them (1,000) from REFEREE_FLAKY_FROM (0); `make test-long` a few.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.soak.flaky import Match, bad_network

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer


def run(browser: Browser, server: LiveServer, seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    with bad_network(urlsplit(str(server)).port or 0) as network:
        for seed in seeds:
            match = Match(browser, network, seed)
            match.play()
            seen += Counter(lost=match.lost, doubled=match.doubled, false_saved=match.false_saved) + match.did
            assert (match.lost, match.doubled, match.false_saved) == (0, 0, 0), seed
            if seed % 25 == 24:
                print(seed + 1, dict(seen), flush=True)
        return seen + network.met


@pytest.mark.long
def test_a_few_seeds(browser: Browser, live_server: LiveServer) -> None:
    seen = run(browser, live_server, range(3))
    assert seen["nothing"] > 0


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_many_seeds(browser: Browser, live_server: LiveServer) -> None:
    first = int(os.environ.get("REFEREE_FLAKY_FROM", "0"))
    count = int(os.environ.get("REFEREE_FLAKY_SEEDS", "1000"))
    print(f"{count} seeds: {dict(run(browser, live_server, range(first, first + count)))}")
