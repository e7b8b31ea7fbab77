"""``manage.py prepare``: migrate as the owner of the database, then let the service in as a role that owns nothing.

DATABASE_URL is the owner's address, APP_DATABASE_URL the one the service uses; without it only the migrations run. The
role may read and write rows and nothing else: it cannot alter a table, drop or disable a guard, empty a table, or put
tables of its own in front of those that the guards ask. Running it again changes nothing.
"""

from __future__ import annotations

from typing import Any, Final

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connection, transaction
from psycopg import sql

from referee import environment

ROWS: Final = "SELECT, INSERT, UPDATE, DELETE"
NUMBERS: Final = "USAGE, SELECT, UPDATE"
#: What the owner grants, in this order; {role} and {database} are names.
GRANTS: Final = (
    "REVOKE CREATE, TEMPORARY ON DATABASE {database} FROM PUBLIC",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "REVOKE ALL ON DATABASE {database} FROM {role}",
    "REVOKE ALL ON SCHEMA public FROM {role}",
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "GRANT CONNECT ON DATABASE {database} TO {role}",
    "GRANT USAGE ON SCHEMA public TO {role}",
    f"GRANT {ROWS} ON ALL TABLES IN SCHEMA public TO {{role}}",
    f"GRANT {NUMBERS} ON ALL SEQUENCES IN SCHEMA public TO {{role}}",
    # which migrations have run is for the owner to say
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {ROWS} ON TABLES TO {{role}}",
    f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {NUMBERS} ON SEQUENCES TO {{role}}",
)
ATTRIBUTES: Final = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"


class Command(BaseCommand):
    """Prints what was done; exit code 1 with a sentence when it cannot be."""

    help = "Run the migrations and grant the role of APP_DATABASE_URL what the service needs, no more."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=options["verbosity"])
        url = environment.text("APP_DATABASE_URL")
        if not url:
            return
        if connection.vendor != "postgresql":
            raise CommandError("APP_DATABASE_URL is for PostgreSQL; here is no role to make.")
        app = environment.database(url, environment.Path())
        if not app.get("USER"):
            raise CommandError("APP_DATABASE_URL names no role: postgresql://role:password@host:port/name.")
        let_in(app["USER"], app["PASSWORD"])
        self.stdout.write(f"The role {app['USER']} may read and write rows.")


def let_in(role: str, password: str) -> None:
    """Make the role, or take from it whatever it has too much, and grant it the rows.

    Raises:
        CommandError: the role could do more all the same: it is this one, owns something here or belongs to others.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        verb = "ALTER" if cursor.fetchone() else "CREATE"
        if verb == "ALTER":
            _refuse_the_mighty(cursor, role)
        name = sql.Identifier(role)
        cursor.execute(sql.SQL(f"{verb} ROLE {{}} {ATTRIBUTES}").format(name))
        if password:
            cursor.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(name, sql.Literal(_scrambled(role, password))))
        database = sql.Identifier(connection.settings_dict["NAME"])
        for statement in GRANTS:
            cursor.execute(sql.SQL(statement).format(role=name, database=database))


def _refuse_the_mighty(cursor: Any, role: str) -> None:
    """A role that owns the tables, or can become another one, has rights that no revoking takes away."""
    cursor.execute(
        "SELECT r.rolname = current_user OR EXISTS (SELECT 1 FROM pg_class c WHERE c.relowner = r.oid)"
        " OR EXISTS (SELECT 1 FROM pg_auth_members m WHERE m.member = r.oid)"
        " OR EXISTS (SELECT 1 FROM pg_database d WHERE d.datdba = r.oid) FROM pg_roles r WHERE r.rolname = %s",
        [role],
    )
    if cursor.fetchone()[0]:
        raise CommandError(f"The role {role} owns something or belongs to another role; take one of its own.")


def _scrambled(role: str, password: str) -> str:
    """What the server keeps of a password, made here: the password itself is in no statement and in no log."""
    connection.ensure_connection()
    server = connection.connection.pgconn
    return str(server.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode())
