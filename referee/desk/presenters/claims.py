"""What waits or is disputed at a table: the accounts side by side, where they differ, and whether that matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from referee.desk.presenters.sitting_words import after_words, names_at
from referee.hands.words import DESK, field_word
from referee.parts.formats import exact
from referee.parts.kept import SETTLED
from referee.parts.names import in_names
from referee.parts.words import SIDES, in_language
from scoring.sittings.states import EntryResult
from tournaments.acts.access import Act
from tournaments.ledger import disputes
from tournaments.models import EntryStatus, LedgerEntry
from tournaments.sittings.records import ledgers_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from referee.desk.guard import Desk
    from scoring.profiles import Profile
    from tournaments.models import Sitting

#: Between the sum of a hand and its outcome in the kernel's sentence.
ARROW: Final = " → "


@dataclass(frozen=True, slots=True)
class Account:
    """One account of a hand: whose it is (`side`, else `by`), and in words what it gives. `sent_back`: the other side
    did not agree to it. `settles` is what the button says that settles by it, `brief` its outcome in short."""

    entry: LedgerEntry
    side: str
    by: str
    at: datetime
    sentence: str
    then: str
    brief: str
    settles: str
    sent_back: bool


@dataclass(frozen=True, slots=True)
class DifferingField:
    """A field in which the accounts differ, with the value in each."""

    field: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claims:
    """The accounts of one hand. `matters` is None where it cannot be told; `verdict` says what it does to the result;
    `same` are the fields in which they agree, in words."""

    hand: int | None
    accounts: tuple[Account, ...]
    rows: tuple[DifferingField, ...]
    same: str
    matters: bool | None
    verdict: str

    @property
    def sent_back(self) -> bool:
        return all(one.sent_back for one in self.accounts)


def shown(sitting: Sitting, found: Sequence[disputes.Claim]) -> Claims:
    """The accounts of a hand side by side."""
    profile, names = sitting.round.tournament.profile, names_at(sitting.match)
    entries = [one.entry for one in found]
    differing = disputes.differing(entries)
    facts: dict[str, Any] = {}
    for entry in entries:
        facts |= entry.facts
    facts.pop("kind", None)
    agreed = [(name, value) for name, value in facts.items() if name not in differing]
    figure = differing[0] if len(differing) == 1 else None
    matters = disputes.matters(found)
    return Claims(
        hand=entries[0].hand_no if entries else None,
        accounts=tuple(_account(one, names, figure) for one in found),
        rows=tuple(
            DifferingField(
                field_word(name, profile), tuple(DESK.says(name, entry.facts.get(name)) for entry in entries)
            )
            for name in differing
        ),
        same=" · ".join(f"{field_word(name, profile)} {DESK.says(name, value)}" for name, value in agreed),
        matters=matters,
        verdict=_verdict([_outcome(one, names) for one in found], matters=matters),
    )


def _account(claim: disputes.Claim, names: Mapping[str, str], figure: str | None) -> Account:
    entry, result = claim.entry, claim.result
    total = result.total if isinstance(result, EntryResult) else None
    outcome = _outcome(claim, names)
    return Account(
        entry=entry,
        side=entry.entered_side,
        by=str(entry.entered_by or ""),
        at=entry.entered_at,
        sentence=_sentence(claim, names),
        then="" if result is None else in_names(after_words(result), names),
        brief=outcome
        if total is None
        else _("%(total)s: %(outcome)s") % {"total": exact(int(total.raw)), "outcome": outcome},
        settles=_settles(entry, figure),
        sent_back=entry.status == EntryStatus.RETURNED,
    )


def _sentence(claim: disputes.Claim, names: Mapping[str, str]) -> str:
    if claim.result is not None:
        return in_names(claim.result.sentence, names)
    return in_language(claim.refused) if claim.refused is not None else ""


def _outcome(claim: disputes.Claim, names: Mapping[str, str]) -> str:
    """What a hand leads to, without its sum."""
    sentence = _sentence(claim, names)
    return sentence.partition(ARROW)[2] or sentence


def _settles(entry: LedgerEntry, figure: str | None) -> str:
    """By the figure where the accounts differ in one field only, else by who says so."""
    if figure is not None:
        return _("Set %(value)s") % {"value": DESK.says(figure, entry.facts.get(figure))}
    return _("As %(side)s say") % {"side": SIDES.get(entry.entered_side, entry.entered_by)}


def _verdict(outcomes: Sequence[str], *, matters: bool | None) -> str:
    """Whether the difference matters, and what it does to the result."""
    if matters is None:
        return ""
    one_outcome = len(set(outcomes)) == 1
    if matters and one_outcome:
        return _("It matters: the levels or the dealer differ.")
    if matters:
        return _("It matters: %(one)s, or %(other)s.") % {"one": outcomes[0], "other": outcomes[-1]}
    if one_outcome:
        return _("It does not matter: %(outcome)s, either way.") % {"outcome": outcomes[0]}
    return _("It does not matter: no level and no dealer changes.")


def at_table(desk: Desk, sitting: Sitting) -> dict[str, Any]:
    """What waits or is disputed at a table, and what this official may do about it."""
    rows = sitting.entries.filter(
        status__in=[*disputes.PENDING, EntryStatus.RETURNED], hand_no__isnull=False
    ).select_related("entered_by")
    entries = disputes.claims_among(sitting, rows)
    if not entries or (not (disputed := sitting.phase == "disputed") and entries[0].status == EntryStatus.RETURNED):
        return {"claims": None}
    ledger = ledgers_of({sitting.pk})[sitting.pk]
    pending = entries[0].status in disputes.PENDING
    mine = desk.actor.user is not None and entries[0].entered_by_id == desk.actor.user.pk
    confirmable = pending and len(entries) == 1 and bool(entries[0].entered_side) and not mine
    return {
        "claims": shown(sitting, [disputes.judged(sitting, ledger, entry) for entry in entries]),
        "disputed": disputed,
        "settle_reasons": SETTLED,
        "may_confirm": confirmable and desk.may(Act.CONFIRM_HAND, sitting),
    }


def difference_words(entries: Sequence[LedgerEntry], profile: Profile) -> str:
    """What differs between the accounts of a hand."""
    words = [
        _("%(field)s: %(one)s or %(other)s")
        % {
            "field": field_word(name, profile),
            "one": DESK.says(name, entries[0].facts.get(name)),
            "other": DESK.says(name, entries[-1].facts.get(name)),
        }
        for name in disputes.differing(entries)
    ]
    return _("; ").join(words)
