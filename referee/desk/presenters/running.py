"""How the service does, in words for the organiser: what is alive, what is behind, who is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.parts.formats import span
from referee.parts.words import listed
from referee.running import signs
from referee.running.state import DATABASE, REDIS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import timedelta

    from referee.parts.words import Word
    from referee.running.queues import Queue
    from referee.running.state import Part, Running

STANDINGS_WORKER: Final = signs.of_queue("celery")
LONG_WORKER: Final = signs.of_queue("long")
WEBHOOK_WORKER: Final = signs.of_queue("webhooks")
WAKE_WORKER: Final = signs.of_queue("wake")
#: Longer than this nothing waits while all is well, in seconds, by queue.
USUAL: Final[Mapping[str, float]] = {"celery": 10.0, "long": 120.0, "webhooks": 120.0, "wake": 60.0}
#: As long as this a hand may be out of the live standings, in seconds.
USUALLY_STALE: Final = 10.0
GIGABYTE: Final = 1 << 30

#: Kinds of lines, as pills are called.
WELL, BEHIND, BAD, UNKNOWN, NUMBER = "ok", "wait", "bad", "", "note"

LABELS: Final[Mapping[str, Word]] = {
    DATABASE: gettext_lazy("Database"),
    REDIS: gettext_lazy("Messages (Redis)"),
    STANDINGS_WORKER: gettext_lazy("Worker for live standings"),
    LONG_WORKER: gettext_lazy("Worker for draws, paper and files"),
    WEBHOOK_WORKER: gettext_lazy("Worker for webhooks"),
    WAKE_WORKER: gettext_lazy("Worker that wakes phones"),
    signs.BEAT: gettext_lazy("Search for lost work"),
    "celery": gettext_lazy("Standings to work out"),
    "long": gettext_lazy("Draws, paper and files"),
    "webhooks": gettext_lazy("Webhooks to send"),
    "wake": gettext_lazy("Phones to wake"),
}
#: What it means that a part is gone.
MEANS: Final[Mapping[str, Word]] = {
    DATABASE: gettext_lazy("Nothing can be saved or shown until it is back."),
    REDIS: gettext_lazy("Hands are saved and pages go on; live standings and long work wait until it is back."),
    STANDINGS_WORKER: gettext_lazy("Hands are saved; live standings stand still until it is back."),
    LONG_WORKER: gettext_lazy("Large draws, paper, files and copies wait until it is back."),
    WEBHOOK_WORKER: gettext_lazy("Other servers hear of nothing, and miss nothing, until it is back."),
    WAKE_WORKER: gettext_lazy("Open pages hear of everything; phones are not woken until it is back."),
    signs.BEAT: gettext_lazy("What gets lost is not looked for, and no copies are made, until it is back."),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the page: what it is about, how it is (`kind`) in a word, and a sentence where more is to say."""

    key: str
    label: Word
    kind: str
    said: str
    more: Word = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """The page: what is said first, and its lines by panel."""

    kind: str
    said: str
    parts: tuple[Line, ...]
    behind: tuple[Line, ...]
    connected: tuple[Line, ...]


def shown(now: Running, jobs: int) -> Shown:
    """The page of an event; `jobs`: how many pieces of its long work are not done."""
    parts = (*(_part(part, now) for part in now.parts), _room(now))
    behind = tuple(_behind(now, jobs))
    return Shown(*_first(parts, behind, copied=now.copies.problem is None), parts, behind, tuple(_connected(now)))


def _first(parts: tuple[Line, ...], behind: tuple[Line, ...], *, copied: bool) -> tuple[str, str]:
    """The worst there is, in one sentence."""
    if gone := [*(str(line.label) for line in parts if line.kind == BAD), *([] if copied else [_("Copies")])]:
        return BAD, _("Not well: %(parts)s.") % {"parts": listed(gone)}
    if late := [str(line.label) for line in behind if line.kind == BEHIND]:
        return BEHIND, _("Behind: %(parts)s.") % {"parts": listed(late)}
    return WELL, _("All is well.")


