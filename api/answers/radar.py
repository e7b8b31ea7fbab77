"""The questions of the radar."""

from __future__ import annotations

from scoring.radar.seen import Kind
from tournaments.radar.reads import Question

from .base import Answer, Document, a_flag, a_text, a_time, a_word, an_int, moment
from .facts import Sentence


class RateAnswer(Answer):
    """How often honest play comes to it: so many times in so many hands, matches, results of boards or entrants."""

    times = an_int()
    of = an_int()
    unit = a_text()


class AsideAnswer(Answer):
    """What an official last made of it."""

    aside = a_flag()
    note = a_text()
    put_at = a_time()


class RadarQuestion(Answer):
    """A question with evidence: what was seen, where, and how often honest play comes to it (null: not known)."""

    flag = a_text()
    kind = a_word([(one.value, one.value) for one in Kind])
    round = an_int()
    table = an_int()
    game = an_int()
    hand = an_int(null=True)
    seen = Sentence()
    ask = Sentence()
    rate = RateAnswer(allow_null=True)
    last = AsideAnswer(allow_null=True)


class RadarAnswer(Answer):
    questions = RadarQuestion(many=True)


def question_answer(question: Question) -> Document:
    flag, rate, last = question.flag, question.flag.rate, question.last
    return {
        "flag": flag.key,
        "kind": str(flag.kind),
        "round": flag.place.round,
        "table": flag.place.table,
        "game": flag.place.game,
        "hand": flag.hand,
        "seen": dict(flag.seen),
        "ask": dict(flag.ask),
        "rate": None if rate is None else {"times": rate.times, "of": rate.of, "unit": rate.unit},
        "last": None if last is None else {"aside": last.aside, "note": last.note, "put_at": moment(last.put_at)},
    }
