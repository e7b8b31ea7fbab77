"""Party codes on table cards and the phones that claim them (侧码).

A code's text and PIN are derived from the server's secret, so cards can be printed again; the database keeps digests.
A phone holds its side's place at one sitting until the round closes, another phone takes over, or the desk releases it.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, Change, Line, Move, MoveAll, Told, Write, carry_out
from ..acts.errors import NotFound, Refusal
from ..acts.guessing import WrongGuess
from ..acts.rows import find_tournament
from ..acts.text import text_digest
from ..models import Device, PartyCode, RoundStatus, Sitting, Table, Tournament
from ..sittings.games import parties_of
from .codes import party_code_text, read_code

SEEN_EVERY = timedelta(minutes=1)
CLAIM_PLACE = "claim_place"

#: Why the phones of a round that was closed were signed out.
ROUND_CLOSED = "round_closed"


class UnknownCode(WrongGuess):
    """No card carries this code."""

    def __init__(self) -> None:
        super().__init__(
            "unknown_code",
            field="code",
            message={
                "en": "No such code. Read it off the table card, or call a referee.",
                "zh": "没有这个码。看桌卡上的字，或叫裁判。",
            },
            status=404,
        )


class CodeInUse(Refusal):
    """Another phone holds this side's place; it may be taken over."""

    def __init__(self, device: Device) -> None:
        super().__init__(
            "code_in_use", status=409, params={"claimed_at": device.claimed_at.isoformat(), "side": device.side}
        )


class NobodyPlaysHere(Refusal):
    """The code is right, but no match stands at its table now."""

    def __init__(self, table: int) -> None:
        super().__init__(
            "no_sitting_here",
            message={
                "en": f"No match stands at table {table} now. Look at the pairing.",
                "zh": f"{table} 桌现在没有对局，请看编排表。",
            },
            status=409,
            params={"table": table},
        )


def issue_codes(*, tournament_id: int, actor: Actor, at: datetime) -> list[PartyCode]:
    """Make sure that every table has a valid code for every party; returns all codes by table and party.

    A code whose text can no longer be derived (the server's secret changed) is replaced, else its card could not be
    printed again.
    """

    def decide() -> Change[list[PartyCode]]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.ISSUE_CODES, tournament=event)
        parties = parties_of(event.profile)
        issued = PartyCode.objects.filter(table__tournament=event).select_related("table").order_by("generation")
        last = {(code.table_id, code.side): code for code in issued}
        standing = [code for code in issued if code.revoked_at is None]
        known = {
            (code.table_id, code.side): code for code in standing if code.digest == text_digest(party_code_text(code))
        }
        writes, over = _revoked([code for code in standing if (code.table_id, code.side) not in known], at)
        places = [(table, side) for table in event.tables.all() for side in parties if (table.pk, side) not in known]
        made = [_next_code(table, side, last.get((table.pk, side)), at) for table, side in places]
        codes = sorted([*known.values(), *made], key=lambda code: (code.table.number, parties.index(code.side)))
        lines = (Line(Act.ISSUE_CODES, "codes", new={"made": len(made)}),) if made else ()
        told = (Told("board"),) if made else ()  # the cards are no longer due
        return Change(admitted, codes, (*writes, *map(Add, made)), lines, told, over=over)

    return carry_out(decide, actor, at)


def reissue(*, table_id: int, side: str, actor: Actor, at: datetime) -> PartyCode:
    """Replace one side's code (a lost card): the old card stops working and its phones are signed out."""

    def decide() -> Change[PartyCode]:
        table = Table.objects.select_related("tournament").filter(pk=table_id).first()
        if table is None or side not in parties_of(table.tournament.profile):
            raise NotFound()
        admitted = require(actor, Act.ISSUE_CODES, tournament=table.tournament)
        find_tournament(table.tournament_id, lock=True)
        issued = list(PartyCode.objects.filter(table=table, side=side).order_by("generation"))
        writes, over = _revoked([code for code in issued if code.revoked_at is None], at)
        code = _next_code(table, side, issued[-1] if issued else None, at)
        line = Line(Act.ISSUE_CODES, ("table", table), new={"side": side, "generation": code.generation})
        return Change(admitted, code, (*writes, Add(code)), (line,), over=over)

    return carry_out(decide, actor, at)


