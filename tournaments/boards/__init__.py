"""Duplicate boards: what the rooms and tables of a board came to, and what is kept back while others play it."""
