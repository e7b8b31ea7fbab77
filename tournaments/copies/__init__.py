"""Copies of the whole database: made while the service runs, kept by a plain rule, checked before they count."""
