"""Paper: table cards, score sheets, pairings, standings and rulings as PDF, with a font that holds Chinese."""

from __future__ import annotations

from .cards import qr_svg, table_cards_pdf
from .certificate import Heading, certificate_pdf
from .entrant_codes import entrant_codes_pdf
from .lists import finder_pdf, pairing_pdf, publication_pdf, standings_pdf
from .rulings import RulingWords, rulings_pdf
from .sheets import score_sheets_pdf
from .typesetting import font_folders

__all__ = [
    "Heading",
    "RulingWords",
    "certificate_pdf",
    "entrant_codes_pdf",
    "finder_pdf",
    "font_folders",
    "pairing_pdf",
    "publication_pdf",
    "qr_svg",
    "rulings_pdf",
    "score_sheets_pdf",
    "standings_pdf",
    "table_cards_pdf",
]
