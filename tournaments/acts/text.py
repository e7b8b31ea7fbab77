"""Texts that people typed: made canonical and safe to show, or refused with a reason."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

MAX_MARKS_ON_ONE_LETTER = 3
#: Numbers of rows are all below 2 ** 53 (`following.numbers`).
ROW_FIGURES = 16
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_PLAIN_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def plain_number(text: str, most: int = 9) -> int | None:
    """The whole number that an address, a form or a file writes in at most so many plain figures; None if it is none.

    Other figures of the world are digits to Python too, and turning thousands of them into a number is refused by it.
    """
    return int(text) if len(text) <= most and text.isascii() and text.isdigit() else None


def row_number(text: str) -> int | None:
    """The number (id) of a row as an address, a form or a file writes it: a laptop's have up to sixteen figures."""
    return plain_number(text, ROW_FIGURES)


def is_among(host: str, listed: Iterable[str]) -> bool:
    """Whether a host is listed itself, or lies below a listed `*.host`."""
    return any(host.endswith(one[1:]) and host != one[2:] if one.startswith("*.") else host == one for one in listed)


class TextProblem(ValueError):
    """Why a text cannot be taken. `code`: empty, too_long, hidden_characters, too_many_marks, not_text."""

    def __init__(self, code: str, message: Mapping[str, str]) -> None:
        super().__init__(code)
        self.code = code
        self.message = dict(message)


def clean_line(value: object, *, max_length: int, required: bool = False) -> str:
    """One line of text in NFC with single spaces.

    Refuses control, direction-changing and zero-width characters (two names that look the same must be the same),
    stacked marks, and texts longer than `max_length` code points.
    """
    if value is None:
        value = ""
    if not isinstance(value, str):
        raise TextProblem("not_text", {"en": "This must be text.", "zh": "这里要填文字。"})
    for character in value:
        if unicodedata.category(character) in _HIDDEN_CATEGORIES:
            point = f"U+{ord(character):04X}"
            raise TextProblem(
                "hidden_characters",
                {
                    "en": f"The text holds a character that cannot be seen ({point}). Type it again.",
                    "zh": f"文字里有看不见的字符（{point}），请重新输入。",
                },
            )
    text = " ".join(unicodedata.normalize("NFC", value).split())
    if required and not any(unicodedata.category(character)[0] in "LN" for character in text):
        raise TextProblem("empty", {"en": "A name is needed here.", "zh": "这里要填名称。"})
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MAX_MARKS_ON_ONE_LETTER:
            raise TextProblem(
                "too_many_marks", {"en": "Too many marks on one letter.", "zh": "一个字母上的附加符号太多。"}
            )
    if len(text) > max_length:
        raise TextProblem(
            "too_long",
            {
                "en": f"At most {max_length} characters; this has {len(text)}.",
                "zh": f"最多 {max_length} 个字，你写了 {len(text)} 个。",
            },
        )
    return text


def same_reading(name: str) -> str:
    """The key under which two names count as the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def spreadsheet_cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula: texts that begin like one get an apostrophe; numbers do not."""
    text = "" if value is None else str(value)
    return "'" + text if _like_a_formula(text) else text


def from_spreadsheet_cell(text: str) -> str:
    """Undo `spreadsheet_cell`, so that an exported table can be imported again."""
    return text[1:] if text.startswith("'") and _like_a_formula(text[1:]) else text


def _like_a_formula(text: str) -> bool:
    return text.lstrip("'").startswith(_FORMULA_STARTS) and not _PLAIN_NUMBER.fullmatch(text)


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value: sorted keys, no spaces, text as it is. Digests are of its UTF-8 bytes."""
    return _CANONICAL.encode(value)


#: A member whose name may have been a number, true or null before it became JSON: such are put in order as they were.
_ODD_NAME = re.compile(r'"(?:-?[0-9][^"]*|true|false|null|NaN|-?Infinity)":')


class Said(str):
    """The canonical JSON of a value as a database gives it back: what is stored, and what is said of it."""

    __slots__ = ()

    @classmethod
    def of(cls, value: Any) -> Said:
        text = canonical_json(value)
        if _ODD_NAME.search(text):
            text = canonical_json(json.loads(json.dumps(value)))
        return cls(text)


class NoText(ValueError):
    """Characters that no text has, and that no text of a database can hold."""


class TooDeep(ValueError):
    """JSON that is nested too deeply."""


def read_json(text: str) -> Any:
    """The JSON in a file; a ValueError when it is none (JSONDecodeError with its place), NoText or TooDeep."""
    # neither can stand in a database's text; what the product writes has them nowhere
    if "\\u0000" in text or "\\ud" in text.lower():
        raise NoText
    try:
        return json.loads(text, parse_constant=no_number, parse_float=finite)
    except RecursionError:
        raise TooDeep from None


def no_number(name: str) -> Any:
    """What JSON of ours never says: NaN and the infinities."""
    raise ValueError(f"{name} is no number")


def finite(text: str) -> float:
    """1e999 is a number to JSON and infinite to Python; no text of ours could say it again."""
    value = float(text)
    return value if math.isfinite(value) else no_number(text[:20])


def text_digest(text: str) -> str:
    """SHA-256 of the UTF-8 bytes of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON of a value."""
    return text_digest(canonical_json(value))
