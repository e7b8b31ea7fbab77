"""Signals agreed openly: what an event asks of them, and the cards of its entrants."""
