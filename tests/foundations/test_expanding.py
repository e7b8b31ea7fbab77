"""Migrations since the last release only expand; what does not is named with its reason (`tools.expanding`)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations as op
from django.db import models
from django.db.migrations.state import ModelState, ProjectState

from tools import expanding

ROOT = Path(__file__).resolve().parents[2]


def test_what_breaks_the_rule_is_named_and_nothing_else() -> None:
    found = expanding.since_release()
    assert found.keys() - expanding.ALLOWED.keys() == set(), {name: found[name] for name in found}
    assert expanding.ALLOWED.keys() - found.keys() == set(), "a reason for nothing"
    assert all(expanding.ALLOWED.values())


def test_it_begins_at_the_last_release() -> None:
    """The newest version in the changelog that is closed; `python -m tests.write_release` is the other thing to do."""
    closed = re.findall(r"(?m)^## (\d+\.\d+\.\d+)(?!.*unreleased)", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    release, last = expanding.RELEASE
    assert closed[0] == release
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no checkout with its history")
    command = ["git", "ls-tree", "--name-only", f"v{release}", "tournaments/migrations/"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip(f"the tag v{release} is not here")
    assert max(re.findall(r"(\d{4}_\w+)\.py", listed.stdout)) == last


def _nothing(apps: Any, schema_editor: Any) -> None:
    """What a migration does by itself."""


def _state() -> ProjectState:
    fields = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=20)),
        ("number", models.IntegerField(null=True)),
    ]
    state = ProjectState()
    for name in ("Event", "Table"):
        state.add_model(ModelState("tournaments", name, fields))
    return state


KEY: dict[str, Any] = {"to": "tournaments.Table", "on_delete": models.CASCADE}
INDEX = models.Index(fields=["name"], name="by_name")
WAIT, EMPTY, STILL, FIT, LOOK, TYPE = (
    "writers wait",
    "writes nothing there",
    "still asks",
    "may not fit",
    "look",
    "type",
)


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        (op.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]), ""),
        (op.AddField("Event", "more", models.IntegerField(null=True)), ""),
        (op.AddField("Event", "more", models.IntegerField(db_default=0)), ""),
        (op.AddField("Event", "more", models.IntegerField(default=0)), EMPTY),
        (op.AddField("Event", "more", models.CharField(max_length=5, blank=True)), EMPTY),
        (op.AddField("Event", "more", models.IntegerField(null=True, db_index=True)), WAIT),
        (op.AddField("Event", "more", models.IntegerField(null=True, unique=True)), WAIT),
        (op.AddField("Event", "more", models.ForeignKey(null=True, **KEY)), WAIT),
        (op.AddField("Event", "more", models.ForeignKey(null=True, db_index=False, **KEY)), ""),
        (op.AddField("Event", "more", models.ManyToManyField("tournaments.Table")), ""),
        (op.RemoveField("Event", "name"), STILL),
        (op.RenameField("Event", "name", "title"), STILL),
        (op.RenameModel("Event", "Cup"), STILL),
        (op.DeleteModel("Event"), STILL),
        (op.AlterModelTable("Event", "cup"), STILL),
        (op.AlterField("Event", "name", models.CharField(max_length=20, help_text="of the event")), ""),
        (op.AlterField("Event", "name", models.CharField(max_length=40)), ""),
        (op.AlterField("Event", "name", models.CharField(max_length=10)), FIT),
        (op.AlterField("Event", "name", models.CharField(max_length=20, unique=True)), WAIT),
        (op.AlterField("Event", "name", models.CharField(max_length=20, null=True)), ""),
        (op.AlterField("Event", "name", models.TextField()), TYPE),
        (op.AlterField("Event", "number", models.IntegerField()), "leave it empty"),
        (op.AlterField("Event", "number", models.BigIntegerField(null=True)), TYPE),
        (op.AddIndex("Event", INDEX), WAIT),
        (AddIndexConcurrently("Event", INDEX), ""),
        (op.AddConstraint("Event", models.UniqueConstraint(fields=["name"], name="once")), FIT),
        (op.AlterUniqueTogether("Event", {("name", "number")}), FIT),
        (op.AlterModelOptions("Event", {"ordering": ["name"]}), ""),
        (op.RunSQL("SELECT 1"), LOOK),
        (op.RunPython(_nothing), LOOK),
        (op.SeparateDatabaseAndState(state_operations=[op.RemoveField("Event", "name")]), ""),
        (op.SeparateDatabaseAndState(database_operations=[op.RemoveField("Event", "name")]), STILL),
        (op.AlterOrderWithRespectTo("Event", "number"), "nobody knows"),
    ],
    ids=lambda given: given.describe() if hasattr(given, "describe") else "",
)
def test_what_expands_only(operation: Any, wrong: str) -> None:
    found = [said for _, said in expanding.findings([operation], _state(), {"event", "table"})]
    assert len(found) == bool(wrong)
    assert not wrong or wrong in found[0]


def test_tables_that_came_since_the_release_may_change() -> None:
    operations = [
        op.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]),
        op.AddField("New", "number", models.IntegerField(default=0)),
        op.AddIndex("New", models.Index(fields=["number"], name="by_number")),
        op.RemoveField("Event", "number"),
        op.DeleteModel("New"),
    ]
    found = list(expanding.findings(operations, _state(), {"event", "table"}))
    assert [where for where, _ in found] == ["RemoveField Event.number"]


def test_it_sees_what_stood_before_in_the_same_release() -> None:
    narrower = [op.AlterField("Event", "name", models.CharField(max_length=length)) for length in (40, 30)]
    assert len(list(expanding.findings(narrower, _state(), {"event"}))) == 1
