"""Attendance: checking entrants in, their own codes for it, and what lateness costs.

A check-in says that an entrant is there: for the event (报到), or seated for one round. An official notes it, or the
entrant's own phone with its code; undoing it leaves the row and names who undid it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, AddAll, Change, Line, Move, MoveAll, RemoveAll, Told, carry_out
from ..acts.errors import NOT_FOUND, NotFound, Refusal
from ..acts.guessing import WrongGuess
from ..acts.rows import find_tournament
from ..acts.text import text_digest
from ..ledger.codes import entrant_code_text, read_code
from ..ledger.judging import refusal
from ..models import CheckIn, Entrant, EntrantCode, Round, RoundStatus, Sitting, WakeAddress
from ..rulings.acts import Done
from ..rulings.log import propose
from .roll_call import LateTable, Party, late_tables, round_up, standing_check_in

OWN_CODE = Actor()


class UnknownOwnCode(WrongGuess):
    """No entrant has this code."""

    def __init__(self) -> None:
        super().__init__(
            "unknown_code",
            field="code",
            message={
                "en": "No such code. It stands on the strip with your name; without one, check in at the desk.",
                "zh": "没有这个码。请看写有你名字的纸条；没有纸条，请到裁判台报到。",
            },
            status=NOT_FOUND,
        )


def check_in(*, entrant_id: int, actor: Actor, at: datetime, round_id: int | None = None) -> CheckIn:
    """Note that an entrant is there: for the event, or for a round that is published or runs. Again changes nothing."""

    def decide() -> Change[CheckIn]:
        entrant, round_ = _expected(entrant_id, round_id)
        admitted = require(actor, Act.CHECK_IN, tournament=entrant.tournament)
        return arrived(entrant, admitted, at, [(round_, standing_check_in(entrant.pk, round_))])

    return carry_out(decide, actor, at)


def undo_check_in(*, entrant_id: int, actor: Actor, at: datetime, round_id: int | None = None) -> CheckIn | None:
    """Take a check-in back that was a slip of the finger; None when there was none."""

    def decide() -> Change[CheckIn | None]:
        entrant, round_ = _expected(entrant_id, round_id)
        admitted = require(actor, Act.CHECK_IN, tournament=entrant.tournament)
        row = standing_check_in(entrant.pk, round_)
        if row is None:
            return Change(admitted, None)
        undone = Move(row, {"undone_at": at, "undone_by": actor.user}, {"undone_at": None})
        return Change(admitted, row, (undone,), (_line(entrant, round_, there=False),), _told(entrant))

    return carry_out(decide, actor, at)


def check_in_by_code(*, code_text: str, at: datetime) -> CheckIn:
    """An entrant's own phone says that it is there: for the round that is up, else for the event.

    Who is seated for a round has also come to the event.
    """

    def decide() -> Change[CheckIn]:
        entrant = entrant_of_code(code_text)
        round_ = round_up(entrant.tournament)
        entrant, round_ = _expected(entrant.pk, None if round_ is None else round_.pk)
        admitted = Admitted(OWN_CODE, Act.CHECK_IN, entrant.tournament)
        seats = [None] if round_ is None else [None, round_]
        return arrived(entrant, admitted, at, [(one, standing_check_in(entrant.pk, one)) for one in seats])

    return carry_out(decide, OWN_CODE, at)


def arrived(
    entrant: Entrant, admitted: Admitted, at: datetime, places: Sequence[tuple[Round | None, CheckIn | None]]
) -> Change[CheckIn]:
    """The entrant is there, for the event (None) or a round, each with the check-in that stands; the last answers."""
    new: dict[Round | None, CheckIn] = {
        round_: CheckIn(entrant=entrant, round=round_, arrived_at=at, noted_by=admitted.actor.user)
        for round_, standing in places
        if standing is None
    }
    last, standing = places[-1]
    return Change(
        admitted,
        standing or new[last],
        tuple(Add(row) for row in new.values()),
        tuple(_line(entrant, round_, there=True) for round_ in new),
        _told(entrant) * len(new),
    )


def entrant_of_code(code_text: str) -> Entrant:
    """The entrant whose code this is. Refused: `unknown_code`."""
    code = (
        EntrantCode.objects.filter(digest=text_digest(read_code(code_text)), revoked_at=None)
        .select_related("entrant__tournament")
        .first()
    )
    if code is None:
        raise UnknownOwnCode()
    return code.entrant


def issue_entrant_codes(*, tournament_id: int, actor: Actor, at: datetime) -> list[EntrantCode]:
    """Make sure that every entrant has a valid code whose text can be printed; all codes, by number."""

    def decide() -> Change[list[EntrantCode]]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.ISSUE_CODES, tournament=event)
        codes = EntrantCode.objects.filter(entrant__tournament=event).select_related("entrant").order_by("generation")
        return issued(admitted, at, list(event.entrants.order_by("number")), {code.entrant_id: code for code in codes})

    return carry_out(decide, actor, at)


def issued(
    admitted: Admitted, at: datetime, entrants: Sequence[Entrant], latest: Mapping[int, EntrantCode]
) -> Change[list[EntrantCode]]:
    """A code for each entrant: the `latest` one it had where that is valid and can be printed, else a new one."""
    known = {one.pk: latest[one.pk] for one in entrants if one.pk in latest and _can_be_printed(latest[one.pk])}
    lost = [code.pk for pk, code in latest.items() if pk not in known and code.revoked_at is None]
    made = [_next_code(one, latest.get(one.pk), at) for one in entrants if one.pk not in known]
    known |= {code.entrant_id: code for code in made}
    return Change(
        admitted,
        [known[one.pk] for one in entrants],
        (
            RemoveAll(WakeAddress, {"code__in": lost}),
            MoveAll(EntrantCode, {"pk__in": lost}, {"revoked_at": at}),
            AddAll(made),
        )
        if made
        else (),
        (Line(Act.ISSUE_CODES, "entrants", new={"made": len(made)}),) if made else (),
    )


def reissue_entrant_code(*, entrant_id: int, actor: Actor, at: datetime) -> EntrantCode:
    """Replace an entrant's code (a lost card): the old one stops working."""

    def decide() -> Change[EntrantCode]:
        entrant = _locked(entrant_id)
        admitted = require(actor, Act.ISSUE_CODES, tournament=entrant.tournament)
        code = _next_code(entrant, entrant.codes.order_by("generation").last(), at)
        revoked = MoveAll(EntrantCode, {"entrant": entrant, "revoked_at": None}, {"revoked_at": at})
        asleep = RemoveAll(WakeAddress, {"code__entrant": entrant})
        line = Line(Act.ISSUE_CODES, ("entrant", entrant), new={"generation": code.generation})
        return Change(admitted, code, (asleep, revoked, Add(code)), (line,))

    return carry_out(decide, actor, at)


