"""The log of an event as a tree: numbered, under signed heads, provable, and held against what the database says."""
