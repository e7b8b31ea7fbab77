"""An event moves from one installation to another and goes on there: its term ends here, the next begins there.

What moves is a file, so neither has to reach the other, and either may have SQLite or PostgreSQL. It holds the event as
it stands, its whole log and the people in it. From the moment it is made nothing is written to the event here. Where it
is taken in, every leaf, head and row is checked first, as what a laptop follows is (`applying`); rows keep their ids,
since the log names them, so they have to be free there (`numbers`).
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import logging
import time
import zlib
from collections import defaultdict, deque
from collections.abc import Container, Mapping
from datetime import datetime
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Max, Model

from ..acts import signing
from ..acts.access import Act
from ..acts.admission import SYSTEM, Actor, admissions, event_elsewhere, require
from ..acts.announce import announce_act
from ..acts.change import Change, Line, commit
from ..acts.errors import BAD_REQUEST, NotFound, Refusal
from ..events.facts import read_slug
from ..log import heads
from ..log.numbering import number_leaves
from ..models import Elsewhere, LogLeaf, LogoContent, PhotoContent, Term, Tournament, User
from ..sittings.moments import one_moment
from . import applying, feed, kept, numbers
from .channel import in_json
from .errors import FollowFailed, bent
from .taking_over import begin

FORMAT: Final = "referee/move/1"
#: So long acts that were let in before the term ended may still be written.
GRACE_SECONDS: Final = 3.0
ADDRESS_LENGTH: Final = 200
#: Columns of a person that go along; ways in but the password stay behind, and so do rights over the installation.
PERSON: Final = (
    "id", "password", "username", "first_name", "last_name", "email", "is_active", "date_joined", "display_name",
    "language",
)  # fmt: skip
#: Bytes that stand beside rows of an event, by the table whose id they have.
CONTENTS: Final[Mapping[str, type[Model]]] = {"logo": LogoContent, "photo": PhotoContent}
logger = logging.getLogger(__name__)

#: Bytes that a file unpacks to at most.
MOST_UNPACKED: Final = 500_000_000
#: Whether the tables are of this role or of one that it belongs to.
OWNER: Final = (
    "SELECT pg_has_role(current_user, relowner, 'USAGE') FROM pg_class WHERE oid = 'tournaments_tournament'::regclass"
)


def move_out(slug: str, to: str, file: Path, *, at: datetime, grace: float = GRACE_SECONDS) -> int:
    """End the term of an event here and write it into a file; how many acts it has. Asked again, it writes it again.

    Refused: as `leave` says.
    """
    leave(slug, to, actor=SYSTEM, at=at)
    acts, sent = parcel(slug, actor=SYSTEM, at=at, grace=grace)
    kept.put_bytes(file, sent)
    return acts


def leave(slug: str, to: str, *, actor: Actor, at: datetime) -> None:
    """End the term of an event here: from now on it says that it goes on at the address `to`.

    Refused: `not_found`, `event_is_a_record`, `move_address`, and where it is not written here.
    """
    with transaction.atomic():
        event = _found(slug, lock=True)
        admitted = require(actor, Act.MOVE_EVENT, tournament=event)
        if event.elsewhere and not event.moved_to:
            raise event_elsewhere(event)
        parts = urlsplit(to)
        if parts.scheme not in ("http", "https") or not parts.netloc or len(to) > ADDRESS_LENGTH:
            raise Refusal("move_address", field="to", status=BAD_REQUEST)
        if not event.elsewhere:
            commit(Change(admitted, None, lines=(Line(Act.MOVE_EVENT, new={"to": to}),)), actor, at)
        Tournament.objects.filter(pk=event.pk).update(elsewhere=Elsewhere.OVER, moved_to=to)
    announce_act(event.pk)


def parcel(slug: str, *, actor: Actor, at: datetime, grace: float = GRACE_SECONDS) -> tuple[int, bytes]:
    """An event that left, as the file that is carried over, and how many acts are in it.

    Refused: `not_found`, `event_not_moved`.
    """
    event = _found(slug)
    require(actor, Act.MOVE_EVENT, tournament=event)
    if not event.moved_to:
        raise Refusal("event_not_moved")
    time.sleep(grace)
    number_leaves(event.pk, at=at)
    said = _document(event, event.moved_to, at)
    return len(said["event"]["leaves"]), gzip.compress(in_json(said))


def stay(slug: str, *, actor: Actor, at: datetime) -> None:
    """The file was taken in nowhere: the event goes on here. Refused: `not_found`, `event_not_moved`."""
    with transaction.atomic():
        event = _found(slug, lock=True)
        admitted = require(actor, Act.MOVE_EVENT, tournament=event)
        if not event.moved_to:
            raise Refusal("event_not_moved")
        line = Line(Act.MOVE_EVENT, old={"to": event.moved_to})
        event.elsewhere = event.moved_to = ""
        Tournament.objects.filter(pk=event.pk).update(elsewhere="", moved_to="")
        commit(Change(admitted, None, lines=(line,)), actor, at)


def may_be_taken_in() -> bool:
    """Whether this process may take events in: only the owner of the tables may take down the guards meanwhile."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(OWNER)
        return bool(cursor.fetchone()[0])


