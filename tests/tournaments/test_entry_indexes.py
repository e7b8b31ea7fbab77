"""The tables that an entry writes to have no index but those that docs/performance.md lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TABLES = ("ledgerentry", "historyentry", "savedanswer", "sitting")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"


@pytest.mark.parametrize("name", TABLES)
def test_every_index_is_listed_with_what_it_is_for(name: str) -> None:
    section = PAGE.read_text("utf-8").split("## What holds an entry")[1].split("\n## ")[0]
    listed = set(re.findall(rf"^\| `?{name}`? \| `([\w ,]+)`", section, re.M))
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, f"tournaments_{name}").values()
    columns = {
        ", ".join(column.removesuffix("_id") for column in one["columns"])
        for one in found
        if (one["index"] or one["unique"]) and not one["primary_key"]
    }
    # SQLite has no partitions, so its keys do not name the event (migration 0021)
    without = {one.removesuffix(", tournament") for one in listed}
    assert columns == (listed if connection.vendor == "postgresql" else without)
