"""The sentences of the kernel's findings, by code, in both languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from scoring.values import Text

#: The sentence of every code of a finding. Placeholders are filled by `message`.
MESSAGES: Final[dict[str, Text]] = json.loads(Path(__file__).with_name("refusals.json").read_text("utf-8"))


def message(code: str, words: Mapping[str, Any]) -> Text:
    """The sentence of a code; `words` are texts (both languages) or plain values."""
    filled = {}
    for language in ("en", "zh"):
        values = {name: word[language] if isinstance(word, Mapping) else word for name, word in words.items()}
        template = MESSAGES[code][language]
        sentence = template.format(**values)
        filled[language] = sentence[:1].upper() + sentence[1:] if template.startswith("{what}") else sentence
    return filled