def _part(part: Part, now: Running) -> Line:
    label = LABELS[part.name]
    if part.alive is None:
        return Line(part.name, label, UNKNOWN, _("not known while Redis is away"))
    if part.name == DATABASE and now.answered is not None:
        return Line(part.name, label, WELL, _("answers in %(n)s ms") % {"n": max(1, round(now.answered * 1000))})
    if part.name in (DATABASE, REDIS):
        said = _("answers") if part.alive else _("does not answer")
    elif part.age is None:
        said = _("has given no sign of life")
    elif part.alive:
        said = _("at work")
    else:
        said = _("no sign of life for %(span)s") % {"span": span(part.age)}
    return Line(part.name, label, WELL if part.alive else BAD, said, "" if part.alive else MEANS[part.name])


def _room(now: Running) -> Line:
    free = _("%(n)s GB free") % {"n": f"{now.room / GIGABYTE:.1f}"}
    if now.full:
        return Line("disk", _("Disk"), BAD, free, _("It is full: nothing can be saved until there is room."))
    return Line("disk", _("Disk"), WELL, free)


def _behind(now: Running, jobs: int) -> Iterator[Line]:
    if now.stale is not None:
        yield _standings(now.stale)
    for queue in now.queues or ():
        yield _queue(queue)
    if now.shed is not None:
        yield _shed(now.shed)
    said = (
        ngettext("%(n)s is not done yet", "%(n)s are not done yet", jobs) % {"n": jobs} if jobs else _("nothing open")
    )
    yield Line("jobs", _("Long work of this event"), WELL, said)


def _standings(stale: timedelta) -> Line:
    seconds = stale.total_seconds()
    if not seconds:
        return Line("standings", _("Live standings of this event"), WELL, _("up to date"))
    kind = BEHIND if seconds > USUALLY_STALE else WELL
    said = _("behind for %(span)s at most") % {"span": span(seconds)}
    more = _("Every hand is saved; what was entered since is not in the table yet.") if kind == BEHIND else ""
    return Line("standings", _("Live standings of this event"), kind, said, more)


def _queue(queue: Queue) -> Line:
    label, key = LABELS[queue.name], f"queue-{queue.name}"
    if not queue.waiting:
        return Line(key, label, WELL, _("nothing waits"))
    said = ngettext(
        "%(n)s waits, the oldest for %(span)s", "%(n)s wait, the oldest for %(span)s", queue.waiting
    ) % {"n": queue.waiting, "span": span(queue.oldest)}  # fmt: skip
    return Line(key, label, BEHIND if queue.oldest > USUAL[queue.name] else WELL, said)


def _shed(kinds: Mapping[str, int]) -> Line:
    """Who was put off because too many asked at once."""
    label, total = _("Answers to all who ask"), sum(kinds.values())
    if not total:
        return Line("shed", label, WELL, _("nobody was put off"))
    said = ngettext("%(n)s put off in five minutes", "%(n)s put off in five minutes", total) % {"n": total}
    if kinds.get("people"):
        more = _("More hands come in than this server can take: phones send theirs again by themselves.")
    elif kinds.get("programs"):
        more = _("Programs and pages were told to ask again; phones and officials go first.")
    else:
        more = _("Pages were told to ask again in some seconds; hands and officials go first.")
    return Line("shed", label, BEHIND, said, more)


def _connected(now: Running) -> Iterator[Line]:
    label = _("Open pages that hear of changes at once")
    if now.streams is None:
        yield Line("streams", label, UNKNOWN, _("not known while Redis is away"))
    else:
        open_, strangers = now.streams.open, now.streams.strangers
        more = _("%(strangers)s of spectators, %(known)s of officials and phones, in all events of this server.")
        yield Line("streams", label, NUMBER, str(open_), more % {"strangers": strangers, "known": open_ - strangers})
    if now.phones is not None:
        yield Line("phones", _("Phones with a place at a table"), NUMBER, str(now.phones), _("In this event."))