def move_in(
    sent: bytes, *, actor: Actor, at: datetime, chance: Random, slug: str = ""
) -> tuple[Term, Mapping[str, str]]:
    """Take an event in and begin its next term; whole or not at all. With it the accounts whose name somebody else has
    here, and the name they got instead. `slug`: the address it has here, where its own is taken.

    Refused: `move_not_owner`, `not_a_move`, `follow_other_version`, `event_is_here`, `move_slug_taken`,
    `move_ids_taken`, `feed_bent`, and an address that is none.
    """
    require(actor, Act.IMPORT_EVENT, tournament=None)
    if not may_be_taken_in():
        raise Refusal("move_not_owner")
    said = _read(sent)
    try:
        return _taken_in(said, at, chance, read_slug(slug) if slug else "")
    except (LookupError, TypeError, ValueError, AttributeError, DataError, IntegrityError) as error:
        # something is in it that no program of ours wrote; should it be a fault of this one, the log has its kind, and
        # nothing of what the file holds
        logger.warning("a file that moves an event could not be read: %s", type(error).__name__)
        raise FollowFailed("not_a_move") from None


def _taken_in(said: Mapping[str, Any], at: datetime, chance: Random, slug: str) -> tuple[Term, Mapping[str, str]]:
    keys = [Ed25519PublicKey.from_public_bytes(bytes.fromhex(one)) for one in said["keys"]]
    address = slug or said["slug"]
    with transaction.atomic():
        pk = int(said["event"]["event"])
        here = Tournament.objects.select_for_update().filter(pk=pk).first()
        if here is not None and here.lot_commitment == said["lots"] and here.elsewhere != Elsewhere.OVER:
            raise Refusal("event_is_here")
        _refuse_taken(said, here, address)
        own_range = numbers.own_range()
        known = 0 if here is None else _known(pk, said["event"]["leaves"])
        renamed = _people(said["people"], address)
        # its rows say the address that it had: whose it is here has another one until it has its own
        other = Tournament.objects.filter(slug=said["slug"]).exclude(pk=pk).first()
        if other is not None:
            Tournament.objects.filter(pk=other.pk).update(slug=f".{other.pk}")
        one = said["event"] | {
            "leaves": [leaf for leaf in said["event"]["leaves"] if leaf[1] >= known],
            "heads": [head for head in said["event"]["heads"] if head[0] > known],
        }
        applying.keep_event(one, keys, own_ids=True)
        for name, rows in said["versions"].items():
            _put_versions(feed.VERSIONS[name], rows)
        for name, rows in said["contents"].items():
            applying.put(CONTENTS[name], rows)
        _count_on(said)
        numbers.leave(own_range, chance)
        signing.write_down(said["keys"])
        event = Tournament.objects.get(pk=pk)
        event.elsewhere = event.moved_to = ""
        Tournament.objects.filter(pk=pk).update(elsewhere="", moved_to="")
        with admissions():  # the program begins the term: who sends the file again is not asked whether he may
            term = begin(event, SYSTEM, at, slug if slug != event.slug else "")
        if other is not None:
            Tournament.objects.filter(pk=other.pk).update(slug=other.slug)
    number_leaves(pk, at=at)
    heads.keep(event)
    return term, renamed


