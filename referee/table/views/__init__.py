"""The views of the phone at the table."""
