"""Sittings as kernel values: their ledger, fold, games and clock; what a fold means for the match."""
