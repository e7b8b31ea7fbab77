"""The batch protocol's doors to who deals and who is whose friend among single players, and to two open variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring import wording
from scoring.hands.findings import finding
from scoring.hands.reading import Reader
from scoring.hands.variants import (
    LINE,
    LINES,
    SCORINGS,
    FixedHand,
    check_line_set,
    fixed_reasons,
    fixed_scores,
    own_line,
)
from scoring.individual.allies import find_ally
from scoring.individual.contests import CONTEST_ACTS, Bid, ContestAct, Problem, bid_down, contest
from scoring.individual.entries import Call, places
from scoring.profiles import Profile
from scoring.questions.asking import MOST_TOTAL, Answer, Op, reasons, total_of
from scoring.values import Card, Level, Place, Player, Seat, Side, Trump

_BID = {"en": "the bid", "zh": "叫分"}
_ORDINAL = {"en": "which copy is called", "zh": "第几张"}
_DECKS = {"en": "the number of decks", "zh": "几副牌"}


def ask_bid_sequence(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Bids downwards, in turn: what stands, who is next, who plays alone."""
    reader = Reader(data)
    first = _bidder(reader, "first", profile)
    acts = reader.items("acts", lambda row, path: _bid(row, path, reader, profile))
    reader.done()
    if profile.bidding is None:
        reader.findings.insert(0, finding("bids_not_here", "op"))
    reader.refuse_if_any()
    assert first is not None
    state = bid_down(profile, first, acts)
    return {
        "standing": state.standing,
        "turn": None if state.turn is None else state.turn.value,
        "dealer": None if state.dealer is None else state.dealer.value,
        "bid": None if state.dealer is None else state.standing,
        "redeal": state.redeal,
        **_told(state.problems),
        "because": reasons(state.because),
    }


def _bidder(reader: Reader, name: str, profile: Profile) -> Player | None:
    """Who bids, by seat or by place."""
    players: tuple[Player, ...] = (*Seat, *places(profile))
    word = reader.word(name, [player.value for player in players], required=True)
    return next((player for player in players if player == word), None)


def _bid(row: object, path: str, reader: Reader, profile: Profile) -> Bid | None:
    rows = reader.nested(row, path)
    if not isinstance(row, Mapping):
        return None
    by = _bidder(rows, "by", profile)
    bid = rows.whole("bid", _BID, low=-MOST_TOTAL, high=MOST_TOTAL)
    rows.done()
    return None if by is None else Bid(by, bid)