def _put_versions(model: type[Model], told: Mapping[str, Any]) -> None:
    """Earlier names and the like, in their order. They stand in no log, so each installation numbers them by itself:
    those of an event that comes back keep the numbers they have here, by which followers know them."""
    number, who = (told["columns"].index(one) for one in ("history_id", "id"))
    here = defaultdict[int, deque[int]](deque)
    known = model._default_manager.filter(id__in=set(_ids_of(told, "id"))).order_by("history_id")
    for pk, one in known.values_list("history_id", "id"):
        here[one].append(pk)
    again, new = list[list[Any]](), list[list[Any]]()
    for row in sorted(told["rows"], key=lambda row: row[number]):
        if here[row[who]]:
            again.append([*row[:number], here[row[who]].popleft(), *row[number + 1 :]])
        else:
            new.append(row)
    model._default_manager.filter(pk__in=[pk for left in here.values() for pk in left]).delete()
    applying.put(model, {**told, "rows": again})
    applying.put(model, {**told, "rows": new}, without=("history_id",))


def _found(slug: str, *, lock: bool = False) -> Tournament:
    events = Tournament.objects.select_for_update() if lock else Tournament.objects
    event = events.filter(slug=slug).first()
    if event is None:
        raise NotFound()
    return event


def _document(event: Tournament, to: str, at: datetime) -> dict[str, Any]:
    with one_moment():
        whole = feed.of_event(event.pk, 0)
        # rows that are gone stand in the leaves alone
        whole["leaves"] = [list(leaf) for leaf in whole["leaves"]]
        names = {"entrant": _ids(whole, "entrant"), "player": _ids(whole, "player")}
        versions = {name: feed.VERSIONS[name]._default_manager.filter(id__in=ids) for name, ids in names.items()}
        people = User.objects.filter(pk__in=_people_of(whole)).order_by("pk")
        return {
            "format": FORMAT,
            "version": settings.VERSION,
            "lots": event.lot_commitment,
            "slug": event.slug,
            "to": to,
            "at": at,
            "keys": signing.public_keys(),
            "event": whole,
            "people": {"columns": PERSON, "rows": list(people.values_list(*PERSON))},
            "versions": {name: feed.rows_of(feed.VERSIONS[name], rows) for name, rows in versions.items()},
            "contents": {name: _contents(model, _ids(whole, name)) for name, model in CONTENTS.items()},
        }


def _ids(whole: Mapping[str, Any], table: str) -> list[int]:
    told = whole["rows"].get(table)
    return [] if told is None else _ids_of(told, feed.TABLES[table].model._meta.pk.attname)


def _ids_of(told: Mapping[str, Any], column: str) -> list[int]:
    place = told["columns"].index(column)
    return [row[place] for row in told["rows"]]


def _people_of(whole: Mapping[str, Any]) -> set[int]:
    """Whom the rows name."""
    found = set[int]()
    for table, told in whole["rows"].items():
        fields = feed.TABLES[table].model._meta.concrete_fields
        for name in [field.attname for field in fields if field.related_model is User]:
            place = told["columns"].index(name)
            found |= {row[place] for row in told["rows"] if row[place] is not None}
    return found


def _contents(model: type[Model], ids: list[int]) -> dict[str, Any]:
    told = feed.rows_of(model, model._default_manager.filter(pk__in=ids))
    place = told["columns"].index("content")
    for row in told["rows"]:
        row[place] = base64.b64encode(row[place]).decode()
    return told


def _read(sent: bytes) -> dict[str, Any]:
    try:
        with gzip.open(io.BytesIO(sent)) as packed:
            text = packed.read(MOST_UNPACKED + 1)
        said: dict[str, Any] = json.loads(text if len(text) <= MOST_UNPACKED else b"")
        form, version = said["format"], said["version"]
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, RecursionError):
        raise FollowFailed("not_a_move") from None
    if form != FORMAT:
        raise FollowFailed("not_a_move")
    if version != settings.VERSION:
        raise FollowFailed("follow_other_version")
    return said


