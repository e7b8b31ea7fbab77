"""Judging an act on a ledger: who is admitted, what is refused and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.hands.findings import Finding, Refused
from scoring.profiles import Profile

from ..acts import meters
from ..acts.access import Act
from ..acts.admission import Actor, Admitted, Offices, allowed, note_admission, offices, refused
from ..acts.errors import (
    BAD_REQUEST,
    CONFLICT,
    UNPROCESSABLE,
    NotFound,
    NotStated,
    Refusal,
    RoundClosed,
    Stale,
    refuse_unless_storable,
)
from ..models import EntryKind, RoundStatus, SittingPhase
from ..sittings.games import Entry, State, game_of
from ..sittings.ledgers import Ledger, current_of
from ..sittings.next_games import plays_games

HAND_KINDS = frozenset({EntryKind.HAND, EntryKind.ANNULLED, EntryKind.ADJUSTED})
SIDE_NAMES = {"NS": {"en": "N–S", "zh": "南北方"}, "EW": {"en": "E–W", "zh": "东西方"}}


def party_name(party: str) -> dict[str, str]:
    """A party at the table, as sentences call it."""
    return SIDE_NAMES.get(party) or {"en": f"player {party}", "zh": f" {party} 号位"}


def others_of(party: str) -> dict[str, str]:
    """Who may answer what this party entered."""
    if party in SIDE_NAMES:
        return SIDE_NAMES["EW" if party == "NS" else "NS"]
    return {"en": "another player", "zh": "同桌另一人"}


class SheetRejected(Refusal):
    """A sheet with blocking findings. 400: the sheet itself is wrong; 422: it contradicts the ledger before it."""

    def __init__(self, findings: Sequence[Finding], *, status: int = BAD_REQUEST) -> None:
        first = next((one for one in findings if one.blocking), findings[0])
        super().__init__(
            first.code, field=first.field, message=first.message, status=status, findings=findings, params=first.params
        )


class MatchOver(Refusal):
    """The sitting is finished; nothing more is played at it."""

    def __init__(self) -> None:
        super().__init__("match_over")


class SittingReplaced(Refusal):
    """A later pairing replaced this sitting."""

    def __init__(self) -> None:
        super().__init__("sitting_replaced")


class AnotherGame(Refusal):
    """Another game of the match is played now, or decided it."""

    def __init__(self) -> None:
        super().__init__("another_game")


class OwnEntry(Refusal):
    """No party confirms or answers its own entry."""

    def __init__(self, entered_side: str) -> None:
        other = others_of(entered_side)
        super().__init__(
            "own_entry",
            message={
                "en": f"You entered this hand; {other['en']} must confirm it.",
                "zh": f"这副是你们录的，要由{other['zh']}确认。",
            },
        )


def admit(actor: Actor, act: Act, ledger: Ledger, held: Offices | None = None) -> Admitted:
    """Refuse who may not: outsiders learn nothing (`NotFound`), insiders are told who may. `held`: the actor's offices
    where they were just read."""
    meters.asked_for(act)
    if allowed(actor, act, tournament=ledger.tournament, sitting=ledger.sitting, held=held):
        return note_admission(actor, act, ledger.tournament, ledger.sitting)
    outsider = actor.device is not None and actor.device.sitting_id != ledger.sitting.pk
    known = offices(actor, ledger.tournament) if held is None else held
    if outsider or (actor.user is not None and not known):
        raise NotFound()
    raise refused(actor, act, tournament=ledger.tournament, sitting=ledger.sitting, held=known)


def refuse_unless_running(ledger: Ledger) -> None:
    """Hands are entered and answered while the round runs, at the sitting that its pairing shows."""
    if not ledger.sitting.active:
        raise AnotherGame() if plays_games(ledger) and ledger.match.superseded_in_id is None else SittingReplaced()
    status = ledger.round.status
    if status != RoundStatus.RUNNING:
        raise RoundClosed(ledger.round.number, started=status == RoundStatus.CLOSED)


def refuse_while_pending(ledger: Ledger) -> None:
    """No official and no agreement of the sides ends a match over a hand that waits for its answer."""
    if ledger.pending or ledger.sitting.phase == SittingPhase.DISPUTED:
        raise refusal("entry_waits", current={"pending": [row.pk for row in ledger.pending]})


def refuse_unless_current(ledger: Ledger, expected_revision: int | None) -> None:
    """A write that changes what stands must state the revision it saw, and it must be the newest."""
    if expected_revision is None:
        raise NotStated()
    if type(expected_revision) is not int or expected_revision != ledger.sitting.revision:
        raise Stale(current_of(ledger))


def read_facts(profile: Profile, facts: object) -> Entry:
    """The entry that facts describe; `SheetRejected` with every finding when they cannot be read."""
    try:
        entry: Entry = game_of(profile).read_entry(profile, facts)
    except Refused as refused:
        raise SheetRejected(refused.findings) from None
    refuse_unless_storable(facts, "")
    return entry


def findings_on(ledger: Ledger, state: State, entry: Entry) -> tuple[Finding, ...]:
    """Every finding on a new entry after `state`."""
    return game_of(ledger.profile).check_next(ledger.profile, state, entry, ledger.conditions)


def refuse_if_blocked(ledger: Ledger, entry: Entry, findings: Sequence[Finding]) -> None:
    """Raise `SheetRejected` when a finding blocks the entry."""
    blocking = {one.code for one in findings if one.blocking}
    if not blocking:
        return
    if "match_over" in blocking:
        raise MatchOver()
    own = game_of(ledger.profile).check_entry(ledger.profile, entry)
    itself = blocking & {one.code for one in own}
    raise SheetRejected(findings, status=BAD_REQUEST if itself else UNPROCESSABLE)


def refusal(code: str, en: str = "", zh: str = "", *, status: int = CONFLICT, **more: Any) -> Refusal:
    """A refusal, with a sentence of its own where that of its code does not say enough."""
    return Refusal(code, message={"en": en, "zh": zh} if en else None, status=status, **more)
