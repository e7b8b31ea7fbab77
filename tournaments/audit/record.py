"""A whole event as one JSON document: everything an auditor needs to work all results out again on another machine.

What it holds stands in `sections`. Ledger, results and publications hold ids; names stand apart under "names"
and may be left out. The seed of the lots is there once a publication has revealed it. `digest` is the SHA-256 of the
canonical JSON of the record (all but names and the time of the export), `file_digest` of all the rest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, Model, OuterRef, QuerySet

from ..acts.doorbell import stale_number
from ..acts.origins import Ids, ids_of
from ..acts.text import canonical_json
from ..boards.reads import KeptBack, kept_back_at
from ..models import (
    BoardResult,
    EntryStatus,
    LedgerEntry,
    Match,
    Official,
    Player,
    Publication,
    RecordedHand,
    Round,
    RoundStatus,
    RuleChange,
    Ruling,
    Sitting,
    StandingsRun,
    Tournament,
    User,
)
from ..sittings.moments import one_moment
from ..standings.publications import seeds_in
from ..standings.rankings import live_table
from .sections import EVENT_OFFICIAL, EVENT_PUBLIC, SECTIONS, Section

FORMAT = "referee/event/2"
#: Exports of older versions, which the audit still reads.
OLDER_FORMATS = ("referee/event/1",)
#: Members that are no part of the record: they may differ between two exports of one record.
APART = ("names", "exported_at", "digest", "file_digest")
#: Rows that are read, or written as text, at a time.
ROWS_AT_ONCE = 500
_PUBLIC_STATUSES = (EntryStatus.EFFECTIVE, EntryStatus.SUPERSEDED)
_PUBLIC_ROUNDS = (RoundStatus.PUBLISHED, RoundStatus.RUNNING, RoundStatus.CLOSED)
#: What belongs to a sitting, and tells of its hands.
_OF_SITTINGS: frozenset[type[Model]] = frozenset({BoardResult, LedgerEntry, RecordedHand, Ruling})
#: Sections whose rows belong to a round: those of a draft are not public.
_OF_ROUNDS = frozenset({"draws", "pairings", "matches", "places", "sittings"})


def event_document(
    tournament: Tournament, *, official: bool = False, names: bool = False, at: datetime | None = None
) -> dict[str, Any]:
    """The event as JSON.

    Without `official` it holds what is public: no hand that waits, no draft round, no live table the event hides, no
    history. Of matches on boards that others have to play it has the pairing only, as if they were still to be played;
    `withheld` names their rounds. `names` adds names of entrants, players and officials. `at` is when it was exported
    (left out when None, so that two exports of the same event are the same bytes). An event that came from a file has
    the ids it had there. Everything in it was true at one moment, whoever writes meanwhile.
    """
    with one_moment():
        return _document(Tournament.objects.get(pk=tournament.pk), official=official, names=names, at=at)


def _document(tournament: Tournament, *, official: bool, names: bool, at: datetime | None) -> dict[str, Any]:
    document = dict(event_members(tournament, official=official, names=names))
    document["digest"] = record_digest(document)
    if at is not None:
        document["exported_at"] = at.isoformat()
    document["file_digest"] = file_digest(document)
    return document


def event_members(tournament: Tournament, *, official: bool, names: bool) -> Iterator[tuple[str, Any]]:
    """The members of the document but its digests and its time, one after another, so that nobody has to hold all."""
    ids = ids_of(tournament)
    columns = (*EVENT_PUBLIC, *EVENT_OFFICIAL) if official else EVENT_PUBLIC
    facts = {name: getattr(tournament, name) for name in columns} | {"slug": ids.slug}
    facts["stale_number"] = number = stale_number(tournament.pk)
    yield "format", FORMAT
    yield "scope", "official" if official else "public"
    yield "tournament", _written(Tournament, facts, ids)
    kept = KeptBack() if official else kept_back_at(tournament)
    withheld = _ids(Round, kept.rounds, ids)
    for section in SECTIONS:
        if not (official or section.public):
            continue
        rows = _section(section, tournament, ids, kept, number, official=official)
        if rows or not section.later:
            yield section.name, rows
        if section.model is Round and (theirs := [one["id"] for one in rows if one["id"] in withheld]):
            yield "withheld", theirs
    if _lots_revealed(tournament):
        yield "lot_seed", tournament.lot_seed
    if names:
        yield "names", _names(tournament, ids)


def event_json(
    tournament: Tournament, *, official: bool = False, names: bool = False, at: datetime | None = None
) -> bytes:
    """The document as canonical JSON in UTF-8: the same event gives the same bytes on every database."""
    return canonical_json(event_document(tournament, official=official, names=names, at=at)).encode()


def record_digest(document: Mapping[str, Any]) -> str:
    """The digest of the record in a document, whatever names stand beside it."""
    return _digest({name: value for name, value in document.items() if name not in APART})


def file_digest(document: Mapping[str, Any]) -> str:
    """The digest of everything in a document but itself."""
    return _digest({name: value for name, value in document.items() if name != "file_digest"})


def _digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a document, whose text is never held whole."""
    digest = hashlib.sha256()
    for part in _canonical(document):
        digest.update(part.encode())
    return digest.hexdigest()


def _canonical(document: Mapping[str, Any]) -> Iterator[str]:
    """The canonical JSON of a document in parts: its members, and of a long list some rows at a time."""
    yield "{"
    for place, name in enumerate(sorted(document)):
        yield ("," if place else "") + canonical_json(name) + ":"
        value = document[name]
        if not isinstance(value, list):
            yield canonical_json(value)
            continue
        yield "["
        for start in range(0, len(value), ROWS_AT_ONCE):
            yield ("," if start else "") + canonical_json(value[start : start + ROWS_AT_ONCE])[1:-1]
        yield "]"
    yield "}"


