"""Attendance: checking entrants in, their own codes for it, and what lateness costs.

A check-in says that an entrant is there: for the event (报到), or seated for one round. An official notes it, or the
entrant's own phone with its code; undoing it leaves the row and names who undid it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from ..acts import history
from ..acts.access import Act, Actor, require
from ..acts.announce import announce
from ..acts.errors import NOT_FOUND, NotFound, Refusal
from ..acts.guessing import WrongGuess
from ..acts.rows import find_tournament
from ..ledger.codes import digest, entrant_code_text, read_code
from ..ledger.judging import refusal
from ..models import CheckIn, Entrant, EntrantCode, Round, RoundStatus, Sitting
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
    with transaction.atomic():
        entrant, round_ = _expected(entrant_id, round_id)
        require(actor, Act.CHECK_IN, tournament=entrant.tournament)
        return _note_arrival(entrant, round_, actor, at)


def undo_check_in(*, entrant_id: int, actor: Actor, at: datetime, round_id: int | None = None) -> CheckIn | None:
    """Take a check-in back that was a slip of the finger; None when there was none."""
    with transaction.atomic():
        entrant, round_ = _expected(entrant_id, round_id)
        require(actor, Act.CHECK_IN, tournament=entrant.tournament)
        row = standing_check_in(entrant.pk, round_)
        if row is None:
            return None
        row.undone_at, row.undone_by = at, actor.user
        row.save(update_fields=["undone_at", "undone_by"])
        _note(entrant, round_, actor, at, there=False)
        return row


def check_in_by_code(*, code_text: str, at: datetime) -> CheckIn:
    """An entrant's own phone says that it is there: for the round that is up, else for the event.

    Who is seated for a round has also come to the event.
    """
    with transaction.atomic():
        entrant = entrant_of_code(code_text)
        round_ = round_up(entrant.tournament)
        entrant, round_ = _expected(entrant.pk, None if round_ is None else round_.pk)
        noted = _note_arrival(entrant, None, OWN_CODE, at)
        return noted if round_ is None else _note_arrival(entrant, round_, OWN_CODE, at)


def entrant_of_code(code_text: str) -> Entrant:
    """The entrant whose code this is. Refused: `unknown_code`."""
    code = (
        EntrantCode.objects.filter(digest=digest(read_code(code_text)), revoked_at=None)
        .select_related("entrant__tournament")
        .first()
    )
    if code is None:
        raise UnknownOwnCode()
    return code.entrant


def issue_entrant_codes(*, tournament_id: int, actor: Actor, at: datetime) -> list[EntrantCode]:
    """Make sure that every entrant has a valid code whose text can be printed; all codes, by number."""
    with transaction.atomic():
        event = find_tournament(tournament_id, lock=True)
        require(actor, Act.ISSUE_CODES, tournament=event)
        codes = EntrantCode.objects.filter(entrant__tournament=event, revoked_at=None).select_related("entrant")
        known = {code.entrant_id: code for code in codes if code.digest == digest(entrant_code_text(code))}
        lost = [code.pk for code in codes if code.entrant_id not in known]
        EntrantCode.objects.filter(pk__in=lost).update(revoked_at=at)
        without = [one for one in event.entrants.order_by("number") if one.pk not in known]
        for entrant in without:
            known[entrant.pk] = _make_code(entrant, at)
        if without:
            new = {"made": len(without)}
            history.record(tournament=event, actor=actor, at=at, act=Act.ISSUE_CODES, subject="entrants", new=new)
    return sorted(known.values(), key=lambda code: code.entrant.number)


@transaction.atomic
def reissue_entrant_code(*, entrant_id: int, actor: Actor, at: datetime) -> EntrantCode:
    """Replace an entrant's code (a lost card): the old one stops working."""
    entrant = _locked(entrant_id)
    require(actor, Act.ISSUE_CODES, tournament=entrant.tournament)
    EntrantCode.objects.filter(entrant=entrant, revoked_at=None).update(revoked_at=at)
    code = _make_code(entrant, at)
    new = {"generation": code.generation}
    subject = f"entrant:{entrant.pk}"
    history.record(tournament=entrant.tournament, actor=actor, at=at, act=Act.ISSUE_CODES, subject=subject, new=new)
    return code


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


def _note_arrival(entrant: Entrant, round_: Round | None, actor: Actor, at: datetime) -> CheckIn:
    standing = standing_check_in(entrant.pk, round_)
    if standing is not None:
        return standing
    try:
        with transaction.atomic():
            row = CheckIn.objects.create(entrant=entrant, round=round_, arrived_at=at, noted_by=actor.user)
    except IntegrityError:
        return CheckIn.objects.get(entrant=entrant, round=round_, undone_at=None)
    _note(entrant, round_, actor, at, there=True)
    return row


def _note(entrant: Entrant, round_: Round | None, actor: Actor, at: datetime, *, there: bool) -> None:
    history.record(
        tournament=entrant.tournament,
        actor=actor,
        at=at,
        act=Act.CHECK_IN,
        round=round_,
        subject=f"entrant:{entrant.pk}",
        old={"there": not there},
        new={"there": there},
    )
    announce(entrant.tournament_id, "attendance", entrant.pk)


def _make_code(entrant: Entrant, at: datetime) -> EntrantCode:
    last = EntrantCode.objects.filter(entrant=entrant).order_by("-generation").first()
    code = EntrantCode(entrant=entrant, generation=last.generation + 1 if last else 1, issued_at=at)
    code.digest = digest(entrant_code_text(code))
    code.save(force_insert=True)
    return code
