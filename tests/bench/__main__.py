"""``make bench``: figures beside limits of the same run, on servers of its own. Kept in docs/performance.md."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.bench.report import HEAD
from tests.services import postgres_server, redis_server

DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "shared_buffers": "256MB",
           "autovacuum": "on", "jit": "on", "wal_level": "replica"}  # fmt: skip


def main() -> None:
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
        from tests.bench import cards, draws, entries, hands, standings

        print(HEAD, flush=True)
        parts = {
            "hands": hands.measure,
            "cards": cards.measure,
            "standings": standings.measure,
            "draws": draws.measure,
            "entries": lambda: entries.measure(folder),
        }
        for name, measure in parts.items():
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                for figure in measure():
                    print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
