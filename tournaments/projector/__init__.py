"""The projector: which boards the hall sees, in which order, and what is shown now."""
