"""Live and published tables, lots, draws and pairings, boards, jobs, certificates."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import DrawMethod, MatchOutcome
from tournaments.standings.settled import Settled

from .base import (
    SEATS,
    SIDES,
    Answer,
    Scalar,
    Sentence,
    a_flag,
    a_list,
    a_map,
    a_text,
    a_time,
    a_word,
    an_exact,
    an_int,
)
from .documents import DrawDocument, Mark, OpenThing, PairingDocument, PublishedDocument
from .events import Brief
from .facts import FindingAnswer


class StandingAnswer(Answer):
    """A place of a table; `rank` null: ruled out of the placing."""

    rank = an_int(null=True)
    shared = a_flag()
    entrant = Brief()
    values = a_map(an_exact())
    split_by = a_text(null=True)
    why = Sentence(allow_null=True)
    group = an_int(required=False)
    qualifies = an_int(required=False)
    prize = an_exact(required=False)
    undecided = Sentence(required=False)


class LiveTable(Answer):
    """`covers`: how many acts it counts; `open`: what is not settled yet."""

    covers = an_int()
    fresh = a_flag()
    waiting = an_int()
    provisional = a_flag()
    open = a_list(OpenThing())
    computed_at = a_time(null=True)
    rows = StandingAnswer(many=True)


class LotsAnswer(Answer):
    number = an_int()
    stage = an_int()
    order = a_list(serializers.IntegerField())
    reason = a_text()
    drawn_at = a_time()


class PublicationAnswer(Answer):
    number = an_int()
    round = an_int()
    stage = an_int()
    supersedes = an_int(null=True)
    superseded_by = an_int(null=True)
    reason = a_text()
    settled = a_word([one.value for one in Settled])
    provisional = a_flag()
    why = Sentence()
    correction_until = a_time(null=True)
    digest = a_text()
    published_at = a_time()


class PublicationWhole(PublicationAnswer):
    document = PublishedDocument()
    rows = StandingAnswer(many=True)


class DrawAnswer(Answer):
    number = an_int()
    method = a_word(DrawMethod.choices)
    reason = a_text()
    drawn_at = a_time()
    digest = a_text()
    sentence = Sentence()
    document = DrawDocument()


class PairingAnswer(Answer):
    number = an_int()
    published_at = a_time()
    reason = a_text()
    digest = a_text(null=True)
    document = PairingDocument(allow_null=True)


class DrawWithPairings(Answer):
    draw = DrawAnswer(allow_null=True)
    pairings = PairingAnswer(many=True)


class Reseated(Answer):
    pairing = an_int()


class BoardAtTable(Answer):
    sitting = an_int()
    match = an_int()
    round = an_int()
    table = an_int()
    room = a_text()
    outcome = a_word(MatchOutcome.choices)
    north_south = Brief(allow_null=True)
    east_west = Brief(allow_null=True)
    dealer_side = a_word(SIDES, blank=True)
    attackers_points = an_int(null=True)
    hand_points = an_int(null=True)
    ns_mark = Mark(allow_null=True)
    ew_mark = Mark(allow_null=True)
    reason = a_text()
    clause = a_text()


class BoardScore(Answer):
    match = an_int()
    home = an_exact()
    away = an_exact()


class BoardAnswer(Answer):
    """A board at all tables, with the exact scores of every match."""

    number = an_int()
    dealer = a_word(SEATS)
    level = a_text()
    trump = a_text()
    measure = a_text()
    board_scale = a_text()
    results = BoardAtTable(many=True)
    scores = BoardScore(many=True)


class BoardStands(Answer):
    board = an_int()
    dealer_side = a_word(SIDES, null=True)
    attackers_points = an_int(null=True)
    hand_points = an_int(null=True)
    ns = Mark(allow_null=True)
    ew = Mark(allow_null=True)


class AdjustedAnswer(Answer):
    revision = an_int()
    result = BoardStands(allow_null=True)


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
    """What the work came to, by its kind: a draw, a file, what an event file holds and where it went."""

    draw = an_int(required=False)
    round = an_int(required=False)
    bytes = an_int(required=False)
    slug = a_text(null=True, required=False)
    imported = a_flag(required=False)
    record_digest = a_text(required=False)
    counts = a_map(serializers.IntegerField(), required=False)
    certificate = CertificateAnswer(required=False)


class JobRefused(Answer):
    """Why the work was refused; of a file with every problem."""

    code = a_text()
    message = Sentence()
    field = a_text(null=True, required=False)
    findings = FindingAnswer(many=True, required=False)


class JobAnswer(Answer):
    """A piece of long work; `state` is open, done or refused."""

    id = an_int()
    kind = a_text()
    name = Sentence(allow_null=True)
    asked_at = a_time()
    done_at = a_time(null=True)
    state = a_word(("open", "done", "refused"))
    progress = JobProgress(allow_null=True)
    result = JobResult(allow_null=True)
    refusal = JobRefused(allow_null=True)


class DrawMade(Answer):
    """The draw, or the job that draws a large field."""

    draw = DrawAnswer(required=False)
    job = JobAnswer(required=False)


class DrawCosts(Answer):
    """What a pairing breaks, the gravest first."""

    rematch = an_int()
    bye = an_int()
    unit = an_int()
    bye_score = an_int()
    score = an_int()
    float = an_int()
    seat = an_int()
    seeding = an_int()
    lot = an_int()


class PairCosts(DrawCosts):
    home = an_int()
    away = an_int(null=True)


class WhyNotAnswer(Answer):
    feasible = a_flag()
    forbidden_by = a_list(serializers.CharField())
    dearer_in = a_text(null=True, required=False)
    best = DrawCosts(allow_null=True, required=False)
    pairs = a_list(serializers.ListField(child=serializers.IntegerField()), required=False)
    bye = an_int(null=True, required=False)
    costs = PairCosts(many=True, required=False)
    total = DrawCosts(allow_null=True, required=False)
    sentence = Sentence()
