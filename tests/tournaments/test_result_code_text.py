"""The bytes of result codes: written once and for all, and no bit of them changes unseen."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.signing import bytes_of, text_of
from tournaments.acts.errors import Refusal
from tournaments.ledger.result_code_text import AGREED, CLAIMED, Code, read_code_text, signed

#: Codes that phones of these keys signed, as they were first written.
PINNED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "result_codes.json").read_text("utf-8"))
CODES = pytest.mark.parametrize("pinned", PINNED["codes"], ids=[one["of"] for one in PINNED["codes"]])


def genuine(code: Code) -> bool:
    keys = PINNED["keys"]
    return (
        code.claimed_by in keys
        and code.agreed_by in keys
        and signed(keys[code.claimed_by], CLAIMED, code.claim, code.claim_signature)
        and signed(keys[code.agreed_by], AGREED, code.agreement, code.agreement_signature)
    )


@CODES
def test_a_code_says_what_it_said(pinned: dict[str, Any]) -> None:
    code = read_code_text(pinned["text"])
    said = {
        "sitting": code.sitting,
        "hand": code.hand_no,
        "revision": code.revision,
        "once_key": code.once_key,
        "claimed_by": code.claimed_by,
        "agreed_by": code.agreed_by,
        "fields": code.fields,
    }
    assert said == {name: pinned[name] for name in said}
    assert genuine(code)


@CODES
def test_every_bit_is_signed(pinned: dict[str, Any]) -> None:
    """Of no code with one bit turned both signatures hold, if it can be read at all."""
    data = bytes_of(pinned["text"])
    seen = Counter(seen_of(data, bit) for bit in range(8 * len(data)))
    assert seen.keys() == {"code_unreadable", "not genuine"}
    assert seen["not genuine"] > 1000


def seen_of(data: bytes, bit: int) -> str:
    """What becomes of a code with this bit turned."""
    other = bytearray(data)
    other[bit // 8] ^= 1 << bit % 8
    try:
        code = read_code_text(text_of(bytes(other)))
    except Refusal as refusal:
        return refusal.code
    return "genuine" if genuine(code) else "not genuine"
