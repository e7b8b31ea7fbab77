"""What comes in and goes out: tables of entrants, standings, table cards, the whole event."""
