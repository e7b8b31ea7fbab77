"""A photo is given with an open call, or taken away again by a referee; its bytes go when the event's time is over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max
from django.db.models.functions import Coalesce

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Move, RemoveAll, carry_out
from ..acts.errors import CONFLICT, NotFound, Refusal, WrongStep, clean_text
from ..ledger.acting import change_at, unchanged
from ..ledger.judging import admit
from ..models import Call, CallKind, Photo, PhotoContent, Round
from ..sittings.ledgers import Ledger, open_ledger
from .pictures import Kept, kept

#: Photos of one party with one call.
MOST_PHOTOS: Final = 3
#: How long the bytes of photos are kept after the last round of their event was closed.
TERM: Final = timedelta(days=30)
REASON_LIMIT: Final = 200


def attach(*, call_id: int, actor: Actor, at: datetime, file: bytes) -> Photo:
    """Give a photo with an open call. The same photo again is the same one.

    A side gives it with its own call, or with any dispute or objection at its table. Refused: whatever
    `pictures.kept` refuses, `call_over`, `too_many_photos`.
    """
    _admitted(*_read(call_id), actor)  # nothing is decoded for somebody who may not
    seen = kept(file)

    def decide() -> Change[Photo]:
        call, ledger = _read(call_id, lock=True)
        admitted = _admitted(call, ledger, actor)
        given = Photo.objects.filter(call=call, side=actor.side or "", removed_at=None)
        if (same := given.filter(digest=seen.digest).first()) is not None:
            return Change(admitted, same)
        if given.count() >= MOST_PHOTOS:
            raise Refusal("too_many_photos", status=CONFLICT)
        return _attached(ledger, admitted, call, actor, at, seen)

    return carry_out(decide, actor, at)


def remove(*, photo_id: int, actor: Actor, at: datetime, reason: str) -> Photo:
    """A referee takes a photo away, for good: it shows what it should not, or nothing. That there was one stays."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    def decide() -> Change[Photo]:
        photo = Photo.objects.filter(pk=photo_id).first()
        if photo is None:
            raise NotFound()
        call, ledger = _read(photo.call_id, lock=True)
        admitted = admit(actor, Act.REMOVE_PHOTO, ledger)
        if photo.removed_at is not None:
            return Change(admitted, photo)
        gone = Move(photo, {"removed_at": at, "removed_by": actor.user}, {"removed_at": None})
        line = Line(Act.REMOVE_PHOTO, ("call", call), reason, new={"photo": photo.pk}, sitting=ledger.sitting)
        then = unchanged(ledger, RemoveAll(PhotoContent, {"photo": photo}), gone)
        return change_at(ledger, admitted, photo, then, [line], moved=False)

    return carry_out(decide, actor, at)


def may_give(call: Call, side: str) -> bool:
    """Whether a side gives photos with this call of its table: not with one that the other side made for itself."""
    return call.side == side or call.kind in (CallKind.DISPUTE, CallKind.OBJECTION)


def forget(*, at: datetime) -> int:
    """Delete the bytes of photos of events that are over for long; how many photos."""
    lasts = Round.objects.annotate(last=Coalesce("closed_at", "started_at")).exclude(last=None)
    over = lasts.values("tournament").annotate(end=Max("last")).filter(end__lt=at - TERM).values("tournament")
    gone = PhotoContent.objects.filter(photo__call__sitting__round__tournament__in=over.order_by())
    return gone.delete()[0]


def _admitted(call: Call, ledger: Ledger, actor: Actor) -> Admitted:
    admitted = admit(actor, Act.ATTACH_PHOTO, ledger)
    if actor.side and not may_give(call, actor.side):
        raise NotFound()
    if call.closed_at is not None:
        raise WrongStep("call_over")
    return admitted


def _attached(ledger: Ledger, admitted: Admitted, call: Call, actor: Actor, at: datetime, seen: Kept) -> Change[Photo]:
    photo = Photo(call=call, side=actor.side or "", added_by=actor.user, added_at=at, digest=seen.digest)
    content = PhotoContent(photo=photo, content=seen.data, width=seen.width, height=seen.height)
    line = Line(Act.ATTACH_PHOTO, ("call", call), new={"photo": photo}, sitting=ledger.sitting)
    then = unchanged(ledger, Add(photo), Add(content))
    return change_at(ledger, admitted, photo, then, [line], moved=False)


def _read(call_id: int, *, lock: bool = False) -> tuple[Call, Ledger]:
    try:
        sitting_id = Call.objects.values_list("sitting_id", flat=True).get(pk=call_id)
    except (Call.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=lock)
    return Call.objects.get(pk=call_id), ledger
