"""``make bench``: figures beside limits of the same run, on servers of its own. Kept in docs/performance.md.

``python -m tests.bench [--runs N] [part ...]``: every part three times where nothing else is said, in turn, and then
the table of all figures with the ratio of each run and the load that the machine had.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from contextlib import ExitStack
from importlib import import_module
from inspect import signature
from pathlib import Path

from tests.bench.report import HEAD, Figure, NotNow, load, table
from tests.services import postgres_server, redis_server

#: Parts are modules of this package with a function `measure`, which may ask for a folder of its own.
PARTS = (
    "hands",
    "cards",
    "standings",
    "freshness",
    "draws",
    "entry_cost",
    "entries",
    "many_hands",
    "streams",
    "pages",
    "page_cost",
    "growth",
)
#: Measured only when it is named: what it finds changes with the schema alone, or it takes the machine for itself.
NAMED = ("diet", "partitions", "overload")
RUNS = 3
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "shared_buffers": "256MB",
           "autovacuum": "on", "jit": "on", "wal_level": "replica"}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure speed.")
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="part",
        help=f"of {', '.join(PARTS)}, {', '.join(NAMED)}; all but the last three where none is named",
    )
    parser.add_argument("--runs", type=int, default=RUNS)
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - {*PARTS, *NAMED}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True)))
        folder.chmod(0o755)
        os.environ |= {
            "DATABASE_URL": stack.enter_context(postgres_server(folder, DURABLE)),
            "REDIS_URL": stack.enter_context(redis_server(folder)),
            "DATA_DIR": str(folder / "data"),
            "SECRET_KEY": "only-for-the-bench-0123456789-abcdefghijkl",
            "DJANGO_SETTINGS_MODULE": "referee.settings",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", interactive=False, verbosity=0)
        loads = [load()]
        runs: list[list[Figure]] = []
        for _ in range(chosen.runs):
            print(HEAD, flush=True)
            figures: list[Figure] = []
            for part in PARTS + NAMED:
                if part in (chosen.parts or PARTS):
                    figures += _measured(part, folder)
            runs.append(figures)
            loads.append(load())
        said = " / ".join(f"{one:.1f}" for one in loads)
        print(f"\n{table(runs)}\n\nload before and after each run: {said}; {os.cpu_count()} cores", flush=True)


def _measured(part: str, folder: Path) -> list[Figure]:
    """The figures of one part, each line printed as soon as the part is done."""
    measure = import_module(f"tests.bench.{part}").measure
    try:
        figures: list[Figure] = measure(folder) if signature(measure).parameters else measure()
    except NotNow as why:
        print(f"{part}: not measured: {why}", flush=True)
        return []
    for figure in figures:
        print(figure.line(), flush=True)
    return figures


if __name__ == "__main__":
    main()
