"""Two phones agreed without a network: their result code is handed in by a referee, or by one of them, and the hand
counts.

It counts as if one party of the table (a side, or a single player) had entered it and another confirmed it. What the
signatures cannot vouch for any more (a phone that lost its place, a record that has moved since, a once-key used
before) counts nothing: the code is kept for review and a referee is called to the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scoring.profiles import Profile

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, Change, Line, Told, Write, carry_out
from ..acts.errors import CONFLICT, UNPROCESSABLE, NotFound, Refusal
from ..models import Call, CallKind, Device, DeviceKey, EntryStatus, LedgerEntry, ResultCode, Sitting, SittingPhase
from ..sittings.games import State, as_played
from ..sittings.ledgers import Ledger
from .acting import act_on, after, change_at, moved, unchanged
from .deciding import Judged, judged
from .disputes import differing_fields
from .entry_checks import new_entry, refuse_wrong_number
from .judging import read_facts, refuse_if_blocked, refuse_unless_running
from .recorded import Recorded
from .result_code_text import AGREED, CLAIMED, Code, key_of, signed

#: Makes the facts of a hand from the fields of a phone's form, by the rules of the event.
ReadFields = Callable[[Mapping[str, str], Profile], Mapping[str, Any]]


def enrol_key(*, sitting_id: int, actor: Actor, at: datetime, public_key: str) -> DeviceKey:
    """A phone that has taken its place says by which key it is known. It says so once."""

    def decide() -> Change[DeviceKey]:
        rows = Sitting.objects.select_related("round__tournament")
        sitting = rows.filter(pk=sitting_id).first()
        device = actor.device
        if sitting is None or device is None or device.sitting_id != sitting.pk:
            raise NotFound()
        admitted = require(actor, Act.ENROL_KEY, tournament=sitting.round.tournament, sitting=sitting)
        try:
            key_of(public_key)
        except ValueError:
            raise Refusal("bad_key", field="public_key", status=UNPROCESSABLE) from None
        Device.objects.select_for_update(no_key=True).get(pk=device.pk)
        if (there := DeviceKey.objects.filter(device=device).first()) is not None:
            if there.public_key != public_key:
                raise Refusal("key_there_already", field="public_key", status=CONFLICT)
            return Change(admitted, there)
        key = DeviceKey(device=device, public_key=public_key, enrolled_at=at)
        line = Line(Act.ENROL_KEY, ("device", device), sitting=sitting)
        told = Told("sitting", sitting.pk, sitting.revision)  # the other phones learn the key
        return Change(admitted, key, (Add(key),), (line,), (told,))

    return carry_out(decide, actor, at)


def keys_at(sitting: Sitting) -> list[DeviceKey]:
    """The public keys of the phones that hold a place here now, each with its phone."""
    rows = DeviceKey.objects.filter(device__sitting=sitting, device__released_at=None)
    return list(rows.select_related("device").order_by("pk"))


def counted(device: Device, once_key: str) -> bool:
    """Whether the hand that this phone sends under that key counts already, by a result code."""
    rows = ResultCode.objects.filter(sitting=device.sitting_id, claimed_by=device, once_key=once_key)
    return bool(once_key) and rows.filter(status=ResultCode.Status.COUNTED).exists()


def agree_by_result_code(*, sitting_id: int, actor: Actor, at: datetime, code: Code, read: ReadFields) -> Recorded:
    """Take a code that both phones signed. Handed in again it is what it was.

    Refused: `code_not_genuine`, what refuses an entry; kept for review: `code_key_gone`, `code_used`, `code_stale`.
    """
    if code.sitting != sitting_id:
        raise NotFound()
    return act_on(
        sitting_id,
        Act.AGREE_BY_CODE,
        actor,
        at,
        lambda ledger, admitted: _decide(ledger, admitted, at, code, read),
    )


@dataclass(frozen=True, slots=True)
class _Given:
    """A code at the ledger it belongs to, with the phones that signed it."""

    ledger: Ledger
    admitted: Admitted
    at: datetime
    code: Code
    claimant: Device
    other: Device

    def row(self, status: ResultCode.Status, **columns: Any) -> ResultCode:
        code = self.code
        return ResultCode(
            sitting=self.ledger.sitting,
            hand_no=code.hand_no,
            based_on=code.revision,
            once_key=code.once_key,
            digest=code.digest,
            claimed_by=self.claimant,
            agreed_by=self.other,
            text=code.text,
            status=status,
            given_by=self.admitted.actor.user,
            given_at=self.at,
            **columns,
        )


def _decide(ledger: Ledger, admitted: Admitted, at: datetime, code: Code, read: ReadFields) -> Change[Recorded]:
    claimant, other = _phones(ledger, code)
    given = _Given(ledger, admitted, at, code, claimant, other)
    came = list(ResultCode.objects.filter(sitting=ledger.sitting, once_key=code.once_key).select_related("entry"))
    same = next((one for one in came if one.digest == code.digest), None)
    if same is not None and same.entry is not None:
        return Change(admitted, _answer(ledger, same.entry))
    if same is not None:
        raise Refusal(same.why, field="code")
    refuse_unless_running(ledger)
    if came:
        return _to_review(given, "code_used")
    if claimant.released_at is not None or other.released_at is not None:
        return _to_review(given, "code_key_gone")
    facts = read(code.fields, ledger.profile)
    if code.hand_no < ledger.sitting.hand_no:
        return _on_record_already(given, facts)
    entering = Actor(device=claimant)
    refuse_wrong_number(ledger, entering, code.hand_no)
    waiting = ledger.waiting
    if ledger.sitting.phase == SittingPhase.DISPUTED or not _follows(given, waiting):
        return _to_review(given, "code_stale")
    seen = judged(ledger, new_entry(ledger, entering, facts), code.hand_no, at_the_table=True)
    refuse_if_blocked(ledger, seen.entry, seen.findings)
    if waiting is not None and differing_fields(waiting.facts, seen.entry.to_json()):
        return _to_review(given, "code_stale")
    return _count(given, seen, waiting)


def _phones(ledger: Ledger, code: Code) -> tuple[Device, Device]:
    """The phones that signed: of two parties of this table, each by its own key. Whoever may confirm what the one
    enters may sign what it claims: the other side, of single players anybody else at the table."""
    rows = Device.objects.filter(sitting=ledger.sitting, public_id__in=[code.claimed_by, code.agreed_by])
    known = {one.public_id: one for one in rows.select_related("key")}
    claimant, other = known.get(code.claimed_by), known.get(code.agreed_by)
    genuine = (
        claimant is not None
        and other is not None
        and claimant.side != other.side
        and signed(_key(claimant), CLAIMED, code.claim, code.claim_signature)
        and signed(_key(other), AGREED, code.agreement, code.agreement_signature)
    )
    if not genuine or claimant is None or other is None:
        raise Refusal("code_not_genuine", field="code", status=UNPROCESSABLE)
    return claimant, other


def _key(device: Device) -> str:
    return device.key.public_key if hasattr(device, "key") else ""


def _follows(given: _Given, waiting: LedgerEntry | None) -> bool:
    """Whether the record is still the one that the claim goes on from: as it was, but for the claiming party's own
    entry of the hand, and for hands that count by codes made after the same revision."""
    ledger, code = given.ledger, given.code
    if waiting is not None and waiting.entered_side != given.claimant.side:
        return False
    stands = ledger.sitting.revision - (1 if waiting is not None else 0)
    codes = ResultCode.objects.filter(sitting=ledger.sitting, based_on=code.revision, left_at=stands)
    return code.revision == stands or codes.exists()


def _on_record_already(given: _Given, facts: Mapping[str, Any]) -> Change[Recorded]:
    """The phones sent the hand themselves meanwhile: it counts once. Another result on record is for a referee."""
    rows = [one for one in given.ledger.rows if one.hand_no == given.code.hand_no]
    entry = next((one for one in rows if one.status == EntryStatus.EFFECTIVE), None)
    if entry is not None and entry.entered_device_id == given.claimant.pk:
        before = given.ledger.fold_before(entry.position)
        if _same(given, entry, facts, before):
            return Change(given.admitted, _answer(given.ledger, entry))
    return _to_review(given, "code_stale")


def _same(given: _Given, entry: LedgerEntry, facts: Mapping[str, Any], before: State) -> bool:
    claimed = as_played(given.ledger.profile, read_facts(given.ledger.profile, facts), before)
    return not differing_fields(entry.facts, claimed.to_json())


def _count(given: _Given, seen: Judged, waiting: LedgerEntry | None) -> Change[Recorded]:
    ledger, at = given.ledger, given.at
    agreed = {"confirmed_side": given.other.side, "confirmed_device": given.other, "confirmed_at": at}
    if waiting is not None:
        row, how = waiting, moved(waiting, EntryStatus.EFFECTIVE, **agreed)
        writes: list[Write] = [how]
    else:
        row = ledger.entry(
            position=seen.position,
            version=ledger.next_version(seen.position),
            kind=seen.entry.kind,
            hand_no=seen.number,
            facts=seen.entry.to_json(),
            status=EntryStatus.EFFECTIVE,
            entered_side=given.claimant.side,
            entered_device=given.claimant,
            entered_at=at,
            **agreed,
        )
        writes = [Add(row)]
    then = after(ledger, writes, at=at, phase=SittingPhase.PLAYING, counts=True)
    code = given.row(ResultCode.Status.COUNTED, entry=row, left_at=then.revision)
    line = Line(Act.AGREE_BY_CODE, ("entry", row), new=row.facts, sitting=ledger.sitting)
    recorded = Recorded(row, ledger.sitting, "confirmed", "effective", then.revision, (), seen.findings)
    change = change_at(ledger, given.admitted, recorded, then, [line], moved=True)
    return replace(change, writes=(*change.writes, Add(code)))


def _to_review(given: _Given, why: str) -> Change[Recorded]:
    """The code is kept, a referee is called to the table, and nothing counts."""
    ledger, at, side = given.ledger, given.at, given.claimant.side
    refused = Refusal(why, field="code")
    writes: list[Write] = [Add(given.row(ResultCode.Status.REVIEW, why=why))]
    lines = [Line(Act.AGREE_BY_CODE, f"hand:{given.code.hand_no}", why, sitting=ledger.sitting)]
    if not Call.objects.filter(sitting=ledger.sitting, kind=CallKind.CALL, side=side, closed_at=None).exists():
        note = refused.message["zh" if ledger.tournament.language.startswith("zh") else "en"]
        call = Call(
            sitting=ledger.sitting, kind=CallKind.CALL, side=side, hand_no=given.code.hand_no, note=note, called_at=at
        )
        writes.append(Add(call))
        new = {"kind": str(call.kind), "hand_no": call.hand_no}
        lines.append(Line(Act.CALL_REFEREE, ("call", call), note, new=new, sitting=ledger.sitting))
    nothing: Any = None
    change = change_at(ledger, given.admitted, nothing, unchanged(ledger, *writes), lines, moved=False)
    return replace(change, refused=refused)


def _answer(ledger: Ledger, entry: LedgerEntry) -> Recorded:
    return Recorded(entry, ledger.sitting, "confirmed", str(entry.status), ledger.sitting.revision)
