"""Standings as CSV and XLSX: the live table, or a published one."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.standings.tiebreaks import TIEBREAKS

from ..models import Publication, Stage
from ..people.spreadsheets import write_csv, write_xlsx
from ..standings.shown import StandingRow, live_standings, publication_rows


def standings_csv(source: Stage | Publication) -> bytes:
    """UTF-8 CSV; of a stage its live table."""
    return write_csv(_table(source))


def standings_xlsx(source: Stage | Publication) -> bytes:
    """One sheet with the same columns as the CSV."""
    return write_xlsx(_table(source), title="standings")


def _table(source: Stage | Publication) -> list[list[object]]:
    if isinstance(source, Publication):
        return table(source.stage.chain, publication_rows(source))
    return table(source.chain, live_standings(source).rows)


def table(chain: Sequence[str], rows: Sequence[StandingRow]) -> list[list[object]]:
    """Head and rows: place, whether shared, number, names, unit, a column for each tie-break (exact), what split."""
    head: list[object] = ["place", "shared", "number", "name", "name_latin", "unit", *chain, "split_by"]
    return [head, *(_line(chain, row) for row in rows)]


def _line(chain: Sequence[str], row: StandingRow) -> list[object]:
    entrant = row.entrant
    values = [row.values.get(code, "") for code in chain]
    split = TIEBREAKS[row.split_by].title["en"] if row.split_by else ""
    shared = "shared" if row.shared else ""
    return [row.rank, shared, entrant.number, entrant.name, entrant.name_latin, entrant.unit, *values, split]
