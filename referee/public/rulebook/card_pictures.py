"""A few cards that show what something is about, for whoever looks rather than reads."""

from __future__ import annotations


def drawn(cards: str) -> list[tuple[str, str]]:
    """The cards of a picture, each with how it is drawn; an empty text is a gap. In `cards` * marks the ones it turns
    on, ? is a card that nobody sees, - a gap."""
    parts = (one.partition("*") for one in cards.split())
    return [("" if code == "-" else code, "deciding" if mark else "") for code, mark, _ in parts]
