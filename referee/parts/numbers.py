"""Whole numbers as they are typed into a form."""

from __future__ import annotations

from typing import Any, Final

MOST_DIGITS: Final = 9


def whole_number(text: str) -> Any:
    """A whole number out of plain digits, with either minus; anything else stays text, to be refused by name."""
    text = text.strip()
    digits = text[1:] if text.startswith(("-", "\u2212")) else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        return text
    return -int(digits) if digits != text else int(digits)
