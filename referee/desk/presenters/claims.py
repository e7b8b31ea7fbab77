"""What waits or is disputed at a table: the accounts side by side, where they differ, and whether that matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.desk.presenters.sitting_words import names_at
from referee.desk.sheets import fact_words, field_words
from referee.parts.names import in_names
from scoring.findings import Refused
from tournaments import queries
from tournaments.access import Act
from tournaments.models import EntryStatus
from tournaments.queries.games import game_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.desk.guard import Desk
    from scoring.profiles import Profile
    from tournaments.models import LedgerEntry, Sitting
    from tournaments.queries.games import State

#: Accounts of a hand that are not settled.
PENDING = (EntryStatus.WAITING, EntryStatus.CONTESTING)


@dataclass(frozen=True, slots=True)
class Claim:
    """One account of a hand that is not settled, with what it would give."""

    entry: LedgerEntry
    sentence: Any
    state: State | None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    field: str
    cells: tuple[str, ...]
    differs: bool


def claims(desk: Desk, sitting: Sitting, pending: Sequence[LedgerEntry]) -> dict[str, Any]:
    """What waits or is disputed: the accounts side by side, which fields differ, and whether that matters."""
    if not pending:
        return {"claims": []}
    profile = sitting.round.tournament.profile
    judged = [judge(sitting, entry) for entry in pending]
    names = [name for name, *_rest in _fields(pending)]
    differing = queries.differing_fields(pending[0].facts, pending[-1].facts) if len(pending) > 1 else ()
    rows = [
        ClaimRow(
            field_words(name, profile),
            tuple(fact_words(name, entry.facts.get(name)) for entry in pending),
            name in differing,
        )
        for name in names
    ]
    entered_by_me = pending[0].entered_by_id == desk.actor.user.pk if desk.actor.user else False
    return {
        "claims": judged,
        "claim_rows": rows,
        "differing": differing,
        "difference_words": difference_words(pending, profile, matters=matters(judged)),
        "may_confirm": len(pending) == 1
        and bool(pending[0].entered_side)
        and not entered_by_me
        and desk.may(Act.CONFIRM_HAND, sitting),
    }


def _fields(pending: Sequence[LedgerEntry]) -> list[tuple[str, ...]]:
    both: dict[str, Any] = {}
    for entry in pending:
        both |= entry.facts
    both.pop("kind", None)
    return [(name,) for name in both]


def judge(sitting: Sitting, entry: LedgerEntry) -> Claim:
    """What an account would give after the ledger as it stands."""
    profile = sitting.round.tournament.profile
    game = game_of(profile)
    try:
        read = game.read_entry(profile, entry.facts)
        conditions = queries.conditions_of(sitting)
        before = queries.sitting_state(sitting, reasons=False)
        state, result = game.step(profile, conditions, before, read, reasons=True)
    except Refused as refused:
        return Claim(entry, refused.message, None)
    return Claim(entry, in_names(result.sentence, names_at(sitting.match)), state)


def matters(judged: Sequence[Claim]) -> bool | None:
    """Whether the accounts lead to different levels, dealers or ends; None when one of them cannot be judged."""
    states = [claim.state for claim in judged]
    if len(states) < 2 or any(state is None for state in states):
        return None
    ends = [(state.position, state.finished) for state in states if state is not None]
    return ends[0] != ends[1]


def difference_words(pending: Sequence[LedgerEntry], profile: Profile, *, matters: bool | None) -> str:
    """What differs between two accounts, and whether it changes the result."""
    if len(pending) < 2:
        return ""
    words = [
        _("%(field)s: %(one)s or %(other)s")
        % {
            "field": field_words(name, profile),
            "one": fact_words(name, pending[0].facts.get(name)),
            "other": fact_words(name, pending[1].facts.get(name)),
        }
        for name in queries.differing_fields(pending[0].facts, pending[1].facts)
    ]
    end = {
        True: _("The difference changes the result."),
        False: _("No level and no dealer changes."),
        None: "",
    }[matters]
    differing = _("; ").join(words)
    return _("%(differing)s. %(verdict)s") % {"differing": differing, "verdict": end} if end else differing
