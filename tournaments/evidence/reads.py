"""Who is shown which photos: officials of the table all of them, a side its own, everybody else none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from ..acts.access import Act
from ..acts.admission import Actor, allowed
from ..acts.errors import NOT_FOUND, NotFound, Refusal
from ..models import Call, Photo, PhotoContent, Sitting


@dataclass(frozen=True, slots=True)
class Given:
    """A photo beside a call; without edges its bytes are not here any more, or not on this installation."""

    photo: Photo
    width: int | None
    height: int | None

    @property
    def kept(self) -> bool:
        return self.width is not None


def given_with(calls: Collection[Call], side: str | None = None) -> Mapping[int, Sequence[Given]]:
    """The photos with these calls, by the id of the call, in one query; of one `side` alone where it is named."""
    found: dict[int, list[Given]] = defaultdict(list)
    if not calls:
        return found
    rows = Photo.objects.filter(call__in=calls, removed_at=None).select_related("added_by")
    edges = rows.annotate(width=F("content__width"), height=F("content__height"))
    for photo in (edges if side is None else edges.filter(side=side)).order_by("pk"):
        found[photo.call_id].append(Given(photo, photo.width, photo.height))
    return found


def given_at(sitting: Sitting) -> Sequence[Given]:
    """Every photo of a sitting, of calls that are dealt with too, oldest first."""
    calls = Call.objects.filter(sitting=sitting)
    rows = Photo.objects.filter(call__in=calls, removed_at=None).select_related("added_by", "call")
    edges = rows.annotate(width=F("content__width"), height=F("content__height"))
    return [Given(photo, photo.width, photo.height) for photo in edges.order_by("pk")]


def content_of(photo_id: int, actor: Actor) -> bytes:
    """The bytes of a photo, for who may see it. To everybody else there is no such photo (`NotFound`).

    Refused: `photo_gone`, where the bytes are not kept any more.
    """
    photo = seen_by(photo_id, actor)
    row = PhotoContent.objects.filter(photo=photo).first()
    if row is None or photo.removed_at is not None:
        raise Refusal("photo_gone", status=NOT_FOUND)
    return bytes(row.content)


def seen_by(photo_id: int, actor: Actor) -> Photo:
    """The photo, for who may see it; else `NotFound`."""
    try:
        photo = Photo.objects.select_related("call__sitting__round__tournament").get(pk=photo_id)
    except (Photo.DoesNotExist, OverflowError):
        raise NotFound() from None
    sitting = photo.call.sitting
    inside = allowed(actor, Act.SEE_TABLE, tournament=sitting.round.tournament, sitting=sitting)
    if not inside or (actor.user is None and photo.side != actor.side):
        raise NotFound()
    return photo