def _next_code(table: Table, side: str, last: PartyCode | None, at: datetime) -> PartyCode:
    code = PartyCode(table=table, side=side, generation=last.generation + 1 if last else 1, issued_at=at)
    code.digest = text_digest(party_code_text(code))
    return code


#: What takes their places from phones, and those whose streams end with them.
SignedOut = tuple[tuple[Write, ...], tuple[Device, ...]]


def _revoked(codes: Sequence[PartyCode], at: datetime) -> SignedOut:
    """These codes stop working, and their phones are signed out."""
    if not codes:
        return (), ()
    writes, over = signed_out(Device.objects.filter(code__in=codes), at, "reissued")
    return (MoveAll(PartyCode, {"pk__in": [code.pk for code in codes]}, {"revoked_at": at}), *writes), over


def signed_out(phones: QuerySet[Device], at: datetime, why: str) -> SignedOut:
    """Takes their places from these phones, those that still hold one."""
    held = tuple(phones.filter(released_at=None))
    gone = MoveAll(Device, {"pk__in": [one.pk for one in held]}, {"released_at": at, "released_why": why})
    return (gone,) if held else (), held


def claim(*, code_text: str, at: datetime, token: str, public_id: str, take_over: bool = False) -> Device:
    """Give the phone that shows a party code its side's place at the sitting that now stands at the table.

    `token` and `public_id` are random texts from the caller; only the token's digest is kept. Refused:
    `unknown_code`, `no_sitting_here`, `code_in_use` (unless `take_over`; the old phone is then signed out).
    """
    code = _code_of(code_text)
    device = Device(
        public_id=public_id, code=code, side=code.side, token_digest=text_digest(token), claimed_at=at, seen_at=at
    )
    actor = Actor(device=device)

    def decide() -> Change[Device]:
        sitting = device.sitting = _sitting_at(code, lock=True)
        holder = Device.objects.filter(sitting=sitting, side=code.side, released_at=None).first()
        if holder is not None and not take_over:
            raise CodeInUse(holder)
        gone = {"released_at": at, "released_why": "taken_over"}
        old, over = ({"device": holder}, (holder,)) if holder is not None else (None, ())
        writes: list[Write] = [Move(one, gone, {"released_at": None}) for one in over]
        event = sitting.round.tournament
        line = Line(CLAIM_PLACE, ("device", device), old=old, sitting=sitting)
        told = Told("sitting", sitting.pk, sitting.revision)
        admitted = Admitted(actor, CLAIM_PLACE, event, sitting)
        return Change(admitted, device, (*writes, Add(device)), (line,), (told,), over=over)

    return carry_out(decide, actor, at)


@dataclass(frozen=True, slots=True)
class Opened:
    """What a party code opens now: its side of a sitting, and the phone that holds the place already."""

    code: PartyCode
    sitting: Sitting
    holder: Device | None


def look_up(code_text: str) -> Opened:
    """The place behind a code, before anybody claims it. Refused: `unknown_code`, `no_sitting_here`."""
    code = _code_of(code_text)
    sitting = _sitting_at(code)
    return Opened(code, sitting, Device.objects.filter(sitting=sitting, side=code.side, released_at=None).first())


def _code_of(code_text: str) -> PartyCode:
    code = (
        PartyCode.objects.filter(digest=text_digest(read_code(code_text)), revoked_at=None)
        .select_related("table")
        .first()
    )
    if code is None:
        raise UnknownCode()
    return code


