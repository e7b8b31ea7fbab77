"""Rounds, matches and sittings."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework import serializers

from tournaments.boards.reads import KeptBack, played_here, shown_later
from tournaments.models import (
    Call,
    CallKind,
    Match,
    MatchOutcome,
    MatchPlace,
    Round,
    ScoredBy,
    Sitting,
    SittingPhase,
)
from tournaments.sittings.ledgers import shown_state
from tournaments.sittings.records import SittingRecord

from .base import (
    Answer,
    Document,
    Sentence,
    a_flag,
    a_list,
    a_map,
    a_text,
    a_time,
    a_word,
    an_exact,
    an_int,
    exact,
    moment,
)
from .events import Brief, RoundAnswer, brief_answer
from .facts import FindingAnswer, state
from .ledger import EntryAnswer, HandAnswer, entry_answer
from .words import SIDES


class KeptBackAnswer(Answer):
    """What is told instead of boards that others have to play."""

    played = a_list(serializers.IntegerField())
    waiting = a_list(serializers.IntegerField())
    message = Sentence()


class Seat(Answer):
    """A sitting without its hands."""

    id = an_int()
    table = an_int()
    game = an_int()
    room = a_text()
    home_side = a_word(SIDES, blank=True)
    boards = a_list(serializers.IntegerField(), null=True)
    phase = a_word(SittingPhase.choices)
    scored_by = a_word(ScoredBy.choices)
    revision = an_int()
    hand_no = an_int()
    state = state(hidden=True)
    kept_back = KeptBackAnswer(required=False)


class PlaceAnswer(Answer):
    """One player's place at a table, with what he had at its end."""

    place = a_text()
    entrant = Brief(allow_null=True)
    score = an_exact(null=True)
    level = a_text()
    hands_won = an_int(null=True)
    penalties = an_int(null=True)
    winner = a_flag(null=True)


class MatchAnswer(Answer):
    """A match; of single players with their places."""

    id = an_int()
    number = an_int()
    home = Brief(allow_null=True)
    away = Brief(allow_null=True)
    outcome = a_word(MatchOutcome.choices)
    home_level = a_text()
    away_level = a_text()
    winner_side = a_word(SIDES, blank=True)
    decided_by = a_text()
    home_score = an_exact(null=True)
    away_score = an_exact(null=True)
    net = an_exact(null=True)
    away_net = an_exact(null=True)
    sittings = Seat(many=True)
    places = PlaceAnswer(many=True, required=False)


class MatchOfEvent(MatchAnswer):
    round = an_int()
    stage = an_int()


class RoundWhole(RoundAnswer):
    matches = MatchAnswer(many=True)


class RoundPaired(RoundWhole):
    findings = FindingAnswer(many=True)


class RoundPublished(RoundWhole):
    pairing = an_int()


class RoundStarted(RoundWhole):
    warnings = Sentence(many=True)


class Found(Answer):
    findings = FindingAnswer(many=True)


class OpeningAnswer(Answer):
    levels = a_map(serializers.CharField())
    first_dealer = a_text(null=True)


class SittingWhole(Seat):
    event = a_text()
    round = an_int()
    match = an_int()
    opening = OpeningAnswer()
    hands = HandAnswer(many=True)
    levels = a_map(serializers.CharField())
    waiting = EntryAnswer(allow_null=True, required=False)


class CallAnswer(Answer):
    id = an_int()
    sitting = an_int()
    kind = a_word(CallKind.choices)
    side = a_text()
    hand_no = an_int(null=True)
    note = a_text()
    called_at = a_time()
    taken_at = a_time(null=True)
    closed_at = a_time(null=True)


class Ended(Answer):
    over = a_flag()
    revision = an_int()


class AtTable(Answer):
    sitting = an_int()
    table = an_int()
    extra_minutes = an_int()


class Swapped(Answer):
    id = an_int()
    table = an_int()


