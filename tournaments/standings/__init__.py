"""Standings: what they are folded from, recalculated one at a time, published frozen, and shown."""
