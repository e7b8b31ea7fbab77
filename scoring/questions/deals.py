"""The batch protocol's doors to duplicate boards: deals from a seed, their check, declaring in turn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scoring import wording
from scoring.cards import dealing
from scoring.cards.auction_state import Act
from scoring.cards.declaring import ACTS, declare_in_turn
from scoring.cards.duplicate import cite
from scoring.hands.findings import Refused, finding
from scoring.hands.reading import Reader
from scoring.profiles import Profile
from scoring.questions.asking import Answer, Op, reasons
from scoring.values import Card, Seat, Trump

_BOARD = {"en": "the number of the board", "zh": "牌号"}
_DECKS = {"en": "the number of decks", "zh": "几副牌"}
_NUMBER = {"en": "the number of choices", "zh": "取值的个数"}


def ask_declare_order(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Declaring at a duplicate board: who speaks, what stands, what was left out."""
    reader = Reader(data)
    level, dealer = reader.level("level", profile, required=True), reader.choice("dealer", Seat, required=True)
    fixed = reader.choice("fixed_trump", Trump)
    acts = reader.items("acts", lambda row, path: _act(row, path, reader))
    reader.done()
    reader.refuse_if_any()
    assert level is not None
    assert dealer is not None
    state = declare_in_turn(profile, level, dealer, acts, fixed)
    answer: Answer = {
        "dealer": dealer.value,
        "trump": None if state.trump is None else state.trump.value,
        "turn": None if state.turn is None else state.turn.value,
        "settled_by": state.settled_by,
        "problems": [{"act_no": number, "code": one.code} for number, one in state.problems],
        "findings": [{"act_no": number, **one.to_json()} for number, one in state.problems],
        "because": reasons(state.because),
    }
    return answer | ({"to_do": "name"} if state.naming else {})


def _act(data: object, path: str, reader: Reader) -> Act | None:
    rows = reader.nested(data, path)
    if not isinstance(data, Mapping):
        return None
    name, by = rows.word("act", ACTS, required=True), rows.choice("by", Seat, required=True)
    cards, names = rows.cards("cards"), rows.choice("names", Trump)
    rows.done()
    return None if name is None else Act(name, by, cards, names)


def ask_deal_board(profile: object, data: Mapping[str, Any]) -> Answer:
    """One board of a seed: four hands, the kitty, level and dealer, with what anybody can check."""
    reader = Reader(data)
    seed, dealt = _dealt(reader)
    return {
        "commitment": dealing.commitment(seed),
        "level": dealt.level,
        "dealer": dealt.dealer.value,
        **{pocket: [str(card) for card in cards] for pocket, cards in dealt.pockets.items()},
        "suit": dealt.suit,
        "fingerprint": dealt.fingerprint,
        "because": reasons(cite("deal", "header", "commitment")),
    }


def ask_deal_draw(profile: object, data: Mapping[str, Any]) -> Answer:
    """One number below `n` from a stream of words."""
    reader = Reader(data)
    n = reader.whole("n", _NUMBER, low=1, high=dealing.MOST_WORD + 1, required=True)
    words = reader.items("words", lambda row, path: _word(row, path, reader))
    reader.done()
    reader.refuse_if_any()
    assert n is not None
    try:
        value, used = dealing.draw(words, n)
    except dealing.WordsUsedUp as over:
        raise Refused([finding("words_used_up", "words", used=over.used)]) from None
    return {"value": value, "used": used, "because": reasons(cite("deal"))}


def _word(row: object, path: str, reader: Reader) -> int | None:
    if type(row) is int and 0 <= row <= dealing.MOST_WORD:
        return row
    en, zh = "a whole number of 32 bits", "32 位的整数"
    reader.findings.append(finding("wrong_type", path, value=wording.shown(row), expected=en, expected_zh=zh))
    return None


def ask_deal_check(profile: object, data: Mapping[str, Any]) -> Answer:
    """Whether a seed opens its commitment, and whether what lies in the pockets is what it deals."""
    reader = Reader(data)
    promised, found = reader.raw("commitment"), reader.nested(reader.raw("found"), "found")
    pockets = {pocket: _pocket(found, pocket) for pocket in dealing.POCKETS}
    found.done()
    if not isinstance(promised, str):
        reader.missing("commitment")
    seed, dealt = _dealt(reader)
    differing = dealing.differences(dealt, pockets)
    return {
        "commitment_holds": promised == dealing.commitment(seed),
        "deal_holds": not differing,
        "differences": [
            {"pocket": one.pocket, "missing": list(map(str, one.missing)), "extra": list(map(str, one.extra))}
            for one in differing
        ],
        "because": reasons(cite("commitment", "pockets")),
    }


def _pocket(found: Reader, pocket: str) -> tuple[Card, ...]:
    text = found.raw(pocket)
    cards = dealing.cards_of(text) if isinstance(text, str) else None
    if cards is None and text is None:
        found.missing(pocket)
    elif cards is None:
        found.findings.append(finding("cards_run_unknown", f"found.{pocket}"))
    return cards or ()


def _dealt(reader: Reader) -> tuple[bytes, dealing.Dealt]:
    """The seed and its board; Refused with every finding of the question."""
    board = reader.whole("board", _BOARD, low=1, high=dealing.MOST_BOARD, required=True)
    decks = reader.whole("decks", _DECKS, low=min(dealing.HANDS), high=max(dealing.HANDS), required=True)
    text, digits = reader.raw("seed"), 2 * dealing.SEED_BYTES
    if text is None:
        reader.missing("seed")
    elif not isinstance(text, str) or len(text) != digits:
        reader.findings.append(finding("seed_length", "seed", digits=digits))
    elif not re.fullmatch("[0-9a-f]+", text):
        reader.findings.append(finding("seed_not_hex", "seed"))
    reader.done()
    reader.refuse_if_any()
    assert board is not None
    assert decks is not None
    seed = bytes.fromhex(str(text))
    return seed, dealing.deal(seed, board, decks)


DEAL_OPS: Mapping[str, Op] = {
    "declare_order": Op(ask_declare_order),
    "deal_board": Op(ask_deal_board, needs_profile=False, own=frozenset({"decks"})),
    "deal_draw": Op(ask_deal_draw, needs_profile=False),
    "deal_check": Op(ask_deal_check, needs_profile=False, own=frozenset({"decks"})),
}
