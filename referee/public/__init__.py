"""The pages players and spectators read."""
