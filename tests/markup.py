"""HTML as tests compare it: without the line breaks that templates have for their readers."""

from __future__ import annotations

import re


def flat(html: str) -> str:
    """White space as one space each; none before the end of a tag, nor beside tags as they are
    set by the formatter: after an opening, before a closing one, between blocks."""
    html = re.sub(r"[ \t\r\n]+", " ", html)
    html = re.sub(r"(<[^>]*?) (/?>)", r"\1\2", html)
    html = re.sub(r"(<[a-z][^>]*>) ", r"\1", html)
    html = re.sub(r"(</(?:td|th|tr|li|p|div|section|h\d)>) (?=<)", r"\1", html)
    return re.sub(r" (?=</)", "", html)
