"""Paper is set by typst from a template of this folder and data that hold no clock: the same record, the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import typst

from scoring.values import Text

from ...models import Round, Tournament

HERE = Path(__file__).parent


class Named(Protocol):
    """An entrant or a player."""

    name: str
    name_latin: str


@cache
def fonts() -> typst.Fonts:
    """The font package and the fonts of the system, looked for once: that takes longer than a page."""
    package = find_spec("noto_cjk_sans_otc")
    return typst.Fonts(font_paths=list(package.submodule_search_locations or ()) if package else [])


def set_pages(template: str, data: Mapping[str, Any], at: datetime) -> bytes:
    """A PDF from a template of this folder; the same data and time give the same bytes."""
    return _set(template, data, timestamp=int(at.timestamp()))


def set_picture(template: str, data: Mapping[str, Any]) -> bytes:
    """A PNG of the one page of a template of this folder, a pixel for each of its points."""
    return _set(template, data, format="png", ppi=72)


def _set(template: str, data: Mapping[str, Any], **how: Any) -> bytes:
    words = {"data": json.dumps(data, ensure_ascii=False)}
    made = typst.compile(str(HERE / template), root=str(HERE), font_paths=fonts(), sys_inputs=words, **how)
    if not isinstance(made, bytes):
        raise TypeError(f"{template} is not one page")
    return made


def language_of(event: Tournament) -> str:
    """The first language of the event's paper: ``"zh"`` or ``"en"``."""
    return "en" if event.language.startswith("en") else "zh"


def common(event: Tournament) -> dict[str, Any]:
    """What every paper says of its event."""
    return {"first": language_of(event), "event": event.name, "event_latin": event.name_latin}


def moment(at: datetime, event: Tournament) -> str:
    """``2026-05-01 17:00`` in the event's zone."""
    return at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%d %H:%M")


def name_on_paper(thing: Named, event: Tournament) -> str:
    """The name as entered; the Latin one on English paper, where there is one."""
    return thing.name_latin if thing.name_latin and language_of(event) == "en" else thing.name


def capital(text: Text) -> Text:
    """A title as the head of a column."""
    return {"zh": text["zh"], "en": text["en"][:1].upper() + text["en"][1:]}


def by_name(name: str) -> tuple[bool, bytes]:
    """Latin names by letter, then Chinese ones: GB 18030 keeps the common characters in the order of pinyin."""
    return not name.isascii(), name.casefold().encode("gb18030")


def dated(round_: Round) -> tuple[int, datetime]:
    """The number of the pairing that stands and when it appeared; a draft has number 0 and the event's beginning."""
    newest = round_.pairings.order_by("-number").first()
    if newest is None:
        return 0, round_.tournament.created_at
    return newest.number, newest.published_at