def _sitting_at(code: PartyCode, *, lock: bool = False) -> Sitting:
    """The sitting at the code's table in the running round, else in the earliest published one."""
    places = (
        Sitting.objects.filter(table=code.table_id, active=True)
        .select_related("round__tournament", "match__home", "match__away")
        .prefetch_related("match__places__entrant")
        .order_by("round__number")
    )
    if lock:
        places = places.select_for_update(no_key=True, of=("self",))
    sitting = places.filter(round__status=RoundStatus.RUNNING).first()
    sitting = sitting or places.filter(round__status=RoundStatus.PUBLISHED).first()
    if sitting is None:
        raise NobodyPlaysHere(code.table.number)
    return sitting


def phones_with_a_place(event: Tournament | None = None) -> int:
    """How many phones hold a place in a round that runs or is about to, in this event or in all."""
    open_rounds = (RoundStatus.RUNNING, RoundStatus.PUBLISHED)
    held = Device.objects.filter(released_at=None, sitting__active=True, sitting__round__status__in=open_rounds)
    held = held.filter(sitting__round__tournament__imported_at=None)
    return (held if event is None else held.filter(sitting__round__tournament=event)).count()


def device_for(*, public_id: str, token: str, at: datetime, with_place: bool = True) -> Device | None:
    """The phone as `device_with` finds it, noted as seen `at` this time."""
    device = device_with(public_id=public_id, token=token, with_place=with_place)
    if device is not None:
        note_seen(device, at)
    return device


def device_with(*, public_id: str, token: str, with_place: bool = True) -> Device | None:
    """The phone that holds a place with this token, None when there is none or it was released. One query, no write.

    `with_place` joins its code, sitting, table, round, stage and event: what a page shows, and no write needs.
    """
    devices = Device.objects.filter(public_id=public_id, released_at=None)
    if with_place:
        devices = devices.select_related(
            "code", "sitting__round__tournament", "sitting__round__stage", "sitting__table"
        )
    device = devices.first()
    if device is None or not hmac.compare_digest(device.token_digest, text_digest(token)):
        return None
    return device


def note_seen(device: Device, at: datetime) -> None:
    """The phone was here, noted once a minute."""
    if at - device.seen_at >= SEEN_EVERY:
        Device.objects.filter(pk=device.pk).update(seen_at=at)
        device.seen_at = at


def device_after_round(*, public_id: str, token: str) -> Device | None:
    """The phone that held a place with this token until its round was closed: it still reads what happens then."""
    device = device_released(public_id=public_id, token=token)
    return device if device is not None and device.released_why == ROUND_CLOSED else None


def device_released(*, public_id: str, token: str) -> Device | None:
    """The phone that once held a place with this token, to tell it why and since when it no longer does."""
    device = (
        Device.objects.filter(public_id=public_id, released_at__isnull=False)
        .select_related("code", "sitting__round__tournament", "sitting__round__stage", "sitting__table")
        .first()
    )
    if device is None or not hmac.compare_digest(device.token_digest, text_digest(token)):
        return None
    return device


def release(*, device_id: int, actor: Actor, at: datetime, why: str = "desk") -> Device:
    """Sign a phone out; its side's code can then be claimed again."""

    def decide() -> Change[Device]:
        phones = Device.objects.select_for_update(no_key=True, of=("self",))
        device = phones.select_related("sitting__round__tournament").filter(pk=device_id).first()
        if device is None:
            raise NotFound()
        sitting = device.sitting
        event = sitting.round.tournament
        admitted = require(actor, Act.RELEASE_DEVICE, tournament=event, sitting=sitting)
        if device.released_at is not None:
            return Change(admitted, device)
        gone = Move(device, {"released_at": at, "released_why": why}, {"released_at": None})
        line = Line(Act.RELEASE_DEVICE, ("device", device), why, sitting=sitting)
        told = Told("sitting", sitting.pk, sitting.revision)
        return Change(admitted, device, (gone,), (line,), (told,), over=(device,))

    return carry_out(decide, actor, at)
