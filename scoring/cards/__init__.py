"""The card-level referee."""
