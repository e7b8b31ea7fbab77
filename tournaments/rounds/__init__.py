"""Rounds from draft to closed: draws kept, pairings, seats, boards, and the board of a round."""
