"""Hands of many tables in one request: slips typed at a desk, or what a device kept while it had no network.

Each hand is an act of its own, with its own key, answer and refusal. Its key is that of the same hand sent alone
(`sittings/<id>/hands/`), so what was sent one way may be sent again the other way and counts once. All are read and
written together, those of one table each decided on what those before it leave.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.urls import reverse
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import forbidden
from tournaments.acts.announce import together
from tournaments.acts.errors import Refusal
from tournaments.acts.keys import KEY_LIMIT, Kept, Keyed, Repeat
from tournaments.acts.leaves import Promise, promised
from tournaments.ledger import scorekeeping
from tournaments.ledger.entry_path import OfMany, carry_out_together
from tournaments.ledger.entry_read import Credential, read_entries, read_entry
from tournaments.ledger.recorded import Recorded

from .answers.base import Answer, a_text, an_int
from .answers.ledger import RecordedAnswer, recorded_answer
from .common.describe import WRITE, ErrorSchema, described
from .common.entries import credential_of, recorded_at_once
from .common.errors import DECIDED, envelope, exception_handler, sentence_of
from .common.strict import Body, RowNumber, Words, shaped
from .common.views import Endpoint, answer_again, read
from .sittings import HandForm

MOST: Final = 50
#: The caller may not do it, or there is no such table for him.
_NOT_LET_IN: Final = (401, 403, 404)


class OneHand(HandForm):
    key = Words(
        KEY_LIMIT,
        trim_whitespace=False,
        help_text="as Idempotency-Key: 1 to 255 plain characters (ASCII, blanks only inside), new for every hand",
    )
    sitting = RowNumber()


class ManyHandsForm(Body):
    hands = shaped(
        OneHand(many=True),
        of=serializers.ListField,
        allow_empty=False,
        help_text=f"1 to {MOST}, entered in this order",
    )


class HandDone(Answer):
    """What became of one hand: as `sittings/<id>/hands/` would answer it, `recorded` or an `error`."""

    key = a_text(null=True)
    status = an_int()
    recorded = RecordedAnswer(allow_null=True)
    error = ErrorSchema(allow_null=True)


class HandsDone(Answer):
    """One for each hand, in the order in which they were sent."""

    results = HandDone(many=True)


class ManyHands(Endpoint):
    keys_inside = True

    @described(
        "Enter up to 50 hands of one or many tables, each with its own key and answer",
        body=ManyHandsForm,
        answer=HandsDone,
        refused=WRITE,
    )
    def post(self, request: Request) -> Response:
        hands = self.body(ManyHandsForm)["hands"]
        if len(hands) > MOST:
            body = envelope("too_many_at_once", sentence_of("too_many_at_once"), field="hands")
            return Response(body, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        credential, _ = credential_of(request)
        if credential is None:
            raise forbidden(Act.ENTER_HAND)
        answers: dict[int, Response] = {}
        tables = _by_table(hands)
        with together():
            # where one key is that of two tables, what becomes of the second waits for the first
            for some in [[one] for one in tables] if _share_keys(tables) else [tables]:
                self._enter_at(some, credential, answers)
        in_order = [answers[place] for place in range(len(hands))]
        if all(one.status_code in _NOT_LET_IN for one in in_order):
            return in_order[0]
        return Response({"results": [_result(*one) for one in zip(hands, in_order, strict=True)]})

    def _enter_at(self, tables: list[_AtTable], credential: Credential, answers: dict[int, Response]) -> None:
        """Answer the hands of these tables, by their places in the request: together as far as that goes. A failure
        that is no refusal (the database is away) ends the whole request: what was entered before it is kept under its
        keys."""
        while tables:
            done = self._entered_together(tables, credential) if sum(len(one.hands) for one in tables) > 1 else {}
            for table in tables:
                entered = done.get(table.sitting, [])
                answers.update(zip((place for place, _ in table.hands), entered, strict=False))
                table.hands = table.hands[len(entered) :]
                if table.hands:  # the next one is a case for itself
                    place, hand = table.hands.pop(0)
                    answers[place] = self._answered(hand, credential)
            tables = [one for one in tables if one.hands]

    def _entered_together(self, tables: list[_AtTable], credential: Credential) -> dict[int | None, list[Response]]:
        """By table the answers to the first of its hands, as many as were entered together."""
        asked, promises = dict[int, list[OfMany]](), dict[int, list[Promise]]()

        def kept(recorded: Recorded) -> Kept:
            promises[recorded.entry.sitting_id] = made[-1:]  # the leaf of a table is made just before its answers
            body = recorded_answer(recorded, made)
            return {"status": status.HTTP_201_CREATED, "headers": {}, "body": body}

        for table in tables:
            if table.sitting is None:
                continue
            for _, hand in table.hands:
                try:
                    asked.setdefault(table.sitting, []).append(self._of_many(hand, kept))
                except DECIDED:  # it is answered by itself, and what comes after it, after it
                    break
        if sum(map(len, asked.values())) < 2:
            return {}
        with promised() as made:
            done = carry_out_together(asked, partial(read_entries, credential=credential), self.now)
        return {
            sitting: [
                self._refused(one) if isinstance(one, Refusal) else _recorded(one, promises.get(sitting, ()))
                for one in of_table
            ]
            for sitting, of_table in done.items()
        }

    def _of_many(self, hand: Any, kept: Callable[[Recorded], Kept]) -> OfMany:
        fields = read(OneHand, hand)
        key, sitting = fields.pop("key"), fields.pop("sitting")
        keyed = Keyed.of(self.actor.scope, key, _sent_alone(hand, sitting))
        return OfMany(scorekeeping.hand_to_enter(**fields), keyed, kept)

    def _answered(self, hand: Any, credential: Credential) -> Response:
        """The answer to one hand."""
        try:
            return self._entered(hand, credential)
        except DECIDED as refused:
            return self._refused(refused)

    def _refused(self, refused: Exception) -> Response:
        return exception_handler(refused, {"request": self.request})

    def _entered(self, hand: Any, credential: Credential) -> Response:
        fields = read(OneHand, hand)
        key, sitting = fields.pop("key"), fields.pop("sitting")
        keyed = Keyed.of(self.actor.scope, key, _sent_alone(hand, sitting))
        look = partial(read_entry, sitting, credential, key)
        return recorded_at_once(sitting, scorekeeping.hand_to_enter(**fields), look, look(), self.now, keyed, 201)


@dataclass(slots=True)
class _AtTable:
    """Hands of one table with their places in the request; what names no table stands by itself."""

    sitting: int | None
    hands: list[tuple[int, Any]]


def _by_table(hands: list[Any]) -> list[_AtTable]:
    tables = dict[object, _AtTable]()
    for place, hand in enumerate(hands):
        sitting = hand.get("sitting") if isinstance(hand, Mapping) else None
        known = sitting if type(sitting) is int else None
        table = tables.setdefault(("none", place) if known is None else known, _AtTable(known, []))
        table.hands.append((place, hand))
    return list(tables.values())


def _share_keys(tables: list[_AtTable]) -> bool:
    """Whether a key is that of hands of two tables."""
    of_tables = [[hand.get("key") for _, hand in one.hands if isinstance(hand, Mapping)] for one in tables]
    texts = [key for keys in of_tables for key in {key for key in keys if isinstance(key, str)}]
    return len(set(texts)) < len(texts)


def _recorded(done: Recorded | Repeat, made: Sequence[Promise]) -> Response:
    if isinstance(done, Repeat):
        return answer_again(done.answer or {})
    return Response(recorded_answer(done, made), status=status.HTTP_201_CREATED)


def _sent_alone(hand: Mapping[str, Any], sitting: int) -> Iterator[bytes]:
    """What makes this hand the same request when it is sent by itself."""
    body = {name: value for name, value in hand.items() if name not in ("key", "sitting")}
    yield f"POST {reverse('api:hands', args=[sitting])}".encode()
    yield json.dumps(body, sort_keys=True).encode()


def _result(hand: Any, answer: Response) -> dict[str, Any]:
    key = hand.get("key") if isinstance(hand, Mapping) else None
    error = answer.data.get("error")
    return {
        "key": key if isinstance(key, str) else None,
        "status": answer.status_code,
        "recorded": None if error else answer.data,
        "error": error,
    }