def _refuse_taken(said: Mapping[str, Any], here: Tournament | None, address: str) -> None:
    """Every id has to be free, or that of the same row of the same event, and so has the event's address."""
    event, whole = int(said["event"]["event"]), said["event"]
    if here is not None and here.lot_commitment != said["lots"]:
        raise _taken("event", event)
    if Tournament.objects.filter(slug=address).exclude(pk=event).exists():
        raise Refusal("move_slug_taken", field="slug")
    for table in whole["rows"]:
        of = feed.TABLES[table]
        others = of.model._default_manager.filter(pk__in=_ids(whole, table))
        others = others if here is None else others.exclude(**{of.event: event})
        if (one := others.values_list("pk", flat=True).first()) is not None:
            raise _taken(table, one)
    for name, rows in said["contents"].items():
        if not set(_ids_of(rows, f"{name}_id")) <= set(_ids(whole, name)):
            raise bent(name)
    for name, rows in said["versions"].items():
        if not set(_ids_of(rows, "id")) <= set(_ids(whole, name)):
            raise bent(name)
    for person in _persons(said["people"]):
        others = User.objects.filter(pk=person["id"]).exclude(date_joined=person["date_joined"])
        if others.exists():
            raise _taken("account", person["username"])


def _taken(what: str, which: object) -> FollowFailed:
    return FollowFailed(
        "move_ids_taken",
        f"Something else has the number or name of {what} {which} here. An event keeps its numbers, which its log"
        " names: move it to an installation where they are free.",
        f"此处已有别的数据占用 {what} {which} 的编号或名称。赛事的编号写在日志里：请移到编号未被占用的服务中。",
    )


def _persons(people: Mapping[str, Any]) -> list[dict[str, Any]]:
    if tuple(people["columns"]) != PERSON:
        raise bent("account")
    return [dict(zip(PERSON, row, strict=True)) for row in people["rows"]]


def _people(people: Mapping[str, Any], slug: str) -> dict[str, str]:
    """Accounts that are here stay as they are; a new one comes with its password and without any other way in, and with
    the event's address behind its name where somebody else has the name here. What became of such names."""
    there = set(User.objects.values_list("pk", flat=True))
    names = set(User.objects.values_list("username", flat=True))
    new, renamed = [person for person in _persons(people) if person["id"] not in there], {}
    for person in new:
        if (name := person["username"]) in names:
            person["username"] = renamed[name] = _free(name, slug, names)
        names.add(person["username"])
    others = {field.attname: field.get_default() for field in User._meta.concrete_fields if field.attname not in PERSON}
    rows = [[person[column] for column in PERSON] for person in new]
    applying.put(User, {"columns": PERSON, "rows": rows}, **others)
    return renamed


def _free(name: str, slug: str, names: Container[str]) -> str:
    """The name with the event's address behind it, and a number where that is taken too."""
    most = User._meta.get_field("username").max_length or 0
    for number in count(1):
        behind = f".{slug}" if number == 1 else f".{slug}.{number}"
        if (free := name[: most - len(behind)] + behind) not in names:
            return free
    raise AssertionError("unreachable")


def _known(event: int, leaves: list[list[Any]]) -> int:
    """How many of these acts are here: the log of the event as it was moved away from here has to begin it."""
    last = LogLeaf.objects.filter(tournament=event).aggregate(last=Max("number"))["last"]
    known = 0 if last is None else last + 1
    digests = LogLeaf.objects.filter(tournament=event, number__lt=known).order_by("number")
    if [leaf[2] for leaf in leaves[:known]] != list(digests.values_list("digest", flat=True)):
        raise bent("log")
    return known


def _count_on(said: Mapping[str, Any]) -> None:
    """New rows get numbers after those that came, where these are not of a laptop's range, which is never given out
    here. SQLite sees to that by itself."""
    if connection.vendor != "postgresql":
        return
    models = {table: feed.TABLES[table].model for table in said["event"]["rows"]}
    # who has its number from another row gets none of its own
    came = {
        model._meta.db_table: _ids(said["event"], table) for table, model in models.items() if model._meta.auto_field
    }
    came[User._meta.db_table] = [person["id"] for person in _persons(said["people"])]
    with connection.cursor() as cursor:
        for table, ids in came.items():
            most = max((pk for pk in ids if pk < numbers.BELOW), default=0)
            cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [table])
            (sequence,) = cursor.fetchone()
            cursor.execute(f"SELECT setval('{sequence}', %s) FROM {sequence} WHERE last_value <= %s", [most, most])  # noqa: S608
