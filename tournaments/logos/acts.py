"""The organiser gives logos with their names, and takes them away again."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import PAGES_MOVED, Add, Change, Line, Remove, RemoveAll, carry_out
from ..acts.errors import BAD_REQUEST, CONFLICT, NotFound, Refusal, clean_text
from ..acts.rows import find_tournament
from ..evidence.pictures import kept
from ..models import Logo, LogoContent
from ..models.logos import LogoKind

#: Logos of each kind.
MOST: Final = {LogoKind.ASSOCIATION: 1, LogoKind.SPONSOR: 6}
NAME_LIMIT: Final = 60
#: Pixels of the longer edge as it is kept: sharp on a wall and on A3.
EDGE: Final = 900
#: An SVG says so near its beginning; it is only looked for to tell why it is refused.
_HEAD: Final = 4096


def add(*, tournament_id: int, actor: Actor, at: datetime, kind: str, name: str, file: bytes) -> Logo:
    """Show a logo. The same picture again is the same one.

    Refused: `bad_logo`, `logo_is_svg`, `too_many_logos`, whatever `pictures.kept` refuses, and a name that is none.
    """
    if kind not in LogoKind.values:
        raise Refusal("bad_logo", field="kind", status=BAD_REQUEST)
    name = clean_text(name, "name", limit=NAME_LIMIT, required=True)
    require(actor, Act.SET_LOGOS, tournament=find_tournament(tournament_id))  # nothing is decoded for who may not
    if b"<svg" in file[:_HEAD].lower():
        raise Refusal("logo_is_svg", field="photo", status=BAD_REQUEST)
    seen = kept(file, EDGE)

    def decide() -> Change[Logo]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.SET_LOGOS, tournament=event)
        if (same := Logo.objects.filter(tournament=event, digest=seen.digest).first()) is not None:
            return Change(admitted, same)
        if Logo.objects.filter(tournament=event, kind=kind).count() >= MOST[LogoKind(kind)]:
            raise Refusal("too_many_logos", field="kind", status=CONFLICT)
        logo = Logo(tournament=event, kind=kind, name=name, digest=seen.digest, added_at=at, added_by=actor.user)
        content = LogoContent(logo=logo, content=seen.data, width=seen.width, height=seen.height)
        line = Line(Act.SET_LOGOS, new={"kind": kind, "name": name})
        return Change(admitted, logo, (Add(logo), Add(content)), (line,), PAGES_MOVED)

    return carry_out(decide, actor, at)


def remove(*, tournament_id: int, actor: Actor, at: datetime, digest: str) -> Logo:
    """Take a logo away, with its bytes."""

    def decide() -> Change[Logo]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.SET_LOGOS, tournament=event)
        logo = Logo.objects.filter(tournament=event, digest=digest).first()
        if logo is None:
            raise NotFound()
        line = Line(Act.SET_LOGOS, old={"kind": logo.kind, "name": logo.name})
        writes = (RemoveAll(LogoContent, {"logo": logo}), Remove(logo))
        return Change(admitted, logo, writes, (line,), PAGES_MOVED)

    return carry_out(decide, actor, at)
