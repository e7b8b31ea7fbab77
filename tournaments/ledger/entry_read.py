"""Everything that an entry or a confirmation of a hand depends on, read by one statement.

Who asks (an official's token with the offices held here, or a phone's place), whether this request was answered before,
the sitting with its match, round, stage and event, its ledger, and, on PostgreSQL, the ids that the next
entry and its line of the history get. The
rows become the models that the decisions of `deciding` know, so nothing is decided in another way than in a transaction
of many statements.
"""

# ruff: noqa: S608 - the statement is put together from names of our models, values are parameters

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import Model
from django.db.models.base import ModelState
from knox.models import AuthToken

from ..acts.admission import Actor, Offices, held_offices
from ..acts.at_once import Still
from ..acts.keys import Answered
from ..acts.prepared import prepared
from ..models import (
    Device,
    HistoryEntry,
    LedgerEntry,
    Match,
    Official,
    Round,
    RoundStatus,
    SavedAnswer,
    Sitting,
    Stage,
    TokenGrant,
    TokenScope,
    Tournament,
    User,
)
from ..sittings.ledgers import Ledger, Stored
from ..sittings.next_games import plays_games

LARGEST_ID = 2**63 - 1
_TEXT: Final = "CAST(%s AS text)"
#: Each of several tables with its keys, out of one JSON list.
_SHOWN_OF_MANY: Final = {
    "postgresql": f"SELECT {_TEXT} AS asked, CAST(one ->> 0 AS bigint) AS sitting, one -> 1 AS keys"
    " FROM json_array_elements(CAST(%s AS json)) AS each_table(one)",
    "sqlite": f"SELECT {_TEXT} AS asked, json_extract(value, '$[0]') AS sitting, json_extract(value, '$[1]') AS keys"
    " FROM json_each(%s)",
}
Read = TypeVar("Read", bound=Model)


@dataclass(frozen=True, slots=True)
class Credential:
    """What a request shows: the digest of an official's token, or the name of a phone's place and its token."""

    token_digest: str = ""
    public_id: str = ""


@dataclass(frozen=True, slots=True)
class EntryRead:
    """What was read. `actor` is nobody where the credential is not good: `expiry` and the phone's token are for the
    door to judge. `granted`: the token has a grant, whose use was noted at `used_at`. `ledger` is None where there is
    no such sitting."""

    actor: Actor
    expiry: datetime | None
    granted: bool
    used_at: datetime | None
    answered: Answered | None
    ledger: Ledger | None
    offices: Sequence[tuple[int, str, int | None]]
    next_entry: int | None
    next_line: int | None
    #: The digest of an official's token; of a phone nothing.
    token: str = ""
    #: Of hands of several tables in one request: what is kept of which key, and ids for all of them.
    answers: Mapping[str, Answered] = field(default_factory=dict)
    next_entries: Sequence[int] = ()
    next_lines: Sequence[int] = ()

    @property
    def held(self) -> Offices | None:
        """The actor's offices in the event."""
        if self.ledger is None or self.actor.user is None:
            return None
        return held_offices(self.actor, self.ledger.tournament, [(office, table) for _, office, table in self.offices])

    @property
    def alone(self) -> bool:
        """Whether the sitting makes up its match, so that nothing else is read or moved with it."""
        return self.ledger is not None and self.ledger.sitting.boards is None and not plays_games(self.ledger)

    def still(self) -> Iterator[Still]:
        """What a decision on this rests on and has to be so while it is written, in the order of locks: a round before
        its sittings, a sitting before its phones. docs/decisions.md ("The entry path") lists them."""
        assert self.ledger is not None
        sitting, actor = self.ledger.sitting, self.actor
        grounds = self.ledger.round.grounds
        yield Still(Round, {"pk": sitting.round_id, "status": RoundStatus.RUNNING, "grounds": grounds})
        stands = {"revision": sitting.revision, "active": True, "scored_by": sitting.scored_by}
        places = {"table": sitting.table_id, "match": sitting.match_id}
        yield Still(Sitting, {"pk": sitting.pk, **stands, **places}, moves=True)
        if actor.device is not None:
            yield Still(Device, {"pk": actor.device.pk, "sitting": sitting.pk, "released_at": None})
        if actor.user is not None:
            yield Still(User, {"pk": actor.user.pk, "is_active": True})
            yield Still(AuthToken, {"digest": self.token})
        for official in sorted({official for official, _, _ in self.offices}):
            yield Still(Official, {"pk": official, "revoked_at": None})
        for official, table in sorted({(one, table) for one, _, table in self.offices if table is not None}):
            yield Still(Official.tables.through, {"official": official, "table": table})


def read_entry(sitting_id: int, credential: Credential, key: str) -> EntryRead:
    """One statement."""
    number = sitting_id if sitting_id <= LARGEST_ID else 0
    ((found, rest),) = _read(credential, [key, number], many=False)
    digest, kept, *shown, entries, offices, next_entry, next_line = rest
    answered = None if digest is None else Answered(digest, kept)
    return EntryRead(**_common(credential, found, shown, entries, offices), answered=answered,
                     next_entry=next_entry, next_line=next_line)  # fmt: skip


