"""The states a page can show: each has its sign, its word and its weight of fill (colour only helps)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.parts.words import Word


@dataclass(frozen=True, slots=True)
class State:
    """One state: ``tone`` is a CSS class of the pill ("" is the quiet well), ``icon`` a name in the sprite."""

    tone: str
    icon: str
    word: Word


STATES: Final[Mapping[str, State]] = {
    "empty": State("off", "clock", _("Empty")),
    "loading": State("", "hourglass", _("Loading")),
    "online": State("ok", "network", _("Online")),
    "offline": State("off", "no-network", _("Offline")),
    "lost": State("off", "no-network", _("Lost")),
    "unsent": State("wait", "upload", _("Unsent")),
    "sent": State("wait", "hourglass", _("Sent")),
    "playing": State("", "clock", _("Playing")),
    "waiting": State("wait", "hourglass", _("Waiting")),
    "confirmed": State("ok", "tick", _("Confirmed")),
    "sent_back": State("bad", "diamond", _("Sent back")),
    "dispute": State("bad", "diamond", _("Dispute")),
    "referee": State("bad", "gavel", pgettext_lazy("at this table now", "Referee")),
    "call": State("bad", "bell", _("Call")),
    "stale": State("note", "pen", _("Stale")),
    "refused": State("bad", "cross", _("Refused")),
    "finished": State("ok", "flag", _("Finished")),
    "signed": State("ok", "tick", _("Signed")),
    "closed": State("", "lock", _("Closed")),
    "corrected": State("note", "pen", _("Corrected")),
    "ruled": State("note", "gavel", _("Ruling")),
    "second_official": State("note", "pen", _("Second official")),
    "void": State("", "cross", pgettext_lazy("said of a hand", "Void")),
    "not_started": State("off", "clock", _("Not started")),
    "draft": State("off", "pen", _("Draft")),
    "live": State("", "network", pgettext_lazy("said of standings", "Live")),
    "provisional": State("wait", "hourglass", _("Provisional")),
    "published": State("ok", "lock", _("Published")),
    "replaced": State("note", "pen", _("Replaced")),
    "final": State("ok", "lock", pgettext_lazy("said of standings", "Final")),
    "appeal": State("note", "gavel", _("Under appeal")),
}
