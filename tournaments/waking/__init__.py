"""Phones of players who asked to be woken: where, by which service, and what is said."""
