"""The signed log of an event."""

from __future__ import annotations

from rest_framework import serializers

from .base import Answer, a_list, a_text, a_time, an_int


class LogHeadAnswer(Answer):
    """How the tree stood: so many acts, this root."""

    size = an_int()
    root = a_text()  # type: ignore[assignment]  # the name of the standard
    at = a_time()
    signature = a_text()


class LogLeafAnswer(Answer):
    """An act: its number from 0 and its digest; for officials what it wrote, and the signature of that."""

    number = an_int()
    digest = a_text()
    body = a_text(required=False)
    signature = a_text(required=False)


class TermAnswer(Answer):
    """A later installation went on: from which act, and the head of the one before that it held; its key."""

    number = an_int()
    size = an_int()
    root = a_text()  # type: ignore[assignment]  # the name of the standard
    at = a_time()
    key = a_text()


class LogAnswer(Answer):
    format = a_text()
    event = an_int()
    slug = a_text()
    keys = a_list(serializers.CharField())
    heads = LogHeadAnswer(many=True)
    leaves = LogLeafAnswer(many=True)
    terms = TermAnswer(many=True)
    review = a_list(serializers.CharField())


class SignedHead(Answer):
    """`text`: what was signed, as JSON (`size`, `root`, `at`, `event`)."""

    text = a_text()
    signature = a_text()


class LoggedAnswer(Answer):
    """An act in the log: its number from 0, its digest, the roots beside its way up to the root of the head."""

    number = an_int()
    digest = a_text()
    path = a_list(serializers.CharField())


class ProofsAnswer(Answer):
    """`receipts`: for each one asked, in order; null where the log has no such act. `growth`: what proves that the log
    grew out of the earlier head (RFC 9162, 2.1.4); null heads where none is signed yet."""

    head = SignedHead(allow_null=True)
    keys = a_list(serializers.CharField())
    receipts = a_list(LoggedAnswer(allow_null=True))
    growth = a_list(serializers.CharField())
    terms = TermAnswer(many=True)
