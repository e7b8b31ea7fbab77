"""A whole event read from its official export and kept on this machine as it was: to be read, shown and checked.

It is not gone on with: what makes an event go on (the seed of its lots, the codes of its tables, the phones at them)
is in no export. To go on elsewhere, move the database (docs/operating.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import DatabaseError, connection, models, transaction

from scoring.hands.findings import Finding, refusal

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, Change, Line, commit
from ..acts.errors import BAD_REQUEST, Refusal
from ..acts.failures import outage_of
from ..acts.origins import runs_of, table_of, target_of
from ..acts.rows import new_ids
from ..audit.audit import NotAnEvent, certify
from ..audit.certificate import Certificate
from ..audit.record import event_members
from ..audit.sections import BY_MODEL, SECTIONS
from ..events.facts import read_slug, slug_taken
from ..log.beginning import begin
from ..models import BoardResult, Entrant, Office, Official, Origin, Player, Recalculation, Tournament, User
from .whole_events import EventFile, Row, read_event

AT_ONCE = 500
CLAUSE_LIMIT = 100
#: So many differences that the audit finds are told.
MOST_DIFFERENCES = 20


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """What a file holds and came to. `tournament` is None after a dry run."""

    slug: str
    digest: str
    counts: Mapping[str, int]
    certificate: Certificate
    tournament: Tournament | None = None


class BadFile(Refusal):
    """A file that cannot be taken; the findings say where and why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        told = tuple(findings)
        first = told[0]
        super().__init__(first.code, field=first.field, message=first.message, status=BAD_REQUEST, findings=told)


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that could be read and whose audit found nothing."""

    file: EventFile
    certificate: Certificate


def import_event(
    *, data: bytes, actor: Actor, at: datetime, slug: str | None = None, dry_run: bool = False
) -> ImportedEvent:
    """Take a whole event from the bytes of its official export with names, at once: for commands.

    Refused, with nothing written, as `checked` and `keep` refuse. `dry_run` does all of it and writes nothing.
    """
    require(actor, Act.IMPORT_EVENT, tournament=None)
    return keep(checked([data]), actor=actor, at=at, slug=slug, dry_run=dry_run)


def checked(pieces: Iterable[bytes], auditing: Callable[[], None] = lambda: None) -> Checked:
    """Read a file and audit it; BadFile when it cannot be read, was changed, or its audit finds a difference.

    `auditing` is called when it has been read. Takes long where the file is large, and writes nothing.
    """
    file = read_event(pieces)
    if file.findings:
        raise BadFile(file.findings)
    auditing()
    return Checked(file, _audited(file))


def keep(
    taken: Checked, *, actor: Actor, at: datetime, slug: str | None = None, dry_run: bool = False
) -> ImportedEvent:
    """Write an event that was checked, as a record under its own address.

    `slug`: its address here, else the one it had. The importer becomes an organiser of it; its officials stand in it
    as people who cannot sign in. Refused (BadFile), with nothing written: rows that the database refuses; a record
    that would not be exported as the same bytes again. `dry_run` does all of that and takes it back. The rows that were
    checked are used up.
    """
    admitted = require(actor, Act.IMPORT_EVENT, tournament=None)
    file = taken.file
    address = free_slug(slug or file.event["slug"])
    counts = {section.name: len(file.rows[section.name]) for section in SECTIONS}
    with transaction.atomic():
        event = _write(file, address, admitted, at)
        _refuse_unless_same(file.document, event)
        if dry_run:
            transaction.set_rollback(True)
    digest = file.document["digest"]
    return ImportedEvent(event.slug, digest, counts, taken.certificate, None if dry_run else event)


def free_slug(wanted: str) -> str:
    """The address for an event that comes in; refused when it is none or another event has it."""
    address = read_slug(wanted)
    if Tournament.objects.filter(slug=address).exists():
        raise slug_taken()
    return address


def _audited(file: EventFile) -> Certificate:
    """The certificate of the file; refused unless the audit finds nothing."""
    try:
        certificate = certify(file.document)
    except NotAnEvent as error:
        text = f"The audit cannot read the file: {error}"
        raise BadFile([refusal("not_an_event", "", text, f"无法核查此文件：{error}")]) from None
    if not certificate.clean:
        raise BadFile(
            refusal("audit_differs", one.where, f"The audit finds: {one}", f"核查发现不一致：{one}")
            for one in certificate.differences[:MOST_DIFFERENCES]
        )
    return certificate


def _write(file: EventFile, slug: str, admitted: Admitted, at: datetime) -> Tournament:
    try:
        with transaction.atomic():
            writing = _Writing(file, slug, at)
            event = writing.write()
            begin(event, at=at)
            commit(_taken(file, event, writing.ids, admitted, at), admitted.actor, at)
            tables = [BY_MODEL[section.model].model._meta.db_table for section in SECTIONS]
            connection.check_constraints(table_names=tables)
    except (DatabaseError, ValueError) as error:
        if outage_of(error) is not None:
            raise
        # a guard or a constraint of the database: its name is the most that can be said
        reason = str(error).strip().splitlines()[0][:200]
        text = f"The database refuses it: {reason}"
        raise BadFile([refusal("database_refuses", "", text, f"数据库不接受：{reason}")]) from None
    return event


def _taken(
    file: EventFile, event: Tournament, ids: Mapping[str, Mapping[int, int]], admitted: Admitted, at: datetime
) -> Change[Tournament]:
    """What stands beside the record: where it came from, and who took it, who is its organiser here."""
    person, theirs, digest = admitted.actor.user, file.event["slug"], file.document["digest"]
    runs = {table: runs_of(of_table.items()) for table, of_table in ids.items()}
    origin = Origin(tournament=event, slug=theirs, digest=digest, ids=runs, imported_at=at, imported_by=person)
    writes = [
        Add(Recalculation(tournament=event, covered_number=event.stale_number, finished_at=at)),
        Add(origin),
    ]
    if person is not None:
        writes.append(Add(Official(tournament=event, user=person, office=Office.ORGANISER, appointed_at=at)))
    new = {"slug": event.slug, "from": theirs, "digest": digest}
    line = Line(Act.IMPORT_EVENT, ("tournament", event), new=new)
    return Change(admitted, event, tuple(writes), (line,), event=event)


def _refuse_unless_same(document: Mapping[str, Any], event: Tournament) -> None:
    """What was written has to come out as it went in, byte for byte: every member, one after another."""
    again = set()
    for name, value in event_members(Tournament.objects.get(pk=event.pk), official=True, names=True):
        if document.get(name) != value:
            raise _not_the_same(_first_difference(name, document, {name: value}))
        again.add(name)
    for name in sorted(document.keys() - again - {"exported_at", "digest", "file_digest"}):
        raise _not_the_same(name)


def _not_the_same(where: str) -> BadFile:
    en, zh = "It would not come out again as it went in.", "导入后再导出会不一样。"
    return BadFile([refusal("not_the_same", where, en, zh)])


def _first_difference(name: str, document: Mapping[str, Any], again: Mapping[str, Any]) -> str:
    """The path of the first value of a member that differs."""
    before, after, path = document.get(name), again.get(name), name
    while type(before) is type(after) and isinstance(before, dict | list) and before and after:
        keys: Iterable[Any] = range(len(before)) if isinstance(before, list) else list(before)
        key = next((one for one in keys if _at(before, one) != _at(after, one)), None)
        if key is None:
            break
        path = f"{path}[{key}]" if isinstance(before, list) else f"{path}.{key}"
        before, after = _at(before, key), _at(after, key)
    return path


def _at(held: Any, key: Any) -> Any:
    try:
        return held[key]
    except (KeyError, IndexError):
        return None


@dataclass(slots=True)
class _Writing:
    """The writing of one file: `ids` are the ids here by table and by the id in the file."""

    file: EventFile
    slug: str
    at: datetime
    ids: dict[str, dict[int, int]] = field(default_factory=dict)

    def write(self) -> Tournament:
        self._people()
        event = self._event()
        for section in SECTIONS:
            # what is written stands in the document still, to be compared; twice it would be large
            rows = self.file.rows.pop(section.name)
            new = new_ids(section.model, len(rows))
            # the same order as in the file: what stands in the order of ids keeps its order
            theirs = sorted(row["id"] for row in rows)
            self.ids[table_of(section.model)] = dict(zip(theirs, new, strict=True))
            of_event = {"tournament_id": event.pk} if section.event == "tournament" else {}
            for start in range(0, len(rows), AT_ONCE):
                section.model._default_manager.bulk_create(
                    section.model(**self._row(section.model, row), **self._more(section.model, row), **of_event)
                    for row in rows[start : start + AT_ONCE]
                )
        self._players()
        return event

    def _row(self, model: type[models.Model], row: Row) -> Row:
        """The columns of a row with ids of this machine."""
        written = dict(row)
        for column, value in row.items():
            target = target_of(model, column)
            if target is not None and value is not None:
                written[column] = self.ids[table_of(target)][value]
        return written

    def _more(self, model: type[models.Model], row: Row) -> Row:
        """What stands apart in the file."""
        if model is BoardResult and row["ns_mark"] is not None:
            return self._why_adjusted(row)
        if model is not Entrant:
            return {}
        names = self.file.names["entrants"][str(row["id"])]
        return {name: value for name, value in names.items() if name != "players"}

    def _why_adjusted(self, row: Row) -> Row:
        """The reason and the clause of an adjusted board, which only the history in the file tells."""
        document = self.file.document
        number = next(one["number"] for one in document["boards"] if one["id"] == row["board_id"])
        about = (Act.ADJUST_BOARD, row["sitting_id"], f"board:{number}")
        told = [one for one in document["history"] if (one["act"], one["sitting_id"], one["subject"]) == about]
        last = told[-1] if told else {}
        new = last.get("new")
        clause = new.get("clause", "") if isinstance(new, dict) else ""
        return {"mark_reason": last.get("reason", ""), "mark_clause": str(clause)[:CLAUSE_LIMIT]}

    def _people(self) -> None:
        """The officials of the event, as people who cannot sign in."""
        theirs = sorted(self.file.people)
        names = self.file.names["officials"]
        new = new_ids(User, len(theirs))
        self.ids[table_of(User)] = dict(zip(theirs, new, strict=True))
        made = [
            User(
                pk=own,
                username=f"record-{own}-{old}",
                display_name=names.get(str(old), f"#{old}"),
                is_active=False,
                date_joined=self.at,
            )
            for old, own in self.ids[table_of(User)].items()
        ]
        for one in made:
            one.set_unusable_password()
        User.objects.bulk_create(made, AT_ONCE)

    def _event(self) -> Tournament:
        row = self.file.event
        self.ids[table_of(Tournament)] = {row["id"]: new_ids(Tournament, 1)[0]}
        event = Tournament(
            **self._row(Tournament, row) | {"slug": self.slug},
            **self.file.names["tournament"],
            lot_seed=self.file.document.get("lot_seed", ""),
            imported_at=self.at,
        )
        event.save(force_insert=True)
        return event

    def _players(self) -> None:
        entrants = self.ids[table_of(Entrant)]
        Player.objects.bulk_create(
            [
                Player(entrant_id=entrants[int(entrant)], order=order, **player)
                for entrant, names in self.file.names["entrants"].items()
                for order, player in enumerate(names["players"], start=1)
            ],
            AT_ONCE,
        )
