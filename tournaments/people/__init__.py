"""Entrants, players, accounts, attendance; lists of entrants read and written."""
