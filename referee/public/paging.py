"""Long lists are cut into pages of a hundred; whoever wants all rows at once asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.paginator import Page, Paginator

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE: Final = 100
ALL: Final = "all"


class _Everything(Paginator):
    """All rows on one page, for whoever asked for that."""

    everything = True

    def __init__(self, rows: Sequence[Any]) -> None:
        super().__init__(rows, max(len(rows), PAGE))


def page_of(rows: Sequence[Any], number: str | None) -> Page[Any]:
    """The page of that number as an address writes it (``all``: one page with everything); the first for nonsense, the
    last beyond the end."""
    if number == ALL:
        return _Everything(rows).page(1)
    return Paginator(rows, PAGE).get_page(number)