def read_entries(keys: Mapping[int, Sequence[str]], credential: Credential) -> dict[int, EntryRead]:
    """The same for hands of several tables, each with its key: by the tables that there are."""
    asked = json.dumps([[sitting, list(of_table)] for sitting, of_table in keys.items() if sitting <= LARGEST_ID])
    found = dict[int, EntryRead]()
    for rows, rest in _read(credential, [asked], many=True):
        _, answers, *shown, entries, offices, next_entries, next_lines = rest
        if rows["sitting"] is not None:
            found[rows["sitting"].pk] = EntryRead(
                **_common(credential, rows, shown, entries, offices),
                answered=None,
                next_entry=None,
                next_line=None,
                answers={key: Answered(digest, kept) for key, digest, kept in _listed(answers)},
                next_entries=_listed(next_entries),
                next_lines=_listed(next_lines),
            )
    return found


def _read(
    credential: Credential, of_tables: Sequence[Any], *, many: bool
) -> Iterator[tuple[dict[str, Any], Sequence[Any]]]:
    """For each table the rows by their names, and the columns after them. A row that several share is made once."""
    sql, parts = _statement("user" if credential.token_digest else "device", many=many)
    with prepared() as cursor:
        cursor.execute(sql, [credential.token_digest or credential.public_id, *of_tables])
        answer = cursor.fetchall()
    made = dict[tuple[str, Any], Model | None]()
    for row in answer:
        at, found = 0, dict[str, Any]()
        for name, part in parts.items():
            known = (name, row[at])
            if known not in made:
                made[known] = part.read(row[at : at + part.width])
            found[name] = made[known]
            at += part.width
        yield found, row[at:]


def _common(
    credential: Credential, found: Mapping[str, Any], shown: Sequence[Any], entries: Any, offices: Any
) -> dict[str, Any]:
    """`shown`: of the token its end, its scope, and when its use was noted; nothing of a phone."""
    expiry, scope, used_at = shown
    return {
        "actor": _actor(found["who"], scope),
        "expiry": _moment(expiry),
        "token": credential.token_digest,
        "granted": scope is not None,
        "used_at": _moment(used_at),
        "ledger": None if found["sitting"] is None else _ledger(found, _listed(entries)),
        "offices": [(one, office, table) for one, office, table in _listed(offices)],
    }


def _actor(who: User | Device | None, scope: str | None) -> Actor:
    if who is None:
        return Actor()
    if isinstance(who, Device):
        return Actor(device=who)
    return Actor(user=who, token=TokenScope.DIRECT if scope is None else TokenScope(scope))


def _ledger(found: Mapping[str, Any], entries: Sequence[Sequence[Any]]) -> Ledger:
    sitting, match, round_ = found["sitting"], found["match"], found["round"]
    round_.stage, round_.tournament = found["stage"], found["tournament"]
    round_.stage.tournament = round_.tournament
    sitting.match, sitting.round, match.round = match, round_, round_
    names, moments = _entry_columns()
    rows = list[LedgerEntry]()
    for one in entries:
        values = list(one)
        for place in moments:
            values[place] = _moment(values[place])
        rows.append(_row(LedgerEntry, names, values))
    return Ledger(sitting, match, rows, stored=Stored.of(sitting, rows))


@dataclass(frozen=True, slots=True)
class _Part:
    """The columns of one model in the answer."""

    model: type[Model]
    names: tuple[str, ...]
    converters: tuple[tuple[int, Callable[..., Any], Any], ...]

    @property
    def width(self) -> int:
        return len(self.names)

    def read(self, values: Sequence[Any]) -> Model | None:
        if values[0] is None:  # the primary key
            return None
        row = list(values)
        for place, convert, column in self.converters:
            row[place] = convert(row[place], column, connection)
        return _row(self.model, self.names, row)


def _row(model: type[Read], names: Sequence[str], values: Sequence[Any]) -> Read:
    """A stored row from all its columns, as `from_db` makes it, in a tenth of the steps: nobody listens to rows that
    are made, and nothing is known yet that a column could change."""
    row = model.__new__(model)
    row._state = ModelState()
    row._state.adding = False
    row._state.db = DEFAULT_DB_ALIAS
    row.__dict__.update(zip(names, values, strict=True))
    return row


def _who_asks(who: str) -> tuple[str, str, str]:
    """How an official or a phone is found by what it showed; the end of what was shown with its scope and its last
    use, and the person."""
    if who == "user":
        person, grant = User._meta.db_table, TokenGrant._meta.db_table
        token = f"LEFT JOIN knox_authtoken token_ ON token_.digest = shown.asked LEFT JOIN {grant} grant_"
        join = f"{token} ON grant_.token_id = token_.digest LEFT JOIN {person} who_ ON who_.id = token_.user_id"
        return join, "token_.expiry, grant_.scope, grant_.used_at", "who_.id"
    device = Device._meta.db_table
    join = f"LEFT JOIN {device} who_ ON who_.public_id = shown.asked AND who_.released_at IS NULL"
    return join, "NULL, NULL, NULL", "NULL"


