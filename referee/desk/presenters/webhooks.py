"""How servers elsewhere answer, in words: what they said, how long ago, and when the next try is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.parts.formats import age, span
from tournaments.models import HookState
from tournaments.models.webhooks import HookKind, StoppedBy
from tournaments.webhooks.reads import shown_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from referee.parts.words import Word
    from tournaments.models import HookDelivery, Tournament, Webhook
    from tournaments.webhooks.reads import Shown

#: What went wrong, where their server said no number.
TROUBLE: Final[Mapping[str, Word]] = {
    "no_name": gettext_lazy("no server has that name"),
    "not_allowed": gettext_lazy("the address leads into a private network, where nothing is sent"),
    "no_connection": gettext_lazy("their server could not be reached"),
    "slow": gettext_lazy("their server took longer than ten seconds"),
    "tls": gettext_lazy("their certificate is not good"),
    "broken": gettext_lazy("their server gave no answer that can be read"),
    "secret": gettext_lazy("the secret cannot be read any more: make a new one"),
}
#: Why nothing is sent.
STOPPED: Final[Mapping[str, Word]] = {
    StoppedBy.DESK: gettext_lazy("Stopped at the desk."),
    StoppedBy.FAILING: gettext_lazy("Stopped by itself: for three days nothing got through."),
    StoppedBy.GONE: gettext_lazy("Stopped by itself: their server said that it wants no more (410)."),
}


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A message that was given up: its number in the feed, what went wrong, and whether it is being sent again."""

    line: int
    said: str
    again: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An address: how it is (`kind` as pills are called, `word`), sentences below it, its test, what was given up."""

    hook: Webhook
    kinds: Sequence[Word]
    kind: str
    word: str
    said: Sequence[str]
    test: str
    testing: bool
    holds_up: bool
    dead: Sequence[GivenUp]
    more_dead: int


def shown(event: Tournament, now: datetime) -> list[Line]:
    """The addresses of an event as its page shows them."""
    return [_line(one, now) for one in shown_of(event)]


def _line(one: Shown, now: datetime) -> Line:
    kind, word = _state(one)
    dead = [GivenUp(row.number or 0, _outcome(row, now), row.state == HookState.WAITING) for row in one.dead]
    return Line(
        hook=one.hook,
        kinds=[HookKind(name).label for name in one.hook.kinds],
        kind=kind,
        word=word,
        said=list(_said(one, now)),
        test="" if one.test is None else _outcome(one.test, now),
        testing=one.test is not None and one.test.state == HookState.WAITING,
        holds_up=one.turn is not None and one.turn.tries > 0,
        dead=dead,
        more_dead=max(0, one.dead_count - len(dead)),
    )


def _state(one: Shown) -> tuple[str, str]:
    if one.hook.stopped_at is not None:
        return "bad", _("stopped")
    if one.hook.failing_since is not None:
        return "wait", _("fails")
    return ("ok", _("works")) if one.last is not None else ("note", _("nothing sent yet"))


def _said(one: Shown, now: datetime) -> list[str]:
    """What stands below the address, the worst first."""
    said = []
    if one.hook.stopped_at is not None:
        said.append(str(STOPPED[one.hook.stopped_by]))
    if one.turn is not None and one.turn.tries:
        said.append(_outcome(one.turn, now))
        if one.hook.stopped_at is None:
            said.append(_next_try(one.turn, now))
    elif one.last is not None:
        said.append(_outcome(one.last, now))
    if one.behind and (one.hook.stopped_at or one.turn is not None):
        words = ngettext("%(n)s act of the log waits behind it.", "%(n)s acts of the log wait behind it.", one.behind)
        said.append(words % {"n": one.behind})
    return said


def _next_try(row: HookDelivery, now: datetime) -> str:
    left = (row.due_at - now).total_seconds()
    return _("Next try in %(time)s.") % {"time": span(left)} if left >= 1 else _("The next try is due now.")


def _outcome(row: HookDelivery, now: datetime) -> str:
    """What came of the last try, and how long ago: ``their server said 500, 3 min ago``."""
    if row.tried_at is None:
        return _("on its way")
    return _("%(said)s, %(ago)s") % {"said": _answer(row), "ago": age(row.tried_at, now)}


def _answer(row: HookDelivery) -> str:
    if row.answer is None:
        return str(TROUBLE.get(row.trouble, row.trouble))
    if row.trouble == "redirect":
        return _("their server said %(status)s and points elsewhere, which is not followed") % {"status": row.answer}
    if not row.trouble:
        return _("their server took it (%(status)s)") % {"status": row.answer}
    return _("their server said %(status)s") % {"status": row.answer}
