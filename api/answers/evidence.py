"""Photos given as evidence, as the API tells of them."""

from __future__ import annotations

from tournaments.models import Photo

from .base import Answer, Document, a_flag, a_text, a_time, an_int, moment


class PhotoAnswer(Answer):
    id = an_int()
    call = an_int()
    side = a_text()
    added_at = a_time()
    removed_at = a_time(null=True)
    digest = a_text()
    kept = a_flag()


def photo_answer(one: Photo, *, kept: bool) -> Document:
    return {
        "id": one.pk,
        "call": one.call_id,
        "side": one.side,
        "added_at": moment(one.added_at),
        "removed_at": moment(one.removed_at),
        "digest": one.digest,
        "kept": kept,
    }
