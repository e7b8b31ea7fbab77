"""Long work: how far it is, what it came to, and the certificate of an audit."""

from __future__ import annotations

from rest_framework import serializers

from .base import Answer, Scalar, Sentence, a_flag, a_map, a_text, a_time, a_word, an_int
from .facts import FindingAnswer
from .words import REFUSAL


class JobProgress(Answer):
    step = Sentence()
    done = an_int()
    of = an_int()


class DifferenceAnswer(Answer):
    where = a_text()
    what = a_text()
    recorded = Scalar()
    recomputed = Scalar()
    sentence = Sentence()


class CertificateLine(Answer):
    kind = a_text()
    title = Sentence()
    digest = a_text(null=True)
    verdict = a_text()
    note = Sentence(allow_null=True)
    differences = DifferenceAnswer(many=True)


class CertificateAnswer(Answer):
    format = a_text()
    event = a_text()
    record_digest = a_text()
    scope = a_text()
    clean = a_flag()
    verdicts = a_map(Sentence)
    counts = a_map(serializers.IntegerField())
    lines = CertificateLine(many=True)


class CertificateComing(Answer):
    format = a_text()
    event = a_text()
    clean = a_flag(null=True)


class JobResult(Answer):
    """What the work came to, by its kind: a draw, a publication, a file, what an event file holds and where it went."""

    draw = an_int(required=False)
    publication = an_int(required=False)
    round = an_int(required=False)
    bytes = an_int(required=False)
    slug = a_text(null=True, required=False)
    imported = a_flag(required=False)
    record_digest = a_text(required=False)
    counts = a_map(serializers.IntegerField(), required=False)
    certificate = CertificateAnswer(required=False)


class JobRefused(Answer):
    """Why the work was refused; of a file with every problem."""

    code = a_word(REFUSAL)
    message = Sentence()
    field = a_text(null=True, required=False)
    findings = FindingAnswer(many=True, required=False)


class JobAnswer(Answer):
    """A piece of long work; `state` is open, done or refused."""

    id = an_int()
    kind = a_text()
    name = Sentence(allow_null=True)
    asked_at = a_time()
    due_at = a_time(null=True)
    done_at = a_time(null=True)
    state = a_word(("open", "done", "refused"))
    progress = JobProgress(allow_null=True)
    result = JobResult(allow_null=True)
    refusal = JobRefused(allow_null=True)
