"""Migrations since the last release only expand, so that its code goes on while the new one's comes.

An upgrade without a pause migrates first: the code of the last release then runs on the new tables until it is
replaced. So nothing that it reads may go or change its name, what it writes must still fit, and nothing may keep
writers waiting while it is made. What is taken away is taken away a release later. `findings` names every operation
that breaks this, or that a person has to look at; what is meant all the same stands in `ALLOWED`, with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import operations as op
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, CharField, Field

APP: Final = "tournaments"
#: The last release, and the last migration that it has. To be moved on when a version is closed; `ALLOWED` is emptied.
RELEASE: Final = ("0.2.0", "0002_guards")

_PAUSE: Final = "0.2.0 to 0.3.0 takes a pause anyway (docs/operating.md)"
_GUARDS: Final = "looked at: guards of tables that this release brings"
#: What breaks the rule and is meant, with the reason.
ALLOWED: Final[dict[str, str]] = {
    "0003_stale_counts: RunPython set_up": f"{_GUARDS}; 0.2.0 counts at the event as before: {_PAUSE}",
    "0004_lighter_entries: RunPython drop": "looked at: only indexes and a foreign key that a guard holds go",
    "0004_lighter_entries: AddIndex historyentry.history_of_sitting": _PAUSE,
    "0004_lighter_entries: AddIndex ledgerentry.entries_of_board": _PAUSE,
    "0004_lighter_entries: AddIndex ledgerentry.entries_that_contest": _PAUSE,
    "0004_lighter_entries: AddIndex ledgerentry.entries_of_device": _PAUSE,
    "0004_lighter_entries: AddIndex ledgerentry.confirmed_by_device": _PAUSE,
    "0005_dealings: RunPython set_up": _GUARDS,
    "0006_signals: RunPython set_up": _GUARDS,
    "0007_log: RunPython set_up": f"{_GUARDS}; 0.2.0 writes no leaves of its acts: {_PAUSE}",
    "0008_kept_apart: RunPython set_up": _GUARDS,
    "0009_second_factor: AddColumn tournament.second_factor": f"0.2.0 makes no event with it: {_PAUSE}",
    "0009_second_factor: AddColumn user.factor_key": f"0.2.0 makes no account with it: {_PAUSE}",
    "0009_second_factor: AddColumn user.factor_step": f"0.2.0 makes no account with it: {_PAUSE}",
    "0011_put_aside: RunPython set_up": _GUARDS,
    "0012_terms: AddColumn tournament.elsewhere": f"0.2.0 makes no event with it: {_PAUSE}",
    "0021_keys_of_the_event: RunPython widen": f"looked at: wider keys take whatever fitted the old ones; {_PAUSE}",
    "0022_moved_to: AddColumn tournament.moved_to": f"0.2.0 makes no event with it: {_PAUSE}",
    "0014_token_grants: RunPython keep_everything": "looked at: writes into a table that this release brings",
}

#: Nobody notices them in the tables, or they take away what only forbids or helps to find.
_HARMLESS: Final = (
    op.CreateModel,
    op.AlterModelOptions,
    op.AlterModelManagers,
    op.AlterModelTableComment,
    op.RemoveIndex,
    op.RemoveConstraint,
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
_TAKES_AWAY: Final = (op.RemoveField, op.RenameField, op.DeleteModel, op.RenameModel, op.AlterModelTable)
_NARROWS: Final = (op.AddConstraint, op.AlterUniqueTogether, op.AlterIndexTogether)


def since_release() -> dict[str, str]:
    """What every migration since the last release does against the rule: a finding and what is wrong with it."""
    loader = MigrationLoader(None)
    names = sorted(name for app, name in loader.disk_migrations if app == APP and name > RELEASE[1])
    state = loader.project_state((APP, RELEASE[1]))
    known = {name for app, name in state.models if app == APP}
    found: dict[str, str] = {}
    for name in names:
        migration = loader.get_migration(APP, name)
        for where, wrong in findings(migration.operations, state, known):
            found[f"{name}: {where}"] = wrong
    return found


def findings(operations: Iterable[Operation], state: ProjectState, known: set[str]) -> Iterator[tuple[str, str]]:
    """The operations that break the rule: which one, and what is wrong. `state` is that before them, and after them
    when all are looked at; `known` are the models that the last release has, in small letters."""
    for one in operations:
        if isinstance(one, op.SeparateDatabaseAndState):
            for inner in one.database_operations:
                if wrong := _wrong(inner, state, known):
                    yield _name(inner), wrong
        elif wrong := _wrong(one, state, known):
            yield _name(one), wrong
        one.state_forwards(APP, state)


def _name(one: Operation) -> str:
    given = one.deconstruct()[2]
    code: Any = given.get("code")
    parts = [given.get("model_name", ""), given.get("name") or given.get("old_name") or ""]
    thing = getattr(given.get("index") or given.get("constraint"), "name", "")
    words = ".".join(part for part in (*parts, thing) if part) or getattr(code, "__name__", "")
    return f"{type(one).__name__} {words}".strip()


def _wrong(one: Operation, state: ProjectState, known: set[str]) -> str:
    """What is wrong with an operation; nothing with what touches no table of the last release."""
    names = (getattr(one, name, None) for name in ("model_name", "old_name", "name"))
    model = next((str(name).lower() for name in names if name), "")
    if isinstance(one, op.RunPython | op.RunSQL):
        return "somebody has to look whether the last release's code goes on with it"
    if isinstance(one, _HARMLESS) or (model and model not in known):
        return ""
    if isinstance(one, _TAKES_AWAY):
        return "the last release's code still asks for it: take it away a release later"
    if isinstance(one, _NARROWS):
        return "what the last release's code writes may not fit"
    if isinstance(one, op.AddIndex):
        return "writers wait while it is made: AddIndexConcurrently"
    if isinstance(one, op.AddField):
        return _added(one.field)
    if isinstance(one, op.AlterField):
        return _altered(state.models[APP, model].fields[one.name], one.field)
    return "nobody knows whether this expands only"


def _added(field: Field[Any, Any]) -> str:
    if not (field.null or field.many_to_many or getattr(field, "db_default", NOT_PROVIDED) is not NOT_PROVIDED):
        return "the last release's code writes nothing there: let it be empty, or give it a db_default"
    if field.unique or _is_indexed(field):
        return "writers wait while its index is made: db_index=False, then AddIndexConcurrently"
    return ""


def _is_indexed(field: Field[Any, Any]) -> bool:
    return bool(getattr(field, "db_index", False))


def _altered(before: Field[Any, Any], after: Field[Any, Any]) -> str:
    if before.null and not after.null:
        return "the last release's code may leave it empty"
    checks: tuple[Callable[[Field[Any, Any]], Any], ...] = (lambda one: one.unique, _is_indexed)
    if any(check(after) and not check(before) for check in checks):
        return "writers wait while its index is made, and what they write may not fit"
    if isinstance(before, CharField) and isinstance(after, CharField):
        longest = [one.max_length or float("inf") for one in (before, after)]
        return "" if longest[0] <= longest[1] else "what the last release's code writes may not fit"
    same = before.deconstruct()[1] == after.deconstruct()[1]
    return "" if same else "its type changes: the table is written anew, or old values do not fit"
