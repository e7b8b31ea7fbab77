"""Long lists are cut into pages of a hundred."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.paginator import Page, Paginator

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE: Final = 100


def page_of(rows: Sequence[Any], number: str | None) -> Page[Any]:
    """The page of that number as an address writes it; the first for nonsense, the last beyond the end."""
    return Paginator(rows, PAGE).get_page(number)