def propose_lateness(*, sitting_id: int, side: str, actor: Actor, at: datetime) -> Done:
    """Put what the event's penalties say of a late side into the log of rulings, for the chief referee to decide.

    The minutes are those of the list of late tables. Refused: `nobody_late`, `lateness_ruled`, `both_missing` (then
    both forfeit, which is one act).
    """
    sitting = _sitting(sitting_id)
    require(actor, Act.PROPOSE_RULING, tournament=sitting.round.tournament, sitting=sitting)
    table, party = _late_party(sitting, side, at)
    if party.ruled:
        raise refusal("lateness_ruled")
    if table.both_missing:
        raise refusal("both_missing")
    facts = {"irregularity": "late", "minutes": party.minutes}
    return propose(sitting_id=sitting_id, actor=actor, at=at, facts=facts, side=side)


def _late_party(sitting: Sitting, side: str, now: datetime) -> tuple[LateTable, Party]:
    for table in late_tables(sitting.round, now):
        if table.sitting.pk == sitting.pk:
            for party in table.parties:
                if party.side == side:
                    return table, party
    raise refusal("nobody_late")


def _sitting(sitting_id: int) -> Sitting:
    rows = Sitting.objects.select_related("round__tournament", "round__stage")
    try:
        return rows.get(pk=sitting_id)
    except (Sitting.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None


def _expected(entrant_id: int, round_id: int | None) -> tuple[Entrant, Round | None]:
    """The entrant, locked, and the round; refused when it left the event, or when the round is not up."""
    entrant = _locked(entrant_id)
    if entrant.withdrawn_at is not None:
        raise Refusal(
            "entrant_withdrawn",
            message={"en": f"Entrant {entrant.number} has withdrawn.", "zh": f"{entrant.number} 号已退赛。"},
        )
    if round_id is None:
        return entrant, None
    round_ = Round.objects.filter(pk=round_id, tournament=entrant.tournament_id).first()
    if round_ is None:
        raise NotFound()
    if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
        raise Refusal(
            "round_not_up",
            message={
                "en": f"Round {round_.number} is not published or is over.",
                "zh": f"第 {round_.number} 轮没有公布编排，或已结束。",
            },
        )
    return entrant, round_


def _locked(entrant_id: int) -> Entrant:
    rows = Entrant.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament")
    try:
        return rows.get(pk=entrant_id)
    except (Entrant.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None


def _line(entrant: Entrant, round_: Round | None, *, there: bool) -> Line:
    old, new = {"there": not there}, {"there": there}
    return Line(Act.CHECK_IN, ("entrant", entrant), old=old, new=new, round=round_)


def _told(entrant: Entrant) -> tuple[Told, ...]:
    return (Told("attendance", entrant.pk),)


def _can_be_printed(code: EntrantCode) -> bool:
    return code.revoked_at is None and code.digest == text_digest(entrant_code_text(code))


def _next_code(entrant: Entrant, last: EntrantCode | None, at: datetime) -> EntrantCode:
    code = EntrantCode(entrant=entrant, generation=last.generation + 1 if last else 1, issued_at=at)
    code.digest = text_digest(entrant_code_text(code))
    return code
