"""A made-up event to look around in: made by the acts that make a real one, marked as a demonstration, removable."""
