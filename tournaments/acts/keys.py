"""Idempotency keys: a request sent twice is one act with one answer; the same key with another body is refused.

The doors (the API, the pages) put `do_once` around every request that writes, so no act has to think of it. Key, effect
and answer are written in one transaction: no key is ever stuck, and no effect stands without its answer. Of two that
come at once the second waits for the first at the key. A refusal is not kept: its key is free again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import OperationalError, connection, transaction
from django.utils.crypto import salted_hmac

from ..models import SavedAnswer
from .admission import Actor, Admission, admissions, admit_again
from .errors import BAD_REQUEST, CONFLICT, KeyReused, Refusal
from .failures import lost_a_deadlock

KEY_LIMIT = 255
#: What a header carries from every client to every server as it was written: the plain signs of ASCII, blanks only
#: between them. A key in a body is no other than the same key in a header.
KEY_PATTERN = r"[!-~]([ -~]*[!-~])?"
#: How long a repeat gets the first answer. A phone that was away comes back within an event; after that nobody asks.
KEPT_FOR = timedelta(days=7)

Result = TypeVar("Result")
#: An answer as it is kept: plain JSON, ids in place of names. None: what was done is kept, the answer is not.
Kept = Mapping[str, Any] | None


def is_key(text: str) -> bool:
    """Whether a text can be a key."""
    return len(text) <= KEY_LIMIT and re.fullmatch(KEY_PATTERN, text) is not None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request with a key: whose keys, the key, and the digest of everything that makes it this request."""

    scope: str
    key: str
    digest: str

    @classmethod
    def of(cls, scope: str, key: str, sent: Iterable[bytes]) -> Keyed:
        """`sent` is what was asked: the address and the body. Only a digest of it is kept, which our secret salts, for
        a body can hold a password."""
        if not is_key(key):
            raise Refusal("key_not_allowed", field="key", status=BAD_REQUEST)
        body = hashlib.sha256()
        for part in sent:
            body.update(len(part).to_bytes(8) + part)
        return cls(scope, key, salted_hmac("idempotency", body.digest(), algorithm="sha256").hexdigest())


@dataclass(frozen=True, slots=True)
class Repeat:
    """The request was carried out before: what was answered, None where that is not kept."""

    answer: Kept


@dataclass(frozen=True, slots=True)
class Answered:
    """What is kept of a request that was carried out: the digest of what was asked, and the answer as it was saved."""

    request_digest: str
    answer: str


class ShownOnce(Refusal):
    """It was done; what it showed is a secret that nobody keeps. `how`: how to get a new one."""

    def __init__(self, how: Mapping[str, str]) -> None:
        message = {
            "en": f"This was done already, and what it showed is not kept. {how['en']}",
            "zh": f"这一步已经完成，当时显示的内容不保存。{how['zh']}",
        }
        super().__init__("shown_once", message=message, status=CONFLICT)


def scope_of_door(where: str) -> str:
    """Whose keys before anybody has signed in: those of one address, or of one browser."""
    return f"door:{salted_hmac('door', where).hexdigest()[:24]}"


def do_once(
    keyed: Keyed,
    act: Callable[[], Result],
    kept: Callable[[Result], tuple[bool, Kept]],
    *,
    actor: Actor | None,
    at: datetime,
    door: bool = False,
) -> Result | Repeat:
    """Carry out a keyed request, or find that it was: its result, or a `Repeat` for who may still do it.

    `kept` says of a result whether anything was done (a refusal did nothing) and how to keep the answer. `door`: before
    sign-in. A password is judged slowly, so no transaction is held open meanwhile, and no answer is kept.
    """
    while True:
        try:
            return _done_once(keyed, act, kept, actor, at, door)
        except OperationalError as error:  # a statement that had what this waited for waited for the key
            if door or connection.in_atomic_block or not lost_a_deadlock(error):
                raise


def _done_once(
    keyed: Keyed,
    act: Callable[[], Result],
    kept: Callable[[Result], tuple[bool, Kept]],
    actor: Actor | None,
    at: datetime,
    door: bool,
) -> Result | Repeat:
    with nullcontext() if door else transaction.atomic():
        mine = SavedAnswer.objects.filter(scope=keyed.scope, key=keyed.key)
        while not _taken(keyed, at):
            if (found := mine.first()) is not None:
                return repeated(Answered(found.request_digest, found.answer), keyed, actor)
        try:
            with admissions() as admitted:
                result = act()
        except BaseException:
            if door:
                mine.delete()
            raise
        done, answer = kept(result)
        if done:
            mine.update(answer=_said(admitted, answer))
        else:
            mine.delete()
        return result


def forget(*, at: datetime) -> None:
    """Remove the answers whose term is over: those before the first that is still kept, in the order of their ids.

    They are saved in that order, so no index of times is needed; one that was saved out of turn goes the next time.
    """
    limit = at - KEPT_FOR
    kept = SavedAnswer.objects.filter(saved_at__gte=limit).order_by("pk").values_list("pk", flat=True).first()
    over = SavedAnswer.objects.filter(saved_at__lt=limit)
    (over if kept is None else over.filter(pk__lt=kept)).delete()


def _taken(keyed: Keyed, at: datetime) -> bool:
    """Take the key; False where somebody has it. Waits for another request that has it just now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_savedanswer (scope, key, request_digest, saved_at, answer)"
            " VALUES (%s, %s, %s, %s, '') ON CONFLICT DO NOTHING",
            [keyed.scope, keyed.key, keyed.digest, connection.ops.adapt_datetimefield_value(at)],
        )
        return bool(cursor.rowcount)


def answer_row(keyed: Keyed, at: datetime, admitted: Iterable[Admission], answer: Kept) -> SavedAnswer:
    """The row that keeps an answer, for an act that writes it together with everything else."""
    kept = {"scope": keyed.scope, "key": keyed.key, "request_digest": keyed.digest, "saved_at": at}
    return SavedAnswer(**kept, answer=_said(admitted, answer))


def repeated(found: Answered, keyed: Keyed, actor: Actor | None) -> Repeat:
    """The request was carried out before: `KeyReused` where its key was another request's."""
    if found.request_digest != keyed.digest:
        raise KeyReused()
    said = json.loads(found.answer or "{}")
    if actor is not None:
        admit_again(actor, said.get("admitted", ()))
    return Repeat(said.get("answer"))


def _said(admitted: Iterable[Admission], answer: Kept) -> str:
    return json.dumps({"admitted": list(admitted), "answer": answer}, ensure_ascii=False)
