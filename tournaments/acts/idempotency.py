"""The same request sent twice is one act and gets the same answer; the same key with another body is refused.

Key, effect and answer are written in one transaction, so no key is ever stuck and no effect stands without its answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction

from ..models import SavedAnswer
from .access import Actor
from .errors import BAD_REQUEST, KeyReused, Refusal

KEY_LIMIT = 255

Result = TypeVar("Result")


@dataclass(slots=True)
class Once:
    """One keyed request: look up its `answer` after taking the locks, `save` the answer beside the effect."""

    scope: str
    key: str | None
    digest: str
    answer: dict[str, Any] | None = None

    def look_up(self) -> dict[str, Any] | None:
        """The answer given before to this key and body, or None. Another body: `KeyReused`."""
        if self.key is None:
            return None
        known = SavedAnswer.objects.filter(scope=self.scope, key=self.key)
        saved = known.values_list("request_digest", "answer").first()
        if saved is None:
            return None
        if saved[0] != self.digest:
            raise KeyReused()
        self.answer = json.loads(saved[1])
        return self.answer

    def save(self, answer: Mapping[str, Any], *, at: datetime, tournament_id: int | None) -> None:
        """Keep the answer for the life of the tournament."""
        if self.key is None:
            return
        SavedAnswer.objects.create(
            scope=self.scope,
            key=self.key,
            request_digest=self.digest,
            answer=json.dumps(answer, cls=DjangoJSONEncoder),
            saved_at=at,
        )


def once(*, actor: Actor, key: str | None, body: Mapping[str, Any]) -> Once:
    """A keyed request of this actor. `body` is everything that makes it this request, the act's name included."""
    if key is not None and (not isinstance(key, str) or not 0 < len(key) <= KEY_LIMIT or not key.isprintable()):
        raise Refusal("key_not_allowed", field="key", status=BAD_REQUEST)
    text = json.dumps(body, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return Once(actor.scope, key, hashlib.sha256(text.encode()).hexdigest())


def in_one_transaction(act: Callable[[], Result]) -> Result:
    """Run a keyed act in one transaction; two requests that race for a new key on different rows are run in turn.

    Requests about one sitting queue on its row and never get here twice; the key's own constraint is what holds when
    one key is sent for two sittings at once. The second run then meets the first one's saved answer.
    """
    try:
        with transaction.atomic():
            return act()
    except IntegrityError as error:
        if "key_used_once" not in str(error) and "tournaments_savedanswer" not in str(error):
            raise
    with transaction.atomic():
        return act()
