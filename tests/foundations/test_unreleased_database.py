"""A database that cannot be used is told in a sentence, before anything is written: one of the versions before the
first release, or one that does not answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
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


@pytest.mark.long
@pytest.mark.parametrize("command", ["prepare", "enter", "backup"])
def test_one_that_does_not_answer_is_told_in_a_sentence(command: str, tmp_path: Path) -> None:
    given = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "manage.py", command, *[str(tmp_path)] * (command == "backup")],
        cwd=settings.BASE_DIR, env=os.environ | given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: The database does not answer: ")
    assert "Traceback" not in done.stderr