def _section(
    section: Section, tournament: Tournament, ids: Ids, kept: KeptBack, number: int, *, official: bool
) -> list[dict[str, Any]]:
    rows = _rows(section, tournament, ids)
    if not official:
        rows = _told(section, _public(section, tournament, rows), kept)
    names = section.columns(official=official)
    found: Iterable[dict[str, Any]] = rows.order_by(*section.order).values(*names).iterator(ROWS_AT_ONCE)
    if section.model is Match:
        found = (row | _UNPLAYED if row["id"] in kept.matches else row for row in found)
    if section.model is StandingsRun and ids.own:
        found = (_caught_up(row, tournament, number) for row in found)
    return [{**_written(section.model, row, ids), **section.always} for row in found]


def _caught_up(run: dict[str, Any], tournament: Tournament, number: int) -> dict[str, Any]:
    """A live table that covers everything: worked out here where its recalculation is still to come."""
    if run["covers"] >= number:
        return run
    table = live_table(tournament.stages.select_related("tournament").get(pk=run["stage_id"]))
    return run | {name: value for name, value in table.items() if name in run} | {"covers": number}


def _ids(model: type[Model], own: Iterable[int], ids: Ids) -> set[Any]:
    """Ids as documents have them."""
    return {ids.written(model, "id", pk) for pk in own}


#: The columns of a match that nobody has played yet.
_UNPLAYED = {
    name: getattr(Match(), name)
    for name in (
        "outcome", "home_level", "away_level", "winner_side", "decided_by", "home_hundredths", "away_hundredths",
        "net_hundredths", "away_net_hundredths", "finer_scores", "finished_at",
    )
}  # fmt: skip


def _told(section: Section, rows: QuerySet[Any], kept: KeptBack) -> QuerySet[Any]:
    """Without what would tell of boards that others have to play."""
    if section.model is Sitting:
        return rows.exclude(pk__in=kept.sittings)
    if section.model is StandingsRun:
        return rows.exclude(stage__rounds__in=kept.rounds)
    return rows.exclude(sitting__in=kept.sittings) if section.model in _OF_SITTINGS else rows


def _rows(section: Section, tournament: Tournament, ids: Ids) -> QuerySet[Any]:
    """All rows of a section; of an event that came from a file those that came with it."""
    rows = section.model._default_manager.filter(**{section.event: tournament})
    return rows if ids.own else rows.filter(ids.came(section.model))


def _public(section: Section, tournament: Tournament, rows: QuerySet[Any]) -> QuerySet[Any]:
    """What of a section is public."""
    shown = tournament.rounds.filter(status__in=_PUBLIC_ROUNDS)
    if section.name == "rounds":
        return rows.filter(status__in=_PUBLIC_ROUNDS)
    if section.name in _OF_ROUNDS:
        return rows.filter(round__in=shown)
    if section.name == "board_results":
        return rows.filter(sitting__round__in=shown)
    if section.name == "ledger":
        return rows.filter(sitting__round__in=shown, status__in=_PUBLIC_STATUSES)
    if section.name == "recorded_hands":
        counting = LedgerEntry.objects.filter(
            sitting=OuterRef("sitting"), hand_no=OuterRef("hand_no"), status=EntryStatus.EFFECTIVE
        )
        return rows.filter(Exists(counting), sitting__round__in=shown)
    if section.model is StandingsRun:
        return rows if tournament.live_public else rows.none()
    if section.model is RuleChange:
        return rows.filter(status=RuleChange.Status.APPLIED)
    if section.model is Ruling:
        return rows.exclude(decided_at=None)
    return rows


def _written(model: type[Model], row: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """A row as it stands in the document: ids as documents have them, dates as texts."""
    return {name: _plain(ids.written(model, name, value)) for name, value in row.items()}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _lots_revealed(tournament: Tournament) -> bool:
    """Whether a publication has shown the seed of the event; earlier stages show seeds of their own. The members of a
    document are told by their names, so it is enough to look for the member in its text."""
    found = Publication.objects.filter(tournament=tournament, document__contains='"seed"')
    documents = found.values_list("document", flat=True)
    return any(tournament.lot_seed in seeds_in(json.loads(document)) for document in documents)


def _names(tournament: Tournament, ids: Ids) -> dict[str, Any]:
    players: dict[int, list[dict[str, str]]] = {}
    for player in Player.objects.filter(entrant__tournament=tournament).order_by("entrant_id", "order"):
        players.setdefault(player.entrant_id, []).append(
            {"name": player.name, "name_latin": player.name_latin, "external_id": player.external_id}
        )
    return {
        "tournament": {"name": tournament.name, "name_latin": tournament.name_latin, "place": tournament.place},
        "entrants": {
            str(ids.written(type(entrant), "id", entrant.pk)): {
                "name": entrant.name,
                "name_latin": entrant.name_latin,
                "unit": entrant.unit,
                "external_id": entrant.external_id,
                "players": players.get(entrant.pk, []),
            }
            for entrant in tournament.entrants.order_by("number")
        },
        "officials": _people(tournament, ids),
    }


def _people(tournament: Tournament, ids: Ids) -> dict[str, str]:
    """Names of the officials by the ids that acts name."""
    held = tournament.officials.select_related("user").order_by("user_id")
    if not ids.own:
        held = held.filter(ids.came(Official))
    return {str(ids.written(User, "id", one.user_id)): str(one.user) for one in held}
