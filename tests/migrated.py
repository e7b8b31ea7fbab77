"""A migrated database from which every test database is copied: the migrations run once for all workers.

On a PostgreSQL that outlives the run (DATABASE_URL from outside) it stays for the next run of the same migrations.
"""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path

import psycopg
from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader

PREFIX = "referee_migrated_"
#: Any number will do, as long as nobody else locks it.
LOCK = 2_007_2013
#: The last number that a laptop's range begins behind.
FIRST_NUMBER = 548_122 * 10_000_000


def template() -> str:
    """The name of the migrated database, made by whichever worker asks first while the others wait."""
    connection = connections["default"]
    name = f"{PREFIX}{_state()}"
    building = f"{name}_building"
    own = connection.settings_dict["NAME"]
    parameters = {**connection.get_connection_params(), "dbname": "postgres"}
    for unknown_to_psycopg in ("cursor_factory", "context", "prepare_threshold"):
        parameters.pop(unknown_to_psycopg, None)
    with psycopg.connect(**parameters, autocommit=True) as server:
        server.execute("SET lock_timeout = 0")  # migrating takes longer than a request may wait
        server.execute("SET statement_timeout = 0")
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        there = {row[0] for row in server.execute("SELECT datname FROM pg_database").fetchall()}
        if name in there:
            return name
        for old in sorted(one for one in there if one.startswith(PREFIX)):
            server.execute(f'DROP DATABASE "{old}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{building}"')
        connection.close()
        connection.settings_dict["NAME"] = building
        try:
            call_command("migrate", verbosity=0)
            _number_as_a_laptop()
        finally:
            connection.close()
            connection.settings_dict["NAME"] = own
        server.execute(f'ALTER DATABASE "{building}" RENAME TO "{name}"')
    return name


def _number_as_a_laptop() -> None:
    """Rows get the numbers of a laptop's range (`following.numbers`), of more figures than 32 bits hold: all that reads
    them in an address, a form or a body has to take them."""
    connection = connections["default"]
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in (one for one in tables if one.startswith("tournaments_")):
            for sequence in connection.introspection.get_sequences(cursor, table):
                if sequence["column"] == "id":
                    cursor.execute("SELECT setval(%s, %s)", [sequence["name"], FIRST_NUMBER])


def _state() -> str:
    """A digest of every migration's source: another state has another database."""
    digest = hashlib.sha256(str(FIRST_NUMBER).encode())
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        source = Path(inspect.getfile(type(migration)))
        digest.update(f"{app}.{name}\n".encode() + source.read_bytes())
    return digest.hexdigest()[:16]
