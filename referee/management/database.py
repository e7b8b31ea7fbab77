"""Whether the database is as far as the program, asked by commands before they read or migrate it."""

from __future__ import annotations

from typing import Final

from django.core.management import CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

#: The first migration of 0.1.0 and before, which were never released.
UNRELEASED: Final = ("tournaments", "0001_initial")
REFUSED: Final = (
    "This database was made by version 0.1.0 or one before it, which were never released; this program does not read"
    " it, and has changed nothing in it. Take a new one: another DATA_DIR or DATABASE_URL. Events that are to be kept"
    " are exported with the program that made them, and come in here with manage.py import_event."
)


def refuse_unreleased(returncode: int = 1) -> None:
    """End the command with a sentence, and this exit code, where a version before the first release made the tables,
    or the database does not answer."""
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except OperationalError as error:
        why = str(error).strip().splitlines()[-1].strip()
        raise CommandError(f"The database does not answer: {why}", returncode=returncode) from None
    if UNRELEASED in applied:
        raise CommandError(REFUSED, returncode=returncode)


def refuse_unmigrated(returncode: int = 1) -> None:
    """End the command with a sentence, and this exit code, where migrations are to be run first."""
    refuse_unreleased(returncode)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        why = "The database is not ready for this program. Bring it up to date first: manage.py migrate"
        raise CommandError(why, returncode=returncode)