def ask_friend_contest(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Who deals, at what level and with which trumps, after the declarations and counters of one hand."""
    reader = Reader(data)
    rows, here = reader.nested(reader.raw("levels"), "levels"), places(profile)
    levels = {place: rows.level(place.value, profile, required=True) for place in here}
    rows.done()
    acts = reader.items("acts", lambda row, path: _contest_act(row, path, reader, profile))
    complete = reader.flag("complete")
    _done(reader, profile)
    known: dict[Place, Level] = {place: level for place, level in levels.items() if level is not None}
    state = contest(profile, known, acts, complete=complete is True)
    return {
        "dealer": None if state.dealer is None else state.dealer.value,
        "level": None if state.level is None else str(state.level),
        "trump": None if state.trump is None else state.trump.value,
        "redeal": state.redeal,
        **_told(state.problems),
        "because": reasons(state.because),
    }


def _contest_act(row: object, path: str, reader: Reader, profile: Profile) -> ContestAct | None:
    rows = reader.nested(row, path)
    if not isinstance(row, Mapping):
        return None
    name, by = rows.word("act", CONTEST_ACTS, required=True), _place(rows, "by", profile)
    cards = rows.cards("cards")
    if name not in (None, "pass") and not cards and not rows.findings:
        rows.missing("cards")
    rows.done()
    return None if name is None or by is None else ContestAct(name, by, cards)


def ask_friend_call(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Whom a call found: a place, the dealer himself, or nobody yet."""
    reader = Reader(data)
    dealer, called = _place(reader, "dealer", profile), reader.nested(reader.raw("call"), "call")
    card = _card(called, "card")
    ordinal = called.whole("ordinal", _ORDINAL, low=1, high=profile.decks, required=True)
    called.done()
    tricks = reader.items("tricks", lambda row, path: _trick(row, path, reader, profile))
    buried, complete = reader.cards("buried"), reader.flag("complete")
    _done(reader, profile)
    assert dealer is not None
    assert card is not None
    assert ordinal is not None
    ally = find_ally(profile, dealer, Call(card, ordinal), tricks, buried=buried, complete=complete is True)
    return {
        "ally": None if ally.place is None else ally.place.value,
        "found_in": ally.found_in,
        "alone": ally.alone,
        "because": reasons(ally.because),
    }


def _trick(row: object, path: str, reader: Reader, profile: Profile) -> list[tuple[Place, tuple[Card, ...]]] | None:
    """A trick as a list of `[place, cards]`."""
    if not isinstance(row, list):
        reader.findings.append(_no_list(path, row))
        return None
    plays = []
    for number, play in enumerate(row):
        at = f"{path}[{number}]"
        if not isinstance(play, list) or len(play) != 2:
            reader.findings.append(_no_list(at, play))
            continue
        rows = reader.nested({"place": play[0], "cards": play[1]}, at)
        place, cards = _place(rows, "place", profile), rows.cards("cards")
        if place is not None:
            plays.append((place, cards))
    return plays


def _no_list(path: str, value: object) -> Any:
    en, zh = "a list of place and cards", "由位次和牌组成的列表"
    return finding("wrong_type", path, value=wording.shown(value), expected=en, expected_zh=zh)


def ask_own_line(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """The result of a hand whose dealer set the line."""
    reader = Reader(data)
    low, high = LINES
    line, total = reader.whole("line", LINE, low=low, high=high, required=True), total_of(reader, profile)
    decks = reader.whole("decks", _DECKS, low=1, high=4)
    reader.done()
    if line is not None and line % 5:
        reader.findings.append(finding("out_of_range", "line", what=LINE, value=str(line), low=low, high=high))
    if (decks or profile.decks) != 1:
        reader.findings.insert(0, finding("one_deck_only", "decks"))
    reader.refuse_if_any()
    assert line is not None
    reader.findings += check_line_set(profile, line, "line")
    reader.refuse_if_any()
    assert total is not None
    result = own_line(profile, line, total)
    return {
        "winner_side": result.winner_role.value,
        "levels": result.levels,
        "deal_changes_hands": result.deal_changes_hands,
        "because": reasons(result.because),
    }


def ask_fixed_game(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Hands of fixed trump without levels: the levels as they were, and the scores by the way that is stated."""
    reader = Reader(data)
    trump, scoring = reader.choice("trump", Trump, required=True), reader.word("scoring", SCORINGS)
    rows = reader.nested(reader.raw("levels"), "levels")
    levels = {side: rows.level(side.value, profile, required=True) for side in Side}
    rows.done()
    hands = reader.items("hands", lambda row, path: _fixed_hand(row, path, reader, profile))
    reader.done()
    if scoring is None and not reader.has("scoring"):
        reader.findings.insert(0, finding("scoring_missing", "scoring", choices=", ".join(SCORINGS)))
    reader.refuse_if_any()
    assert trump is not None
    assert scoring is not None
    scores = fixed_scores(profile, scoring, hands)
    return {
        "levels": {side.value: str(level) for side, level in levels.items()},
        "trump": trump.value,
        "scores": {side.value: score for side, score in scores.items()},
        "because": reasons(fixed_reasons(scoring)),
    }


def _fixed_hand(row: object, path: str, reader: Reader, profile: Profile) -> FixedHand | None:
    rows = reader.nested(row, path)
    if not isinstance(row, Mapping):
        return None
    dealer, total = rows.choice("dealer", Seat, required=True), total_of(rows, profile)
    rows.done()
    return None if dealer is None or total is None else FixedHand(dealer, total)


def _told(problems: list[Problem] | tuple[Problem, ...]) -> Answer:
    return {
        "problems": [{"act_no": number, "code": one.code} for number, one in problems],
        "findings": [{"act_no": number, **one.to_json()} for number, one in problems],
    }


def _done(reader: Reader, profile: Profile) -> None:
    """Everything is read; refused with all findings, the first one where the rules call no friend."""
    reader.done()
    if profile.division != "ally":
        reader.findings.insert(0, finding("no_allies_here", "profile"))
    reader.refuse_if_any()


def _place(reader: Reader, name: str, profile: Profile) -> Place | None:
    found = reader.word(name, [place.value for place in places(profile)], required=True)
    return None if found is None else Place(found)


def _card(reader: Reader, name: str) -> Card | None:
    try:
        return Card.parse(reader.raw(name))
    except ValueError:
        reader.findings.append(finding("card_unknown", f"{reader.path}.{name}", value=wording.shown(reader.raw(name))))
        return None


VARIANT_OPS: Mapping[str, Op] = {
    "bid_sequence": Op(ask_bid_sequence, individual=True),
    "friend_contest": Op(ask_friend_contest, individual=True),
    "friend_call": Op(ask_friend_call, individual=True),
    "own_line": Op(ask_own_line, own=frozenset({"decks"})),
    "fixed_game": Op(ask_fixed_game),
}
