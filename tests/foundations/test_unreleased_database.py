"""A database of the versions before the first release is refused before anything is written."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from referee.management import database

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("command", ["migrate", "prepare", "serve", "demo", "enter", "audit"])
def test_its_database_is_refused_with_what_to_do(command: str, settings: Any) -> None:
    settings.PORT = 0  # whichever is free
    MigrationRecorder(connection).record_applied(*database.UNRELEASED)
    with pytest.raises(CommandError, match=r"version 0\.1\.0.*DATA_DIR.*import_event"):
        call_command(command)


def test_a_database_of_now_is_migrated_as_often_as_one_likes() -> None:
    call_command("migrate", verbosity=0)
