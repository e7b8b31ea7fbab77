"""What a process of pages loads before it listens, so that its first readers do not wait for it (1.5 s of modules)."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Final

from django.template import engines
from django.urls import get_resolver

#: Folders of templates of the pages that many open at once: those for everybody, and those of phones at tables.
AT_ONCE: Final = ("public", "table", "partials")


def make_ready() -> None:
    """Load every address with the view behind it, and the templates of the pages that many open at once.

    All of it stays for good. Python's search for garbage is told so: looking through it held every request up for a
    fifth of a second, time and again.
    """
    assert get_resolver().url_patterns
    pages = engines["django"]
    for folder in map(Path, pages.dirs):
        for name in AT_ONCE:
            for path in (folder / name).rglob("*.html"):
                pages.get_template(path.relative_to(folder).as_posix())
    gc.collect()
    gc.freeze()