def round_answer(one: Round) -> Document:
    return {
        "number": one.number,
        "stage": one.stage.number,
        "extra": one.extra,
        "status": one.status,
        "started_at": moment(one.started_at),
        "ends_at": moment(one.ends_at),
        "stopped_at": moment(one.stopped_at),
        "closed_at": moment(one.closed_at),
    }


def place_answer(one: MatchPlace) -> Document:
    """One player's place at a table, with what he had at its end."""
    return {
        "place": one.place,
        "entrant": brief_answer(one.entrant),
        "score": exact(one.hundredths),
        "level": one.level,
        "hands_won": one.hands_won,
        "penalties": one.penalties,
        "winner": one.winner,
    }


def match_answer(one: Match, sittings: Iterable[Sitting], kept: KeptBack | None = None) -> Document:
    """A match; in an individual game its players stand under `places`. Of one that is `kept` back no result is told."""
    made = _match_answer(one, sittings, kept or KeptBack())
    if kept is not None and one.pk in kept.matches:
        made |= dict.fromkeys(("home_score", "away_score", "net", "away_net"))
        made |= dict.fromkeys(("home_level", "away_level", "winner_side", "decided_by"), "")
    return made | {"places": [place_answer(row) for row in one.places.all()]} if one.individual else made


def _match_answer(one: Match, sittings: Iterable[Sitting], kept: KeptBack) -> Document:
    return {
        "id": one.pk,
        "number": one.number,
        "home": brief_answer(one.home),
        "away": brief_answer(one.away),
        "outcome": one.outcome,
        "home_level": one.home_level,
        "away_level": one.away_level,
        "winner_side": one.winner_side,
        "decided_by": one.decided_by,
        "home_score": exact(one.home_hundredths),
        "away_score": exact(one.away_hundredths),
        "net": exact(one.net_hundredths),
        "away_net": exact(one.away_net_hundredths),
        "sittings": [seat_answer(sitting, kept) for sitting in sittings],
    }


def seat_answer(one: Sitting, kept: KeptBack | None = None) -> Document:
    """A sitting without its hands; of one that is `kept` back its boards, those played, and when they are shown."""
    made: Document = {
        "id": one.pk,
        "table": one.table.number,
        "game": one.game,
        "room": one.room,
        "home_side": one.home_side,
        "boards": one.boards,
        "phase": one.phase,
        "scored_by": one.scored_by,
        "revision": one.revision,
        "hand_no": one.hand_no,
        "state": shown_state(one.state),
    }
    if kept is None or one.pk not in kept.sittings:
        return made
    waiting = sorted(set(one.boards or ()) - kept.boards)
    said = shown_later(waiting, one.round.stage, live=one.round.tournament.live_public)
    told = {"played": played_here(one), "waiting": waiting, "message": dict(said)}
    return made | {"state": {"finished": one.state.get("finished", False)}, "kept_back": told}


def sitting_answer(record: SittingRecord, *, inside: bool, kept: KeptBack | None = None) -> Document:
    """A sitting with its confirmed hands and reasons; the entry that waits only for those inside the event.

    No hands of a sitting that is `kept` back.
    """
    one = record.sitting
    told = kept is None or one.pk not in kept.sittings
    made = seat_answer(one, kept) | {
        "event": one.round.tournament.slug,
        "round": one.round.number,
        "match": one.match_id,
        "opening": one.opening,
        "hands": [
            entry_answer(hand.entry, inside=inside)
            | {
                "result": hand.result.to_json(),
                "earlier": [entry_answer(old, inside=inside) for old in hand.earlier],
            }
            for hand in (record.hands if told else ())
        ],
        "levels": {str(party): str(level) for party, level in record.state.levels.items()} if told else {},
    }
    if inside:
        made["waiting"] = record.waiting and entry_answer(record.waiting, inside=True)
    return made


def call_answer(one: Call) -> Document:
    return {
        "id": one.pk,
        "sitting": one.sitting_id,
        "kind": one.kind,
        "side": one.side,
        "hand_no": one.hand_no,
        "note": one.note,
        "called_at": moment(one.called_at),
        "taken_at": moment(one.taken_at),
        "closed_at": moment(one.closed_at),
    }
