"""Paper: table cards, score sheets, pairings, standings and rulings as PDF, with a font that holds Chinese."""
