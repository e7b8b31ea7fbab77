"""Whole hands played by simple players, legally and from a seed: believable records for demonstrations and tests."""