def _answers_kept(who: str, collected: str, *, many: bool) -> tuple[str, str]:
    """The columns of the answer given before under the key, or of those under many keys; and where they are found."""
    saved, scope = SavedAnswer._meta.db_table, f"'{who}:' || who_.id"
    if not many:
        join = f"LEFT JOIN {saved} answer_ ON answer_.key = shown.key AND answer_.scope = {scope}"
        return "answer_.request_digest, answer_.answer", join
    on_postgres = connection.vendor == "postgresql"
    keys = "json_array_elements_text(shown.keys)" if on_postgres else "value FROM json_each(shown.keys)"
    found = f"SELECT {collected} FROM {saved} a WHERE a.scope = {scope} AND a.key IN (SELECT {keys})"
    return f"NULL, ({found})", ""


@lru_cache(maxsize=4)
def _statement(who: str, *, many: bool) -> tuple[str, Mapping[str, _Part]]:
    """The statement for an official or a phone, and how its answer is read. `many`: for hands of several tables: a JSON
    list says each table with its keys."""
    models_of: dict[str, type[Model]] = {
        "who": User if who == "user" else Device,
        "sitting": Sitting,
        "match": Match,
        "round": Round,
        "stage": Stage,
        "tournament": Tournament,
    }
    parts = {name: _part(model) for name, model in models_of.items()}
    quoted = connection.ops.quote_name
    columns = [
        f"{name}_.{quoted(str(field.column))}"
        for name, model in models_of.items()
        for field in model._meta.concrete_fields
    ]
    on_postgres = connection.vendor == "postgresql"
    array, collect = ("json_build_array", "json_agg") if on_postgres else ("json_array", "json_group_array")
    facts = "{}" if on_postgres else "json({})"
    entry = ", ".join(
        (facts if isinstance(field, models.JSONField) else "{}").format(f"e.{field.column}")
        for field in LedgerEntry._meta.concrete_fields
    )
    of_table: tuple[type[Model], ...] = (*models_of.values(), LedgerEntry, Official)
    table = {model: model._meta.db_table for model in of_table}
    through = Official.tables.through._meta.db_table
    following = ", ".join(_next_ids(model, many=many) for model in (LedgerEntry, HistoryEntry))
    asker, of_token, user = _who_asks(who)
    kept, answers = _answers_kept(who, f"{collect}({array}(a.key, a.request_digest, a.answer))", many=many)
    shown = f"SELECT {_TEXT} AS asked, {_TEXT} AS key, CAST(%s AS bigint) AS sitting"
    if many:
        shown = _SHOWN_OF_MANY[connection.vendor]
    sql = f"""
        SELECT {", ".join(columns)}, {kept}, {of_token},
            (SELECT {collect}({array}({entry})) FROM (
                SELECT * FROM {table[LedgerEntry]} WHERE sitting_id = sitting_.id ORDER BY position, version) e),
            (SELECT {collect}({array}(o.id, o.office, t.table_id)) FROM {table[Official]} o
                LEFT JOIN {through} t ON t.official_id = o.id
                WHERE o.tournament_id = tournament_.id AND o.user_id = {user} AND o.revoked_at IS NULL),
            {following}
        FROM ({shown}) shown
        {asker}
        {answers}
        LEFT JOIN {table[Sitting]} sitting_ ON sitting_.id = shown.sitting
        LEFT JOIN {table[Match]} match_ ON match_.id = sitting_.match_id
        LEFT JOIN {table[Round]} round_ ON round_.id = sitting_.round_id
        LEFT JOIN {table[Stage]} stage_ ON stage_.id = round_.stage_id
        LEFT JOIN {table[Tournament]} tournament_ ON tournament_.id = round_.tournament_id
    """
    return " ".join(sql.split()), parts


def _next_ids(model: type[Model], *, many: bool) -> str:
    """The ids that new rows of a table get, one for each key. SQLite gives them when the rows are written."""
    if connection.vendor != "postgresql":
        return "NULL"
    following = f"nextval(pg_get_serial_sequence('{model._meta.db_table}', 'id'))"
    if not many:
        return following
    return f"(SELECT json_agg({following}) FROM generate_series(1, json_array_length(shown.keys)))"


def _part(model: type[Model]) -> _Part:
    converters = []
    for place, one in enumerate(model._meta.concrete_fields):
        column = one.get_col(model._meta.db_table)
        for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection)):
            converters.append((place, convert, column))
    return _Part(model, tuple(field.attname for field in model._meta.concrete_fields), tuple(converters))


@lru_cache(maxsize=1)
def _entry_columns() -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The names of an entry's columns, and which are moments: those JSON has as texts."""
    fields = LedgerEntry._meta.concrete_fields
    moments = tuple(place for place, field in enumerate(fields) if isinstance(field, models.DateTimeField))
    return tuple(field.attname for field in fields), moments


def _listed(value: Any) -> list[Any]:
    """A list as the database collects it in JSON; of no rows it may say nothing."""
    return (json.loads(value) if isinstance(value, str) else value) or []


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None if value is None else value if value.tzinfo else value.replace(tzinfo=UTC)
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
