"""The phone at the table: enter a hand, confirm it, call a referee."""
