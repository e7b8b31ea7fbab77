"""The last release's code on tables of now: seconds of it in `make test-long`, five minutes in `make soak`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.soak.upgrades import SECONDS, NotHere, last_release, old_on_new

#: Releases that write no leaf of the log: an upgrade from them takes a pause (docs/operating.md); the audit says why.
WITHOUT_LOG = ("v0.2.0",)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [4, pytest.param(SECONDS, marks=pytest.mark.soak)])
def test_the_last_release_goes_on_with_tables_of_now(seconds: int) -> None:
    try:
        ref = last_release()
        with TemporaryDirectory() as folder:  # the name of PostgreSQL's socket has to be short
            seen = old_on_new(ref, Path(folder), seconds, tables=3)
    except NotHere as reason:
        pytest.skip(str(reason))
    assert not seen.errors, list(seen.lines())
    assert seen.entered > 5
    if ref in WITHOUT_LOG:
        assert seen.audit, "then it needs no pause any more"
        assert all(line.startswith("log: ") for line in seen.audit), list(seen.lines())
    else:
        assert not seen.audit, list(seen.lines())


def test_without_the_history_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.soak.upgrades.ROOT", tmp_path)
    with pytest.raises(NotHere, match="no checkout with its history"):
        last_release()
