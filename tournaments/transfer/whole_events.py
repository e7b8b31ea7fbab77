"""Reading a whole event from its official export: strict, every finding with the path of its field, nothing written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import translation

from scoring import penalties
from scoring.hands.findings import Finding, Refused, refusal
from scoring.values import Text
from scoring.wording import both

from ..acts.origins import target_of
from ..acts.text import NoText, TextProblem, TooDeep, clean_line, plain_number
from ..audit.record import FORMAT, file_digest, record_digest
from ..audit.sections import BY_MODEL, EVENT_OFFICIAL, EVENT_PUBLIC, SECTIONS, Section
from ..models import Entrant, Player, Stage, Tournament, User
from ..people.imports import MAX_PLAYERS
from ..plans.plan import findings_of as plan_findings
from .json_members import PIECE, NoObject, NotJson, TooMuch, members

LARGEST_FILE = 64_000_000
#: Values in a file at most, counted before it is read: an export has one in fifteen bytes, and each costs memory.
MOST_VALUES = 4_500_000
#: So many findings are told; a file that has more is no better known by all of them.
MOST_FINDINGS = 50
#: So many rows that have other members than a row of theirs has, and the file is no export of this version.
MOST_STRANGE = 50
_OPTIONAL = ("lot_seed", "exported_at")

_KNOWN = frozenset({
    "format", "scope", "tournament", "names", "digest", "file_digest", *_OPTIONAL, *(one.name for one in SECTIONS)
})  # fmt: skip
#: What every row of a section has.
_MEMBERS: Mapping[str, frozenset[str]] = {
    one.name: frozenset((*one.columns(official=True), *one.always)) for one in SECTIONS
}
_NOT_THIS_VERSION: Text = both(
    "Too many rows, this one first, are not as an event of this version has them: export the event again.",
    "从这一行起，太多行与当前版本的导出格式不符，请用现在的版本重新导出。",
)

Row = dict[str, Any]


@dataclass(slots=True)
class EventFile:
    """An event as its file states it: rows by section with values as the database takes them; ids as in the file.

    With any finding the rest may be incomplete and must not be used.
    """

    document: Mapping[str, Any]
    event: Row = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    names: Mapping[str, Any] = field(default_factory=dict)
    people: set[int] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    #: rows that have other members than their section, and where the first of them stands
    strange: int = 0
    first_strange: str = ""

    def find(self, code: str, path: str, en: str, zh: str) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(refusal(code, path, en, zh))


@dataclass(frozen=True, slots=True)
class Glance:
    """What can be said of a file without reading it: the digest and number of its bytes, and why it is no export."""

    digest: str
    size: int
    finding: Finding | None


#: How every export says what it is, wherever that stands in it.
_SAYS = re.compile(rb'"format"\s*:\s*"' + FORMAT.replace("/", r"\\?/").encode() + rb'"')
_SAYS_LENGTH = 100


def glance(source: BinaryIO) -> Glance:
    """Look through a file from its start, holding a piece at a time."""
    digest, size, first, says, before = hashlib.sha256(), 0, b"", False, b""
    source.seek(0)
    for piece in pieces_of(source):
        digest.update(piece)
        size += len(piece)
        first = first or piece.lstrip()[:1]
        says = says or _SAYS.search(before + piece) is not None
        before = piece[-_SAYS_LENGTH:]
    file = EventFile({})
    if size > LARGEST_FILE:
        _tell_size(file)
    elif first == b"[":
        _tell_kind(file)
    elif first != b"{":
        _tell_no_json(file)
    elif not says:
        _tell_format(file)
    return Glance(digest.hexdigest(), size, next(iter(file.findings), None))


def pieces_of(source: BinaryIO) -> Iterator[bytes]:
    """What is left of a file, a piece at a time."""
    while piece := source.read(PIECE):
        yield piece


def read_event(pieces: Iterable[bytes]) -> EventFile:
    """The event in an official export with names, given in pieces, and every problem found in it."""
    file = EventFile({})
    document = _parsed(pieces, file)
    if file.findings:
        return file
    file.document = document
    if not _right_kind(file):
        return file
    file.event = _read_row(file, Tournament, (*EVENT_PUBLIC, *EVENT_OFFICIAL), document.get("tournament"), "tournament")
    for section in SECTIONS:
        file.rows[section.name] = _read_section(file, section)
    if not file.findings:
        _check_ids(file)
        _check_rules(file)
        _read_names(file)
    if not file.findings:
        _check_digests(file)
    return file


def _parsed(pieces: Iterable[bytes], file: EventFile) -> dict[str, Any]:
    """The document in a file, of which what does not belong there is named and not kept."""
    document: dict[str, Any] = {}
    try:
        for name, place, value in members(pieces, most_bytes=LARGEST_FILE, most_values=MOST_VALUES):
            if place is None:
                document[name] = value if name in _KNOWN else None
            else:
                _note_strange(file, name, place, value)
                if name in _KNOWN:
                    document[name].append(value)
            if file.strange > MOST_STRANGE:
                file.find("not_this_version", file.first_strange, *_NOT_THIS_VERSION.values())
                break
    except TooMuch as much:
        _tell_size(file) if much.what == "bytes" else _tell_values(file)
    except NoText:
        file.find("bad_text", "", "The file holds characters that no text has.", "文件里有文字中不应有的字符。")
    except TooDeep:
        file.find("not_json", "", "The file is nested too deeply.", "文件嵌套太深。")
    except NotJson as error:
        _tell_no_json(file, error.place)
    except NoObject:
        _tell_kind(file)
    return document


def _note_strange(file: EventFile, name: str, place: int, row: Any) -> None:
    """Count the rows that have other members than their section has, or stand in none."""
    if not isinstance(row, dict) or row.keys() != _MEMBERS.get(name):
        file.strange += 1
        file.first_strange = file.first_strange or f"{name}[{place}]"


def _tell_size(file: EventFile) -> None:
    most = LARGEST_FILE // 1_000_000
    file.find("file_too_large", "", f"At most {most} MB.", f"文件最大 {most} MB。")


def _tell_values(file: EventFile) -> None:
    en = f"The file holds more than {MOST_VALUES:,} values, or more at one place than an event has."
    file.find("file_too_large", "", en, f"文件里超过 {MOST_VALUES:,} 个值，或一处的内容超出了赛事所需。")


def _tell_no_json(file: EventFile, at: tuple[int, int] | None = None) -> None:
    place = "" if at is None else f" (line {at[0]}, column {at[1]})"
    file.find("not_json", "", f"The file is no JSON in UTF-8{place}.", f"文件不是 UTF-8 的 JSON{place}。")


def _tell_kind(file: EventFile) -> None:
    file.find("not_an_event", "", "This is no export of an event.", "这不是赛事的导出文件。")


def _tell_format(file: EventFile) -> None:
    en = f"The format must be {FORMAT}: export the event again with this version."
    file.find("unknown_format", "format", en, f"格式应是 {FORMAT}，请用现在的版本重新导出。")


def _right_kind(file: EventFile) -> bool:
    """Whether it is an official export of this version, with names."""
    document = file.document
    if document.get("format") != FORMAT:
        _tell_format(file)
    elif document.get("scope") != "official":
        en = "This is the public export: it leaves out what an event is made of. Use the export of its organiser."
        file.find("not_official", "scope", en, "这是公开的导出，内容不全。请用主办方导出的文件。")
    elif not isinstance(document.get("names"), dict):
        en = "The export has no names. Use the one of the organiser."
        file.find("no_names", "names", en, "导出文件没有姓名，请用主办方导出的文件。")
    for name in sorted(set(document) - _KNOWN):
        file.find("unknown_field", name[:40], "This does not belong here.", "这里不应有这一项。")
    return not file.findings


def _read_section(file: EventFile, section: Section) -> list[Row]:
    held = file.document.get(section.name, [] if section.later else None)
    if not isinstance(held, list):
        file.find("missing", section.name, "A list of rows is needed.", "这里要有一个列表。")
        return []
    columns = section.columns(official=True)
    rows = []
    for at, row in enumerate(held):
        path = f"{section.name}[{at}]"
        rows.append(_read_row(file, section.model, columns, _without(file, section.always, row, path), path))
    seen: set[Any] = set()
    for at, row in enumerate(rows):
        if row.get("id") in seen:
            file.find("id_twice", f"{section.name}[{at}].id", "This id is there twice.", "这个编号出现了两次。")
        seen.add(row.get("id"))
    return rows


def _without(file: EventFile, always: Mapping[str, None], held: object, path: str) -> object:
    """A row without the members that say the same in every row; each has to be there and to say just that."""
    if not isinstance(held, dict):
        return held
    for name, value in always.items():
        if name not in held:
            file.find("missing", f"{path}.{name}", "This is missing.", "缺少这一项。")
        elif held[name] != value:
            file.find("bad_value", f"{path}.{name}", "This is always empty.", "这一项总是空的。")
    return {name: value for name, value in held.items() if name not in always}


def _read_row(file: EventFile, model: type[models.Model], columns: tuple[str, ...], held: object, path: str) -> Row:
    """The columns of a row as the database takes them."""
    if not isinstance(held, dict):
        file.find("wrong_type", path, "An object is needed.", "这里要是一个对象。")
        return {}
    for name in sorted(set(held) - set(columns)):
        file.find("unknown_field", f"{path}.{name[:40]}", "This does not belong here.", "这里不应有这一项。")
    row: Row = {}
    for name in columns:
        if name not in held:
            file.find("missing", f"{path}.{name}", "This is missing.", "缺少这一项。")
            continue
        column = model._meta.get_field(
            name.removesuffix("_id") if target_of(model, name) not in (None, model) else name
        )
        try:
            row[name] = _value(column, held[name])
        except ValidationError as error:
            file.find("bad_value", f"{path}.{name}", *_said(error))
    return row


def _value(column: Any, value: Any) -> Any:
    """The value of one column; ValidationError when it cannot stand there."""
    if value is None:
        if column.null:
            return None
        raise ValidationError("A value is needed.", params={"zh": "这里要有值。"})
    if isinstance(column, models.ForeignKey | models.OneToOneField | models.BigAutoField):
        return _typed(
            value, int, "A whole number from 1 on.", "要是从 1 起的整数。", value_is=lambda one: 0 < one < 2**62
        )
    if isinstance(column, models.JSONField):
        return value
    if isinstance(column, models.DateTimeField):
        return _moment(value)
    if isinstance(column, models.DateField):
        try:
            return date.fromisoformat(_typed(value, str, "A date.", "要是日期。"))
        except ValueError:
            raise ValidationError("A date.", params={"zh": "要是日期。"}) from None
    if isinstance(column, models.BooleanField):
        return _typed(value, bool, "True or false.", "要是 true 或 false。")
    if isinstance(column, models.IntegerField):
        _typed(value, int, "A whole number.", "要是整数。")
    else:
        _typed(value, str, "A text.", "要是文字。")
    if value == "" and not column.blank:
        # texts that may be empty only by a rule of the table are left to the table
        return value
    column.run_validators(value)
    if column.choices and value not in dict(column.flatchoices) and value != "":
        raise ValidationError("It is none of the values that may stand here.", params={"zh": "不是这里可以有的值。"})
    return value


def _typed(value: Any, kind: type, en: str, zh: str, *, value_is: Any = None) -> Any:
    if type(value) is not kind or (value_is is not None and not value_is(value)):
        raise ValidationError(en, params={"zh": zh})
    return value


def _moment(value: Any) -> datetime:
    """A time with its zone, spelt as exports spell it."""
    en, zh = "A time with its zone, as 2026-05-01T09:00:00+00:00.", "要是带时区的时间，如 2026-05-01T09:00:00+00:00。"
    try:
        moment = datetime.fromisoformat(_typed(value, str, en, zh))
    except ValueError:
        raise ValidationError(en, params={"zh": zh}) from None
    if moment.tzinfo is None or moment.isoformat() != value:
        raise ValidationError(en, params={"zh": zh})
    return moment


def _said(error: ValidationError) -> tuple[str, str]:
    """The sentence of a finding in both languages."""
    params = getattr(error, "params", None) or {}
    if "zh" in params:
        return error.messages[0], str(params["zh"])
    with translation.override("en"):
        en = error.messages[0]
    with translation.override("zh-hans"):
        zh = error.messages[0]
    return en, zh


def _check_ids(file: EventFile) -> None:
    """Whatever an id points to is in the file; people are noted."""
    known = {section.name: {row["id"] for row in file.rows[section.name]} for section in SECTIONS}
    for path, target, value in _pointers(file):
        if target is User:
            file.people.add(value)
        elif target is not Tournament and value not in known[BY_MODEL[target].name]:
            file.find("points_nowhere", path, "It points to nothing in the file.", "它指向的内容不在文件里。")


def _pointers(file: EventFile) -> Iterator[tuple[str, type[models.Model], int]]:
    """Every id that points to another row: where, to what, which."""
    tables: list[tuple[str, type[models.Model], list[Row]]] = [("tournament", Tournament, [file.event])]
    tables += [(section.name, section.model, file.rows[section.name]) for section in SECTIONS]
    for name, model, rows in tables:
        for at, row in enumerate(rows):
            for column, value in row.items():
                target = target_of(model, column) if column != "id" and value is not None else None
                if target is not None:
                    yield f"{name}[{at}].{column}" if model is not Tournament else f"{name}.{column}", target, value


def _check_rules(file: EventFile) -> None:
    """Plans and the schedule of penalties can be read."""
    for at, row in enumerate(file.rows[BY_MODEL[Stage].name]):
        for found in plan_findings(row["plan"], f"stages[{at}].plan"):
            file.find(found.code, found.field, found.message["en"], found.message["zh"])
    if file.event["penalties"] is not None:
        try:
            penalties.load(file.event["penalties"])
        except Refused as refused:
            first = refused.findings[0]
            file.find(first.code, "tournament.penalties", first.message["en"], first.message["zh"])


def _read_names(file: EventFile) -> None:
    """Names of the event, of every entrant with its players, and of officials."""
    names = file.document["names"]
    file.names = names
    shape = {"tournament": dict, "entrants": dict, "officials": dict}
    for name, kind in shape.items():
        if not isinstance(names.get(name), kind):
            file.find("wrong_type", f"names.{name}", "An object is needed.", "这里要是一个对象。")
    if file.findings or set(names) != set(shape):
        if not file.findings:
            file.find("unknown_field", "names", "Something does not belong here.", "这里有不应有的内容。")
        return
    _names_of(file, Tournament, names["tournament"], ("name", "name_latin", "place"), "names.tournament")
    entrants = {str(row["id"]) for row in file.rows[BY_MODEL[Entrant].name]}
    for entrant in sorted(entrants ^ set(names["entrants"])):
        file.find("names_differ", f"names.entrants.{entrant[:20]}", *_ONE_NAME.values())
    for entrant, one in names["entrants"].items():
        _entrant_names(file, one, f"names.entrants.{entrant[:20]}")
    for person, name in names["officials"].items():
        path = f"names.officials.{person[:20]}"
        if plain_number(person, 18) not in file.people:
            file.find("names_differ", path, *_ONE_NAME.values())
        _line(file, name, User._meta.get_field("display_name").max_length or 0, path)


_ONE_NAME: Text = both(
    "Every entrant and official has one name, and nobody else.", "每个参赛方、裁判各有一个名字，不多不少。"
)


def _entrant_names(file: EventFile, held: Any, path: str) -> None:
    if not isinstance(held, dict) or not isinstance(held.get("players"), list):
        file.find("wrong_type", path, "Names and a list of players are needed.", "这里要有名称和选手列表。")
        return
    own = {name: value for name, value in held.items() if name != "players"}
    _names_of(file, Entrant, own, ("name", "name_latin", "unit", "external_id"), path)
    if len(held["players"]) > MAX_PLAYERS:
        file.find("too_many_players", f"{path}.players", f"At most {MAX_PLAYERS}.", f"最多 {MAX_PLAYERS} 人。")
    for at, player in enumerate(held["players"]):
        _names_of(file, Player, player, ("name", "name_latin", "external_id"), f"{path}.players[{at}]")


def _names_of(file: EventFile, model: type[models.Model], held: Any, columns: tuple[str, ...], path: str) -> None:
    if not isinstance(held, dict) or set(held) != set(columns):
        file.find("wrong_type", path, f"It has {', '.join(columns)}.", f"这里要有 {'、'.join(columns)}。")
        return
    for name in columns:
        column: Any = model._meta.get_field(name)
        if held[name] is None and column.null:
            continue
        _line(file, held[name], column.max_length, f"{path}.{name}", required=not column.blank)


def _line(file: EventFile, value: Any, longest: int, path: str, *, required: bool = False) -> None:
    """A name as the product keeps them."""
    try:
        if clean_line(value, max_length=longest, required=required) != value:
            file.find("bad_name", path, "The name is not spelt as names are kept.", "名字的写法不规范。")
    except TextProblem as problem:
        file.find(problem.code, path, problem.message["en"], problem.message["zh"])


def _check_digests(file: EventFile) -> None:
    """The file is as it was written. Told last: by then it is known that everything in it can be read."""
    for name, digest in (("digest", record_digest), ("file_digest", file_digest)):
        if file.document.get(name) != digest(file.document):
            en = "The file was changed after it was written: its digest is another."
            file.find("digest_differs", name, en, "文件写出后被改动过，摘要码不符。")
