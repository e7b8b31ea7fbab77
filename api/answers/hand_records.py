"""A hand recorded card by card."""

from __future__ import annotations

from tournaments.ledger.hands_on_record import Replayed

from .base import Answer, Document, Sentence, a_flag, a_map, a_text, a_time, a_word, an_int, moment
from .facts import Facts, FindingAnswer
from .words import DEALERS, ROLES, SEATS


class TrickAnswer(Answer):
    number = an_int()
    winner = a_word(DEALERS, null=True)
    points = an_int()
    findings = FindingAnswer(many=True, required=False)


class Replay(Answer):
    """What the cards come to. Sides have `winner_side`, `levels` and `next_dealer`; single players the others."""

    dealer = a_word(DEALERS, null=True)
    level = a_text(null=True)
    trump = a_text(null=True)
    tricks = TrickAnswer(many=True)
    complete = a_flag()
    redeal = a_flag()
    sheet = Facts()
    attackers_total = an_int(null=True)
    winner_side = a_word(ROLES, null=True, required=False)
    levels = an_int(null=True, required=False)
    next_dealer = a_word(SEATS, null=True, required=False)
    bid = an_int(null=True, required=False)
    ally = a_word(DEALERS, null=True, required=False)
    found_in = an_int(null=True, required=False)
    winner_role = a_word(ROLES, null=True, required=False)
    gains = a_map(an_int(), null=True, required=False)
    findings = FindingAnswer(many=True, required=False)
    unknown = Sentence(many=True)


class HandRecordAnswer(Answer):
    sitting = an_int()
    entry = an_int()
    hand_no = an_int()
    number = an_int()
    text = a_text()
    digest = a_text()
    attached_at = a_time()
    replay = Replay()
    disagreements = FindingAnswer(many=True)


def recorded_hand_answer(one: Replayed, *, faults: bool) -> Document:
    """The record of a hand as it is kept, what its cards come to, and where the entry that counts says otherwise.

    `faults`: with what the players did against the rules, for officials.
    """
    replay = one.replay.to_json()
    if not faults:
        del replay["findings"]
        for trick in replay["tricks"]:
            del trick["findings"]
    return {
        "sitting": one.recorded.sitting_id,
        "entry": one.entry.pk,
        "hand_no": one.recorded.hand_no,
        "number": one.recorded.number,
        "text": one.recorded.text,
        "digest": one.recorded.digest,
        "attached_at": moment(one.recorded.attached_at),
        "replay": replay,
        "disagreements": [found.to_json() for found in one.disagreements],
    }
