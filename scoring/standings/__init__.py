"""Finished matches become match scores, match scores a table whose rows know whether they are shared, and why."""
