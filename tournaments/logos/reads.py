"""The logos of an event, with their edges and, for paper, their bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from ..models import Logo, LogoContent, Tournament
from ..models.logos import LogoKind


@dataclass(frozen=True, slots=True)
class Shown:
    """A logo as pages show it: the name says it where no picture is seen; edges in pixels."""

    association: bool
    name: str
    digest: str
    width: int
    height: int


def logos_of(event: Tournament) -> Sequence[Shown]:
    """Those whose bytes are here, the association's first, in one query."""
    rows = Logo.objects.filter(tournament=event).exclude(content=None)
    edges = rows.annotate(width=F("content__width"), height=F("content__height")).order_by("kind", "pk")
    return [Shown(one.kind == LogoKind.ASSOCIATION, one.name, one.digest, one.width, one.height) for one in edges]


def content_of(event: Tournament, digest: str) -> bytes | None:
    """The JPEG of a logo of the event; None where it has no such logo, or not any more."""
    row = LogoContent.objects.filter(logo__tournament=event, logo__digest=digest).first()
    return None if row is None else bytes(row.content)


def contents_of(event: Tournament) -> Sequence[LogoContent]:
    """All of them with their bytes and their logos, the association's first."""
    rows = LogoContent.objects.filter(logo__tournament=event).select_related("logo")
    return list(rows.order_by("logo__kind", "pk"))
